//! Ten thousand streams at once through one gateway process (acceptance 5 of issue 18): none cut, what a stream costs, how much later a
//! word comes. Upstream, gateway and clients are processes of their own, each this program in another role.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod bench;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gateway::{Config, Log, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

const ROLE: &str = "SATCHEL_SOAK_ROLE";
const TARGET: &str = "SATCHEL_SOAK_TARGET";
const PATH: &str = "SATCHEL_SOAK_PATH";
const STREAMS: &str = "SATCHEL_SOAK_STREAMS";
const EVENTS: &str = "SATCHEL_SOAK_EVENTS";

#[test]
#[ignore = "minutes, and as many open files as a machine lets one process have: cargo xtask soak"]
fn on_nats_soak_ten_thousand_streams() {
    let runtime = |threads| {
        let mut builder = match threads {
            1 => tokio::runtime::Builder::new_current_thread(),
            _ => tokio::runtime::Builder::new_multi_thread(),
        };
        builder.enable_all().build().unwrap()
    };
    match std::env::var(ROLE).as_deref() {
        Err(_) => drive(),
        Ok("upstream") => runtime(1).block_on(upstream()),
        Ok("gateway") => runtime(2).block_on(gateway_process()),
        Ok("clients") => runtime(1).block_on(clients()),
        Ok(other) => panic!("{other}"),
    }
}

/// A child in a role, with as many open files as it may have; and the first line that it says.
struct Role {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    said: String,
}

impl Role {
    fn start(role: &str, set: &[(&str, String)]) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -n \"$(ulimit -Hn)\"; exec \"$@\"", "sh"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "on_nats_soak_ten_thousand_streams", "--ignored", "--nocapture"])
            .env(ROLE, role)
            .envs(set.iter().map(|(name, value)| (*name, value.as_str())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut role = Self { child, output, said: String::new() };
        role.said = role.line();
        role
    }

    /// The next line that is for us, without its mark.
    fn line(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "it ended without a word");
            // The harness writes on the same line, before it.
            if let Some((_, told)) = line.split_once("SOAK ") {
                return told.trim().to_owned();
            }
        }
    }

    fn rss_kb(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Role {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn drive() {
    let events = std::env::var(EVENTS).ok().and_then(|events| events.parse().ok()).unwrap_or(60_usize);
    let hard = Command::new("sh").args(["-c", "ulimit -Hn"]).output().unwrap().stdout;
    // Two open files a stream, and some for the rest; "unlimited" is no number.
    let files = String::from_utf8(hard).unwrap().trim().parse().unwrap_or(1_000_000_usize);
    let streams = ((files - 100) / 2).min(10_000);
    let numbers = [(STREAMS, streams.to_string()), (EVENTS, events.to_string())];
    let upstream = Role::start("upstream", &numbers);
    let gateway = Role::start("gateway", &[(TARGET, upstream.said.clone())]);
    println!("{files} open files allowed: {streams} streams of {events} events, one a second");
    let run = |name: &str, target: &str, path: &str| {
        let at = [(TARGET, target.to_owned()), (PATH, path.to_owned())];
        let before_kb = gateway.rss_kb();
        let mut clients = Role::start("clients", &[&numbers[..], &at[..]].concat());
        // The first word is that all streams are open.
        assert_eq!(clients.said, format!("open {streams}"));
        std::thread::sleep(Duration::from_secs(5));
        let kb = gateway.rss_kb() - before_kb.min(gateway.rss_kb());
        let result = clients.line();
        println!("{name}: {result}");
        (result, kb)
    };
    let (direct, _) = run("direct", &upstream.said, "/v1/chat/completions");
    let (through, kb) = run("through the gateway", &gateway.said, "/api/llm/test/chat/completions");
    let value = |result: &str, name: &str| -> i64 {
        let found = result.split(' ').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        found.unwrap().parse().unwrap()
    };
    let added_us = |name| value(&through, name) - value(&direct, name);
    println!(
        "added latency: p50 {} us, p99 {} us; memory: {kb} kB for {streams} streams, {:.1} kB each",
        added_us("p50_us"),
        added_us("p99_us"),
        kb as f64 / streams as f64
    );
    for result in [&direct, &through] {
        assert_eq!(value(result, "whole"), i64::try_from(streams).unwrap(), "none is cut");
        assert_eq!(value(result, "events"), i64::try_from(streams * events).unwrap(), "no event is lost");
    }
    assert!(added_us("p99_us") < 1_000_000, "a second later than without");
    assert!(kb / u64::try_from(streams).unwrap() < 200, "{kb} kB");
}

fn number(name: &str) -> usize {
    std::env::var(name).unwrap().parse().unwrap()
}

fn micros() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros()).unwrap()
}

/// An upstream that says the time once a second in each stream.
async fn upstream() {
    let events = number(EVENTS);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("SOAK {}", listener.local_addr().unwrap());
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        tokio::spawn(async move {
            // Whoever asked may be gone: that shows at the clients.
            drop(answer(stream, events).await);
        });
    }
}

async fn answer(mut stream: TcpStream, events: usize) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut request, mut buffer) = (Vec::new(), [0; 1024]);
    while !request.ends_with(b"}") {
        let count = stream.read(&mut buffer).await?;
        request.extend_from_slice(&buffer[..count]);
        if count == 0 {
            return Ok(());
        }
    }
    drop(request);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    let mut second = tokio::time::interval(Duration::from_secs(1));
    for _ in 0..events {
        second.tick().await;
        let event = format!("data: {{\"model\":\"m\",\"t\":{}}}\n\n", micros());
        stream.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes()).await?;
    }
    stream.write_all(b"0\r\n\r\n").await?;
    stream.shutdown().await
}

/// The gateway, with all that reads answers switched on.
async fn gateway_process() {
    let mut config = Config::new(bench::app("soak"));
    config.upstreams = bench::upstreams(&format!("http://{}/v1", std::env::var(TARGET).unwrap()));
    config.limits.concurrent_streams = u32::MAX;
    config.limits.requests_per_minute = u32::MAX;
    config.limits.requests_per_hour = u32::MAX;
    config.metrics_address = Some("127.0.0.1:0".parse().unwrap());
    config.log = Log::silent();
    let running = serve(config).await.unwrap();
    println!("SOAK {}", running.local_addr());
    std::future::pending().await
}

/// What all clients saw.
#[derive(Default)]
struct Seen {
    open: AtomicUsize,
    whole: AtomicUsize,
    latencies_us: Mutex<Vec<u64>>,
}

async fn clients() {
    let (streams, events) = (number(STREAMS), number(EVENTS));
    let target: SocketAddr = std::env::var(TARGET).unwrap().parse().unwrap();
    let path: Arc<str> = std::env::var(PATH).unwrap().into();
    let (seen, opening) = (Arc::new(Seen::default()), Arc::new(Semaphore::new(100)));
    seen.latencies_us.lock().unwrap().reserve(streams * events);
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..streams {
        let (seen, path) = (Arc::clone(&seen), Arc::clone(&path));
        let place = Arc::clone(&opening).acquire_owned().await.unwrap();
        all.spawn(async move { listen(target, &path, &seen, place).await });
    }
    // All are open at the same time, or some have ended before: then this is never so, and the test fails by what it reads.
    while seen.open.load(Ordering::Relaxed) < streams && !all.is_empty() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("SOAK open {}", seen.open.load(Ordering::Relaxed) - seen.whole.load(Ordering::Relaxed));
    while let Some(ended) = all.join_next().await {
        if let Err(error) = ended.unwrap() {
            println!("a stream broke: {error}");
        }
    }
    let mut latencies = seen.latencies_us.lock().unwrap();
    latencies.sort_unstable();
    let at = |percent: usize| latencies.get(latencies.len() * percent / 100).copied().unwrap_or_default();
    println!(
        "SOAK whole={} events={} p50_us={} p99_us={} max_us={}",
        seen.whole.load(Ordering::Relaxed),
        latencies.len(),
        at(50),
        at(99),
        latencies.last().copied().unwrap_or_default()
    );
}

async fn listen(
    target: SocketAddr,
    path: &str,
    seen: &Seen,
    place: tokio::sync::OwnedSemaphorePermit,
) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(target).await?;
    let body = bench::QUESTION;
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {target}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await?;
    let (mut text, mut buffer, mut place) = (Vec::new(), vec![0; 512], Some(place));
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Err(std::io::Error::other("it ended before its end"));
        }
        let now_us = micros();
        text.extend_from_slice(&buffer[..count]);
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = text.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            if let Some((_, at)) = line.split_once("\"t\":") {
                let at_us: u64 = at.trim_end().trim_end_matches('}').parse().unwrap();
                seen.latencies_us.lock().unwrap().push(now_us.saturating_sub(at_us));
                if place.take().is_some() {
                    seen.open.fetch_add(1, Ordering::Relaxed);
                }
            } else if line == "0\r\n" {
                seen.whole.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
        }
    }
}

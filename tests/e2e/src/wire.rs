//! A recording HTTP proxy: whatever a browser sends, from a page, a worker, the service worker or by itself, goes through it and is kept.
//!
//! DevTools tell of one target's requests, and of bodies only where the page made them; a proxy is where all of them end. It passes
//! requests on to this machine alone: whoever asks for another one is written down and refused.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::app::bound;

/// The most bytes of a request's head.
const HEAD: usize = 64 << 10;

/// Whom Chromium asks without any page: for an account, the time, what is new of its parts, what fields of forms mean, and what its
/// packager has as the first page. Some of it cannot be switched off. A test that relies on it holds the app to not knowing these names.
pub const BY_ITSELF: [&str; 6] = [
    "accounts.google.com", "clients2.google.com", "content-autofill.googleapis.com",
    "optimizationguide-pa.googleapis.com", "start.duckduckgo.com", "update.googleapis.com",
];

/// One request, as it left the browser.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Its method; `CONNECT` asks for a tunnel, which nobody can read into.
    pub method: String,
    /// The address in full; of a tunnel the host and its port.
    pub url: String,
    /// Every byte of it: the first line, the headers, the body.
    pub bytes: Vec<u8>,
}

/// The proxy.
pub struct Wire {
    port: u16,
    sent: Arc<Mutex<Vec<Sent>>>,
}

impl Wire {
    /// Starts it on a free port of this machine.
    pub async fn start() -> Self {
        let listener = TcpListener::from_std(bound(0)).expect("a socket");
        let port = listener.local_addr().expect("a bound port").port();
        let sent = Arc::<Mutex<Vec<Sent>>>::default();
        let log = sent.clone();
        tokio::spawn(async move {
            while let Ok((browser, _)) = listener.accept().await {
                let log = log.clone();
                // A connection that breaks is the browser's or the server's affair: what was sent is kept by then.
                tokio::spawn(async move { drop(pass_on(browser, &log).await) });
            }
        });
        Self { port, sent }
    }

    /// What a browser is started with to send everything through it, what is on this machine too.
    pub fn arguments(&self) -> [String; 2] {
        [
            format!("--proxy-server=http://127.0.0.1:{}", self.port),
            "--proxy-bypass-list=<-loopback>".to_owned(),
        ]
    }

    /// Every request so far, but for what Chromium asks by itself (see [`BY_ITSELF`]); nothing came of those.
    pub fn sent(&self) -> Vec<Sent> {
        let sent = self.sent.lock().unwrap().clone();
        sent.into_iter().filter(|request| !BY_ITSELF.contains(&request.host())).collect()
    }
}

impl Sent {
    /// The name of the host that was asked.
    pub fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or(&*self.url, |(_, rest)| rest);
        rest.split(['/', ':']).next().unwrap_or_default()
    }
}

/// Reads one request, keeps it and lets its server answer. Each has a connection of its own.
async fn pass_on(mut browser: TcpStream, log: &Mutex<Vec<Sent>>) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|end| end == b"\r\n\r\n") {
            break at + 4;
        }
        if bytes.len() > HEAD || browser.read_buf(&mut bytes).await? == 0 {
            return Ok(());
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (method, url) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
    let header = |name: &str| {
        headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    };
    let length = header("content-length").and_then(|length| length.parse::<usize>().ok()).unwrap_or(0);
    while bytes.len() < head_end + length {
        if browser.read_buf(&mut bytes).await? == 0 {
            break;
        }
    }
    let sent = Sent { method: method.to_owned(), url: url.to_owned(), bytes: bytes.clone() };
    log.lock().unwrap().push(sent);

    let refuse =
        |status: &str| format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let Some((host, path)) = here(method, url) else {
        return browser.write_all(refuse("403 Forbidden").as_bytes()).await;
    };
    // Where its end is, only its pieces say: they would not be read.
    if header("transfer-encoding").is_some() {
        return browser.write_all(refuse("411 Length Required").as_bytes()).await;
    }
    let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in &headers {
        if !["connection", "proxy-connection"].iter().any(|known| known.eq_ignore_ascii_case(name)) {
            head.push_str(&format!("{name}:{value}\r\n"));
        }
    }
    head.push_str("\r\n");
    let mut server = TcpStream::connect(host).await?;
    server.write_all(&[head.as_bytes(), &bytes[head_end..]].concat()).await?;
    copy_bidirectional(&mut browser, &mut server).await?;
    Ok(())
}

/// The host and the path of an address on this machine; none for any other.
fn here<'u>(method: &str, url: &'u str) -> Option<(&'u str, &'u str)> {
    let rest = url.strip_prefix("http://").filter(|_| method != "CONNECT")?;
    let at = rest.find('/').unwrap_or(rest.len());
    let (host, path) = rest.split_at(at);
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    ["127.0.0.1", "localhost"].contains(&name).then_some((host, if path.is_empty() { "/" } else { path }))
}

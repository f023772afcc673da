//! Requests per second: our server in this process against the official TypeScript server in Node, both without a
//! socket and over memory, with the same requests, the same list of tools and the same to-dos.
//!
//! `cargo run --release -p conformance --example throughput` (after `npm ci` in `tests/bench/contenders`). The two
//! take turns; what is compared are the medians. With a number, only so many rounds; with `few`, the peer has only the
//! two tools that are called, and so a far shorter list; with `ours`, only our side.

#![allow(clippy::expect_used)] // A measurement that cannot be made is no measurement.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures::executor::block_on;
use mcp::{Headers, HttpIn, Server};
use serde_json::{Value, json};
use store::{MemoryJournal, Moment};
use tools::ToolServer;

const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/contenders/peer/throughput.js");

const TODOS: usize = 100;

/// Requests of one pass: made before the clock runs, and answered one after the other.
const PASS: usize = 100;

/// A round of one side lasts at least this long.
const ROUND: Duration = Duration::from_millis(1_500);

/// A request as an adapter has it.
#[derive(Clone)]
struct Raw {
    kind: &'static str,
    headers: Vec<(&'static str, String)>,
    body: String,
}

impl Raw {
    fn new(kind: &'static str, method: &str, name: Option<&str>, mut params: Value) -> Self {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "throughput", "version": "1"},
        });
        let mut headers = vec![
            ("accept", "application/json, text/event-stream".to_owned()),
            ("content-type", "application/json".to_owned()),
            ("mcp-protocol-version", "2026-07-28".to_owned()),
            ("mcp-method", method.to_owned()),
        ];
        headers.extend(name.map(|name| ("mcp-name", name.to_owned())));
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        Self { kind, headers, body: body.to_string() }
    }

    fn call(kind: &'static str, tool: &str, arguments: Value) -> Self {
        Self::new(kind, "tools/call", Some(tool), json!({"name": tool, "arguments": arguments}))
    }

    fn to_http(&self) -> HttpIn {
        let headers: Headers = self.headers.iter().map(|(name, value)| (*name, value)).collect();
        HttpIn::post(headers, self.body.clone())
    }

    fn to_json(&self) -> Value {
        let headers: serde_json::Map<_, _> =
            self.headers.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        json!({"headers": headers, "body": self.body})
    }
}

struct Ours(Server<ToolServer<MemoryJournal>>);

impl Ours {
    fn open() -> Self {
        let clock = |zone: Option<&str>| Moment {
            at_ms: SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64,
            zone: zone.unwrap_or("Europe/Berlin").to_owned(),
            offset_s: 3_600,
        };
        let tools = block_on(ToolServer::open(MemoryJournal::new(), clock, "throughput", local::DOMAINS))
            .expect("it opens");
        let ours = Self(tools.alone_while(|| true).into_server(tools::info(
            "satchel",
            "Satchel",
            "1",
            local::DOMAINS,
        )));
        for number in 0..TODOS {
            let arguments = json!({
                "title": format!("Water the plants of row {number}"), "list": "Home",
                "due": format!("2026-12-{:02}", number % 28 + 1), "tags": ["home"],
            });
            ours.result(&Raw::call("", "todo_create", arguments));
        }
        ours
    }

    fn result(&self, raw: &Raw) -> Value {
        let out = block_on(self.0.handle(raw.to_http()));
        let bytes = block_on(out.body.into_bytes());
        let answer: Value = serde_json::from_slice(&bytes).expect("JSON");
        assert!(out.status == 200 && answer["result"]["isError"] != true, "{} {answer}", out.status);
        answer["result"].clone()
    }

    /// Requests per second.
    fn round(&self, requests: &[Raw]) -> f64 {
        let (mut count, mut taken) = (0_usize, Duration::ZERO);
        while taken < ROUND {
            let pass: Vec<HttpIn> = requests.iter().map(Raw::to_http).collect();
            let start = Instant::now();
            count += pass.len();
            for request in pass {
                let out = block_on(self.0.handle(request));
                std::hint::black_box(block_on(out.body.into_bytes()));
            }
            // As the edges do after an answer: it keeps the journal's tail short.
            block_on(self.0.host().upkeep()).expect("it is kept");
            taken += start.elapsed();
        }
        count as f64 / taken.as_secs_f64()
    }
}

/// The official server, in a process that is asked for one round after the other.
struct Peer {
    child: Child,
    asks: ChildStdin,
    says: Lines<BufReader<ChildStdout>>,
}

impl Peer {
    fn start(setting: &Value) -> Self {
        let mut node = Command::new("node");
        let mut child =
            node.arg(PEER).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Node.js is there");
        let asks = child.stdin.take().expect("a pipe");
        let says = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut peer = Self { child, asks, says };
        assert_eq!(peer.ask(&setting.to_string()), "ready");
        peer
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.asks, "{line}").expect("it listens");
        self.says.next().expect("it answers").expect("text")
    }

    fn round(&mut self, requests: &str) -> f64 {
        self.ask(&format!("{} {requests}", ROUND.as_millis())).parse().expect("a number")
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// 40 lists of tools, 20 reads and 20 writes by tools, 10 resources, 10 discoveries, well mixed.
fn mix(ids: &[String]) -> Vec<Raw> {
    let list = || Raw::new("tools/list", "tools/list", None, json!({}));
    let discover = || Raw::new("server/discover", "server/discover", None, json!({}));
    let mut writes = 0;
    let mut update = || {
        // Every write changes something: the second of a pass takes back the first.
        let priority = if writes < 10 { "high" } else { "low" };
        let id = &ids[writes % 10];
        writes += 1;
        Raw::call("tools/call, write", "todo_update", json!({"id": id, "priority": priority}))
    };
    let read = |number: usize| {
        let uri = format!("todo://item/{}", ids[number % ids.len()]);
        Raw::new("resources/read", "resources/read", Some(&uri), json!({"uri": uri}))
    };
    let one = |place: usize| match place % 10 {
        0 | 3 | 6 | 8 => list(),
        1 | 5 => Raw::call("tools/call, read", "todo_list", json!({"limit": 20})),
        2 | 7 => update(),
        4 => read(place),
        _ => discover(),
    };
    (0..PASS).map(one).collect()
}

fn by_kind(requests: &[Raw]) -> Vec<Vec<Raw>> {
    let mut sorted = requests.to_vec();
    sorted.sort_by_key(|request| request.kind);
    sorted.chunk_by(|one, next| one.kind == next.kind).map(<[Raw]>::to_vec).collect()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn main() {
    let asked = std::env::args().nth(1);
    let rounds = asked.as_ref().and_then(|asked| asked.parse().ok()).unwrap_or(9);
    let ours = Ours::open();
    let listed = ours.result(&Raw::call("", "todo_list", json!({"limit": TODOS})));
    let todos = listed["structuredContent"]["items"].clone();
    let ids = todos.as_array().into_iter().flatten().filter_map(|todo| todo["id"].as_str());
    let requests = mix(&ids.map(str::to_owned).collect::<Vec<_>>());
    for request in &requests {
        ours.result(request);
    }
    if asked.as_deref() == Some("ours") {
        for of in by_kind(&requests) {
            println!("{}: {:.0} requests/s", of[0].kind, ours.round(&of));
        }
        println!("the mix: {:.0} requests/s", ours.round(&requests));
        return;
    }
    let mut tools = ours.result(&Raw::new("", "tools/list", None, json!({})))["tools"].clone();
    if let Value::Array(tools) = &mut tools
        && asked.as_deref() == Some("few")
    {
        tools.retain(|tool| tool["name"] == "todo_list" || tool["name"] == "todo_update");
    }
    let all: Vec<Value> = requests.iter().map(Raw::to_json).collect();
    let mut peer = Peer::start(&json!({"tools": tools, "todos": todos, "requests": all}));
    // The first of each is to get warm.
    ours.round(&requests);
    peer.round("all");
    let (mut our_rates, mut peer_rates) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        our_rates.push(ours.round(&requests));
        peer_rates.push(peer.round("all"));
        println!(
            "round {round}: ours {:.0}, peer {:.0} requests/s",
            our_rates[round - 1],
            peer_rates[round - 1]
        );
    }
    let (our_rate, peer_rate) = (median(our_rates), median(peer_rates));
    println!("median: ours {our_rate:.0}, peer {peer_rate:.0} requests/s, ratio {:.1}", our_rate / peer_rate);
}

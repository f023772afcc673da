//! Several processes over one folder, and one that ends at once: who listens hears of the others, and nothing waits for a
//! quiet moment that never comes.

#![allow(clippy::unwrap_used, reason = "a test says where it failed")]

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::task::LocalSet;

fn on_one_thread<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    LocalSet::new().block_on(&runtime, work)
}

/// A client of a process of its own.
struct Client {
    to: WriteHalf<DuplexStream>,
    from: Lines<BufReader<ReadHalf<DuplexStream>>>,
    ended: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Client {
    async fn of(folder: &Path) -> Self {
        let server = local::open(folder).await.unwrap();
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(theirs);
        let ended = tokio::task::spawn_local(local::stdio(server, input, output));
        let (from, to) = tokio::io::split(ours);
        Self { to, from: BufReader::new(from).lines(), ended }
    }

    /// One that has shaken hands.
    async fn in_a_session(folder: &Path) -> Self {
        let mut client = Self::of(folder).await;
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        client.ask(1, "initialize", params).await;
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn say(&mut self, message: &Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn hears(&mut self, what: impl Fn(&Value) -> bool) -> Value {
        let heard = async {
            loop {
                let line = self.from.next_line().await.unwrap().unwrap();
                let message: Value = serde_json::from_str(&line).unwrap();
                if what(&message) {
                    return message;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(20), heard).await.unwrap()
    }

    async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        self.hears(|message| message["id"] == id).await["result"].take()
    }

    async fn add(&mut self, title: &str) {
        let params = json!({"name": "todo_create", "arguments": {"title": title}});
        let added = self.ask(2, "tools/call", params).await;
        assert_eq!(added["structuredContent"]["changes"][0]["after"]["title"], title, "{added}");
    }

    async fn ends(mut self) {
        self.to.shutdown().await.unwrap();
        self.ended.await.unwrap().unwrap();
    }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn who_listens_hears_what_another_process_writes() {
    let folder = tempfile::tempdir().unwrap();
    on_one_thread(async {
        let mut listens = Client::in_a_session(folder.path()).await;
        listens.ask(3, "resources/subscribe", json!({"uri": "todo://list"})).await;
        let mut writes = Client::in_a_session(folder.path()).await;
        let is_news = |message: &Value| {
            message["method"] == "notifications/resources/updated"
                && message["params"]["uri"] == "todo://list"
        };
        writes.add("Milk").await;
        listens.hears(is_news).await;
        // And again, where a call of its own has read the change meanwhile.
        writes.add("Bread").await;
        listens.ask(4, "tools/call", json!({"name": "todo_list", "arguments": {}})).await;
        listens.hears(is_news).await;
        writes.ends().await;
        listens.ends().await;
    });
}

#[test]
fn a_process_that_ends_at_once_leaves_a_second_copy_and_no_session() {
    let folder = tempfile::tempdir().unwrap();
    let second_copy =
        || files(folder.path()).into_iter().filter(|file| file.contains("copy")).collect::<Vec<_>>();
    on_one_thread(async {
        for round in 0..3 {
            let mut client = Client::in_a_session(folder.path()).await;
            client.add(&format!("Milk {round}")).await;
            client.ends().await;
            assert!(!second_copy().is_empty(), "round {round}: {:?}", files(folder.path()));
        }
        let server = local::open(folder.path()).await.unwrap();
        let kept = server.host().byte_store().names("mcp-session-").await.unwrap();
        assert_eq!(kept, Vec::<String>::new(), "a session ends with the process that had it");
    });
}

#[test]
fn a_copy_that_lags_behind_is_written_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    on_one_thread(async {
        let journal = store::FileJournal::open(folder.path()).unwrap();
        let tools = tools::ToolServer::open(journal, local::now, "killed", local::DOMAINS).await.unwrap();
        let server = tools.into_server(tools::info("satchel", "Satchel", "1", local::DOMAINS));
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "todo_create", "arguments": {"title": "Milk"}}});
        let headers = mcp::Headers::new()
            .with("content-type", "application/json")
            .with("accept", "application/json, text/event-stream");
        let out = server.handle(mcp::HttpIn::post(headers, body.to_string().into_bytes())).await;
        assert_eq!(out.status, 200);
        // Killed before it got to its copy.
        let (copied, rev) = (server.host().db().copied_rev(), server.host().db().rev());
        assert!(copied < rev, "{copied} {rev}");
        drop(server);
        let server = local::open(folder.path()).await.unwrap();
        assert_eq!(server.host().db().copied_rev(), server.host().db().rev());
    });
}

/// What came of a task may be a whole export, and is nobody's any more after an hour.
#[test]
fn an_old_task_does_not_stay_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let id = |age_ms: i64| format!("mcp-task-{:012x}-{}", local::now_ms() - age_ms, local::random());
    let (old, young) = (id(3_700_000), id(60_000));
    on_one_thread(async {
        let put = async |name: &str| {
            let server = local::open(folder.path()).await.unwrap();
            server.host().byte_store().put(name, b"{}").await.unwrap();
        };
        put(&young).await;
        put(&old).await;
        let mut client = Client::in_a_session(folder.path()).await;
        let server = local::open(folder.path()).await.unwrap();
        let kept = async || server.host().byte_store().names("mcp-task-").await.unwrap();
        assert_eq!(kept().await, std::slice::from_ref(&young));
        // One that runs for long does it after a write.
        server.host().byte_store().put(&old, b"{}").await.unwrap();
        client.add("Milk").await;
        let gone = async {
            while kept().await.len() > 1 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), gone).await.unwrap();
        client.ends().await;
    });
}

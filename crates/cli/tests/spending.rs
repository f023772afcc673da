//! What a chat in the terminal may spend, and who answers it, over real HTTP (D-13…D-15, S0-57, S4-33).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A provider that says the same to everything, and remembers which models it was asked for.
struct Provider {
    port: u16,
    models: Arc<Mutex<Vec<String>>>,
}

impl Provider {
    fn start(status: &'static str, body: &Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let models: Arc<Mutex<Vec<String>>> = Arc::default();
        let (asked, body) = (models.clone(), body.to_string());
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let connection = connection.unwrap();
                let request: Value = serde_json::from_slice(&body_of(&connection)).unwrap();
                asked.lock().unwrap().push(request["model"].as_str().unwrap().to_owned());
                let head = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                (&connection).write_all(format!("{head}{body}").as_bytes()).unwrap();
            }
        });
        Self { port, models }
    }

    /// One whose answers are counted as 850 tokens.
    fn answering() -> Self {
        let message = json!({"role": "assistant", "content": "Hello."});
        Self::start(
            "200 OK",
            &json!({"id": "c1", "object": "chat.completion", "model": "m",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 850, "total_tokens": 860}}),
        )
    }

    fn models(&self) -> Vec<String> {
        self.models.lock().unwrap().clone()
    }
}

fn body_of(connection: &TcpStream) -> Vec<u8> {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(said) = line.strip_prefix("content-length:") {
            length = said.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    body
}

/// What a chat with these lines wrote, and whether all was answered. An answer costs a dollar per thousand tokens.
fn chat(provider: &Provider, data: &Path, arguments: &[&str], lines: &str) -> (String, bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_satchel"))
        .env("SATCHEL_UPSTREAM_NEAR_URL", format!("http://127.0.0.1:{}/v1", provider.port))
        .args(["chat", "--config", "none.toml", "--model", "near/m", "--price", "0/1000", "--data"])
        .arg(data)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    let errors = String::from_utf8(done.stderr).unwrap();
    assert_eq!(errors, "");
    (String::from_utf8(done.stdout).unwrap(), done.status.success())
}

/// What a chat with a model wrote that is not on this machine, and nowhere else either.
fn far(data: &Path, arguments: &[&str], lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_satchel"))
        .env("SATCHEL_UPSTREAM_FAR_URL", "http://models.invalid/v1")
        .args(["chat", "--config", "none.toml", "--model", "far/mine", "--data"])
        .arg(data)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// A folder that is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("spending").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_conversations_limit_stops_before_the_call_and_is_said_before_that() {
    let (provider, data) = (Provider::answering(), folder("conversation"));
    let (said, complete) = chat(&provider, &data, &["--limit", "2"], "one\ntwo\nthree\nfour\n");
    assert_eq!(provider.models().len(), 2, "{said}");
    assert!(!complete);
    let stopped = "This conversation’s limit is $2.00: $1.70 is spent, and the next request would cost up to $1.00. Nothing was sent.";
    assert_eq!(said.matches(stopped).count(), 2, "{said}");
    assert_eq!(said.matches("! $1.70 of this conversation’s limit of $2.00 is spent.").count(), 1, "{said}");
    // The log remembers it; a new conversation begins at nothing.
    let (said, _) = chat(&provider, &data, &["-c", "--limit", "2", "five"], "");
    assert!(said.contains(stopped), "{said}");
    assert_eq!(provider.models().len(), 2);
    assert!(chat(&provider, &data, &["--limit", "2", "six"], "").1);
    // Without a price there is no way to keep to a limit.
    let said = far(&data, &["--limit", "2"], "hello\n");
    assert!(said.contains("The price of mine is not known") && said.contains("Nothing was sent"), "{said}");
}

#[test]
fn a_months_limit_holds_for_all_conversations_in_the_folder() {
    let (provider, data) = (Provider::answering(), folder("month"));
    let month = ["--month-limit", "2.5"];
    assert!(chat(&provider, &data, &month, "one\ntwo\n").1);
    let (said, complete) = chat(&provider, &data, &month, "three\n");
    assert!(!complete && said.contains("This month’s limit is $2.50: $1.70 is spent"), "{said}");
    assert_eq!(provider.models().len(), 2);
    // It is said when it is near (S4-33), once.
    let (said, complete) = chat(&provider, &data, &["--month-limit", "3"], "four\n");
    assert!(
        complete && said.matches("! $2.55 of this month’s limit of $3.00 is spent.").count() == 1,
        "{said}"
    );
    let kept: Value = serde_json::from_slice(&std::fs::read(data.join("spending.json")).unwrap()).unwrap();
    let sums: Vec<u64> = kept.as_object().unwrap().values().map(|sum| sum.as_u64().unwrap()).collect();
    assert_eq!(sums, [2_550_000]);
}

#[test]
fn several_terminals_at_once_lose_nothing_of_each_others_counts() {
    let (provider, data) = (Provider::answering(), folder("at-once"));
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| assert!(chat(&provider, &data, &["--month-limit", "100"], "one\ntwo\n").1));
        }
    });
    let kept: Value = serde_json::from_slice(&std::fs::read(data.join("spending.json")).unwrap()).unwrap();
    let sum: u64 = kept.as_object().unwrap().values().map(|sum| sum.as_u64().unwrap()).sum();
    assert_eq!(sum, 12 * 850_000);
}

#[test]
fn short_questions_go_to_the_small_model() {
    let (provider, data) = (Provider::answering(), folder("roles"));
    let lines = "what is due today?\nForget the budget\nSummarize my week\nget the list of overdue items, and delete them\n";
    assert!(chat(&provider, &data, &["--small", "near/s", "--cheap", "near/c"], lines).1);
    assert_eq!(provider.models(), ["s", "m", "c", "m"]);
}

#[test]
fn too_many_requests_are_not_sent() {
    let (provider, data) = (Provider::answering(), folder("rates"));
    // A model on this machine is as fast as it likes.
    assert!(chat(&provider, &data, &["--calls-per-minute", "1"], "one\ntwo\n").1);
    assert_eq!(provider.models().len(), 2);
    let said = far(&data, &["--calls-per-minute", "1"], "one\ntwo\n");
    assert!(
        said.contains("Could not reach the model") && said.contains("Your own limit of 1 request a minute"),
        "{said}"
    );
    let said = far(&data, &["--tokens-per-hour", "10"], "one\n");
    assert!(
        said.contains(
            "This request alone is more than your own limit of 60 requests a minute and 10 tokens an hour"
        ),
        "{said}"
    );
}

#[test]
fn an_endpoint_that_keeps_breaking_is_left_alone() {
    let broken = json!({"error": {"message": "Out of order", "type": "server_error"}});
    let (provider, data) = (Provider::start("500 Internal Server Error", &broken), folder("breaker"));
    let (said, complete) = chat(&provider, &data, &[], "one\ntwo\nthree\n");
    assert!(!complete && said.contains("left alone for"), "{said}");
    assert_eq!(provider.models().len(), 5, "the fifth failure in a row opens it: {said}");
}

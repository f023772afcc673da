//! `satchel api` as a person starts it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

struct Api {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Drop for Api {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn satchel() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    for name in ["OPENAI_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_HOST", "SATCHEL_API_TOKENS"] {
        command.env_remove(name);
    }
    command.env("TZ", "Europe/Berlin");
    command
}

impl Api {
    fn start(data: &Path) -> Self {
        let mut child = satchel()
            .args(["api", "--port", "0", "--config", "none.toml", "--dir"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }
}

/// The address in the line that says it.
fn address(line: &str) -> &str {
    line.split("http://").nth(1).unwrap().split('/').next().unwrap()
}

/// An answer, its head and its body together.
fn ask(address: &str, method: &str, path: &str, token: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} /v1{path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Idempotency-Key: k\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("api").join(name);
    drop(std::fs::remove_dir_all(&folder));
    folder
}

/// The token is shown once, what was said is there again after a kill, and the to-dos are those of the terminal.
#[test]
fn from_the_first_start_to_the_to_dos() {
    let data = folder("first");
    let mut api = Api::start(&data);
    let line = api.line();
    let token = line.strip_prefix("The token of this server, shown this once: ").unwrap().to_owned();
    let line = api.line();
    let at = address(&line);
    assert!(ask(at, "GET", "/sessions", "wrong", "").starts_with("HTTP/1.1 401 "));
    let made = ask(at, "POST", "/sessions", &token, r#"{"title":"Groceries"}"#);
    assert!(made.starts_with("HTTP/1.1 201 "), "{made}");
    let said = ask(at, "POST", "/sessions/Groceries/messages", &token, r#"{"text":"add buy milk"}"#);
    assert!(said.contains("event: done") && said.contains("Buy milk"), "{said}");
    drop(api);
    let mut api = Api::start(&data);
    let line = api.line();
    assert!(line.starts_with("The API is at "), "the token is not shown again: {line}");
    let again = ask(address(&line), "GET", "/sessions/Groceries", &token, "");
    assert!(again.contains("add buy milk") && again.contains("\"messages\":1"), "{again}");
    drop(api);
    let listed = satchel()
        .args(["chat", "--config", "none.toml", "--data"])
        .arg(data.join("me"))
        .arg("show all my to-dos")
        .output()
        .unwrap();
    assert!(String::from_utf8(listed.stdout).unwrap().contains("**Buy milk**"));
}

#[test]
fn a_second_server_over_the_same_folder_is_refused() {
    let data = folder("second");
    let mut api = Api::start(&data);
    api.line();
    let second = satchel().args(["api", "--port", "0", "--dir"]).arg(&data).output().unwrap();
    let said = String::from_utf8(second.stderr).unwrap();
    assert!(!second.status.success() && said.contains("another server uses this folder"), "{said}");
}

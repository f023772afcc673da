//! The command as a person meets it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn satchel() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    // What the developer has set must not change what is tested.
    for name in ["OPENAI_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_HOST"] {
        command.env_remove(name);
    }
    command
}

fn run(arguments: &[&str]) -> Output {
    satchel().args(arguments).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn help() {
    let text = |arguments: &[&str]| String::from_utf8(run(arguments).stdout).unwrap();
    insta::assert_snapshot!("help", text(&["--help"]));
    insta::assert_snapshot!("serve-help", text(&["serve", "--help"]));
    insta::assert_snapshot!("mcp-help", text(&["mcp", "--help"]));
    insta::assert_snapshot!("chat-help", text(&["chat", "--help"]));
    insta::assert_snapshot!("api-help", text(&["api", "--help"]));
    insta::assert_snapshot!("photos-help", text(&["photos", "--help"]));
    insta::assert_snapshot!("photos-add-help", text(&["photos", "add", "--help"]));
    insta::assert_snapshot!("trip-help", text(&["trip", "--help"]));
    insta::assert_snapshot!("trip-chat-help", text(&["trip", "chat", "--help"]));
    insta::assert_snapshot!("trip-export-help", text(&["trip", "export", "--help"]));
    insta::assert_snapshot!("run-help", text(&["run", "--help"]));
}

#[test]
fn mistakes_end_in_one_clear_message() {
    let app = folder("mistakes");
    std::fs::write(app.join("index.html"), "<!doctype html>").unwrap();
    let app = app.to_str().unwrap();
    let toml = |name: &str, text: &str| {
        let path = folder("mistakes").join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let rows = [
        (vec!["serve", "--dir", "/nowhere"], "no built app in /nowhere"),
        (vec!["serve", "--host", "here"], "invalid value 'here' for '--host <HOST>'"),
        (vec!["mcp"], "<--stdio|--http>"),
        (vec!["mcp", "--stdio", "--data", "/dev/null/here"], "cannot open /dev/null/here"),
        (vec!["chat", "--model", "nowhere/m", "--data", app, "hi"], "there is no upstream nowhere"),
        (vec!["chat", "--data", "/dev/null/here", "hi"], "cannot open /dev/null/here"),
        (vec!["api", "--dir", "/dev/null/here"], "/dev/null/here"),
        (vec!["api", "--dir", app, "--model", "nowhere/m"], "there is no upstream nowhere"),
        (vec!["api", "--dir", app, "--token-file", "Cargo.toml"], "line 1 of the tokens"),
        (vec!["run", "/nowhere.json"], "cannot read /nowhere.json"),
        (vec!["run", "Cargo.toml"], "This is no saved conversation"),
        (vec![], "Usage: satchel"),
    ];
    for (arguments, expected) in rows {
        let output = run(&arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && message.contains(expected), "{arguments:?}: {message}");
    }
    for (name, text, expected) in [
        ("a.toml", "upstrems = 1", "unknown field `upstrems`"),
        ("b.toml", "[upstreams.x]\nbase_url = \"ftp://x\"", "`base_url` must be http or https"),
        (
            "c.toml",
            "[upstreams.x]\nbase_url = \"http://x\"\nkey_env = \"NOT_SET_ANYWHERE\"",
            "NOT_SET_ANYWHERE, which is not set",
        ),
        (
            "d.toml",
            "[upstreams.x]\nbase_url = \"http://x\"\nkey_file = \"missing.key\"",
            "cannot read its `key_file`",
        ),
        ("e.toml", "[upstreams.pocket]\nbase_url = \"http://x\"", "belongs to the built-in model"),
        ("f.toml", "[upstreams.x]\nbase_url = \"https://me:secret@x\"", "must not hold a user or password"),
        ("g.toml", "connect_origins = [\"https://x.test/; script-src *\"]", "is no origin"),
        ("h.toml", "[upstreams.x]\nbase_url = \"http://x\"\nkey = \"sk-in-the-file\"", "unknown field `key`"),
    ] {
        let output = run(&["serve", "--dir", app, "--port", "0", "--config", &toml(name, text)]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && message.contains(expected), "{name}: {message}");
        assert!(!message.contains("panicked"), "{name}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn it_serves_until_it_is_told_to_stop() {
    let app = folder("serves");
    std::fs::write(app.join("index.html"), "<!doctype html>Satchel").unwrap();
    let mut child = satchel()
        .args(["serve", "--port", "0", "--dir"])
        .arg(&app)
        .arg("--config")
        .arg(app.join("none.toml"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let mut answer = String::new();
    let mut socket = TcpStream::connect(&address).unwrap();
    write!(socket, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("Satchel"), "{answer}");
    let status = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert!(child.wait().unwrap().success(), "SIGTERM is an orderly end");
}

/// One start of `satchel mcp --stdio`: what it says to these lines, a message each, until its input ends.
fn talk(data: &std::path::Path, lines: &[serde_json::Value]) -> Vec<serde_json::Value> {
    let mut child = satchel()
        .args(["mcp", "--stdio", "--data"])
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success());
    said.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_desktop_client_of_either_era_works_on_the_same_todos() {
    use serde_json::json;
    let data = folder("stdio").join(format!("{}", std::process::id()));
    let said = talk(
        &data,
        &[
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"},
            }}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": "two", "method": "tools/call", "params": {
                "name": "todo_create", "arguments": {"title": "Milk"}, "_meta": {"progressToken": 7},
            }}),
        ],
    );
    assert_eq!(said[0]["result"]["protocolVersion"], "2025-11-25");
    let progress: Vec<_> =
        said.iter().filter(|message| message["method"] == "notifications/progress").collect();
    assert!(progress.len() > 1 && progress.iter().all(|message| message["params"]["progressToken"] == 7));
    let created = said.iter().find(|message| message["id"] == "two").unwrap();
    assert_eq!(created["result"]["structuredContent"]["changes"][0]["after"]["title"], "Milk");

    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let said = talk(
        &data,
        &[
            json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "todo://list", "_meta": meta}}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"_meta": meta}}),
        ],
    );
    let answer = |id: u64| said.iter().find(|message| message["id"] == id).unwrap();
    assert!(answer(1)["result"]["contents"][0]["text"].as_str().unwrap().contains("Milk"));
    assert_eq!(answer(2)["error"]["code"], -32601);
    std::fs::remove_dir_all(&data).unwrap();
}

#[cfg(unix)]
mod on_nats {
    use super::*;

    #[test]
    fn two_that_serve_with_one_nats_keep_to_one_limit_and_say_when_they_stop() {
        let servers = nats::Servers::start(1);
        let app = folder("serves-together");
        std::fs::write(app.join("index.html"), "<!doctype html>Satchel").unwrap();
        let config = app.join("satchel.toml");
        std::fs::write(&config, "[limits]\nrequests_per_minute = 10\n[drain]\npause_ms = 3000").unwrap();
        let start = || {
            let mut child = satchel()
                .args(["serve", "--port", "0", "--nats", &servers.url(), "--dir"])
                .args([app.as_path(), "--config".as_ref(), config.as_path()])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            (child, line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned())
        };
        let ask = |address: &str, head: &str, body: &str| {
            let mut socket = TcpStream::connect(address).unwrap();
            let rest = "content-type: application/json\r\nconnection: close";
            let length = body.len();
            write!(
                socket,
                "{head} HTTP/1.1\r\nhost: {address}\r\n{rest}\r\ncontent-length: {length}\r\n\r\n{body}"
            )
            .unwrap();
            let mut answer = String::new();
            socket.read_to_string(&mut answer).unwrap();
            answer.split(' ').nth(1).unwrap().parse::<u16>().unwrap()
        };
        let (mut one, at_one) = start();
        let (mut two, at_two) = start();
        // What is no request of a model's is counted all the same, and needs no upstream.
        let statuses: Vec<u16> = (0..20)
            .map(|number| if number % 2 == 0 { &at_one } else { &at_two })
            .map(|address| ask(address, "POST /api/llm/pocket/chat/completions", "{}"))
            .collect();
        assert_eq!(statuses.iter().filter(|status| **status == 400).count(), 10, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 10, "{statuses:?}");
        assert_eq!(ask(&at_one, "GET /readyz", ""), 200);
        for child in [&one, &two] {
            assert!(
                Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success()
            );
        }
        let started = std::time::Instant::now();
        while ask(&at_one, "GET /readyz", "") != 503 {
            assert!(started.elapsed() < std::time::Duration::from_secs(3), "it says that it stops");
        }
        assert_eq!(ask(&at_one, "GET /healthz", ""), 200);
        assert!(one.wait().unwrap().success() && two.wait().unwrap().success());
    }
}

//! The agent in a terminal: the same core and tools as in the browser, over files and pipes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// What a command did: its exit code and what it wrote.
struct Done {
    code: Option<i32>,
    out: String,
    errors: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

fn satchel() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    for name in ["OPENAI_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_HOST"] {
        command.env_remove(name);
    }
    command.env("RUST_BACKTRACE", "0").env("TZ", "Europe/Berlin");
    command
}

/// A chat over this folder whose input is these lines.
fn chat(data: &Path, arguments: &[&str], lines: &str) -> Done {
    chat_of(satchel(), data, arguments, lines)
}

fn chat_of(mut command: Command, data: &Path, arguments: &[&str], lines: &str) -> Done {
    let mut child = command
        .args(["chat", "--config", "none.toml", "--data"])
        .arg(data)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who was told everything with the command does not read.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap().into()
}

fn run(file: &Path) -> Done {
    satchel().arg("run").arg(file).output().unwrap().into()
}

/// A folder that is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("chat").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn conversations(data: &Path) -> Vec<PathBuf> {
    let Ok(listed) = std::fs::read_dir(data.join("conversations")) else { return vec![] };
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, target).unwrap();
        }
    }
}

#[test]
fn the_three_conversations_of_the_readme() {
    let data = folder("readme");
    let said = chat(
        &data,
        &[],
        "Add buy milk, call the bank !high\n\nCreate a grocery to-do and then show me all my to-dos\nMark it as complete\n",
    );
    assert_eq!(said.code, Some(0), "{}", said.errors);
    insta::assert_snapshot!("readme", said.out);
}

#[test]
fn what_asks_first_is_asked_and_no_answer_is_a_no() {
    let data = folder("asks");
    assert_eq!(chat(&data, &["add", "buy", "milk"], "").code, Some(0));
    let said = chat(&data, &["delete buy milk"], "");
    assert!(
        said.out.contains("? Delete to-dos: may I?\n  - Buy milk\n- Delete to-dos: not allowed"),
        "{}",
        said.out
    );
    let said = chat(&data, &[], "delete buy milk\nno\nshow all my to-dos\n");
    assert!(said.out.contains("not allowed") && said.out.contains("1. ☐ **Buy milk**"), "{}", said.out);
    let said = chat(&data, &[], "delete buy milk\nyes\nshow all my to-dos\n");
    assert!(said.out.contains("* Delete to-dos") && !said.out.contains("☐ **Buy milk**"), "{}", said.out);
    assert_eq!(chat(&data, &["undo"], "").code, Some(0));
    let said = chat(&data, &["--yes", "delete buy milk"], "");
    assert!(said.out.contains("* Delete to-dos"), "{}", said.out);
}

#[test]
fn a_conversation_goes_on_where_it_was() {
    let data = folder("goes-on");
    chat(&data, &["add buy milk, buy bread"], "");
    chat(&data, &["--continue", "show all my to-dos"], "");
    assert_eq!(conversations(&data).len(), 1);
    let said = chat(&data, &["-c", "complete the second one"], "");
    assert!(said.out.contains("**Buy bread**") && said.out.contains("Done"), "{}", said.out);
    chat(&data, &["hello"], "");
    assert_eq!(conversations(&data).len(), 2, "without it a new one begins");
    assert!(chat(&folder("nothing-said"), &[], "\n/quit\n").out.trim().is_empty());
}

/// The log is cut after every line of it, and in the middle of one: whatever a crash left, the next start goes on,
/// and the write is there once.
#[test]
fn a_crash_at_any_save_does_nothing_twice() {
    let whole = folder("crash");
    assert_eq!(chat(&whole, &["add buy milk"], "").code, Some(0));
    let log = std::fs::read(&conversations(&whole)[0]).unwrap();
    let ends: Vec<usize> =
        log.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    assert!(ends.len() >= 5, "{} entries", ends.len());
    for cut in ends.iter().flat_map(|end| [*end, end - 7]) {
        let data = folder("crashed");
        copy(&whole, &data);
        std::fs::write(&conversations(&data)[0], &log[..cut]).unwrap();
        let said = chat(&data, &["-c"], "show all my to-dos\n");
        assert_eq!(said.code, Some(0), "cut at {cut}: {}{}", said.out, said.errors);
        assert!(said.out.contains("1 to-do"), "cut at {cut}: {}", said.out);
    }
}

#[test]
fn a_damaged_conversation_is_said_and_left_as_it_is() {
    let data = folder("damaged");
    chat(&data, &["add buy milk"], "");
    let path = &conversations(&data)[0];
    let text = std::fs::read_to_string(path).unwrap();
    let broken = text.replacen("\"seq\":1", "\"seq\":", 1);
    std::fs::write(path, &broken).unwrap();
    let said = chat(&data, &["-c", "hello"], "");
    assert_eq!(said.code, Some(1));
    assert!(said.errors.contains("line 2 is damaged"), "{}", said.errors);
    assert_eq!(std::fs::read_to_string(path).unwrap(), broken);
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(path, format!("{}\n{}\n", lines[0], lines[2])).unwrap();
    assert!(chat(&data, &["-c", "hello"], "").errors.contains("line 2 is missing"));
    // The to-dos are another file.
    assert!(chat(&data, &["show all my to-dos"], "").out.contains("**Buy milk**"));
}

#[test]
fn a_saved_conversation_is_played_again() {
    let data = folder("saved");
    let file = data.join("run.json");
    let path = file.to_str().unwrap();
    let said = chat(&data, &["--save", path], "add buy milk\ndelete buy milk\nyes\n");
    assert_eq!(said.code, Some(0), "{}", said.errors);
    let played = run(&file);
    assert_eq!(played.code, Some(0), "{}", played.errors);
    assert!(
        played.out.contains("> delete buy milk") && played.out.contains("all as they were."),
        "{}",
        played.out
    );
    // A plan that today's agent would not make.
    let text = std::fs::read_to_string(&file).unwrap();
    let changed = text.replace("\"plan\": \"ask\"", "\"plan\": \"write\"");
    assert_ne!(text, changed);
    std::fs::write(&file, changed).unwrap();
    let played = run(&file);
    assert_eq!(played.code, Some(1));
    assert!(played.out.contains("is not what it was") && played.out.contains("then: "), "{}", played.out);
}

#[test]
fn what_is_on_the_list_does_not_steer_the_terminal() {
    let said =
        chat(&folder("steers"), &[], "add wash \u{1b}]0;owned\u{7}the \u{9b}2Jcar\nshow all my to-dos\n");
    assert!(said.out.contains("car"), "{}", said.out);
    assert!(!said.out.chars().any(|c| c.is_control() && c != '\n'), "{:?}", said.out);
}

#[test]
fn who_reads_only_the_beginning_does_no_harm() {
    let data = folder("pipe");
    let mut child = satchel()
        .args(["chat", "--data"])
        .arg(&data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(b"add buy milk\ndelete buy milk\nyes\nadd buy bread\n").unwrap();
    let done: Done = child.wait_with_output().unwrap().into();
    assert_eq!((done.code, done.errors.as_str()), (Some(0), ""));
    assert!(chat(&data, &["show all my to-dos"], "").out.contains("1 to-do:"));
}

/// Stops it when the test is over.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_model_elsewhere_is_asked_over_http() {
    let data = folder("elsewhere");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("index.html"), "<!doctype html>").unwrap();
    let mut server = satchel()
        .args(["serve", "--port", "0", "--config", "none.toml", "--dir"])
        .arg(&data)
        .stdout(Stdio::piped())
        .spawn()
        .map(Server)
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap();
    let ask = |model: &str, url: &str| {
        let mut command = satchel();
        command.env("SATCHEL_UPSTREAM_NEAR_URL", url);
        chat_of(command, &data, &["--model", model, "add buy milk"], "")
    };
    let said = ask("near/pocket", &format!("http://{address}/api/llm/pocket"));
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.errors);
    assert!(said.out.contains("**Buy milk**"), "{}", said.out);
    // One that is not there is said, the conversation is kept, and the command has failed.
    drop(server);
    let said = ask("near/pocket", &format!("http://{address}/api/llm/pocket"));
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("! "), "{}", said.out);
    let said = ask("near", "http://127.0.0.1:9/v1");
    assert!(said.errors.contains("say which model of near"), "{}", said.errors);
}

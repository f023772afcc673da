//! The agent in a terminal: the same core and tools as in the browser, over files and pipes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

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

/// The same at a terminal: what asks is answered by the next line.
#[cfg(unix)]
fn at_terminal(mut command: Command, data: &Path, arguments: &[&str], lines: &str) -> Done {
    use std::os::unix::ffi::OsStrExt;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(ptsname(&ours, Vec::new()).unwrap().as_bytes()));
    let theirs = std::fs::File::options().read(true).write(true).open(path).unwrap();
    let child = command
        .args(["chat", "--config", "none.toml", "--data"])
        .arg(data)
        .args(arguments)
        .stdin(theirs)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut ours = std::fs::File::from(ours);
    // The last sign ends the input, as Ctrl-D does.
    ours.write_all(format!("{lines}\u{4}").as_bytes()).unwrap();
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
fn taking_back_a_step_does_not_ask_and_taking_back_much_does() {
    let data = folder("takes-back");
    let twelve = "add apples, bananas, cherries, dates, eggs, figs, grapes, honey, icing, jam, kale, limes";
    assert_eq!(chat(&data, &[twelve], "").code, Some(0));
    assert_eq!(chat(&data, &["complete apples"], "").code, Some(0));
    let step = chat(&data, &["undo"], "");
    assert!(!step.out.contains("? Undo") && step.out.contains("* Undo"), "{}", step.out);
    let said = chat(&data, &["undo"], "");
    assert!(
        said.out.contains("? Undo\n  This would delete 12 to-dos:\n  - Apples\n")
            && said.out.contains("- Undo: not allowed"),
        "{}",
        said.out
    );
    let all = chat(&data, &["show all my to-dos"], "").out;
    assert!(all.contains("12. ☐ **Limes**"), "{all}");
    let said = chat(&data, &["--yes", "undo"], "");
    assert!(!said.out.contains("not allowed"), "{}", said.out);
    let all = chat(&data, &["show all my to-dos"], "").out;
    assert!(all.contains("You have no to-dos yet"), "{all}");
}

#[test]
fn what_asks_first_is_asked_and_no_answer_is_a_no() {
    let data = folder("asks");
    assert_eq!(chat(&data, &["add", "buy", "milk"], "").code, Some(0));
    let said = chat(&data, &["delete buy milk"], "");
    assert!(
        said.out.contains(
            "? Delete to-dos\n  This would delete 1 to-do:\n  - Buy milk\n- Delete to-dos: not allowed"
        ),
        "{}",
        said.out
    );
    let said = chat(&data, &["--yes", "delete buy milk"], "");
    assert!(said.out.contains("* Delete to-dos"), "{}", said.out);
}

#[cfg(unix)]
#[test]
fn who_sits_at_a_terminal_answers_what_asks_first() {
    let data = folder("answers");
    assert_eq!(chat(&data, &["add", "buy", "milk"], "").code, Some(0));
    let said = at_terminal(satchel(), &data, &[], "delete buy milk\nno\nshow all my to-dos\n");
    assert!(said.out.contains("not allowed") && said.out.contains("1. ☐ **Buy milk**"), "{}", said.out);
    let said = at_terminal(satchel(), &data, &[], "delete buy milk\nyes\nshow all my to-dos\n");
    assert!(said.out.contains("* Delete to-dos") && !said.out.contains("☐ **Buy milk**"), "{}", said.out);
}

/// What comes through a pipe was written before anything was asked.
#[test]
fn the_next_line_of_a_pipe_is_a_message_and_no_answer() {
    let data = folder("piped");
    let lines = "add buy milk\ndelete buy milk\nadd buy eggs\ndelete buy milk\nyes\nshow all my to-dos\n";
    let said = chat(&data, &[], lines);
    assert_eq!(said.out.matches("Delete to-dos: not allowed").count(), 2, "{}", said.out);
    assert!(said.out.contains("☐ **Buy milk**") && said.out.contains("☐ **Buy eggs**"), "{}", said.out);
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
    let said = chat(&data, &["--yes", "--save", path], "add buy milk\ndelete buy milk\n");
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

/// S0-63: what was asked for in one conversation is told to the model of the next, unless the person wants none of it.
#[test]
fn what_is_to_be_remembered_is_told_in_the_next_conversation() {
    let data = folder("remembers");
    let said = chat(&data, &["remember that I'm vegetarian"], "");
    assert!(said.out.contains("* Remember\n") && said.out.contains("I'm vegetarian"), "{}", said.out);
    let file = data.join("run.json");
    let told = |arguments: &[&str]| {
        let said = chat(&data, &[arguments, &["--save", file.to_str().unwrap(), "hello"]].concat(), "");
        assert_eq!(said.code, Some(0), "{}", said.errors);
        let text = std::fs::read_to_string(&file).unwrap();
        (text.contains("- I'm vegetarian"), text.contains("user_memory_save"))
    };
    assert_eq!(told(&[]), (true, true), "the sentence and the tools");
    assert_eq!(told(&["--no-memory"]), (false, false), "neither");
    let said =
        chat(&data, &["--no-memory"], "remember that I live in Bonn\nwhat do you remember about me?\n");
    assert!(said.out.contains("switched off") && !said.out.contains("I'm vegetarian"), "{}", said.out);
    let said = chat(&data, &[], "forget everything about me\n");
    assert!(said.out.contains("? Forget\n  This would forget 1 thing:\n  - I'm vegetarian"), "{}", said.out);
    let said = chat(&data, &["--yes"], "forget everything about me\nundo\n");
    assert!(said.out.contains("* Forget"), "{}", said.out);
    let said = chat(&data, &["what do you remember about me?"], "");
    assert!(said.out.contains("**I'm vegetarian**") && !said.out.contains("Bonn"), "{}", said.out);
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
        .args(["chat", "--yes", "--data"])
        .arg(&data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(b"add buy milk\ndelete buy milk\nadd buy bread\n").unwrap();
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

/// A model elsewhere that gives these responses, each a call of a tool or, with an empty name, words.
fn scripted(replies: &'static [(&'static str, &'static str)]) -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for (at, (tool, said)) in replies.iter().enumerate() {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut line, mut length) = (String::new(), 0);
            while reader.read_line(&mut line).unwrap() > 2 {
                let header = line.to_lowercase();
                if let Some(value) = header.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            std::io::Read::read_exact(&mut reader, &mut vec![0; length]).unwrap();
            let text = serde_json::Value::from(*said);
            let (delta, finish) = if tool.is_empty() {
                (format!(r#"{{"content":{text}}}"#), "stop")
            } else {
                let function = format!(r#"{{"name":"{tool}","arguments":{text}}}"#);
                (
                    format!(
                        r#"{{"tool_calls":[{{"index":0,"id":"c{at}","type":"function","function":{function}}}]}}"#
                    ),
                    "tool_calls",
                )
            };
            let chunk = |delta: &str, finish: &str| {
                format!(
                    "data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n"
                )
            };
            let body = chunk(&delta, "null") + &chunk("{}", &format!("\"{finish}\"")) + "data: [DONE]\n\n";
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
            write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
    });
    port
}

#[cfg(unix)]
#[test]
fn a_model_asks_and_plans_at_the_terminal() {
    const REPLIES: &[(&str, &str)] = &[
        (
            "ask_person",
            r#"{"questions":[{"question":"Which milk?","type":"single_choice","options":[{"id":"o","label":"Oat milk"},{"id":"c","label":"Cow milk"}]},
               {"question":"How much?","type":"scale","max":9}]}"#,
        ),
        ("todo_create", r#"{"title":"Oat milk"}"#),
        ("plan_propose", r#"{"goal":"Breakfast","steps":[{"title":"Add oat milk","tool":"todo_create"}]}"#),
        ("todo_create", r#"{"title":"Oat milk"}"#),
        ("", "Added. You have 17 to-dos."),
    ];
    let url = format!("http://127.0.0.1:{}/v1", scripted(REPLIES));
    let data = folder("asks");
    let mut command = satchel();
    command.env("SATCHEL_UPSTREAM_NEAR_URL", url);
    let said = at_terminal(command, &data, &["--model", "near/m", "--plan"], "get breakfast\n1\n3\nyes\n");
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.errors);
    for words in [
        "? Which milk?\n  1. Oat milk\n  2. Cow milk",
        "* Which milk? Oat milk\n* How much? 3",
        "the person wants to see a plan first",
        "Plan: Breakfast\n  1. [open] Add oat milk",
        "! Not in the tools' results: “17",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    assert!(chat(&data, &["show all my to-dos"], "").out.contains("1 to-do:"));
}

/// A server whose model takes no tools: it refuses them, and else gives the next of these answers. What it was asked is kept.
fn without_tools(answers: &[Value]) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let kept = Arc::clone(&asked);
    let mut answers: std::collections::VecDeque<Value> = answers.iter().cloned().collect();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = BufReader::new(connection.unwrap());
            let (mut line, mut length) = (String::new(), 0);
            while connection.read_line(&mut line).unwrap() > 2 {
                let header = line.to_ascii_lowercase();
                length =
                    header.strip_prefix("content-length:").map_or(length, |it| it.trim().parse().unwrap());
                line.clear();
            }
            let mut body = vec![0; length];
            connection.read_exact(&mut body).unwrap();
            let request: Value = serde_json::from_slice(&body).unwrap();
            let (status, body) = if request.get("tools").is_some() {
                (400, r#"{"error":"registry.ollama.ai/library/gemma3:4b does not support tools"}"#.to_owned())
            } else {
                let content = answers.pop_front().expect("an answer").to_string();
                let chunk = json!({"choices": [{"delta": {"content": content}, "finish_reason": "stop"}]});
                (200, format!("data: {chunk}\n\ndata: [DONE]\n\n"))
            };
            kept.lock().unwrap().push(request);
            let head =
                format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            connection.get_mut().write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
    });
    (address, asked)
}

#[test]
fn a_model_without_tools_uses_them_all_the_same() {
    let data = folder("in-words");
    let call = |name: &str, arguments: Value| json!({"thought": "t", "tool_calls": [{"name": name, "arguments": arguments}], "confidence": 1});
    let says = |message: &str| json!({"thought": "t", "assistant_message": message, "confidence": 1});
    let answers = [
        call("todo_create", json!({"title": "Buy milk"})),
        says("Added it."),
        // Not the format: mended once.
        json!({"assistant_message": "Only half"}),
        call("todo_list", json!({})),
        says("One is open."),
    ];
    let (url, asked) = without_tools(&answers);
    let mut command = satchel();
    command.env("SATCHEL_UPSTREAM_NEAR_URL", &url);
    let said = chat_of(command, &data, &["--model", "near/m"], "add buy milk\nwhat is open?\n");
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.errors);
    assert!(said.out.contains("Added it.") && said.out.contains("One is open."), "{}", said.out);
    assert!(chat(&data, &["show all my to-dos"], "").out.contains("**Buy milk**"));
    let with_tools = |asked: &[Value]| asked.iter().map(|one| one.get("tools").is_some()).collect::<Vec<_>>();
    assert_eq!(with_tools(&asked.lock().unwrap()), [true, false, false, false, false, false]);

    // Said beforehand, nothing is refused; with its own tools only, the refusal is.
    let (url, asked) = without_tools(&[says("Hello.")]);
    let ask = |tools: &str| {
        let mut command = satchel();
        command.env("SATCHEL_UPSTREAM_NEAR_URL", &url);
        chat_of(command, &data, &["--model", "near/m", "--tools", tools, "hello"], "")
    };
    assert!(ask("json").out.contains("Hello."));
    assert_eq!(with_tools(&asked.lock().unwrap()), [false]);
    let said = ask("native");
    assert!(said.code == Some(1) && said.out.contains("does not support tools"), "{}", said.out);
}

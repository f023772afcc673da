//! `satchel rehearse`: batches of conversations, and what becomes of them when something goes wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod broken;
mod elsewhere;
mod files;
mod on_nats;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What a command did: its exit code and what it wrote.
struct Done {
    code: Option<i32>,
    out: String,
    errors: String,
}

fn satchel() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satchel"));
    for name in ["OPENAI_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_HOST", "OTEL_EXPORTER_OTLP_HEADERS"] {
        command.env_remove(name);
    }
    command.env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    command
}

fn rehearse(arguments: &[&str]) -> Done {
    let done = satchel().arg("rehearse").args(arguments).output().unwrap();
    Done {
        code: done.status.code(),
        out: String::from_utf8(done.stdout).unwrap(),
        errors: String::from_utf8(done.stderr).unwrap(),
    }
}

/// A folder that is not there yet, with these files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rehearse").join(name);
    let _ = fs::remove_dir_all(&folder);
    for (name, text) in files {
        let path = folder.join("scenarios").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The outcomes of a batch, by job. Each stands there once.
fn outcomes(out: &Path) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(out.join("results.jsonl")).unwrap();
    let mut outcomes = BTreeMap::new();
    for line in text.lines() {
        let outcome: Value = serde_json::from_str(line).unwrap();
        let job = outcome["job"].as_str().unwrap().to_owned();
        assert!(outcomes.insert(job.clone(), outcome).is_none(), "{job} stands there twice");
    }
    outcomes
}

fn verdicts(out: &Path) -> BTreeMap<String, String> {
    let verdict = |(job, outcome): (String, Value)| (job, outcome["verdict"].as_str().unwrap().to_owned());
    outcomes(out).into_iter().map(verdict).collect()
}

/// The jobs that were traced. Each stands there once.
fn traced(out: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(out.join("traces.jsonl")).unwrap();
    let mut jobs = BTreeSet::new();
    for line in text.lines() {
        let request: Value = serde_json::from_str(line).unwrap();
        let attributes = request["resourceSpans"][0]["resource"]["attributes"].as_array().unwrap();
        let job = attributes.iter().find(|one| one["key"] == "satchel.rehearsal.job").unwrap();
        assert!(jobs.insert(job["value"]["stringValue"].as_str().unwrap().to_owned()));
    }
    jobs
}

const GROCERIES: &str = r#"
name: groceries
tags: [todos]
variables: {what: milk}
client:
  wants:
    - say: "Add buy {{ what }} tomorrow"
      until: {called: todo_create}
checks:
  - called: [todo_create]
  - rows: {table: todos, where: {title: "~(?i)buy milk"}, count: 1}
"#;

const TEAM: &str = r#"
name: team
prompts: desk
client: {says: ["I want my money back"]}
assistant:
  script:
    - call: [{tool: handoff_money, with: {reason: money}}]
    - say: It is on its way.
tools: {mode: emulated}
checks:
  - agents: [front, money]
  - said: on its way
"#;

const DESK: &str = r#"
first: front
agents:
  front: {prompt: "You welcome people.", handoffs: [money]}
  money: {prompt: "You give money back."}
"#;

const SHORT: &str = r#"
name: short
client: {says: [Hello]}
assistant: {script: [{say: "Hello to you."}]}
tools: {mode: none}
checks: [{said: Hello}]
"#;

/// A batch in a process of its own.
fn start(arguments: &[&str]) -> Child {
    satchel().arg("rehearse").args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn lines(path: &Path) -> usize {
    fs::read(path).map(|bytes| bytes.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(0)
}

/// Waits until something is so.
fn until(mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "it never came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

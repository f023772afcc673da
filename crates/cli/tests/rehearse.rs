//! `satchel rehearse`: batches of conversations, and what becomes of them when something goes wrong.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
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

#[test]
fn a_folder_of_scenarios_is_played_and_all_files_are_there() {
    let folder = folder(
        "whole",
        &[
            ("a/groceries.yaml", GROCERIES),
            ("team.yml", TEAM),
            ("prompts/desk.yaml", DESK),
            (
                "short.json",
                r#"{"name": "short", "client": {"says": ["Hello"]}, "assistant": {"script": [{"say": "Hi."}]}, "tools": {"mode": "none"}}"#,
            ),
            ("notes.txt", "nothing of ours"),
        ],
    );
    let (scenarios, out) = (folder.join("scenarios"), folder.join("out"));
    let arguments = [scenarios.to_str().unwrap(), "--out", out.to_str().unwrap(), "--repeat", "2"];
    let done = rehearse(&arguments);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.errors);
    let verdicts = verdicts(&out);
    let jobs: Vec<&str> = verdicts.keys().map(String::as_str).collect();
    assert_eq!(jobs, ["groceries#1", "groceries#2", "short#1", "short#2", "team#1", "team#2"]);
    assert!(verdicts.values().all(|verdict| verdict == "passed"), "{verdicts:?}");

    // Run files: the app's own kind, one for each agent.
    for name in ["groceries.1", "groceries.2", "short.1", "short.2", "team.1.front", "team.2.money"] {
        let path = out.join("runs").join(format!("{name}.run.json"));
        let run = satchel().arg("run").arg(&path).output().unwrap();
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stdout));
    }
    assert_eq!(traced(&out).len(), 6);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("groceries") && !page.contains("http://") && !page.contains("src="));
    let junit = fs::read_to_string(out.join("junit.xml")).unwrap();
    assert!(junit.contains("<testsuite") && junit.contains("team#2"));

    // Equal seeds: what is played again is the same to the byte, in whatever order.
    let again = folder.join("again");
    let arguments = [
        scenarios.to_str().unwrap(),
        "--out",
        again.to_str().unwrap(),
        "--parallel",
        "1",
        "--against",
        out.to_str().unwrap(),
    ];
    let done = rehearse(&arguments);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.errors);
    let (first, second) = (outcomes(&out), outcomes(&again));
    assert!(second.iter().all(|(job, outcome)| first[job] == *outcome) && second.len() == 3);

    // A batch is not written over.
    assert_eq!(rehearse(&arguments).code, Some(2));
    let listed = rehearse(&[scenarios.to_str().unwrap(), "--list"]);
    assert_eq!(listed.out.lines().collect::<Vec<_>>(), ["groceries#1", "short#1", "team#1"]);
    let schema: Value = serde_json::from_str(&rehearse(&["--schema"]).out).unwrap();
    assert!(schema["properties"]["client"].is_object());
}

#[test]
fn exit_codes_say_what_came_of_it() {
    let fails = SHORT.replace("name: short", "name: fails").replace("said: Hello", "said: Goodbye");
    let folder = folder("codes", &[("a.yaml", SHORT), ("b.yaml", &fails)]);
    let scenarios = folder.join("scenarios");
    let code = |arguments: &[&str], out: &str| {
        let out = folder.join(out);
        let mut all = vec!["--out", out.to_str().unwrap()];
        all.extend(arguments);
        rehearse(&all).code
    };
    let whole = scenarios.to_str().unwrap();
    assert_eq!(code(&[scenarios.join("a.yaml").to_str().unwrap()], "1"), Some(0));
    assert_eq!(code(&[whole], "2"), Some(1));
    assert_eq!(code(&[whole, "--fail-under", "0.5"], "3"), Some(0));
    assert_eq!(code(&[whole, "--fail-under", "0.6"], "4"), Some(1));
    assert_eq!(code(&[whole, "--fail-under", "60"], "5"), Some(2));
    assert_eq!(code(&[folder.join("none").to_str().unwrap()], "6"), Some(2));
    assert_eq!(code(&[whole, "--model", "nobody/none"], "7"), Some(2));
    assert_eq!(rehearse(&["--resume", folder.join("nothing").to_str().unwrap()]).code, Some(2));
}

#[test]
fn bad_input_is_named_with_its_file_and_line() {
    let bad: [(&str, &str, &str); 9] = [
        ("broken.yaml", "name: a\nclient: {says: [a\nchecks: []\n", "broken.yaml:"),
        ("unknown.yaml", "name: b\nclient: {says: [a]}\nchekcs: []\n", "unknown.yaml:3: "),
        (
            "variable.yaml",
            "name: c\nclient:\n  says:\n    - hello\n    - to {{ ciyt }}\n",
            "variable.yaml:5: c: “to {{ ciyt }}” names a variable",
        ),
        ("pattern.yaml", "name: d\nclient: {says: [a]}\nchecks:\n  - said: '(['\n", "pattern.yaml:4: d: "),
        ("client.yaml", "name: e\nclient: {persona: nobody}\n", "client.yaml:2: e: the client has one of"),
        (
            "prompts.yaml",
            "name: f\nprompts: none\nclient: {says: [a]}\n",
            "prompts.yaml:2: f: there are no prompts none",
        ),
        ("empty.yaml", "", "empty.yaml: it holds nothing"),
        (
            "twice.yaml",
            "name: g\nclient: {says: [a]}\n---\nname: g\nclient: {says: [a]}\n",
            "a scenario g is in",
        ),
        ("prompts/wrong.yaml", "first: nobody\nagents: {}\n", "wrong.yaml:1: `first` names nobody"),
    ];
    let files: Vec<(&str, &str)> = bad.iter().map(|(name, text, _)| (*name, *text)).collect();
    let folder = folder("bad", &files);
    fs::write(folder.join("scenarios/latin.yaml"), b"name: h\nabout: caf\xe9\n").unwrap();
    let done = rehearse(&[
        folder.join("scenarios").to_str().unwrap(),
        "--out",
        folder.join("out").to_str().unwrap(),
    ]);
    assert_eq!(done.code, Some(2));
    for (_, _, says) in bad {
        assert!(done.errors.contains(says), "{says}: {}", done.errors);
    }
    assert!(done.errors.contains("latin.yaml:2: it is no UTF-8 text"), "{}", done.errors);
    assert!(!folder.join("out").exists(), "nothing was begun");
}

#[test]
fn poison_takes_down_its_own_run_only() {
    // What grows without an end, and what goes on without one: simulated time stands still while there is something to say.
    let endless = |name: &str, say: &str, seconds: f64| {
        format!(
            "name: {name}\nprompts: parrot\nvariables: {{long: \"{}\"}}\nmax_turns: 4000000000\ntimeout_sec: {seconds}\ntools: {{mode: none}}\n\
             client: {{wants: [{{say: '{say}', until: {{said: never}}, patience: 4000000000}}]}}\n",
            "word ".repeat(100_000)
        )
    };
    let named = |name: &str| SHORT.replace("name: short", &format!("name: {name}"));
    let folder = folder(
        "poison",
        &[
            (
                "prompts/parrot.yaml",
                "agents: {agent: {prompt: You repeat., rules: [{when: '', say: 'Yes.'}]}}\n",
            ),
            ("a.yaml", &endless("fills", "{{ long }}", 30.0)),
            ("b.yaml", &endless("endless", "again", 0.5)),
            ("c.yaml", &named("panics")),
            ("d.yaml", &named("recurses")),
            ("e.yaml", &named("raves")),
            ("f.yaml", &named("leaves")),
            ("z.yaml", SHORT),
        ],
    );
    let out = folder.join("out");
    let scenarios = folder.join("scenarios");
    let done = satchel()
        .env("SATCHEL_REHEARSE_BREAKS", "panics=panic,recurses=overflow,raves=nonsense,leaves=exit")
        .args(["rehearse", scenarios.to_str().unwrap(), "--out", out.to_str().unwrap(), "--repeat", "2"])
        .args(["--memory", "150", "--grace", "1", "--parallel", "2"])
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1), "{}", String::from_utf8_lossy(&done.stderr));
    let outcomes = outcomes(&out);
    let told = |job: &str| {
        let outcome = &outcomes[job];
        let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let record = &outcome["record"];
        (words(&outcome["verdict"]), words(&record["error_type"]), words(&record["error"]))
    };
    for repeat in 1..=2 {
        for (name, kind, says) in [
            ("fills", "worker_died", "memory allocation of"),
            ("endless", "worker_hung", "did not answer within 1.5 s"),
            ("panics", "engine_panicked", "a test wants it"),
            ("recurses", "worker_died", "overflowed its stack"),
            ("raves", "worker_died", "what is no answer"),
            ("leaves", "worker_died", "exit status: 7"),
        ] {
            let (verdict, error_type, error) = told(&format!("{name}#{repeat}"));
            assert_eq!((verdict.as_str(), error_type.as_str()), ("not_played", kind), "{name}: {error}");
            assert!(error.contains(says), "{name}: {error}");
        }
        assert_eq!(told(&format!("short#{repeat}")).0, "passed");
    }
}

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

/// Kills a batch at moments that differ from run to run, and goes on with it until all is done.
fn killed(name: &str, jobs: usize, kills: usize) {
    let folder = folder(name, &[("short.yaml", SHORT)]);
    let (scenarios, out, repeat) = (folder.join("scenarios"), folder.join("out"), jobs.to_string());
    let results = out.join("results.jsonl");
    let mut random = u64::from(std::process::id());
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below.max(1)
    };
    let mut played_twice = 0;
    for kill in 0..kills {
        let mut child = if kill == 0 {
            start(&[scenarios.to_str().unwrap(), "--out", out.to_str().unwrap(), "--repeat", &repeat])
        } else {
            start(&["--resume", out.to_str().unwrap()])
        };
        let before = lines(&results);
        let more = next(2 * jobs / (kills + 2));
        until(|| lines(&results) > before + more || child.try_wait().unwrap().is_some());
        std::thread::sleep(Duration::from_micros(next(3_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        played_twice += usize::from(!fs::read(&results).unwrap().ends_with(b"\n"));
    }
    let done = rehearse(&["--resume", out.to_str().unwrap()]);
    assert_eq!(done.code, Some(0), "{}", done.errors);
    let verdicts = verdicts(&out);
    assert_eq!(verdicts.len(), jobs);
    assert!((1..=jobs).all(|repeat| verdicts[&format!("short#{repeat}")] == "passed"));
    assert_eq!(traced(&out).len(), jobs);
    assert_eq!(fs::read_dir(out.join("runs")).unwrap().count(), jobs);
    println!("{jobs} jobs, {kills} kills, {played_twice} lines torn: each once");
    // What is done is done: nothing is played again.
    let before = fs::read(&results).unwrap();
    assert_eq!(rehearse(&["--resume", out.to_str().unwrap()]).code, Some(0));
    assert_eq!(fs::read(&results).unwrap(), before);
}

#[test]
fn a_batch_that_was_killed_is_gone_on_with_and_each_job_is_there_once() {
    killed("killed", 400, 6);
}

/// The same at the size that the goal names: 10,000 jobs, 20 kills. It takes minutes.
#[test]
#[ignore = "minutes; cargo test -p cli --release --test rehearse -- --ignored --nocapture"]
fn ten_thousand_jobs_and_twenty_kills() {
    killed("killed-10000", 10_000, 20);
}

#[test]
fn a_torn_line_is_cut_off_and_another_batch_is_refused() {
    let folder = folder("torn", &[("short.yaml", SHORT)]);
    let (scenarios, out) = (folder.join("scenarios"), folder.join("out"));
    let results = out.join("results.jsonl");
    let done = rehearse(&[scenarios.to_str().unwrap(), "--out", out.to_str().unwrap(), "--repeat", "3"]);
    assert_eq!(done.code, Some(0), "{}", done.errors);
    let whole = fs::read(&results).unwrap();
    fs::write(&results, &whole[..whole.len() - 20]).unwrap();
    assert_eq!(rehearse(&["--resume", out.to_str().unwrap()]).code, Some(0));
    assert_eq!(outcomes(&out).len(), 3);
    assert_eq!(traced(&out).len(), 3);

    // A line in the middle that is none is nobody's torn one.
    let text = String::from_utf8(whole).unwrap();
    fs::write(&results, text.replacen("{\"job\"", "x", 1)).unwrap();
    let done = rehearse(&["--resume", out.to_str().unwrap()]);
    assert!(done.code == Some(2) && done.errors.contains("results.jsonl:1"), "{}", done.errors);

    fs::write(&results, text).unwrap();
    fs::write(scenarios.join("short.yaml"), SHORT.replace("Hello", "Hi")).unwrap();
    let done = rehearse(&["--resume", out.to_str().unwrap()]);
    assert!(done.code == Some(2) && done.errors.contains("short.yaml was changed"), "{}", done.errors);
}

const ENDLESS: &str = "name: endless\nclient:\n  wants: [{say: hello, until: {said: never}, patience: 4000000000}]\n\
                       max_turns: 4000000000\ntimeout_sec: 60\ntools: {mode: none}\n";

#[test]
#[cfg(unix)]
fn one_process_works_in_a_folder_and_ctrl_c_ends_it_cleanly() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = folder("locked", &[("a.yaml", SHORT), ("b.yaml", ENDLESS)]);
    let out = folder.join("out");
    let mut child = start(&[
        folder.join("scenarios").to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--parallel",
        "2",
    ]);
    until(|| lines(&out.join("results.jsonl")) == 1);
    let other = rehearse(&["--resume", out.to_str().unwrap()]);
    assert!(other.code == Some(2) && other.errors.contains("another process"), "{}", other.errors);

    let began = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let code = child.wait().unwrap().code();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(code == Some(130) && errors.contains("--resume"), "{errors}");
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(outcomes(&out).len(), 1);
}

/// A request as it came: its first line and its headers, and its body.
type Request = (String, String);

/// A server that answers every request in the same way, and all that it was asked.
fn server(kind: &'static str, body: &'static str) -> (u16, Arc<Mutex<Vec<Request>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked: Arc<Mutex<Vec<Request>>> = Arc::default();
    let seen = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, seen) = (stream.unwrap(), Arc::clone(&seen));
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut head, mut line, mut length) = (String::new(), String::new(), 0);
                while reader.read_line(&mut line).unwrap() > 2 {
                    if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
                        length = text.trim().parse().unwrap();
                    }
                    head.push_str(&std::mem::take(&mut line));
                }
                let mut sent = vec![0; length];
                reader.read_exact(&mut sent).unwrap();
                seen.lock().unwrap().push((head, String::from_utf8(sent).unwrap()));
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
            });
        }
    });
    (port, asked)
}

#[test]
fn models_elsewhere_play_and_their_keys_are_nowhere() {
    let words = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I see, Ada.\"},\"finish_reason\":null}]}\n\n\
                 data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3}}\n\n\
                 data: [DONE]\n\n";
    let (port, asked) = server("text/event-stream", words);
    let folder = folder(
        "remote",
        &[
            (
                "a.yaml",
                "name: talk\nclient: {says: [I am Ada.]}\ntools: {mode: none}\nchecks: [{said: I see}]\njudge: Is it polite?\n",
            ),
            (
                "b.yaml",
                "name: play\nclient: {model: client}\nmax_turns: 3\ntools: {mode: none}\nchecks: [{status: [turn_limit]}]\n",
            ),
            (
                "c.yaml",
                "name: ours\nclient: {says: [Hello]}\nassistant: {model: built-in}\ntools: {mode: none}\n",
            ),
        ],
    );
    let config = folder.join("satchel.toml");
    let models = "models = [{ id = \"m\", window = 8000 }]\nkey_env = \"REHEARSED_KEY\"\n";
    fs::write(&config, format!("[upstreams.mine]\nbase_url = \"http://127.0.0.1:{port}/v1\"\n{models}"))
        .unwrap();
    let out = folder.join("out");
    let done = satchel()
        .env("REHEARSED_KEY", "sk-never-to-be-seen")
        .args(["rehearse", folder.join("scenarios").to_str().unwrap(), "--out", out.to_str().unwrap()])
        .args([
            "--config",
            config.to_str().unwrap(),
            "--model",
            "mine/m",
            "--client-model",
            "mine",
            "--judge",
            "mine/m",
        ])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(0), "{}{errors}", String::from_utf8_lossy(&done.stdout));
    let outcomes = outcomes(&out);
    assert_eq!(outcomes["talk#1"]["models"]["assistant"], "m");
    assert_eq!(outcomes["talk#1"]["judgement"]["model"], "m");
    assert_eq!(outcomes["play#1"]["models"]["client"], "m");
    assert_eq!(outcomes["ours#1"]["models"]["assistant"], "built-in");
    let asked = asked.lock().unwrap();
    assert!(asked.len() >= 4 && asked.iter().all(|(head, _)| head.contains("sk-never-to-be-seen")));
    for entry in fs::read_dir(&out).unwrap().chain(fs::read_dir(out.join("runs")).unwrap()) {
        let path = entry.unwrap().path();
        assert!(
            path.is_dir() || !String::from_utf8_lossy(&fs::read(&path).unwrap()).contains("sk-never"),
            "{path:?}"
        );
    }
    assert!(!errors.contains("sk-never"));
}

#[test]
fn spans_go_to_a_collector_too_and_one_that_is_not_there_stops_nothing() {
    let (port, asked) = server("application/json", "{}");
    let folder = folder("otlp", &[("a.yaml", SHORT)]);
    let scenarios = folder.join("scenarios");
    let sent = |url: &str, out: &str| {
        let out = folder.join(out);
        let done = satchel()
            .env("OTEL_EXPORTER_OTLP_HEADERS", "x-key=k-1")
            .args([
                "rehearse",
                scenarios.to_str().unwrap(),
                "--out",
                out.to_str().unwrap(),
                "--repeat",
                "5",
                "--otlp",
                url,
            ])
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(0));
        String::from_utf8(done.stderr).unwrap()
    };
    sent(&format!("http://127.0.0.1:{port}"), "out");
    let asked = asked.lock().unwrap();
    assert!(
        asked.iter().all(|(head, _)| head.starts_with("POST /v1/traces ") && head.contains("x-key: k-1"))
    );
    let requests: Vec<Value> = asked.iter().map(|(_, body)| serde_json::from_str(body).unwrap()).collect();
    let spans = requests.iter().flat_map(|request| request["resourceSpans"].as_array().unwrap());
    assert_eq!(spans.count(), 5);
    // Nobody listens there.
    assert!(sent("http://127.0.0.1:9/", "lost").contains("did not come to the collector"));
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(of: u32) -> Vec<i32> {
    let text = fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
    text.split_whitespace().map(|id| id.parse().unwrap()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn workers_that_are_killed_fail_what_they_played_and_nobody_outlives_the_parent() {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};

    let folder = folder("workers", &[("a.yaml", ENDLESS), ("b.yaml", SHORT)]);
    let out = folder.join("out");
    let arguments = [folder.join("scenarios"), PathBuf::from("--out"), out.clone()]
        .map(|path| path.to_str().unwrap().to_owned());
    let mut child = start(&[&arguments[0], &arguments[1], &arguments[2], "--parallel", "2", "--repeat", "2"]);
    let results = out.join("results.jsonl");
    // Both scenarios are played, then the second repetition of the first: two workers hang.
    until(|| lines(&results) == 1);
    until(|| children(child.id()).len() == 2);
    let pid = |id: i32| Pid::from_raw(id).unwrap();
    for id in children(child.id()) {
        kill_process(pid(id), Signal::KILL).unwrap();
    }
    until(|| lines(&results) >= 2);
    until(|| !children(child.id()).is_empty());
    let outcomes = outcomes(&out);
    let error = outcomes["endless#1"]["record"]["error"].as_str().unwrap();
    assert!(error.contains("SIGKILL"), "{error}");
    let left = children(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    until(|| left.iter().all(|id| test_kill_process(pid(*id)).is_err()));
}

/// A server that answers as the path says, and how often it was asked.
fn webhook() -> (u16, Arc<Mutex<BTreeMap<String, u32>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked: Arc<Mutex<BTreeMap<String, u32>>> = Arc::default();
    let seen = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, seen) = (stream.unwrap(), Arc::clone(&seen));
            std::thread::spawn(move || {
                let mut first = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                reader.read_line(&mut first).unwrap();
                let mut line = String::new();
                while reader.read_line(&mut line).unwrap() > 2 {
                    line.clear();
                }
                let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
                let times = {
                    let mut seen = seen.lock().unwrap();
                    let times = seen.entry(path.clone()).or_default();
                    *times += 1;
                    *times
                };
                let (status, kind, body) = match path.as_str() {
                    "/good" => (
                        200,
                        "application/json",
                        br#"{"variables": {"who": "Ada"}, "session_id": "s-77"}"#.to_vec(),
                    ),
                    "/later" if times < 3 => (503, "text/plain", b"soon".to_vec()),
                    "/later" => (200, "application/json", br#"{"who": "Ada"}"#.to_vec()),
                    "/broken" => (500, "text/plain", b"it broke".to_vec()),
                    "/html" => (200, "text/html", b"<html><body>Please log in".to_vec()),
                    "/big" => (200, "application/json", vec![b' '; 10_000_000]),
                    "/elsewhere" => (302, "text/plain", Vec::new()),
                    // Never: as long as the other side has patience.
                    _ => {
                        let _ = stream.read(&mut [0]);
                        return;
                    }
                };
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nlocation: http://127.0.0.1:1/\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                // Whoever read enough hangs up.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            });
        }
    });
    (port, asked)
}

#[test]
fn a_webhook_that_fails_is_said_and_the_conversation_goes_on() {
    let kinds = ["good", "later", "broken", "html", "big", "never", "elsewhere"];
    let scenario = |kind: &str| {
        format!(
            "name: {kind}\nvariables: {{client_id: {kind}}}\nclient: {{says: ['I am {{{{ who | default(\"nobody\") }}}}']}}\n\
             assistant: {{script: [{{say: 'Hello {{{{ who | default(\"nobody\") }}}}'}}]}}\ntools: {{mode: none}}\n"
        )
    };
    let files: Vec<(String, String)> =
        kinds.iter().map(|kind| (format!("{kind}.yaml"), scenario(kind))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder("webhook", &files);
    let (port, asked) = webhook();
    let url = format!("http://127.0.0.1:{port}/{{client_id}}");
    let (scenarios, out) = (folder.join("scenarios"), folder.join("out"));
    let arguments = [scenarios.to_str().unwrap(), "--webhook", &url, "--webhook-timeout", "2.5", "--out"];
    let done = rehearse(&[&arguments[..], &[out.to_str().unwrap(), "--allow-host", "127.0.0.1"]].concat());
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.errors);
    let outcomes = outcomes(&out);
    let note = |kind: &str| outcomes[&format!("{kind}#1")]["notes"][0]["what"].as_str().unwrap_or_default();
    let said =
        |kind: &str| outcomes[&format!("{kind}#1")]["record"]["conversation_history"][1]["content"].clone();
    assert_eq!((said("good"), said("later")), ("Hello Ada".into(), "Hello Ada".into()));
    assert_eq!(outcomes["good#1"]["record"]["session_id"], "s-77");
    for (kind, says) in [
        ("broken", "status 500"),
        ("html", "text/html"),
        ("big", "kB long"),
        ("never", "did not answer within 2.5 s"),
        ("elsewhere", "status 302"),
    ] {
        assert!(note(kind).contains(says), "{kind}: {}", note(kind));
        assert_eq!(said(kind), "Hello nobody");
    }
    let asked = |kind: &str| asked.lock().unwrap()[&format!("/{kind}")];
    assert_eq!(["good", "later", "broken", "html", "never"].map(asked), [1, 3, 3, 1, 3]);

    // Without being allowed by name, a private address is not asked.
    let refused = folder.join("refused");
    let done = rehearse(&[&arguments[..], &[refused.to_str().unwrap()]].concat());
    assert_eq!(done.code, Some(0), "{}", done.errors);
    let outcomes = self::outcomes(&refused);
    assert!(outcomes["good#1"]["notes"][0]["what"].as_str().unwrap().contains("private address 127.0.0.1"));
    assert_eq!(asked("good"), 1);
}

//! Conversations and processes that break: each takes down its own run only, and a batch is gone on with.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::*;

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
    // The second short one may come to its end before the kills, or after them.
    until(|| {
        let text = fs::read_to_string(&results).unwrap_or_default();
        text.ends_with('\n') && text.contains("\"endless#1\"")
    });
    until(|| !children(child.id()).is_empty());
    let outcomes = outcomes(&out);
    let error = outcomes["endless#1"]["record"]["error"].as_str().unwrap();
    assert!(error.contains("SIGKILL"), "{error}");
    let left = children(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    until(|| left.iter().all(|id| test_kill_process(pid(*id)).is_err()));
}

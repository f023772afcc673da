//! Batches that workers play over a queue of NATS: each result once, whoever is killed.
#![cfg(unix)]

mod soak;

use nats::Servers;
use rustix::process::{Pid, Signal, kill_process};

use crate::*;

/// How long a job is held, in milliseconds: long enough for a machine at work, short enough for a test.
const HOLD_MS: &str = "2000";

/// A process that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    fn code(&mut self) -> Option<i32> {
        until(|| self.0.try_wait().unwrap().is_some());
        self.0.wait().unwrap().code()
    }
}

fn queued() -> Command {
    let mut command = satchel();
    command.env("SATCHEL_REHEARSE_HOLD_MS", HOLD_MS).arg("rehearse");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn worker(servers: &Servers, more: &[&str]) -> Running {
    let mut command = queued();
    command.args(["worker", "--queue", &servers.url()]).args(more);
    Running(command.spawn().unwrap())
}

fn parent(servers: &Servers, arguments: &[&str]) -> Running {
    let mut command = queued();
    command.args(arguments).args(["--queue", &servers.url()]);
    Running(command.spawn().unwrap())
}

fn status(servers: &Servers) -> Value {
    let done = rehearse(&["status", "--queue", &servers.url(), "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.errors);
    serde_json::from_str(&done.out).unwrap()
}

/// The only batch's count of something; 0 where none is there.
fn count(servers: &Servers, what: &str) -> u64 {
    status(servers)["batches"][0][what].as_u64().unwrap_or(0)
}

fn three(name: &str) -> PathBuf {
    let files = [
        ("groceries.yaml", GROCERIES),
        ("team.yml", TEAM),
        ("prompts/desk.yaml", DESK),
        ("short.yaml", SHORT),
    ];
    folder(name, &files)
}

#[test]
fn a_worker_that_is_killed_costs_nothing_and_records_are_those_of_one_machine() {
    let servers = Servers::start(1);
    let folder = three("queued");
    let (scenarios, out, local) = (folder.join("scenarios"), folder.join("out"), folder.join("local"));
    let scenarios = scenarios.to_str().unwrap();
    let mut parent = parent(&servers, &[scenarios, "--out", out.to_str().unwrap(), "--repeat", "20"]);
    let workers = [worker(&servers, &["--parallel", "2"]), worker(&servers, &["--parallel", "2"])];
    let results = out.join("results.jsonl");
    until(|| lines(&results) >= 10);
    workers[0].signal(Signal::KILL);
    assert!(lines(&results) < 60, "it was over before");
    assert_eq!(parent.code(), Some(0));

    let done = rehearse(&[scenarios, "--out", local.to_str().unwrap(), "--repeat", "20"]);
    assert_eq!(done.code, Some(0), "{}", done.errors);
    let sorted = |out: &Path| {
        let text = fs::read_to_string(out.join("results.jsonl")).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(outcomes(&out).len(), 60);
    assert_eq!(sorted(&out), sorted(&local));
    assert_eq!(traced(&out), traced(&local));
    let runs = |out: &Path| {
        let read = |entry: fs::DirEntry| (entry.file_name(), fs::read(entry.path()).unwrap());
        fs::read_dir(out.join("runs")).unwrap().map(|entry| read(entry.unwrap())).collect::<BTreeMap<_, _>>()
    };
    assert!(runs(&out) == runs(&local));
    // Its parent has all: nothing of it is left.
    assert_eq!(status(&servers)["batches"], serde_json::json!([]));
}

/// A conversation that does not end, and one that does.
const ENDLESS: &str = "name: endless\nclient:\n  wants: [{say: hello, until: {said: never}, patience: 4000000000}]\n\
                       max_turns: 4000000000\ntimeout_sec: 600\ntools: {mode: none}\n";

#[test]
fn a_job_whose_worker_dies_three_times_is_set_aside_and_the_batch_ends() {
    let servers = Servers::start(1);
    let folder = folder("poisoned", &[("a.yaml", ENDLESS), ("b.yaml", SHORT)]);
    let (scenarios, out) = (folder.join("scenarios"), folder.join("out"));
    let mut parent =
        parent(&servers, &[scenarios.to_str().unwrap(), "--out", out.to_str().unwrap(), "--keep"]);
    let plays = |of: &Running| {
        let status = status(&servers);
        let workers = status["workers"].as_array().unwrap().clone();
        workers.iter().any(|worker| {
            worker["is"]["process"] == of.0.id() && worker["is"]["holds"][0]["job"] == "endless#1"
        })
    };
    // One that is stopped gives back what it plays, and the job is not to blame.
    let mut gentle = worker(&servers, &["--parallel", "1"]);
    until(|| plays(&gentle));
    assert_eq!(count(&servers, "held"), 1);
    gentle.signal(Signal::TERM);
    assert_eq!(gentle.code(), Some(0));
    assert_eq!((count(&servers, "held"), count(&servers, "waiting")), (0, 2));
    for _ in 0..3 {
        assert_eq!(count(&servers, "aside"), 0);
        let poor = worker(&servers, &["--parallel", "1"]);
        until(|| plays(&poor));
        poor.signal(Signal::KILL);
    }
    let last = worker(&servers, &[]);
    assert_eq!(parent.code(), Some(1));
    let outcomes = outcomes(&out);
    assert_eq!((outcomes.len(), &outcomes["short#1"]["verdict"]), (2, &Value::from("passed")));
    let (aside, record) = (&outcomes["endless#1"], &outcomes["endless#1"]["record"]);
    assert_eq!((&aside["verdict"], &record["error_type"]), (&"not_played".into(), &"set_aside".into()));
    let error = record["error"].as_str().unwrap();
    assert!(error.contains("3 attempts") && error.contains("3. its worker died"), "{error}");
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("set_aside"));
    // It was to be kept.
    assert_eq!((count(&servers, "done"), count(&servers, "aside"), count(&servers, "waiting")), (1, 1, 0));
    let table = rehearse(&["status", "--queue", &servers.url()]).out;
    assert!(table.starts_with("batch") && table.contains(&format!(" {}: ", last.0.id())), "{table}");
}

#[test]
fn a_worker_without_the_model_says_so_three_times() {
    let servers = Servers::start(1);
    let folder = folder("unconfigured", &[("b.yaml", SHORT)]);
    let (scenarios, out, config) =
        (folder.join("scenarios"), folder.join("out"), folder.join("satchel.toml"));
    let upstream =
        "[upstreams.mine]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodels = [{ id = \"m\", window = 8000 }]\n";
    fs::write(&config, upstream).unwrap();
    let mut parent = parent(
        &servers,
        &[
            scenarios.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
            "--config",
            config.to_str().unwrap(),
            "--model",
            "mine/m",
        ],
    );
    let none = folder.join("none.toml");
    let _worker = worker(&servers, &["--config", none.to_str().unwrap()]);
    assert_eq!(parent.code(), Some(1));
    let outcomes = outcomes(&out);
    let error = outcomes["short#1"]["record"]["error"].as_str().unwrap();
    assert_eq!(outcomes["short#1"]["record"]["error_type"], "set_aside");
    assert!(error.contains("3. ") && error.contains("the models"), "{error}");
}

#[test]
fn a_queue_that_lost_its_disks_is_put_again_and_the_batch_ends() {
    let mut servers = Servers::start(1);
    let folder = three("lost");
    let (scenarios, out) = (folder.join("scenarios"), folder.join("out"));
    let arguments = [scenarios.to_str().unwrap(), "--out", out.to_str().unwrap(), "--repeat", "20"];
    let mut first = parent(&servers, &arguments);
    let _worker = worker(&servers, &["--parallel", "1"]);
    // Some ends have come: whoever reads on waits for what is behind them.
    until(|| lines(&out.join("results.jsonl")) >= 3);
    servers.kill(0);
    fs::remove_dir_all(servers.store(0)).unwrap();
    servers.run(0);
    assert_eq!(first.code(), Some(0));
    assert_eq!((outcomes(&out).len(), traced(&out).len()), (60, 60));
}

#[test]
fn a_parent_that_was_killed_goes_on_and_takes_in_what_came_meanwhile() {
    let servers = Servers::start(1);
    let folder = three("orphaned");
    let (scenarios, out) = (folder.join("scenarios"), folder.join("out"));
    let arguments = [scenarios.to_str().unwrap(), "--out", out.to_str().unwrap(), "--repeat", "20"];
    let first = parent(&servers, &arguments);
    until(|| count(&servers, "waiting") == 60);
    let mut worker = worker(&servers, &["--parallel", "1"]);
    let results = out.join("results.jsonl");
    until(|| lines(&results) >= 3);
    first.signal(Signal::KILL);
    drop(first);
    let there = lines(&results);
    assert!(there < 60, "it was over before");
    // Nobody waits, and it is played.
    until(|| count(&servers, "done") == 60);
    worker.signal(Signal::TERM);
    assert_eq!(worker.code(), Some(0));
    assert_eq!(lines(&results), there);
    // The folder knows its queue.
    let mut command = queued();
    command.args(["--resume", out.to_str().unwrap()]);
    assert_eq!(Running(command.spawn().unwrap()).code(), Some(0));
    assert_eq!((outcomes(&out).len(), traced(&out).len()), (60, 60));
    assert_eq!(status(&servers)["batches"], serde_json::json!([]));
}

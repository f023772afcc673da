//! Processes of `satchel api` that share their owners.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// What all servers of a test have in common.
#[derive(Clone)]
pub struct Plan {
    pub nats: String,
    pub replicas: usize,
    pub lease: Duration,
    /// The file with the tokens.
    pub tokens: PathBuf,
}

/// A server, which is ended with this.
pub struct Satchel {
    plan: Plan,
    port: u16,
    child: Option<Child>,
}

impl Satchel {
    pub fn start(plan: &Plan) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut satchel = Self { plan: plan.clone(), port, child: None };
        satchel.run();
        satchel
    }

    /// Starts it, again where it was killed; done when it listens.
    pub fn run(&mut self) {
        let Plan { nats, replicas, lease, tokens } = &self.plan;
        let mut child = Command::new(env!("CARGO_BIN_EXE_satchel"))
            .env_remove("SATCHEL_API_TOKENS")
            .args(["api", "--config", "none.toml", "--messages-per-minute", "1000000"])
            .args(["--port", &self.port.to_string(), "--advertise", &self.base(), "--nats", nats])
            .args(["--replicas", &replicas.to_string(), "--lease-ms", &lease.as_millis().to_string()])
            .arg("--token-file")
            .arg(tokens)
            .arg("--dir")
            .arg(tokens.with_file_name("unused"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        self.child = Some(child);
        let line = lines.next().expect("it says where it listens").unwrap();
        assert!(line.contains("The API is at"), "{line}");
    }

    pub fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn signal(&self, signal: Signal) {
        let child = self.child.as_ref().unwrap();
        kill_process(Pid::from_child(child), signal).unwrap();
    }

    /// As a crash would.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Puts it to sleep, whatever it is about.
    pub fn sleep(&self) {
        self.signal(Signal::STOP);
    }

    pub fn wake(&self) {
        self.signal(Signal::CONT);
    }

    /// Ends it as a supervisor does, and waits until it has.
    pub fn terminate(&mut self) {
        self.signal(Signal::TERM);
        let mut child = self.child.take().unwrap();
        let asked = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(asked.elapsed() < Duration::from_secs(30), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Satchel {
    fn drop(&mut self) {
        if self.child.is_some() {
            self.kill();
        }
    }
}

/// A file with a token for each of these owners.
pub fn tokens(folder: &Path, owners: &[String]) -> PathBuf {
    let path = folder.join("tokens");
    let lines: String = owners.iter().map(|owner| format!("{owner}:{}\n", token(owner))).collect();
    std::fs::write(&path, lines).unwrap();
    path
}

pub fn token(owner: &str) -> String {
    format!("{owner}-0123456789abcdef")
}

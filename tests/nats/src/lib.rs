//! NATS servers of a test's own, on free ports, with JetStream in a folder that goes with them. A test that starts one has `on_nats` in its
//! path: where the server cannot be had it is left out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::indexing_slicing,
    reason = "a test that fails here has failed"
)]

mod link;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// `cargo xtask test` sets it up; else it has to be on `PATH`.
fn program() -> PathBuf {
    std::env::var_os("NATS_SERVER").map_or_else(|| "nats-server".into(), PathBuf::from)
}

pub use link::Link;

/// Servers that are one cluster; stopped when dropped.
pub struct Servers {
    folder: tempfile::TempDir,
    ports: Vec<u16>,
    routes: Vec<u16>,
    running: Vec<Option<Child>>,
    links: Option<Links>,
}

/// What servers reach each other by, where it can be cut.
struct Links {
    /// By a server, to each that comes before it.
    between: Vec<Vec<Link>>,
    /// In front of each: where others find it that it has not called itself.
    front: Vec<Link>,
}

impl Servers {
    /// Starts so many.
    #[must_use]
    pub fn start(count: usize) -> Self {
        Self::start_with(count, false)
    }

    /// Starts so many, any of which can be cut off from the others.
    #[must_use]
    pub fn start_apart(count: usize) -> Self {
        Self::start_with(count, true)
    }

    fn start_with(count: usize, apart: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut servers = Self {
            folder,
            ports: free(count),
            routes: free(count),
            running: (0..count).map(|_| None).collect(),
            links: None,
        };
        if apart {
            let to = |number: usize| Link::to(servers.routes[number]);
            servers.links = Some(Links {
                between: (0..count).map(|from| (0..from).map(to).collect()).collect(),
                front: (0..count).map(to).collect(),
            });
        }
        (0..count).for_each(|number| servers.run(number));
        servers
    }

    /// Where they are.
    #[must_use]
    pub fn url(&self) -> String {
        let each = self.ports.iter().map(|port| format!("nats://127.0.0.1:{port}"));
        each.collect::<Vec<_>>().join(",")
    }

    /// The same, one by one.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        self.url().split(',').map(str::to_owned).collect()
    }

    /// How many they are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.ports.len()
    }

    /// Starts one, with what it had.
    pub fn run(&mut self, number: usize) {
        // A shell holds it, and ends it when our end of the pipe is gone: it ends with us, however we end.
        let mut command = Command::new("sh");
        command
            .args(["-c", "\"$@\" & server=$!; read -r line; kill -9 $server; wait $server", "sh"])
            .arg(program())
            .args(["--addr", "127.0.0.1", "--port", &self.ports[number].to_string(), "--jetstream"])
            .args(["--name", &format!("n{number}"), "--store_dir"])
            .arg(self.store(number))
            .arg("--log")
            .arg(self.folder.path().join(format!("n{number}.log")));
        if self.ports.len() > 1 {
            let own = format!("nats://127.0.0.1:{}", self.routes[number]);
            command.args(["--cluster_name", "test", "--cluster", &own]);
            let ports = match &self.links {
                None => self.routes.clone(),
                Some(links) => {
                    let front = format!("127.0.0.1:{}", links.front[number].port());
                    command.args(["--cluster_advertise", &front]);
                    // To itself as well, which it notices: without a route there is no cluster.
                    links.between[number].iter().chain([&links.front[number]]).map(Link::port).collect()
                }
            };
            let urls: Vec<String> = ports.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
            command.args(["--routes", &urls.join(",")]);
        }
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.running[number] = Some(child.expect("nats-server starts; `cargo xtask test unit` sets it up"));
        let started = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.ports[number])).is_err() {
            assert!(started.elapsed() < Duration::from_secs(20), "{}", self.log(number));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops one as a power cut would.
    pub fn kill(&mut self, number: usize) {
        if let Some(mut child) = self.running[number].take() {
            drop(child.stdin.take());
            child.wait().unwrap();
        }
    }

    /// Cuts the last one off from all others: the others still have each other, and all have their clients.
    pub fn cut_off_the_last(&self) {
        self.each_link_of_the_last(Link::cut);
    }

    /// Lets it find the others again.
    pub fn mend(&self) {
        self.each_link_of_the_last(Link::mend);
    }

    fn each_link_of_the_last(&self, what: impl Fn(&Link)) {
        let links = self.links.as_ref().expect("servers that were started apart");
        let of_the_last = links.between.last().into_iter().flatten();
        of_the_last.chain(&links.front).for_each(what);
    }

    /// How many bytes of memory one has.
    #[must_use]
    pub fn memory(&self, number: usize) -> u64 {
        let log = self.log(number);
        let process = log.lines().rev().find_map(|line| line.strip_prefix('[')?.split_once(']'));
        let process = process.map_or("", |(process, _)| process);
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() * 1_024
    }

    /// How many bytes one has on disk.
    #[must_use]
    pub fn disk(&self, number: usize) -> u64 {
        size(&self.store(number))
    }

    /// Where one keeps what it has.
    #[must_use]
    pub fn store(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("n{number}"))
    }

    fn log(&self, number: usize) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("n{number}.log"))).unwrap_or_default()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        (0..self.running.len()).for_each(|number| self.kill(number));
    }
}

/// The files of a folder that have some bytes in them.
pub fn files_with(folder: &Path, bytes: &[u8], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            files_with(&path, bytes, found);
        } else if std::fs::read(&path).unwrap_or_default().windows(bytes.len()).any(|window| window == bytes)
        {
            found.push(path.display().to_string());
        }
    }
}

fn size(path: &Path) -> u64 {
    let of = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    std::fs::read_dir(path).map_or(0, |all| all.flatten().map(of).sum())
}

fn free(count: usize) -> Vec<u16> {
    let held: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    held.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}

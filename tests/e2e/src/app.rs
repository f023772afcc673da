//! A running gateway: the `satchel` binary as a person starts it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::Provider;

/// A `satchel serve` of our own on a free port; stopped when dropped.
pub struct App {
    child: Option<Child>,
    config: tempfile::TempDir,
    dist: PathBuf,
    port: u16,
}

impl App {
    /// Starts the gateway without further upstreams.
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// Starts the gateway with a `satchel.toml` of this text.
    pub fn start_with(toml: &str) -> Self {
        Self::start_at(0, toml)
    }

    /// The same on this port: what a profile keeps belongs to an origin, and the port is part of it.
    pub fn start_at(port: u16, toml: &str) -> Self {
        drop(bound(port));
        let config = tempfile::tempdir().expect("a folder for satchel.toml");
        std::fs::write(config.path().join("satchel.toml"), toml).expect("satchel.toml is written");
        let mut app = Self { child: None, config, dist: dist(), port };
        app.restart();
        app
    }

    /// Starts the gateway with a provider behind it, whose model is `gateway:test/m`.
    pub fn start_before(provider: &Provider) -> Self {
        Self::start_with(&format!(
            "[upstreams.test]\nbase_url = \"{}\"\nmodels = [\"m\"]\n",
            provider.base_url()
        ))
    }

    /// Starts the gateway with the app of another folder.
    pub fn start_serving(dist: &Path) -> Self {
        let config = tempfile::tempdir().expect("a folder for satchel.toml");
        std::fs::write(config.path().join("satchel.toml"), "").expect("satchel.toml is written");
        let mut app = Self { child: None, config, dist: dist.to_owned(), port: 0 };
        app.restart();
        app
    }

    /// The port, once and for all restarts.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The app's address, with a slash at the end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Stops the gateway at once, as a power cut would.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("the gateway is killed");
            child.wait().expect("the gateway is gone");
        }
    }

    /// Starts the gateway again, on the port it had.
    pub fn restart(&mut self) {
        self.kill();
        let mut child = Command::new(binary())
            .arg("serve")
            .args(["--port", &self.port.to_string()])
            .arg("--dir")
            .arg(&self.dist)
            .arg("--config")
            .arg(self.config.path().join("satchel.toml"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("satchel starts; `cargo xtask test e2e` builds it");
        let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        self.port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let rest = line.split("http://127.0.0.1:").nth(1)?;
                rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
            })
            .expect("satchel prints its address");
        // The pipe must stay open and empty, or the gateway's next line would stop it.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        self.child = Some(child);
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A socket at this port of this machine; 0 is any free one.
///
/// # Panics
/// When another program has it: a test that names a port can have no other.
pub(crate) fn bound(port: u16) -> std::net::TcpListener {
    let listener = std::net::TcpListener::bind(("127.0.0.1", port))
        .unwrap_or_else(|error| panic!("port {port} of this machine must be free for this test: {error}"));
    listener.set_nonblocking(true).expect("a socket that does not block");
    listener
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The `satchel` command, with these arguments.
pub fn satchel(arguments: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(binary());
    command.args(arguments);
    command
}

fn binary() -> PathBuf {
    std::env::var_os("SATCHEL_BIN").map_or_else(
        || root().join(format!("target/release/satchel{}", std::env::consts::EXE_SUFFIX)),
        PathBuf::from,
    )
}

/// The folder of the built app.
pub fn dist() -> PathBuf {
    std::env::var_os("SATCHEL_DIST").map_or_else(|| root().join("dist"), PathBuf::from)
}

/// The folder of `examples/notes` as built: the app that shows how one of one's own is made.
pub fn notes_dist() -> PathBuf {
    std::env::var_os("SATCHEL_NOTES").map_or_else(|| root().join("target/xtask/notes/dist"), PathBuf::from)
}

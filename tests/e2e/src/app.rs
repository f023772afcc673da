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
        let config = tempfile::tempdir().expect("a folder for satchel.toml");
        std::fs::write(config.path().join("satchel.toml"), toml).expect("satchel.toml is written");
        let mut app = Self { child: None, config, dist: dist(), port: 0 };
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

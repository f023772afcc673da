//! The system's package manager, as far as we may use it: Debian's apt-get, as root or by sudo.

use std::process::Command;
use std::sync::Once;

use anyhow::{Result, bail};

use crate::env::Env;
use crate::shell;

static LISTS: Once = Once::new();

/// Installs packages, never at the price of another one.
pub fn install(env: &Env, packages: &[&str]) -> Result<()> {
    if !available(env) {
        bail!("this system has no apt-get, the only package manager known here");
    }
    // Old lists name versions that are gone. If they cannot be renewed, the old ones may still do.
    LISTS.call_once(|| drop(shell::capture(privileged(env, "apt-get").args(["update", "-qq"]))));
    let mut apt = privileged(env, "apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive").args(["install", "-y", "-qq", "--no-remove"]).args(packages);
    shell::capture(&mut apt)?;
    Ok(())
}

/// Whether there is an apt-get at all.
pub fn available(env: &Env) -> bool {
    shell::succeeds(env.command("apt-get").arg("--version"))
}

/// A command that may write to the system: itself for root, else through sudo without a question.
pub fn privileged(env: &Env, program: &str) -> Command {
    let root = shell::capture(env.command("id").arg("-u")).is_ok_and(|id| id == "0");
    if root {
        env.command(program)
    } else {
        let mut sudo = env.command("sudo");
        sudo.args(["--non-interactive", "--preserve-env=DEBIAN_FRONTEND", program]);
        sudo
    }
}

//! Tools from the package registries: wasm-bindgen and trunk from crates.io, wasm-opt from npm.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::cannot_get;
use crate::env::Env;
use crate::{shell, workspace};

/// The trunk that is known to work here; 0.22 needs a newer compiler than most have.
const TRUNK: &str = "0.21.14";

/// The release of npm's `binaryen`, which holds wasm-opt.
const BINARYEN: &str = "132.0.0";

/// wasm-bindgen's command line in the version of the library, which `Cargo.lock` says.
pub fn wasm_bindgen(env: &Env) -> Result<()> {
    let lock =
        fs::read_to_string(env.root.join("Cargo.lock")).context("Cargo.lock is part of the project")?;
    let version = workspace::locked_version(&lock, "wasm-bindgen")?;
    // Without --locked: its lock file may name crates that a registry mirror does not have yet.
    let missing = [("wasm-bindgen", &version), ("wasm-bindgen-test-runner", &version)]
        .iter()
        .any(|(name, version)| !has(env, name, version));
    if missing { install(env, "wasm-bindgen-cli", &version, "3 min", &[]) } else { Ok(()) }
}

/// trunk, which puts page and worker together.
pub fn trunk(env: &Env) -> Result<()> {
    if has(env, "trunk", TRUNK) {
        return Ok(());
    }
    // It need not look for newer versions of itself.
    install(env, "trunk", TRUNK, "8 min", &["--locked", "--no-default-features", "--features", "rustls"])
}

/// wasm-opt, when it can be had: from npm, else the system's own. Without it the app is a third
/// larger and works the same.
pub fn wasm_opt(env: &Env) -> Option<Command> {
    let script = env.tools.join(format!("binaryen-{BINARYEN}")).join("node_modules/binaryen/bin/wasm-opt");
    if !script.exists()
        && shell::succeeds(env.command("npm").arg("--version"))
        && let Err(error) = shell::step("installing wasm-opt from npm", "20 s", || install_binaryen(env))
    {
        println!("  not installed: {error:#}");
    }
    if script.exists() {
        let mut node = env.command("node");
        node.arg(script);
        return Some(node);
    }
    shell::succeeds(env.command("wasm-opt").arg("--version")).then(|| env.command("wasm-opt"))
}

fn install_binaryen(env: &Env) -> Result<()> {
    let folder = env.tools.join(format!("binaryen-{BINARYEN}"));
    let partial = env.tools.join("binaryen.partial");
    fs::create_dir_all(&partial)?;
    let mut npm = env.command("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
        .arg(&partial)
        .arg(format!("binaryen@{BINARYEN}"));
    shell::capture(&mut npm)?;
    fs::rename(partial, folder)?;
    Ok(())
}

/// Whether our tool folder or `PATH` has this tool in this version.
fn has(env: &Env, tool: &str, version: &str) -> bool {
    shell::capture(env.command(tool).arg("--version"))
        .is_ok_and(|line| line.split_whitespace().nth(1) == Some(version))
}

/// `cargo install` into our tool folder. What is compiled stays until the end, so that an
/// interrupted run goes on where it was; cargo moves the programs into place when they are whole.
fn install(env: &Env, package: &str, version: &str, about: &str, flags: &[&str]) -> Result<()> {
    let locked = if flags.contains(&"--locked") { " --locked" } else { "" };
    let how = format!("cargo install{locked} {package} --version {version}");
    let build = env.tools.join("build").join(package);
    let mut cargo = env.cargo(&["install", "--quiet", "--force", "--version", version]);
    fs::create_dir_all(&env.tools).with_context(|| format!("cannot make {}", env.tools.display()))?;
    cargo
        .args(flags)
        .arg("--root")
        .arg(&env.tools)
        .arg(package)
        // Not in the workspace: its cargo settings are not meant for tools.
        .current_dir(&env.tools)
        .env("CARGO_TARGET_DIR", &build)
        // They run for seconds and compile for minutes: save on the minutes.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    shell::step(&format!("compiling {package} {version}"), about, || shell::run(&mut cargo))
        .map_err(|error| cannot_get(&format!("{package} {version}"), &error, &how))?;
    fs::remove_dir_all(build).context("cannot remove what is left of the build")
}

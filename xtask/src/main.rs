//! Every chore of the project: set-up, build, serve, test, tidy, measure. Run it as `cargo xtask <command>`.
//!
//! It needs nothing but cargo: what else a command wants (the wasm target, wasm-bindgen, a
//! browser) `setup` fetches, and every command calls the part of `setup` that it needs.

mod bench;
mod build;
mod dev;
mod env;
mod serve;
mod setup;
mod shell;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::env::Env;

/// Satchel's chores.
#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    about = "Satchel's chores: one command builds and serves it, one tests it",
    after_help = "Most people need two:\n  cargo xtask serve    build Satchel and open it on http://127.0.0.1:8080\n  cargo xtask test     everything that must be green before a change is shared\n\nTools that cargo does not bring (wasm-bindgen, wasm-opt) are kept in $SATCHEL_TOOLS, or else in\nthe user's cache folder (satchel/tools), so that several clones share them."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check what building needs and set up what is missing
    ///
    /// The other commands do this by themselves. Each step says what it does and about how long it
    /// takes; stop it whenever you like and run it again, it goes on where it was. With --all it also
    /// gets what only the tests need (clippy, rustfmt, Chromium and its driver).
    Setup {
        /// Also what the tests need: clippy, rustfmt, Chromium and chromedriver
        #[arg(long)]
        all: bool,
    },
    /// Build the page and the worker into dist/
    ///
    /// Release wasm (profile wasm-release, then wasm-opt), precompressed, with the worker's list of
    /// files and version filled in; prints the sizes. Does nothing when nothing changed.
    Build {
        /// Unoptimised and not compressed: builds faster, loads slower
        #[arg(long)]
        dev: bool,
        /// The folder of another app's page than Satchel's: examples/notes
        #[arg(long)]
        app: Option<std::path::PathBuf>,
    },
    /// Build and serve Satchel
    ///
    /// Sets up what is missing, builds what changed, starts the gateway (`satchel serve`) and prints
    /// the address. A second start with nothing changed takes a few seconds.
    Serve(serve::Address),
    /// Serve, and rebuild whenever a source file changes
    ///
    /// Unoptimised builds. Reload the page to see a change; the gateway restarts when its own code changed.
    Dev(serve::Address),
    /// Test everything, or the parts named
    ///
    /// Without a name: all parts. Ends with a line per part and its time; the exit code is not zero
    /// when any part failed.
    #[command(visible_alias = "ci")]
    Test {
        /// The parts to run, in the order given
        #[arg(value_enum)]
        parts: Vec<test::Part>,
    },
    /// Run the tests that take too long for every change: clusters of servers, killed again and again
    ///
    /// Without a name: all of them, which takes the better part of an hour. They print what they have measured; keep the
    /// machine quiet meanwhile.
    Soak {
        /// Only tests whose name has one of these in it
        names: Vec<String>,
    },
    /// Check the rules of the design: who may import whom, what a file looks like, dead links
    Tidy,
    /// Measure the app against plain JavaScript, the official TypeScript MCP server and others
    ///
    /// Builds what is missing, runs every contender in one headless Chromium, in turn and in a random
    /// order, prints a table and writes target/bench/bench.json. A goal that is missed is said and is no
    /// failure: a machine's speed is no property of the code. Keep the machine quiet meanwhile.
    Bench(bench::Options),
    /// Take pictures of the app in its main states into target/screenshots
    Screenshots,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    let mut env = Env::discover()?;
    match command {
        Command::Setup { all } => {
            setup::for_building(&mut env)?;
            if all {
                setup::for_linting(&mut env)?;
                setup::for_browser_tests(&mut env)?;
            }
            println!("Everything is set up.");
        }
        Command::Build { dev, app } => {
            let profile = if dev { build::Profile::Dev } else { build::Profile::Release };
            build::app(&mut env, app.as_deref(), profile)?;
        }
        Command::Serve(address) => return serve::serve(&mut env, &address),
        Command::Dev(address) => dev::dev(&mut env, &address)?,
        Command::Test { parts } => return test::test(&mut env, &parts),
        Command::Soak { names } => test::soak(&env, &names)?,
        Command::Tidy => return tidy::report(&env),
        Command::Bench(options) => bench::bench(&mut env, &options)?,
        Command::Screenshots => test::screenshots(&mut env)?,
    }
    Ok(ExitCode::SUCCESS)
}

//! `cargo xtask test`: everything that must be green, in parts that also run alone.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;

use crate::bench;
use crate::build::{self, PAGE, Profile, WORKER};
use crate::env::Env;
use crate::setup::{self, Browser};
use crate::workspace::Workspace;
use crate::{serve, shell, tidy};

/// The end-to-end package: it needs a built app and a browser.
const END_TO_END: &str = "e2e";

/// The worker with the official suite's tools.
const CONFORMANCE_WORKER: &str = "conformance-worker";

/// The package that is tested on a server of NATS.
const ON_NATS: &str = "satchel-jetstream";

/// What has tests of hours: many servers, killed again and again.
const SOAKED: [&str; 5] = [ON_NATS, "satchel-api-nats", "satchel-gateway", "satchel-gateway-nats", "cli"];

/// The program that people have.
const SATCHEL: &str = "satchel";

/// The native host with the official suite's tools.
const HOST: &str = "conformance-host";

/// The client of servers elsewhere, as the official suite drives it.
const OFFICIAL: &str = "official";

/// A part of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// All of them
    All,
    /// rustfmt finds nothing to change
    Fmt,
    /// The rules of the design hold
    Tidy,
    /// clippy has nothing to say, for this machine and for the browser
    Clippy,
    /// Unit tests and native tests, on this machine
    Unit,
    /// The tests of store and worker, in a headless Chromium
    Wasm,
    /// The protocol: the official conformance suite and clients, against worker and native host
    Protocol,
    /// The built app, in a headless Chromium
    E2e,
}

/// Quick ones first.
const ALL: [Part; 7] =
    [Part::Fmt, Part::Tidy, Part::Clippy, Part::Unit, Part::Wasm, Part::Protocol, Part::E2e];

/// What became of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// All of it ran, and all of it is well.
    Ok,
    /// What ran is well, but this was left out: a tool is missing and could not be set up.
    LeftOut(String),
    /// Something is wrong.
    Failed,
}

/// Runs the parts, each although another failed, and ends with one line for each. What was left out fails where `CI`
/// is set: nobody is there to read that it was.
pub fn test(env: &mut Env, parts: &[Part]) -> Result<ExitCode> {
    let parts = if parts.is_empty() || parts.contains(&Part::All) { &ALL[..] } else { parts };
    let mut outcomes = Vec::new();
    std::thread::scope(|scope| {
        let mut ahead = None;
        for part in parts {
            println!("\n== {}", name(*part));
            let started = Instant::now();
            if *part == Part::Unit && parts.contains(&Part::E2e) {
                let mut env = env.clone();
                ahead = Some(scope.spawn(move || build_ahead(&mut env)));
            }
            if *part == Part::E2e {
                // What could not be built is built again there, and says why.
                drop(ahead.take().map(std::thread::ScopedJoinHandle::join));
            }
            let outcome = run(env, *part).unwrap_or_else(|error| {
                eprintln!("error: {error:#}");
                Outcome::Failed
            });
            outcomes.push((*part, outcome, started.elapsed()));
        }
    });
    println!("\n{}", summary(&outcomes));
    let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false");
    Ok(if is_good(&outcomes, in_ci) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds what the end-to-end tests are run on beside the unit tests: a program for the browser is linked and made smaller on one
/// core, and many a test waits.
fn build_ahead(env: &mut Env) -> Result<()> {
    build::app(env, None, Profile::Release)?;
    build::app(env, Some(Path::new(build::EXAMPLE)), Profile::Tested)?;
    Ok(())
}

/// Whether the command may end well.
fn is_good(outcomes: &[(Part, Outcome, Duration)], in_ci: bool) -> bool {
    outcomes.iter().all(|(_, outcome, _)| match outcome {
        Outcome::Ok => true,
        Outcome::LeftOut(_) => !in_ci,
        Outcome::Failed => false,
    })
}

/// Runs the tests that take too long for every change, one after the other, and shows the figures they print.
pub fn soak(env: &Env, names: &[String]) -> Result<()> {
    setup::nats_server(env).context("these tests start NATS servers")?;
    let mut cargo = env.cargo(&["test", "--release", "--no-fail-fast", "--tests"]);
    cargo.args(SOAKED.iter().flat_map(|package| ["--package", package])).args(["--", "--ignored"]);
    let none = names.is_empty();
    cargo.args(names.iter().map(String::as_str).chain(none.then_some("soak")));
    shell::run(cargo.args(["--nocapture", "--test-threads", "1"]))
}

/// Takes the pictures; the end-to-end package knows how.
pub fn screenshots(env: &mut Env) -> Result<()> {
    let out = env.target().join("screenshots");
    let mut cargo =
        end_to_end(env, &["run", "--package", END_TO_END, "--bin", "screenshots", "--", "--out"])?;
    shell::run(cargo.arg(out))
}

fn run(env: &mut Env, part: Part) -> Result<Outcome> {
    match part {
        Part::All => bail!("all parts are run by their own names"),
        Part::Fmt => {
            setup::for_linting(env)?;
            shell::run(&mut env.cargo(&["fmt", "--all", "--check"]))?;
        }
        Part::Tidy => tidy::check(env)?,
        Part::Clippy => clippy(env)?,
        Part::Unit => {
            let server = setup::nats_server(env);
            unit(env, server.is_ok())?;
            if let Err(why) = server {
                println!("· left out: {why:#}");
                return Ok(Outcome::LeftOut(format!(
                    "nats-server is not here, which {ON_NATS} is tested on"
                )));
            }
        }
        Part::Wasm => wasm(env)?,
        Part::Protocol => {
            if let Err(why) = setup::node(env) {
                println!("· left out: {why:#}");
                return Ok(Outcome::LeftOut("npm is not here, which brings the official suite".to_owned()));
            }
            protocol(env)?;
        }
        Part::E2e => {
            let node = setup::node(env);
            if node.is_ok() {
                bundle_client(env)?;
            }
            let mut cargo = end_to_end(env, &["test", "--no-fail-fast", "--package", END_TO_END, "--"])?;
            // Who has asked for another number has it.
            if std::env::var_os("RUST_TEST_THREADS").is_none() {
                cargo.args(["--test-threads", &at_once().to_string()]);
            }
            if node.is_err() {
                cargo.args([
                    "--skip", "the_official_client", "--skip", "axe_finds", "--skip", "over_real_photos",
                ]);
            }
            let tested = shell::run_tests(&mut cargo);
            build::sizes_hold(env)?;
            tested?;
            if let Err(why) = node {
                println!("· left out: {why:#}");
                return Ok(Outcome::LeftOut(
                    "npm is not here, which brings axe-core, the official client and photos of people"
                        .to_owned(),
                ));
            }
        }
    }
    Ok(Outcome::Ok)
}

/// How many tests run at once. They wait a part of their time: on two processors three end-to-end tests at once take 12 minutes,
/// where two take 14.
fn at_once() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get) * 3 / 2
}

/// Every test that needs no browser, doc tests included; a failure does not hide the next one.
fn unit(env: &Env, has_nats: bool) -> Result<()> {
    let mut cargo = env.cargo(&["test", "--no-fail-fast"]);
    cargo.args(on_this_machine());
    if !has_nats {
        cargo.args(["--exclude", ON_NATS, "--", "--skip", "on_nats"]);
    }
    // Many wait for servers more than they work. Who has asked for another number has it.
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        cargo.env("RUST_TEST_THREADS", at_once().to_string());
    }
    // Snapshots are compared, never written.
    shell::run_tests(cargo.env("INSTA_UPDATE", "no"))
}

/// What is compiled for this machine, but for the end-to-end tests. Cargo builds a dependency once, with every feature that any
/// chosen package asks for: theirs would change ours (serde_json keeps the order of keys for them), and what is tested
/// would not be what is shipped. Nothing that the page or the bench asks for does. The two pages have no test of this machine, and
/// would only be linked.
fn on_this_machine() -> impl Iterator<Item = &'static str> {
    let apart =
        [END_TO_END, bench::IN_THE_PAGE, CONFORMANCE_WORKER, "page", "notes"].into_iter().chain(WORKER);
    std::iter::once("--workspace").chain(apart.flat_map(|package| ["--exclude", package]))
}

/// Clippy for this machine, then for the browser: what only one of them compiles, only one can check. The page is the same for both, its
/// tests included, and is checked where it runs. All packages of a machine in one run, unlike when they are tested: which features a
/// dependency has changes no lint, and each run more checks the dependencies once more.
fn clippy(env: &mut Env) -> Result<()> {
    setup::for_linting(env)?;
    let workspace = Workspace::read(env)?;
    let clippy = |packages: &[&str]| {
        let mut cargo = env.cargo(&["clippy", "--quiet", "--all-targets"]);
        shell::run(cargo.args(packages).args(["--", "-D", "warnings"]))
    };
    let elsewhere = WORKER.into_iter().chain(PAGE).chain([bench::IN_THE_PAGE, CONFORMANCE_WORKER]);
    let native = elsewhere.flat_map(|package| ["--exclude", package]);
    clippy(&std::iter::once("--workspace").chain(native).collect::<Vec<_>>()).context("on this machine")?;
    let packages = PAGE.into_iter().chain(WORKER).chain(workspace.with_browser_tests());
    let packages = packages.chain([bench::IN_THE_PAGE]).flat_map(|package| ["--package", package]);
    let for_wasm: Vec<&str> = ["--target", "wasm32-unknown-unknown"].into_iter().chain(packages).collect();
    clippy(&for_wasm).context("for the browser")?;
    // Without its tests, which are the worker's.
    let mut cargo = env.cargo(&["clippy", "--quiet", "--target", "wasm32-unknown-unknown"]);
    shell::run(cargo.args(["--package", CONFORMANCE_WORKER, "--", "-D", "warnings"]))
        .context("the conformance worker")
}

/// The tests that only mean something in a browser.
fn wasm(env: &mut Env) -> Result<()> {
    let browser = setup::for_browser_tests(env)?;
    let workspace = Workspace::read(env)?;
    let packages = workspace.with_browser_tests();
    if packages.is_empty() {
        bail!("no package asks for wasm-bindgen-test: the tests in the browser are gone");
    }
    // In one run: each more would compile what they share once more.
    let mut cargo = env.cargo(&["test", "--no-fail-fast", "--tests", "--target", "wasm32-unknown-unknown"]);
    cargo.args(packages.into_iter().flat_map(|package| ["--package", package]));
    in_browser(&mut cargo, &browser)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        // Seconds; the machine may be busy, and a test that hangs must still end.
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    shell::run_tests(&mut cargo)
}

/// The official suite and more, against the worker in Chromium and against the native host.
fn protocol(env: &mut Env) -> Result<()> {
    let browser = setup::for_browser_tests(env)?;
    let folder = env.root.join("tests/conformance");
    shell::step("getting the conformance suite", "10 s", || {
        // What came last: a folder from before it is not complete.
        if folder.join("node_modules/@hey-api/openapi-ts").exists() {
            return Ok(String::new());
        }
        let mut npm = env.command("npm");
        shell::capture(npm.current_dir(&folder).args(["ci", "--no-audit", "--no-fund", "--silent"]))
    })?;
    shell::run(&mut compile_programs(env))?;
    let host = env.target().join("debug").join(format!("{HOST}{}", std::env::consts::EXE_SUFFIX));
    let worker = env.target().join(CONFORMANCE_WORKER);
    build::test_worker(env, CONFORMANCE_WORKER, &worker)?;
    let all = |kind: &str, what: &Path| {
        let mut node = env.command("node");
        node.current_dir(&folder).args(["all.mjs", kind]).arg(what);
        in_browser(&mut node, &browser);
        node
    };
    // Both wait more than they work: at once they take the time of one.
    let (native, in_worker) = std::thread::scope(|scope| {
        let native = scope.spawn(|| all("http", &host).output());
        let in_worker = shell::run(&mut all("worker", &worker));
        (native.join(), in_worker)
    });
    let native = native.map_err(|_| anyhow!("the thread of the native host broke off"))??;
    println!("{}{}", String::from_utf8_lossy(&native.stdout), String::from_utf8_lossy(&native.stderr));
    in_worker?;
    if !native.status.success() {
        bail!("the native host failed: see above");
    }
    // The client of servers elsewhere, under the same suite.
    let official =
        env.target().join("debug/examples").join(format!("{OFFICIAL}{}", std::env::consts::EXE_SUFFIX));
    let mut node = env.command("node");
    shell::run(node.current_dir(&folder).arg("client.mjs").arg(official))?;
    // The official server answers the same requests.
    let mut node = env.command("node");
    shell::run(node.current_dir(&folder).arg("differential.mjs").arg(&host))?;
    // A client that is generated from what `satchel api` says of itself.
    let mut node = env.command("node");
    shell::run(node.current_dir(&folder).arg("api.mjs").arg(serve::gateway(env, false)))
}

/// The command that compiles the programs that tests start: as the unit tests have compiled them, the features of all packages included,
/// so that they are there already. An example is among them, without which cargo would leave out what tests ask of dependencies.
fn compile_programs(env: &Env) -> Command {
    let mut cargo = env.cargo(&["build", "--quiet"]);
    cargo.args(on_this_machine()).args(["--bin", HOST, "--bin", SATCHEL, "--example", OFFICIAL]);
    cargo
}

/// A cargo command on the end-to-end package, with the app and the gateway built for it.
fn end_to_end(env: &mut Env, args: &[&str]) -> Result<Command> {
    let browser = setup::for_browser_tests(env)?;
    // What this machine runs is compiled beside what the browser runs, in other folders with locks of their own: one
    // page is linked and made smaller on one core.
    let mut programs = compile_programs(env);
    let mut tests = (args.first() == Some(&"test"))
        .then(|| env.cargo(&["test", "--no-run", "--quiet", "--package", END_TO_END]));
    let mut notes = PathBuf::new();
    std::thread::scope(|scope| {
        let native = scope.spawn(move || {
            shell::run(&mut programs)?;
            tests.as_mut().map_or(Ok(()), shell::run)
        });
        build::app(env, None, Profile::Release)?;
        notes = build::app(env, Some(Path::new(build::EXAMPLE)), Profile::Tested)?;
        native.join().map_err(|_| anyhow!("the thread that compiles the programs broke off"))?
    })?;
    let (dist, satchel) = (env.dist(), serve::gateway(env, false));
    let mut cargo = env.cargo(args);
    in_browser(&mut cargo, &browser)
        .env("SATCHEL_DIST", dist)
        .env("SATCHEL_NOTES", notes)
        .env("SATCHEL_BIN", satchel)
        // The message says what was waited for and what the page showed; the frames of a test's runtime would push it out of a log's end.
        .env("RUST_BACKTRACE", "0");
    Ok(cargo)
}

fn in_browser<'a>(command: &'a mut Command, browser: &Browser) -> &'a mut Command {
    command.env("CHROMEDRIVER", &browser.chromedriver).env("CHROMIUM", &browser.chromium)
}

/// Bundles the official TypeScript client for the test that runs it in the page. The photos that are talked about come with it.
fn bundle_client(env: &Env) -> Result<()> {
    let folder = env.root.join("tests/e2e/ts-client");
    let npm = |args: &[&str]| {
        let mut npm = env.command("npm");
        npm.current_dir(&folder).args(args);
        npm
    };
    shell::step("bundling the official TypeScript client", "10 s", || {
        // The package that came last: a folder from before it is not complete.
        if !folder.join("node_modules/@vladmandic/face-api").exists() {
            shell::capture(&mut npm(&["ci", "--no-audit", "--no-fund", "--silent"]))?;
        }
        shell::capture(&mut npm(&["run", "--silent", "build"]))
    })?;
    Ok(())
}

/// One line for each part and one for all.
fn summary(outcomes: &[(Part, Outcome, Duration)]) -> String {
    let mut lines: Vec<String> = outcomes
        .iter()
        .map(|(part, outcome, time)| {
            let (part, time) = (name(*part), shell::seconds(*time));
            match outcome {
                Outcome::Ok => format!("{part:<8} ok       {time}"),
                Outcome::LeftOut(what) => format!("{part:<8} LEFT OUT {time}: {what}"),
                Outcome::Failed => format!("{part:<8} FAILED   {time}"),
            }
        })
        .collect();
    let time = shell::seconds(outcomes.iter().map(|(_, _, time)| *time).sum());
    let those = |is: fn(&Outcome) -> bool| {
        let names: Vec<String> =
            outcomes.iter().filter(|(_, outcome, _)| is(outcome)).map(|(part, ..)| name(*part)).collect();
        names.join(", ")
    };
    let failed = those(|outcome| *outcome == Outcome::Failed);
    let left_out = those(|outcome| matches!(outcome, Outcome::LeftOut(_)));
    lines.push(match (failed.is_empty(), left_out.is_empty()) {
        (true, true) => format!("all ok in {time}"),
        (true, false) => format!("what ran is ok, in {time}, but not everything ran: {left_out}"),
        (false, _) => format!("failed after {time}: {failed}"),
    });
    lines.join("\n")
}

/// The part's name, as one types it.
fn name(part: Part) -> String {
    part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_what_failed_and_what_was_left_out() {
        let ok = (Part::Fmt, Outcome::Ok, Duration::from_millis(1_500));
        let failed = (Part::E2e, Outcome::Failed, Duration::from_secs(90));
        let left_out = (Part::Protocol, Outcome::LeftOut("npm is not here".to_owned()), Duration::ZERO);
        let all = [ok.clone(), failed.clone()];
        assert_eq!(
            summary(&all),
            "fmt      ok       1.5 s\ne2e      FAILED   1 min 30 s\nfailed after 1 min 31 s: e2e"
        );
        assert_eq!(summary(&all[..1]), "fmt      ok       1.5 s\nall ok in 1.5 s");
        let some = [ok.clone(), left_out.clone()];
        assert!(summary(&some).contains("protocol LEFT OUT"), "{}", summary(&some));
        assert!(summary(&some).ends_with("but not everything ran: protocol"), "{}", summary(&some));
        for (outcomes, alone, in_ci) in
            [(vec![ok.clone()], true, true), (vec![ok, left_out], true, false), (vec![failed], false, false)]
        {
            assert_eq!((is_good(&outcomes, false), is_good(&outcomes, true)), (alone, in_ci), "{outcomes:?}");
        }
    }

    #[test]
    fn all_is_every_part() {
        let parts: Vec<&Part> = Part::value_variants().iter().filter(|part| **part != Part::All).collect();
        assert!(parts.iter().all(|part| ALL.contains(part)));
        assert_eq!(parts.len(), ALL.len());
    }
}

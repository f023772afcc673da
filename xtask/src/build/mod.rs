//! `cargo xtask build`: what is copied from `www/`, worker and page in parts, then finished into dist/.

mod finish;
mod helpers;
mod html;
mod inputs;
mod minify;
mod page;
mod sizes;
mod split;
mod target;
mod words;
mod worker;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::env::Env;
use crate::workspace::Workspace;
use crate::{setup, shell};

pub use finish::files;
pub use inputs::Inputs;
use minify::Minifier;
pub use target::Target;

/// The packages of the page as cargo knows them, and the page of the app that shows how one is made.
pub const PAGE: [&str; 12] = [
    "page", "ui", "satchel-ui-chat", "satchel-ui-connect", "satchel-ui-insight", "ui-kit", "ui-map",
    "ui-photo", "ui-rehearsal", "ui-todo", "ui-trip", "notes",
];

/// The packages of the worker, and that app's.
pub const WORKER: [&str; 5] =
    ["service-worker", "worker", "notes-worker", "photo-worker", "rehearsal-worker"];

/// The folder of that app.
pub const EXAMPLE: &str = "examples/notes";

/// What the browser runs.
const TARGET: &str = "wasm32-unknown-unknown";

/// How much work goes into the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Quick to build: unoptimised, not compressed.
    Dev,
    /// Small and quick to load: optimised wasm, precompressed files.
    Release,
    /// As released, but not made smaller afterwards and not compressed: for tests of an app that nobody downloads.
    Tested,
}

impl Profile {
    /// The cargo profile of the wasm build.
    fn cargo(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Release | Self::Tested => "wasm-release",
        }
    }
}

/// Brings dist/ up to date: nothing to do when it was built from the same files in the same way. `app` is the folder of another
/// app's page than Satchel's; what was built is in the folder that comes back.
pub fn app(env: &mut Env, app: Option<&Path>, profile: Profile) -> Result<PathBuf> {
    let _alone = alone(&env.scratch())?;
    let workspace = Workspace::read(env)?;
    let target = Target::of(&workspace, env, app)?;
    let (scratch, dist) = (target.scratch(env), target.dist(env));
    fs::create_dir_all(&scratch)?;
    let stamp_file = scratch.join("dist.stamp");
    let stamp = format!("{profile:?} {}", Inputs::of_app(&workspace, env, &target).digest()?);
    let built =
        dist.join("index.html").exists() && fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp);
    if built {
        println!("{} in {} is up to date.", target.about.title, shown(env, &dist));
        return Ok(dist);
    }
    setup::for_building(env)?;
    let started = Instant::now();
    let stage = scratch.join("stage");
    target.put_www(env, &stage)?;
    worker::compile(env, &target, profile, &stage)?;
    page::compile(env, &target, profile, &stage)?;
    helpers::compile(env, &target, &stage)?;
    let of_page = workspace.closure(&[&target.page]);
    let folders: Vec<PathBuf> = of_page
        .iter()
        .filter_map(|name| workspace.get(name))
        .map(|package| package.folder().to_path_buf())
        .collect();
    words::put(&stage, &folders)?;
    let optimiser = if profile == Profile::Release { setup::wasm_opt(env) } else { None };
    if profile == Profile::Release && optimiser.is_none() {
        println!(
            "· wasm-opt is not here (npm brings it): the wasm stays about a third larger than it could be"
        );
    }
    let minifier = if profile == Profile::Release { Minifier::of(env) } else { None };
    finish::finish(&stage, profile, optimiser.as_ref(), minifier.as_ref(), &limits(env)?)?;
    // From here until the new stamp dist/ is neither the old nor the new app.
    if stamp_file.exists() {
        fs::remove_file(&stamp_file)?;
    }
    publish(&stage, &dist)?;
    fs::write(&stamp_file, stamp)?;
    if profile == Profile::Release {
        sizes::print(&dist)?;
    }
    println!("Built {} in {}.", shown(env, &dist), shell::seconds(started.elapsed()));
    Ok(dist)
}

/// A folder as one types it in the workspace.
fn shown(env: &Env, folder: &Path) -> String {
    format!("{}/", folder.strip_prefix(&env.root).unwrap_or(folder).display())
}

/// Holds the release build in dist/ to the ceilings of its sizes.
///
/// # Errors
/// When it is above one of them.
pub fn sizes_hold(env: &Env) -> Result<()> {
    sizes::hold(&env.dist())
}

/// Waits until no other build writes into the same folders: somebody may test while they serve.
fn alone(scratch: &Path) -> Result<fs::File> {
    fs::create_dir_all(scratch)?;
    let lock = fs::File::create(scratch.join("build.lock"))?;
    if lock.try_lock().is_err() {
        println!("· another build of the app is under way: waiting for its end");
        lock.lock()?;
    }
    Ok(lock)
}

/// Compiles one more package for the browser, as the app's modules are, and puts script and wasm into `out`.
pub fn module(env: &Env, package: &str, out: &Path) -> Result<()> {
    bind(env, package, &package.replace('-', "_"), out)?;
    match setup::wasm_opt(env) {
        Some(optimiser) => finish::optimise(out, &optimiser),
        None => Ok(()),
    }
}

/// The worker's script with the part that tells things at a time, which is a file of its own to be read.
fn worker_script(env: &Env) -> Result<String> {
    let read = |name: &str| {
        fs::read_to_string(env.root.join("www").join(name)).with_context(|| format!("cannot read www/{name}"))
    };
    let (script, notices) = (read("sw.js")?, read("notices.js")?);
    let place = script.lines().find(|line| line.starts_with("__SATCHEL_NOTICES__"));
    let place = place.context("www/sw.js does not hold __SATCHEL_NOTICES__, where www/notices.js belongs")?;
    Ok(script.replacen(place, notices.trim_end(), 1))
}

/// A worker made of another package than the app's, for tests: script, wasm and `sw.js`, not made smaller.
pub fn test_worker(env: &Env, package: &str, out: &Path) -> Result<()> {
    fs::create_dir_all(out)?;
    bind(env, package, "service-worker", out)?;
    let script = worker_script(env)?;
    // Without hashes nothing is compared.
    let assets = r#"{"service-worker.js": "", "service-worker_bg.wasm": ""}"#;
    let script =
        script.replace("__SATCHEL_ASSETS__", assets).replace("__SATCHEL_LIMITS__", limits(env)?.trim());
    Ok(fs::write(out.join("sw.js"), script.replace("__SATCHEL_VERSION__", "test"))?)
}

/// How large calls of tools may be, for the worker's script, which says so before it starts the server. A test holds it to what
/// the tools declare.
fn limits(env: &Env) -> Result<String> {
    fs::read_to_string(env.root.join("service-worker/limits.json")).context("cannot read the tools' limits")
}

/// Compiles a package and makes its script, under a name.
fn bind(env: &Env, package: &str, name: &str, out: &Path) -> Result<()> {
    let profile = Profile::Release.cargo();
    shell::step(&format!("building {package} for the browser"), "1 min", || {
        let mut cargo = env.cargo(&["build", "--quiet", "--target", TARGET, "--profile", profile]);
        // With the app's flags, what both are built from is compiled once.
        shell::run(cargo.args(["--package", package]).env("RUSTFLAGS", rustflags()))?;
        let wasm =
            env.target().join(TARGET).join(profile).join(format!("{}.wasm", package.replace('-', "_")));
        let mut bindgen = env.command("wasm-bindgen");
        bindgen.args(["--target", "web", "--no-typescript", "--out-name", name, "--out-dir"]);
        shell::run(bindgen.arg(out).arg(wasm))
    })
}

/// The caller's own flags, and ours: leptos then compiles one kind of view instead of one per combination, for a smaller page.
fn rustflags() -> String {
    format!("{} --cfg erase_components", std::env::var("RUSTFLAGS").unwrap_or_default()).trim().to_owned()
}

/// Copies the staged app over the one in `dist`, so that a server in between never sends a page
/// whose files are missing: new files first, then page and worker script, then the old ones go.
fn publish(stage: &Path, dist: &Path) -> Result<()> {
    let new = finish::files(stage)?;
    let entry_points = |name: &&String| name.starts_with("index.html") || name.starts_with("sw.js");
    let (last, first): (Vec<&String>, Vec<&String>) = new.iter().partition(entry_points);
    for name in first.into_iter().chain(last) {
        let to = dist.join(name);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(stage.join(name), &to).with_context(|| format!("cannot write {}", to.display()))?;
    }
    for old in finish::files(dist)?.iter().filter(|name| !new.contains(name)) {
        fs::remove_file(dist.join(old))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publishing_leaves_the_new_app_and_nothing_of_the_old() {
        let folder = std::env::temp_dir().join(format!("satchel-publish-{}", std::process::id()));
        let (stage, dist) = (folder.join("stage"), folder.join("dist"));
        for (place, files) in [
            (&stage, ["index.html", "ui-2.js", "icons/a.svg"]),
            (&dist, ["index.html", "ui-1.js", "old/b.svg"]),
        ] {
            for file in files {
                fs::create_dir_all(place.join(file).parent().unwrap()).unwrap();
                fs::write(place.join(file), format!("{}", place.display())).unwrap();
            }
        }
        publish(&stage, &dist).unwrap();
        assert_eq!(finish::files(&dist).unwrap(), ["icons/a.svg", "index.html", "ui-2.js"]);
        assert_eq!(fs::read_to_string(dist.join("index.html")).unwrap(), format!("{}", stage.display()));
        fs::remove_dir_all(&folder).unwrap();
    }
}

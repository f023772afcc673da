//! Tools from the package registries: wasm-bindgen and the splitter from crates.io, wasm-opt from npm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::cannot_get;
use crate::env::Env;
use crate::{shell, workspace};

/// The release of npm's `binaryen`, which holds wasm-opt.
const BINARYEN: &str = "132.0.0";

/// The release of npm's `esbuild`, which makes scripts and styles small.
const ESBUILD: &str = "0.28.2";

/// The splitter that understands what leptos' `wasm_split` of `Cargo.lock` writes into the wasm.
const SPLITTER: &str = "0.2.4";

/// Where the splitter decides about code that two parts need: a file of its own for each combination of parts, of which
/// most are smaller than their request.
const SHARED: &str = "_ => *self = SplitModuleIdentifier::Chunk(needed_by),";

/// What we have it decide: such code stays in the main file (docs/adr/0044-the-page-in-parts.md).
const SHARED_IN_MAIN: &str = "_ => *self = SplitModuleIdentifier::Main,";

/// wasm-bindgen's command line in the version of the library, which `Cargo.lock` says.
pub fn wasm_bindgen(env: &Env) -> Result<()> {
    let lock =
        fs::read_to_string(env.root.join("Cargo.lock")).context("Cargo.lock is part of the project")?;
    let version = workspace::locked_version(&lock, "wasm-bindgen")?;
    // Without --locked: its lock file may name crates that a registry mirror does not have yet.
    let missing = [("wasm-bindgen", &version), ("wasm-bindgen-test-runner", &version)]
        .iter()
        .any(|(name, version)| !has(env, name, version));
    if missing { install(env, "wasm-bindgen-cli", &version, "3 min") } else { Ok(()) }
}

/// The program that splits the page's wasm into parts: its published source, with one line of ours.
pub fn splitter(env: &Env) -> Result<PathBuf> {
    let folder = env.tools.join(format!("wasm-split-{SPLITTER}"));
    let program = folder.join("bin").join(format!("wasm-split-cli{}", std::env::consts::EXE_SUFFIX));
    if program.exists() {
        return Ok(program);
    }
    shell::step(&format!("compiling wasm_split_cli_support {SPLITTER}"), "1 min", || {
        let build = env.tools.join("build/wasm-split");
        let source = splitter_source(env, &build)?;
        let mut cargo =
            env.cargo(&["install", "--quiet", "--locked", "--features", "build-binary", "--path"]);
        cargo.arg(source).arg("--root").arg(&folder).current_dir(&env.tools);
        quick_to_compile(&mut cargo, &build);
        shell::run(&mut cargo)?;
        fs::remove_dir_all(build).context("cannot remove what is left of the build")
    })
    .map_err(|error| {
        cannot_get("the splitter", &error, "cargo xtask build, once the reason above is gone")
    })?;
    Ok(program)
}

/// Its source, fetched by cargo into `build`, with our line.
fn splitter_source(env: &Env, build: &Path) -> Result<PathBuf> {
    const NAME: &str = "wasm_split_cli_support";
    let (asking, source) = (build.join("asking"), build.join("source"));
    fs::create_dir_all(asking.join("src"))?;
    fs::write(asking.join("src/lib.rs"), "")?;
    let manifest = format!(
        "[package]\nname = \"asking\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n{NAME} = \"={SPLITTER}\"\n\n[workspace]\n"
    );
    fs::write(asking.join("Cargo.toml"), manifest)?;
    let mut cargo = env.cargo(&["metadata", "--quiet", "--format-version=1"]);
    let packages: workspace::Workspace = serde_json::from_str(&shell::capture(cargo.current_dir(&asking))?)
        .context("cargo metadata prints JSON")?;
    let published = packages.get(NAME).context("cargo did not fetch the splitter")?.folder().to_path_buf();
    for file in crate::build::files(&published)? {
        let to = source.join(&file);
        fs::create_dir_all(to.parent().unwrap_or(&source))?;
        fs::write(to, fs::read(published.join(file))?)?;
    }
    let decides = source.join("src/split_point.rs");
    fs::write(&decides, with_our_line(&fs::read_to_string(&decides)?)?)?;
    // No member of a workspace that the tool folder may lie in.
    let manifest = source.join("Cargo.toml");
    let own = fs::read_to_string(&manifest)? + "\n[workspace]\n";
    fs::write(manifest, own)?;
    Ok(source)
}

/// The splitter's source with our decision in place of its own.
fn with_our_line(source: &str) -> Result<String> {
    if source.matches(SHARED).count() != 1 {
        bail!("the splitter's source does not have the line we change, once: {SHARED}");
    }
    Ok(source.replace(SHARED, SHARED_IN_MAIN))
}

/// wasm-opt, when it can be had: from npm, else the system's own. Without it the app is a third
/// larger and works the same.
pub fn wasm_opt(env: &Env) -> Option<Command> {
    if let Some(folder) = from_npm(env, "binaryen", BINARYEN) {
        let script = folder.join("bin/wasm-opt");
        let mut node = env.command("node");
        node.arg(script);
        return Some(node);
    }
    shell::succeeds(env.command("wasm-opt").arg("--version")).then(|| env.command("wasm-opt"))
}

/// esbuild, where npm brings it: the folder of its package. Without it scripts and styles stay as they are written.
pub fn esbuild(env: &Env) -> Option<(PathBuf, &'static str)> {
    from_npm(env, "esbuild", ESBUILD).map(|folder| (folder, ESBUILD))
}

/// The folder of a package from npm, which is installed if it is not there; none where it cannot be had.
fn from_npm(env: &Env, package: &str, version: &str) -> Option<PathBuf> {
    let folder = env.tools.join(format!("{package}-{version}"));
    let installed = folder.join("node_modules").join(package);
    let install = || {
        let partial = env.tools.join(format!("{package}.partial"));
        fs::create_dir_all(&partial)?;
        let mut npm = env.command("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
            .arg(&partial)
            .arg(format!("{package}@{version}"));
        shell::capture(&mut npm)?;
        fs::rename(partial, &folder).context("cannot move what npm installed")
    };
    if !installed.exists()
        && shell::succeeds(env.command("npm").arg("--version"))
        && let Err(error) = shell::step(&format!("installing {package} from npm"), "20 s", install)
    {
        println!("  not installed: {error:#}");
    }
    installed.exists().then_some(installed)
}

/// Whether our tool folder or `PATH` has this tool in this version.
fn has(env: &Env, tool: &str, version: &str) -> bool {
    shell::capture(env.command(tool).arg("--version"))
        .is_ok_and(|line| line.split_whitespace().nth(1) == Some(version))
}

/// `cargo install` into our tool folder. What is compiled stays until the end, so that an
/// interrupted run goes on where it was; cargo moves the programs into place when they are whole.
fn install(env: &Env, package: &str, version: &str, about: &str) -> Result<()> {
    let how = format!("cargo install {package} --version {version}");
    let build = env.tools.join("build").join(package);
    let mut cargo = env.cargo(&["install", "--quiet", "--force", "--version", version]);
    fs::create_dir_all(&env.tools).with_context(|| format!("cannot make {}", env.tools.display()))?;
    cargo
        .arg("--root")
        .arg(&env.tools)
        .arg(package)
        // Not in the workspace: its cargo settings are not meant for tools.
        .current_dir(&env.tools);
    quick_to_compile(&mut cargo, &build);
    shell::step(&format!("compiling {package} {version}"), about, || shell::run(&mut cargo))
        .map_err(|error| cannot_get(&format!("{package} {version}"), &error, &how))?;
    fs::remove_dir_all(build).context("cannot remove what is left of the build")
}

/// Tools run for seconds and compile for minutes: save on the minutes.
fn quick_to_compile(cargo: &mut Command, build: &Path) {
    cargo
        .env("CARGO_TARGET_DIR", build.join("target"))
        // What their code is warned of is not ours to mend.
        .env("RUSTFLAGS", "--cap-lints=allow")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_splitter_without_the_line_we_change_stops_the_set_up() {
        assert_eq!(with_our_line(&format!("a {SHARED} b")).unwrap(), format!("a {SHARED_IN_MAIN} b"));
        assert!(with_our_line("another version").is_err());
        assert!(with_our_line(&format!("{SHARED} {SHARED}")).is_err());
    }
}

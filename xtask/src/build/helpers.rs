//! Programs of an app that run off the page, in dedicated workers: compiled for speed, each into a folder of its own, which is not
//! installed with the app.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::target::Helper;
use super::{Profile, TARGET, Target};
use crate::env::Env;
use crate::shell;

/// What they are compiled with: pixels and nets are arithmetic over many numbers at once. Every browser of the last years has it.
const FEATURES: &str = "-C target-feature=+simd128";

/// The folder of the tables that an app's worker reads.
const TABLES: &str = "tables";

/// Compiles the app's helpers, into folders of `stage`, and puts the worker's tables there.
pub fn compile(env: &Env, target: &Target, stage: &Path) -> Result<()> {
    target.about.helpers.iter().try_for_each(|helper| compile_one(env, helper, stage))?;
    put(env, &target.about.tables, &stage.join(TABLES))
}

/// Copies files into a folder.
fn put(env: &Env, files: &[String], folder: &Path) -> Result<()> {
    for file in files {
        let from = env.root.join(file);
        let name = from.file_name().with_context(|| format!("{file} is no file"))?;
        fs::create_dir_all(folder)?;
        fs::copy(&from, folder.join(name)).with_context(|| format!("cannot read {file}"))?;
    }
    Ok(())
}

fn compile_one(env: &Env, helper: &Helper, stage: &Path) -> Result<()> {
    let Helper { package, folder, files } = helper;
    let out = stage.join(folder);
    fs::create_dir_all(&out)?;
    let profile = Profile::Release.cargo();
    shell::step(
        &format!("building {package} for the browser"),
        "3 min when nothing is compiled yet, else 20 s",
        || {
            // Other flags than the rest has: in a folder of its own neither is compiled again for the other.
            let compiled = env.scratch().join("helpers");
            let mut cargo = env
                .cargo(&["build", "--quiet", "--target", TARGET, "--profile", profile, "--package", package]);
            shell::run(cargo.arg("--target-dir").arg(&compiled).env("RUSTFLAGS", FEATURES))?;
            let wasm =
                compiled.join(TARGET).join(profile).join(format!("{}.wasm", package.replace('-', "_")));
            let mut bindgen = env.command("wasm-bindgen");
            bindgen.args(["--target", "web", "--no-typescript", "--out-name", package, "--out-dir"]);
            shell::run(bindgen.arg(&out).arg(wasm))
        },
    )?;
    // A worker is begun with its script alone.
    let script = out.join(format!("{package}.js"));
    let text =
        fs::read_to_string(&script).with_context(|| format!("the build made no {}", script.display()))?;
    fs::write(&script, format!("{text}\nawait __wbg_init();\n"))?;
    put(env, files, &out)
}

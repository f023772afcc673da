//! Programs of an app that run off the page, in dedicated workers: compiled for speed, each into a folder of its own, which is not
//! installed with the app.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::target::Helper;
use super::{Profile, TARGET, Target};
use crate::env::Env;
use crate::shell;

/// What they are compiled with, twice, each with its folder: pixels and nets are arithmetic over many numbers at once. Every browser
/// of the last years has the first, and most have the second, which multiplies and adds in one step.
const BUILDS: [(&str, &str); 2] =
    [("plain", "-C target-feature=+simd128"), ("relaxed", "-C target-feature=+simd128,+relaxed-simd")];

/// The script that a helper is begun with: it takes the build that the browser can run. The bytes are a module with one relaxed
/// instruction (`i8x16.relaxed_swizzle`). `PACKAGE` is put in.
const ENTRY: &str = "\
const probe = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11];
const build = WebAssembly.validate(new Uint8Array(probe)) ? \"relaxed\" : \"plain\";
const { default: begin } = await import(`./${build}/PACKAGE.js`);
await begin();
";

/// Compiles the app's helpers, into folders of `stage`.
pub fn compile(env: &Env, target: &Target, stage: &Path) -> Result<()> {
    target.about.helpers.iter().try_for_each(|helper| compile_one(env, helper, stage))
}

fn compile_one(env: &Env, helper: &Helper, stage: &Path) -> Result<()> {
    let Helper { package, folder, files } = helper;
    let out = stage.join(folder);
    fs::create_dir_all(&out)?;
    for (build, features) in BUILDS {
        compile_build(env, package, features, &out.join(build))?;
    }
    // A worker is begun with its script alone.
    fs::write(out.join(format!("{package}.js")), ENTRY.replace("PACKAGE", package))?;
    for file in files {
        let from = env.root.join(file);
        let name = from.file_name().with_context(|| format!("{file} is no file"))?;
        fs::copy(&from, out.join(name)).with_context(|| format!("cannot read {file}"))?;
    }
    Ok(())
}

/// One build of a helper, with its script, into `out`.
fn compile_build(env: &Env, package: &str, features: &str, out: &Path) -> Result<()> {
    let profile = Profile::Release.cargo();
    shell::step(
        &format!("building {package} for the browser ({features})"),
        "3 min when nothing is compiled yet, else 20 s",
        || {
            // Other flags than the rest has: in a folder of its own neither is compiled again for the other.
            let compiled = env.scratch().join("helpers");
            let mut cargo = env
                .cargo(&["build", "--quiet", "--target", TARGET, "--profile", profile, "--package", package]);
            shell::run(cargo.arg("--target-dir").arg(&compiled).env("RUSTFLAGS", features))?;
            let wasm =
                compiled.join(TARGET).join(profile).join(format!("{}.wasm", package.replace('-', "_")));
            let mut bindgen = env.command("wasm-bindgen");
            bindgen.args(["--target", "web", "--no-typescript", "--out-name", package, "--out-dir"]);
            shell::run(bindgen.arg(out).arg(wasm))
        },
    )
}

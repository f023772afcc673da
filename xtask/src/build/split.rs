//! A program for the browser, cut into a main file and parts after it is linked, and bound to JavaScript.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Profile, TARGET, rustflags};
use crate::env::Env;
use crate::{setup, shell};

/// The script that loads parts, as the splitter calls it. Wasm and scripts name it so in their imports.
pub const LOADER: &str = "__wasm_split.js";

/// What the splitter writes in the loader to start a part, and what stands there in its place: a static host may not know
/// wasm's media type, and then a stream of it is refused; a file that is not there is no wasm.
const STREAMED: &str = "WebAssembly.instantiateStreaming(src, imports)";
const WHOLE: &str = "WebAssembly.instantiate(await src.then((got) => (got.ok ? got.arrayBuffer() : Promise.reject(got.status))), imports)";

/// What is compiled and cut.
pub struct Program<'a> {
    /// What cargo is told of it.
    pub cargo: &'a [&'a str],
    /// The file that cargo makes, without its end.
    pub made: &'a str,
    /// What its files' names begin with.
    pub name: &'a str,
}

/// Compiles a program, splits it and binds it, into `out`: its script, its main file, a `split_….wasm` for each part and
/// [`LOADER`].
pub fn compile(env: &Env, profile: Profile, program: &Program<'_>, out: &Path) -> Result<()> {
    let splitter = setup::splitter(env)?;
    let mut cargo = env.cargo(&["rustc", "--quiet", "--target", TARGET, "--profile", profile.cargo()]);
    // The splitter follows the linker's relocations, and what is cut is marked under `split`. As arguments of the last crate:
    // what it is built from is compiled once for the page and the worker.
    cargo.args(program.cargo).args(["--", "--cfg", "split", "-Clink-args=--emit-relocs"]);
    // Tables that few calls need are files, and not in the program (docs/adr/0077-tables-come-with-the-first-trip.md).
    shell::run(cargo.env("RUSTFLAGS", rustflags()).env("SATCHEL_IN_PARTS", "1"))?;
    let folder = if profile == Profile::Dev { "debug" } else { profile.cargo() };
    let wasm = env.target().join(TARGET).join(folder).join(format!("{}.wasm", program.made));
    let mut split = env.command(&splitter.to_string_lossy());
    split.args(["--target", "web", "--out-name", program.name]).arg(wasm).arg(out);
    // What a library warns of on the way is not of this build.
    shell::capture(&mut split)?;
    let whole = out.join(format!("{}.wasm", program.name));
    let mut bind = env.command("wasm-bindgen");
    bind.args(["--target", "web", "--no-typescript", "--keep-lld-exports", "--out-name", program.name]);
    shell::run(bind.arg("--out-dir").arg(out).arg(&whole))?;
    fs::remove_file(whole).with_context(|| format!("the splitter wrote no main file of {}", program.name))
}

/// The loader, with parts that are read whole.
pub fn read_whole(loader: &str) -> Result<String> {
    super::page::put(loader, STREAMED, WHOLE)
}

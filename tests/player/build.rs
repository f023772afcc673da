//! Writes a test for each transcript, with script and snapshot inside: a browser has no folders.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    // This machine reads the folders when the tests run.
    if env::var("CARGO_CFG_TARGET_FAMILY").as_deref() != Ok("wasm") {
        return Ok(());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../transcripts").canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.display());
    let folders: io::Result<Vec<PathBuf>> =
        fs::read_dir(&root)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut folders = folders?;
    folders.retain(|folder| folder.join("script.json").is_file());
    folders.sort();
    let mut tests = String::new();
    for folder in &folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().replace('-', "_");
        let (script, snapshot) = (folder.join("script.json"), folder.join("expected.snap"));
        let _ = writeln!(
            tests,
            "#[wasm_bindgen_test::wasm_bindgen_test]\nfn t_{name}() {{\n    \
             goes_as_in_the_snapshot(include_str!({script:?}), include_str!({snapshot:?}));\n}}",
        );
    }
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("folders.rs"), tests)
}

//! A compiler with the wasm target: the one in use, rustup's, or Debian's with a std of our own.
//!
//! There is no `rust-toolchain.toml` that names the target, on purpose: rustup would try to download
//! on every call, and without its server nothing would work at all.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{cannot_get, packages};
use crate::env::Env;
use crate::shell;

const TARGET: &str = "wasm32-unknown-unknown";

/// The name under which rustup knows Debian's compiler.
const DEBIAN: &str = "debian";

/// Where Debian puts its compiler.
const DEBIAN_PREFIX: &str = "/usr";

const HOW: &str = "rustup target add wasm32-unknown-unknown\n    (rustup: https://rustup.rs; without it, the package with Rust's std for wasm32 of your system)";

/// Makes sure that children can build for wasm; picks `env.toolchain` when the one in use cannot.
pub fn wasm_target(env: &mut Env) -> Result<()> {
    if has_wasm(env) || use_debian(env) {
        return Ok(());
    }
    if !shell::succeeds(env.command("rustup").arg("--version")) {
        return Err(cannot_get("Rust's wasm target", &anyhow::anyhow!("rustup is not on PATH"), HOW));
    }
    let by_rustup = shell::step("adding Rust's wasm target through rustup", "20 s", || {
        shell::capture(env.command("rustup").args(["target", "add", TARGET]))
    });
    let Err(rustup_error) = by_rustup else { return Ok(()) };
    println!("  not reachable; trying Debian's compiler instead");
    if !packages::available(env) {
        return Err(cannot_get("Rust's wasm target", &rustup_error, HOW));
    }
    by_debian(env).map_err(|error| {
        let both = error.context(format!("rustup: {rustup_error:#}; Debian's compiler"));
        cannot_get("Rust's wasm target", &both, HOW)
    })?;
    if use_debian(env) {
        Ok(())
    } else {
        Err(cannot_get(
            "Rust's wasm target",
            &anyhow::anyhow!("Debian's compiler does not find the std just built for it"),
            HOW,
        ))
    }
}

/// Makes sure that the toolchain has a component; `subcommand` is how cargo calls it.
pub fn component(env: &Env, name: &str, subcommand: &str) -> Result<()> {
    let has = || shell::succeeds(&mut env.cargo(&[subcommand, "--version"]));
    if has() {
        return Ok(());
    }
    let installed = shell::step(&format!("installing {name}"), "20 s", || {
        if env.toolchain.is_some() {
            packages::install(env, &[if name == "clippy" { "rust-web-clippy" } else { "rustfmt-web" }])
        } else {
            shell::capture(env.command("rustup").args(["component", "add", name])).map(drop)
        }
    });
    match installed {
        Ok(()) if has() => Ok(()),
        Ok(()) => bail!("{name} was installed, but `cargo {subcommand}` does not work"),
        Err(error) => Err(cannot_get(name, &error, &format!("rustup component add {name}"))),
    }
}

/// Whether the toolchain children would use now has a std for wasm.
fn has_wasm(env: &Env) -> bool {
    shell::capture(env.command("rustc").args(["--print", "target-libdir", "--target", TARGET]))
        .is_ok_and(|folder| has_std(Path::new(&folder)))
}

/// Takes Debian's compiler when an earlier run has set it up.
fn use_debian(env: &mut Env) -> bool {
    let before = env.toolchain.replace(DEBIAN.to_owned());
    if has_wasm(env) {
        return true;
    }
    env.toolchain = before;
    false
}

/// A half-copied folder has no std: it is renamed into place when whole, and std is what we look for.
fn has_std(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
}

/// Debian's rustc with its own std built for wasm, known to rustup as `debian`.
fn by_debian(env: &Env) -> Result<()> {
    shell::step("installing Debian's Rust compiler", "1 min", || {
        packages::install(env, &["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"])?;
        // The linker must match the compiler's LLVM, whatever its number is today.
        let version = shell::capture(env.command(&debian_tool("rustc")).arg("-vV"))?;
        let llvm = llvm_major(&version).context("rustc -vV does not say its LLVM version")?;
        packages::install(env, &[&format!("lld-{llvm}")])
    })?;
    shell::step("building Rust's std for wasm", "1 min", || build_std(env))?;
    shell::capture(env.command("rustup").args(["toolchain", "link", DEBIAN, DEBIAN_PREFIX]))?;
    Ok(())
}

fn build_std(env: &Env) -> Result<()> {
    let build = env.tools.join("std-build");
    fs::create_dir_all(build.join("src"))?;
    fs::write(
        build.join("Cargo.toml"),
        "[package]\nname = \"std-build\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[profile.release]\npanic = \"abort\"\n\n[workspace]\n",
    )?;
    fs::write(build.join("src/lib.rs"), "")?;
    let mut cargo = env.command(&debian_tool("cargo"));
    cargo
        .current_dir(&build)
        .env_remove("RUSTUP_TOOLCHAIN")
        .env("RUSTC", debian_tool("rustc"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", build.join("target"))
        // Without bitcode, link-time optimisation of the app cannot reach into std.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .args([
            "build",
            "--quiet",
            "--release",
            "-Zbuild-std=std,panic_abort,panic_unwind,test",
            "--target",
            TARGET,
        ]);
    shell::run(&mut cargo)?;

    let sysroot = shell::capture(env.command(&debian_tool("rustc")).args(["--print", "sysroot"]))?;
    let folder = PathBuf::from(sysroot).join("lib/rustlib").join(TARGET);
    let partial = folder.join("lib.partial");
    let deps = build.join("target").join(TARGET).join("release/deps");
    let libraries: Vec<PathBuf> = fs::read_dir(&deps)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rlib"))
        .filter(|path| !path.to_string_lossy().contains("libstd_build"))
        .collect();
    shell::capture(packages::privileged(env, "rm").arg("-rf").args([&partial, &folder.join("lib")]))?;
    shell::capture(packages::privileged(env, "mkdir").arg("-p").arg(&partial))?;
    shell::capture(packages::privileged(env, "cp").args(libraries).arg(&partial))?;
    shell::capture(packages::privileged(env, "mv").args([partial, folder.join("lib")]))?;
    Ok(())
}

fn debian_tool(name: &str) -> String {
    format!("{DEBIAN_PREFIX}/bin/{name}")
}

/// The number before the first dot of `LLVM version: 22.1.8`.
fn llvm_major(version: &str) -> Option<&str> {
    version.lines().find_map(|line| line.strip_prefix("LLVM version: "))?.split('.').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linker_follows_the_compilers_llvm() {
        assert_eq!(llvm_major("rustc 1.96.0\nhost: x\nLLVM version: 22.1.8\n"), Some("22"));
        assert_eq!(llvm_major("rustc 1.96.0\n"), None);
    }

    #[test]
    fn an_empty_or_missing_folder_has_no_std() {
        let folder = std::env::temp_dir().join(format!("satchel-std-{}", std::process::id()));
        assert!(!has_std(&folder));
        fs::create_dir_all(&folder).unwrap();
        assert!(!has_std(&folder));
        fs::write(folder.join("libstd-c947dd3c.rlib"), "").unwrap();
        assert!(has_std(&folder));
        fs::remove_dir_all(&folder).unwrap();
    }
}

//! Where things are: the workspace, the tool folder, and the toolchain that can build wasm.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// What every chore needs to know of its surroundings, and the only maker of child processes.
#[derive(Clone)]
pub struct Env {
    /// The workspace's root folder.
    pub root: PathBuf,
    /// Where tools are kept that cargo does not bring, over clones and builds.
    pub tools: PathBuf,
    /// The rustup toolchain all children use, when the one in use cannot build wasm.
    pub toolchain: Option<String>,
}

impl Env {
    /// Reads the surroundings; changes nothing.
    pub fn discover() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the workspace")?;
        Ok(Self { root: root.to_path_buf(), tools: tool_folder()?, toolchain: None })
    }

    /// A child process in the workspace's root, with our tools first on `PATH` and our toolchain.
    ///
    /// What `cargo run` told us about xtask is taken out of its environment: build scripts would
    /// see it as a change, and `CARGO` would bind the child to the wrong toolchain.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", self.path());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name == "CARGO"
                || name == "LD_LIBRARY_PATH"
                || name.starts_with("CARGO_PKG_")
                || name.starts_with("CARGO_MANIFEST_")
            {
                command.env_remove(&*name);
            }
        }
        if let Some(toolchain) = &self.toolchain {
            command.env("RUSTUP_TOOLCHAIN", toolchain);
        }
        command
    }

    /// `cargo` with arguments, as [`Env::command`] makes it.
    pub fn cargo(&self, args: &[&str]) -> Command {
        let mut command = self.command("cargo");
        command.args(args);
        command
    }

    /// Our own bookkeeping inside cargo's target folder.
    pub fn scratch(&self) -> PathBuf {
        self.target().join("xtask")
    }

    /// Cargo's target folder.
    pub fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| self.root.join("target"), |dir| self.root.join(dir))
    }

    /// The built app.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    fn path(&self) -> OsString {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.tools.join("bin")).chain(std::env::split_paths(&old));
        // A folder with a colon in its name cannot be put on PATH; the system's is better than none.
        std::env::join_paths(folders).unwrap_or(old)
    }
}

/// `$SATCHEL_TOOLS`, or `satchel/tools` in the user's cache folder.
fn tool_folder() -> Result<PathBuf> {
    let folder = if let Some(folder) = std::env::var_os("SATCHEL_TOOLS") {
        PathBuf::from(folder)
    } else {
        let cache = std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(|home| Path::new(&home).join(".cache")))
            .context("neither SATCHEL_TOOLS, XDG_CACHE_HOME nor HOME is set: say in SATCHEL_TOOLS where tools may be kept")?;
        cache.join("satchel").join("tools")
    };
    std::path::absolute(&folder).with_context(|| format!("{} is not a folder name", folder.display()))
}

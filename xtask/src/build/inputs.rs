//! What a build is made from, to know whether it must be made again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};

use super::Target;
use super::finish::hex;
use crate::env::Env;
use crate::workspace::Workspace;

/// The files and folders a build reads.
pub struct Inputs {
    roots: Vec<PathBuf>,
}

impl Inputs {
    /// Of the app: what runs in the browser, www/, and the finishing step, which belongs to the result.
    pub fn of_app(workspace: &Workspace, env: &Env, target: &Target) -> Self {
        // In Satchel's words is what www/ says.
        let ours = ["www", "crates/page/Cargo.toml", "xtask/src/build", "xtask/src/setup"];
        let more: Vec<&str> = ours.into_iter().chain(target.files()).collect();
        Self::of(workspace, env, &target.packages(), &more)
    }

    /// Of the `satchel` program.
    pub fn of_gateway(workspace: &Workspace, env: &Env) -> Self {
        Self::of(workspace, env, &["cli"], &[])
    }

    /// Those of `packages`, of everything of ours they are built from, and `more`.
    fn of(workspace: &Workspace, env: &Env, packages: &[&str], more: &[&str]) -> Self {
        let names = workspace.closure(packages);
        let folders =
            names.iter().filter_map(|name| workspace.get(name)).map(|package| package.folder().to_path_buf());
        let shared = ["Cargo.toml", "Cargo.lock", ".cargo"];
        Self { roots: folders.chain(shared.iter().chain(more).map(|name| env.root.join(name))).collect() }
    }

    /// A hash over the names and contents: a fresh checkout of the same sources is the same.
    pub fn digest(&self) -> Result<String> {
        let mut all = Vec::new();
        for file in self.files()? {
            let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            all.extend(file.as_os_str().as_encoded_bytes());
            all.extend(text.len().to_le_bytes());
            all.extend(text);
        }
        Ok(hex(&all))
    }

    /// Names, sizes and times of change: good enough, and quick, for looking twice a second.
    pub fn glance(&self) -> Result<Vec<(PathBuf, u64, u128)>> {
        let mut seen = Vec::new();
        for file in self.files()? {
            // An editor may be replacing it right now; then the next look finds it.
            let Ok(metadata) = fs::metadata(&file) else { continue };
            let changed = metadata.modified()?.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
            seen.push((file, metadata.len(), changed));
        }
        Ok(seen)
    }

    fn files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for root in &self.roots {
            collect(root, &mut files)?;
        }
        files.sort();
        files.dedup();
        Ok(files)
    }
}

/// All files below `path`, without tests' snapshots and what editors leave behind.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if path.is_dir() {
        if matches!(&*name, "target" | "tests" | "snapshots" | "node_modules") {
            return Ok(());
        }
        for entry in fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
            collect(&entry?.path(), files)?;
        }
    } else if path.exists() && !name.ends_with('~') && !name.ends_with(".swp") {
        files.push(path.to_path_buf());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_changes_with_a_byte_or_a_name_and_with_nothing_else() {
        let folder = std::env::temp_dir().join(format!("satchel-inputs-{}", std::process::id()));
        fs::create_dir_all(folder.join("src/snapshots")).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("src/lib.rs", "one");
        let inputs = Inputs { roots: vec![folder.clone()] };
        let first = inputs.digest().unwrap();

        write("src/lib.rs", "one");
        write("src/lib.rs~", "left by an editor");
        write("src/snapshots/a.snap", "a snapshot");
        assert_eq!(inputs.digest().unwrap(), first);

        write("src/lib.rs", "two");
        let second = inputs.digest().unwrap();
        assert_ne!(second, first);

        fs::rename(folder.join("src/lib.rs"), folder.join("src/main.rs")).unwrap();
        assert_ne!(inputs.digest().unwrap(), second);
        fs::remove_dir_all(&folder).unwrap();
    }
}

//! The workspace as cargo describes it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::env::Env;
use crate::shell;

/// What the names of our libraries begin with where they are published. Here they go by the rest, which is the name they are
/// imported by.
const PUBLISHED_AS: &str = "satchel-";

/// The part of `cargo metadata` we read.
#[derive(Deserialize)]
pub struct Workspace {
    /// Our own packages.
    pub packages: Vec<Package>,
}

/// One of our packages.
#[derive(Deserialize)]
pub struct Package {
    /// The name it is imported by.
    pub name: String,
    /// The name that cargo knows it by (`--package`).
    #[serde(skip)]
    pub id: String,
    /// Its `Cargo.toml`.
    pub manifest_path: PathBuf,
    /// What it asks for, dev-dependencies included.
    pub dependencies: Vec<Dependency>,
    /// What tools other than cargo are told of it.
    #[serde(default)]
    pub metadata: Option<serde_json::Value>,
    /// Its cargo features, those of optional dependencies included.
    pub features: BTreeMap<String, Vec<String>>,
}

/// A dependency as declared.
#[derive(Deserialize)]
pub struct Dependency {
    /// The package's name.
    pub name: String,
    /// `None` for a normal one, else `dev` or `build`.
    pub kind: Option<String>,
    /// The `cfg` or triple it is limited to.
    pub target: Option<String>,
    /// Its folder, when it is one of ours.
    pub path: Option<PathBuf>,
}

impl Workspace {
    /// Asks cargo; needs no network.
    pub fn read(env: &Env) -> Result<Self> {
        let json =
            shell::capture(&mut env.cargo(&["metadata", "--format-version=1", "--no-deps", "--offline"]))?;
        let mut workspace: Self =
            serde_json::from_str(&json).context("cargo metadata prints what we expect")?;
        workspace.packages.iter_mut().for_each(Package::go_by_short_names);
        Ok(workspace)
    }

    /// The names of `roots` and of every package of ours they are built from.
    pub fn closure<'a>(&'a self, roots: &[&'a str]) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> = roots.to_vec();
        while let Some(name) = open.pop() {
            if found.insert(name)
                && let Some(package) = self.get(name)
            {
                open.extend(package.ours().map(|dependency| dependency.name.as_str()));
            }
        }
        found
    }

    /// The package of this name.
    pub fn get(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// The packages with tests for a browser, as cargo knows them: those that ask for `wasm-bindgen-test`.
    pub fn with_browser_tests(&self) -> Vec<&str> {
        let asks = |package: &&Package| {
            package.dependencies.iter().any(|dependency| dependency.name == "wasm-bindgen-test")
        };
        self.packages.iter().filter(asks).map(|package| package.id.as_str()).collect()
    }
}

impl Package {
    /// Takes the beginning that all our libraries have off its own name and off those of ours it asks for.
    fn go_by_short_names(&mut self) {
        self.id.clone_from(&self.name);
        let ours = self.dependencies.iter_mut().filter(|dependency| dependency.path.is_some());
        let names = ours.map(|dependency| &mut dependency.name);
        for name in names.chain([&mut self.name]) {
            if let Some(short) = name.strip_prefix(PUBLISHED_AS) {
                *name = short.to_owned();
            }
        }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    /// What it is built from, of ours; what only its tests use is left out.
    pub fn ours(&self) -> impl Iterator<Item = &Dependency> {
        self.shipped().filter(|dependency| dependency.path.is_some())
    }

    /// What it is built from; what only its tests use is left out.
    pub fn shipped(&self) -> impl Iterator<Item = &Dependency> {
        self.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"))
    }
}

/// The version `Cargo.lock` pins a package to, so that a tool of the same name cannot drift from it.
pub fn locked_version(lock: &str, name: &str) -> Result<String> {
    let wanted = format!("name = \"{name}\"");
    let mut lines = lock.lines().skip_while(|line| *line != wanted);
    lines
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .with_context(|| format!("Cargo.lock does not name {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_says_the_version() {
        let lock = "[[package]]\nname = \"wasm\"\nversion = \"9.9.9\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").unwrap(), "0.2.130");
        assert!(locked_version(lock, "clap").is_err());
    }

    #[test]
    fn a_library_goes_by_the_name_it_is_imported_by() {
        let mut package: Package = serde_json::from_str(
            r#"{"name": "satchel-mcp", "manifest_path": "crates/mcp/Cargo.toml", "features": {}, "dependencies": [
                {"name": "satchel-store", "kind": null, "target": null, "path": "crates/store"},
                {"name": "satchel-of-others", "kind": null, "target": null, "path": null}]}"#,
        )
        .unwrap();
        package.go_by_short_names();
        assert_eq!((&*package.name, &*package.id), ("mcp", "satchel-mcp"));
        let names: Vec<&str> = package.dependencies.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["store", "satchel-of-others"]);
    }

    #[test]
    fn a_closure_follows_what_is_shipped_and_not_what_only_tests_use() {
        let package = |name: &str, dependencies: &[(&str, Option<&str>)]| Package {
            name: name.into(),
            id: name.into(),
            manifest_path: PathBuf::from(name).join("Cargo.toml"),
            dependencies: dependencies
                .iter()
                .map(|(name, kind)| Dependency {
                    name: (*name).into(),
                    kind: kind.map(str::to_owned),
                    target: None,
                    path: Some(name.into()),
                })
                .collect(),
            metadata: None,
            features: BTreeMap::new(),
        };
        let workspace = Workspace {
            packages: vec![
                package("ui", &[("agent", None), ("todo", Some("dev"))]),
                package("agent", &[("protocol", None)]),
                package("protocol", &[]),
                package("todo", &[]),
            ],
        };
        assert_eq!(workspace.closure(&["ui"]), BTreeSet::from(["ui", "agent", "protocol"]));
    }
}

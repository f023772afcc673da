//! The files that scenarios and prompts are in.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rehearsal::read::LARGEST;

/// The folder beside scenarios that holds prompts.
const PROMPTS: &str = "prompts";

/// How many folders deep is looked: more are a circle.
const DEEPEST: usize = 32;

/// A file that was found.
#[derive(Clone, Debug)]
pub struct File {
    pub path: PathBuf,
    /// As people are told of it.
    pub name: String,
    pub text: String,
}

/// All files of a batch, and what is wrong with others.
#[derive(Debug, Default)]
pub struct Files {
    pub scenarios: Vec<File>,
    /// By the prompts' name.
    pub prompts: BTreeMap<String, File>,
    pub wrong: Vec<String>,
    /// The folders that were looked through, by where they really are.
    seen: std::collections::BTreeSet<PathBuf>,
}

impl Files {
    /// The files of these paths, in order: files as they are, folders with all that is in them.
    pub fn find(paths: &[PathBuf]) -> Self {
        let mut files = Self::default();
        for path in paths {
            if path.is_dir() {
                files.folder(path, 0);
            } else if let Some(folder) = path.parent() {
                files.prompts_beside(folder);
                files.scenario(path);
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        files.scenarios.retain(|file| seen.insert(file.name.clone()));
        if files.scenarios.is_empty() && files.wrong.is_empty() {
            let names: Vec<String> = paths.iter().map(|path| shown(path)).collect();
            files.wrong.push(format!(
                "{}: no scenario is there: their files end in .yaml, .yml or .json",
                names.join(", ")
            ));
        }
        files
    }

    fn folder(&mut self, folder: &Path, depth: usize) {
        if depth > DEEPEST {
            return self.wrong.push(format!("{}: it is over {DEEPEST} folders deep", shown(folder)));
        }
        // Two ways to one folder are one.
        if fs::canonicalize(folder).is_ok_and(|real| !self.seen.insert(real)) {
            return;
        }
        // Results of an earlier batch are nothing to play.
        if folder.join("job.json").is_file() && folder.join("runs").is_dir() {
            return;
        }
        self.prompts_beside(folder);
        for path in self.listed(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with('.') || name == PROMPTS {
                continue;
            }
            if path.is_dir() {
                self.folder(&path, depth + 1);
            } else if is_ours(&path) {
                self.scenario(&path);
            }
        }
    }

    fn listed(&mut self, folder: &Path) -> Vec<PathBuf> {
        let listed = fs::read_dir(folder).and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
        });
        match listed {
            Ok(mut paths) => {
                paths.sort();
                paths
            }
            Err(error) => {
                self.wrong.push(format!("{}: {error}", shown(folder)));
                Vec::new()
            }
        }
    }

    fn prompts_beside(&mut self, folder: &Path) {
        let folder = folder.join(PROMPTS);
        if !folder.is_dir() {
            return;
        }
        for path in self.listed(&folder) {
            let Some(name) = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()) else {
                continue;
            };
            if !is_ours(&path) || name.starts_with('.') {
                continue;
            }
            match read(&path) {
                Err(why) => self.wrong.push(why),
                Ok(file) => match self.prompts.get(&name) {
                    Some(other) if other.name != file.name => self.wrong.push(format!(
                        "{}: prompts of the name {name} are in {} too: give one another name",
                        file.name, other.name
                    )),
                    _ => {
                        self.prompts.insert(name, file);
                    }
                },
            }
        }
    }

    fn scenario(&mut self, path: &Path) {
        match read(path) {
            Ok(file) => self.scenarios.push(file),
            Err(why) => self.wrong.push(why),
        }
    }
}

fn is_ours(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| matches!(ending.as_str(), "yaml" | "yml" | "json"))
}

fn read(path: &Path) -> Result<File, String> {
    let name = shown(path);
    let fails = |error: io::Error| format!("{name}: {error}");
    let length = fs::metadata(path).map_err(fails)?.len();
    if length > LARGEST as u64 {
        return Err(format!("{name}: it is over {} MB long", LARGEST / 1_024 / 1_024));
    }
    let bytes = fs::read(path).map_err(fails)?;
    let text = String::from_utf8(bytes).map_err(|wrong| {
        let whole = wrong.as_bytes().get(..wrong.utf8_error().valid_up_to()).unwrap_or_default();
        let line = whole.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("{name}:{line}: it is no UTF-8 text")
    })?;
    Ok(File { path: path.to_path_buf(), name, text })
}

/// A path as people are told of it: from where they are, where that is shorter.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let near = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    near.unwrap_or_else(|| path.to_path_buf()).display().to_string()
}

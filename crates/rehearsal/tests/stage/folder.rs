//! Scenarios that stand in folders, with the prompts beside them: read as `satchel rehearse` reads them.

use std::fs;
use std::path::{Path, PathBuf};

use rehearsal::{PromptSpecs, Rehearsed, Scenario, read};

/// A scenario, where it stands, and the prompts that go with it.
pub struct Filed {
    pub file: PathBuf,
    pub scenario: Scenario,
    pub prompts: PromptSpecs,
}

impl Filed {
    /// Plays it once.
    pub fn play(&self) -> Rehearsed {
        super::play_with(&self.scenario, self.prompts.clone(), 1)
    }

    /// The same with another scenario.
    pub fn with(&self, scenario: Scenario) -> Self {
        Self { file: self.file.clone(), scenario, prompts: self.prompts.clone() }
    }
}

/// The examples that ship.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rehearsal")
}

/// A folder of scenarios beside these tests.
pub fn beside(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder)
}

/// All scenarios in a folder and those below it, by path; what stands in a folder `prompts` is prompts by file name.
pub fn scenarios_in(folder: &Path) -> Vec<Filed> {
    let mut all = Vec::new();
    collect(folder, &PromptSpecs::default(), &mut all);
    assert!(!all.is_empty(), "{} holds no scenario", folder.display());
    all
}

fn collect(folder: &Path, above: &PromptSpecs, all: &mut Vec<Filed>) {
    let mut prompts = above.clone();
    for file in entries(&folder.join("prompts")) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        prompts.insert(name, read::prompts(&file.display().to_string(), &text(&file)).unwrap());
    }
    for file in entries(folder) {
        if file.is_dir() {
            if !file.ends_with("prompts") {
                collect(&file, &prompts, all);
            }
        } else if file.extension().is_some_and(|extension| extension == "yaml") {
            let scenarios = read::scenarios(&file.display().to_string(), &text(&file)).unwrap();
            all.extend(scenarios.into_iter().map(|scenario| Filed {
                file: file.clone(),
                scenario,
                prompts: prompts.clone(),
            }));
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

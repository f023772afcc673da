//! The rules of the design, as checks: each names a file, a line and what to do about it.
//!
//! The rules are plain functions from a [`Tree`] to findings, so that each has tests that show it
//! can fail. They read text, not syntax: good enough for our own style, and quick.

mod arrows;
mod docs;
mod requirements;
mod shape;
mod sources;
mod waits;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::env::Env;
use crate::workspace::Workspace;

/// The project as the rules see it.
#[derive(Default)]
pub struct Tree {
    /// The text files, by their path from the root, with slashes.
    files: BTreeMap<String, String>,
    /// All files and folders, pictures included.
    paths: BTreeSet<String>,
}

/// A broken rule.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    /// From 1; `None` when it is about the whole file.
    line: Option<usize>,
    text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.text),
            None => write!(f, "{}: {}", self.path, self.text),
        }
    }
}

type Rule = fn(&Tree, &Workspace) -> Vec<Finding>;

/// The rules, packages first, then sources, then texts.
const RULES: [Rule; 23] = [
    arrows::who_may_import_whom,
    arrows::foreign_crates_stay_at_the_edges,
    arrows::no_features,
    arrows::lints_are_inherited,
    shape::every_arrow_is_used,
    shape::to_dos_are_named_at_home,
    shape::modules_do_not_go_in_circles,
    shape::the_core_knows_no_skill,
    shape::the_page_reads_no_test_ids,
    sources::files_open_with_what_they_are,
    sources::cfg_on_modules_of_the_store_only,
    sources::no_clock_and_no_random_below_the_edges,
    sources::large_generic_code_is_in_the_page_once,
    sources::no_js_value_in_public_items,
    sources::nothing_is_left_for_later,
    sources::the_worker_script_is_short,
    sources::words_of_the_page_stand_in_i18n,
    waits::what_may_be_gone_is_asked_first,
    docs::links_lead_somewhere,
    docs::the_architecture_names_what_exists,
    docs::the_code_map_says_the_arrows,
    requirements::requirements_exist,
    requirements::requirements_are_shown,
];

/// Runs all rules; fails when one is broken.
pub fn check(env: &Env) -> Result<()> {
    let tree = Tree::read(&env.root)?;
    let workspace = Workspace::read(env)?;
    for note in sources::long_files(&tree) {
        println!("note: {note}");
    }
    let findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&tree, &workspace)).collect();
    for finding in &findings {
        eprintln!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("{} rules hold in {} files", RULES.len(), tree.files.len());
            Ok(())
        }
        1 => bail!("one rule of the design is broken"),
        count => bail!("rules of the design are broken in {count} places"),
    }
}

/// [`check`] as a command of its own.
pub fn report(env: &Env) -> Result<ExitCode> {
    check(env).map(|()| ExitCode::SUCCESS)
}

impl Tree {
    /// Reads everything that is ours.
    fn read(root: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.collect(root, "")?;
        Ok(tree)
    }

    fn collect(&mut self, root: &Path, prefix: &str) -> Result<()> {
        for entry in fs::read_dir(root.join(prefix)).with_context(|| format!("cannot list {prefix}"))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
            if entry.file_type()?.is_dir() {
                if matches!(name.as_str(), ".git" | "target" | "dist" | "node_modules") {
                    continue;
                }
                self.collect(root, &path)?;
            } else if [".rs", ".md", ".toml", ".js", ".css", ".html"].iter().any(|end| name.ends_with(end)) {
                let text = fs::read_to_string(entry.path()).with_context(|| format!("cannot read {path}"))?;
                self.files.insert(path.clone(), text);
            }
            self.paths.insert(path);
        }
        Ok(())
    }

    /// The files whose name ends so.
    fn ending<'a>(&'a self, end: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .filter(move |(path, _)| path.ends_with(end))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Whether there is such a file or folder.
    fn exists(&self, path: &str) -> bool {
        self.paths.contains(path.trim_end_matches('/'))
    }

    /// A tree of these files, for tests.
    #[cfg(test)]
    fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            for (slash, _) in path.match_indices('/') {
                tree.paths.insert(path[..slash].to_owned());
            }
            tree.paths.insert((*path).to_owned());
            tree.files.insert((*path).to_owned(), (*text).to_owned());
        }
        tree
    }
}

/// A finding about a line, counted from 0 as iterators do.
fn at(path: &str, index: usize, text: impl Into<String>) -> Finding {
    Finding { path: path.to_owned(), line: Some(index + 1), text: text.into() }
}

/// A finding about a whole file.
fn about(path: &str, text: impl Into<String>) -> Finding {
    Finding { path: path.to_owned(), line: None, text: text.into() }
}

/// Whether `word` is in `line` with nothing of a name directly before and behind it.
fn has_word(line: &str, word: &str) -> bool {
    let of_a_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(start, _)| {
        !line[..start].chars().next_back().is_some_and(of_a_name)
            && !line[start + word.len()..].chars().next().is_some_and(of_a_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_read_like_a_compilers() {
        assert_eq!(at("a.rs", 2, "is wrong").to_string(), "a.rs:3: is wrong");
        assert_eq!(about("a.rs", "is wrong").to_string(), "a.rs: is wrong");
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("a (word)", "word"));
        assert!(!has_word("a sword, words, word_s", "word"));
    }
}

//! Words in catalogues (docs/adr/0075-languages.md).
#![doc = include_str!("../README.md")]

mod pattern;
mod rust;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use fluent_syntax::ast::Entry;
use fluent_syntax::parser;

use pattern::Reader;
pub use pattern::{Kind, Variable, pseudo};

/// The language that the functions have in them.
pub const FIRST: &str = "en";

/// A message of a catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it is called: `more-about`.
    pub id: String,
    /// The comment above it.
    pub doc: String,
    /// What is said in it, in the order of the function's arguments: that of the comment, then of the text.
    pub variables: Vec<Variable>,
    /// Its text as a page reads it (`ui_kit::language`).
    pub pattern: String,
}

/// The messages of a file, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// The file's name without its end: `planner`.
    pub name: String,
    /// What is in it.
    pub messages: Vec<Message>,
}

/// For `build.rs`: makes `OUT_DIR/<area>.rs` of each `locales/en/<area>.ftl` of the crate.
///
/// # Panics
/// When a file cannot be read or is no such catalogue: the build stops with what is wrong.
pub fn build() {
    let run = || -> Result<()> {
        let var = |name: &str| env::var(name).with_context(|| format!("{name} is set by cargo"));
        let (folder, out) = (PathBuf::from(var("CARGO_MANIFEST_DIR")?), PathBuf::from(var("OUT_DIR")?));
        println!("cargo::rerun-if-changed=locales/{FIRST}");
        let name =
            folder.file_name().and_then(|name| name.to_str()).context("the crate's folder has a name")?;
        let is_kit = name == "ui-kit";
        for area in read(&folder)? {
            let kit = if is_kit { "crate::language" } else { "::ui_kit::language" };
            let of = key(name, &area.name);
            fs::write(out.join(format!("{}.rs", area.name)), rust::functions(&area, &of, kit)?)?;
        }
        Ok(())
    };
    if let Err(why) = run() {
        panic!("{why:#}");
    }
}

/// What an area of a crate is called in the file of a translation.
#[must_use]
pub fn key(of_crate: &str, area: &str) -> String {
    format!("{of_crate}/{area}")
}

/// The catalogues of a crate in the first language.
///
/// # Errors
/// When a file cannot be read or is no catalogue as this crate takes it.
pub fn read(of_crate: &Path) -> Result<Vec<Area>> {
    let folder = of_crate.join("locales").join(FIRST);
    names(&folder)?.into_iter().map(|name| read_area(&folder, &name, None)).collect()
}

/// A translation of a crate's catalogues: by area, the texts in the order of the first language.
///
/// # Errors
/// When a file is missing or one too many, when it is no catalogue, or when its messages are not those of the first language.
pub fn translated(of_crate: &Path, language: &str) -> Result<BTreeMap<String, Vec<String>>> {
    let folder = of_crate.join("locales").join(language);
    let first = read(of_crate)?;
    if let Some(more) = names(&folder)?.into_iter().find(|name| first.iter().all(|area| area.name != *name)) {
        bail!("{}/{more}.ftl translates nothing", folder.display());
    }
    first
        .into_iter()
        .map(|area| {
            let there = read_area(&folder, &area.name, Some(&area))?;
            let texts = there.messages.into_iter().map(|message| message.pattern).collect();
            Ok((area.name, texts))
        })
        .collect()
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = BTreeSet::new();
    for entry in entries {
        let name = entry?.file_name();
        let name = name.to_str().and_then(|name| name.strip_suffix(".ftl"));
        names.insert(name.with_context(|| format!("{} holds .ftl files", folder.display()))?.to_owned());
    }
    Ok(names.into_iter().collect())
}

/// Reads a file; as a translation of `first` in its order, where that is given.
fn read_area(folder: &Path, name: &str, first: Option<&Area>) -> Result<Area> {
    let path = folder.join(format!("{name}.ftl"));
    let source = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(name, &source, first).with_context(|| format!("in {}", path.display()))
}

/// Reads the text of a file; as a translation of `first` in its order, where that is given.
///
/// # Errors
/// When it is no catalogue as this crate takes it, or no translation of that.
pub fn parse(name: &str, source: &str, first: Option<&Area>) -> Result<Area> {
    let resource = parser::parse(source).map_err(|(_, errors)| {
        let line = |at: usize| source[..at.min(source.len())].lines().count().max(1);
        let errors: Vec<String> =
            errors.iter().map(|error| format!("line {}: {}", line(error.pos.start), error.kind)).collect();
        anyhow::anyhow!(errors.join("; "))
    })?;
    let mut messages: Vec<Message> = Vec::new();
    for entry in resource.body {
        let message = match entry {
            Entry::Message(message) => message,
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => continue,
            Entry::Term(term) => bail!("-{} is a term: those there are, are said by the app", term.id.name),
            Entry::Junk { content } => bail!("this is nothing: {content}"),
        };
        let id = message.id.name.to_owned();
        let of = first.map(|first| first.messages.iter().find(|message| message.id == id));
        if of == Some(None) {
            bail!("{id} translates nothing");
        }
        if messages.iter().any(|message| message.id == id) {
            bail!("{id} is there twice");
        }
        let value = message.value.filter(|_| message.attributes.is_empty());
        let value = value.with_context(|| format!("{id} has no text, or attributes"))?;
        let doc = message.comment.map(|comment| comment.content.join("\n")).unwrap_or_default();
        let mut reader = match of.flatten() {
            Some(of) => Reader::of(of.variables.clone()),
            None => Reader::described_by(&doc),
        };
        let pattern = reader.pattern(&value).with_context(|| format!("in {id}"))?;
        messages.push(Message { id, doc, variables: reader.variables, pattern });
    }
    if let Some(first) = first {
        let find = |one: &Message| messages.iter().find(|other| other.id == one.id).cloned();
        let in_order: Result<Vec<Message>> = first
            .messages
            .iter()
            .map(|one| find(one).with_context(|| format!("{} is not translated", one.id)))
            .collect();
        messages = in_order?;
        for (one, other) in first.messages.iter().zip(&messages) {
            pattern::compare(&one.pattern, &other.pattern, &one.variables)
                .with_context(|| format!("in {}", one.id))?;
        }
    }
    Ok(Area { name: name.to_owned(), messages })
}

#[cfg(test)]
mod tests;

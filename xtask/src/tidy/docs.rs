//! Rules about our texts: what they name exists.

use std::collections::BTreeSet;

use super::arrows::ARROWS;
use super::{Finding, Tree, about, at, has_word};
use crate::workspace::Workspace;

const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// Relative links lead to a file of ours.
pub fn links_lead_somewhere(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".md") {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (index, line) in prose(text) {
            for target in link_targets(line) {
                let file = target.split('#').next().unwrap_or_default();
                if file.is_empty() || file.contains("://") || file.starts_with("mailto:") {
                    continue;
                }
                if !resolve(folder, file).is_some_and(|file| tree.exists(&file)) {
                    findings.push(at(path, index, format!("the link to {target} leads nowhere")));
                }
            }
        }
    }
    findings
}

/// What ARCHITECTURE.md puts in backticks exists: paths as files or folders, names of types as words
/// of our sources.
pub fn the_architecture_names_what_exists(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let Some(text) = tree.files.get(ARCHITECTURE) else {
        return vec![about(ARCHITECTURE, "is missing")];
    };
    let mut findings = Vec::new();
    for (index, line) in prose(text) {
        for name in line.split('`').skip(1).step_by(2) {
            let known = if is_path(tree, name) {
                tree.exists(name)
            } else if is_type(name) {
                name.split("::").all(|part| tree.ending(".rs").any(|(_, source)| has_word(source, part)))
            } else {
                true
            };
            if !known {
                findings.push(at(ARCHITECTURE, index, format!("names {name}, which does not exist")));
            }
        }
    }
    findings
}

/// The code map of ARCHITECTURE.md has a row for each package, with the arrows of the table.
pub fn the_code_map_says_the_arrows(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let Some(text) = tree.files.get(ARCHITECTURE) else { return Vec::new() };
    let mut findings = Vec::new();
    for (package, allowed) in ARROWS {
        let places = [format!("`crates/{package}`"), format!("`{package}`")];
        let row = prose(text).find_map(|(index, line)| {
            let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").map(str::trim).collect();
            (line.starts_with('|') && places.iter().any(|place| place == cells[0]))
                .then(|| (index, cells.last().copied().unwrap_or_default()))
        });
        let Some((index, cell)) = row else {
            findings.push(about(ARCHITECTURE, format!("the code map has no row for {package}")));
            continue;
        };
        let said: BTreeSet<&str> = cell.split('`').skip(1).step_by(2).collect();
        if said != allowed.iter().copied().collect() {
            let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
            findings.push(at(
                ARCHITECTURE,
                index,
                format!("{package} may use {allowed} of ours, and the code map says something else"),
            ));
        }
    }
    findings
}

/// The lines of a text outside its code blocks, with their index.
pub fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// What stands in the round brackets of the line's links, without their titles.
fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next()?.split_whitespace().next())
}

/// `file` as seen from `folder`; `None` when it leads out of the project.
fn resolve(folder: &str, file: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether the text means a file or folder of ours: it begins with one, or ends like a file.
fn is_path(tree: &Tree, name: &str) -> bool {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let like_a_file =
        [".rs", ".md", ".toml", ".js"].iter().any(|end| name.ends_with(end)) && name != "satchel.toml";
    plain && (like_a_file || name.split_once('/').is_some_and(|(first, _)| tree.exists(first)))
}

/// Whether the text is the name of a type of ours, or a path to one.
fn is_type(name: &str) -> bool {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':');
    plain
        && (name.contains("::")
            || (name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.contains(|c: char| c.is_ascii_lowercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rule: fn(&Tree, &Workspace) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
        rule(&Tree::of(files), &Workspace { packages: vec![] }).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn dead_links_are_found() {
        let files = [
            (
                "README.md",
                "[a](docs/adr/README.md#top) [b](docs/gone.md \"title\") [c](https://example.com/x) [d](#here)\n```\n[e](gone.md)\n```\n",
            ),
            ("docs/adr/README.md", "![up](../../README.md) [out](../../../x.md)"),
        ];
        assert_eq!(
            texts(links_lead_somewhere, &files),
            [
                "README.md:1: the link to docs/gone.md leads nowhere",
                "docs/adr/README.md:1: the link to ../../../x.md leads nowhere"
            ]
        );
    }

    #[test]
    fn names_that_do_not_exist_are_found() {
        let files = [
            (
                "ARCHITECTURE.md",
                "`crates/mcp` `crates/gone` `www/sw.js` `gone.rs` `tools/call` `api/` `Server` `Gone` `mcp::Server` `store::Gone` `satchel.toml`",
            ),
            ("crates/mcp/src/lib.rs", "//! mcp, store\npub struct Server;"),
            ("www/sw.js", ""),
        ];
        let gone = ["crates/gone", "gone.rs", "Gone", "store::Gone"]
            .map(|name| format!("ARCHITECTURE.md:1: names {name}, which does not exist"));
        assert_eq!(texts(the_architecture_names_what_exists, &files), gone);
        assert_eq!(texts(the_architecture_names_what_exists, &files[1..]), ["ARCHITECTURE.md: is missing"]);
    }

    #[test]
    fn the_code_map_is_compared_with_the_table() {
        let row = |package: &str, allowed: &[&str]| {
            let allowed = allowed.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            format!(
                "| `crates/{package}` | what it is, `with` code | {} |\n",
                if allowed.is_empty() { "nothing" } else { &allowed }
            )
        };
        let map: Vec<String> = ARROWS.iter().map(|(package, allowed)| row(package, allowed)).collect();
        assert_eq!(texts(the_code_map_says_the_arrows, &[("ARCHITECTURE.md", &map.concat())]), [""; 0]);

        let without_cli = map[..map.len() - 1].concat();
        assert_eq!(
            texts(the_code_map_says_the_arrows, &[("ARCHITECTURE.md", without_cli.as_str())]),
            ["ARCHITECTURE.md: the code map has no row for cli"]
        );

        let other = without_cli + &row("cli", &["terminal", "tools"]);
        let last = ARROWS.len();
        let allowed = ARROWS[last - 1].1.join(", ");
        assert_eq!(
            texts(the_code_map_says_the_arrows, &[("ARCHITECTURE.md", &other)]),
            [format!(
                "ARCHITECTURE.md:{last}: cli may use {allowed} of ours, and the code map says something else"
            )]
        );
    }
}

//! Rules about the shape of the whole: who knows whom inside a package, and what knows of which assistant.
//!
//! Where the tree is not there yet a rule has a ceiling: it holds what was reached, and is lowered with every step.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Tree, about, at, has_word};
use crate::workspace::Workspace;

/// The most modules of a package that may know each other in a circle.
const CIRCLE: usize = 3;

/// Packages whose modules are counted one by one however deep they lie: a folder around a circle does not hide it.
const EACH_MODULE: [&str; 1] = ["builtin"];

/// Where the built-in model's core is, and what it does not know: a skill. Its root has the list of skills.
const CORE: &str = "crates/builtin/src/";
const SKILLS: [&str; 1] = ["todo"];

/// The most places of the page that look for something by its test id.
const TEST_IDS: usize = 0;

/// Where the word for to-dos may stand outside their own crate, and why.
const TODO_AT_HOME: [(&str, &str); 24] = [
    ("crates/todo/", "it is theirs"),
    ("crates/ui-todo/", "their screen"),
    ("crates/page/", "the app that keeps them"),
    ("crates/builtin/src/todo/", "their grammar in the built-in model"),
    ("crates/builtin/src/lib.rs", "the list of its skills"),
    ("crates/builtin/src/phrases.rs", "English words"),
    ("crates/builtin/src/spelling.rs", "English words"),
    ("crates/builtin/src/german", "German words for the English ones of the skills"),
    ("crates/dates/src/when.rs", "English words"),
    ("crates/terminal/", "what a call would do to them, in words; its tools are still called after them"),
    ("crates/cli/", "the same"),
    ("crates/api/", "the same"),
    ("crates/api-nats/", "the same"),
    ("crates/local/src/lib.rs", "a host's list of domains"),
    ("service-worker/src/lib.rs", "a host's list of domains"),
    ("crates/protocol/src/tool.rs", "names of tools as they were saved before"),
    ("crates/tools/src/server.rs", "names of tools as clients have learnt them"),
    ("crates/agent/src/told.rs", "what was told as it was saved before"),
    ("crates/agent/src/memory.rs", "an example for a model"),
    ("crates/memory/src/save.rs", "what is no memory, told to a model"),
    ("crates/evidence/", "English words"),
    ("crates/llm/src/route/", "English words"),
    ("crates/gateway/src/api.rs", "a host's list of skills"),
    ("crates/gateway/src/relay/agent.rs", "the name of a switch in the page"),
];

/// What a file says before its tests, without comments; a line of a comment is empty.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let shipped = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = shipped.lines().map(|line| line.split("// ").next().unwrap_or_default());
    lines.enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The shipped sources, by their packages' folders.
fn shipped(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs");
    tree.ending(".rs").filter(move |(path, _)| {
        ["crates/", "service-worker/", "examples/"].iter().any(|folder| path.starts_with(folder))
            && path.contains("/src/")
            && !is_test(path)
    })
}

/// Where a shipped package is.
fn folder(tree: &Tree, package: &str) -> Option<String> {
    let example = package.strip_suffix("-worker").map(|app| format!("examples/{app}/worker"));
    [format!("crates/{package}"), package.to_owned(), format!("examples/{package}")]
        .into_iter()
        .chain(example)
        .find(|folder| tree.exists(&format!("{folder}/src")))
}

/// A package that is not used is not imported: the code map would say what is not so.
pub fn every_arrow_is_used(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let Some(folder) = folder(tree, &package.name) else { continue };
        let (sources, build) = (format!("{folder}/src/"), format!("{folder}/build.rs"));
        let is_source = |path: &str| path.starts_with(&sources) || path == build;
        let texts: Vec<&str> =
            tree.ending(".rs").filter(|(path, _)| is_source(path)).map(|(_, text)| text).collect();
        for dependency in package.ours() {
            let name = dependency.name.replace('-', "_");
            let is_used =
                |text: &&str| text.contains(&format!("{name}::")) || text.contains(&format!("use {name}"));
            if !texts.is_empty() && !texts.iter().any(is_used) {
                findings.push(about(
                    &format!("{folder}/Cargo.toml"),
                    format!("{} is imported and not used", dependency.name),
                ));
            }
        }
    }
    findings
}

/// The to-dos are one assistant among several: who is none of theirs does not name them.
pub fn to_dos_are_named_at_home(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in shipped(tree) {
        if TODO_AT_HOME.iter().any(|(home, _)| path.starts_with(home)) {
            continue;
        }
        for (index, line) in code(text) {
            let line = line.to_lowercase();
            if ["todo", "todos", "to-do", "to-dos"].iter().any(|word| has_word(&line, word))
                || line.contains("todo_")
            {
                findings.push(at(
                    path,
                    index,
                    "this names the to-dos, and is not theirs (xtask/src/tidy/shape.rs)",
                ));
            }
        }
    }
    findings
}

/// Modules that know each other in a circle cannot be read or split one by one.
pub fn modules_do_not_go_in_circles(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let Some(folder) = folder(tree, &package.name) else { continue };
        let sources = format!("{folder}/src/");
        let is_deep = EACH_MODULE.contains(&package.name.as_str());
        let knows = if is_deep { deep_imports(tree, &sources) } else { imports(tree, &sources) };
        let circle = largest_circle(&knows);
        if circle.len() > CIRCLE {
            let text = format!(
                "{} modules know each other in a circle, at most {CIRCLE} may: {}",
                circle.len(),
                circle.join(", ")
            );
            findings.push(about(&format!("{folder}/src"), text));
        }
    }
    findings
}

/// The built-in model's core knows none of its skills: what they share is the core's.
pub fn the_core_knows_no_skill(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in shipped(tree) {
        let Some(inside) = path.strip_prefix(CORE) else { continue };
        if inside == "lib.rs" || SKILLS.iter().any(|skill| inside.starts_with(&format!("{skill}/"))) {
            continue;
        }
        for (index, line) in code(text) {
            if SKILLS.iter().any(|skill| line.contains(&format!("crate::{skill}"))) {
                findings.push(at(path, index, "the core of the built-in model knows a skill"));
            }
        }
    }
    findings
}

/// Which modules of a package import which, each by its path below the sources: `todo/adding`.
fn deep_imports<'a>(tree: &'a Tree, sources: &str) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let module = |path: &'a str| {
        let inside = path.get(sources.len()..)?.strip_suffix(".rs")?;
        Some(inside.strip_suffix("/mod").unwrap_or(inside))
    };
    let texts: BTreeMap<&str, &str> = shipped(tree)
        .filter(|(path, _)| path.starts_with(sources))
        .filter_map(|(path, text)| Some((module(path)?, text)))
        .filter(|(module, _)| !matches!(*module, "lib" | "main"))
        .collect();
    let named = |path: &str| {
        // The longest beginning of a path that is a module.
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        ends.filter_map(|end| texts.get_key_value(&path[..end])).next_back().map(|(module, _)| *module)
    };
    let mut knows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (module, text) in &texts {
        let text: String = code(text).map(|(_, line)| format!("{line}\n")).collect();
        let found = paths(&text).into_iter().filter_map(|path| named(&path));
        knows.insert(module, found.filter(|other| other != module).collect());
    }
    knows
}

/// The paths that follow `crate::`, with `/` between their names; each of a group.
fn paths(text: &str) -> Vec<String> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let mut paths = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
        let (path, rest) = rest.split_at(end);
        let path = path.replace("::", "/");
        match rest.strip_prefix('{').and_then(|group| group.split('}').next()) {
            Some(group) => {
                paths.extend(group.split(',').map(|name| format!("{path}{}", name.trim().replace("::", "/"))))
            }
            None => paths.push(path),
        }
    }
    paths
}

/// Which modules at the top of a package import which.
fn imports<'a>(tree: &'a Tree, sources: &str) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut texts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, text) in shipped(tree) {
        let Some(inside) = path.strip_prefix(sources) else { continue };
        let module = inside.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        texts.entry(module).or_default().push(text);
    }
    let modules: BTreeSet<&str> =
        texts.keys().copied().filter(|module| !matches!(*module, "lib" | "main")).collect();
    let mut knows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for module in &modules {
        let others = knows.entry(module).or_default();
        for line in texts[module].iter().flat_map(|text| code(text)).map(|(_, line)| line) {
            for (at, _) in line.match_indices("crate::") {
                let rest = &line[at + "crate::".len()..];
                let name: &str = rest
                    .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
                    .next()
                    .unwrap_or_default();
                if let Some(other) = modules.get(name).filter(|other| *other != module) {
                    others.insert(other);
                }
            }
        }
    }
    knows
}

/// The most modules that reach each other.
fn largest_circle<'a>(knows: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Vec<&'a str> {
    let reached = |from: &'a str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            for next in knows.get(module).into_iter().flatten() {
                if seen.insert(*next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        knows.keys().map(|module| (*module, reached(module))).collect();
    let circle = |module: &'a str| -> Vec<&'a str> {
        reach[module]
            .iter()
            .copied()
            .filter(|other| reach.get(other).is_some_and(|back| back.contains(module)))
            .collect()
    };
    knows.keys().map(|module| circle(module)).max_by_key(Vec::len).unwrap_or_default()
}

/// Test ids are for tests: the page does not find its own parts by them.
pub fn the_page_reads_no_test_ids(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    test_ids_read(tree, TEST_IDS)
}

fn test_ids_read(tree: &Tree, most: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in shipped(tree).filter(|(path, _)| path.starts_with("crates/ui")) {
        let reads = |(_, line): &(usize, &str)| line.contains("[data-testid") || line.contains("by_testid(");
        for (index, _) in code(text).filter(reads) {
            findings.push(at(path, index, "the page looks for something by its test id"));
        }
    }
    if findings.len() > most { findings } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        Tree::of(files)
    }

    #[test]
    fn a_circle_is_found_however_long_it_is() {
        let files = [
            ("crates/a/src/lib.rs", "mod one; mod two;"),
            ("crates/a/src/one.rs", "use crate::two::Two;"),
            ("crates/a/src/two/mod.rs", "use crate::three;"),
            ("crates/a/src/two/inner.rs", "// crate::five\n"),
            ("crates/a/src/three.rs", "fn f() { crate::four::g() }"),
            ("crates/a/src/four.rs", "use crate::one;\n#[cfg(test)]\nmod tests { use crate::five; }"),
            ("crates/a/src/five.rs", "use crate::one;"),
        ];
        let tree = tree(&files);
        let knows = imports(&tree, "crates/a/src/");
        assert_eq!(largest_circle(&knows), ["four", "one", "three", "two"]);
    }

    #[test]
    fn a_circle_is_found_in_a_folder_too() {
        let files = [
            ("crates/a/src/lib.rs", "mod one; mod two;"),
            ("crates/a/src/one.rs", "use crate::two::{\n    three::Three,\n    four,\n};"),
            ("crates/a/src/two/mod.rs", "mod three; mod four;"),
            ("crates/a/src/two/three.rs", "use crate::one::f;"),
            ("crates/a/src/two/four.rs", "fn f() { crate::two::three::g() }"),
            ("crates/a/src/two/five.rs", "use crate::one;"),
        ];
        let tree = tree(&files);
        let knows = deep_imports(&tree, "crates/a/src/");
        assert_eq!(largest_circle(&knows), ["one", "two/four", "two/three"]);
    }

    #[test]
    fn the_core_may_not_know_a_skill() {
        let rows = [
            ("crates/builtin/src/run.rs", "use crate::todo::known;", true),
            ("crates/builtin/src/run.rs", "// crate::todo", false),
            ("crates/builtin/src/todo/plan.rs", "use crate::todo::known;", false),
            ("crates/builtin/src/lib.rs", "pub use crate::todo::TODO_SKILL;", false),
        ];
        for (path, text, expected) in rows {
            let found = the_core_knows_no_skill(&tree(&[(path, text)]), &Workspace { packages: vec![] });
            assert_eq!(!found.is_empty(), expected, "{path}: {text}");
        }
    }

    #[test]
    fn to_dos_are_named_in_code_at_home_only() {
        let rows = [
            ("crates/todo/src/lib.rs", "todo_list", false),
            ("crates/tools/src/call.rs", "let x = \"todo_list\";", true),
            ("crates/tools/src/call.rs", "// as todo_list does\nlet x = 1; // to-dos", false),
            ("crates/tools/src/call.rs", "struct TodoLater;", false),
            ("crates/tools/src/call.rs", "a(\"your to-dos\")", true),
            ("crates/tools/src/tests/call.rs", "todo_list", false),
        ];
        for (path, text, expected) in rows {
            let found = to_dos_are_named_at_home(&tree(&[(path, text)]), &Workspace { packages: vec![] });
            assert_eq!(!found.is_empty(), expected, "{path}: {text}");
        }
    }

    #[test]
    fn the_page_may_have_test_ids_and_not_read_them() {
        let rows = [
            ("view! { <p data-testid=\"a\"/> }", false),
            ("document.query_selector(\"[data-testid=a]\")", true),
        ];
        for (text, expected) in rows {
            let found = test_ids_read(&tree(&[("crates/ui/src/a.rs", text)]), 0);
            assert_eq!(!found.is_empty(), expected, "{text}");
        }
    }
}

//! Rules about requirements: what is cited exists, and each of a conversation's is shown somewhere.

use super::docs::prose;
use super::{Finding, Tree, about, at};
use crate::workspace::Workspace;

/// The table of what shows each requirement.
const TABLE: &str = "docs/requirements.md";

/// The groups of requirements, and the last number of each.
const REQUIREMENTS: [(&str, u32); 6] =
    [("S0", 64), ("S1", 39), ("S2", 30), ("S3", 37), ("S4", 33), ("D", 22)];

/// The groups that the table has a row for, each line of them.
const SHOWN: [&str; 5] = ["S0", "S1", "S2", "S3", "S4"];

/// A requirement that is cited exists.
pub fn requirements_exist(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in [".rs", ".md", ".js", ".css"].iter().flat_map(|end| tree.ending(end)) {
        for (index, line) in text.lines().enumerate() {
            for word in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
                if let Some((group, number)) = citation(word)
                    && !exists(group, number)
                {
                    findings.push(at(path, index, format!("cites {word}, which is no requirement")));
                }
            }
        }
    }
    findings
}

/// A word like `D-17` or `S1-30`, in its two parts.
fn citation(word: &str) -> Option<(&str, &str)> {
    let (group, number) = word.split_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let cited = (group == "D" || group.strip_prefix('S').is_some_and(digits)) && digits(number);
    cited.then_some((group, number))
}

fn exists(group: &str, number: &str) -> bool {
    let last = REQUIREMENTS.iter().find(|(name, _)| *name == group).map_or(0, |(_, last)| *last);
    number.len() == 2 && number.parse().is_ok_and(|number: u32| (1..=last).contains(&number))
}

/// The table has one row for each requirement, in order, and what a row names is a test, a file or a folder of ours. A
/// row that names nothing says that it is open or excepted.
pub fn requirements_are_shown(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let Some(text) = tree.files.get(TABLE) else { return vec![about(TABLE, "is missing")] };
    let wanted = REQUIREMENTS
        .iter()
        .filter(|(group, _)| SHOWN.contains(group))
        .flat_map(|(group, last)| (1..=*last).map(move |number| format!("{group}-{number:02}")));
    let mut rows = prose(text)
        .filter_map(|(index, line)| {
            let mut cells = line.trim().strip_prefix('|')?.strip_suffix('|')?.split(" | ").map(str::trim);
            let id = cells.next().filter(|id| citation(id).is_some())?;
            Some((index, id, cells.last().unwrap_or_default()))
        })
        .peekable();
    let mut findings = Vec::new();
    for id in wanted {
        let Some((index, _, shown)) = rows.next_if(|(_, row, _)| *row == id) else {
            let row = format!("{id} has no row in its place");
            findings
                .push(rows.peek().map_or_else(|| about(TABLE, &row), |(index, ..)| at(TABLE, *index, &row)));
            return findings;
        };
        let named: Vec<&str> = shown.split('`').skip(1).step_by(2).collect();
        if named.is_empty() && !["open", "excepted"].iter().any(|word| shown.starts_with(word)) {
            findings.push(at(TABLE, index, format!("{id} names nothing, and does not say that it is open")));
        }
        let gone = named.into_iter().filter(|name| !is_there(tree, name));
        findings.extend(gone.map(|name| at(TABLE, index, format!("names {name}, which does not exist"))));
    }
    findings.extend(rows.map(|(index, id, _)| at(TABLE, index, format!("{id} is in no place of its own"))));
    findings.extend(capabilities_without(tree, text));
    findings
}

/// What the table of capabilities names and is not there: each side of a row names a test or says why it has none.
fn capabilities_without(tree: &Tree, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rows = prose(text).skip_while(|(_, line)| !line.starts_with("| Capability |")).skip(2);
    for (index, line) in rows.take_while(|(_, line)| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
        for side in cells.iter().skip(1) {
            let mut named = side.split('`').skip(1).step_by(2).peekable();
            let is_explained = ["none", "open"].iter().any(|word| side.starts_with(word));
            if named.peek().is_none() && !is_explained {
                findings.push(at(TABLE, index, format!("{} names nothing, and does not say why", cells[0])));
            }
            let gone = named.filter(|name| !is_there(tree, name));
            findings.extend(gone.map(|name| at(TABLE, index, format!("names {name}, which does not exist"))));
        }
    }
    findings
}

/// Whether there is such a file or folder, or such a test in a file.
fn is_there(tree: &Tree, name: &str) -> bool {
    let Some((path, test)) = name.split_once("::") else { return tree.exists(name) };
    let Some(source) = tree.files.get(path) else { return false };
    let start = format!("fn {test}(");
    let before = source.find(&start).map(|at| &source[..at]);
    // The attributes stand directly before it: nothing else ends between them and the name.
    let attributes = before.map(|before| before.rsplit(['}', ';']).next().unwrap_or_default());
    attributes.is_some_and(|attributes| attributes.contains("test]") || attributes.contains("test("))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rule: fn(&Tree, &Workspace) -> Vec<Finding>, files: &[(&str, &str)]) -> Vec<String> {
        rule(&Tree::of(files), &Workspace { packages: vec![] }).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn capabilities_without_a_test_are_found() {
        let table = "| Capability | In words | By hand |\n|---|---|---|\n| add | `a.rs::adds` | none: x |\n| move | `a.rs::gone` | nothing |\n";
        let tree = Tree::of(&[("a.rs", "#[test]\nfn adds() {}")]);
        let found: Vec<String> = capabilities_without(&tree, table).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("a.rs::gone") && found[1].contains("move names nothing"), "{found:?}");
    }

    #[test]
    fn requirements_that_do_not_exist_are_found() {
        let fine = ("a.rs", "// D-17 (S1-30, S0-64) UTF-8 SHA-256 ID-99 S-1 D-x");
        assert_eq!(texts(requirements_exist, &[fine]), [""; 0]);
        // Group and number apart, or this file would cite them.
        for (group, number) in
            [("D", "23"), ("D", "5"), ("D", "00"), ("S1", "40"), ("S5", "01"), ("S0", "064")]
        {
            let found = texts(requirements_exist, &[("b.md", &format!("see {group}-{number}."))]);
            assert_eq!(found, [format!("b.md:1: cites {group}-{number}, which is no requirement")]);
        }
    }

    /// A table in which each row says the same.
    fn table(shown: &str) -> String {
        let rows =
            REQUIREMENTS.iter().filter(|(group, _)| SHOWN.contains(group)).flat_map(|(group, last)| {
                (1..=*last).map(move |number| format!("| {group}-{number:02} | what | {shown} |\n"))
            });
        rows.collect()
    }

    #[test]
    fn every_requirement_is_shown_by_something_that_exists() {
        let source =
            ("a.rs", "fn helper() {}\n#[test]\nfn works() {}\n#[tokio::test]\nasync fn waits() {}\n");
        let found = |table: &str| texts(requirements_are_shown, &[(TABLE, table), source]);
        assert_eq!(found(&table("`a.rs::works`, `a.rs::waits`, `a.rs` (in part)")), [""; 0]);
        assert_eq!(found(&table("open")), [""; 0]);
        assert_eq!(texts(requirements_are_shown, &[source]), [format!("{TABLE}: is missing")]);

        let all = table("open").lines().count();
        for gone in ["a.rs::helper", "a.rs::gone", "gone.rs::works", "gone"] {
            let found = found(&table(&format!("`{gone}`")));
            assert_eq!(found.len(), all);
            assert_eq!(found[0], format!("{TABLE}:1: names {gone}, which does not exist"));
        }
        assert!(found(&table("surely"))[0].contains("names nothing"));

        let without_one: String = table("open").split_inclusive('\n').skip(1).collect();
        assert!(found(&without_one)[0].ends_with("has no row in its place"));
        let one_more = table("open") + table("open").lines().next().unwrap();
        assert!(found(&one_more)[0].ends_with("is in no place of its own"));
    }
}

//! What a part of the page made for itself may be gone after a wait: a dialog is closed while a file is read. A callback that
//! is called then, or an element that is asked for, ends the whole page; their `try_` twins do nothing.

use super::{Finding, Tree, at};
use crate::workspace::Workspace;

/// What begins a closure that is called later than where it stands, up to the end of the brackets that it opens.
const LATER: [&str; 3] = ["request_animation_frame(", ".run(\"", ".undo("];

/// What begins code of which everything behind its first wait is later.
const WAITING: [&str; 2] = ["async move {", "async fn "];

/// After a wait neither a callback is called nor an element asked for without looking whether it is still there.
pub fn what_may_be_gone_is_asked_first(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| path.starts_with("crates/ui")) {
        let code = text.split_once("#[cfg(test)]\nmod ").map_or(text, |(code, _)| code);
        let mut uses = Vec::new();
        for name in names(code, ": Callback<", "Callback::new(") {
            uses.push(format!("{name}.run("));
        }
        for name in names(code, ": NodeRef<", "NodeRef::<") {
            uses.push(format!("{name}.get_untracked("));
        }
        let mut lines: Vec<usize> = later(code)
            .into_iter()
            .flat_map(|(from, to)| {
                let part = code.get(from..to).unwrap_or_default();
                uses.iter().flat_map(move |used| {
                    let places = part.match_indices(used.as_str()).map(move |(place, _)| from + place);
                    places.filter(|place| !is_inside_a_word(code, *place))
                })
            })
            .map(|place| code.get(..place).unwrap_or_default().matches('\n').count())
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let words = "after a wait this may be gone: `try_run`, `try_get_untracked`";
        findings.extend(lines.into_iter().map(|line| at(path, line, words)));
    }
    findings
}

/// The names that are given a type, or made by a call.
fn names<'a>(code: &'a str, typed: &str, made: &str) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for (place, _) in code.match_indices(typed) {
        found.extend(last_word(code.get(..place).unwrap_or_default()));
    }
    for (place, _) in code.match_indices(made) {
        let before = code.get(..place).and_then(|before| before.strip_suffix(" = "));
        found.extend(before.and_then(last_word));
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn last_word(text: &str) -> Option<&str> {
    let start = text.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_').map_or(0, |at| at + 1);
    text.get(start..).filter(|word| !word.is_empty())
}

fn is_inside_a_word(code: &str, place: usize) -> bool {
    code.get(..place).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric)
}

/// The parts of the code that run later, from byte to byte.
fn later(code: &str) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    for start in LATER {
        for (place, _) in code.match_indices(start) {
            let open = place + start.find('(').unwrap_or_default();
            parts.push((open + 1, closing(code, open)));
        }
    }
    for start in WAITING {
        for (place, _) in code.match_indices(start) {
            let Some(open) = code.get(place..).and_then(|rest| rest.find('{')).map(|at| place + at) else {
                continue;
            };
            let end = closing(code, open);
            if let Some(wait) = code.get(open..end).and_then(|body| body.find(".await")) {
                parts.push((open + wait, end));
            }
        }
    }
    parts
}

/// Where the bracket that opens here is closed. Brackets in texts are as many as close again, in our own style.
fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in code.get(open..).unwrap_or_default().char_indices() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return open + at;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_after_a_wait_without_a_look_is_found() {
        let rows = [
            ("fn a(close: Callback<()>) { close.run(()); }", vec![]),
            ("fn a(close: Callback<()>) {\nspawn(async move {\n  close.run(());\n  b().await;\n}) }", vec![]),
            (
                "fn a(close: Callback<()>) {\nspawn(async move {\n  b().await;\n  close.run(());\n}) }",
                vec![4],
            ),
            (
                "fn a(close: Callback<()>) {\nspawn(async move {\n  b().await;\n  close.try_run(());\n}) }",
                vec![],
            ),
            (
                "let row = NodeRef::<Li>::new();\nrequest_animation_frame(move || row.get_untracked());",
                vec![2],
            ),
            ("let row = NodeRef::<Li>::new();\nrequest_animation_frame(a); row.get_untracked();", vec![]),
            (
                "let row = NodeRef::<Li>::new();\nasync fn a() {\n  b().await;\n  row.get_untracked() }",
                vec![4],
            ),
            ("a: Callback<()>\nb.run(\"tool\", c, move |done| {\n  a.run(());\n})", vec![3]),
            // Another thing of another kind.
            ("async fn a() {\n  b().await;\n  host.run(());\n}", vec![]),
            ("a: Callback<()>\nasync fn a() {\n  b().await;\n  banana.run(());\n}", vec![]),
        ];
        for (text, expected) in rows {
            let tree = Tree::of(&[("crates/ui/src/a.rs", text)]);
            let found = what_may_be_gone_is_asked_first(&tree, &Workspace { packages: vec![] });
            let lines: Vec<usize> = found.iter().filter_map(|finding| finding.line).collect();
            assert_eq!(lines, expected, "{text}");
        }
    }
}

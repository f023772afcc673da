//! Rules about what stands in a source file.

use super::arrows::BELOW_THE_EDGES;
use super::{Finding, Tree, about, at, has_word};
use crate::workspace::Workspace;

/// The most lines of `www/sw.js`, which with `www/notices.js` is the only JavaScript written by hand.
const WORKER_SCRIPT_LINES: usize = 147;

/// The same of `www/notices.js`.
const NOTICES_LINES: usize = 85;

/// A longer file is a talk, not a failure.
const LONG_FILE_LINES: usize = 600;

/// Where the code below the edges would fetch time or chance for itself.
const AMBIENT: [&str; 8] = [
    "SystemTime::now", "Instant::now", "Zoned::now", "Timestamp::now", "Date::now", "Math::random",
    "thread_rng", "getrandom",
];

/// Every Rust file says first what it is.
pub fn files_open_with_what_they_are(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let silent = tree.ending(".rs").filter(|(_, text)| !text.starts_with("//!"));
    silent.map(|(path, _)| at(path, 0, "a file opens with `//!`: what it is")).collect()
}

/// Code that differs by platform is a module of the store, with a twin of the same names. A test file
/// as a whole may be for one platform.
pub fn cfg_on_modules_of_the_store_only(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs") {
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            if !by_platform(line) {
                continue;
            }
            if !path.starts_with("crates/store/") {
                if !(path.contains("/tests/") && line.starts_with("#![cfg(")) {
                    findings.push(at(
                        path,
                        index,
                        "what differs by platform belongs into a module of the store",
                    ));
                }
                continue;
            }
            let mut item = lines[index + 1..]
                .iter()
                .map(|line| line.trim_start())
                .filter(|line| !line.starts_with("#[") && !line.starts_with("//"));
            let on_a_module = line.starts_with("#![cfg(")
                || item.next().is_some_and(|item| {
                    item.contains("mod ") || item.starts_with("use ") || item.starts_with("pub use ")
                });
            if !on_a_module {
                findings.push(at(path, index, "`cfg` by platform goes on a module, not inside one"));
            }
        }
    }
    findings
}

/// Whether the line chooses code by platform.
fn by_platform(line: &str) -> bool {
    let line = line.trim_start();
    let chooses = line.starts_with("#[cfg") || line.starts_with("#![cfg") || line.contains("cfg!(");
    chooses && (line.contains(concat!("target_", "family")) || line.contains(concat!("target_", "arch")))
}

/// Time and chance come in with the input.
pub fn no_clock_and_no_random_below_the_edges(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| shipped(path) && below_the_edges(path)) {
        for (index, line) in without_tests(text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if let Some(what) = AMBIENT.iter().find(|what| has_word(code, what)) {
                findings.push(at(
                    path,
                    index,
                    format!("{what} below the edges: time and chance come in with the input"),
                ));
            }
        }
    }
    findings
}

/// Crates that reach no browser, and the one whose sort the others use.
const SORTED_AS_USUAL: [&str; 5] =
    ["crates/gateway/", "crates/local/", "crates/terminal/", "crates/cli/", "crates/order/"];

/// What reaches a browser sorts by `order`, and has lists of views, effects and memos from the kit: the generic ones are
/// code anew for each use, and sorting alone was 7 % of the worker.
pub fn large_generic_code_is_in_the_page_once(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let is_ours = |path: &str| {
        path.starts_with("crates/")
            && shipped(path)
            && !SORTED_AS_USUAL.iter().any(|home| path.starts_with(home))
            && !path.starts_with("crates/store/src/file/")
    };
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| is_ours(path)) {
        for (index, line) in without_tests(text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if code.contains(".sort(") || code.contains(".sort_") {
                findings.push(at(path, index, "sort by `order::sort`, `sort_by` or `sort_by_key`"));
            }
            let once = [
                (
                    code.contains("<For ") || code.trim() == "<For",
                    "/each.rs",
                    "a list of views kept by key is a `ui_kit::Each`",
                ),
                (code.contains("Effect::new("), "/reactive.rs", "an effect is a `ui_kit::effect`"),
                (code.contains("Memo::new("), "/reactive.rs", "a memo is a `ui_kit::memo`"),
                (code.contains("parse::<f64>("), "/decimal.rs", "a decimal is read by `order::decimal`"),
            ];
            for (_, _, text) in once.iter().filter(|(found, home, _)| *found && !path.ends_with(home)) {
                findings.push(at(path, index, *text));
            }
        }
    }
    findings
}

/// A JavaScript value becomes plain data on the line where it appears.
pub fn no_js_value_in_public_items(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs").filter(|(path, _)| shipped(path) && below_the_edges(path)) {
        // A public item reaches to the end of its signature, an enum to the end of its body.
        let mut end: Option<&[char]> = None;
        for (index, line) in without_tests(text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if code.trim_start().starts_with("pub ") {
                end = Some(if code.contains("enum ") { &['}'] } else { &['{', ';'] });
            }
            let Some(ends) = end else { continue };
            if has_word(code, "JsValue") {
                findings.push(at(path, index, "`JsValue` in a public item: turn it into plain data first"));
            }
            if code.trim_end().ends_with(ends)
                || code.trim_end().ends_with(',') && code.trim_start().starts_with("pub ")
            {
                end = None;
            }
        }
    }
    findings
}

/// What is not done is not written.
pub fn nothing_is_left_for_later(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let markers = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    let stubs = [concat!("to", "do!("), concat!("unimplemen", "ted!(")];
    let mut findings = Vec::new();
    for (path, text) in [".rs", ".js", ".css", ".html", ".toml"].iter().flat_map(|end| tree.ending(end)) {
        for (index, line) in text.lines().enumerate() {
            // Words people say are allowed; words in comments are promises.
            let comment = ["//", "/*", "<!--", "#"]
                .iter()
                .filter_map(|open| line.find(open))
                .min()
                .map_or("", |start| &line[start..]);
            if let Some(word) = markers.iter().find(|word| has_word(comment, word)) {
                findings.push(at(
                    path,
                    index,
                    format!("{word}: do it, or write down what would have to happen first"),
                ));
            }
            if let Some(stub) =
                stubs.iter().find(|stub| has_word(line, stub.trim_end_matches('(')) && line.contains(**stub))
            {
                findings.push(at(path, index, format!("{stub}): a stub")));
            }
        }
    }
    findings
}

/// The worker is written in Rust; its script only holds what must be JavaScript.
pub fn the_worker_script_is_short(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    let long = |ending: &str, most: usize| {
        let long = move |(path, text): (&str, &str)| {
            let lines = text.lines().count();
            (lines > most).then(|| about(path, format!("{lines} lines, where at most {most} are allowed")))
        };
        tree.ending(ending).filter_map(long).collect::<Vec<_>>()
    };
    let mut found = long("www/sw.js", WORKER_SCRIPT_LINES);
    found.extend(long("www/notices.js", NOTICES_LINES));
    found
}

/// What a person reads or hears stands in one place, ready for translation: a view has no words of its own.
pub fn words_of_the_page_stand_in_i18n(tree: &Tree, _: &Workspace) -> Vec<Finding> {
    const SAID: [&str; 6] =
        ["aria-label=", "aria-description=", "placeholder=", "title=", "alt=", "aria-placeholder="];
    let mut findings = Vec::new();
    let page = |path: &str| {
        let is_words = path.contains("/src/i18n/") || path.ends_with("/words.rs");
        path.starts_with("crates/ui") && !is_words
    };
    for (path, text) in tree.ending(".rs").filter(|(path, _)| page(path) && shipped(path)) {
        for (index, line) in without_tests(text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default().trim();
            let attribute = SAID.iter().any(|name| {
                let value = code.split_once(&format!("{name}\"")).map(|(_, value)| value);
                // An address or a name as an example is the same in every language.
                value.is_some_and(begins_with_a_word)
            });
            // A text node is a string of its own between two tags.
            let node = code.split('>').skip(1).any(|rest| {
                rest.trim_start()
                    .strip_prefix('"')
                    .is_some_and(|text| begins_with_a_word(text) && text.contains("\"<"))
            });
            if attribute || node {
                findings.push(at(
                    path,
                    index,
                    "words a person reads belong into the crate's src/i18n, or a words.rs",
                ));
            }
        }
    }
    findings
}

fn begins_with_a_word(text: &str) -> bool {
    let word = text.split([' ', '"', '…', '.', ',']).next().unwrap_or_default();
    word.chars().count() > 1 && word.chars().all(char::is_alphabetic)
}

/// Files one should talk about.
pub fn long_files(tree: &Tree) -> Vec<String> {
    let long = tree
        .ending(".rs")
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > LONG_FILE_LINES);
    long.map(|(path, lines)| format!("{path} has {lines} lines: does it tell more than one story?")).collect()
}

fn below_the_edges(path: &str) -> bool {
    BELOW_THE_EDGES.iter().any(|package| path.starts_with(&format!("crates/{package}/")))
}

/// Whether the file is part of what is built, not of its tests.
fn shipped(path: &str) -> bool {
    path.contains("/src/") && !path.ends_with("/tests.rs") && !path.contains("/tests/")
}

/// The file without the module of its tests, which comes last.
fn without_tests(text: &str) -> &str {
    text.split_once("#[cfg(test)]\nmod ").map_or(text, |(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No line.
    const NONE: [usize; 0] = [];

    /// Where a rule finds something in one file: its lines, `0` for the file itself.
    fn lines(rule: fn(&Tree, &Workspace) -> Vec<Finding>, path: &str, text: &str) -> Vec<usize> {
        let tree = Tree::of(&[(path, text)]);
        let found = rule(&tree, &Workspace { packages: vec![] });
        found.into_iter().map(|finding| finding.line.unwrap_or(0)).collect()
    }

    #[test]
    fn a_file_without_its_opening_is_found() {
        assert_eq!(lines(files_open_with_what_they_are, "crates/mcp/src/a.rs", "//! It is.\n"), NONE);
        assert_eq!(lines(files_open_with_what_they_are, "crates/mcp/src/a.rs", "use a;\n//! It is.\n"), [1]);
        assert_eq!(lines(files_open_with_what_they_are, "crates/mcp/src/a.rs", ""), [1]);
    }

    #[test]
    fn code_by_platform_is_found_outside_the_stores_modules() {
        let cfg = concat!("#[cfg(target_", "family = \"wasm\")]");
        let whole = concat!("#![cfg(target_", "family = \"wasm\")]");
        let value = concat!("    if cfg!(target_", "arch = \"wasm32\") {");
        let rule = cfg_on_modules_of_the_store_only;
        assert_eq!(
            lines(
                rule,
                "crates/store/src/lib.rs",
                &format!("{cfg}\nmod idb;\n{cfg}\n/// It.\npub use idb::Idb;")
            ),
            NONE
        );
        assert_eq!(lines(rule, "crates/store/src/lib.rs", &format!("{cfg}\nfn now() {{}}")), [1]);
        assert_eq!(lines(rule, "crates/store/src/lib.rs", &format!("fn a() {{\n{value}")), [2]);
        assert_eq!(lines(rule, "crates/todo/src/lib.rs", &format!("{cfg}\nmod idb;")), [1]);
        assert_eq!(lines(rule, "service-worker/tests/worker.rs", whole), NONE);
        assert_eq!(lines(rule, "service-worker/tests/worker.rs", cfg), [1]);
        assert_eq!(lines(rule, "service-worker/src/lib.rs", whole), [1]);
    }

    #[test]
    fn large_generic_code_is_found() {
        let rule = large_generic_code_is_in_the_page_once;
        let text = "list.sort_by(f);\norder::sort_by(&mut list, f);\n<For each=a\n<For\n<Format />\n// list.sort()\n#[cfg(test)]\nmod tests {\nlist.sort();";
        assert_eq!(lines(rule, "crates/ui/src/a.rs", text), [1, 3, 4]);
        assert_eq!(lines(rule, "crates/ui-kit/src/each.rs", text), [1]);
        assert_eq!(
            lines(
                rule,
                "crates/ui/src/a.rs",
                "Effect::new(f);\nui_kit::memo(f);\nMemo::new(f)\na.parse::<f64>()"
            ),
            [1, 3, 4]
        );
        assert_eq!(lines(rule, "crates/cli/src/a.rs", text), NONE);
        assert_eq!(lines(rule, "crates/store/tests/a.rs", text), NONE);
    }

    #[test]
    fn a_clock_below_the_edges_is_found() {
        let rule = no_clock_and_no_random_below_the_edges;
        let text = "let a = Instant::now(); // why\n// never Instant::now()\n#[cfg(test)]\nmod tests {\n  Instant::now();";
        assert_eq!(lines(rule, "crates/agent/src/a.rs", text), [1]);
        assert_eq!(lines(rule, "crates/gateway/src/a.rs", text), NONE);
        assert_eq!(lines(rule, "crates/agent/tests/a.rs", text), NONE);
        assert_eq!(lines(rule, "crates/agent/src/a.rs", "MyInstant::nowhere()"), NONE);
    }

    #[test]
    fn a_public_js_value_is_found() {
        let rule = no_js_value_in_public_items;
        let path = "crates/store/src/idb.rs";
        assert_eq!(lines(rule, path, "pub fn a() -> JsValue {\n"), [1]);
        assert_eq!(
            lines(rule, path, "    pub async fn a(\n        b: &str,\n    ) -> Result<(), JsValue> {\n"),
            [3]
        );
        assert_eq!(lines(rule, path, "pub struct A {\n    b: JsValue,\n    pub c: JsValue,\n}"), [3]);
        assert_eq!(lines(rule, path, "pub enum A {\n    B(JsValue),\n}\nfn c(d: JsValue) {"), [2]);
        assert_eq!(lines(rule, path, "pub fn a() {\n    let b: JsValue = c;\n}\nfn d(e: JsValue) {}"), NONE);
        assert_eq!(lines(rule, path, "pub(crate) fn a() -> JsValue {"), NONE);
        assert_eq!(lines(rule, "crates/ui/src/a.rs", "pub fn a() -> JsValue {"), NONE);
    }

    #[test]
    fn promises_and_stubs_are_found() {
        let (later, stub) = (concat!("TO", "DO"), concat!("to", "do!()"));
        let rule = nothing_is_left_for_later;
        assert_eq!(
            lines(rule, "crates/mcp/src/a.rs", &format!("fn a() {{}} // {later}: more\n{stub}\nmy_{stub}")),
            [1, 2]
        );
        assert_eq!(
            lines(
                rule,
                "crates/builtin/src/a.rs",
                &format!("say(\"my {later} list\")\n// V{later}s are fine")
            ),
            NONE
        );
        assert_eq!(lines(rule, "www/styles/a.css", &format!("/* {later} */")), [1]);
    }

    #[test]
    fn a_long_worker_script_is_found() {
        assert_eq!(lines(the_worker_script_is_short, "www/sw.js", &"x\n".repeat(WORKER_SCRIPT_LINES)), NONE);
        assert_eq!(
            lines(the_worker_script_is_short, "www/sw.js", &"x\n".repeat(WORKER_SCRIPT_LINES + 1)),
            [0]
        );
    }

    #[test]
    fn words_in_a_view_are_found() {
        let rule = words_of_the_page_stand_in_i18n;
        let path = "crates/ui/src/app.rs";
        let rows = [
            (r#"<button aria-label="Close">"#, 1),
            (r#"<p>"Nothing here"</p>"#, 1),
            (r#"<input placeholder="Say what" />"#, 1),
            (r#"<input placeholder="http://127.0.0.1:11434/v1" />"#, 0),
            (r#"<button aria-label=i18n::CLOSE>"→"</button>"#, 0),
            (r#"<div class="close" role="status">"#, 0),
            (r#"// <p>"Nothing here"</p>"#, 0),
        ];
        for (text, found) in rows {
            assert_eq!(lines(rule, path, text).len(), found, "{text}");
        }
        assert_eq!(lines(rule, "crates/ui/src/i18n/strings.rs", rows[0].0), NONE);
    }

    #[test]
    fn long_files_are_noted() {
        let tree = Tree::of(&[("a.rs", &"x\n".repeat(600)), ("b.rs", &"x\n".repeat(601))]);
        assert_eq!(long_files(&tree), ["b.rs has 601 lines: does it tell more than one story?"]);
    }
}

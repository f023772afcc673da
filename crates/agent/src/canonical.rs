//! A tool's result in short (`ToolResultCanonicalizer`, S0-05): what a model reads of a result that is too long to travel
//! whole (D-03). The result itself stays in the log, under a reference that the model can read it by.

use std::collections::BTreeMap;

use protocol::{ToolResult, canonical_json};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::stable_hash;

/// The most words of a summary (S0-08).
const WORDS: usize = 50;

/// The most characters of a summary, its key metrics included (S0-08).
const CHARS: usize = 200;

/// The most key metrics: the essential numbers only (S0-07).
const METRICS: usize = 6;

/// The most sample rows.
const ROWS: usize = 3;

/// The most characters of all sample rows together.
const PREVIEW_CHARS: usize = 900;

/// A result in short (D-03).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Canonical {
    /// False when the tool refused or failed, or says so in its result (S0-09).
    pub success: bool,
    /// At most 50 words and 200 characters, up to the end of a word (S0-08, S0-11).
    pub summary: String,
    /// Where the whole result is: `mem://{tool}/{id}` (D-02). Empty for a failed call, which keeps nothing.
    pub data_ref: String,
    /// The numbers at the root of the result: what each tool's own output declares (S0-07, D-03).
    pub key_metrics: BTreeMap<String, Value>,
    /// The first rows, each of them whole, or the first words.
    pub preview: Vec<String>,
}

impl Canonical {
    /// The short form of a result that is stored under a reference.
    #[must_use]
    pub fn of(result: &ToolResult, data_ref: &str) -> Self {
        let parsed;
        let data = match &result.structured {
            Some(data) => Some(data),
            None => {
                parsed = serde_json::from_str::<Value>(&result.content).ok();
                parsed.as_ref().filter(|data| data.is_object() || data.is_array())
            }
        };
        let says_no = data.and_then(|data| data.get("success")) == Some(&Value::Bool(false));
        let key_metrics = data.map(metrics).unwrap_or_default();
        let said = data.and_then(|data| data.get("summary")).and_then(Value::as_str);
        let text = match (said, data) {
            (Some(said), _) => said.to_owned(),
            (None, Some(data)) => shape(data),
            (None, None) => result.content.clone(),
        };
        let preview = match data {
            Some(data) => rows(data),
            None => vec![begin(&result.content, usize::MAX, PREVIEW_CHARS)],
        };
        Self {
            success: !result.is_error && !says_no,
            summary: summary(&text, &key_metrics),
            data_ref: data_ref.to_owned(),
            key_metrics,
            preview,
        }
    }

    /// As the model reads it where room is needed: without the beginning.
    #[must_use]
    pub fn in_short(mut self) -> Self {
        self.preview = Vec::new();
        self
    }

    /// As the model reads it (S0-32).
    #[must_use]
    pub fn text(&self, tool: &str) -> String {
        if !self.success {
            let why = if self.summary.is_empty() { "Unknown error" } else { &self.summary };
            return format!("Tool '{tool}' failed: {why}");
        }
        let mut lines =
            vec![format!("Tool '{tool}' executed successfully."), format!("Summary: {}", self.summary)];
        if !self.data_ref.is_empty() {
            lines.push(format!("Reference: {}", self.data_ref));
        }
        if !self.key_metrics.is_empty() {
            lines.push(format!("Key metrics: {}", named(&self.key_metrics)));
        }
        if !self.preview.is_empty() {
            lines.push("The beginning:".to_owned());
            lines.extend(self.preview.iter().cloned());
        }
        if !self.data_ref.is_empty() {
            lines.push("This is not all of it: memory_read shows the rest.".to_owned());
        }
        lines.join("\n")
    }
}

/// The reference of a result (D-02, S0-22): the same for the same result of the same call, whenever it was made.
#[must_use]
pub fn data_ref(tool: &str, arguments: &Value, result: &ToolResult) -> String {
    format!("mem://{tool}/{}", stable_hash(&[tool, &canonical_json(arguments), &result.content]))
}

/// The numbers and truths at the root of the result.
fn metrics(data: &Value) -> BTreeMap<String, Value> {
    let root = data.as_object().into_iter().flatten();
    let numbers = root.filter(|(_, value)| value.is_number());
    order::gather(numbers.map(|(name, value)| (name.clone(), value.clone())).take(METRICS))
}

fn named(metrics: &BTreeMap<String, Value>) -> String {
    metrics.iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(", ")
}

/// What a result without words of its own is made of.
fn shape(data: &Value) -> String {
    match data {
        Value::Array(items) => format!("{} items.", items.len()),
        Value::Object(fields) => {
            let lists: Vec<String> = fields
                .iter()
                .filter_map(|(name, value)| {
                    value.as_array().map(|items| format!("{} items in \"{name}\"", items.len()))
                })
                .collect();
            if lists.is_empty() {
                let names: Vec<&str> = fields.keys().map(String::as_str).collect();
                format!("A record with {}.", names.join(", "))
            } else {
                format!("{}.", lists.join(", "))
            }
        }
        leaf => leaf.to_string(),
    }
}

/// The words, and the metrics behind them where there is room (S0-08).
fn summary(text: &str, metrics: &BTreeMap<String, Value>) -> String {
    let metrics = if metrics.is_empty() { String::new() } else { format!(" ({})", named(metrics)) };
    let room = CHARS.saturating_sub(metrics.chars().count());
    // Numbers that leave no room for words are no summary; they stand in a line of their own anyway.
    let (room, metrics) = if room < CHARS / 2 { (CHARS, String::new()) } else { (room, metrics) };
    format!("{}{metrics}", begin(text, WORDS, room))
}

/// The first words of a text, in one line, up to the end of a sentence where one ends in its second half, else of a word.
fn begin(text: &str, words: usize, chars: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut whole = true;
    for (count, word) in text.split_whitespace().enumerate() {
        let more = word.chars().count() + usize::from(count > 0);
        // Room for the mark that says there is more.
        if count >= words || length + more + 2 > chars {
            whole = false;
            break;
        }
        if count > 0 {
            line.push(' ');
        }
        line.push_str(word);
        length += more;
    }
    if whole {
        return line;
    }
    if line.is_empty() {
        // A text without spaces has no words to end at.
        return text.chars().take(chars.saturating_sub(2)).chain(" …".chars()).collect();
    }
    let ends = |symbol: char| matches!(symbol, '.' | '!' | '?' | '。' | '！' | '？');
    let sentence = line.char_indices().rev().find(|(_, symbol)| ends(*symbol));
    match sentence.filter(|(at, _)| *at > line.len() / 2) {
        Some((at, symbol)) => {
            line.truncate(at + symbol.len_utf8());
            line
        }
        None => format!("{line} …"),
    }
}

/// The first rows of the list that a result is made of most, each of them whole (S0-11): what was found, and not a list of notes beside it.
fn rows(data: &Value) -> Vec<String> {
    let length = |items: &&Vec<Value>| items.iter().map(|item| item.to_string().len()).sum::<usize>();
    let lists = match data {
        Value::Array(items) => Some(items),
        Value::Object(fields) => {
            let mut lists: Vec<&Vec<Value>> = fields.values().filter_map(Value::as_array).collect();
            // The first of several that are as long.
            if lists.len() > 1 { lists.into_iter().rev().max_by_key(length) } else { lists.pop() }
        }
        _ => None,
    };
    let mut left = PREVIEW_CHARS;
    let mut rows = Vec::new();
    for row in lists.into_iter().flatten().take(ROWS) {
        let row = row.to_string();
        let Some(room) = left.checked_sub(row.chars().count()) else { break };
        left = room;
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use protocol::CallId;
    use serde_json::json;

    use super::*;

    fn result(content: &str, structured: Option<Value>) -> ToolResult {
        let (call_id, name) = (CallId("call_1".into()), "todo_list".into());
        ToolResult { call_id, name, is_error: false, content: content.into(), structured }
    }

    #[test]
    fn a_summary_is_short_and_ends_with_a_word() {
        let long = "word ".repeat(80);
        let metrics = BTreeMap::from([("total".to_owned(), json!(80))]);
        for (text, metrics, expected) in [
            ("Listed 3 to-dos.", &BTreeMap::new(), "Listed 3 to-dos."),
            ("Listed 80 to-dos.", &metrics, "Listed 80 to-dos. (total: 80)"),
            ("", &metrics, " (total: 80)"),
        ] {
            assert_eq!(summary(text, metrics), expected);
        }
        let kept = summary(&long, &metrics);
        assert!(kept.ends_with("word … (total: 80)"), "{kept}");
        let kept = summary(
            "First it was done. Then there was a very long rest that goes on and on and on, without an end or a point, for many more words than anybody wants to read in one line, and so it goes on and on and further on.",
            &BTreeMap::new(),
        );
        assert!(kept.ends_with('…') && kept.chars().count() <= CHARS, "{kept}");
        let kept = summary(&format!("{} Second.", "A sentence. ".repeat(30)), &BTreeMap::new());
        assert!(kept.ends_with("sentence.") && kept.chars().count() <= CHARS, "{kept}");
        for text in ["字".repeat(400), "x".repeat(400), "é ".repeat(400)] {
            let kept = summary(&text, &metrics);
            let words = kept.split_whitespace().count();
            assert!(kept.chars().count() <= CHARS && words <= WORDS + 3, "{kept}");
        }
    }

    #[test]
    fn rows_are_whole_and_numbers_at_the_root_are_the_metrics() {
        let todos: Vec<Value> = (0..50).map(|n| json!({"title": format!("To-do {n}"), "n": n})).collect();
        let data = json!({"todos": todos, "total": 50, "open": 49, "note": "x"});
        let short = Canonical::of(&result(&data.to_string(), Some(data)), "mem://todo_list/0");
        assert_eq!(
            short,
            Canonical {
                success: true,
                summary: "50 items in \"todos\". (open: 49, total: 50)".into(),
                data_ref: "mem://todo_list/0".into(),
                key_metrics: BTreeMap::from([("open".into(), json!(49)), ("total".into(), json!(50))]),
                preview: (0..3).map(|n| format!("{{\"n\":{n},\"title\":\"To-do {n}\"}}")).collect(),
            }
        );
        assert_eq!(
            short.text("todo_list").lines().take(4).collect::<Vec<_>>(),
            [
                "Tool 'todo_list' executed successfully.",
                "Summary: 50 items in \"todos\". (open: 49, total: 50)",
                "Reference: mem://todo_list/0",
                "Key metrics: open: 49, total: 50",
            ]
        );
        // A row that there is no room for is left out, not cut.
        let wide = json!([{"text": "x".repeat(2_000)}]);
        assert_eq!(Canonical::of(&result(&wide.to_string(), Some(wide)), "").preview, Vec::<String>::new());
        // A list of notes comes before the rows by its name alone.
        let noted = json!({"assumed": ["7 nights"], "found": [{"title": "Hotel Henriette"}, {"title": "Hotel Fabric"}]});
        let noted = Canonical::of(&result(&noted.to_string(), Some(noted)), "");
        assert_eq!(noted.preview, [r#"{"title":"Hotel Henriette"}"#, r#"{"title":"Hotel Fabric"}"#]);
    }

    #[test]
    fn what_says_that_it_failed_failed() {
        let mut failed = result("It broke.", None);
        failed.is_error = true;
        assert_eq!(Canonical::of(&failed, "").text("x"), "Tool 'x' failed: It broke.");
        let says_no = Canonical::of(&result("", Some(json!({"success": false}))), "");
        assert!(!says_no.success);
        failed.content = String::new();
        assert_eq!(Canonical::of(&failed, "").text("x"), "Tool 'x' failed: Unknown error");
    }

    #[test]
    fn the_same_result_has_the_same_reference() {
        let one = data_ref("todo_list", &json!({"a": 1, "b": 2}), &result("[]", None));
        assert_eq!(one, data_ref("todo_list", &json!({"b": 2, "a": 1}), &result("[]", None)));
        assert_ne!(one, data_ref("todo_list", &json!({"a": 1}), &result("[]", None)));
        assert_ne!(one, data_ref("todo_list", &json!({"a": 1, "b": 2}), &result("[1]", None)));
        assert!(one.starts_with("mem://todo_list/") && one.len() == "mem://todo_list/".len() + 16);
    }
}

//! Changes of the history as the tools tell them, wherever they are shown. Pure.

use std::rc::Rc;

use serde_json::Value;

use crate::change::{Line, outcome};
use crate::panel::{Panel, lines};
use crate::words;

/// Who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// The assistant, in a conversation.
    Chat,
    /// The person, by hand on this page.
    Hand,
    /// Another program, over the tools' own transport.
    Client,
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the journal; never shown.
    pub rev: u64,
    /// Its idempotency key; never shown.
    pub key: String,
    /// The sentence it answered with, or the tool's name.
    pub summary: String,
    /// When, Unix milliseconds.
    pub at_ms: i64,
    /// Who made it.
    pub author: Author,
    /// True for an undo or a redo.
    pub is_step_back: bool,
    /// True when it was taken back since.
    pub undone: bool,
    /// Whether it can be taken back as things stand.
    pub can_undo: bool,
    /// Whether it can be done again.
    pub can_redo: bool,
    /// How many rows it touched.
    pub total: usize,
    /// The first of them, before and after.
    pub lines: Vec<Line>,
}

/// A page of `history`, and the cursor of the next. Entries that cannot be read are left out; none when it is no
/// such page.
#[must_use]
pub fn page(panels: &[Rc<dyn Panel>], answer: &Value, now: &str) -> Option<(Vec<Entry>, Option<String>)> {
    let entries =
        answer.get("entries")?.as_array()?.iter().filter_map(|one| entry(panels, one, now)).collect();
    Some((entries, answer.get("next_cursor").and_then(Value::as_str).map(str::to_owned)))
}

fn entry(panels: &[Rc<dyn Panel>], value: &Value, now: &str) -> Option<Entry> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    let flag = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or(false);
    let outcome = outcome(value)?;
    let lines = lines(panels, &outcome, now);
    let key = text("key").to_owned();
    Some(Entry {
        rev: value.get("rev")?.as_u64()?,
        summary: if outcome.summary.is_empty() {
            text("title").to_owned()
        } else {
            outcome.summary.to_owned()
        },
        at_ms: value.get("at").and_then(Value::as_i64).unwrap_or(0),
        author: author(&key),
        key,
        is_step_back: matches!(text("kind"), "undo" | "redo"),
        undone: text("state") == "undone",
        can_undo: flag("can_undo"),
        can_redo: flag("can_redo"),
        total: value.get("total").and_then(Value::as_u64).map_or(lines.len(), |total| total as usize),
        lines,
    })
}

/// Who made a call, by its key: the agent's are keyed by their run, the page's own by the hand that made them.
#[must_use]
pub fn author(key: &str) -> Author {
    if key.starts_with("run_") {
        Author::Chat
    } else if key.starts_with("hand") {
        Author::Hand
    } else {
        Author::Client
    }
}

/// When a change was made, and by whom.
#[must_use]
pub fn when_and_who(when: &str, author: Author) -> String {
    let who = match author {
        Author::Chat => "chat",
        Author::Hand => "hand",
        Author::Client => "client",
    };
    words::when_by(when, who)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Author, author, page};

    #[test]
    fn a_page_is_read_and_what_is_odd_left_out() {
        let todo = json!({"id": "todo_a", "title": "Milk", "status": "open"});
        let good = json!({"rev": 4, "key": "run_1:c1", "tool": "todo_create", "title": "Add to-dos", "at": 1000,
            "summary": "Added \"Milk\".", "kind": "change", "state": "undone", "can_undo": false, "can_redo": true,
            "total": 12, "changes": [{"domain": "todo", "label": "Milk", "before": null, "after": todo}]});
        let bare = json!({"rev": 3, "title": "Change", "changes": []});
        let answer = json!({"entries": [good, bare, {"rev": "x", "changes": []}, 7], "next_cursor": "3"});
        let (entries, next) = page(&[], &answer, "2026-11-21T22:30").unwrap();
        assert_eq!(next.as_deref(), Some("3"));
        let [first, second] = entries.as_slice() else { panic!("two can be read: {entries:?}") };
        assert_eq!((first.rev, first.total, first.lines.len(), first.undone), (4, 12, 1, true));
        assert_eq!((first.summary.as_str(), first.author), ("Added \"Milk\".", Author::Chat));
        assert!(first.can_redo && !first.can_undo && !first.is_step_back);
        assert_eq!(
            (second.summary.as_str(), second.author, second.undone),
            ("Change", Author::Client, false)
        );
        for other in [Value::Null, json!({}), json!({"entries": 3})] {
            assert_eq!(page(&[], &other, ""), None);
        }
    }

    #[test]
    fn the_key_says_who_it_was() {
        let rows = [
            ("run_4f:call_1", Author::Chat),
            ("hand_0a1b", Author::Hand),
            ("w1:1764000000000:3", Author::Client),
            ("", Author::Client),
        ];
        for (key, expected) in rows {
            assert_eq!(author(key), expected, "{key}");
        }
    }
}

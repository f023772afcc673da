//! What a tool's result says it changed, and how that is shown: one line for each row. Pure.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::words;

/// One row before and after a change, as a tool's result tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DomainChange<'a> {
    /// Whose row it is (`todo`); none in results saved before changes said it.
    pub domain: Option<&'a str>,
    /// What a person calls it; empty in results saved before changes said it.
    pub label: &'a str,
    /// What was there; none when it is new.
    pub before: Option<&'a Value>,
    /// What is there now; none when it is gone.
    pub after: Option<&'a Value>,
}

impl<'a> DomainChange<'a> {
    fn of(change: &'a Value) -> Self {
        let word = |name: &str| change.get(name).and_then(Value::as_str);
        let side = |name: &str| change.get(name).filter(|side| side.is_object());
        Self {
            domain: word("domain"),
            label: word("label").unwrap_or_default(),
            before: side("before"),
            after: side("after"),
        }
    }

    /// Both sides as rows of a domain; a side that is no such row is none.
    #[must_use]
    pub fn sides<T: DeserializeOwned>(&self) -> (Option<T>, Option<T>) {
        let read = |side: Option<&Value>| side.and_then(|side| T::deserialize(side).ok());
        (read(self.before), read(self.after))
    }

    /// The line of a change that nobody has words of their own for. None with nothing in it.
    #[must_use]
    pub fn line(&self) -> Option<Line> {
        let kind = match (self.before, self.after) {
            (None, None) => return None,
            (None, Some(_)) => Kind::ADDED,
            (Some(_), None) => Kind::DELETED,
            (Some(_), Some(_)) => Kind::CHANGED,
        };
        (!self.label.is_empty()).then(|| Line::plain(kind, self.label))
    }
}

/// What a writing tool returns, as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome<'a> {
    /// One sentence in words.
    pub summary: &'a str,
    /// Each row before and after.
    pub changes: Vec<DomainChange<'a>>,
    /// The idempotency keys of the calls that were undone, when it was an undo.
    pub undone: Vec<&'a str>,
}

/// Reads a tool's structured result. None when it is of another shape (a list, a refusal).
#[must_use]
pub fn outcome(structured: &Value) -> Option<Outcome<'_>> {
    let object = structured.as_object()?;
    let changes = object.get("changes")?.as_array()?;
    Some(Outcome {
        summary: text(object, "summary"),
        changes: changes.iter().map(DomainChange::of).collect(),
        undone: object
            .get("undone")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|call| call.get("key")?.as_str())
            .collect(),
    })
}

fn text<'a>(object: &'a Map<String, Value>, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// One line about one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What happened to it.
    pub kind: Kind,
    /// What a person calls it; the new name when it was changed.
    pub title: String,
    /// What is different, each as before and after. Empty for a new or deleted one.
    pub differences: Vec<Difference>,
    /// What else is worth knowing about it: its date, say.
    pub aside: String,
    /// How its notes begin. Empty without any, and where the differences say what is new about them.
    pub notes: String,
}

impl Line {
    /// That something happened to it, and no more.
    #[must_use]
    pub fn plain(kind: Kind, title: &str) -> Self {
        let (title, differences) = (title.to_owned(), Vec::new());
        Self { kind, title, differences, aside: String::new(), notes: String::new() }
    }
}

/// What happened to a row, in the words for it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The word in `data-kind`, by which the line is coloured: `added`, `deleted`, `completed`, `reopened` or `changed`.
    pub sign: &'static str,
    /// What happened, for a screen reader: `added`.
    pub name: crate::language::Word,
    /// That it happened to so many, as a note: `Added` for one, `Added 3 to-dos`.
    pub done: fn(usize) -> String,
    /// What would happen to so many, behind “This would”: `add 1 to-do`, `add 3 to-dos`.
    pub would: fn(usize) -> String,
}

impl Kind {
    /// It is new.
    pub const ADDED: Self =
        Self { sign: "added", name: words::added, done: words::added_things, would: words::would_add };
    /// It is gone.
    pub const DELETED: Self = Self {
        sign: "deleted",
        name: words::deleted,
        done: words::deleted_things,
        would: words::would_delete,
    };
    /// Something about it is different.
    pub const CHANGED: Self = Self {
        sign: "changed",
        name: words::changed,
        done: words::changed_things,
        would: words::would_change,
    };
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.sign == other.sign && (self.name)() == (other.name)()
    }
}

impl Eq for Kind {}

/// One thing that is different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What.
    pub name: Cow<'static, str>,
    /// How it was.
    pub before: String,
    /// How it is.
    pub after: String,
}

impl Difference {
    /// A difference, where there is one.
    #[must_use]
    pub fn between(name: &'static str, before: String, after: String) -> Option<Self> {
        (before != after).then_some(Self { name: Cow::Borrowed(name), before, after })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Kind, Line, outcome};

    #[test]
    fn an_undo_names_what_it_undid() {
        let undo = json!({"summary": "Undone.", "changes": [], "undone": [{"tool": "todo_create", "key": "run_1:call_a"}, {"tool": "x"}]});
        assert_eq!(outcome(&undo).unwrap().undone, ["run_1:call_a"]);
    }

    #[test]
    fn a_result_of_another_shape_has_no_changes() {
        for other in [json!(null), json!([]), json!({"items": []}), json!({"changes": 1}), json!("text")] {
            assert_eq!(outcome(&other), None);
        }
    }

    #[test]
    fn a_row_that_nobody_has_words_for_is_called_by_its_label() {
        let row = json!({"id": "n"});
        for (before, after, kind) in [
            (Value::Null, row.clone(), Some(Kind::ADDED)),
            (row.clone(), Value::Null, Some(Kind::DELETED)),
            (row.clone(), row.clone(), Some(Kind::CHANGED)),
            (Value::Null, Value::Null, None),
        ] {
            let result =
                json!({"changes": [{"domain": "note", "label": "Tea", "before": before, "after": after}]});
            let line = outcome(&result).unwrap().changes[0].line();
            assert_eq!(line, kind.map(|kind| Line::plain(kind, "Tea")));
        }
    }
}

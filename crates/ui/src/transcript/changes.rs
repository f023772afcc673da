//! A tool's changes in words: what was there before, what is there after. Pure.

use crate::i18n;
use crate::memory::model::Memory;
use crate::workspace::model::{Change, Priority, Sides, Status, Todo};

/// One line about one to-do, or about something that is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What happened to it.
    pub kind: Kind,
    /// The to-do's title, or what is remembered; the new one when it was changed.
    pub title: String,
    /// What is different, each as before and after. Empty for a new or deleted to-do.
    pub differences: Vec<Difference>,
    /// What else is worth knowing about it: its date, say.
    pub aside: String,
}

/// What happened to a to-do, or to something that is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// It is done now.
    Completed,
    /// It is open again.
    Reopened,
    /// Something about it is different.
    Changed,
    /// It is remembered now.
    Remembered,
    /// It is remembered otherwise.
    Corrected,
    /// It is not remembered any more.
    Forgotten,
}

impl Kind {
    /// The word in `data-kind`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Added | Self::Remembered => "added",
            Self::Deleted | Self::Forgotten => "deleted",
            Self::Completed => "completed",
            Self::Reopened => "reopened",
            Self::Changed | Self::Corrected => "changed",
        }
    }
}

/// One thing that is different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What.
    pub name: &'static str,
    /// How it was.
    pub before: String,
    /// How it is.
    pub after: String,
}

/// A change as a line, at `now` (`2026-11-21T22:30`). None when there is nothing in it.
#[must_use]
pub fn line(change: &Change, now: &str) -> Option<Line> {
    match change {
        Change::Todo(sides) => todo_line(sides, now),
        Change::Memory(sides) => memory_line(sides),
    }
}

fn memory_line(sides: &Sides<Memory>) -> Option<Line> {
    let plain = |kind, memory: &Memory| Line {
        kind,
        title: memory.text.clone(),
        differences: Vec::new(),
        aside: String::new(),
    };
    match (&sides.before, &sides.after) {
        (None, None) => None,
        (None, Some(memory)) => Some(plain(Kind::Remembered, memory)),
        (Some(memory), None) => Some(plain(Kind::Forgotten, memory)),
        (Some(before), Some(after)) => {
            let place = |memory: &Memory| if memory.pinned { i18n::FIRST } else { i18n::NOTHING };
            let from = |memory: &Memory| if memory.is_from_outside() { i18n::A_FILE } else { i18n::YOURSELF };
            let kind = |memory: &Memory| i18n::memory_kind(memory.kind);
            let text = |memory: &Memory| memory.text.clone();
            let difference = |name, before: String, after: String| Difference { name, before, after };
            let mut differences = vec![
                difference(i18n::MEMORY_TEXT_NAME, text(before), text(after)),
                difference(i18n::MEMORY_KIND, kind(before).to_owned(), kind(after).to_owned()),
                difference(i18n::ORDER, place(before).to_owned(), place(after).to_owned()),
                difference(i18n::MEMORY_FROM, from(before).to_owned(), from(after).to_owned()),
            ];
            differences.retain(|difference| difference.before != difference.after);
            Some(Line { differences, ..plain(Kind::Corrected, after) })
        }
    }
}

fn todo_line(sides: &Sides<Todo>, now: &str) -> Option<Line> {
    match (&sides.before, &sides.after) {
        (None, None) => None,
        (None, Some(todo)) => Some(plain(Kind::Added, todo, now)),
        (Some(todo), None) => Some(plain(Kind::Deleted, todo, now)),
        (Some(before), Some(after)) => {
            let kind = match (before.status, after.status) {
                (Status::Open, Status::Done) => Kind::Completed,
                (Status::Done, Status::Open) => Kind::Reopened,
                (Status::Open, Status::Open) | (Status::Done, Status::Done) => Kind::Changed,
            };
            Some(Line {
                kind,
                title: after.title.clone(),
                differences: differences(before, after, now),
                aside: String::new(),
            })
        }
    }
}

fn plain(kind: Kind, todo: &Todo, now: &str) -> Line {
    let aside = todo.due.as_deref().map(|due| i18n::due_label(due, now)).unwrap_or_default();
    Line { kind, title: todo.title.clone(), differences: Vec::new(), aside }
}

/// How one thing about a to-do is said.
type Side<'a> = &'a dyn Fn(&Todo) -> String;

fn differences(before: &Todo, after: &Todo, now: &str) -> Vec<Difference> {
    let due =
        |todo: &Todo| todo.due.as_deref().map_or(i18n::NOTHING.to_owned(), |due| i18n::due_label(due, now));
    let tags = |todo: &Todo| match todo.tags.as_slice() {
        [] => i18n::NOTHING.to_owned(),
        tags => tags.iter().map(|tag| format!("#{tag}")).collect::<Vec<_>>().join(" "),
    };
    let priority = |todo: &Todo| match todo.priority {
        Priority::None => i18n::NOTHING.to_owned(),
        some => i18n::priority_name(some).to_owned(),
    };
    let repeats = |todo: &Todo| if todo.repeat.is_some() { i18n::REPEATS } else { i18n::NOTHING }.to_owned();
    let notes = |todo: &Todo| match todo.notes.as_str() {
        "" => i18n::NOTHING.to_owned(),
        notes => notes.to_owned(),
    };
    let list = |todo: &Todo| todo.list.clone();
    let title = |todo: &Todo| todo.title.clone();
    let sides: [(&'static str, Side); 7] = [
        (i18n::TITLE, &title),
        (i18n::DUE, &due),
        (i18n::PRIORITY, &priority),
        (i18n::TAGS, &tags),
        (i18n::LIST, &list),
        (i18n::REPEAT, &repeats),
        (i18n::NOTES, &notes),
    ];
    sides
        .into_iter()
        .map(|(name, side)| Difference { name, before: side(before), after: side(after) })
        .filter(|difference| difference.before != difference.after)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Difference, Kind, Line, line};
    use crate::workspace::model::outcome;

    fn todo(more: Value) -> Value {
        let mut todo = json!({"id": "todo_a", "title": "Milk", "status": "open", "list": "Inbox"});
        todo.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        todo
    }

    fn lines(before: Value, after: Value) -> Vec<Line> {
        let result = json!({"summary": "s", "changes": [{"before": before, "after": after}]});
        outcome(&result)
            .unwrap()
            .changes
            .iter()
            .filter_map(|change| line(change, "2026-11-21T22:30"))
            .collect()
    }

    #[test]
    fn each_kind_of_change_has_its_line() {
        let plain = |kind, aside: &str| {
            vec![Line { kind, title: "Milk".into(), differences: vec![], aside: aside.into() }]
        };
        assert_eq!(lines(Value::Null, todo(json!({"due": "2026-11-22"}))), plain(Kind::Added, "Tomorrow"));
        assert_eq!(lines(todo(json!({})), Value::Null), plain(Kind::Deleted, ""));
        assert_eq!(lines(todo(json!({})), todo(json!({"status": "done"}))), plain(Kind::Completed, ""));
        assert_eq!(lines(todo(json!({"status": "done"})), todo(json!({}))), plain(Kind::Reopened, ""));
        assert_eq!(lines(Value::Null, Value::Null), vec![]);
    }

    #[test]
    fn what_is_different_is_said_before_and_after() {
        let before = todo(json!({"due": "2026-11-22", "tags": ["home"]}));
        let after = todo(
            json!({"title": "Oat milk", "due": "2026-11-23T09:00", "priority": "high", "repeat": "FREQ=DAILY"}),
        );
        let found = lines(before, after);
        let difference =
            |name, before: &str, after: &str| Difference { name, before: before.into(), after: after.into() };
        assert_eq!(
            found,
            vec![Line {
                kind: Kind::Changed,
                title: "Oat milk".into(),
                differences: vec![
                    difference("Title", "Milk", "Oat milk"),
                    difference("Due", "Tomorrow", "Mon, 09:00"),
                    difference("Priority", "none", "High"),
                    difference("Tags", "#home", "none"),
                    difference("Repeat", "none", "Repeats"),
                ],
                aside: String::new(),
            }]
        );
    }

    #[test]
    fn what_is_remembered_has_its_lines_too() {
        let memory = |text: &str, kind: &str| json!({"id": "m", "text": text, "kind": kind});
        let plain =
            |kind| vec![Line { kind, title: "Tea".into(), differences: vec![], aside: String::new() }];
        assert_eq!(lines(Value::Null, memory("Tea", "fact")), plain(Kind::Remembered));
        assert_eq!(lines(memory("Tea", "fact"), Value::Null), plain(Kind::Forgotten));
        let found = lines(memory("Coffee", "fact"), memory("Tea", "preference"));
        let difference =
            |name, before: &str, after: &str| Difference { name, before: before.into(), after: after.into() };
        assert_eq!(found[0].kind, Kind::Corrected);
        assert_eq!(
            found[0].differences,
            [difference("Words", "Coffee", "Tea"), difference("Kind", "About me", "Preference")]
        );
    }

    #[test]
    fn a_result_of_another_shape_has_no_changes() {
        for other in [json!(null), json!([]), json!({"items": []}), json!({"changes": 1}), json!("text")] {
            assert_eq!(outcome(&other), None);
        }
        // A to-do that cannot be read is nothing, not a crash.
        assert_eq!(lines(json!({"id": 1}), json!({"title": "x"})), vec![]);
    }
}

//! A tool's changes in words: what was there before, what is there after. Pure.

use std::collections::BTreeMap;

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
    /// How its notes begin. Empty without any, and where the differences say what is new about them.
    pub notes: String,
}

impl Line {
    /// That something happened to it, and no more.
    fn plain(kind: Kind, title: &str) -> Self {
        let (title, differences) = (title.to_owned(), Vec::new());
        Self { kind, title, differences, aside: String::new(), notes: String::new() }
    }
}

/// How much of a to-do's notes its line has, in characters.
const NOTES: usize = 120;

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

/// Changes as lines, at `now` (`2026-11-21T22:30`). One with nothing in it has none.
#[must_use]
pub fn lines(changes: &[Change], now: &str) -> Vec<Line> {
    let mut titles = Titles::new();
    for change in changes {
        if let Change::Todo(sides) = change
            && let Some(todo) = sides.after.as_ref().or(sides.before.as_ref())
        {
            titles.insert(&todo.id, &todo.title);
        }
    }
    let line = |change: &Change| match change {
        Change::Todo(sides) => todo_line(sides, &titles, now),
        Change::Memory(sides) => memory_line(sides),
        Change::Other { label, before, after } => {
            let kind = match (before, after) {
                (false, _) => Kind::Added,
                (true, false) => Kind::Deleted,
                (true, true) => Kind::Changed,
            };
            Some(Line::plain(kind, label))
        }
    };
    changes.iter().filter_map(line).collect()
}

/// The titles of the to-dos that changed together, by their ids.
type Titles<'a> = BTreeMap<&'a str, &'a str>;

fn memory_line(sides: &Sides<Memory>) -> Option<Line> {
    let plain = |kind, memory: &Memory| Line::plain(kind, &memory.text);
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

fn todo_line(sides: &Sides<Todo>, titles: &Titles, now: &str) -> Option<Line> {
    match (&sides.before, &sides.after) {
        (None, None) => None,
        (None, Some(todo)) => Some(plain(Kind::Added, todo, titles, now)),
        (Some(todo), None) => Some(plain(Kind::Deleted, todo, titles, now)),
        (Some(before), Some(after)) => {
            let kind = match (before.status, after.status) {
                (Status::Open, Status::Done) => Kind::Completed,
                (Status::Done, Status::Open) => Kind::Reopened,
                (Status::Open, Status::Open) | (Status::Done, Status::Done) => Kind::Changed,
            };
            let mut differences = differences(before, after, now);
            differences.extend(moved(before, after, titles));
            Some(Line {
                kind,
                title: after.title.clone(),
                differences,
                aside: String::new(),
                notes: String::new(),
            })
        }
    }
}

/// All that comes or goes with a to-do: who allows that sees it.
fn plain(kind: Kind, todo: &Todo, titles: &Titles, now: &str) -> Line {
    let part = todo.parent.as_deref().map(|whole| i18n::part_of(titles.get(whole).copied()));
    let pressure = (todo.priority != Priority::None).then(|| i18n::priority_of(todo.priority));
    let list = Some(todo.list.as_str()).filter(|list| !list.is_empty() && *list != i18n::DEFAULT_LIST);
    let aside = [
        todo.due.as_deref().map(|due| i18n::due_label(due, now)),
        todo.repeat.as_ref().map(|_| i18n::REPEATS.to_owned()),
        pressure,
        list.map(str::to_owned),
        (!todo.tags.is_empty()).then(|| tags_of(todo)),
        part,
    ];
    Line {
        kind,
        title: todo.title.clone(),
        differences: Vec::new(),
        aside: aside.into_iter().flatten().collect::<Vec<_>>().join(" · "),
        notes: beginning(&todo.notes),
    }
}

/// The beginning of notes, in one line.
fn beginning(notes: &str) -> String {
    let line = notes.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(NOTES) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
        None => line,
    }
}

fn tags_of(todo: &Todo) -> String {
    todo.tags.iter().map(|tag| format!("#{tag}")).collect::<Vec<_>>().join(" ")
}

/// That a to-do becomes a part of another one, or is none any more: parts stay when their whole is deleted.
fn moved(before: &Todo, after: &Todo, titles: &Titles) -> Option<Difference> {
    let side = |whole: &Option<String>, unknown: &str| match whole {
        None => i18n::NOTHING.to_owned(),
        Some(whole) => titles.get(whole.as_str()).map_or(unknown.to_owned(), |title| (*title).to_owned()),
    };
    (before.parent != after.parent).then(|| Difference {
        name: i18n::PART_OF,
        before: side(&before.parent, i18n::ONE_TODO),
        after: side(&after.parent, i18n::ANOTHER_TODO),
    })
}

/// How one thing about a to-do is said.
type Side<'a> = &'a dyn Fn(&Todo) -> String;

fn differences(before: &Todo, after: &Todo, now: &str) -> Vec<Difference> {
    let due =
        |todo: &Todo| todo.due.as_deref().map_or(i18n::NOTHING.to_owned(), |due| i18n::due_label(due, now));
    let tags = |todo: &Todo| match todo.tags.as_slice() {
        [] => i18n::NOTHING.to_owned(),
        _ => tags_of(todo),
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

    use super::{Difference, Kind, Line};
    use crate::workspace::model::outcome;

    fn todo(more: Value) -> Value {
        let mut todo = json!({"id": "todo_a", "title": "Milk", "status": "open", "list": "Inbox"});
        todo.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        todo
    }

    fn lines(before: Value, after: Value) -> Vec<Line> {
        lines_of(json!([{"before": before, "after": after}]))
    }

    fn lines_of(changes: Value) -> Vec<Line> {
        let result = json!({"summary": "s", "changes": changes});
        super::lines(&outcome(&result).unwrap().changes, "2026-11-21T22:30")
    }

    fn empty(kind: Kind, title: &str) -> Line {
        Line { kind, title: title.into(), differences: vec![], aside: String::new(), notes: String::new() }
    }

    #[test]
    fn each_kind_of_change_has_its_line() {
        let plain = |kind, aside: &str| vec![Line { aside: aside.into(), ..empty(kind, "Milk") }];
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
                differences: vec![
                    difference("Title", "Milk", "Oat milk"),
                    difference("Due", "Tomorrow", "Mon, 09:00"),
                    difference("Priority", "none", "High"),
                    difference("Tags", "#home", "none"),
                    difference("Repeat", "none", "Repeats"),
                ],
                ..empty(Kind::Changed, "Oat milk")
            }]
        );
    }

    #[test]
    fn who_allows_a_delete_sees_what_goes_and_what_becomes_of_its_parts() {
        let notes = format!("Ask Ben\nfor the {}", "very ".repeat(40));
        let gone = todo(json!({"id": "move", "title": "Move house", "due": "2026-11-22", "priority": "high",
            "tags": ["home", "big"], "list": "Flat", "repeat": "FREQ=YEARLY", "notes": notes, "parent": "life"}));
        let part = |parent: Value| todo(json!({"id": "pack", "title": "Pack", "parent": parent}));
        let found = lines_of(json!([{"before": gone, "after": null},
            {"before": part(json!("move")), "after": part(Value::Null)}]));
        let start: String =
            format!("Ask Ben for the {}", "very ".repeat(40)).chars().take(super::NOTES).collect();
        let difference = Difference { name: "Part of", before: "Move house".into(), after: "none".into() };
        assert_eq!(
            found,
            vec![
                Line {
                    aside: "Tomorrow · Repeats · High priority · Flat · #home #big · part of another to-do"
                        .into(),
                    notes: format!("{}…", start.trim_end()),
                    ..empty(Kind::Deleted, "Move house")
                },
                Line { differences: vec![difference], ..empty(Kind::Changed, "Pack") },
            ]
        );
        // From one that is not here to another.
        let found = lines(part(json!("a")), part(json!("b")));
        let difference = &found[0].differences[0];
        assert_eq!((difference.before.as_str(), difference.after.as_str()), ("a to-do", "another to-do"));
    }

    #[test]
    fn what_is_remembered_has_its_lines_too() {
        let memory = |text: &str, kind: &str| json!({"id": "m", "text": text, "kind": kind});
        let plain = |kind| vec![empty(kind, "Tea")];
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

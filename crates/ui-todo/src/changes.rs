//! A change of a to-do in words: what was there before, what is there after. Pure.

use ui_kit::dates::due_label;
use ui_kit::words::nothing;
use ui_kit::{Difference, DomainChange, Kind, Line};

use crate::model::{DEFAULT_LIST, Priority, Status, Todo};
use crate::words;

/// How much of a to-do's notes its line has, in characters.
const NOTES: usize = 120;

/// A to-do is done now.
const COMPLETED: Kind = Kind {
    sign: "completed",
    name: words::completed,
    done: words::completed_things,
    would: words::would_complete,
};

/// A to-do is open again.
const REOPENED: Kind = Kind {
    sign: "reopened",
    name: words::reopened,
    done: words::reopened_things,
    would: words::would_reopen,
};

/// A change of a to-do as a line, at `now` (`2026-11-21T22:30`); `together` is what else changed with it. None where neither
/// side is a to-do.
#[must_use]
pub fn line(change: &DomainChange, together: &[DomainChange], now: &str) -> Option<Line> {
    let titles = Titles(together);
    match change.sides::<Todo>() {
        (None, None) => None,
        (None, Some(todo)) => Some(plain(Kind::ADDED, &todo, titles, now)),
        (Some(todo), None) => Some(plain(Kind::DELETED, &todo, titles, now)),
        (Some(before), Some(after)) => {
            let kind = match (before.status, after.status) {
                (Status::Open, Status::Done) => COMPLETED,
                (Status::Done, Status::Open) => REOPENED,
                (Status::Open, Status::Open) | (Status::Done, Status::Done) => Kind::CHANGED,
            };
            let mut differences = differences(&before, &after, now);
            differences.extend(moved(&before, &after, titles));
            Some(Line { differences, ..Line::plain(kind, &after.title) })
        }
    }
}

/// The titles of the to-dos that changed together.
#[derive(Clone, Copy)]
struct Titles<'a>(&'a [DomainChange<'a>]);

impl<'a> Titles<'a> {
    /// The title of one of them, by its id.
    fn of(self, id: &str) -> Option<&'a str> {
        let word = |row: &'a serde_json::Value, name: &str| row.get(name).and_then(serde_json::Value::as_str);
        let row = |change: &'a DomainChange| change.after.or(change.before);
        let row = self.0.iter().filter_map(row).find(|row| word(row, "id") == Some(id))?;
        word(row, "title")
    }
}

/// All that comes or goes with a to-do: who allows that sees it.
fn plain(kind: Kind, todo: &Todo, titles: Titles, now: &str) -> Line {
    let part = todo.parent.as_deref().map(|whole| words::part_of(titles.of(whole)));
    let pressure = (todo.priority != Priority::None).then(|| words::priority_of(todo.priority));
    let list = Some(todo.list.as_str()).filter(|list| !list.is_empty() && *list != DEFAULT_LIST);
    let aside = [
        todo.due.as_deref().map(|due| due_label(due, now)),
        todo.repeat.as_ref().map(|_| words::repeats().to_owned()),
        todo.remind.as_deref().map(|remind| words::of_what(words::remind(), &words::reminder(remind, now))),
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
fn moved(before: &Todo, after: &Todo, titles: Titles) -> Option<Difference> {
    let side = |whole: &Option<String>, unknown: &str| match whole {
        None => nothing().to_owned(),
        Some(whole) => titles.of(whole).unwrap_or(unknown).to_owned(),
    };
    // The same words may stand for two of them.
    (before.parent != after.parent).then(|| Difference {
        name: words::part_of_word().into(),
        before: side(&before.parent, words::one_todo()),
        after: side(&after.parent, words::another_todo()),
    })
}

/// How one thing about a to-do is said.
type Side<'a> = &'a dyn Fn(&Todo) -> String;

fn differences(before: &Todo, after: &Todo, now: &str) -> Vec<Difference> {
    let due = |todo: &Todo| todo.due.as_deref().map_or(nothing().to_owned(), |due| due_label(due, now));
    let tags = |todo: &Todo| match todo.tags.as_slice() {
        [] => nothing().to_owned(),
        _ => tags_of(todo),
    };
    let priority = |todo: &Todo| match todo.priority {
        Priority::None => nothing().to_owned(),
        some => words::priority_name(some).to_owned(),
    };
    let repeats = |todo: &Todo| if todo.repeat.is_some() { words::repeats() } else { nothing() }.to_owned();
    let remind = |todo: &Todo| {
        todo.remind.as_deref().map_or(nothing().to_owned(), |remind| words::reminder(remind, now))
    };
    let notes = |todo: &Todo| match todo.notes.as_str() {
        "" => nothing().to_owned(),
        notes => notes.to_owned(),
    };
    let list = |todo: &Todo| todo.list.clone();
    let title = |todo: &Todo| todo.title.clone();
    let sides: [(&'static str, Side); 8] = [
        (words::title(), &title),
        (words::due(), &due),
        (words::priority(), &priority),
        (words::tags(), &tags),
        (words::list(), &list),
        (words::repeat(), &repeats),
        (words::remind(), &remind),
        (words::notes(), &notes),
    ];
    sides
        .into_iter()
        .filter_map(|(name, side)| Difference::between(name, side(before), side(after)))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use ui_kit::{Difference, Kind, Line, outcome};

    use super::{COMPLETED, REOPENED, line};

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
        let changes = outcome(&result).unwrap().changes;
        changes.iter().filter_map(|change| line(change, &changes, "2026-11-21T22:30")).collect()
    }

    fn empty(kind: Kind, title: &str) -> Line {
        Line { kind, title: title.into(), differences: vec![], aside: String::new(), notes: String::new() }
    }

    #[test]
    fn each_kind_of_change_has_its_line() {
        let plain = |kind, aside: &str| vec![Line { aside: aside.into(), ..empty(kind, "Milk") }];
        assert_eq!(lines(Value::Null, todo(json!({"due": "2026-11-22"}))), plain(Kind::ADDED, "Tomorrow"));
        assert_eq!(lines(todo(json!({})), Value::Null), plain(Kind::DELETED, ""));
        assert_eq!(lines(todo(json!({})), todo(json!({"status": "done"}))), plain(COMPLETED, ""));
        assert_eq!(lines(todo(json!({"status": "done"})), todo(json!({}))), plain(REOPENED, ""));
        assert_eq!(lines(Value::Null, Value::Null), vec![]);
    }

    #[test]
    fn what_is_different_is_said_before_and_after() {
        let before = todo(json!({"due": "2026-11-22", "tags": ["home"]}));
        let after = todo(
            json!({"title": "Oat milk", "due": "2026-11-23T09:00", "priority": "high", "repeat": "FREQ=DAILY"}),
        );
        let found = lines(before, after);
        let difference = |name: &'static str, before: &str, after: &str| Difference {
            name: name.into(),
            before: before.into(),
            after: after.into(),
        };
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
                ..empty(Kind::CHANGED, "Oat milk")
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
        let difference =
            Difference { name: "Part of".into(), before: "Move house".into(), after: "none".into() };
        assert_eq!(
            found,
            vec![
                Line {
                    aside: "Tomorrow · Repeats · High priority · Flat · #home #big · part of another to-do"
                        .into(),
                    notes: format!("{}…", start.trim_end()),
                    ..empty(Kind::DELETED, "Move house")
                },
                Line { differences: vec![difference], ..empty(Kind::CHANGED, "Pack") },
            ]
        );
        // From one that is not here to another.
        let found = lines(part(json!("a")), part(json!("b")));
        let difference = &found[0].differences[0];
        assert_eq!((difference.before.as_str(), difference.after.as_str()), ("a to-do", "another to-do"));
    }

    #[test]
    fn a_todo_that_cannot_be_read_is_nothing() {
        assert_eq!(lines(json!({"id": 1}), json!({"title": "x"})), vec![]);
    }
}

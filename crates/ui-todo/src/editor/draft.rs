//! What a form holds, as it is changed, and what of it is sent. Pure but for the place where it is kept.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use web::storage;

use crate::model::{DEFAULT_LIST, Todo};

/// Where the tab keeps what was changed in a form and is not saved: who loads the page again finds it in the form.
const KEY: &str = "satchel.editing.";

/// What a form holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// What is to be done.
    pub title: String,
    /// More about it.
    pub notes: String,
    /// `2026-11-22`; empty for none.
    pub day: String,
    /// `15:00`; empty for none.
    pub time: String,
    /// A rule of RFC 5545; empty for none.
    pub repeat: String,
    /// A reminder as the tools have it; empty for none.
    #[serde(default)]
    pub remind: String,
    /// A priority by the tools' word.
    pub priority: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// The list it is in.
    pub list: String,
}

impl Draft {
    /// What the form of a to-do begins with.
    pub fn of(todo: &Todo) -> Self {
        let (day, time) = split_due(todo.due.as_deref());
        Self {
            title: todo.title.clone(),
            notes: todo.notes.clone(),
            day,
            time,
            repeat: todo.repeat.clone().unwrap_or_default(),
            remind: todo.remind.clone().unwrap_or_default(),
            priority: todo.priority.word().to_owned(),
            tags: todo.tags.clone(),
            list: if todo.list.is_empty() { DEFAULT_LIST.to_owned() } else { todo.list.clone() },
        }
    }

    /// What is different here from what it began with, over what is there now.
    pub fn over(self, base: &Self, now: Self) -> Self {
        fn newer<T: PartialEq>(said: T, base: &T, now: T) -> T {
            if said == *base { now } else { said }
        }
        Self {
            title: newer(self.title, &base.title, now.title),
            notes: newer(self.notes, &base.notes, now.notes),
            day: newer(self.day, &base.day, now.day),
            time: newer(self.time, &base.time, now.time),
            repeat: newer(self.repeat, &base.repeat, now.repeat),
            remind: newer(self.remind, &base.remind, now.remind),
            priority: newer(self.priority, &base.priority, now.priority),
            tags: newer(self.tags, &base.tags, now.tags),
            list: newer(self.list, &base.list, now.list),
        }
    }

    /// The arguments of `todo_update`: only what is different from the to-do. None when nothing is.
    pub fn changed(&self, todo: &Todo) -> Option<Value> {
        let before = Self::of(todo);
        let mut fields = Map::new();
        let mut set = |name: &str, is_other: bool, value: Value| {
            if is_other {
                fields.insert(name.to_owned(), value);
            }
        };
        let or_null = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
        set("title", self.title.trim() != before.title, json!(self.title.trim()));
        set("notes", self.notes.trim_end() != before.notes, json!(self.notes.trim_end()));
        let (due, was_due) = (join_due(&self.day, &self.time), join_due(&before.day, &before.time));
        set("due", due != was_due, or_null(&due));
        // A to-do without a date comes back no more: the tools take the rule with the date.
        let ends = due.is_empty() && !was_due.is_empty();
        set("repeat", self.repeat != before.repeat && !ends, or_null(&self.repeat));
        // What is before a date goes with it as well; the tools take it, and refuse a new one.
        let is_before = |remind: &str| remind.contains('P');
        let remind = if due.is_empty() && is_before(&self.remind) { "" } else { self.remind.as_str() };
        let goes = due.is_empty() && is_before(&before.remind) && remind.is_empty();
        set("remind", remind != before.remind && !goes, or_null(remind));
        set("priority", self.priority != before.priority, json!(self.priority));
        set("tags", self.tags != before.tags, json!(self.tags));
        let list = match self.list.trim() {
            "" => DEFAULT_LIST,
            list => list,
        };
        set("list", list != before.list, json!(list));
        if fields.is_empty() {
            return None;
        }
        fields.insert("id".to_owned(), json!(todo.id));
        Some(Value::Object(fields))
    }
}

/// What was changed, and what the form began with.
#[derive(Serialize, Deserialize)]
struct Kept {
    base: Draft,
    draft: Draft,
}

/// What was changed of a to-do and not saved, in this tab, over the to-do as it is now: what was not touched is as others left it.
pub fn kept(todo: &Todo) -> Option<Draft> {
    let Kept { base, draft } = storage::session().read(&format!("{KEY}{}", todo.id))?;
    Some(draft.over(&base, Draft::of(todo)))
}

/// Keeps what was changed of what the form began with; none where nothing is.
pub fn keep(id: &str, base: &Draft, draft: Option<&Draft>) {
    let key = format!("{KEY}{id}");
    match draft {
        // Where there is no room it lasts as long as the page.
        Some(draft) => {
            let _ = storage::session().write(&key, &Kept { base: base.clone(), draft: draft.clone() });
        }
        None => storage::session().remove(&key),
    }
}

/// A due date as the two inputs take it.
fn split_due(due: Option<&str>) -> (String, String) {
    let (day, time) = due.unwrap_or_default().split_once('T').unwrap_or((due.unwrap_or_default(), ""));
    (day.to_owned(), time.get(..5).unwrap_or(time).to_owned())
}

/// The two inputs as the tools take it; empty for none.
fn join_due(day: &str, time: &str) -> String {
    match (day.is_empty(), time.is_empty()) {
        (true, _) => String::new(),
        (false, true) => day.to_owned(),
        (false, false) => format!("{day}T{time}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Draft, join_due, split_due};
    use crate::model::Todo;

    #[test]
    fn only_what_changed_is_sent() {
        let todo: Todo = serde_json::from_value(json!({
            "id": "todo_a", "title": "Milk", "status": "open", "due": "2026-11-22T15:00", "priority": "high",
            "notes": "Oat", "tags": ["home"], "list": "Groceries", "repeat": "FREQ=DAILY", "remind": "-PT30M",
        }))
        .unwrap();
        let rows: [(fn(&mut Draft), _); 15] = [
            (|_| {}, None),
            // It is not saved, but it is a change that is not dropped unasked.
            (|draft| draft.title.clear(), Some(json!({"title": ""}))),
            (|draft| draft.title = " Oat milk ".into(), Some(json!({"title": "Oat milk"}))),
            (|draft| draft.notes = "Two\n".into(), Some(json!({"notes": "Two"}))),
            (|draft| draft.day.clear(), Some(json!({"due": null}))),
            (
                |draft| (draft.day, draft.time) = ("2026-11-23".into(), String::new()),
                Some(json!({"due": "2026-11-23"})),
            ),
            (|draft| draft.repeat.clear(), Some(json!({"repeat": null}))),
            (|draft| draft.repeat = "FREQ=WEEKLY".into(), Some(json!({"repeat": "FREQ=WEEKLY"}))),
            (|draft| draft.remind = "-PT1H".into(), Some(json!({"remind": "-PT1H"}))),
            (|draft| draft.remind.clear(), Some(json!({"remind": null}))),
            (|draft| (draft.day.clear(), draft.remind.clear()).0, Some(json!({"due": null}))),
            (
                |draft| (draft.day.clear(), draft.remind = "2026-11-22T09:00".into()).0,
                Some(json!({"due": null, "remind": "2026-11-22T09:00"})),
            ),
            (|draft| draft.priority = "none".into(), Some(json!({"priority": "none"}))),
            (|draft| draft.tags.push("big".into()), Some(json!({"tags": ["home", "big"]}))),
            (|draft| draft.list = " ".into(), Some(json!({"list": "Inbox"}))),
        ];
        for (change, expected) in rows {
            let mut draft = Draft::of(&todo);
            change(&mut draft);
            let expected = expected.map(|mut fields| {
                fields["id"] = json!("todo_a");
                fields
            });
            assert_eq!(draft.changed(&todo), expected, "{draft:?}");
        }
    }

    #[test]
    fn what_was_not_touched_is_as_others_left_it() {
        let todo = |more: Value| -> Todo {
            let mut todo = json!({"id": "todo_a", "title": "Milk", "status": "open", "due": "2026-11-23"});
            todo.as_object_mut().unwrap().extend(Value::as_object(&more).unwrap().clone());
            serde_json::from_value(todo).unwrap()
        };
        let base = Draft::of(&todo(json!({})));
        let draft = Draft { notes: "Oat".into(), ..base.clone() };
        let now = todo(json!({"due": "2026-11-27", "tags": ["home"]}));
        let over = draft.over(&base, Draft::of(&now));
        assert_eq!(over.changed(&now), Some(json!({"id": "todo_a", "notes": "Oat"})));
    }

    #[test]
    fn a_due_date_goes_into_its_inputs_and_back() {
        for due in ["", "2026-11-22", "2026-11-22T15:00"] {
            let (day, time) = split_due(Some(due));
            assert_eq!(join_due(&day, &time), due);
        }
        assert_eq!(join_due("", "15:00"), "");
    }
}

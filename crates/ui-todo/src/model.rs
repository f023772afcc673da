//! To-dos as the tools return them, and how the pane groups them. Pure.

use serde::Deserialize;
use serde_json::Value;

/// A to-do, as far as the page shows it. Unknown fields are left where they are: in the store.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Todo {
    /// For the tools; never shown.
    pub id: String,
    /// What is to be done.
    pub title: String,
    /// More about it.
    #[serde(default)]
    pub notes: String,
    /// Open or done.
    pub status: Status,
    /// `2026-11-22`, or `2026-11-22T15:00` where the person is.
    #[serde(default)]
    pub due: Option<String>,
    /// How much it presses.
    #[serde(default)]
    pub priority: Priority,
    /// Its tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The list it is in.
    #[serde(default)]
    pub list: String,
    /// The to-do that it is a part of, by its id.
    #[serde(default)]
    pub parent: Option<String>,
    /// The rule by which it comes back (RFC 5545), if it does.
    #[serde(default)]
    pub repeat: Option<String>,
    /// When to remind of it: `2026-11-22T15:00`, or so long before it is due (`-PT30M`, RFC 5545).
    #[serde(default)]
    pub remind: Option<String>,
    /// Its place among those of the same date and priority.
    #[serde(default)]
    pub order: Place,
}

/// A place among others: the lower comes first.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Place(pub f64);

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Place {}

/// The list of what is in no other, as the tools call it.
pub const DEFAULT_LIST: &str = "Inbox";

/// Whether a to-do is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Still to do.
    Open,
    /// Done.
    Done,
}

impl Status {
    /// The word in `data-status`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
        }
    }
}

/// How much a to-do presses; the order of the variants is the order of pressure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Nothing said.
    #[default]
    None,
    /// Can wait.
    Low,
    /// Ordinary.
    Medium,
    /// Soon.
    High,
    /// Now.
    Urgent,
}

impl Priority {
    /// All of them, mildest first.
    pub const ALL: [Self; 5] = [Self::None, Self::Low, Self::Medium, Self::High, Self::Urgent];

    /// The tools' word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Urgent => "urgent",
        }
    }
}

/// The groups of the workspace, in the order they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Open, and its time has passed.
    Overdue,
    /// Open, due today.
    Today,
    /// Open, due later.
    Upcoming,
    /// Open, without a date.
    NoDate,
    /// Done.
    Done,
}

impl Group {
    /// All groups in their order.
    pub const ALL: [Self; 5] = [Self::Overdue, Self::Today, Self::Upcoming, Self::NoDate, Self::Done];

    /// The tools' word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Overdue => "overdue",
            Self::Today => "today",
            Self::Upcoming => "upcoming",
            Self::NoDate => "no_date",
            Self::Done => "done",
        }
    }

    /// Where a to-do stands at `now` (`2026-11-21T22:30`, where the person is). Dates in this form
    /// order as their text does.
    #[must_use]
    pub fn of(todo: &Todo, now: &str) -> Self {
        let today = now.split('T').next().unwrap_or(now);
        match (todo.status, todo.due.as_deref()) {
            (Status::Done, _) => Self::Done,
            (Status::Open, None) => Self::NoDate,
            (Status::Open, Some(due)) => {
                let day = due.split('T').next().unwrap_or(due);
                let passed = day < today || (due.contains('T') && day == today && due < now);
                if passed {
                    Self::Overdue
                } else if day == today {
                    Self::Today
                } else {
                    Self::Upcoming
                }
            }
        }
    }
}

/// Which groups of the list are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// All of them.
    #[default]
    All,
    /// What is due today, and what is overdue.
    Today,
    /// What is due later.
    Upcoming,
    /// What has no date.
    NoDate,
    /// What is done.
    Done,
}

impl View {
    /// All views in their order.
    pub const ALL: [Self; 5] = [Self::All, Self::Today, Self::Upcoming, Self::NoDate, Self::Done];

    /// Whether it shows a group.
    #[must_use]
    pub fn has(self, group: Group) -> bool {
        match self {
            Self::All => true,
            Self::Today => matches!(group, Group::Overdue | Group::Today),
            Self::Upcoming => group == Group::Upcoming,
            Self::NoDate => group == Group::NoDate,
            Self::Done => group == Group::Done,
        }
    }

    /// Its word in addresses and in what is kept.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Today => "today",
            Self::Upcoming => "upcoming",
            Self::NoDate => "no-date",
            Self::Done => "done",
        }
    }
}

/// Reads the page of a `todo_list` result: its to-dos, how many there are in all, and the cursor of
/// the next page. To-dos that cannot be read are left out.
#[must_use]
pub fn list_page(structured: &Value) -> Option<(Vec<Todo>, u64, Option<String>)> {
    let object = structured.as_object()?;
    let items = object.get("items")?.as_array()?;
    let todos: Vec<Todo> =
        items.iter().filter_map(|item| serde_json::from_value(item.clone()).ok()).collect();
    let total = object.get("total").and_then(Value::as_u64).unwrap_or(todos.len() as u64);
    let cursor = object.get("next_cursor").and_then(Value::as_str).map(str::to_owned);
    Some((todos, total, cursor))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Group, Todo, list_page};

    fn todo(id: &str, more: Value) -> Todo {
        let mut todo = json!({"id": id, "title": id, "status": "open"});
        todo.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(todo).unwrap()
    }

    #[test]
    fn each_todo_is_in_the_group_its_date_says() {
        let rows = [
            (json!({}), Group::NoDate),
            (json!({"due": "2026-11-20"}), Group::Overdue),
            (json!({"due": "2026-11-20T23:59"}), Group::Overdue),
            (json!({"due": "2026-11-21"}), Group::Today),
            (json!({"due": "2026-11-21T22:29"}), Group::Overdue),
            (json!({"due": "2026-11-21T22:30"}), Group::Today),
            (json!({"due": "2026-11-21T23:00"}), Group::Today),
            (json!({"due": "2026-11-22T00:00"}), Group::Upcoming),
            (json!({"due": "2027-01-01"}), Group::Upcoming),
            (json!({"due": "2026-11-20", "status": "done"}), Group::Done),
        ];
        for (more, expected) in rows {
            assert_eq!(Group::of(&todo("a", more.clone()), "2026-11-21T22:30"), expected, "{more}");
        }
    }

    #[test]
    fn pages_are_read_and_odd_items_left_out() {
        let page = json!({"items": [{"id": "a", "title": "A", "status": "open"}, {"id": 1}, null], "total": 7, "next_cursor": "c"});
        let (todos, total, cursor) = list_page(&page).unwrap();
        assert_eq!((todos.len(), total, cursor.as_deref()), (1, 7, Some("c")));
        for other in [json!(null), json!({"items": 1}), json!([])] {
            assert!(list_page(&other).is_none(), "{other}");
        }
    }
}

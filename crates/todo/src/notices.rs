//! What is to be told of the to-dos at a time, whoever tells it: `todo://reminders?now=2026-11-22T10:30`.
//!
//! It says what was to be told by now of what is open, and when the next one comes. What of it was told on a device, put off or put
//! away is the device's to know: `www/sw.js`, which tells it, asks here and calls what a person chooses (ADR 0071). Nothing of this
//! is of to-dos alone but the words.

use std::rc::Rc;

use dates::calendar::{minutes_between, minutes_later};
use dates::due::{self, Due};
use jiff::civil::DateTime;
use serde::Serialize;
use serde_json::{Value, json};

use crate::model::{Status, Todo};

/// The most notices that are told; the latest ones.
const MOST: usize = 1_000;

/// What was missed for longer is old news, also where a file brings it: a device remembers as long what it told.
const OLD_DAYS: i64 = 30;

/// So many minutes after its time a notice is late, and says so.
const LATE_MIN: i64 = 5;

/// What is to be told.
#[derive(Debug, Serialize)]
pub(crate) struct Notices {
    /// What was to be told by now, in the order of its times.
    pub notices: Vec<Notice>,
    /// When the next one comes, on the wall.
    pub next: Option<String>,
}

/// Something to be told once.
#[derive(Debug, Serialize)]
pub(crate) struct Notice {
    /// Names what is told: the same thing at another time is another notice.
    pub tag: String,
    /// The time it was for, on the wall.
    pub at: String,
    /// Whether that is over for some time.
    pub late: bool,
    /// What it is about, in a line.
    pub title: String,
    /// More about it, in a line.
    pub body: String,
    /// Where it is seen: the fragment of an address of the app.
    pub open: String,
    /// What can be done with it at once, in order: each with what a button says and the call it makes.
    pub actions: Value,
}

/// The answer to a query such as `now=2026-11-22T10:30`; None for another one.
pub(crate) fn notices(todos: &[Rc<Todo>], query: &str) -> Option<Notices> {
    let (_, now) = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "now")?;
    let Ok(Due::At(now)) = now.parse::<Due>() else { return None };
    let oldest = minutes_later(now, -OLD_DAYS * 1_440)?;
    let (mut past, mut next) = (Vec::new(), None::<DateTime>);
    for todo in todos.iter().filter(|todo| todo.status == Status::Open) {
        let Some(moment) = todo.remind.and_then(|remind| remind.moment(todo.due)) else { continue };
        if moment <= now {
            if moment >= oldest {
                past.push((moment, todo));
            }
        } else if next.is_none_or(|next| moment < next) {
            next = Some(moment);
        }
    }
    order::sort_by(&mut past, |one, other| (one.0, &one.1.id).cmp(&(other.0, &other.1.id)));
    let from = past.len().saturating_sub(MOST);
    let notices = past[from..].iter().map(|(moment, todo)| notice(todo, *moment, now)).collect();
    Some(Notices { notices, next: next.map(|next| Due::At(next).to_string()) })
}

fn notice(todo: &Todo, moment: DateTime, now: DateTime) -> Notice {
    let at = Due::At(moment).to_string();
    let late = minutes_between(moment, now) >= LATE_MIN;
    let said = |text: &str| due::spoken(text, Some(now));
    let due = todo.due.map(|due| format!("Due {}.", said(&due.to_string())));
    // A stranger may have written its title.
    let origin = todo.imported.then(|| "From a file that was imported.".to_owned());
    let late_by = late.then(|| format!("Late: this was for {}.", said(&at)));
    Notice {
        tag: format!("{} {at}", todo.id),
        late,
        title: todo.title.clone(),
        body: late_by.into_iter().chain(due).chain(origin).collect::<Vec<_>>().join(" "),
        open: format!("todo/{}", todo.id),
        actions: json!([{ "action": "done", "title": "Done", "tool": "todo_complete", "arguments": { "id": todo.id } }]),
        at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::todos;

    #[test]
    fn what_was_to_be_told_by_now_and_what_comes_next() {
        let all = todos(&[
            ("none", json!({"due": "2026-11-22T10:00"})),
            ("due", json!({"due": "2026-11-22T10:30", "remind": "PT0S"})),
            ("before", json!({"due": "2026-11-22T10:30", "remind": "-PT30M"})),
            ("at", json!({"remind": "2026-11-22T10:28"})),
            ("morning", json!({"due": "2026-11-23", "remind": "PT0S"})),
            ("soon", json!({"due": "2026-11-22T11:00", "remind": "-PT29M"})),
            ("done", json!({"remind": "2026-11-22T09:00", "status": "done"})),
            ("old", json!({"remind": "2026-10-20T09:00"})),
            ("foreign", json!({"remind": "2026-11-22T10:29", "untrusted": "import"})),
        ]);
        let told = notices(&all, "now=2026-11-22T10:30").unwrap();
        let said: Vec<(&str, &str, bool)> =
            told.notices.iter().map(|notice| (&*notice.tag, &*notice.body, notice.late)).collect();
        assert_eq!(
            said,
            [
                ("before 2026-11-22T10:00", "Late: this was for today, 10:00. Due today, 10:30.", true),
                ("at 2026-11-22T10:28", "", false),
                ("foreign 2026-11-22T10:29", "From a file that was imported.", false),
                ("due 2026-11-22T10:30", "Due today, 10:30.", false),
            ]
        );
        assert_eq!(told.next.as_deref(), Some("2026-11-22T10:31"));
        let next = |now: &str| notices(&all, &format!("now={now}")).unwrap().next;
        assert_eq!(next("2026-11-22T10%3A31").as_deref(), Some("2026-11-23T09:00"));
        assert_eq!(next("2026-11-23T09:00"), None);
        for wrong in ["", "now=", "now=2026-11-22", "then=2026-11-22T10:30"] {
            assert!(notices(&all, wrong).is_none(), "{wrong}");
        }
    }
}

//! The words of the views and of the calendar, in English. What they share with the list is said as there.

use ui_kit::locale::number;

pub use crate::words::{
    DEFAULT_LIST, DELETE, KEEP, LIST_UNREADABLE, NOT_HERE, PLAN_MONTH, PLAN_WEEK, SAVE, TAGS, TODAY, VIEWS,
    view_name,
};

/// The lists there are.
pub const LISTS: &str = "Lists";
/// What was put together to be shown again.
pub const SAVED: &str = "Saved filters";
/// Keeps what is shown under a name.
pub const SAVE_FILTER: &str = "Save what is shown now as";
/// It could not be kept.
pub const NOT_KEPT: &str = "This could not be kept: there is no room, or there are 50 already.";
/// Its name is not kept any more.
pub const FORGET_FILTER: &str = "Remove this filter";
/// The calendar.
pub const CALENDAR: &str = "Calendar";
/// Seven days of it.
pub const WEEK: &str = "Week";
/// A month of it.
pub const MONTH: &str = "Month";
/// The days before.
pub const EARLIER: &str = "Earlier";
/// The days after.
pub const LATER: &str = "Later";
/// How to-dos are moved there.
pub const CALENDAR_HINT: &str =
    "Drag a to-do to another day, or move it with Alt and the arrows. Press it to open it.";
/// What has no day, beside the calendar.
pub const WAITING_FOR_A_DAY: &str = "Overdue and without a date";
/// Not all of it is shown.
pub const MORE_THAN_SHOWN: &str = "There are more than are shown here.";
/// A list or tag is called otherwise.
pub const RENAME: &str = "Rename";
/// Its new name.
pub const NEW_NAME: &str = "New name";
/// It is no name.
pub const NAME_MISSING: &str = "It needs a name.";
/// A list goes, with what is in it.
pub const DELETE_WITH_TODOS: &str = "Delete its to-dos too";
/// A list goes, and what is in it stays.
pub const KEEP_TODOS: &str = "Move its to-dos to Inbox";
/// Something came in while a question stood.
pub const MORE_BY_NOW: &str = "There are more by now: look again.";
/// A tag goes from all that have it.
pub const TAKE_OFF: &str = "Take it off";

/// The button for what can be done with a list or a tag.
#[must_use]
pub fn more_about(name: &str) -> String {
    format!("More about {name}")
}

/// Two lists or tags become one.
#[must_use]
pub fn becomes_one(name: &str) -> String {
    format!("“{name}” is there already: both become one.")
}

/// Whether a list is to go.
#[must_use]
pub fn delete_list(name: &str, titles: &[String], count: usize) -> String {
    match count {
        0 => format!("Delete the list “{name}”?"),
        _ => format!("Delete the list “{name}”? In it: {}.", named(titles, count)),
    }
}

/// Whether a tag is to go.
#[must_use]
pub fn delete_tag(name: &str, titles: &[String], count: usize) -> String {
    format!("Take #{name} off {}?", named(titles, count))
}

/// Some titles, and how many more there are.
fn named(titles: &[String], count: usize) -> String {
    let quoted = titles.iter().map(|title| format!("“{title}”")).collect::<Vec<_>>().join(", ");
    match count - titles.len().min(count) {
        0 => quoted,
        more => format!("{quoted} and {} more", number(more)),
    }
}

/// More than one call takes were changed.
#[must_use]
pub fn changed_in_steps(count: usize) -> String {
    format!("{} to-dos changed. History takes it back.", number(count))
}

/// Not all that was to be changed was.
#[must_use]
pub fn changed_so_far(done: usize, all: usize) -> String {
    format!(
        "{} of {} to-dos are changed; the rest are as they were. Try again, or take it back in History.",
        number(done),
        number(all)
    )
}

/// A day and what is on it, to be heard.
#[must_use]
pub fn day_with(day: &str, count: usize) -> String {
    match count {
        0 => day.to_owned(),
        1 => format!("{day}, 1 to-do"),
        _ => format!("{day}, {} to-dos", number(count)),
    }
}

/// What stands below those of a day that are shown.
#[must_use]
pub fn more_on_day(count: usize) -> String {
    format!("{} more", number(count))
}

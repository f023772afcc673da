//! The words of the views and of the calendar. What they share with the list is said as there.

pub use crate::words::{
    delete, keep, list_unreadable, not_here, plan_month, plan_week, save, tags, today, view_name, views,
};

pub use ui_kit::words::{more_about, rename};

use crate::words::all_quoted;

include!(concat!(env!("OUT_DIR"), "/planner.rs"));

/// Whether a list is to go.
#[must_use]
pub fn delete_list(name: &str, titles: &[String], count: usize) -> String {
    delete_list_with(name, &named(titles, count), count)
}

/// Whether a tag is to go.
#[must_use]
pub fn delete_tag(name: &str, titles: &[String], count: usize) -> String {
    delete_tag_from(name, &named(titles, count))
}

/// Some titles, and how many more there are.
fn named(titles: &[String], count: usize) -> String {
    let quoted = all_quoted(titles);
    match count.saturating_sub(titles.len()) {
        0 => quoted,
        more => with_more(&quoted, more),
    }
}

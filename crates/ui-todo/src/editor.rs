//! What comes with the first to-do that is opened, or the first letter of a new one: the form with all that a to-do has, and what a typed
//! line is understood as. Parts of their own (docs/adr/0044-the-page-in-parts.md); what reads words is the built-in model's.

mod arrange;
mod chips;
mod draft;
mod due;
mod filter;
mod form;
mod history;
mod many;
pub(crate) mod names;
mod notes;
mod remind;
mod repeat;
mod rule;
mod spoken;
mod subtasks;
mod tags;

use leptos::prelude::*;
use ui_kit::parts::part;

use crate::live::Live;
use crate::model::Group;

pub use chips::Line;
pub use form::Opened;

/// What draws.
#[derive(Clone, Copy)]
pub struct Editor {
    /// A to-do's form.
    pub form: fn(Opened) -> AnyView,
    /// What a line is understood as.
    pub chips: fn(Line) -> AnyView,
    /// What of the list is shown.
    pub filter: fn(Live) -> AnyView,
    /// What is done with several to-dos.
    pub many: fn(Live) -> AnyView,
    /// Picks one of several.
    pub pick: fn(Live, Group, String, bool),
    /// Has rows moved by keys and dragged from now on.
    pub arrange: fn(Live),
}

part! {
    editor,
    /// What draws.
    pub fn editor() -> fn() -> Editor {
        || Editor { form: form::form, chips: chips::chips, filter: filter::filter, many: many::many,
            pick: many::pick,
            arrange: arrange::arrange,
        }
    }
}

/// What reads words, and knows the calendar.
#[derive(Clone, Copy)]
pub struct Reader {
    /// [`builtin::quick_add`].
    pub quick_add: fn(&str, &str, &[String], &[String]) -> Option<builtin::QuickAdd>,
    /// [`builtin::rule_of`].
    pub rule_of: fn(&str, &str) -> Option<(String, String)>,
    /// [`builtin::days`].
    pub days: fn(&str) -> Option<builtin::Days>,
}

part! {
    builtin,
    /// What reads words.
    pub fn reader() -> fn() -> Reader {
        || Reader {
            quick_add: builtin::quick_add,
            rule_of: builtin::rule_of,
            days: builtin::days,
        }
    }
}

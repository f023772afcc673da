//! The words of the history, and of what needs a person's word first.

use agent::Rule;
use ui_kit::words::{filled, things};

pub const APPROVALS: &str = "Approvals";
pub const APPROVALS_HINT: &str =
    "When the assistant asks you first. What it wants to do is shown before you answer.";
pub const WHAT_DESTROYS: &str = "Deleting and clearing";
pub const WHAT_CHANGES: &str = "Adding and changing";
pub const BY_TOOL: &str = "For each tool";
pub const AS_DESTROYING: &str = "As for deleting";
pub const AS_CHANGING: &str = "As for changing";
pub const AS_READING: &str = "Does not ask: it only reads";
pub const AS_OUTSIDE: &str = "Asks: it reaches outside";
pub const ALLOWED_HERE: &str = "Not asked about in the conversation on the screen:";
pub const ASK_AGAIN: &str = "Ask again";

// The history.
pub const HISTORY: &str = "History";
#[must_use]
pub fn history_hint() -> &'static str {
    filled(
        "Every change to your {many}, newest first. Nothing here is lost by going back: that is a change too.",
    )
}

#[must_use]
pub fn no_history() -> &'static str {
    filled("Nothing has changed yet. What you or the assistant do to your {many} will stand here.")
}

pub const HISTORY_UNREADABLE: &str = "The history could not be read.";
pub const EARLIER: &str = "Show earlier changes";
pub const REDO: &str = "Redo";
pub const BACK_TO_HERE: &str = "Back to here";
pub const GO_BACK: &str = "Go back";
pub const CHANGED_MEANWHILE: &str =
    "Something has changed since. Nothing was taken back yet: this is what it would change now.";

/// A rule in a menu.
#[must_use]
pub fn rule_name(rule: Rule) -> String {
    match rule {
        Rule::Always => "Always ask".to_owned(),
        Rule::Above(1) => filled("Ask for more than one {one}").to_owned(),
        Rule::Above(count) => format!("Ask for more than {count} {}", things()),
        Rule::Never => "Never ask".to_owned(),
    }
}

/// What going back would do.
#[must_use]
pub fn going_back(count: u32) -> String {
    match count {
        0 => "Nothing has changed since: there is nothing to take back.".to_owned(),
        1 => "Going back to here would change 1 thing:".to_owned(),
        count => format!("Going back to here would change {count} things:"),
    }
}

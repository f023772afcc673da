//! The words of a question that somebody outside the page asks, and what their model is told.

use ui_kit::words::filled;

pub const OUTSIDE_ASK: &str = "A program asks";
pub const OUTSIDE_ALLOW: &str = "Allow";
pub const OUTSIDE_DENY: &str = "Don’t allow";
#[must_use]
pub fn outside_tab() -> &'static str {
    filled("(!) {app}: a program asks")
}

// For a model in another program.
pub const OUTSIDE_DENIED: &str =
    "The person was asked and said no. Nothing was changed. Do not try again unless they ask for it.";
#[must_use]
pub fn outside_not_in_time() -> &'static str {
    filled(
        "The person was asked in {app} and did not answer within two minutes. Nothing was \
changed. Ask them to look at {app}'s tab before you try again.",
    )
}

/// How long a question stands, and how many stand behind it.
#[must_use]
pub fn external_patience(more: usize) -> String {
    let rest = match more {
        0 => String::new(),
        1 => " One more waits.".to_owned(),
        more => format!(" {more} more wait."),
    };
    format!("Without an answer within two minutes it is not done.{rest}")
}

//! The words of a question that somebody outside the page asks, and what their model is told.

use ui_kit::words::app_name;

include!(concat!(env!("OUT_DIR"), "/external.rs"));

// For a model in another program: in English whatever the page speaks.

/// The person said no.
pub const OUTSIDE_DENIED: &str =
    "The person was asked and said no. Nothing was changed. Do not try again unless they ask for it.";

/// The person said nothing.
#[must_use]
pub fn outside_not_in_time() -> String {
    let app = app_name();
    format!(
        "The person was asked in {app} and did not answer within two minutes. Nothing was changed. Ask them to look at {app}'s \
         tab before you try again."
    )
}

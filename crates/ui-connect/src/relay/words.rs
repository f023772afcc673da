//! Words for what relay tells apart.

use super::{Link, Mode, Outcome, Why};
use ui_kit::words::filled;

/// Whether programs reach this page.
#[must_use]
pub fn relay_link(link: Link) -> &'static str {
    let words = match link {
        Link::Off => "Off. Nothing can reach this tab.",
        Link::Connecting => "Connecting…",
        Link::On => {
            "On, for as long as this tab stays open: closing or reloading it, or the switch, ends it at once."
        }
        Link::Ended(Why::Replaced) => "Ended: another tab of {app} has taken over.",
        Link::Ended(Why::Gone) => "Ended: the {app} server on this machine does not answer.",
        Link::Ended(Why::NoGateway) => "This server cannot pass anything on.",
    };
    filled(words)
}

/// What programs may do, in the menu.
#[must_use]
pub fn relay_mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "Read only",
        Mode::Ask => "Ask me before each change",
    }
}

/// The same at length.
#[must_use]
pub fn relay_mode_hint(mode: Mode) -> &'static str {
    let words = match mode {
        Mode::Read => "They can read your {many}. What would change something is refused.",
        Mode::Ask => {
            "They can read your {many}. What would change something is shown here first, and done when you allow it."
        }
    };
    filled(words)
}

/// How a call ended.
#[must_use]
pub fn relay_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Waiting => "Waits for you",
        Outcome::Running => "Under way",
        Outcome::Done => "Done",
        Outcome::Failed => "Did not work",
        Outcome::ReadOnly => "Refused: read only",
        Outcome::Denied => "You said no",
        Outcome::NotInTime => "No answer in time",
        Outcome::GivenUp => "Given up",
    }
}

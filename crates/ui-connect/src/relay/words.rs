//! Words for what relay tells apart.

use super::{Link, Mode, Outcome, Why};
use crate::i18n;

/// Whether programs reach this page.
#[must_use]
pub fn relay_link(link: Link) -> &'static str {
    match link {
        Link::Off => i18n::relay_off(),
        Link::Connecting => i18n::relay_connecting(),
        Link::On => i18n::relay_on(),
        Link::Ended(Why::Replaced) => i18n::relay_replaced(),
        Link::Ended(Why::Gone) => i18n::relay_gone(),
        Link::Ended(Why::NoGateway) => i18n::relay_passes_nothing_on(),
    }
}

/// What programs may do, in the menu.
#[must_use]
pub fn relay_mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => i18n::relay_mode_read(),
        Mode::Ask => i18n::relay_mode_ask(),
    }
}

/// The same at length.
#[must_use]
pub fn relay_mode_hint(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => i18n::relay_mode_read_hint(),
        Mode::Ask => i18n::relay_mode_ask_hint(),
    }
}

/// How a call ended.
#[must_use]
pub fn relay_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Waiting => i18n::relay_waiting(),
        Outcome::Running => i18n::relay_running(),
        Outcome::Done => i18n::relay_done(),
        Outcome::Failed => i18n::relay_failed(),
        Outcome::ReadOnly => i18n::relay_refused(),
        Outcome::Denied => i18n::relay_denied(),
        Outcome::NotInTime => i18n::relay_not_in_time(),
        Outcome::GivenUp => i18n::relay_given_up(),
    }
}

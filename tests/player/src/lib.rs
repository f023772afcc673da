//! Plays the folders of `tests/transcripts` through the real driver and machine, over virtual time: the same code on this
//! machine and in a browser, and both have to come to the same events.
//!
//! `script` is the folder's format (described in `tests/transcripts/README.md`), `world` the scripted ports and the clock,
//! `player` plays one script, with or without crashes, and `events` is what happened as one hash.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "this is all test: what fails here is a failed transcript"
)]

mod events;
mod player;
mod script;
mod world;

pub use player::{Crash, Played, play};
pub use script::Script;
pub use world::assert_well_formed;

/// Plays a transcript without crashes and checks what its author wrote down, and what holds for each.
///
/// # Panics
/// When something does not hold.
#[must_use]
pub fn played_as_written(script: &Script) -> Played {
    let played = play(script, None);
    played.check(script);
    played
}

/// Plays a transcript with a crash and compares what comes of it with a play that had none.
///
/// # Panics
/// When something is different.
pub fn assert_survives(script: &Script, straight: &Played, crash: Crash) {
    let resumed = play(script, Some(crash));
    assert_eq!(resumed.messages(), straight.messages(), "{crash:?}");
    assert_eq!(resumed.endings(), straight.endings(), "{crash:?}");
    assert_eq!(resumed.executed(), straight.executed(), "{crash:?}");
    assert_eq!(resumed.todos(), straight.todos(), "{crash:?}");
}

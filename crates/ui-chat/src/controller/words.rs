//! Words for what host tells apart.

use super::Replayed;

/// How a replay stands.
#[must_use]
pub fn replayed(replayed: &Replayed) -> String {
    match replayed {
        Replayed::Playing(at, all) => format!("Replaying: {at} of {all}"),
        Replayed::Same(all) => format!("Replayed: all {all} steps came out as recorded."),
        Replayed::Different(how) => how.clone(),
    }
}

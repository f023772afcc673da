//! A section of an open trip: where the trip goes, on a map and in words.

use leptos::prelude::*;

use crate::open::Open;

/// Draws it.
pub fn map(trip: Open) -> AnyView {
    let _ = trip;
    ().into_any()
}

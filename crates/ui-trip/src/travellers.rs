//! A section of an open trip: who travels.

use leptos::prelude::*;

use crate::open::Open;

/// Draws it.
pub fn travellers(trip: Open) -> AnyView {
    let _ = trip;
    ().into_any()
}

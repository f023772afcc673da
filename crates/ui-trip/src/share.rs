//! A section of an open trip: what leaves of a trip and comes in.

use leptos::prelude::*;

use crate::open::Open;

/// Draws it.
pub fn share(trip: Open) -> AnyView {
    let _ = trip;
    ().into_any()
}

//! A section of an open trip: what the trip costs.

use leptos::prelude::*;

use crate::open::Open;

/// Draws it.
pub fn budget(trip: Open) -> AnyView {
    let _ = trip;
    ().into_any()
}

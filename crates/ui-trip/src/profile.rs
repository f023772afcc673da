//! A section of an open trip: what is known of the travellers.

use leptos::prelude::*;

use crate::open::Open;

/// Draws it.
pub fn profile(trip: Open) -> AnyView {
    let _ = trip;
    ().into_any()
}

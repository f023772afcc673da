//! What the sections of the days and checks share: the open trip, its form, moves, and which row is to have the focus.

use leptos::html;
use leptos::prelude::*;
use web::page;
use web_sys::HtmlElement;

use crate::form::Editing;
use crate::moving::Ask;
use crate::open::Open;

/// The open trip on the screen. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct View {
    /// The trip.
    pub open: Open,
    /// What the form is about; none while it is closed.
    pub editing: RwSignal<Option<Editing>>,
    /// What is to be moved, or tried out; none while nothing is.
    pub asked: RwSignal<Option<Ask>>,
    /// Where the days scroll.
    pub scroller: NodeRef<html::Div>,
    /// The row that is to have the focus, by its segment's id.
    pub sought: RwSignal<Option<String>>,
}

impl View {
    /// Over a trip.
    #[must_use]
    pub fn of(open: Open) -> Self {
        Self {
            open,
            editing: RwSignal::new(None),
            asked: RwSignal::new(None),
            scroller: NodeRef::new(),
            sought: RwSignal::new(None),
        }
    }

    /// The row of a segment gets the focus, as soon as it is there; the trip's name where it does not come.
    pub fn seek(self, id: &str) {
        self.sought.set(Some(id.to_owned()));
    }
}

/// Where a segment's row takes the focus.
#[must_use]
pub fn row(id: &str) -> Option<HtmlElement> {
    page::first(&format!(".trip-days [data-segment='{id}'] .trip-main"))
}

/// The trip's name takes the focus where nothing better is there.
pub fn focus_title() {
    let _ = page::focus("#trips-title");
}

//! What the sections of the days and checks share: the open trip, its form, moves, and which row is to have the focus.

use leptos::html;
use leptos::prelude::*;
use serde_json::{Value, json};
use web::page;
use web_sys::HtmlElement;

use crate::model::Kind;
use crate::open::Open;

/// What the form is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Editing {
    /// A new segment, on a day where one is said.
    Add {
        /// What it is.
        kind: Kind,
        /// The day; empty for none.
        day: String,
    },
    /// One that is there.
    Change {
        /// Its id.
        id: String,
    },
}

impl Editing {
    /// The segment's id; empty for a new one.
    pub fn id(&self) -> &str {
        match self {
            Self::Add { .. } => "",
            Self::Change { id } => id,
        }
    }
}

/// What is to be moved, or tried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The segment it is about; none for the whole trip.
    pub segment: Option<String>,
    /// The call, where it is known from the start.
    pub call: Option<(String, Value)>,
    /// It is a way out of a finding: there is nothing to be said of it.
    pub is_way_out: bool,
}

impl Ask {
    /// A segment, to where the person says in the form.
    #[must_use]
    pub fn form(segment: String) -> Self {
        Self { segment: Some(segment), call: None, is_way_out: false }
    }

    /// The whole trip, by as many days as the person says in the form.
    #[must_use]
    pub fn whole() -> Self {
        Self { segment: None, call: None, is_way_out: false }
    }

    /// A segment, to a day.
    #[must_use]
    pub fn to_day(segment: String, day: String) -> Self {
        let call = ("move_segment".to_owned(), json!({ "segment": segment, "to": day }));
        Self { segment: Some(segment), call: Some(call), is_way_out: false }
    }

    /// A segment, by so many days.
    #[must_use]
    pub fn by_days(segment: String, days: i64) -> Self {
        let call = ("move_segment".to_owned(), json!({ "segment": segment, "by_days": days }));
        Self { segment: Some(segment), call: Some(call), is_way_out: false }
    }

    /// The way out of a finding.
    #[must_use]
    pub fn way_out(segment: Option<String>, tool: String, arguments: Value) -> Self {
        Self { segment, call: Some((tool, arguments)), is_way_out: true }
    }
}

/// The open trip on the screen. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct View {
    /// The trip.
    pub open: Open,
    /// What the form is about; none while it is closed.
    pub editing: RwSignal<Option<Editing>>,
    /// What is to be moved, or tried out; none while nothing is.
    pub asked: RwSignal<Option<Ask>>,
    /// Why findings are accepted, as far as it is typed, by what tells them apart.
    pub reasons: RwSignal<Vec<(String, String)>>,
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
            reasons: RwSignal::new(Vec::new()),
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

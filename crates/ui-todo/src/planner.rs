//! Other ways to look at the to-dos: views of the list to choose from, and a calendar to plan with. They come with the form
//! (docs/adr/0044-the-page-in-parts.md).

mod calendar;
mod days;
mod many;
mod saved;
mod shown;
mod views;
mod words;

use leptos::prelude::*;
use ui_kit::parts::part;

part! {
    editor,
    /// The views there are.
    pub fn views_dialog() -> fn() -> AnyView {
        views::views_dialog
    }
}

part! {
    editor,
    /// The calendar.
    pub fn calendar_dialog() -> fn() -> AnyView {
        calendar::calendar_dialog
    }
}

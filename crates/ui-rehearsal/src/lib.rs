//! Rehearsals in the page: a scenario from a file or from the conversation on the screen, played and looked at.
//!
//! Start at [`rehearse_dialog`], a part of the page that comes when it is opened. What plays is a worker of its own
//! (`workers/rehearsal-worker`), which is loaded with the first rehearsal; one that never ends is ended with it.
//!
//! What it does not know: the tools, and how a rehearsal is played.

mod dialog;
mod outcome;
mod player;
mod scenario;
mod words;

use leptos::prelude::*;
use ui_chat::places::Places;
use ui_kit::parts::part;

pub use words::rehearse as name;

part! {
    insight,
    /// The dialog. It comes with the traces: of a part of its own a third would lie in the main file, being the traces' too (ADR 0044).
    pub fn rehearse_dialog() -> fn() -> AnyView {
        || view! { <dialog::Rehearse open=Places::get().rehearse /> }.into_any()
    }
}

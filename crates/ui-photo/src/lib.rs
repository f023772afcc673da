//! The photos in the page: the same photos the chat talks about, by hand.
//!
//! It is a [`Panel`]: start at [`open`]. The pane is a part of its own that comes when it is first looked at (ADR 0044); photos come in by
//! [`intake`], through workers that look at them off the page. What it does not know: the conversation, and the way to the tools.

mod choice;
mod choosing;
mod duplicates;
mod events;
mod export;
mod folders;
mod found;
mod grid;
mod incoming;
mod info;
mod intake;
mod leaving;
mod library;
mod lightbox;
mod lost;
mod map;
mod name_line;
mod pane;
mod people;
mod places;
mod pointer;
mod pool;
mod press;
mod progress;
mod room;
mod saving;
mod shared;
mod spots;
mod stage;
mod staying;
mod view;
mod ways;
mod words;
mod zoom;

use std::rc::Rc;

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::panel::Page;
use ui_kit::parts::{part, place};
use ui_kit::{Icon, LastCall, Launch, Panel};

use folders::Folders;
use found::{Focus, Pictures};
use intake::Intake;

/// The id of the pane.
const ID: &str = "photos";

/// Opens the panel. Nothing is read until the pane is looked at. Called in the page's root component, below which its handles are
/// found.
#[must_use]
pub fn open(page: Page) -> Rc<dyn Panel> {
    let folders = Folders::new();
    let intake = Intake::new(page, folders);
    let focus = Focus::new();
    provide_context(folders);
    provide_context(intake);
    provide_context(page);
    provide_context(focus);
    Rc::new(Photos { page, intake })
}

part! {
    photos,
    /// The pane.
    fn photos_pane() -> fn() -> AnyView {
        || view! { <pane::Pane /> }.into_any()
    }
}

part! {
    photos,
    /// The pictures of an answer.
    fn photos_found() -> fn() -> AnyView {
        || view! { <found::Strip /> }.into_any()
    }
}

/// What a tool found, in the chat.
#[component]
fn Found(pictures: Pictures) -> impl IntoView {
    provide_context(pictures);
    place(photos_found)
}

/// The photos.
struct Photos {
    page: Page,
    intake: Intake,
}

impl Panel for Photos {
    fn id(&self) -> &'static str {
        ID
    }

    fn domain(&self) -> &'static str {
        "photo"
    }

    fn label(&self) -> (Icon, &'static str) {
        (Icon::Picture, words::photos())
    }

    fn view(&self) -> Option<AnyView> {
        let (pane, seen) = (self.page.pane, RwSignal::new(false));
        ui_kit::effect(move |_| {
            // Once: what was chosen and typed in the pane stays while another one is shown.
            if pane.get() == ID && !seen.get_untracked() {
                seen.set(true);
            }
        });
        let view = move || seen.get().then(|| place(photos_pane));
        Some(view.into_any())
    }

    /// How many wait to be looked at: what comes in goes on while another pane is shown.
    fn count(&self) -> usize {
        self.intake.progress.with(|progress| progress.left())
    }

    fn has_data(&self) -> bool {
        self.intake.progress.with(|progress| progress.total > 0)
    }

    /// Photos were opened with the app, or shared with it: the pane asks for them.
    fn launch(&self, launch: &Launch) -> bool {
        let is_ours = launch.word == ID;
        if is_ours {
            self.intake.shared_left.set(launch.left.clone());
            self.page.show(ID);
        }
        is_ours
    }

    fn doing(&self, tool: &str) -> Option<&'static str> {
        words::doing(tool)
    }

    fn looked_at(&self, tool: &str, answer: &Value) -> Option<String> {
        words::is_ours(tool).then(|| answer.get("summary")?.as_str().map(str::to_owned))?
    }

    fn found(&self, tool: &str, answer: &Value) -> Option<AnyView> {
        let mut pictures = words::is_ours(tool).then(|| Pictures::of(answer))?;
        if tool == "photo_export" {
            pictures.export = answer.clone();
        }
        (!pictures.first.is_empty()).then(|| view! { <Found pictures /> }.into_any())
    }

    /// Small pictures of what would go, or be changed.
    fn would(&self, tool: &str, answer: &Value) -> Option<AnyView> {
        let pictures = words::is_ours(tool).then(|| Pictures::that_would_change(answer))?;
        (!pictures.first.is_empty()).then(|| view! { <Found pictures /> }.into_any())
    }

    /// S0-42.
    fn suggestions(&self, last: Option<LastCall>) -> Vec<&'static str> {
        let found = |last: LastCall| {
            let count = |name: &str| last.answer?.get(name)?.as_u64();
            // Of nothing there is nothing to be said further.
            let is_nothing = [count("num_images"), count("num_clusters")].contains(&Some(0));
            if is_nothing { Vec::new() } else { words::follow_ups(last.tool) }
        };
        last.map(found).unwrap_or_default()
    }
}

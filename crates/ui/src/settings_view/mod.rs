//! The settings as a dialog with rooms: a list of them with a search, and the one that is open. On a narrow page it shows either.

mod address;
mod answers_section;
mod app_section;
mod approval_section;
mod browser_field;
mod connection;
mod index;
mod key_field;
mod lock_field;
mod media_input_section;
mod model_section;
mod nav;
mod own_model;
mod own_models;
mod privacy_section;
mod roles_section;
mod room;
mod tools_field;
mod unlock;

use leptos::html;
use leptos::prelude::*;

use crate::controller::Controller;
use crate::external::Asks;
use crate::i18n;
use crate::parts::part;
use crate::settings::Section;
use crate::sheet::{self, SheetHead, close_beside, once_closed};
use nav::Nav;
use own_models::OwnModels;
use room::Room;
pub use unlock::unlock_dialog;
use web::page;

part! {
    settings,
    /// The dialog.
    pub fn settings_dialog() -> fn() -> AnyView {
        || view! { <SettingsDialog /> }.into_any()
    }
}

/// The dialog. [`Section::opened`] opens it in a room.
#[component]
fn SettingsDialog() -> impl IntoView {
    let at = Section::opened();
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || at.get().is_some(), || ());
    address::follow(at, Controller::get());
    OwnModels::provide();
    let led = RwSignal::new(false);
    keep_focus(at);
    view! {
        <dialog
            node_ref=dialog
            class="sheet settings"
            class:is-list=move || at.get() == Some(Section::List)
            class:is-led=led
            aria-labelledby="settings-title"
            on:close=once_closed(dialog, move || at.set(None))
            on:click=close_beside(dialog)
        >
            <div class="sheet-body">
                <SheetHead
                    id="settings-title"
                    title=i18n::settings()
                    on_close=Callback::new(move |()| at.set(None))
                />
                <Asks in_settings=true />
                <div class="settings-rooms">
                    <Nav at led />
                    <Room at />
                </div>
            </div>
        </dialog>
    }
}

/// Where what had the focus goes with its room, or with the list, the focus is where the person is now.
fn keep_focus(at: RwSignal<Option<Section>>) {
    ui_kit::effect(move |before: Option<Option<Section>>| {
        let now = at.get();
        if let (Some(from), Some(to)) = (before.flatten(), now)
            && from != to
        {
            let id = if to == Section::List { nav::link_id(from) } else { room::NAME_ID.to_owned() };
            focus_if_lost(id);
        }
        now
    });
}

/// Brings the focus to an element of this page by its id.
fn focus(id: &str) {
    page::focus(&format!("#{id}"));
}

/// The same, once the page is drawn, where the element that had the focus is gone or cannot be seen any more.
fn focus_if_lost(id: impl Into<String>) {
    let id = id.into();
    let is_lost = |active: &web_sys::Element| {
        matches!(active.tag_name().as_str(), "BODY" | "DIALOG")
            || active.get_bounding_client_rect().width() == 0.0
    };
    request_animation_frame(move || {
        if page::focused().is_none_or(|active| is_lost(&active)) {
            focus(&id);
        }
    });
}

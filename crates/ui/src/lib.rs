//! The page's shell: its frame, commands, settings, data and history, with the conversation in the middle and places for an
//! assistant's own screens.
//!
//! The conversation is [`ui_chat`]'s, servers elsewhere and other programs are [`ui_connect`]'s, what a run did and cost is
//! [`ui_insight`]'s: all three are put together here (`app.rs`). Which assistant the page is for, it is told: start at [`App`] and
//! [`run`]. An assistant's own screens are [`ui_kit::Panel`]s.

mod app;
mod commands;
mod crash;
mod data;
mod header;
mod history;
mod i18n;
mod installed;
mod launch;
mod loss_note;
mod memory;
mod palette;
mod panes;
mod routes;
mod settings_view;
mod status;

use std::rc::Rc;

use leptos::prelude::*;
use ui_chat::{
    approvals, assistant, composer, controller, conversations, keys, log, message_field, model, outbox,
    places, privacy, privacy_view, sent, settings, shell, spend, toolbox, transcript, transport, voice,
};
use ui_connect::{external, relay, servers, tool_caller};
use ui_insight::{metrics, spend_view, trace};
use ui_kit::panel::Open;
use ui_kit::words::{self, Names};
use ui_kit::{clock, form, icons, moment, parts, sheet, toast};

pub use assistant::{Skills, Welcome};
pub use memory::panel as memory_panel;

/// An app: which assistant the page is for.
#[derive(Clone, Copy)]
pub struct App {
    /// What its worker is called (`worker::app!`), of lowercase letters, digits and `_`. What it keeps is under names that
    /// begin so: other apps may be on its origin.
    pub id: &'static str,
    /// What the app is called, and the things it keeps, in the page's language.
    pub names: fn() -> Names,
    /// What the assistant is told to be.
    pub instructions: &'static str,
    /// What stands where nothing was said yet, in the page's language.
    pub welcome: fn() -> Welcome,
    /// What the built-in model can do, from the part of the page that it comes with.
    pub skills: Skills,
    /// The assistant's own screens, in the order of their tabs.
    pub panels: &'static [Open],
}

/// Starts the page in this browser tab.
pub fn run(app: App) {
    web::names::belong_to(app.id);
    crash::show_instead_of_a_dead_page();
    ui_kit::dates::write_dates_with(ui_kit::locale::date);
    ui_kit::locale::write_numbers();
    if data::leave_if_wiped() {
        shell::take_away();
        return shell::show("wiped");
    }
    if servers::came_back() {
        return;
    }
    data::listen();
    wasm_bindgen_futures::spawn_local(web::idb::begin_a_log());
    wasm_bindgen_futures::spawn_local(async move {
        data::wipe_if_asked().await;
        ui_kit::language::load().await;
        // Before anything is said: what opens the conversations may say what went wrong.
        words::call((app.names)());
        assistant::is_to_be(app.instructions, (app.welcome)(), app.skills);
        let store = Rc::new(log::ConversationStore::open().await);
        // Known before anything is drawn: what follows the first screen looks as that does.
        let known = store.conversations().await;
        let typed = shell::Typed::read();
        let text = typed.text.clone();
        let panels = app.panels;
        mount_to_body(move || view! { <app::App store known typed panels /> });
        shell::hand_over(&text);
    });
}

//! The page: chat, live workspace, approvals, settings.
//!
//! It knows the agent (whose loop runs here), the tools' protocol and the way to the worker that
//! serves it. It does not know what a to-do is beyond what the tools' results say.

mod app;
mod approvals;
mod assistant;
mod clock;
mod commands;
mod composer;
mod context;
mod conversations;
mod crash;
mod data;
mod desk;
mod door;
mod drafts;
mod files;
mod form;
mod history;
mod host;
mod i18n;
mod icons;
mod installed;
mod keys;
mod launch;
mod log;
mod loss_note;
mod markdown;
mod memory;
mod metrics;
mod model;
mod moment;
mod outbox;
mod outside;
mod palette;
mod parts;
mod pictures;
mod privacy;
mod relay;
mod sent;
mod servers;
mod settings;
mod sheet;
mod shell;
mod spend;
mod status;
mod toast;
mod toolbox;
mod trace;
mod transcript;
mod voice;
mod window;
mod workspace;

use std::rc::Rc;

use leptos::prelude::*;

fn main() {
    crash::show_instead_of_a_dead_page();
    i18n::write_dates_with(i18n::date);
    if data::leave_if_wiped() {
        shell::take_away();
        return crash::show("wiped");
    }
    if servers::came_back() {
        return;
    }
    data::listen();
    wasm_bindgen_futures::spawn_local(async {
        data::wipe_if_asked().await;
        let shelf = Rc::new(log::Shelf::open().await);
        // Known before anything is drawn: what follows the first screen looks as that does.
        let known = shelf.conversations().await;
        let typed = shell::Typed::read();
        let text = typed.text.clone();
        mount_to_body(move || view! { <app::App shelf known typed /> });
        shell::hand_over(&text);
    });
}

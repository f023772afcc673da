//! The page: chat, live workspace, approvals, settings.
//!
//! It knows the agent (whose loop runs here), the tools' protocol and the way to the worker that
//! serves it. It does not know what a to-do is beyond what the tools' results say.

mod app;
mod clock;
mod commands;
mod composer;
mod conversations;
mod crash;
mod desk;
mod door;
mod host;
mod i18n;
mod icons;
mod leader;
mod log;
mod markdown;
mod model;
mod palette;
mod settings;
mod status;
mod toast;
mod toolbox;
mod transcript;
mod window;
mod workspace;

use std::rc::Rc;

use leptos::prelude::*;

fn main() {
    crash::show_instead_of_a_dead_page();
    i18n::write_dates_with(i18n::date);
    wasm_bindgen_futures::spawn_local(async {
        let shelf = Rc::new(log::Shelf::open().await);
        crash::boot_is_over();
        mount_to_body(move || view! { <app::App shelf=Rc::clone(&shelf) /> });
    });
}

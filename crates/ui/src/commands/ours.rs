//! The commands of the page itself: views, the run, the theme; between them those of the panels.

use leptos::prelude::*;
use serde_json::json;
use ui_kit::{Panels, Say, Tools};

use super::{Command, Commands};
use crate::controller::{Controller, Role};
use crate::i18n;
use crate::message_field::take_focus;
use crate::places::Places;
use crate::settings::words::section_name;
use crate::settings::{Section, Settings, Theme};

/// Adds them.
pub fn add_ours(commands: Commands, places: Places, panels: Panels) {
    let (controller, tools) = (Controller::get(), Tools::get());
    let (settings, settings_at) = (Settings::signal(), Section::opened());
    let add = |command| commands.add(command);
    add(Command::new("palette", i18n::palette(), "Mod+K", move || {
        places.palette.update(|open| *open = !*open)
    }));
    add(Command::new("search", i18n::find_anything(), "/", move || places.palette.set(true)));
    panels.all().iter().flat_map(|panel| panel.commands()).for_each(add);
    add(Command::new("new-chat", i18n::new_chat(), "", move || {
        controller.new_conversation();
        places.chat.run(());
        request_animation_frame(take_focus);
    }));
    add(Command::new("go-chat", i18n::go_chat(), "g c", move || {
        places.chat.run(());
        request_animation_frame(take_focus);
    }));
    add(Command::new("undo", i18n::undo_last(), "u", move || {
        tools.run("undo", json!({ "last": 1 }), Say::Summary, |_| {});
    }));
    add(Command::new("redo", i18n::redo_last(), "r", move || {
        tools.run("redo", json!({ "last": 1 }), Say::Summary, |_| {});
    }));
    add(Command::new("stop", i18n::stop_run(), "", move || controller.stop()).only_when(move || {
        controller.busy.get_untracked() && controller.role.get_untracked() == Role::Leading
    }));
    add(Command::new("retry", i18n::retry_run(), "", move || controller.retry())
        .only_when(move || controller.can_retry()));
    add(Command::new("conversations", i18n::conversations(), "", move || places.conversations.set(true)));
    add(Command::new("clear", i18n::clear_chat(), "", move || places.clear.set(true))
        .only_when(move || !controller.rows.with_untracked(Vec::is_empty)));
    add(Command::new("history", i18n::open_history(), "", move || places.history.set(true)));
    add(Command::new("trace", i18n::open_trace(), "", move || {
        places.trace.open((controller.current.get_untracked(), None))
    })
    .only_when(move || !controller.rows.with_untracked(Vec::is_empty)));
    add(Command::new("metrics", i18n::open_metrics(), "", move || places.metrics.set(true)));
    add(Command::new("rehearse", i18n::open_rehearse(), "", move || places.rehearse.set(true))
        // An app of one's own may have nothing that plays.
        .only_when(|| web::page::first("meta[name='helper'][content='rehearsal']").is_some()));
    add(Command::new("data", i18n::open_data(), "", move || settings_at.set(Some(Section::Data))));
    add(Command::new("settings", i18n::open_settings(), "", move || places.settings.run(())));
    for room in Section::ALL {
        let name = i18n::in_settings(section_name(room));
        add(Command::new(room.id(), name, "", move || settings_at.set(Some(room))));
    }
    for panel in panels.all().iter() {
        if let Some(room) = panel.settings() {
            let (name, section) = (i18n::in_settings(panel.label().1), Section::Panel(panel.id()));
            add(Command::new(room.id, name, "", move || settings_at.set(Some(section))));
        }
    }
    for (id, name, theme) in [
        ("theme-system", i18n::theme_system(), Theme::System),
        ("theme-light", i18n::theme_light(), Theme::Light),
        ("theme-dark", i18n::theme_dark(), Theme::Dark),
    ] {
        add(Command::new(id, name, "", move || settings.update(|settings| settings.theme = theme))
            .only_when(move || settings.with_untracked(|settings| settings.theme != theme)));
    }
    add(Command::new("help", i18n::show_shortcuts(), "?", move || places.help.set(true)));
}

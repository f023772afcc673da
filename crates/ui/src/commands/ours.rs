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
    add(Command::new("palette", i18n::PALETTE, "Mod+K", move || {
        places.palette.update(|open| *open = !*open)
    }));
    add(Command::new("search", i18n::find_anything(), "/", move || places.palette.set(true)));
    panels.all().iter().flat_map(|panel| panel.commands()).for_each(add);
    add(Command::new("new-chat", i18n::NEW_CHAT, "", move || {
        controller.new_conversation();
        places.chat.run(());
        request_animation_frame(take_focus);
    }));
    add(Command::new("go-chat", i18n::GO_CHAT, "g c", move || {
        places.chat.run(());
        request_animation_frame(take_focus);
    }));
    add(Command::new("undo", i18n::UNDO_LAST, "u", move || {
        tools.run("undo", json!({ "last": 1 }), Say::Summary, |_| {});
    }));
    add(Command::new("redo", i18n::REDO_LAST, "r", move || {
        tools.run("redo", json!({ "last": 1 }), Say::Summary, |_| {});
    }));
    add(Command::new("stop", i18n::STOP_RUN, "", move || controller.stop()).only_when(move || {
        controller.busy.get_untracked() && controller.role.get_untracked() == Role::Leading
    }));
    add(Command::new("retry", i18n::RETRY_RUN, "", move || controller.retry())
        .only_when(move || controller.can_retry()));
    add(Command::new("conversations", i18n::CONVERSATIONS, "", move || places.conversations.set(true)));
    add(Command::new("clear", i18n::CLEAR_CHAT, "", move || places.clear.set(true))
        .only_when(move || !controller.rows.with_untracked(Vec::is_empty)));
    add(Command::new("history", i18n::OPEN_HISTORY, "", move || places.history.set(true)));
    add(Command::new("trace", i18n::OPEN_TRACE, "", move || {
        places.trace.open((controller.current.get_untracked(), None))
    })
    .only_when(move || !controller.rows.with_untracked(Vec::is_empty)));
    add(Command::new("metrics", i18n::OPEN_METRICS, "", move || places.metrics.set(true)));
    add(Command::new("data", i18n::OPEN_DATA, "", move || settings_at.set(Some(Section::Data))));
    add(Command::new("settings", i18n::OPEN_SETTINGS, "", move || places.settings.run(())));
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
        ("theme-system", i18n::THEME_SYSTEM, Theme::System),
        ("theme-light", i18n::THEME_LIGHT, Theme::Light),
        ("theme-dark", i18n::THEME_DARK, Theme::Dark),
    ] {
        add(Command::new(id, name, "", move || settings.update(|settings| settings.theme = theme))
            .only_when(move || settings.with_untracked(|settings| settings.theme != theme)));
    }
    add(Command::new("help", i18n::SHOW_SHORTCUTS, "?", move || places.help.set(true)));
}

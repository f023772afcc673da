//! A room of the settings: its name, and what is in it.

use leptos::prelude::*;
use ui_kit::Panels;
use web::page;

use super::address;
use super::answers_section::AnswersSection;
use super::app_section::AppSection;
use super::approval_section::ApprovalSection;
use super::media_input_section::MediaInputSection;
use super::model_section::ModelSection;
use super::privacy_section::PrivacySection;
use super::roles_section::RolesSection;
use crate::data::{copies_room, data_room, files_room};
use crate::i18n;
use crate::icons::Icon;
use crate::parts;
use crate::relay::relay_section;
use crate::servers::servers_section;
use crate::settings::Section;
use crate::settings::words::section_name;
use crate::spend_view::SpendSection;

/// The id of a room's name, which takes the focus of who enters.
pub const NAME_ID: &str = "settings-room";

/// The open room; none while the settings are closed.
#[component]
pub fn Room(at: RwSignal<Option<Section>>) -> impl IntoView {
    let panels = Panels::get();
    // Beside the list stands the first room, until one is chosen.
    let shown = ui_kit::memo(move |_| {
        at.get().map(|section| if section == Section::List { Section::Model } else { section })
    });
    let name = move || shown.get().map(|section| name_of(section, panels));
    let is_one = move || shown.get().is_some_and(is_one_subject);
    view! {
        <section class="settings-room" class:one-subject=is_one aria-labelledby=NAME_ID data-testid="settings-room">
            <div class="settings-room-head">
                <button
                    type="button"
                    class="text-button settings-back"
                    data-testid="settings-back"
                    on:click=move |_| address::back_to_list(at)
                >
                    {Icon::Back.draw()}
                    {i18n::all_settings()}
                </button>
                <h3 id=NAME_ID tabindex="-1">{name}</h3>
            </div>
            {move || shown.get().map(|section| draw(section, panels))}
        </section>
    }
}

/// Brings the focus to the open room's name, unless somebody is in the room already: on a busy device they type before it is drawn.
pub fn focus_name() {
    let is_in =
        |focused: web_sys::Element| focused.closest(".settings-room").is_ok_and(|room| room.is_some());
    if page::focused().is_some_and(is_in) {
        return;
    }
    page::focus(&format!("#{NAME_ID}"));
}

fn name_of(section: Section, panels: Panels) -> &'static str {
    let of_panel = |id| panels.first(|panel| (panel.id() == id).then(|| panel.label().1));
    match section {
        Section::Panel(id) => of_panel(id).unwrap_or(i18n::settings()),
        section => section_name(section),
    }
}

/// Whether a room holds one group of fields, whose legend says again what the room is called: it is for screen readers alone then.
fn is_one_subject(section: Section) -> bool {
    match section {
        Section::Model
        | Section::Answers
        | Section::Approvals
        | Section::Panel(_)
        | Section::Senses
        | Section::Spending
        | Section::Copies
        | Section::Servers
        | Section::Programs => true,
        Section::List | Section::Roles | Section::Privacy | Section::Data | Section::Files | Section::App => {
            false
        }
    }
}

fn draw(section: Section, panels: Panels) -> AnyView {
    match section {
        Section::List | Section::Model => view! { <ModelSection /> }.into_any(),
        Section::Roles => view! { <RolesSection /> }.into_any(),
        Section::Answers => view! { <AnswersSection /> }.into_any(),
        Section::Approvals => view! { <ApprovalSection /> }.into_any(),
        Section::Panel(id) => {
            let room = panels.first(|panel| panel.settings().filter(|_| panel.id() == id));
            room.map_or_else(|| ().into_any(), |room| (room.draw)())
        }
        Section::Senses => view! { <MediaInputSection /> }.into_any(),
        Section::Privacy => view! { <PrivacySection /> }.into_any(),
        Section::Spending => view! { <SpendSection /> }.into_any(),
        Section::Data => parts::place(data_room),
        Section::Files => parts::place(files_room),
        Section::Copies => parts::place(copies_room),
        Section::Servers => parts::place(servers_section),
        Section::Programs => parts::place(relay_section),
        Section::App => view! { <AppSection /> }.into_any(),
    }
}

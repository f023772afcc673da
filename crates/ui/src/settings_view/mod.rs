//! The settings as a dialog with tabs.

mod answers_section;
mod app_section;
mod approval_section;
mod browser_field;
mod connection;
mod key_field;
mod lock_field;
mod media_input_section;
mod model_section;
mod roles_section;
mod tools_field;
mod unlock;

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use crate::data::data_section;
use crate::external::Asks;
use crate::i18n;
use crate::parts::{self, part};
use crate::relay::relay_section;
use crate::servers::servers_section;
use crate::settings::Section;
use crate::sheet::{self, SheetHead, close_beside, once_closed};
use crate::spend_view::SpendSection;
use answers_section::AnswersSection;
use app_section::AppSection;
use approval_section::ApprovalSection;
use media_input_section::MediaInputSection;
use model_section::ModelSection;
use ui_kit::Panels;
pub use unlock::unlock_dialog;
use web::page;

part! {
    settings,
    /// The dialog.
    pub fn settings_dialog() -> fn() -> AnyView {
        || view! { <SettingsDialog /> }.into_any()
    }
}

/// The dialog. The context's `settings_at` opens it at a section.
#[component]
fn SettingsDialog() -> impl IntoView {
    let at = Section::opened();
    let panels = Panels::get();
    let dialog = NodeRef::<html::Dialog>::new();
    sheet::follow(dialog, move || at.get().is_some(), || ());
    // As tabs go: one stop for Tab, the arrows go along, and the focus follows.
    let keys = move |event: KeyboardEvent| {
        let Some(now) = Section::ALL.iter().position(|section| Some(*section) == at.get_untracked()) else {
            return;
        };
        let last = Section::ALL.len() - 1;
        let to = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" if now == last => 0,
            "ArrowRight" | "ArrowDown" => now + 1,
            "ArrowLeft" | "ArrowUp" if now == 0 => last,
            "ArrowLeft" | "ArrowUp" => now - 1,
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        at.set(Some(Section::ALL[to]));
        focus(&tab_id(Section::ALL[to]));
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet settings"
            aria-labelledby="settings-title"
            on:close=once_closed(dialog, move || at.set(None))
            on:click=close_beside(dialog)
        >
            <div class="sheet-body">
                <SheetHead
                    id="settings-title"
                    title=i18n::SETTINGS
                    on_close=Callback::new(move |()| at.set(None))
                />
                <Asks in_settings=true />
                <div class="segments" role="tablist" aria-label=i18n::SETTINGS on:keydown=keys>
                    {Section::ALL
                        .map(|section| {
                            let selected = move || at.get() == Some(section);
                            view! {
                                <button
                                    type="button"
                                    role="tab"
                                    class="settings-tab"
                                    id=tab_id(section)
                                    data-testid=tab_id(section)
                                    aria-controls="settings-panel"
                                    aria-selected=move || selected().to_string()
                                    tabindex=move || if selected() { 0 } else { -1 }
                                    on:click=move |_| at.set(Some(section))
                                >
                                    {crate::settings::words::section_name(section)}
                                </button>
                            }
                        })}
                </div>
                <div
                    class="settings-panel"
                    id="settings-panel"
                    role="tabpanel"
                    aria-labelledby=move || at.get().map(tab_id)
                >
                    {move || match at.get() {
                        Some(Section::Model) => {
                            view! {
                                <ModelSection />
                                <SpendSection />
                                <AnswersSection />
                                <MediaInputSection />
                                <ApprovalSection />
                                {panels.all().iter().map(|panel| panel.settings()).collect_view()}
                            }
                                .into_any()
                        }
                        Some(Section::Data) => parts::place(data_section),
                        Some(Section::Programs) => {
                            view! {
                                {parts::place(relay_section)}
                                {parts::place(servers_section)}
                            }
                                .into_any()
                        }
                        Some(Section::App) => view! { <AppSection /> }.into_any(),
                        None => ().into_any(),
                    }}
                </div>
            </div>
        </dialog>
    }
}

fn tab_id(section: Section) -> String {
    format!("settings-{}", section.word())
}

/// Brings the focus to an element of this page by its id.
fn focus(id: &str) {
    page::focus(&format!("#{id}"));
}

/// The same, once the page is drawn, where the element that had the focus is gone.
fn focus_if_lost(id: &'static str) {
    request_animation_frame(move || {
        if page::focused().is_none_or(|active| matches!(active.tag_name().as_str(), "BODY" | "DIALOG")) {
            focus(id);
        }
    });
}

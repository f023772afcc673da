//! The settings as a dialog with tabs.

use leptos::ev::{KeyboardEvent, storage};
use leptos::html;
use leptos::prelude::*;

use super::answers_section::AnswersSection;
use super::app_section::AppSection;
use super::kept::KEY;
use super::model_section::ModelSection;
use super::senses_section::SensesSection;
use super::{Section, Settings};
use crate::approvals::ApprovalSection;
use crate::data::data_section;
use crate::desk::Desk;
use crate::i18n;
use crate::outside::Asks;
use crate::parts::{self, part};
use crate::relay::relay_section;
use crate::servers::servers_section;
use crate::sheet::{self, SheetHead, close_beside, once_closed};
use crate::spend::SpendSection;
use ui_kit::Panels;
use web::page;

part! {
    settings,
    /// The dialog.
    pub fn settings_dialog() -> fn() -> AnyView {
        || view! { <SettingsDialog /> }.into_any()
    }
}

/// The dialog. The desk's `settings_at` opens it at a section.
#[component]
fn SettingsDialog() -> impl IntoView {
    let at = Desk::get().settings_at;
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
                                    {i18n::section_name(section)}
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
                                <SensesSection />
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
pub(super) fn focus(id: &str) {
    page::focus(&format!("#{id}"));
}

/// The same, once the page is drawn, where the element that had the focus is gone.
pub(super) fn focus_if_lost(id: &'static str) {
    request_animation_frame(move || {
        if page::focused().is_none_or(|active| matches!(active.tag_name().as_str(), "BODY" | "DIALOG")) {
            focus(id);
        }
    });
}

/// Keeps the settings and puts the theme on the page whenever they change; what another tab chose is taken over.
pub fn keep(settings: RwSignal<Settings>) {
    // What is on the device, as far as this tab knows: only what differs from it was chosen here.
    let kept = StoredValue::new(settings.get_untracked());
    Effect::new(move |_| {
        let now = settings.get();
        now.apply_theme();
        if kept.with_value(|kept| *kept != now) {
            let all = kept.with_value(|before| now.save_changes(before));
            kept.set_value(all.clone());
            if all != now {
                settings.set(all);
            }
        }
    });
    let heard = window_event_listener(storage, move |event| {
        if event.key().is_none_or(|key| key == KEY) {
            let Some(now) = Settings::of_another_tab() else { return };
            kept.set_value(now.clone());
            if settings.with_untracked(|before| *before != now) {
                settings.set(now);
            }
        }
    });
    on_cleanup(move || heard.remove());
}

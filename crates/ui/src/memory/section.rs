//! The room of the settings about what is remembered: whether at all, and the way to it.

use leptos::prelude::*;

use super::panel::MemoryView;
use crate::form::Switch;
use crate::i18n;
use crate::parts::part;
use crate::settings::Section;
use crate::settings::Settings;

/// The id of the switch.
pub const SWITCH_ID: &str = "memory-switch";

/// The id of the button that opens it.
pub const OPEN_ID: &str = "open-memory";

part! {
    settings,
    /// The section, beside the others.
    pub fn memory_section() -> fn() -> AnyView {
        || view! { <MemorySection /> }.into_any()
    }
}

/// The section.
#[component]
fn MemorySection() -> impl IntoView {
    let (settings, settings_at) = (Settings::signal(), Section::opened());
    let MemoryView(memory_open) = MemoryView::get();
    view! {
        <fieldset>
            <legend>{i18n::memory()}</legend>
            <p class="hint" id="memory-switch-hint">{i18n::memory_switch_hint()}</p>
            <Switch
                testid="memory-switch"
                id=SWITCH_ID
                on=Signal::derive(move || settings.with(|settings| !settings.no_memory))
                on_turn=move |on: bool| settings.update(|settings| settings.no_memory = !on)
                described_by="memory-switch-hint"
            >
                {i18n::memory_switch()}
            </Switch>
            <div class="button-row">
                <button
                    type="button"
                    class="button"
                    id=OPEN_ID
                    data-testid="open-memory"
                    on:click=move |_| {
                        settings_at.set(None);
                        memory_open.set(true);
                    }
                >
                    {i18n::open_memory()}
                </button>
            </div>
        </fieldset>
    }
}

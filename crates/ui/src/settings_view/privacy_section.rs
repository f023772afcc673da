//! Privacy: what leaves the device, and what is hidden from a model elsewhere.

use leptos::prelude::*;
use ui_kit::panel::Setting;

use crate::i18n;
use crate::servers::Servers;
use crate::settings::{Hiding, Settings};

/// What can be found in it.
pub const SETTINGS: [Setting; 1] = [Setting { id: "hiding", name: i18n::hiding, hint: i18n::hiding_hint }];

/// The section.
#[component]
pub fn PrivacySection() -> impl IntoView {
    let (settings, servers) = (Settings::signal(), Servers::get());
    view! {
        <fieldset>
            <legend>{i18n::privacy()}</legend>
            <p class="hint">{move || settings.with(|settings| crate::settings::words::what_leaves(&settings.model))}</p>
            {move || {
                let names = servers.in_use();
                (!names.is_empty()).then(|| view! { <p class="hint" dir="auto">{i18n::servers_get(&names)}</p> })
            }}
            <p id="hiding-name">{i18n::hiding()}</p>
            <div
                class="segments"
                id="hiding"
                role="radiogroup"
                aria-labelledby="hiding-name"
                aria-describedby="hiding-hint"
                data-testid="hiding"
            >
                {Hiding::ALL
                    .map(|hiding| {
                        view! {
                            <label class="segment">
                                <input
                                    type="radio"
                                    name="hiding"
                                    value=hiding.word()
                                    data-testid=format!("hiding-{}", hiding.word())
                                    prop:checked=move || settings.with(|settings| settings.hiding == hiding)
                                    on:change=move |_| settings.update(|settings| settings.hiding = hiding)
                                />
                                <span>{crate::privacy::words::hiding_name(hiding)}</span>
                            </label>
                        }
                    })}
            </div>
            <p class="hint" id="hiding-hint">{i18n::hiding_hint()}</p>
        </fieldset>
    }
}

//! The app itself: its theme, its installation, and what leaves the device.

use leptos::prelude::*;

use crate::i18n;
use crate::installed::{Installation, install};
use crate::servers::Servers;
use crate::settings::Hiding;
use crate::settings::Settings;
use crate::settings::Theme;

/// The section.
#[component]
pub fn AppSection() -> impl IntoView {
    let (settings, installation, servers) = (Settings::signal(), Installation::signal(), Servers::get());
    view! {
        <fieldset>
            <legend>{i18n::THEME}</legend>
            <div class="segments" role="radiogroup" aria-label=i18n::THEME>
                {Theme::ALL
                    .map(|theme| {
                        view! {
                            <label class="segment">
                                <input
                                    type="radio"
                                    name="theme"
                                    value=theme.word()
                                    prop:checked=move || settings.with(|settings| settings.theme == theme)
                                    on:change=move |_| settings.update(|settings| settings.theme = theme)
                                />
                                <span>{crate::settings::words::theme_name(theme)}</span>
                            </label>
                        }
                    })}
            </div>
        </fieldset>
        <fieldset>
            <legend>{i18n::INSTALLATION}</legend>
            <p class="hint" data-testid="installation">{move || crate::installed::words::installation(installation.get())}</p>
            <Show when=move || installation.get() == Installation::Offered>
                <button
                    type="button"
                    class="button"
                    data-testid="install"
                    on:click=move |_| install(installation)
                >
                    {i18n::install()}
                </button>
            </Show>
        </fieldset>
        <fieldset>
            <legend>{i18n::PRIVACY}</legend>
            <p class="hint">{move || settings.with(|settings| crate::settings::words::what_leaves(&settings.model))}</p>
            {move || {
                let names = servers.in_use();
                (!names.is_empty()).then(|| view! { <p class="hint" dir="auto">{i18n::servers_get(&names)}</p> })
            }}
            <p id="hiding-name">{i18n::HIDING}</p>
            <div
                class="segments"
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
            <p class="hint" id="hiding-hint">{i18n::HIDING_HINT}</p>
        </fieldset>
    }
}

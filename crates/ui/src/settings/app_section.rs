//! The app itself: its theme, its installation, and what leaves the device.

use leptos::prelude::*;

use super::Theme;
use crate::desk::Desk;
use crate::i18n;
use crate::installed::{Installation, install};
use crate::privacy::Hiding;

/// The section.
#[component]
pub fn AppSection() -> impl IntoView {
    let Desk { settings, installation, servers, .. } = Desk::get();
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
                                <span>{i18n::theme_name(theme)}</span>
                            </label>
                        }
                    })}
            </div>
        </fieldset>
        <fieldset>
            <legend>{i18n::INSTALLATION}</legend>
            <p class="hint" data-testid="installation">{move || i18n::installation(installation.get())}</p>
            <Show when=move || installation.get() == Installation::Offered>
                <button
                    type="button"
                    class="button"
                    data-testid="install"
                    on:click=move |_| install(installation)
                >
                    {i18n::INSTALL}
                </button>
            </Show>
        </fieldset>
        <fieldset>
            <legend>{i18n::PRIVACY}</legend>
            <p class="hint">{move || settings.with(|settings| i18n::what_leaves(&settings.model))}</p>
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
                                <span>{i18n::hiding_name(hiding)}</span>
                            </label>
                        }
                    })}
            </div>
            <p class="hint" id="hiding-hint">{i18n::HIDING_HINT}</p>
        </fieldset>
    }
}

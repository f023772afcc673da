//! The app itself: its theme and its installation.

use leptos::prelude::*;
use ui_kit::panel::Setting;

use crate::i18n;
use crate::installed::{Installation, install};
use crate::settings::Settings;
use crate::settings::Theme;

/// What can be found in it. What is said of the installation has nothing to press on most devices.
pub const SETTINGS: [Setting; 2] = [
    Setting { id: "theme", name: i18n::THEME, hint: i18n::THEME_DARK },
    Setting { id: "installation", name: i18n::INSTALLATION, hint: "" },
];

/// The section.
#[component]
pub fn AppSection() -> impl IntoView {
    let (settings, installation) = (Settings::signal(), Installation::signal());
    view! {
        <fieldset>
            <legend>{i18n::THEME}</legend>
            <div class="segments" id="theme" role="radiogroup" aria-label=i18n::THEME>
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
        <fieldset id="installation" tabindex="-1">
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
    }
}

//! The app itself: its theme, its language and its installation.

use leptos::prelude::*;
use ui_kit::language::{self, Language};
use ui_kit::panel::Setting;

use crate::i18n;
use crate::installed::{Installation, install};
use crate::settings::Settings;
use crate::settings::Theme;

/// What can be found in it. What is said of the installation has nothing to press on most devices.
pub const SETTINGS: [Setting; 3] = [
    Setting { id: "theme", name: i18n::theme, hint: i18n::theme_dark },
    Setting { id: "language", name: i18n::language, hint: i18n::language_reads },
    Setting { id: "installation", name: i18n::installation, hint: || "" },
];

/// The section.
#[component]
pub fn AppSection() -> impl IntoView {
    let (settings, installation) = (Settings::signal(), Installation::signal());
    view! {
        <fieldset>
            <legend>{i18n::theme()}</legend>
            <div class="segments" id="theme" role="radiogroup" aria-label=i18n::theme()>
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
        <LanguageField />
        <fieldset id="installation" tabindex="-1">
            <legend>{i18n::installation()}</legend>
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

/// In which language the page is. It holds from the next load on: nothing that is typed or under way is lost by a choice.
#[component]
fn LanguageField() -> impl IntoView {
    let was = language::chosen();
    let (wanted, is_kept) = (RwSignal::new(language::wanted()), RwSignal::new(true));
    let choose = move |event: leptos::ev::Event| {
        let tag = event_target_value(&event);
        let language = Language::ALL.into_iter().find(|language| language.tag() == tag);
        is_kept.set(language::choose(language));
        wanted.set(language::wanted());
    };
    view! {
        <fieldset>
            <legend>{i18n::language()}</legend>
            <label class="stack">
                <span>{i18n::language_of_page()}</span>
                <select class="field" id="language" data-testid="language" on:change=choose>
                    <option value="">{i18n::language_of_browser()}</option>
                    {Language::ALL
                        .map(|language| {
                            view! {
                                <option value=language.tag() lang=language.tag() selected=was == Some(language)>
                                    {language.name()}
                                </option>
                            }
                        })}
                </select>
            </label>
            <p class="hint">{i18n::language_reads()}</p>
            <Show when=move || !is_kept.get()>
                <p class="hint" role="status">{i18n::language_not_kept()}</p>
            </Show>
            <Show when=move || wanted.get() != language::spoken()>
                <p class="hint" role="status">{i18n::language_after_reload()}</p>
                <button
                    type="button"
                    class="button"
                    data-testid="language-reload"
                    on:click=|_| web::page::reload()
                >
                    {ui_kit::words::reload()}
                </button>
            </Show>
        </fieldset>
    }
}

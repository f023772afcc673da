//! Voice and pictures: what of the browser's own facilities is used (D-22).

use leptos::prelude::*;
use ui_kit::panel::Setting;

use crate::i18n;
use crate::settings::Reading;
use crate::settings::Settings;
use crate::voice;

const READING: [(&str, Reading, &str); 3] = [
    ("off", Reading::Off, i18n::READING_OFF),
    ("asked", Reading::Asked, i18n::READING_ASKED),
    ("always", Reading::Always, i18n::READING_ALWAYS),
];

/// What can be found in it.
pub const SETTINGS: [Setting; 3] = [
    Setting { id: "pictures-on", name: i18n::PICTURES, hint: i18n::PICTURES_HINT },
    Setting { id: "dictation-on", name: i18n::DICTATION, hint: i18n::DICTATION_HINT },
    Setting { id: "reading", name: i18n::READING, hint: i18n::READING_HINT },
];

/// The section.
#[component]
pub fn MediaInputSection() -> impl IntoView {
    let settings = Settings::signal();
    let hears = voice::can_listen();
    let speaks = voice::can_speak();
    view! {
        <fieldset>
            <legend>{i18n::SENSES}</legend>
            <label class="switch">
                <input
                    type="checkbox"
                    id="pictures-on"
                    data-testid="pictures-on"
                    prop:checked=move || settings.with(|settings| !settings.senses.no_pictures)
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        settings.update(|settings| settings.senses.no_pictures = !on);
                    }
                />
                <span>{i18n::PICTURES}</span>
            </label>
            <p class="hint">{i18n::PICTURES_HINT}</p>
            <label class="switch">
                <input
                    type="checkbox"
                    id="dictation-on"
                    data-testid="dictation-on"
                    disabled=!hears
                    prop:checked=move || settings.with(|settings| settings.senses.dictation)
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        settings.update(|settings| settings.senses.dictation = on);
                    }
                />
                <span>{i18n::DICTATION}</span>
            </label>
            <p class="hint">{if hears { i18n::DICTATION_HINT } else { i18n::NO_DICTATION }}</p>
            <label class="stack">
                <span>{i18n::READING}</span>
                <select
                    class="field"
                    id="reading"
                    data-testid="reading"
                    disabled=!speaks
                    on:change=move |event| {
                        let value = event_target_value(&event);
                        if let Some((_, reading, _)) = READING.iter().find(|(word, ..)| *word == value) {
                            settings.update(|settings| settings.senses.reading = *reading);
                        }
                    }
                >
                    {READING
                        .map(|(word, reading, name)| {
                            let selected = move || settings.with(|settings| settings.senses.reading == reading);
                            view! { <option value=word selected=selected>{name}</option> }
                        })}
                </select>
            </label>
            <p class="hint">{if speaks { i18n::READING_HINT } else { i18n::NO_READING }}</p>
        </fieldset>
    }
}

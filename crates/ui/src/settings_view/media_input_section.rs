//! Voice and pictures: what of the browser's own facilities is used (D-22).

use leptos::prelude::*;
use ui_kit::panel::Setting;

use crate::i18n;
use crate::settings::Reading;
use crate::settings::Section;
use crate::settings::Settings;
use crate::settings::words::section_name;
use crate::voice;

const READING: [(&str, Reading, ui_kit::language::Word); 3] = [
    ("off", Reading::Off, i18n::reading_off),
    ("asked", Reading::Asked, i18n::reading_asked),
    ("always", Reading::Always, i18n::reading_always),
];

/// What can be found in it.
pub const SETTINGS: [Setting; 3] = [
    Setting { id: "pictures-on", name: i18n::pictures, hint: i18n::pictures_hint },
    Setting { id: "dictation-on", name: i18n::dictation, hint: i18n::dictation_hint },
    Setting { id: "reading", name: i18n::reading, hint: i18n::reading_hint },
];

/// The section.
#[component]
pub fn MediaInputSection() -> impl IntoView {
    let settings = Settings::signal();
    let hears = voice::can_listen();
    let speaks = voice::can_speak();
    view! {
        <fieldset>
            <legend>{section_name(Section::Senses)}</legend>
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
                <span>{i18n::pictures()}</span>
            </label>
            <p class="hint">{i18n::pictures_hint()}</p>
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
                <span>{i18n::dictation()}</span>
            </label>
            <p class="hint">{if hears { i18n::dictation_hint() } else { i18n::no_dictation() }}</p>
            <label class="stack">
                <span>{i18n::reading()}</span>
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
                            view! { <option value=word selected=selected>{name()}</option> }
                        })}
                </select>
            </label>
            <p class="hint">{if speaks { i18n::reading_hint() } else { i18n::no_reading() }}</p>
        </fieldset>
    }
}

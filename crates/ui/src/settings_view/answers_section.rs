//! How the model answers: whether it plans first, and whether its answers are checked.

use agent::{EvidencePolicy, Planning};
use leptos::prelude::*;
use ui_kit::panel::Setting;

use crate::i18n;
use crate::settings::Settings;

const PLANNING: [(&str, Planning, &str); 3] = [
    ("off", Planning::Off, i18n::PLANNING_OFF),
    ("offered", Planning::Offered, i18n::PLANNING_OFFERED),
    ("first", Planning::First, i18n::PLANNING_FIRST),
];

const EVIDENCE: [(&str, EvidencePolicy, &str); 3] = [
    ("off", EvidencePolicy::Off, i18n::EVIDENCE_OFF),
    ("mark", EvidencePolicy::Mark, i18n::EVIDENCE_MARK),
    ("repair", EvidencePolicy::Repair, i18n::EVIDENCE_REPAIR),
];

/// What can be found in it.
pub const SETTINGS: [Setting; 2] = [
    Setting { id: "planning", name: i18n::PLANNING, hint: i18n::PLANNING_HINT },
    Setting { id: "evidence", name: i18n::EVIDENCE, hint: i18n::EVIDENCE_HINT },
];

/// The section.
#[component]
pub fn AnswersSection() -> impl IntoView {
    let settings = Settings::signal();
    view! {
        <fieldset>
            <legend>{i18n::ANSWERS}</legend>
            <label class="stack">
                <span>{i18n::PLANNING}</span>
                <select
                    class="field"
                    id="planning"
                    data-testid="planning"
                    on:change=move |event| {
                        let value = event_target_value(&event);
                        if let Some((_, planning, _)) = PLANNING.iter().find(|(word, ..)| *word == value) {
                            settings.update(|settings| settings.planning = *planning);
                        }
                    }
                >
                    {PLANNING
                        .map(|(word, planning, name)| {
                            let selected = move || settings.with(|settings| settings.planning == planning);
                            view! { <option value=word selected=selected>{name}</option> }
                        })}
                </select>
            </label>
            <p class="hint">{i18n::PLANNING_HINT}</p>
            <label class="stack">
                <span>{i18n::EVIDENCE}</span>
                <select
                    class="field"
                    id="evidence"
                    data-testid="evidence"
                    on:change=move |event| {
                        let value = event_target_value(&event);
                        if let Some((_, evidence, _)) = EVIDENCE.iter().find(|(word, ..)| *word == value) {
                            settings.update(|settings| settings.evidence = *evidence);
                        }
                    }
                >
                    {EVIDENCE
                        .map(|(word, evidence, name)| {
                            let selected = move || settings.with(|settings| settings.evidence == evidence);
                            view! { <option value=word selected=selected>{name}</option> }
                        })}
                </select>
            </label>
            <p class="hint">{i18n::EVIDENCE_HINT}</p>
        </fieldset>
    }
}

//! How the model answers: whether it plans first, and whether its answers are checked.

use agent::{EvidencePolicy, Planning};
use leptos::prelude::*;
use ui_kit::panel::Setting;

use crate::i18n;
use crate::settings::Settings;

const PLANNING: [(&str, Planning, ui_kit::language::Word); 3] = [
    ("off", Planning::Off, i18n::planning_off),
    ("offered", Planning::Offered, i18n::planning_offered),
    ("first", Planning::First, i18n::planning_first),
];

const EVIDENCE: [(&str, EvidencePolicy, ui_kit::language::Word); 3] = [
    ("off", EvidencePolicy::Off, i18n::evidence_off),
    ("mark", EvidencePolicy::Mark, i18n::evidence_mark),
    ("repair", EvidencePolicy::Repair, i18n::evidence_repair),
];

/// What can be found in it.
pub const SETTINGS: [Setting; 2] = [
    Setting { id: "planning", name: i18n::planning, hint: i18n::planning_hint },
    Setting { id: "evidence", name: i18n::evidence, hint: i18n::evidence_hint },
];

/// The section.
#[component]
pub fn AnswersSection() -> impl IntoView {
    let settings = Settings::signal();
    view! {
        <fieldset>
            <legend>{i18n::answers()}</legend>
            <label class="stack">
                <span>{i18n::planning()}</span>
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
                            view! { <option value=word selected=selected>{name()}</option> }
                        })}
                </select>
            </label>
            <p class="hint">{i18n::planning_hint()}</p>
            <label class="stack">
                <span>{i18n::evidence()}</span>
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
                            view! { <option value=word selected=selected>{name()}</option> }
                        })}
                </select>
            </label>
            <p class="hint">{i18n::evidence_hint()}</p>
        </fieldset>
    }
}

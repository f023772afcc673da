//! When to remind of a to-do: so long before it is due, or at a time of its own.

use leptos::prelude::*;

use super::draft::Draft;
use super::spoken;
use crate::live::Live;
use crate::words;

/// The value by which the menu says that there is a time of its own.
const AT: &str = "at";

/// What the menu has.
#[derive(Clone, PartialEq)]
struct Menu {
    /// The value that is chosen.
    chosen: String,
    /// A reminder that the menu does not offer by itself, and its name.
    own: Option<(String, String)>,
    /// Whether there is something to be before.
    is_due: bool,
}

/// The fields.
pub fn remind_fields(live: Live, draft: RwSignal<Draft>) -> AnyView {
    let is_at = RwSignal::new(draft.with_untracked(|draft| is_time(&draft.remind)));
    // The form may follow its to-do, whose change was taken back.
    ui_kit::effect(move |_| {
        let is_time = draft.with(|draft| (!draft.remind.is_empty()).then(|| is_time(&draft.remind)));
        if let Some(is_time) = is_time.filter(|is_time| *is_time != is_at.get_untracked()) {
            is_at.set(is_time);
        }
    });
    let menu = ui_kit::memo(move |_| {
        draft.with(|draft| {
            let remind = draft.remind.clone();
            let is_common = words::COMMON_REMINDERS.iter().any(|(known, _)| *known == remind);
            let is_own = !remind.is_empty() && !is_time(&remind) && !is_common;
            let own = is_own.then(|| (remind.clone(), spoken::reminder(&remind)));
            // Without a date there is nothing before it; it comes back with one.
            let is_due = !draft.day.is_empty();
            let chosen = match (is_at.get(), is_due || is_time(&remind)) {
                (true, _) => AT.to_owned(),
                (false, true) => remind,
                (false, false) => String::new(),
            };
            Menu { chosen, own, is_due }
        })
    });
    let put = move |remind: String| draft.update(|draft| draft.remind = remind);
    let choose = move |event| {
        let said = event_target_value(&event);
        is_at.set(said == AT);
        match said == AT {
            true => put(draft.with_untracked(|draft| begins(draft, &live.wall.look()))),
            false => put(said),
        }
    };
    let at = move || draft.with(|draft| draft.remind.get(..16).unwrap_or_default().to_owned());
    let options = move || {
        let menu = menu.get();
        let option = |value: String, name: String, is_off: bool| {
            let is_it = menu.chosen == value;
            view! { <option value=value disabled=is_off selected=is_it>{name}</option> }
        };
        let common = words::COMMON_REMINDERS
            .map(|(value, name)| option(value.to_owned(), name().to_owned(), !menu.is_due));
        let own = menu.own.clone().map(|(value, name)| option(value, name, false));
        view! {
            {option(String::new(), words::no_reminder().to_owned(), false)}
            {common}
            {own}
            {option(AT.to_owned(), words::remind_at().to_owned(), false)}
        }
    };
    view! {
        <label>
            <span>{words::remind()}</span>
            <select class="field" data-testid="edit-remind" on:change=choose>
                {options}
            </select>
        </label>
        <Show when=move || is_at.get()>
            <label>
                <span>{words::remind_when()}</span>
                <input
                    class="field"
                    type="datetime-local"
                    data-testid="edit-remind-at"
                    prop:value=at
                    // Emptied it is as it was: "None" is in the menu.
                    on:change=move |event| {
                        let said = event_target_value(&event);
                        match said.is_empty() {
                            true => draft.update(|_| ()),
                            false => put(said),
                        }
                    }
                />
            </label>
        </Show>
        <Show when=move || menu.with(|menu| !menu.chosen.is_empty())>
            <p class="hint edit-whole" data-testid="edit-remind-hint">{words::remind_hint()}</p>
        </Show>
    }
    .into_any()
}

/// Whether a reminder is at a time.
fn is_time(remind: &str) -> bool {
    remind.starts_with(|letter: char| letter.is_ascii_digit())
}

/// The time that a reminder at a time begins with: that of what is due, else now.
fn begins(draft: &Draft, now: &str) -> String {
    let day = if draft.day.is_empty() { now.get(..10).unwrap_or_default() } else { &draft.day };
    let time = match draft.time.is_empty() {
        false => draft.time.as_str(),
        true if draft.day.is_empty() => now.get(11..16).unwrap_or("09:00"),
        true => "09:00",
    };
    format!("{day}T{time}")
}

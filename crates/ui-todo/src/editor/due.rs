//! When a to-do is due: a day, a time, and the days that people put things off to.

use leptos::prelude::*;

use super::draft::Draft;
use crate::live::Live;
use crate::words;

/// The fields.
pub fn due_fields(live: Live, draft: RwSignal<Draft>) -> AnyView {
    let day = ui_kit::memo(move |_| draft.with(|draft| draft.day.clone()));
    let time = ui_kit::memo(move |_| draft.with(|draft| draft.time.clone()));
    let put = move |day: String| draft.update(|draft| draft.day = day);
    let button = move |name: &'static str, to: String| {
        let is_it = {
            let to = to.clone();
            move || day.with(|day| *day == to).to_string()
        };
        view! {
            <button type="button" class="chip" aria-pressed=is_it on:click=move |_| put(to.clone())>
                {name}
            </button>
        }
    };
    let days = live.reader().and_then(|reader| (reader.days)(&live.wall.look()));
    let offered = days.map(|days| {
        // On a weekend it is no other day than today.
        let weekend = (days.weekend != days.today).then(|| button(words::weekend(), days.weekend));
        view! {
            {button(words::today(), days.today)}
            {button(words::tomorrow(), days.tomorrow)}
            {weekend}
            {button(words::next_week(), days.next_week)}
            {button(words::no_day(), String::new())}
        }
    });
    view! {
        <div class="edit-whole edit-days" role="group" aria-label=words::due() data-testid="edit-days">
            {offered}
        </div>
        <label>
            <span>{words::due()}</span>
            <input
                class="field"
                type="date"
                prop:value=day
                // While it is typed its parts are missing one by one.
                on:change=move |event| put(event_target_value(&event))
            />
        </label>
        <label>
            <span>{words::time()}</span>
            <input
                class="field"
                type="time"
                prop:value=time
                disabled=move || day.with(String::is_empty)
                on:input=move |event| draft.update(|draft| draft.time = event_target_value(&event))
            />
        </label>
    }
    .into_any()
}

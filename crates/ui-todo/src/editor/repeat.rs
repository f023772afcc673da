//! When a to-do comes back: one of the common rules, or one in words or in parts.

use leptos::prelude::*;

use super::draft::Draft;
use super::rule::{Parts, UNITS, WEEK};
use super::spoken;
use crate::live::Live;
use crate::words;

/// The value by which the menu says that the rule is none of its own.
const OTHER: &str = "other";

/// The fields.
/// `unread` says that what stands in the field of words is no rule.
pub fn repeat_fields(live: Live, draft: RwSignal<Draft>, unread: RwSignal<bool>) -> AnyView {
    let rule = ui_kit::memo(move |_| draft.with(|draft| draft.repeat.clone()));
    let is_other = RwSignal::new(!is_common(&rule.get_untracked()));
    // The form may follow its to-do, whose change was taken back.
    ui_kit::effect(move |_| {
        if rule.with(|rule| !is_common(rule)) && !is_other.get_untracked() {
            is_other.set(true);
        }
    });
    let chosen = move || if is_other.get() { OTHER.to_owned() } else { rule.get() };
    let choose = move |event| {
        let said = event_target_value(&event);
        is_other.set(said == OTHER);
        unread.set(false);
        match (said == OTHER, rule.with_untracked(String::is_empty)) {
            (false, _) => put(live, draft, said),
            // There is something to change.
            (true, true) => put(live, draft, words::COMMON_RULES[0].0.to_owned()),
            (true, false) => {}
        }
    };
    view! {
        <label>
            <span>{words::repeat()}</span>
            <select class="field" data-testid="edit-repeat" prop:value=chosen on:change=choose>
                <option value="">{words::never()}</option>
                {words::COMMON_RULES.map(|(rule, name)| view! { <option value=rule>{name()}</option> })}
                <option value=OTHER>{words::other_rule()}</option>
            </select>
        </label>
        <Show when=move || is_other.get()>{other(live, draft, rule, unread)}</Show>
    }
    .into_any()
}

fn is_common(rule: &str) -> bool {
    rule.is_empty() || words::COMMON_RULES.iter().any(|(common, _)| *common == rule)
}

/// Sets the rule. One that comes back needs a day to begin with: today, where none is set.
fn put(live: Live, draft: RwSignal<Draft>, rule: String) {
    draft.update(|draft| {
        if !rule.is_empty() && draft.day.is_empty() {
            let days = live.reader().and_then(|reader| (reader.days)(&live.wall.look()));
            draft.day = days.map(|days| days.today).unwrap_or_default();
        }
        draft.repeat = rule;
    });
}

/// A rule in words, and in parts.
fn other(live: Live, draft: RwSignal<Draft>, rule: Memo<String>, unread: RwSignal<bool>) -> impl IntoView {
    let parts = ui_kit::memo(move |_| Parts::of(&rule.get()));
    let change = move |change: &dyn Fn(&mut Parts)| {
        let mut now = parts.get_untracked();
        change(&mut now);
        put(live, draft, now.rule());
    };
    let in_words = move || spoken::rule(&rule.get());
    let say = move |event| {
        let said = event_target_value(&event);
        let read = live.reader().and_then(|reader| (reader.rule_of)(said.trim(), &live.wall.look()));
        unread.set(read.is_none() && !said.trim().is_empty());
        let Some((rule, begins)) = read else { return };
        draft.update(|draft| {
            let (day, time) = begins.split_once('T').unwrap_or((&begins, ""));
            // "Every 2 weeks" goes on from the day that is there, "every Tuesday" is on a Tuesday.
            if draft.day.is_empty() || rule.contains("BYDAY") || rule.contains("BYMONTHDAY") {
                draft.day = day.to_owned();
            }
            if !time.is_empty() {
                draft.time = time.to_owned();
            }
        });
        put(live, draft, rule);
    };
    let weekdays = move || {
        WEEK.iter()
            .zip(words::WEEKDAYS)
            .map(|(day, name)| {
                let is_in =
                    move || parts.with(|parts| parts.days.iter().any(|known| known == day)).to_string();
                view! {
                    <button
                        type="button"
                        class="chip"
                        aria-pressed=is_in
                        on:click=move |_| change(&|parts: &mut Parts| parts.turn(day))
                    >
                        {name()}
                    </button>
                }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <div class="edit-whole edit-rule" data-testid="edit-rule">
            <label>
                <span>{words::rule_in_words()}</span>
                <input
                    class="field"
                    type="text"
                    autocomplete="off"
                    placeholder=words::rule_example()
                    data-testid="edit-rule-words"
                    on:change=say
                />
            </label>
            <p class="hint" role="status">
                {move || if unread.get() { words::rule_unread().to_owned() } else { in_words() }}
            </p>
            <div class="edit-rule-parts">
                <label>
                    <span>{words::every()}</span>
                    <input
                        class="field"
                        type="number"
                        min="1"
                        max="999"
                        prop:value=move || parts.with(|parts| parts.every.to_string())
                        on:change=move |event| {
                            let every = event_target_value(&event).parse().unwrap_or(1).clamp(1, 999);
                            change(&|parts: &mut Parts| parts.every = every);
                        }
                    />
                </label>
                <label>
                    <span>{words::unit()}</span>
                    <select
                        class="field"
                        prop:value=move || parts.with(|parts| parts.unit.clone())
                        on:change=move |event| {
                            let unit = event_target_value(&event);
                            change(&|parts: &mut Parts| parts.count_in(unit.clone()));
                        }
                    >
                        {UNITS
                            .iter()
                            .zip(words::UNITS)
                            .map(|(unit, name)| view! { <option value=*unit>{name()}</option> })
                            .collect::<Vec<_>>()}
                    </select>
                </label>
                <label>
                    <span>{words::until()}</span>
                    <input
                        class="field"
                        type="date"
                        prop:value=move || parts.with(|parts| parts.until.clone())
                        on:change=move |event| {
                            let until = event_target_value(&event);
                            change(&|parts: &mut Parts| parts.until.clone_from(&until));
                        }
                    />
                </label>
            </div>
            <Show when=move || {
                parts.with(|parts| parts.unit == UNITS[1])
            }>
                <div class="edit-days" role="group" aria-label=words::on_days()>
                    {weekdays}
                </div>
            </Show>
        </div>
    }
}

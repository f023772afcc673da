//! Moves with a look before: what would move along, row by row before and after, what a booking holds, and then “Move” or “Leave it” (S4-12).
//!
//! What is shown may be out of date when the person says yes: it is looked at once more, and what differs is shown first.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, Value, json};
use ui_kit::sheet::{self, SheetHead, close_beside, once_closed};
use ui_kit::{Icon, Line, Say, focus, line_view, outcome};
use web::page;

use crate::model::Segment;
use crate::said::line;
use crate::state::Section;
use crate::view::{Ask, View, focus_title};
use crate::words;

/// What a call would do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Would {
    /// The rows, before and after.
    pub lines: Vec<Line>,
    /// How many more rows there are than are told.
    pub more: usize,
    /// Why rows stay that hang on what moves.
    pub not_moved: Vec<String>,
    /// What would not work then.
    pub findings: Vec<String>,
    /// What it is told from another look by: the rows but for when they changed, and of new rows but for what every look makes anew.
    sign: Value,
}

impl Would {
    /// Reads an answer of a trial.
    #[must_use]
    pub fn of(answer: &Value) -> Self {
        let outcome = outcome(answer).unwrap_or_default();
        let lines: Vec<Line> = outcome.changes.iter().filter_map(line).collect();
        let texts = |list: &str, name: &str| -> Vec<String> {
            let all = answer.get(list).and_then(Value::as_array).into_iter().flatten();
            all.filter_map(|one| one.get(name)?.as_str()).map(str::to_owned).collect()
        };
        let total = answer.get("total").and_then(Value::as_u64).and_then(|total| usize::try_from(total).ok());
        let mut sign = json!({ "changes": answer.get("changes"), "stays": answer.get("notMoved") });
        for change in sign.get_mut("changes").and_then(Value::as_array_mut).into_iter().flatten() {
            // A row that is not there yet has another id, and another time of its making, at each look.
            let is_new = change.get("before").is_none_or(Value::is_null);
            if let Some(after) = change.get_mut("after").and_then(Value::as_object_mut) {
                after.remove("updated_ms");
                if is_new {
                    after.remove("id");
                    after.remove("created_ms");
                }
            }
            if let Some(change) = change.as_object_mut().filter(|_| is_new) {
                change.remove("id");
            }
        }
        Self {
            more: total.unwrap_or_default().saturating_sub(outcome.changes.len()),
            lines,
            not_moved: texts("notMoved", "why"),
            findings: texts("findings", "text"),
            sign,
        }
    }

    /// Whether it does more than change the one row it is about.
    #[must_use]
    pub fn is_more_than_one(&self) -> bool {
        self.lines.len() + self.more > 1 || !self.not_moved.is_empty()
    }
}

/// Draws what a call would do.
pub fn would_view(would: &Would) -> AnyView {
    let lines: Vec<AnyView> = would.lines.iter().cloned().map(line_view).collect();
    let list = |class: &'static str, all: &[String]| {
        let rows: Vec<_> = all
            .iter()
            .map(|text| view! { <li lang="en">{Icon::Warning.draw()} <span dir="auto">{text.clone()}</span></li> })
            .collect();
        (!all.is_empty()).then(|| view! { <ul class=class>{rows}</ul> })
    };
    view! {
        <ul class="lines" data-testid="trip-would">{lines}</ul>
        {(would.more > 0).then(|| view! { <p class="hint">{ui_kit::words::and_more(would.more)}</p> })}
        {list("trip-findings trip-stays", &would.not_moved)}
        {list("trip-findings", &would.findings)}
    }
    .into_any()
}

/// The name of the button that does what was shown: what the call does.
fn do_name((tool, arguments): &(String, Value)) -> &'static str {
    match &**tool {
        "move_segment" => words::do_it(),
        "update_itinerary" if arguments.get("move_days").is_some() => words::do_it(),
        tool if tool.starts_with("add_") => words::do_add(),
        _ => words::do_change(),
    }
}

/// What the dialog shows.
#[derive(Clone, Debug, PartialEq)]
enum Shown {
    /// Where to.
    Form,
    /// It is being looked at.
    Looking,
    /// What would be; `is_other` says that it is not what was shown before.
    Would { would: Would, is_other: bool },
}

/// The dialog.
#[component]
pub fn MoveDialog(view: View) -> impl IntoView {
    let open = view.open;
    let dialog = NodeRef::<html::Dialog>::new();
    let (shown, trouble) = (RwSignal::new(Shown::Form), RwSignal::new(None::<String>));
    let call = RwSignal::new(None::<(String, Value)>);
    let [day, time, days, minutes] = [(); 4].map(|()| RwSignal::new(String::new()));
    let booking_changed = RwSignal::new(false);
    // An answer that comes late is not taken for one to what is asked now.
    let looks = StoredValue::new(0_u32);
    let segment = move || -> Option<Segment> {
        let id = view.asked.get()?.segment?;
        open.segments.with(|all| all.iter().find(|one| one.id == id).cloned())
    };
    let is_pinned = move || segment().is_some_and(|segment| segment.is_pinned());
    let next = move || {
        let look = looks.get_value().wrapping_add(1);
        looks.set_value(look);
        look
    };
    // What had the focus went with what was shown before.
    let show = move |would: Would, is_other: bool| {
        shown.set(Shown::Would { would, is_other });
        focus::soon(|| {
            page::first(".trip-move-do:not(:disabled)").or_else(|| page::first(".trip-move-leave"))
        });
    };
    let show_form = move |why: String| {
        trouble.set(Some(why));
        shown.set(Shown::Form);
        focus::soon(|| page::first(".trip-move-form .field").or_else(|| page::first(".trip-move-leave")));
    };
    let look = move |asked: (String, Value)| {
        let look = next();
        trouble.set(None);
        shown.set(Shown::Looking);
        call.set(Some(asked.clone()));
        spawn_local(async move {
            let answer = open.preview(&asked.0, asked.1).await;
            if looks.try_get_value() != Some(look) {
                return;
            }
            match answer {
                Ok(answer) => show(Would::of(&answer), false),
                Err(why) => show_form(why),
            }
        });
    };
    ui_kit::effect(move |_| {
        let Some(asked) = view.asked.get() else { return };
        next();
        trouble.set(None);
        booking_changed.set(false);
        let start = untrack(segment).and_then(|segment| segment.start);
        day.set(start.as_ref().map(|start| start.day().to_owned()).unwrap_or_default());
        time.set(
            start
                .as_ref()
                .and_then(|start| start.time())
                .map(|time| time.get(..5).unwrap_or(time).to_owned())
                .unwrap_or_default(),
        );
        days.set(String::new());
        minutes.set(String::new());
        match asked.call {
            Some(known) => look(known),
            None => shown.set(Shown::Form),
        }
    });
    let close = move || {
        next();
        // The browser says it again once the dialog is closed.
        let Some(about) = view.asked.try_update(Option::take).flatten() else { return };
        match about.segment.filter(|_| view.open.trips.section.get_untracked() == Section::Days) {
            Some(id) => view.seek(&id),
            None => focus_title(),
        }
    };
    sheet::follow(dialog, move || view.asked.with(Option::is_some), || ());
    let go = move || {
        let (Shown::Would { would, .. }, Some((tool, arguments))) =
            (shown.get_untracked(), call.get_untracked())
        else {
            return;
        };
        let look = next();
        shown.set(Shown::Looking);
        spawn_local(async move {
            // What was shown may be out of date.
            let now = open.preview(&tool, arguments.clone()).await.map(|answer| Would::of(&answer));
            if looks.try_get_value() != Some(look) {
                return;
            }
            let done = match now {
                Ok(now) if now == would => {
                    open.call(&tool, arguments, Say::SummaryWithUndo).await.map(|_| ())
                }
                Ok(now) => return show(now, true),
                Err(why) => Err(why),
            };
            match done {
                // By now the dialog may be about something else.
                Ok(()) if looks.try_get_value() == Some(look) => close(),
                Ok(()) => {}
                Err(why) if looks.try_get_value() == Some(look) => show_form(why),
                Err(why) => open.page.toasts.say(why),
            }
        });
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let read = |text: RwSignal<String>| text.with_untracked(|text| text.trim().parse::<i64>().ok());
        let (by_days, by_minutes) = (read(days), read(minutes));
        let is_typed = [days, minutes].iter().any(|text| text.with_untracked(|text| !text.trim().is_empty()));
        let said = untrack(|| view.asked.get().and_then(|about| about.segment));
        let asked = match (said, call.get_untracked()) {
            (None, _) => match by_days {
                Some(by) if by != 0 => Some(("update_itinerary".to_owned(), json!({ "move_days": by }))),
                _ => None,
            },
            (Some(id), _) => {
                let mut fields = Map::new();
                fields.insert("segment".into(), id.into());
                match (by_days, by_minutes) {
                    (None, None) if is_typed => return trouble.set(Some(words::no_number().to_owned())),
                    (None, None) => {
                        let (day, time) = (day.get_untracked(), time.get_untracked());
                        let to = if time.is_empty() { day } else { format!("{day}T{time}") };
                        fields.insert("to".into(), to.into());
                    }
                    (by_days, by_minutes) => {
                        if let Some(by) = by_days {
                            fields.insert("by_days".into(), by.into());
                        }
                        if let Some(by) = by_minutes {
                            fields.insert("by_minutes".into(), by.into());
                        }
                    }
                }
                if booking_changed.get_untracked() {
                    fields.insert("booking_changed".into(), true.into());
                }
                Some(("move_segment".to_owned(), Value::Object(fields)))
            }
        };
        match asked {
            Some(asked) => look(asked),
            None => trouble.set(Some(words::no_number().to_owned())),
        }
    };
    let number = move |testid: &'static str, label: &'static str, value: RwSignal<String>| {
        view! {
            <label class="stack">
                <span>{label}</span>
                <input
                    class="field"
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    data-testid=testid
                    prop:value=value
                    on:input=move |event| value.set(event_target_value(&event))
                />
            </label>
        }
    };
    let about = move || match view.asked.get() {
        Some(Ask { is_way_out: true, .. }) => words::way_out().to_owned(),
        Some(Ask { segment: Some(id), .. }) => words::move_named(&open.title_of(&id)),
        _ => words::move_trip().to_owned(),
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            data-testid="trip-move-dialog"
            aria-labelledby="trip-move-title"
            on:click=close_beside(dialog)
            on:close=once_closed(dialog, close)
        >
            <div class="sheet-body">
                <SheetHead id="trip-move-title" title=words::moving() on_close=Callback::new(move |()| close()) />
                <p dir="auto">{about}</p>
                <p class="field-trouble" role="alert" lang="en">{move || trouble.get()}</p>
                {move || match shown.get() {
                    Shown::Looking => view! { <p class="hint" role="status">{words::looking_what_moves()}</p> }.into_any(),
                    Shown::Would { would, is_other } => {
                        view! {
                            {is_other.then(|| view! { <p class="notice" role="alert" data-testid="trip-would-other">{words::changed_meanwhile()}</p> })}
                            <p class="visually-hidden" role="status">{words::would_change(would.lines.len() + would.more)}</p>
                            {if would.lines.is_empty() {
                                view! { <p>{words::nothing_moves()}</p> }.into_any()
                            } else {
                                would_view(&would)
                            }}
                            <div class="sheet-buttons">
                                <button type="button" class="button trip-move-leave" data-testid="trip-move-leave" on:click=move |_| close()>
                                    {words::leave_it()}
                                </button>
                                <button
                                    type="button"
                                    class="button primary trip-move-do"
                                    data-testid="trip-move-do"
                                    disabled=would.lines.is_empty()
                                    on:click=move |_| go()
                                >
                                    {move || call.with(|call| call.as_ref().map_or(words::do_change(), do_name))}
                                </button>
                            </div>
                        }
                            .into_any()
                    }
                    Shown::Form if view.asked.with_untracked(|about| about.as_ref().is_some_and(|about| about.is_way_out)) => {
                        view! {
                            <div class="sheet-buttons">
                                <button type="button" class="button trip-move-leave" on:click=move |_| close()>{words::leave_it()}</button>
                            </div>
                        }
                            .into_any()
                    }
                    Shown::Form => {
                        let is_segment = view.asked.with_untracked(|about| about.as_ref().is_some_and(|about| about.segment.is_some()));
                        view! {
                            <form class="trip-form trip-move-form" on:submit=submit>
                                {is_segment
                                    .then(|| {
                                        view! {
                                            <fieldset class="trip-pair">
                                                <legend>{words::move_to()}</legend>
                                                <label class="stack">
                                                    <span>{words::day()}</span>
                                                    <input
                                                        class="field"
                                                        type="date"
                                                        data-testid="trip-move-day"
                                                        prop:value=day
                                                        on:input=move |event| day.set(event_target_value(&event))
                                                    />
                                                </label>
                                                <label class="stack">
                                                    <span>{words::time()}</span>
                                                    <input
                                                        class="field"
                                                        type="time"
                                                        data-testid="trip-move-time"
                                                        prop:value=time
                                                        on:input=move |event| time.set(event_target_value(&event))
                                                    />
                                                </label>
                                            </fieldset>
                                        }
                                    })}
                                <fieldset class="trip-pair">
                                    <legend>{if is_segment { words::or_move_by() } else { words::move_by() }}</legend>
                                    {number("trip-move-days", words::days_later(), days)}
                                    {is_segment.then(|| number("trip-move-minutes", words::minutes_later(), minutes))}
                                </fieldset>
                                <Show when=is_pinned>
                                    <label class="check">
                                        <input
                                            type="checkbox"
                                            data-testid="trip-move-booking"
                                            prop:checked=booking_changed
                                            on:change=move |event| booking_changed.set(event_target_checked(&event))
                                        />
                                        <span>{words::booking_changed()}</span>
                                    </label>
                                </Show>
                                <div class="sheet-buttons">
                                    <button type="button" class="button trip-move-leave" on:click=move |_| close()>{words::leave_it()}</button>
                                    <button type="submit" class="button primary" data-testid="trip-move-look">{words::show_what_moves()}</button>
                                </div>
                            </form>
                        }
                            .into_any()
                    }
                }}
            </div>
        </dialog>
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Would, do_name};

    fn answer(before: &str, updated: i64, stays: Value) -> Value {
        let row = |at: &str, updated: i64| json!({ "id": "s", "title": "Louvre", "start": { "at": at }, "updated_ms": updated });
        json!({ "summary": "", "total": 1, "notMoved": stays, "findings": [{ "text": "Too late." }], "changes": [{
            "domain": "trip", "table": "segments", "label": "Louvre", "before": row(before, 1), "after": row("2026-06-17T10:00", updated),
        }] })
    }

    #[test]
    fn two_looks_at_the_same_rows_are_the_same_whenever_they_are_made() {
        let first = Would::of(&answer("2026-06-16T10:00", 5, json!([])));
        assert_eq!(first, Would::of(&answer("2026-06-16T10:00", 9, json!([]))));
        assert_ne!(first, Would::of(&answer("2026-06-15T10:00", 5, json!([]))));
        assert_eq!(
            (first.findings.as_slice(), first.is_more_than_one()),
            (&["Too late.".to_owned()][..], false)
        );
    }

    #[test]
    fn two_looks_at_the_same_new_row_are_the_same_though_each_makes_it_anew() {
        let look = |id: &str, at: i64, place: &str| {
            Would::of(&json!({ "summary": "", "total": 1, "notMoved": [], "findings": [], "changes": [{
                "domain": "trip", "table": "segments", "id": id, "label": place, "before": null,
                "after": { "id": id, "kind": "hotel", "title": place, "created_ms": at, "updated_ms": at },
            }] }))
        };
        let first = look("seg_1", 5, "Paris");
        assert_eq!(first, look("seg_2", 9, "Paris"));
        assert_ne!(first, look("seg_2", 9, "Lyon"));
    }

    #[test]
    fn the_button_is_named_by_what_it_does() {
        let name = |tool: &str, arguments: Value| do_name(&(tool.to_owned(), arguments));
        assert_eq!(name("move_segment", json!({ "by_days": 1 })), "Move");
        assert_eq!(name("update_itinerary", json!({ "move_days": 1 })), "Move");
        assert_eq!(name("update_itinerary", json!({ "budget": 4000 })), "Change");
        assert_eq!(name("update_segment", json!({ "rooms": 2 })), "Change");
        assert_eq!(name("add_hotel", json!({ "place": "Paris" })), "Add");
    }

    #[test]
    fn what_a_booking_holds_is_told() {
        let would = Would::of(&answer(
            "2026-06-16T10:00",
            5,
            json!([{ "id": "x", "title": "T", "why": "It is booked." }]),
        ));
        assert_eq!(would.not_moved, ["It is booked."]);
        assert!(would.is_more_than_one());
    }
}

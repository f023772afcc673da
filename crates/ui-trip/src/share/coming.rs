//! A calendar file in: what came of it, what did not and why, is told where it was chosen and stays there.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::Say;
use ui_kit::form::Switch;

use super::words;
use crate::open::Open;

/// A file that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chosen {
    name: String,
    text: String,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Report {
    /// What came in and what did not, in sentences.
    said: String,
    /// What was left as it was, and why.
    stays: Vec<String>,
    /// It was refused, and nothing was changed.
    is_refused: bool,
}

impl Report {
    fn of(answer: Result<Value, String>) -> Self {
        match answer {
            Ok(answer) => {
                let text = |value: &Value, name: &str| {
                    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
                };
                let stays = answer.get("notMoved").and_then(Value::as_array).into_iter().flatten();
                Self {
                    said: text(&answer, "summary"),
                    stays: stays.map(|one| text(one, "why")).collect(),
                    is_refused: false,
                }
            }
            Err(why) => Self { said: why, stays: Vec::new(), is_refused: true },
        }
    }
}

/// Chooses a file, and tells what came of it.
#[component]
pub fn Coming(trip: Open) -> impl IntoView {
    let (chosen, all) = (RwSignal::new(None::<Chosen>), RwSignal::new(false));
    let (report, is_working) = (RwSignal::new(None::<Report>), RwSignal::new(false));
    let input = NodeRef::<html::Input>::new();
    // A file that is read slowly does not come in place of one that was chosen later.
    let reads = StoredValue::new(0_u32);
    let bring_in = move || {
        let Some(Chosen { text, .. }) = chosen.get_untracked() else { return };
        if is_working.get_untracked() {
            return;
        }
        is_working.set(true);
        let arguments = json!({ "text": text, "all": all.get_untracked() });
        spawn_local(async move {
            let answer = trip.call("itinerary_import", arguments, Say::SummaryWithUndo).await;
            let _gone = is_working.try_set(false);
            let _gone = report.try_set(Some(Report::of(answer)));
        });
    };
    let choose = move |_| {
        let Some(input) = input.get_untracked() else { return };
        let file = input.files().and_then(|files| files.get(0)).map(|file| file.name());
        let Some(name) = file else { return };
        let read = reads.get_value() + 1;
        reads.set_value(read);
        report.set(None);
        spawn_local(async move {
            let text = web::files::picked(&input).await;
            if reads.try_get_value() != Some(read) {
                return;
            }
            match text {
                Some(text) => {
                    chosen.set(Some(Chosen { name, text }));
                    bring_in();
                }
                None => {
                    chosen.set(None);
                    report.set(Some(Report {
                        said: words::not_read().to_owned(),
                        is_refused: true,
                        ..Report::default()
                    }));
                }
            }
        });
    };
    let name =
        move || chosen.with(|chosen| chosen.as_ref().map(|chosen| chosen.name.clone()).unwrap_or_default());
    view! {
        <section class="trip-part" aria-labelledby="trip-coming-title" data-testid="trip-coming">
            <h3 id="trip-coming-title">{words::coming()}</h3>
            <p class="hint">{words::calendar_hint()}</p>
            <Switch testid="trip-take-all" on=all on_turn=move |on| all.set(on)>{words::take_all()}</Switch>
            <label class="button trip-file">
                <input
                    node_ref=input
                    type="file"
                    class="visually-hidden"
                    accept=".ics,text/calendar"
                    data-testid="trip-calendar-in"
                    on:change=choose
                />
                {words::choose_calendar()}
            </label>
            <div role="status" class="trip-report" data-testid="trip-report">
                <Show when=move || is_working.get()>
                    <p class="hint">{move || words::bringing_in(&name())}</p>
                </Show>
                {move || report.get().map(told)}
            </div>
            <Show when=move || { chosen.with(Option::is_some) && report.with(Option::is_some) }>
                <button type="button" class="button trip-begin" data-testid="trip-bring-again" on:click=move |_| bring_in()>
                    {move || words::bring_again(&name())}
                </button>
            </Show>
        </section>
    }
}

/// What came of a file. The sentences are the tools'.
fn told(report: Report) -> impl IntoView {
    let Report { said, stays, is_refused } = report;
    view! {
        <div class="notice" class:notice-bad=is_refused>
            <p lang="en">{said}</p>
        </div>
        {(!stays.is_empty())
            .then(|| {
                view! {
                    <p>{words::stays()}</p>
                    <ul lang="en">{stays.into_iter().map(|why| view! { <li dir="auto">{why}</li> }).collect_view()}</ul>
                }
            })}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_in_what_stays_and_what_was_refused_is_told() {
        let answer = json!({
            "summary": "Added 3 segments. 2 events were left out: they are cancelled.",
            "notMoved": [{ "id": "s", "title": "To Paris", "why": "“To Paris” is booked by you and was not moved." }],
        });
        let report = Report::of(Ok(answer));
        assert_eq!(report.stays, ["“To Paris” is booked by you and was not moved."]);
        assert!(report.said.starts_with("Added 3 segments.") && !report.is_refused);
        let refused = Report::of(Err("That is no calendar.".into()));
        assert_eq!((&*refused.said, refused.is_refused), ("That is no calendar.", true));
    }
}

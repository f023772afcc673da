//! What does not work of a trip, the worst first, each with its way out; what was accepted on purpose, and what the checker reckons with.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::language::Word;
use ui_kit::{Each, Icon, Say, memo};

use crate::model::{Accepted, Finding};
use crate::state::Section;
use crate::view::{Ask, View, focus_title};
use crate::words;

/// The figures of the checker, with what they are called and the unit.
const FIGURES: [(&str, Word, Word); 8] = [
    ("connection_domestic_min", words::connection_domestic, words::minutes),
    ("connection_international_min", words::connection_international, words::minutes),
    ("before_flight_min", words::before_flight, words::minutes),
    ("leave_airport_min", words::leave_airport, words::minutes),
    ("walking_kmh", words::walking, words::kmh),
    ("driving_kmh", words::driving, words::kmh),
    ("rail_kmh", words::rail, words::kmh),
    ("room_sleeps", words::room_sleeps, words::persons),
];

/// The section.
#[component]
pub fn Checks(view: View) -> impl IntoView {
    let open = view.open;
    let errors = memo(move |_| open.findings.with(|all| all.iter().filter(|one| one.is_error()).count()));
    let warnings = memo(move |_| open.findings.with(Vec::len) - errors.get());
    view! {
        <div class="trip-section" data-testid="trip-checks">
            <p role="status" data-testid="trip-checks-count">
                {move || match (errors.get(), warnings.get()) {
                    (0, 0) => words::all_works().to_owned(),
                    (0, warnings) => words::warnings(warnings),
                    (errors, 0) => words::errors(errors),
                    (errors, warnings) => format!("{} · {}", words::errors(errors), words::warnings(warnings)),
                }}
            </p>
            <ul class="trip-findings trip-all-findings">
                <Each
                    each=move || open.findings.get()
                    key=key_of
                    children=move |finding| view! { <OneFinding view finding /> }
                />
            </ul>
            <AcceptedList view />
            <Assumptions view />
        </div>
    }
}

/// What tells a finding from all others.
fn key_of(finding: &Finding) -> String {
    format!("{}/{:?}/{}", finding.rule, finding.rows, finding.text)
}

#[component]
fn OneFinding(view: View, finding: Finding) -> impl IntoView {
    let (open, reasons) = (view.open, view.reasons);
    // What is typed stays while another section is shown.
    let key = StoredValue::new(key_of(&finding));
    let why = move || {
        let mine = |all: &Vec<(String, String)>| {
            key.with_value(|key| all.iter().find(|(of, _)| of == key).map(|(_, why)| why.clone()))
        };
        reasons.with(mine)
    };
    let accepting = ui_kit::memo(move |_| why().is_some());
    let put = move |why: Option<String>| {
        reasons.update(|all| {
            let key = key.get_value();
            all.retain(|(of, _)| *of != key);
            all.extend(why.map(|why| (key, why)));
        });
    };
    let trouble = RwSignal::new(None::<String>);
    let is_error = finding.is_error();
    let severity = if is_error { words::error() } else { words::warning() };
    let rows: Vec<_> = finding
        .rows
        .iter()
        .map(|id| {
            let (id, shown) = (id.clone(), id.clone());
            view! {
                <button
                    type="button"
                    class="text-button"
                    data-testid="trip-finding-row"
                    on:click=move |_| {
                        open.trips.section.set(Section::Days);
                        view.seek(&id);
                    }
                >
                    {move || open.title_of(&shown)}
                </button>
            }
        })
        .collect();
    let way_out = finding.call.clone().map(|call| {
        let segment = finding.rows.first().cloned();
        view! {
            <button
                type="button"
                class="button"
                data-testid="trip-way-out"
                on:click=move |_| view.asked.set(Some(Ask::way_out(segment.clone(), call.tool.clone(), call.arguments.clone())))
            >
                {words::show_way_out()}
            </button>
        }
    });
    let (rule, first) = (finding.rule.clone(), finding.rows.first().cloned());
    let accept = move || {
        let said = json!({ "rule": rule, "why": untrack(why).unwrap_or_default().trim() });
        let (tool, arguments) = match &first {
            Some(id) => ("update_segment", json!({ "segment": id, "accept": said })),
            None => ("update_itinerary", json!({ "accept": said })),
        };
        // The finding is gone by then.
        let of = key.get_value();
        spawn_local(async move {
            match open.call(tool, arguments, Say::SummaryWithUndo).await {
                Ok(_) => {
                    focus_title();
                    let _ = reasons.try_update(|all| all.retain(|(known, _)| *known != of));
                }
                Err(why) => drop(trouble.try_set(Some(why))),
            }
        });
    };
    let accept = StoredValue::new_local(accept);
    let label = words::accept_of(&finding.text);
    view! {
        <li data-severity=finding.severity.clone() data-rule=finding.rule.clone() data-testid="trip-finding">
            {Icon::Warning.draw()}
            <span class="trip-finding-text">
                <strong>{severity} ": "</strong>
                <span lang="en">{finding.text.clone()}</span>
                <span class="hint" lang="en">" " {finding.way_out.clone()}</span>
            </span>
            <span class="trip-finding-acts">
                {rows} {way_out}
                {(!is_error)
                    .then(|| {
                        view! {
                            <button
                                type="button"
                                class="text-button"
                                data-testid="trip-accept"
                                aria-label=label
                                aria-expanded=move || accepting.get().to_string()
                                on:click=move |_| put((!accepting.get_untracked()).then(String::new))
                            >
                                {words::accept()}
                            </button>
                        }
                    })}
            </span>
            <Show when=move || accepting.get()>
                <form
                    class="trip-accept-form"
                    on:submit=move |event| {
                        event.prevent_default();
                        accept.with_value(|accept| accept());
                    }
                >
                    <label class="stack">
                        <span>{words::accept_why()}</span>
                        <input
                            class="field"
                            type="text"
                            dir="auto"
                            autocomplete="off"
                            data-testid="trip-accept-why"
                            prop:value=move || why().unwrap_or_default()
                            on:input=move |event| put(Some(event_target_value(&event)))
                        />
                    </label>
                    <button type="submit" class="button" data-testid="trip-accept-yes">{words::accept_yes()}</button>
                </form>
            </Show>
            <p class="field-trouble" role="alert" lang="en">{move || trouble.get()}</p>
        </li>
    }
}

/// Something accepted: whose it is, where it is no trip's, and what.
#[derive(Clone, PartialEq)]
struct Had {
    segment: Option<(String, String)>,
    accepted: Accepted,
}

/// What was accepted, with the way to be told again.
#[component]
fn AcceptedList(view: View) -> impl IntoView {
    let open = view.open;
    let all = memo(move |_| {
        let of_trip = open.itinerary.with(|trip| {
            trip.accepted
                .iter()
                .map(|accepted| Had { segment: None, accepted: accepted.clone() })
                .collect::<Vec<_>>()
        });
        let of_segments = open.segments.with(|all| {
            let of = |one: &crate::model::Segment| {
                let segment = Some((one.id.clone(), one.title.clone()));
                one.accepted
                    .iter()
                    .map(|accepted| Had { segment: segment.clone(), accepted: accepted.clone() })
                    .collect::<Vec<_>>()
            };
            all.iter().flat_map(of).collect::<Vec<_>>()
        });
        [of_trip, of_segments].concat()
    });
    view! {
        <Show when=move || all.with(|all| !all.is_empty())>
            <h3>{words::accepted()}</h3>
            <ul class="trip-accepted">
                <Each
                    each=move || all.get()
                    key=|had| format!("{:?}/{:?}", had.segment, had.accepted)
                    children=move |had| {
                        let Had { segment, accepted } = had;
                        let name = segment.as_ref().map_or_else(|| words::whole_trip().to_owned(), |(_, title)| title.clone());
                        let rule = accepted.rule.clone();
                        let label = words::tell_again_of(&rule_name(&rule), &name);
                        view! {
                            <li data-testid="trip-accepted">
                                <span dir="auto">{name} ": " {rule_name(&accepted.rule)}</span>
                                <span class="hint" dir="auto">" " {accepted.why.clone()}</span>
                                <button
                                    type="button"
                                    class="text-button"
                                    data-testid="trip-accept-no-more"
                                    aria-label=label
                                    on:click=move |_| {
                                        let (tool, arguments) = match &segment {
                                            Some((id, _)) => ("update_segment", json!({ "segment": id, "accept_no_more": rule })),
                                            None => ("update_itinerary", json!({ "accept_no_more": rule })),
                                        };
                                        open.run(tool, arguments, Say::SummaryWithUndo);
                                        focus_title();
                                    }
                                >
                                    {words::tell_again()}
                                </button>
                            </li>
                        }
                    }
                />
            </ul>
        </Show>
    }
}

/// A rule by its name, in words: `night without bed`.
fn rule_name(rule: &str) -> String {
    rule.replace('-', " ")
}

/// What the checker reckons with. A figure is saved when it is left.
#[component]
fn Assumptions(view: View) -> impl IntoView {
    let open = view.open;
    let trouble = RwSignal::new(None::<String>);
    let set = move |name: &'static str, value: Value| {
        spawn_local(async move {
            let assumptions = json!({ "assumptions": { name: value } });
            let done = open.call("update_itinerary", assumptions, Say::SummaryWithUndo).await;
            drop(trouble.try_set(done.err()));
        });
    };
    view! {
        <h3>{words::assumptions()}</h3>
        <p class="hint">{words::assumptions_hint()}</p>
        <p class="field-trouble" role="alert">{move || trouble.get()}</p>
        <div class="trip-figures" data-testid="trip-assumptions">
            {FIGURES
                .map(|(name, label, unit)| {
                    let value = move || open.whole.with(|whole| whole.assumed.get(name).copied()).unwrap_or_default();
                    let is_own = move || open.itinerary.with(|trip| trip.assumptions.contains_key(name));
                    view! {
                        <div class="trip-figure">
                            <label class="stack">
                                <span>{label()} " (" {unit()} ")"</span>
                                <input
                                    class="field"
                                    type="text"
                                    inputmode="numeric"
                                    autocomplete="off"
                                    data-testid=format!("trip-assume-{name}")
                                    prop:value=move || value().to_string()
                                    on:change=move |event| {
                                        match event_target_value(&event).trim().parse::<u32>() {
                                            Ok(number) if number == untrack(value) => trouble.set(None),
                                            Ok(number) => set(name, number.into()),
                                            Err(_) => trouble.set(Some(words::no_number().to_owned())),
                                        }
                                    }
                                />
                            </label>
                            <Show when=is_own>
                                <button
                                    type="button"
                                    class="text-button"
                                    aria-label=words::usual_again(label())
                                    on:click=move |_| set(name, Value::Null)
                                >
                                    {words::usual()}
                                </button>
                            </Show>
                        </div>
                    }
                })}
        </div>
    }
}

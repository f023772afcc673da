//! A section of an open trip: what is known of the travellers and their wishes, each with its words and a way to correct or forget it.

mod draft;

mod words {
    include!(concat!(env!("OUT_DIR"), "/profile.rs"));
}

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::{Say, memo};

use crate::open::Open;
use crate::travellers;
use draft::{Draft, Field, KINDS, Known, PACES, Shape, known};

/// What is typed, of one field at a time, for as long as the trip is open: a look at another section loses nothing. A handle: copies are
/// the same.
#[derive(Clone, Copy)]
pub struct Typing(RwSignal<Option<Draft>>);

impl Typing {
    /// For everything below the component that provides it.
    pub fn provide() {
        provide_context(Self(RwSignal::new(None)));
    }
}

/// Draws it.
///
/// # Panics
/// Outside the open trip, which provides what is typed.
pub fn profile(trip: Open) -> AnyView {
    let Typing(editing) = expect_context();
    view! {
        <section class="trip-part" aria-labelledby="trip-profile-title" data-testid="trip-profile">
            <h3 id="trip-profile-title">{words::profile()}</h3>
            <p class="hint">{words::profile_hint()}</p>
            <dl class="trip-profile">{Field::ALL.map(|field| view! { <FieldLine trip editing field /> }).collect_view()}</dl>
        </section>
    }
    .into_any()
}

/// The id of a field's button.
fn button_id(field: Field) -> String {
    format!("trip-correct-{}", field.word())
}

/// A field: what is known of it, or its form.
#[component]
fn FieldLine(trip: Open, editing: RwSignal<Option<Draft>>, field: Field) -> impl IntoView {
    let told = memo(move |_| {
        trip.profile.with(|profile| trip.itinerary.with(|itinerary| known(field, profile, itinerary)))
    });
    let is_open =
        memo(move |_| editing.with(|draft| draft.as_ref().is_some_and(|draft| draft.field == Some(field))));
    let correct = move |_| {
        let draft = trip.profile.with_untracked(|profile| {
            trip.itinerary.with_untracked(|itinerary| Draft::of(field, profile, itinerary))
        });
        editing.set(Some(draft));
        ui_kit::focus::soon(|| web::page::first(".trip-profile form :is(input, select)"));
    };
    let forget = move |_| {
        spawn_local(async move {
            if let Err(why) =
                trip.call("update_preferences", json!({ field.word(): null }), Say::SummaryWithUndo).await
            {
                trip.page.toasts.say(why);
            }
            // The button that was pressed goes with what was known.
            web::page::focus(&format!("#{}", button_id(field)));
        });
    };
    let is_said = memo(move |_| told.with(|told| told.percent.is_some()));
    let is_known = memo(move |_| told.with(|told| !told.value.is_empty()));
    view! {
        <div class="trip-known" data-testid=format!("trip-known-{}", field.word())>
            <dt>{field.name()}</dt>
            <dd>
                <Show when=move || is_open.get() fallback=move || told.with(shown)>
                    <FieldForm trip editing field />
                </Show>
            </dd>
            <Show when=move || !is_open.get()>
                <dd class="trip-known-do">
                    <button
                        type="button"
                        class="text-button"
                        id=button_id(field)
                        data-testid="trip-correct"
                        aria-label=move || {
                            if is_known.get() { words::correct_field(field.name()) } else { words::say_field(field.name()) }
                        }
                        // What is typed of another field is kept until it is saved or left.
                        disabled=move || editing.with(Option::is_some)
                        on:click=correct
                    >
                        {move || if is_known.get() { words::profile_correct() } else { words::profile_say() }}
                    </button>
                    <Show when=move || is_said.get()>
                        <button
                            type="button"
                            class="text-button"
                            data-testid="trip-forget"
                            aria-label=words::forget_field(field.name())
                            on:click=forget
                        >
                            {words::profile_forget()}
                        </button>
                    </Show>
                </dd>
            </Show>
        </div>
    }
}

/// What is known of a field, how surely, and from which words.
fn shown(told: &Known) -> AnyView {
    if told.value.is_empty() {
        return view! { <span class="trip-unsaid">{words::not_said()}</span> }.into_any();
    }
    let from = match told.percent {
        Some(percent) => {
            let sure = words::sure(&ui_kit::words::percent(&percent.to_string()));
            if told.said.is_empty() { sure } else { format!("{sure}, {}", words::taken_from(&told.said)) }
        }
        None => words::of_trip().to_owned(),
    };
    view! {
        <span class="trip-known-value" dir="auto">{told.value.clone()}</span>
        <span class="hint" dir="auto">{from}</span>
    }
    .into_any()
}

/// A part of a draft: what it shows, and what becomes of what is typed.
fn part(
    draft: RwSignal<Draft>,
    get: fn(&mut Draft) -> &mut String,
) -> (Memo<String>, impl Fn(String) + Copy) {
    let shown = memo(move |_| draft.with(|draft| get(&mut draft.clone()).clone()));
    (shown, move |said| draft.update(|draft| *get(draft) = said))
}

/// A field of the form.
#[component]
fn Typed(
    draft: RwSignal<Draft>,
    get: fn(&mut Draft) -> &mut String,
    label: &'static str,
    testid: &'static str,
    #[prop(default = "text")] kind: &'static str,
    #[prop(default = "text")] mode: &'static str,
) -> impl IntoView {
    let (shown, set) = part(draft, get);
    view! {
        <label class="stack">
            <span>{label}</span>
            <input
                class="field"
                type=kind
                inputmode=mode
                dir="auto"
                autocomplete="off"
                data-testid=testid
                aria-describedby="trip-profile-wrong"
                prop:value=shown
                on:input=move |event| set(event_target_value(&event))
            />
        </label>
    }
}

/// The form of a field. What was typed stays until it is kept or left.
#[component]
fn FieldForm(trip: Open, editing: RwSignal<Option<Draft>>, field: Field) -> impl IntoView {
    let draft = RwSignal::new(editing.get_untracked().unwrap_or_default());
    let (wrong, is_saving) = (RwSignal::new(String::new()), RwSignal::new(false));
    // Nobody is told: it is for the next time the section is drawn.
    ui_kit::effect(move |_| {
        let draft = draft.get();
        editing.update_untracked(|editing| {
            if let Some(editing) = editing {
                *editing = draft;
            }
        });
    });
    let close = move || {
        editing.set(None);
        ui_kit::focus::soon(move || web::page::first(&format!("#{}", button_id(field))));
    };
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        if is_saving.get_untracked() {
            return;
        }
        let arguments = match draft.with_untracked(Draft::argument) {
            Ok(arguments) => arguments,
            Err(why) => {
                wrong.set(why.to_owned());
                web::page::focus(".trip-profile form :is(input, select)");
                return;
            }
        };
        wrong.set(String::new());
        is_saving.set(true);
        spawn_local(async move {
            let answer = trip.call("update_preferences", arguments, Say::SummaryWithUndo).await;
            if is_saving.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(_) => close(),
                Err(why) => wrong.set(why),
            }
        });
    };
    let name = field.name();
    let fields = match field.shape() {
        Shape::Text => view! { <Typed draft get=|draft| &mut draft.text label=name testid="trip-said" /> }.into_any(),
        Shape::List => {
            view! {
                <Typed draft get=|draft| &mut draft.text label=name testid="trip-said" />
                <p class="hint">{words::profile_commas()}</p>
            }
                .into_any()
        }
        Shape::Number => {
            view! { <Typed draft get=|draft| &mut draft.text label=name testid="trip-said" mode="numeric" /> }.into_any()
        }
        Shape::Pace => {
            let (shown, set) = part(draft, |draft| &mut draft.text);
            view! {
                <label class="stack">
                    <span>{name}</span>
                    <select
                        class="field"
                        data-testid="trip-said"
                        aria-describedby="trip-profile-wrong"
                        on:change=move |event| set(event_target_value(&event))
                    >
                        <option value="" selected=move || shown.with(String::is_empty)>{words::not_said()}</option>
                        {PACES
                            .map(|(of, name)| {
                                view! { <option value=of selected=move || shown.with(|shown| shown == of)>{name()}</option> }
                            })}
                    </select>
                </label>
            }
                .into_any()
        }
        Shape::Kinds => {
            view! {
                <fieldset class="trip-kinds">
                    <legend>{name}</legend>
                    {KINDS.map(|kind| one_kind(draft, kind)).collect_view()}
                </fieldset>
            }
                .into_any()
        }
        Shape::Dates => {
            view! {
                <div class="trip-pair">
                    <Typed draft get=|draft| &mut draft.start label=words::profile_first() testid="trip-said-start" kind="date" />
                    <Typed draft get=|draft| &mut draft.end label=words::profile_last() testid="trip-said-end" kind="date" />
                    <Typed draft get=|draft| &mut draft.nights label=words::profile_nights() testid="trip-said-nights" mode="numeric" />
                    <Typed draft get=|draft| &mut draft.around label=words::profile_around() testid="trip-said-around" />
                </div>
            }
                .into_any()
        }
        Shape::Sum => {
            view! {
                <div class="trip-pair">
                    <Typed draft get=|draft| &mut draft.amount label=words::profile_amount() testid="trip-said-amount" mode="decimal" />
                    <Typed draft get=|draft| &mut draft.currency label=words::profile_currency() testid="trip-said-currency" />
                </div>
            }
                .into_any()
        }
    };
    view! {
        <form class="trip-form" on:submit=save novalidate data-testid="trip-profile-form">
            {fields}
            <div role="alert" id="trip-profile-wrong">
                {move || {
                    wrong
                        .with(|wrong| {
                            (!wrong.is_empty())
                                .then(|| view! { <p class="notice notice-bad" data-testid="trip-profile-wrong">{wrong.clone()}</p> })
                        })
                }}
            </div>
            <div class="trip-buttons">
                <button type="submit" class="button primary" data-testid="trip-profile-save">{ui_kit::words::save()}</button>
                <button type="button" class="button" on:click=move |_| close()>{ui_kit::words::cancel()}</button>
            </div>
        </form>
    }
}

/// A kind of travellers, with a box.
fn one_kind(draft: RwSignal<Draft>, kind: &'static str) -> impl IntoView {
    let is_on = memo(move |_| draft.with(|draft| draft.kinds.iter().any(|known| known == kind)));
    let turn = move |on: bool| {
        draft.update(|draft| {
            draft.kinds.retain(|known| known != kind);
            if on {
                draft.kinds.push(kind.to_owned());
            }
        });
    };
    view! {
        <label class="trip-box">
            <input
                type="checkbox"
                data-testid=format!("trip-kind-{kind}")
                prop:checked=is_on
                on:change=move |event| turn(event_target_checked(&event))
            />
            <span>{travellers::kind_name(kind)}</span>
        </label>
    }
}

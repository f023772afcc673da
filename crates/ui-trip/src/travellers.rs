//! A section of an open trip: who travels, what decides whether they are let in, and what the checker says of that.

mod draft;

mod words {
    include!(concat!(env!("OUT_DIR"), "/travellers.rs"));
}

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::json;
use ui_kit::{Each, Say, memo};

use crate::model::Traveller;
use crate::open::Open;
use crate::{findings, wall};
use draft::{Draft, VisaDraft};

/// What the checker says of travellers.
const RULES: [&str; 4] = ["passport-ends", "passport-six-months", "visa-dates", "too-many-people"];

/// The kinds of travellers, as the tools call them, with their names.
const KINDS: [(&str, ui_kit::language::Word); 4] = [
    ("", words::traveller_unsaid),
    ("adult", words::traveller_adult),
    ("child", words::traveller_child),
    ("infant", words::traveller_infant),
];

/// What a kind of traveller is called; what is none of them is shown as it is.
pub fn kind_name(kind: &str) -> String {
    KINDS
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or_else(|| kind.to_owned(), |(_, name)| name().to_owned())
}

/// What is typed of somebody, for as long as the trip is open: a look at another section loses nothing. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Typing(RwSignal<Option<Draft>>);

impl Typing {
    /// For everything below the component that provides it.
    pub fn provide() {
        provide_context(Self(RwSignal::new(None)));
    }
}

/// Opens the form.
fn begin(editing: RwSignal<Option<Draft>>, draft: Draft) {
    editing.set(Some(draft));
    ui_kit::focus::soon(|| web::page::first("#trip-traveller-name"));
}

/// Draws it.
///
/// # Panics
/// Outside the open trip, which provides what is typed.
pub fn travellers(trip: Open) -> AnyView {
    let all = memo(move |_| trip.itinerary.with(|itinerary| itinerary.travellers.clone()));
    let Typing(editing) = expect_context();
    let is_open = memo(move |_| editing.with(Option::is_some));
    let nobody = memo(move |_| all.with(Vec::is_empty));
    view! {
        <section class="trip-part" aria-labelledby="trip-travellers-title" data-testid="trip-who">
            <h3 id="trip-travellers-title" tabindex="-1">{words::travellers()}</h3>
            <Show when=move || nobody.get()>
                <p class="hint">{words::travellers_none()}</p>
            </Show>
            <ul class="trip-people">
                <Each each=move || all.get() key=|one: &Traveller| format!("{one:?}") let:one>
                    {person(trip, editing, one)}
                </Each>
            </ul>
            {move || {
                if is_open.get() {
                    view! { <TravellerForm trip editing all /> }.into_any()
                } else {
                    view! {
                        <button
                            type="button"
                            class="button trip-begin"
                            id="trip-traveller-add"
                            data-testid="trip-traveller-add"
                            on:click=move |_| begin(editing, Draft::default())
                        >
                            {words::traveller_add()}
                        </button>
                    }
                        .into_any()
                }
            }}
            {findings::of_rules(trip, &RULES)}
        </section>
    }
    .into_any()
}

/// Somebody, and what can be done.
fn person(trip: Open, editing: RwSignal<Option<Draft>>, one: Traveller) -> impl IntoView {
    let (name, more) = (one.name.clone(), known_of(&one));
    let (edit, remove) = (words::traveller_edit(&name), words::traveller_remove(&name));
    let (id, one) = (StoredValue::new(one.id.clone()), StoredValue::new(one));
    let take_off = move |_| {
        let arguments = json!({ "remove_travelers": [id.get_value()] });
        spawn_local(async move {
            // Why it was refused is said: somebody may be the only one to take part in something.
            match trip.call("update_itinerary", arguments, Say::SummaryWithUndo).await {
                Ok(_) => drop(web::page::focus("#trip-travellers-title")),
                Err(why) => trip.page.toasts.say(why),
            }
        });
    };
    view! {
        <li class="trip-person" data-testid="trip-person">
            <span class="trip-person-name" dir="auto">{name}</span>
            <span class="hint trip-person-more">{more}</span>
            <button
                type="button"
                class="text-button"
                aria-label=edit
                data-testid="trip-person-edit"
                // What is typed of somebody else is kept until it is saved or left.
                disabled=move || editing.with(Option::is_some)
                on:click=move |_| begin(editing, one.with_value(Draft::of))
            >
                {words::traveller_change()}
            </button>
            <button type="button" class="text-button" aria-label=remove data-testid="trip-person-remove" on:click=take_off>
                {ui_kit::words::remove()}
            </button>
        </li>
    }
}

/// What is known of somebody, in a line.
fn known_of(one: &Traveller) -> String {
    let mut parts: Vec<String> = one.kind.iter().map(|kind| kind_name(kind)).collect();
    parts.extend(one.born.as_deref().map(|day| words::traveller_born_on(&wall::day(day))));
    parts.extend(
        one.passport.as_ref().map(|passport| {
            words::traveller_has_passport(&passport.country, &wall::day(&passport.valid_until))
        }),
    );
    parts.extend(one.visas.iter().map(|visa| match &*visa.valid_from {
        "" => words::traveller_has_visa(&visa.country, &wall::day(&visa.valid_until)),
        from => words::traveller_has_visa_from(&visa.country, &wall::span(from, &visa.valid_until)),
    }));
    parts.join(" · ")
}

/// The form of somebody. It stays, with what was typed, until that is kept or left.
#[component]
fn TravellerForm(trip: Open, editing: RwSignal<Option<Draft>>, all: Memo<Vec<Traveller>>) -> impl IntoView {
    let draft = RwSignal::new(editing.get_untracked().unwrap_or_default());
    let (wrong, at) = (RwSignal::new(String::new()), RwSignal::new(""));
    let is_saving = RwSignal::new(false);
    // Nobody is told: it is for the next time the section is drawn.
    ui_kit::effect(move |_| {
        let draft = draft.get();
        editing.update_untracked(|editing| {
            if let Some(editing) = editing {
                *editing = draft;
            }
        });
    });
    // Another tab may have removed them.
    let is_gone = memo(move |_| {
        let id = draft.with(|draft| draft.id.clone());
        id.is_some_and(|id| all.with(|all| all.iter().all(|one| one.id != id)))
    });
    let close = move || {
        editing.set(None);
        ui_kit::focus::soon(|| web::page::first("#trip-traveller-add"));
    };
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        if is_saving.get_untracked() {
            return;
        }
        if is_gone.get_untracked() {
            draft.update(|draft| draft.id = None);
        }
        all.with_untracked(|all| draft.update(|draft| draft.follow_name(all)));
        let arguments = match draft.with_untracked(Draft::arguments) {
            Ok(arguments) => arguments,
            Err(trouble) => {
                wrong.set(trouble.why.to_owned());
                at.set(trouble.field);
                web::page::focus(&format!("#trip-traveller-{}", trouble.field));
                return;
            }
        };
        wrong.set(String::new());
        at.set("");
        is_saving.set(true);
        spawn_local(async move {
            let answer = trip.call("add_traveler", arguments, Say::SummaryWithUndo).await;
            if is_saving.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(_) => close(),
                Err(why) => wrong.set(why),
            }
        });
    };
    let is_wrong = move |field: &'static str| move || (at.get() == field).to_string();
    let text = move |get: fn(&mut Draft) -> &mut String| {
        let shown = memo(move |_| draft.with(|draft| get(&mut draft.clone()).clone()));
        (shown, move |said: String| draft.update(|draft| *get(draft) = said))
    };
    let (name, set_name) = text(|draft| &mut draft.name);
    let (kind, set_kind) = text(|draft| &mut draft.kind);
    let (born, set_born) = text(|draft| &mut draft.born);
    let (country, set_country) = text(|draft| &mut draft.country);
    let (until, set_until) = text(|draft| &mut draft.until);
    let keys = memo(move |_| draft.with(|draft| draft.visas.iter().map(|visa| visa.key).collect::<Vec<_>>()));
    view! {
        <form class="trip-form" on:submit=save novalidate data-testid="trip-traveller-form">
            <label class="stack">
                <span>{words::traveller_name()}</span>
                <input
                    id="trip-traveller-name"
                    class="field"
                    dir="auto"
                    autocomplete="off"
                    data-testid="trip-traveller-name"
                    aria-invalid=is_wrong("name")
                    aria-describedby="trip-traveller-wrong"
                    prop:value=name
                    on:input=move |event| set_name(event_target_value(&event))
                />
            </label>
            <div class="trip-pair">
                <label class="stack">
                    <span>{words::traveller_kind()}</span>
                    <select class="field" data-testid="trip-traveller-kind" on:change=move |event| set_kind(event_target_value(&event))>
                        {KINDS
                            .map(|(of, name)| {
                                view! { <option value=of selected=move || kind.get() == of>{name()}</option> }
                            })}
                    </select>
                </label>
                <label class="stack">
                    <span>{words::traveller_born()}</span>
                    <input
                        class="field"
                        type="date"
                        data-testid="trip-traveller-born"
                        prop:value=born
                        on:input=move |event| set_born(event_target_value(&event))
                    />
                </label>
            </div>
            <fieldset class="trip-pair">
                <legend>{words::traveller_passport()}</legend>
                <label class="stack">
                    <span>{words::traveller_country()}</span>
                    <input
                        id="trip-traveller-country"
                        class="field"
                        maxlength="2"
                        autocomplete="off"
                        autocapitalize="characters"
                        spellcheck="false"
                        data-testid="trip-traveller-country"
                        aria-invalid=is_wrong("country")
                        aria-describedby="trip-traveller-wrong"
                        prop:value=country
                        on:input=move |event| set_country(event_target_value(&event))
                    />
                </label>
                <label class="stack">
                    <span>{words::traveller_until()}</span>
                    <input
                        id="trip-traveller-until"
                        class="field"
                        type="date"
                        data-testid="trip-traveller-until"
                        aria-invalid=is_wrong("until")
                        aria-describedby="trip-traveller-wrong"
                        prop:value=until
                        on:input=move |event| set_until(event_target_value(&event))
                    />
                </label>
            </fieldset>
            <fieldset class="trip-visas" id="trip-traveller-visas" tabindex="-1">
                <legend>{words::traveller_visas()}</legend>
                <Each each=move || keys.get().into_iter().enumerate() key=|(at, key): &(usize, u32)| format!("{at} {key}") let:of>
                    {visa(draft, of)}
                </Each>
                <button
                    type="button"
                    class="text-button"
                    id="trip-visa-add"
                    data-testid="trip-visa-add"
                    on:click=move |_| draft.update(Draft::add_visa)
                >
                    {words::visa_add()}
                </button>
            </fieldset>
            <p class="hint">{words::traveller_no_numbers()}</p>
            <div role="alert" id="trip-traveller-wrong">
                <Show when=move || is_gone.get()>
                    <p class="notice" data-testid="trip-traveller-gone">{words::traveller_gone()}</p>
                </Show>
                {move || {
                    wrong
                        .with(|wrong| {
                            (!wrong.is_empty())
                                .then(|| view! { <p class="notice notice-bad" data-testid="trip-traveller-wrong">{wrong.clone()}</p> })
                        })
                }}
            </div>
            <div class="trip-buttons">
                <button type="submit" class="button primary" data-testid="trip-traveller-save">{ui_kit::words::save()}</button>
                <button type="button" class="button" on:click=move |_| close()>{ui_kit::words::cancel()}</button>
            </div>
        </form>
    }
}

/// A visa in the form.
fn visa(draft: RwSignal<Draft>, (at, key): (usize, u32)) -> impl IntoView {
    let number = ui_kit::locale::number(at + 1);
    let (name, remove) = (words::traveller_visa(&number), words::visa_remove(&number));
    let part = move |get: fn(&mut VisaDraft) -> &mut String| {
        let of =
            move |draft: &mut Draft| -> Option<usize> { draft.visas.iter().position(|visa| visa.key == key) };
        let shown = memo(move |_| {
            draft.with(|draft| {
                let visa = draft.visas.iter().find(|visa| visa.key == key).cloned();
                visa.map(|mut visa| get(&mut visa).clone()).unwrap_or_default()
            })
        });
        let set = move |said: String| {
            draft.update(|draft| {
                if let Some(visa) = of(draft).and_then(|at| draft.visas.get_mut(at)) {
                    *get(visa) = said;
                }
            });
        };
        (shown, set)
    };
    let (country, set_country) = part(|visa| &mut visa.country);
    let (from, set_from) = part(|visa| &mut visa.from);
    let (until, set_until) = part(|visa| &mut visa.until);
    view! {
        <div class="trip-visa" role="group" aria-label=name>
            <label class="stack">
                <span>{words::traveller_country()}</span>
                <input
                    class="field"
                    maxlength="2"
                    autocomplete="off"
                    autocapitalize="characters"
                    spellcheck="false"
                    data-testid="trip-visa-country"
                    prop:value=country
                    on:input=move |event| set_country(event_target_value(&event))
                />
            </label>
            <label class="stack">
                <span>{words::traveller_from()}</span>
                <input
                    class="field"
                    type="date"
                    data-testid="trip-visa-from"
                    prop:value=from
                    on:input=move |event| set_from(event_target_value(&event))
                />
            </label>
            <label class="stack">
                <span>{words::traveller_until()}</span>
                <input
                    class="field"
                    type="date"
                    data-testid="trip-visa-until"
                    prop:value=until
                    on:input=move |event| set_until(event_target_value(&event))
                />
            </label>
            <button
                type="button"
                class="text-button"
                aria-label=remove
                on:click=move |_| {
                    draft.update(|draft| draft.visas.retain(|visa| visa.key != key));
                    web::page::focus("#trip-visa-add");
                }
            >
                {ui_kit::words::remove()}
            </button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Passport, Visa};

    use super::*;

    #[test]
    fn what_is_known_of_somebody_is_a_line_and_nothing_is_added_to_it() {
        assert_eq!(known_of(&Traveller { name: "Bob".into(), ..Traveller::default() }), "");
        let ada = Traveller {
            kind: Some("adult".into()),
            passport: Some(Passport { country: "DE".into(), valid_until: "2029-03-31".into() }),
            visas: vec![Visa {
                country: "US".into(),
                valid_from: String::new(),
                valid_until: "2027-01-01".into(),
            }],
            ..Traveller::default()
        };
        assert_eq!(
            known_of(&ada),
            "Adult · passport DE, valid until Sat, 31 Mar 2029 · visa US, until Fri, 1 Jan 2027"
        );
    }
}

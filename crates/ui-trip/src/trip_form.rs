//! The form of a trip itself: a new one, a copy, and one that is there. It asks for no more than a title: what nobody said stays unknown
//! (D-20).

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use ui_kit::dates::day_number;
use ui_kit::sheet::{self, SheetHead, once_closed};
use ui_kit::{Say, focus, told};
use web::{page, storage};

use crate::model::Itinerary;
use crate::state::Trips;
use crate::words;

/// Where the browser keeps what was typed into a form that was not saved.
const KEPT: &str = "satchel.trip.form";

/// What the form is about.
#[derive(Clone, Debug, PartialEq)]
pub enum About {
    /// A new trip.
    New,
    /// A copy of one, by its id and title.
    Copy(String, String),
    /// One that is there.
    Change(Box<Itinerary>),
}

impl About {
    /// Where what is typed into its form is kept.
    fn key(&self) -> String {
        match self {
            Self::New => format!("{KEPT}.new"),
            Self::Copy(id, _) => format!("{KEPT}.copy.{id}"),
            Self::Change(trip) => format!("{KEPT}.change.{}", trip.id),
        }
    }
}

/// What is typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Typed {
    /// What it is called.
    pub title: String,
    /// Its first day.
    pub start: String,
    /// Its last day.
    pub end: String,
    /// Where it goes, with commas between.
    pub destinations: String,
    /// Where it sets out.
    pub home: String,
    /// Who travels, with commas between.
    pub travellers: String,
    /// More about it.
    pub note: String,
}

/// What was typed and not saved, with what it was typed over.
#[derive(Serialize, Deserialize)]
struct Kept {
    was: Typed,
    typed: Typed,
}

impl Typed {
    /// This, which was typed over `was`, over what is known now: what the person changed is theirs, the rest is as it is now.
    fn over(self, was: Self, now: Self) -> Self {
        let text = |typed: String, was: String, now: String| if typed == was { now } else { typed };
        Self {
            title: text(self.title, was.title, now.title),
            start: text(self.start, was.start, now.start),
            end: text(self.end, was.end, now.end),
            destinations: text(self.destinations, was.destinations, now.destinations),
            home: text(self.home, was.home, now.home),
            travellers: text(self.travellers, was.travellers, now.travellers),
            note: text(self.note, was.note, now.note),
        }
    }

    /// What the form begins with: what is known, and over it what was typed before and not saved.
    fn begun(about: &About) -> Self {
        let now = Self::of(about);
        match storage::session().read::<Kept>(&about.key()) {
            Some(kept) => kept.typed.over(kept.was, now),
            None => now,
        }
    }

    /// What is known.
    #[must_use]
    pub fn of(about: &About) -> Self {
        match about {
            About::New => Self::default(),
            About::Copy(_, title) => Self { title: words::copy_of(title), ..Self::default() },
            About::Change(trip) => Self {
                title: trip.title.clone(),
                start: trip.start.clone().unwrap_or_default(),
                end: trip.end.clone().unwrap_or_default(),
                destinations: trip.destinations.join(", "),
                home: trip.home.as_ref().map(|home| home.name.clone()).unwrap_or_default(),
                travellers: String::new(),
                note: trip.note.clone(),
            },
        }
    }

    /// What is wrong by itself.
    #[must_use]
    pub fn trouble(&self) -> Option<&'static str> {
        if self.title.trim().is_empty() {
            return Some(words::title_needed());
        }
        let days = [&self.start, &self.end].map(|day| (day.is_empty(), day_number(day)));
        match days {
            [(false, None), _] | [_, (false, None)] => Some(words::no_day()),
            [(_, Some(start)), (_, Some(end))] if end < start => Some(words::ends_before()),
            _ => None,
        }
    }

    /// The call, of what differs from what was known.
    #[must_use]
    pub fn call(&self, about: &About) -> (&'static str, Value) {
        let was = Self::of(about);
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
        let text = |text: &str| if text.trim().is_empty() { Value::Null } else { text.trim().into() };
        let is_new = !matches!(about, About::Change(_));
        if is_new || self.title != was.title {
            put("title", self.title.trim().into());
        }
        if self.start != was.start {
            put("start", text(&self.start));
        }
        match about {
            About::Copy(id, _) => {
                put("itinerary", id.as_str().into());
                return ("itinerary_duplicate", Value::Object(fields));
            }
            About::New | About::Change(_) => {}
        }
        if self.end != was.end {
            put("end", text(&self.end));
        }
        if self.destinations != was.destinations {
            put("destinations", parts(&self.destinations).into());
        }
        if self.home != was.home {
            put("home", text(&self.home));
        }
        if self.note != was.note {
            put("note", self.note.trim().into());
        }
        match about {
            About::Change(trip) => {
                put("itinerary", trip.id.as_str().into());
                ("update_itinerary", Value::Object(fields))
            }
            _ => ("itinerary_create", Value::Object(fields)),
        }
    }
}

/// What stands between commas.
#[must_use]
pub fn parts(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The dialog. A new trip is opened once it is there.
#[component]
pub fn TripForm(trips: Trips, about: RwSignal<Option<About>>) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let typed = RwSignal::new(Typed::default());
    let (trouble, saving) = (RwSignal::new(None::<String>), RwSignal::new(false));
    ui_kit::effect(move |before: Option<bool>| {
        let is_open = about.with(Option::is_some);
        if is_open && before != Some(true) {
            typed.set(about.with_untracked(|about| about.as_ref().map(Typed::begun)).unwrap_or_default());
            trouble.set(None);
            focus::soon(|| page::first(".trip-trip-form .field"));
        }
        is_open
    });
    sheet::follow(dialog, move || about.with(Option::is_some), || ());
    // Kept as it is typed: the page may end at any time.
    ui_kit::effect(move |_| {
        let typed = typed.get();
        about.with_untracked(|about| {
            let Some(about) = about else { return };
            let was = Typed::of(about);
            if was == typed {
                storage::session().remove(&about.key());
            } else {
                storage::session().write(&about.key(), &Kept { was, typed });
            }
        });
    });
    // What was typed is kept for the next time, unless it is dropped on purpose.
    let close = move |drops: bool| {
        // The browser says it again once the dialog is closed.
        let Some(of) = about.try_update(Option::take).flatten() else { return };
        if drops {
            storage::session().remove(&of.key());
        } else if typed.with_untracked(|typed| *typed != Typed::of(&of)) {
            trips.page.toasts.say(words::typed_is_kept());
        }
    };
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let Some(of) = about.get_untracked().filter(|_| !saving.get_untracked()) else { return };
        let said = typed.get_untracked();
        if let Some(why) = said.trouble() {
            trouble.set(Some(why.to_owned()));
            focus::soon(|| page::first(".trip-trip-form .field"));
            return;
        }
        trouble.set(None);
        saving.set(true);
        spawn_local(async move {
            let (tool, arguments) = said.call(&of);
            let done = send(trips, tool, arguments, &of, &said.travellers).await;
            if done.is_ok() {
                storage::session().remove(&of.key());
            }
            if saving.try_set(false).is_some() {
                return;
            }
            // By now the form may be about something else.
            let is_ours = about.with_untracked(|now| now.as_ref() == Some(&of));
            match done {
                Ok(id) if is_ours => {
                    about.set(None);
                    if !matches!(of, About::Change(_)) {
                        trips.show(&id);
                    }
                    focus::when_there(|| page::first("#trips-title"));
                }
                Ok(_) => {}
                Err(why) if is_ours => trouble.set(Some(why)),
                Err(why) => trips.page.toasts.say(why),
            }
        });
    };
    let field = move |testid: &'static str,
                      label: &'static str,
                      kind: &'static str,
                      get: fn(&Typed) -> &String,
                      put: fn(&mut Typed) -> &mut String| {
        view! {
            <label class="stack">
                <span>{label}</span>
                <input
                    class="field"
                    type=kind
                    dir="auto"
                    autocomplete="off"
                    data-testid=testid
                    prop:value=move || typed.with(|typed| get(typed).clone())
                    on:input=move |event| typed.update(|typed| *put(typed) = event_target_value(&event))
                />
            </label>
        }
    };
    let is_copy = move || about.with(|about| matches!(about, Some(About::Copy(..))));
    let is_new = move || about.with(|about| matches!(about, Some(About::New)));
    let title = move || match about.get() {
        Some(About::Copy(_, title)) => words::duplicate_named(&title),
        Some(About::Change(_)) => words::change_trip().to_owned(),
        _ => words::new_trip().to_owned(),
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            data-testid="trip-trip-form"
            aria-labelledby="trip-trip-form-title"
            on:close=once_closed(dialog, move || close(false))
        >
            <div class="sheet-body">
                <SheetHead id="trip-trip-form-title" title=words::trip() on_close=Callback::new(move |()| close(false)) />
                <p dir="auto">{title}</p>
                <form class="trip-form trip-trip-form" novalidate on:submit=save>
                    <p class="field-trouble" role="alert" data-testid="trip-trouble">{move || trouble.get()}</p>
                    {field("trip-title", words::trip_title(), "text", |typed| &typed.title, |typed| &mut typed.title)}
                    <div class="trip-pair">
                        {field("trip-start", words::first_day(), "date", |typed| &typed.start, |typed| &mut typed.start)}
                        <Show when=move || !is_copy()>
                            {field("trip-end", words::last_day(), "date", |typed| &typed.end, |typed| &mut typed.end)}
                        </Show>
                    </div>
                    <Show when=move || !is_copy()>
                        {field("trip-destinations", words::destinations(), "text", |typed| &typed.destinations, |typed| &mut typed.destinations)}
                        {field("trip-home", words::home(), "text", |typed| &typed.home, |typed| &mut typed.home)}
                        <Show when=is_new>
                            {field("trip-travellers", words::travellers_names(), "text", |typed| &typed.travellers, |typed| &mut typed.travellers)}
                        </Show>
                        {field("trip-note", words::field_note(), "text", |typed| &typed.note, |typed| &mut typed.note)}
                    </Show>
                    <div class="sheet-buttons">
                        <button type="button" class="button" on:click=move |_| close(true)>{ui_kit::words::cancel()}</button>
                        <button type="submit" class="button primary" data-testid="trip-save" aria-disabled=move || saving.get().to_string()>
                            {ui_kit::words::save()}
                        </button>
                    </div>
                </form>
            </div>
        </dialog>
    }
}

/// Saves it, with the travellers of a new one; gives the trip's id.
async fn send(
    trips: Trips,
    tool: &str,
    arguments: Value,
    about: &About,
    travellers: &str,
) -> Result<String, String> {
    let tools = trips.page.tools;
    let (key, result) = tools.caller().manually(tool, arguments).await;
    if result.is_ok() {
        tools.tell(key, &result, Say::SummaryWithUndo);
    }
    tools.changed();
    let answer = result.map_err(told)?;
    let id = answer.get("itineraryId").and_then(Value::as_str).unwrap_or_default().to_owned();
    if matches!(about, About::New) {
        for name in parts(travellers) {
            let named = json!({ "itinerary": id, "name": name });
            let (_, result) = tools.caller().manually("add_traveler", named).await;
            // The trip is there: what could not be added is told, and typed again where the travellers are.
            if let Err(why) = result {
                trips.page.toasts.say(told(why));
                break;
            }
        }
        tools.changed();
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{About, Typed, parts};
    use crate::model::Itinerary;

    #[test]
    fn a_new_trip_has_what_was_said_and_no_more() {
        let typed = Typed {
            title: " Paris ".into(),
            start: "2026-06-15".into(),
            destinations: "Paris, Lyon".into(),
            ..Typed::default()
        };
        let expected = json!({ "title": "Paris", "start": "2026-06-15", "destinations": ["Paris", "Lyon"] });
        assert_eq!(typed.call(&About::New), ("itinerary_create", expected));
        assert_eq!(parts(" , Ada ,Ben"), ["Ada", "Ben"]);
    }

    #[test]
    fn a_change_sends_what_is_different_and_clears_what_is_emptied() {
        let trip = Itinerary {
            id: "i".into(),
            title: "Paris".into(),
            end: Some("2026-06-22".into()),
            ..Itinerary::default()
        };
        let about = About::Change(Box::new(trip));
        let mut typed = Typed::of(&about);
        typed.end.clear();
        typed.note = "Spring".into();
        assert_eq!(
            typed.call(&about),
            ("update_itinerary", json!({ "itinerary": "i", "end": null, "note": "Spring" }))
        );
        let copy = About::Copy("i".into(), "Paris".into());
        let expected = json!({ "itinerary": "i", "title": "Copy of Paris" });
        assert_eq!(Typed::of(&copy).call(&copy), ("itinerary_duplicate", expected));
    }

    #[test]
    fn what_was_typed_lies_over_what_changed_meanwhile() {
        let trip =
            |title: &str, note: &str| Typed { title: title.into(), note: note.into(), ..Typed::default() };
        let typed = trip("Paris", "Spring");
        assert_eq!(
            typed.over(trip("Paris", ""), trip("Paris in June", "Bags")),
            trip("Paris in June", "Spring")
        );
    }

    #[test]
    fn what_is_wrong_is_said_before_a_tool_is_asked() {
        let typed = |start: &str, end: &str| Typed {
            title: "P".into(),
            start: start.into(),
            end: end.into(),
            ..Typed::default()
        };
        assert!(Typed::default().trouble().is_some());
        assert!(typed("2026-06-22", "2026-06-15").trouble().is_some());
        assert_eq!(typed("2026-06-15", "").trouble(), None);
    }
}

//! The form of a trip itself: a new one, a copy, and one that is there. It asks for no more than a title: what nobody said stays unknown
//! (D-20).

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, Value, json};
use ui_kit::dates::day_number;
use ui_kit::sheet::{self, SheetHead, once_closed};
use ui_kit::{Say, focus, told};
use web::page;

use crate::model::Itinerary;
use crate::state::Trips;
use crate::words;

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

/// What is typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

impl Typed {
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
            typed.set(about.with_untracked(|about| about.as_ref().map(Typed::of)).unwrap_or_default());
            trouble.set(None);
            focus::soon(|| page::first(".trip-trip-form .field"));
        }
        is_open
    });
    sheet::follow(dialog, move || about.with(Option::is_some), || ());
    let close = move || about.set(None);
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
            if saving.try_set(false).is_some() {
                return;
            }
            match done {
                Ok(id) => {
                    about.set(None);
                    if !matches!(of, About::Change(_)) {
                        trips.show(&id);
                    }
                    focus::when_there(|| page::first("#trips-title"));
                }
                Err(why) => trouble.set(Some(why)),
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
            on:close=once_closed(dialog, close)
        >
            <div class="sheet-body">
                <SheetHead id="trip-trip-form-title" title=words::trip() on_close=Callback::new(move |()| close()) />
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
                        <button type="button" class="button" on:click=move |_| close()>{ui_kit::words::cancel()}</button>
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

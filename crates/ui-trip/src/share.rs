//! A section of an open trip: how it leaves (as a file, a calendar, text, on paper) and how a calendar comes in.

mod coming;
mod paper;
mod sheet;

mod words {
    include!(concat!(env!("OUT_DIR"), "/sharing.rs"));
}

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::form::Switch;
use ui_kit::memo;
use wasm_bindgen::JsValue;
use web::value::{called, method, object, text};

use crate::open::Open;
use coming::Coming;
use sheet::sheet;

pub use paper::{Printing, printed};

/// Draws it.
pub fn share(trip: Open) -> AnyView {
    let printing = Printing::get();
    let with_private = printing.with_private;
    let demo =
        memo(move |_| trip.segments.with(|all| all.iter().filter(|segment| segment.is_demo()).count()));
    let has_codes = memo(move |_| trip.segments.with(|all| all.iter().any(sheet::has_code)));
    let file = move |format: &'static str| {
        let arguments = json!({ "format": format, "private": with_private.get_untracked() });
        spawn_local(async move {
            let said = match trip.read("itinerary_export", arguments).await {
                Ok(answer) => save(&answer),
                Err(why) => why,
            };
            trip.page.toasts.say(said);
        });
    };
    let as_text = move || {
        trip.itinerary.with_untracked(|itinerary| {
            trip.segments.with_untracked(|segments| {
                let sheet = sheet(itinerary, segments, with_private.get_untracked());
                (sheet.title.clone(), sheet.text())
            })
        })
    };
    let copy = move |_| {
        let (_, text) = as_text();
        spawn_local(async move {
            let is_there = web::clipboard::copy(&text).await;
            trip.page.toasts.say(if is_there { words::copied() } else { ui_kit::words::not_copied() });
        });
    };
    let share = move |_| {
        let (title, text) = as_text();
        spawn_local(async move {
            if let Err(why) = hand_over(&title, &text).await {
                trip.page.toasts.say(why);
            }
        });
    };
    view! {
        <section class="trip-part" aria-labelledby="trip-leaving-title" data-testid="trip-share">
            <h3 id="trip-leaving-title">{words::leaving()}</h3>
            <Switch testid="trip-private" described_by="trip-private-hint" on=with_private on_turn=move |on| with_private.set(on)>
                {words::with_private()}
            </Switch>
            <p class="hint" id="trip-private-hint">{words::with_private_hint()}</p>
            // Without the private things the calendar has no codes, either.
            <Show when=move || with_private.get() && has_codes.get()>
                <p class="hint">{words::calendar_has_codes()}</p>
            </Show>
            <Show when=move || { demo.get() > 0 }>
                <p class="notice" data-testid="trip-share-demo">{move || words::demo_among(demo.get())}</p>
            </Show>
            <div class="trip-buttons">
                <button type="button" class="button" data-testid="trip-save-file" on:click=move |_| file("json")>{words::save_file()}</button>
                <button type="button" class="button" data-testid="trip-save-calendar" on:click=move |_| file("ics")>{words::save_calendar()}</button>
                <button type="button" class="button" data-testid="trip-copy" on:click=copy>{words::copy_text()}</button>
                {can_share()
                    .then(|| {
                        view! {
                            <button type="button" class="button" data-testid="trip-share-by" on:click=share>{words::share_by()}</button>
                        }
                    })}
                <button type="button" class="button" data-testid="trip-print" on:click=move |_| printing.print()>{words::print()}</button>
            </div>
            <p class="hint">{words::file_hint()}</p>
        </section>
        <Coming trip />
    }
    .into_any()
}

/// Gives the person the file of an answer, and says what came of it.
fn save(answer: &Value) -> String {
    let part = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default();
    if web::files::save(part("name"), part("mime"), part("text")) {
        words::saved(part("name"))
    } else {
        words::not_saved().to_owned()
    }
}

fn navigator() -> Option<JsValue> {
    Some(web_sys::window()?.navigator().into())
}

/// Whether the system has a place to share things to.
fn can_share() -> bool {
    navigator().is_some_and(|navigator| method(&navigator, "share").is_some())
}

/// Hands a text to what the person chooses.
///
/// # Errors
/// What to tell them; nothing where they chose none.
async fn hand_over(title: &str, said: &str) -> Result<(), &'static str> {
    let navigator = navigator().ok_or(words::not_shared())?;
    let data = object(&[("title", title.into()), ("text", said.into())]);
    match called(&navigator, "share", &[data.into()]).await {
        Err(error) if text(&error, "name").as_deref() != Some("AbortError") => Err(words::not_shared()),
        _ => Ok(()),
    }
}

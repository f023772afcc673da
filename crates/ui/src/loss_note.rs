//! Says that stored data was damaged, lost or brought back: a gap must never look like an empty list.
//!
//! Every answer of the tools says whose notes there are, and how many. When that changes, the words are asked
//! for.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::Each;
use wasm_bindgen::JsCast;

use crate::toolbox::{Toolbox, Why};
use crate::{clock, i18n};

/// The note, across the page, until the person has seen it.
#[component]
pub fn LossNote(toolbox: StoredValue<Rc<Toolbox>, LocalStorage>) -> impl IntoView {
    let said = RwSignal::new(Vec::<String>::new());
    let seen = RwSignal::new(Vec::<String>::new());
    let by = StoredValue::new(String::new());
    let notes = toolbox.with_value(|toolbox| toolbox.notes);
    ui_kit::effect(move |_| {
        // A worker that has just started has nothing to tell of what its predecessor found: that stays said.
        let notes = notes.get();
        if notes.is_empty() {
            return;
        }
        // What another server finds is news, also in the same words.
        let (server, _) = notes.rsplit_once(':').unwrap_or_default();
        if by.with_value(|by| by != server) {
            by.set_value(server.to_owned());
            seen.set(Vec::new());
        }
        spawn_local(async move {
            let toolbox = toolbox.get_value();
            let key = clock::new_id("read");
            let Ok(storage) = toolbox.run("data_storage", json!({}), &key, Why::Do).await else {
                // The next answer says again that there are notes, and they are asked for anew.
                toolbox.notes.set(String::new());
                return;
            };
            let notes = storage["notes"].as_array().cloned().unwrap_or_default();
            let fresh = notes.iter().filter_map(Value::as_str).filter(|note| {
                !said.with_untracked(|said| said.iter().any(|known| known == note))
                    && !seen.with_untracked(|seen| seen.iter().any(|known| known == note))
            });
            let fresh: Vec<String> = fresh.map(str::to_owned).collect();
            if !fresh.is_empty() {
                said.update(|said| said.extend(fresh));
            }
        });
    });
    let put_away = move |_| {
        seen.update(|seen| seen.extend(said.get_untracked()));
        said.set(Vec::new());
        // The button goes; the focus goes on to where a person writes.
        let composer = document().get_element_by_id("message");
        if let Some(composer) = composer.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = composer.focus();
        }
    };
    view! {
        <Show when=move || said.with(|said| !said.is_empty())>
            <div class="banner loss-note" role="alert" data-testid="loss-note">
                <div>
                    <p>
                        <strong>{i18n::loss_title()}</strong>
                    </p>
                    <ul tabindex="0">
                        <Each each=move || said.get() key=Clone::clone children=|note| view! { <li dir="auto">{note}</li> } />
                    </ul>
                </div>
                <button type="button" class="button" data-testid="loss-note-seen" on:click=put_away>
                    {i18n::loss_seen()}
                </button>
            </div>
        </Show>
    }
}

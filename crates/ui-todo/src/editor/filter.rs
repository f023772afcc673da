//! What of the list is shown: by words, by list, by tag.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use ui_kit::is_composing;

use super::names::{Name, Names};
use crate::live::{Live, Only};
use crate::words;

/// The fields. Closing them shows everything again.
pub fn filter(live: Live) -> AnyView {
    let names = Names::read(live);
    let field = NodeRef::<html::Input>::new();
    ui_kit::effect(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
        }
    });
    let set = move |change: &dyn Fn(&mut Only)| live.only.update(|only| change(only));
    let all = move || {
        live.show_all();
        // The fields are gone with what had the focus.
        web::page::focus(".todo-find-button");
    };
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !is_composing(&event) {
            event.stop_propagation();
            all();
        }
    };
    let options = move |first: &'static str, names: Vec<Name>| {
        view! {
            <option value="">{first}</option>
            {names.into_iter().map(|Name { name, .. }| view! { <option value=name.clone()>{name.clone()}</option> }).collect::<Vec<_>>()}
        }
    };
    let found = move || {
        let (shown, all) = (live.shown.get(), live.counts.get());
        live.only.with(|only| (!only.is_all()).then(|| words::found_of(shown.all(), all.all())))
    };
    view! {
        <search class="todo-filter" data-testid="todo-filter" on:keydown=keys>
            <input
                node_ref=field
                class="field"
                type="search"
                dir="auto"
                autocomplete="off"
                aria-label=words::find()
                placeholder=words::find()
                data-testid="todo-find"
                prop:value=move || live.only.with(|only| only.text.clone())
                on:input=move |event| {
                    let text = event_target_value(&event);
                    set(&|only: &mut Only| only.text.clone_from(&text));
                }
            />
            <select
                class="field"
                aria-label=words::list()
                data-testid="todo-find-list"
                // The options are drawn anew with the names, and the value with them.
                prop:value=move || {
                    names.track();
                    live.only.with(|only| only.list.clone())
                }
                on:change=move |event| {
                    let list = event_target_value(&event);
                    set(&|only: &mut Only| only.list.clone_from(&list));
                }
            >
                {move || options(words::all_lists(), names.with(|names| names.lists.clone()))}
            </select>
            <select
                class="field"
                aria-label=words::tags()
                data-testid="todo-find-tag"
                prop:value=move || {
                    names.track();
                    live.only.with(|only| only.tag.clone())
                }
                on:change=move |event| {
                    let tag = event_target_value(&event);
                    set(&|only: &mut Only| only.tag.clone_from(&tag));
                }
            >
                {move || options(words::all_tags(), names.with(|names| names.tags.clone()))}
            </select>
            <button type="button" class="text-button" data-testid="todo-find-clear" on:click=move |_| all()>
                {words::show_all()}
            </button>
            <p class="hint" role="status" data-testid="todo-found">{found}</p>
        </search>
    }
    .into_any()
}

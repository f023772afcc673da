//! What is done with several to-dos at once: each is one call, and so one change that is taken back as one.

use std::ops::Range;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::{CallError, Icon, Say, is_composing};

use super::names::{Names, offers};
use crate::live::Live;
use crate::model::Group;
use crate::words;

/// So many are named before they are thrown away.
const NAMED: usize = 3;

/// So many to-dos are picked at most: what one call takes, so that they are one change.
const MOST: usize = 100;

/// Picks a row, or takes it back; `stretch` picks all from the last one to here, as far as they are in one group and in the page.
pub fn pick(live: Live, group: Group, id: String, stretch: bool) {
    let Some(at) = live.place(group, &id) else { return };
    let rows = |range: Range<usize>| {
        range.filter_map(|at| live.row(group, at).map(|todo| (todo.id.clone(), todo.title.clone())))
    };
    let is_full = live.picked.try_update(|picked| {
        picked.on = true;
        let from = picked.last.as_ref().filter(|(of, _)| stretch && *of == group);
        match from.and_then(|(_, last)| live.place(group, last)) {
            Some(from) => {
                let new: Vec<_> =
                    rows(from.min(at)..from.max(at) + 1).filter(|(id, _)| !picked.has(id)).collect();
                picked.rows.extend(new);
            }
            None if picked.has(&id) => picked.rows.retain(|(known, _)| *known != id),
            None => picked.rows.extend(rows(at..at + 1)),
        }
        picked.last = Some((group, id));
        let is_full = picked.rows.len() > MOST;
        picked.rows.truncate(MOST);
        is_full
    });
    if is_full == Some(true) {
        live.say(words::most_picked());
    }
}

/// The bar.
pub fn many(live: Live) -> AnyView {
    let names = Names::read(live);
    let asking = RwSignal::new(None::<String>);
    let (list, tag) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let working = RwSignal::new(false);
    let end = move || {
        live.picking(false);
        // The bar goes with what had the focus; who is elsewhere by now stays there.
        if web::page::nothing_has_focus() || web::page::first(".todo-many :focus").is_some() {
            web::page::focus(".todo-list");
        }
    };
    let act = move |tool: &'static str, more: Value| {
        if working.get_untracked() {
            return;
        }
        working.set(true);
        let sent: Vec<String> =
            live.picked.with_untracked(|picked| picked.rows.iter().map(|(id, _)| id.clone()).collect());
        spawn_local(async move {
            let arguments = |ids: &[String]| {
                let mut arguments = more.as_object().cloned().unwrap_or_default();
                arguments.insert("ids".into(), json!(ids));
                Value::Object(arguments)
            };
            let caller = live.tools.caller();
            let (mut key, mut result) = caller.manually(tool, arguments(&sent)).await;
            if matches!(result, Err(CallError::Refused(_))) {
                // One that is gone has all of them refused: once more without it.
                let mut there = Vec::with_capacity(sent.len());
                for id in &sent {
                    if live.one(id).await.is_some() {
                        there.push(id.clone());
                    }
                }
                if !there.is_empty() && there.len() < sent.len() {
                    (key, result) = caller.manually(tool, arguments(&there)).await;
                }
            }
            live.tools.tell(key, &result, Say::SummaryWithUndo);
            live.tools.changed();
            let _ = working.try_set(false);
            if result.is_err() {
                return;
            }
            // What was picked meanwhile stays picked.
            let left = live.picked.try_update(|picked| {
                picked.rows.retain(|(id, _)| !sent.contains(id));
                picked.rows.len()
            });
            if left == Some(0) {
                end();
            }
            let _ = asking.try_set(None);
        });
    };
    let days = live.reader().and_then(|reader| (reader.days)(&live.wall.look()));
    let day = move |name: &'static str, due: Option<String>| {
        view! {
            <button type="button" class="chip" on:click=move |_| act("todo_update", json!({ "due": due }))>
                {name}
            </button>
        }
    };
    let offered = days.map(|days| {
        view! {
            {day(words::today(), Some(days.today))}
            {day(words::tomorrow(), Some(days.tomorrow))}
            {day(words::next_week(), Some(days.next_week))}
            {day(words::no_day(), None)}
        }
    });
    let ask = move |_| {
        let (titles, count) = live.picked.with_untracked(|picked| {
            let titles: Vec<String> =
                picked.rows.iter().take(NAMED).map(|(_, title)| title.clone()).collect();
            (titles, picked.rows.len())
        });
        asking.set(Some(words::delete_picked(&titles, count)));
    };
    let enter = move |event: KeyboardEvent, field: RwSignal<String>, send: &dyn Fn(&str)| {
        let said = field.get_untracked();
        if event.key() == "Enter" && !is_composing(&event) && !said.trim().is_empty() {
            event.prevent_default();
            send(said.trim());
        }
    };
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !is_composing(&event) {
            event.stop_propagation();
            match asking.with_untracked(Option::is_some) {
                true => asking.set(None),
                false => end(),
            }
        }
    };
    let field = move |name: &'static str,
                      testid: &'static str,
                      of: RwSignal<String>,
                      offers: &'static str,
                      send: fn(&str) -> Value| {
        view! {
            <input
                class="field"
                type="text"
                dir="auto"
                list=offers
                autocomplete="off"
                enterkeyhint="done"
                aria-label=name
                placeholder=name
                data-testid=testid
                prop:value=of
                on:input=move |event| of.set(event_target_value(&event))
                on:keydown=move |event| enter(event, of, &|said| act("todo_update", send(said)))
            />
        }
    };
    let buttons = move || match asking.get() {
        Some(question) => view! {
            <p role="alert" data-testid="many-question">{question}</p>
            <button
                type="button"
                class="button danger"
                data-testid="many-delete-yes"
                on:click=move |_| act("todo_delete", json!({}))
            >
                {words::delete()}
            </button>
            <button type="button" class="button" data-testid="many-keep" on:click=move |_| asking.set(None)>
                {words::keep()}
            </button>
        }
        .into_any(),
        None => view! {
            <button
                type="button"
                class="button primary"
                data-testid="many-done"
                on:click=move |_| act("todo_complete", json!({}))
            >
                {words::complete()}
            </button>
            <button type="button" class="button" data-testid="many-delete" on:click=ask>
                {words::delete()}
            </button>
        }
        .into_any(),
    };
    view! {
        <div class="todo-many" role="group" aria-label=words::with_picked() data-testid="many" on:keydown=keys>
            <p class="many-head">
                <span role="status" data-testid="many-count">
                    {move || words::picked(live.picked.with(|picked| picked.rows.len()))}
                </span>
                <button
                    type="button"
                    class="icon-button quiet"
                    aria-label=words::pick_none()
                    data-testid="many-none"
                    on:click=move |_| end()
                >
                    {Icon::Close.draw()}
                </button>
            </p>
            <div class="many-days" role="group" aria-label=words::due() data-testid="many-days">{offered}</div>
            {field(words::move_to(), "many-list", list, "many-lists", |said| json!({ "list": said }))}
            {field(words::tag_all(), "many-tag", tag, "many-tags", |said| json!({ "add_tags": [said.trim_start_matches('#')] }))}
            {offers("many-lists".to_owned(), move || names.with(|names| names.lists.clone()))}
            {offers("many-tags".to_owned(), move || names.with(|names| names.tags.clone()))}
            <div class="many-buttons">{buttons}</div>
        </div>
    }
    .into_any()
}

//! What is done with a list or a tag as a whole: it is renamed, or it goes. A list is a name that to-dos have, so both change those.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::focus;

use super::many::{Of, for_all};
use super::saved;
use super::views::name_field;
use super::words;
use crate::editor::names::Names;
use crate::live::{Live, Only};
use crate::model::DEFAULT_LIST;

/// So many are named before they are changed.
const NAMED: usize = 3;

/// The fields below a list or a tag.
#[component]
pub fn Changing(
    /// What it is about.
    of: Of,
    /// The names there are.
    names: RwSignal<Names>,
    /// It is over.
    done: Callback<()>,
) -> impl IntoView {
    let live = Live::get();
    let name = RwSignal::new(of.name().to_owned());
    let of = StoredValue::new(of);
    let working = RwSignal::new(false);
    // What is in it, once somebody asks whether it goes.
    let asked = RwSignal::new(None::<Vec<(String, String)>>);
    let is_list = of.with_value(|of| matches!(of, Of::List(_)));
    // One thing at a time; what is shown goes where its to-dos went. What came in since the person was asked is asked about again.
    let change = move |tool: &'static str, more: Value, to: Only| {
        if working.try_get_untracked() != Some(false) {
            return;
        }
        working.set(true);
        spawn_local(async move {
            let Some(of) = of.try_get_value() else { return };
            let worked = match of.todos(live).await {
                Ok(todos) => {
                    let was_asked = asked.try_get_untracked().flatten();
                    let is_more =
                        |asked: &Vec<(String, String)>| todos.iter().any(|todo| !asked.contains(todo));
                    if was_asked.as_ref().is_some_and(is_more) {
                        let _ = (asked.try_set(Some(todos)), working.try_set(false));
                        return live.say(words::more_by_now());
                    }
                    let ids: Vec<String> = todos.into_iter().map(|(id, _)| id).collect();
                    ids.is_empty() || for_all(live, &of, tool, &ids, &more).await
                }
                Err(why) => {
                    live.say(&why);
                    false
                }
            };
            let _ = working.try_set(false);
            if worked {
                let new = if to.list.is_empty() { &to.tag } else { &to.list };
                if !new.is_empty() {
                    saved::renamed(&of, new);
                }
                let was_shown = live.only.with_untracked(|only| match &of {
                    Of::List(list) => only.list == *list,
                    Of::Tag(tag) => only.tag == *tag,
                });
                if was_shown {
                    live.finding.set(false);
                    live.choose(to);
                }
                let _ = done.try_run(());
                // The fields are gone with what had the focus.
                web::page::focus(".views .sheet-head button");
            }
        });
    };
    // A tag is typed with its sign or without; a list may be called as it is typed.
    let new_name = move || {
        let name = name.get();
        let name = name.trim();
        if is_list { name.to_owned() } else { name.trim_start_matches('#').to_owned() }
    };
    let rename = move |event: SubmitEvent| {
        event.prevent_default();
        let new = untrack(new_name);
        let old = of.with_value(|of| of.name().to_owned());
        if new.is_empty() {
            return live.say(words::name_missing());
        }
        if new == old {
            return done.run(());
        }
        let (more, to) = if is_list {
            (json!({ "list": new }), Only { list: new, ..Only::default() })
        } else {
            (json!({ "add_tags": [new], "remove_tags": [old] }), Only { tag: new, ..Only::default() })
        };
        change("todo_update", more, to);
    };
    let merges = move || {
        // To the tools names that differ in capitals are one.
        let new = new_name();
        let same = |one: &str| one.to_lowercase() == new.to_lowercase();
        let is_other = of.with_value(|of| !same(of.name()));
        let is_there = names.with(|names| {
            let all = if is_list { &names.lists } else { &names.tags };
            all.iter().any(|one| same(&one.name))
        });
        (is_other && is_there).then(|| words::becomes_one(&new))
    };
    let ask = move |_| {
        spawn_local(async move {
            let Some(of) = of.try_get_value() else { return };
            match of.todos(live).await {
                Ok(todos) => {
                    let _ = asked.try_set(Some(todos));
                    focus::soon(|| web::page::first(".view-keep"));
                }
                Err(why) => live.say(&why),
            }
        });
    };
    let question = move || {
        asked.with(|asked| {
            let asked = asked.as_ref()?;
            let titles: Vec<String> = asked.iter().take(NAMED).map(|(_, title)| title.clone()).collect();
            Some(of.with_value(|of| match of {
                Of::List(name) => words::delete_list(name, &titles, asked.len()),
                Of::Tag(name) => words::delete_tag(name, &titles, asked.len()),
            }))
        })
    };
    let is_default = move || of.with_value(|of| *of == Of::List(DEFAULT_LIST.to_owned()));
    let take_off = move || {
        let name = of.with_value(|of| of.name().to_owned());
        change("todo_update", json!({ "remove_tags": [name] }), Only::default());
    };
    let answers = move || {
        if is_list {
            view! {
                <Show when=move || !is_default()>
                    <button
                        type="button"
                        class="button"
                        data-testid="list-keep-todos"
                        on:click=move |_| change("todo_update", json!({ "list": DEFAULT_LIST }), Only::default())
                    >
                        {words::keep_todos()}
                    </button>
                </Show>
                <button
                    type="button"
                    class="button danger"
                    data-testid="list-delete-todos"
                    on:click=move |_| change("todo_delete", json!({}), Only::default())
                >
                    {words::delete_with_todos()}
                </button>
            }
            .into_any()
        } else {
            view! {
                <button type="button" class="button" data-testid="tag-take-off" on:click=move |_| take_off()>
                    {words::take_off()}
                </button>
            }
            .into_any()
        }
    };
    view! {
        <div class="view-changing" aria-busy=move || working.get().to_string()>
            <form class="rename" on:submit=rename>
                {name_field(words::new_name(), "view-name", name)}
                <button type="submit" class="button" data-testid="view-rename">{words::rename()}</button>
            </form>
            <p class="hint" role="status">{merges}</p>
            <Show
                when=move || asked.with(Option::is_some)
                fallback=move || view! {
                    <button type="button" class="button view-delete" data-testid="view-delete" on:click=ask>
                        {words::delete()}
                    </button>
                }
            >
                <p role="alert" data-testid="view-question">{question}</p>
                <div class="sheet-buttons">
                    <button
                        type="button"
                        class="button view-keep"
                        data-testid="view-keep"
                        on:click=move |_| {
                            asked.set(None);
                            focus::soon(|| web::page::first(".view-delete"));
                        }
                    >
                        {words::keep()}
                    </button>
                    {answers}
                </div>
            </Show>
        </div>
    }
}

//! What is done with a list or a tag as a whole: it is renamed, or it goes. A list is a name that to-dos have, so both change those.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};

use super::many::{Of, for_all};
use crate::editor::names::Names;
use crate::live::{Live, Only};
use crate::words;

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
    // One thing at a time; what is shown goes where its to-dos went.
    let change = move |tool: &'static str, steps: Vec<Value>, to: Only| {
        if working.try_get_untracked() != Some(false) {
            return;
        }
        working.set(true);
        spawn_local(async move {
            let Some(of) = of.try_get_value() else { return };
            let worked = match of.todos(live).await {
                Ok(todos) => {
                    let ids: Vec<String> = todos.into_iter().map(|(id, _)| id).collect();
                    let mut worked = true;
                    for more in steps.iter().filter(|_| !ids.is_empty()) {
                        worked = worked && for_all(live, tool, &ids, more).await;
                    }
                    worked
                }
                Err(why) => {
                    live.say(&why);
                    false
                }
            };
            let _ = working.try_set(false);
            if worked {
                let was_shown = live.only.with_untracked(|only| match &of {
                    Of::List(list) => only.list == *list,
                    Of::Tag(tag) => only.tag == *tag,
                });
                if was_shown {
                    live.show_all();
                    live.only.set(to);
                }
                let _ = done.try_run(());
            }
        });
    };
    let rename = move |event: SubmitEvent| {
        event.prevent_default();
        let new = name.get_untracked().trim().trim_start_matches('#').to_owned();
        let old = of.with_value(|of| of.name().to_owned());
        if new.is_empty() {
            return live.say(words::NAME_MISSING);
        }
        if new == old {
            return done.run(());
        }
        let (steps, to) = if is_list {
            (vec![json!({ "list": new })], Only { list: new, ..Only::default() })
        } else {
            let (add, remove) = (json!({ "add_tags": [new] }), json!({ "remove_tags": [old] }));
            let steps = if new.to_lowercase() == old.to_lowercase() {
                // To the tools both are the same tag.
                vec![remove, add]
            } else {
                vec![json!({ "add_tags": [new], "remove_tags": [old] })]
            };
            (steps, Only { tag: new, ..Only::default() })
        };
        change("todo_update", steps, to);
    };
    let merges = move || {
        let new = name.with(|name| name.trim().to_owned());
        let is_other = of.with_value(|of| of.name() != new);
        let is_there = names.with(|names| {
            let all = if is_list { &names.lists } else { &names.tags };
            all.iter().any(|one| one.name == new)
        });
        (is_other && is_there).then(|| words::becomes_one(&new))
    };
    let ask = move |_| {
        spawn_local(async move {
            let Some(of) = of.try_get_value() else { return };
            match of.todos(live).await {
                Ok(todos) => drop(asked.try_set(Some(todos))),
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
    let is_default = move || of.with_value(|of| *of == Of::List(words::DEFAULT_LIST.to_owned()));
    let take_off = move || {
        let name = of.with_value(|of| of.name().to_owned());
        change("todo_update", vec![json!({ "remove_tags": [name] })], Only::default());
    };
    let answers = move || {
        if is_list {
            view! {
                <Show when=move || !is_default()>
                    <button
                        type="button"
                        class="button"
                        data-testid="list-keep-todos"
                        on:click=move |_| change("todo_update", vec![json!({ "list": words::DEFAULT_LIST })], Only::default())
                    >
                        {words::KEEP_TODOS}
                    </button>
                </Show>
                <button
                    type="button"
                    class="button danger"
                    data-testid="list-delete-todos"
                    on:click=move |_| change("todo_delete", vec![json!({})], Only::default())
                >
                    {words::DELETE_WITH_TODOS}
                </button>
            }
            .into_any()
        } else {
            view! {
                <button type="button" class="button" data-testid="tag-take-off" on:click=move |_| take_off()>
                    {words::TAKE_OFF}
                </button>
            }
            .into_any()
        }
    };
    view! {
        <div class="view-changing" aria-busy=move || working.get().to_string()>
            <form class="rename" on:submit=rename>
                <label class="stack">
                    <span>{words::NEW_NAME}</span>
                    <input
                        class="field"
                        type="text"
                        dir="auto"
                        maxlength="100"
                        autocomplete="off"
                        data-testid="view-name"
                        prop:value=name
                        on:input=move |event| name.set(event_target_value(&event))
                    />
                </label>
                <button type="submit" class="button" data-testid="view-rename">{words::RENAME}</button>
            </form>
            <p class="hint" role="status">{merges}</p>
            <Show
                when=move || asked.with(Option::is_some)
                fallback=move || view! {
                    <button type="button" class="button" data-testid="view-delete" on:click=ask>{words::DELETE}</button>
                }
            >
                <p role="alert" data-testid="view-question">{question}</p>
                <div class="sheet-buttons">
                    <button type="button" class="button" data-testid="view-keep" on:click=move |_| asked.set(None)>
                        {words::KEEP}
                    </button>
                    {answers}
                </div>
            </Show>
        </div>
    }
}

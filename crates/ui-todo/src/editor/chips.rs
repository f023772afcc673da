//! What a line is understood as while it is typed: each can be left in the title. And several lines that were pasted, which are asked
//! about.

use builtin::QuickAdd;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use ui_kit::dates::due_label;
use ui_kit::{Each, Icon, Say};

use super::names::Names;
use super::spoken;
use crate::live::Live;
use crate::words;

/// The most to-dos that one call adds.
const AT_ONCE: usize = 100;

/// The line, as it is typed. A handle.
#[derive(Clone, Copy)]
pub struct Line {
    /// The list it adds to.
    pub live: Live,
    /// What is typed.
    pub title: RwSignal<String>,
    /// What it is understood as; none where it is its title to the letter.
    pub said: Memo<Option<QuickAdd>>,
    /// What is to stay in the title, by kind.
    pub kept: RwSignal<Vec<String>>,
    /// The names of the lists there are.
    pub lists: RwSignal<Vec<String>>,
    /// Lines that were pasted, and are asked about.
    pub pasted: RwSignal<Vec<String>>,
    /// Whether they are being added.
    pub adding: RwSignal<bool>,
    /// What `todo_create` is called with for a line.
    pub asked: fn(&str, &[String], Live, &[String]) -> Value,
}

/// What it is understood as, and the question about several lines.
pub fn chips(line: Line) -> AnyView {
    let Line { live, said, kept, lists, pasted, .. } = line;
    // Read with the first letter of each line, and not at every change of the list for as long as the page lives.
    let is_begun = ui_kit::memo(move |_| line.title.with(|title| !title.is_empty()));
    ui_kit::effect(move |_| {
        if is_begun.get() {
            spawn_local(async move {
                if let Some(names) = Names::now(live).await {
                    lists.try_set(names.lists.into_iter().map(|list| list.name).collect());
                }
            });
        }
    });
    let all = move || {
        let now = live.wall.now.get();
        said.get().map(|said| kinds(&said, &now)).unwrap_or_default()
    };
    let chip = move |(kind, shown): (String, String)| {
        let name = words::keep_in_title(&shown);
        let keep = move |_| {
            kept.update(|kept| kept.push(kind.clone()));
            if let Some(line) = live.line.get_untracked() {
                let _ = line.focus();
            }
        };
        view! {
            <li>
                <button type="button" class="chip" data-testid="quick-chip" aria-label=name on:click=keep>
                    {shown}
                    {Icon::Close.draw()}
                </button>
            </li>
        }
    };
    let question = move || {
        let lines = pasted.get();
        (!lines.is_empty()).then(|| ask(line, lines))
    };
    view! {
        <ul class="edit-chips quick-chips" aria-label=words::understood() data-testid="quick-understood">
            <Each each=all key=|(kind, shown): &(String, String)| format!("{kind} {shown}") children=chip />
        </ul>
        {question}
    }
    .into_any()
}

/// What is understood, each by its kind and in words.
fn kinds(said: &QuickAdd, now: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut put = |kind: &str, shown: String| all.push((kind.to_owned(), shown));
    match &said.repeat {
        Some(rule) => {
            let begins = said.due.as_deref().map(|due| due_label(due, now)).unwrap_or_default();
            put("repeat", words::repeats_from(&spoken::rule(rule), &begins));
        }
        None => {
            if let Some(due) = &said.due {
                put("when", due_label(due, now));
            }
        }
    }
    if let Some(priority) = said.priority {
        put("priority", words::priority_word(priority));
    }
    if let Some(list) = &said.list {
        put("list", list.clone());
    }
    for tag in &said.tags {
        put(&format!("#{tag}"), format!("#{tag}"));
    }
    all
}

/// Whether several lines are several to-dos.
fn ask(line: Line, lines: Vec<String>) -> AnyView {
    let Line { live, pasted, lists, asked, .. } = line;
    let count = lines.len();
    let one = lines.join(" ");
    let busy = line.adding;
    let add = move |_| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        add_all(line, pasted.get_untracked());
    };
    let as_one = move |_| {
        if busy.get_untracked() {
            return;
        }
        if let Some(field) = live.line.get_untracked() {
            // Behind what was typed before.
            field.set_value(format!("{}{one}", field.value()).trim());
            let init = web_sys::EventInit::new();
            init.set_bubbles(true);
            if let Ok(event) = web_sys::Event::new_with_event_init_dict("input", &init) {
                let _ = field.dispatch_event(&event);
            }
            let _ = field.focus();
        }
        pasted.set(Vec::new());
    };
    let first: Vec<_> = lines
        .iter()
        .take(3)
        .map(|line| {
            let title =
                asked(line, &[], live, &lists.get_untracked())["title"].as_str().unwrap_or(line).to_owned();
            view! { <li dir="auto">{title}</li> }
        })
        .collect();
    let more = (count > 3).then(|| view! { <li class="hint">{words::and_more(count - 3)}</li> });
    view! {
        <div class="quick-pasted" role="alertdialog" aria-label=words::several(count) data-testid="quick-pasted">
            <p>{words::several(count)}</p>
            <ul>{first} {more}</ul>
            <div class="edit-buttons">
                <button type="button" class="button" on:click=move |_| pasted.set(Vec::new())>
                    {words::cancel()}
                </button>
                <button type="button" class="button" disabled=busy on:click=as_one>
                    {words::as_one()}
                </button>
                <button
                    type="button"
                    class="button primary"
                    data-testid="quick-add-all"
                    aria-disabled=move || busy.get().to_string()
                    on:click=add
                >
                    {words::add_several(count)}
                </button>
            </div>
        </div>
    }
    .into_any()
}

/// Adds the lines, as many in a call as it takes; what could not be added stays in the question.
fn add_all(line: Line, lines: Vec<String>) {
    let Line { live, pasted, lists, asked, adding, .. } = line;
    let lists = lists.get_untracked();
    let items: Vec<Value> = lines.iter().take(AT_ONCE).map(|line| asked(line, &[], live, &lists)).collect();
    let rest: Vec<String> = lines.into_iter().skip(AT_ONCE).collect();
    live.tools.run(
        "todo_create",
        serde_json::json!({ "items": items }),
        Say::SummaryWithUndo,
        move |is_done| {
            // Who says no to the rest meanwhile has added those before.
            let goes_on = is_done && pasted.try_with_untracked(|pasted| !pasted.is_empty()) == Some(true);
            if goes_on {
                pasted.try_set(rest.clone());
            }
            if goes_on && !rest.is_empty() {
                add_all(line, rest);
            } else {
                adding.try_set(false);
            }
        },
    );
}

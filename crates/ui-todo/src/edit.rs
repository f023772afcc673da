//! A to-do opened in its place: title, date, time, priority.

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;
use serde_json::{Map, Value, json};

use crate::model::{Priority, Todo};
use ui_kit::{Say, is_composing};

use crate::live::Live;
use crate::words;

/// The form. It ends itself by setting `editing` to false.
#[component]
pub fn Edit(
    /// The to-do as it was when it was opened.
    todo: Todo,
    /// Whether the form is open.
    editing: RwSignal<bool>,
    /// Grows when the person wants to leave by another way than the form's own keys.
    #[prop(optional)]
    leave: Option<RwSignal<u32>>,
) -> impl IntoView {
    let live = Live::get();
    let (day, time) = split_due(todo.due.as_deref());
    let title = RwSignal::new(todo.title.clone());
    let day = RwSignal::new(day);
    let time = RwSignal::new(time);
    let priority = RwSignal::new(todo.priority.word().to_owned());
    let input = NodeRef::<html::Input>::new();
    ui_kit::effect(move |_| {
        if let Some(input) = input.get() {
            let _ = input.focus();
            input.select();
        }
    });
    let todo = StoredValue::new(todo);
    let arguments = move || {
        let due = join_due(&day.get_untracked(), &time.get_untracked());
        todo.with_value(|todo| changed(todo, title.get_untracked().trim(), &due, &priority.get_untracked()))
    };
    let back_to_title = move || {
        if let Some(input) = input.get_untracked() {
            let _ = input.focus();
        }
    };
    let saving = RwSignal::new(false);
    let untitled = RwSignal::new(false);
    // Whether it is asked if what was changed may be dropped.
    let asking = RwSignal::new(false);
    let stay = NodeRef::<html::Button>::new();
    ui_kit::effect(move |_| {
        if let Some(stay) = stay.get() {
            let _ = stay.focus();
        }
    });
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        asking.set(false);
        untitled.set(title.with_untracked(|title| title.trim().is_empty()));
        if untitled.get_untracked() {
            return back_to_title();
        }
        if saving.get_untracked() {
            return;
        }
        match arguments() {
            None => editing.set(false),
            Some(arguments) => {
                saving.set(true);
                // What was refused stays open, with everything in it.
                live.tools.run("todo_update", arguments, Say::Nothing, move |kept| {
                    saving.set(false);
                    if kept {
                        editing.set(false);
                    }
                });
            }
        }
    };
    let escape = move || match (asking.get_untracked(), arguments().is_some()) {
        (true, _) => {
            asking.set(false);
            back_to_title();
        }
        (false, true) => asking.set(true),
        (false, false) => editing.set(false),
    };
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !is_composing(&event) {
            // It is about the form and not about a dialog around it.
            event.prevent_default();
            event.stop_propagation();
            escape();
        }
    };
    if let Some(leave) = leave {
        ui_kit::effect(move |before: Option<u32>| {
            let now = leave.get();
            if before.is_some_and(|before| before != now) {
                untrack(escape);
            }
            now
        });
    }
    view! {
        <form class="edit" on:submit=save on:keydown=keys>
            <label class="edit-title">
                <span class="visually-hidden">{words::TITLE}</span>
                <input
                    node_ref=input
                    class="field"
                    type="text"
                    dir="auto"
                    maxlength="500"
                    required
                    prop:value=title
                    on:input=move |event| title.set(event_target_value(&event))
                />
            </label>
            <label>
                <span>{words::DUE}</span>
                <input
                    class="field"
                    type="date"
                    prop:value=day
                    on:input=move |event| day.set(event_target_value(&event))
                />
            </label>
            <label>
                <span>{words::TIME}</span>
                <input
                    class="field"
                    type="time"
                    prop:value=time
                    disabled=move || day.with(String::is_empty)
                    on:input=move |event| time.set(event_target_value(&event))
                />
            </label>
            <label>
                <span>{words::PRIORITY}</span>
                <select
                    class="field"
                    prop:value=priority
                    on:change=move |event| priority.set(event_target_value(&event))
                >
                    {Priority::ALL
                        .map(|priority| {
                            view! { <option value=priority.word()>{words::priority_name(priority)}</option> }
                        })}
                </select>
            </label>
            <div role="alert" class="edit-trouble">
                {move || untitled.get().then(|| view! { <p class="hint wrong">{words::TITLE_MISSING}</p> })}
                {move || asking.get().then(|| view! { <p data-testid="edit-drop-question">{words::DROP_CHANGES}</p> })}
            </div>
            <div class="edit-buttons">
                {move || {
                    if asking.get() {
                        view! {
                            <button
                                type="button"
                                class="button danger"
                                data-testid="edit-drop"
                                on:click=move |_| editing.set(false)
                            >
                                {words::DISCARD}
                            </button>
                            <button
                                type="button"
                                class="button"
                                node_ref=stay
                                data-testid="edit-stay"
                                on:click=move |_| {
                                    asking.set(false);
                                    back_to_title();
                                }
                            >
                                {words::KEEP_EDITING}
                            </button>
                        }
                            .into_any()
                    } else {
                        view! {
                            <button type="button" class="button" on:click=move |_| editing.set(false)>
                                {words::CANCEL}
                            </button>
                            <button
                                type="submit"
                                class="button primary"
                                aria-disabled=move || saving.get().to_string()
                            >
                                {words::SAVE}
                            </button>
                        }
                            .into_any()
                    }
                }}
            </div>
        </form>
    }
}

/// A due date as the two inputs take it.
fn split_due(due: Option<&str>) -> (String, String) {
    let (day, time) = due.unwrap_or_default().split_once('T').unwrap_or((due.unwrap_or_default(), ""));
    (day.to_owned(), time.get(..5).unwrap_or(time).to_owned())
}

/// The two inputs as the tools take it; empty for none.
fn join_due(day: &str, time: &str) -> String {
    match (day.is_empty(), time.is_empty()) {
        (true, _) => String::new(),
        (false, true) => day.to_owned(),
        (false, false) => format!("{day}T{time}"),
    }
}

/// The arguments of `todo_update`: only what is different. None when nothing is.
fn changed(todo: &Todo, title: &str, due: &str, priority: &str) -> Option<Value> {
    let mut fields = Map::new();
    if title != todo.title {
        fields.insert("title".to_owned(), json!(title));
    }
    let (day, time) = split_due(todo.due.as_deref());
    if due != join_due(&day, &time) {
        fields.insert("due".to_owned(), if due.is_empty() { Value::Null } else { json!(due) });
    }
    if priority != todo.priority.word() {
        fields.insert("priority".to_owned(), json!(priority));
    }
    if fields.is_empty() {
        return None;
    }
    fields.insert("id".to_owned(), json!(todo.id));
    Some(Value::Object(fields))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{changed, join_due, split_due};
    use crate::model::Todo;

    #[test]
    fn only_what_changed_is_sent() {
        let todo: Todo = serde_json::from_value(
            json!({"id": "todo_a", "title": "Milk", "status": "open", "due": "2026-11-22T15:00", "priority": "high"}),
        )
        .unwrap();
        let rows = [
            ("Milk", "2026-11-22T15:00", "high", None),
            // It is not saved, but it is a change that is not dropped unasked.
            ("", "2026-11-22T15:00", "high", Some(json!({"id": "todo_a", "title": ""}))),
            ("Oat milk", "2026-11-22T15:00", "high", Some(json!({"id": "todo_a", "title": "Oat milk"}))),
            ("Milk", "", "high", Some(json!({"id": "todo_a", "due": null}))),
            (
                "Milk",
                "2026-11-23",
                "none",
                Some(json!({"id": "todo_a", "due": "2026-11-23", "priority": "none"})),
            ),
        ];
        for (title, due, priority, expected) in rows {
            assert_eq!(changed(&todo, title, due, priority), expected, "{title} {due} {priority}");
        }
    }

    #[test]
    fn a_due_date_goes_into_its_inputs_and_back() {
        for due in ["", "2026-11-22", "2026-11-22T15:00"] {
            let (day, time) = split_due(Some(due));
            assert_eq!(join_due(&day, &time), due);
        }
        assert_eq!(join_due("", "15:00"), "");
    }
}

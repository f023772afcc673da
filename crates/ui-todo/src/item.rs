//! One to-do: check it, open it, throw it away.

use std::sync::Arc;

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use serde_json::json;
use wasm_bindgen::JsCast;

use crate::editor::Opened;
use crate::model::{DEFAULT_LIST, Group, Priority, Status, Todo};
use ui_kit::dates::due_label;
use ui_kit::{Icon, Say};

use crate::live::Live;
use crate::words;

/// A to-do and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowState {
    /// The to-do.
    pub todo: Arc<Todo>,
    /// Its place in its group, from 0.
    pub at: usize,
    /// How many there are in its group.
    pub of: usize,
    /// True while it is out of sight and only stays because somebody is at work in it.
    pub parked: bool,
}

/// A row of the list.
#[component]
pub fn TodoRow(
    /// The to-do, as it changes.
    state: ArcRwSignal<RowState>,
    /// The group it stands in.
    group: Group,
) -> impl IntoView {
    let live = Live::get();
    let state = RwSignal::from(state);
    let id = state.with_untracked(|state| state.todo.id.clone());
    let todo = ui_kit::memo(move |_| state.with(|state| Arc::clone(&state.todo)));
    let (at, of) = (move || state.with(|state| state.at + 1), move || state.with(|state| state.of));
    let editing = RwSignal::new(false);
    let row = NodeRef::<html::Li>::new();
    let is_form = StoredValue::new(false);
    let turn = move |now: bool| {
        if is_form.try_get_value() == Some(!now) {
            is_form.set_value(now);
            live.form(group, now);
        }
    };
    on_cleanup(move || turn(false));
    ui_kit::effect(move |before: Option<bool>| {
        let now = editing.get();
        untrack(|| turn(now));
        if before == Some(true) && !now {
            // The form is gone; the focus goes back to what opened it, if that is still there.
            request_animation_frame(move || {
                let row = row.try_get_untracked().flatten();
                let opener = row.and_then(|row| row.query_selector(".todo-main").ok().flatten());
                if let Some(opener) = opener.and_then(|opener| opener.dyn_into::<web_sys::HtmlElement>().ok())
                {
                    let _ = opener.focus();
                }
            });
        }
        now
    });
    let status = move || todo.with(|todo| todo.status.word());
    let priority = move || todo.with(|todo| todo.priority.word());
    let picked = ui_kit::memo(move |_| live.picked.with(|picked| todo.with(|todo| picked.has(&todo.id))));
    let pick = move |stretch: bool| live.pick(group, todo.with_untracked(|todo| todo.id.clone()), stretch);
    view! {
        <li
            node_ref=row
            class="todo"
            class:editing=editing
            class:picked=picked
            class:parked=move || state.with(|state| state.parked)
            data-testid="todo-item"
            data-todo=id
            draggable=move || (!editing.get() && live.editor.with(Option::is_some)).to_string()
            aria-setsize=of
            aria-posinset=at
            data-status=status
            data-priority=priority
        >
            {move || {
                if editing.get() && let Some((editor, _)) = live.editor.get_untracked() {
                    (editor.form)(Opened { todo: Todo::clone(&todo.get_untracked()), editing, leave: None })
                } else {
                    view! { <Shown todo editing picked pick /> }.into_any()
                }
            }}
        </li>
    }
}

#[component]
fn Shown(
    todo: Memo<Arc<Todo>>,
    editing: RwSignal<bool>,
    picked: Memo<bool>,
    pick: impl Fn(bool) + Copy + 'static,
) -> impl IntoView {
    let live = Live::get();
    let title = ui_kit::memo(move |_| todo.with(|todo| todo.title.clone()));
    let done = ui_kit::memo(move |_| todo.with(|todo| todo.status == Status::Done));
    let check = move || todo.with_untracked(|todo| live.turn(&todo.id, todo.status));
    let delete = move |_| {
        let id = todo.with_untracked(|todo| todo.id.clone());
        live.tools.run("todo_delete", json!({ "id": id }), Say::SummaryWithUndo, |_| {});
    };
    view! {
        {check_box(done.into(), title, check)}
        <button
            type="button"
            class="todo-main"
            aria-description=words::edit()
            aria-pressed=move || live.picked.with(|picked| picked.on).then(|| picked.get().to_string())
            on:click=move |event: MouseEvent| {
                let stretch = event.shift_key();
                if stretch || event.ctrl_key() || event.meta_key() || live.picked.with_untracked(|picked| picked.on) {
                    return pick(stretch);
                }
                live.with_editor(move || {
                    editing.try_set(true);
                });
            }
        >
            <span class="todo-title" data-testid="todo-title" dir="auto">{title}</span>
            {move || details(&todo.get(), &live.wall.now.get())}
        </button>
        <button
            type="button"
            class="icon-button quiet todo-delete"
            data-testid="todo-delete"
            aria-label=move || words::delete_named(&title.get())
            on:click=delete
        >
            {Icon::Trash.draw()}
        </button>
    }
}

/// The box of a to-do, which says whether it is done and turns it.
pub fn check_box(done: Signal<bool>, title: Memo<String>, turn: impl Fn() + 'static) -> impl IntoView {
    view! {
        <button
            type="button"
            class="check"
            role="checkbox"
            aria-checked=move || done.get().to_string()
            aria-label=move || words::mark_done(&title.get())
            on:click=move |_| turn()
        >
            <span class="check-box" aria-hidden="true">{Icon::Check.draw()}</span>
        </button>
    }
}

/// The small line below a title; none where there is nothing to say.
fn details(todo: &Todo, now: &str) -> Option<AnyView> {
    let late = Group::of(todo, now) == Group::Overdue;
    let due = todo.due.as_deref().map(|due| {
        view! {
            <span class="mark mark-due" class:late=late>
                {Icon::Calendar.draw()}
                {due_label(due, now)}
            </span>
        }
    });
    let priority = (todo.priority != Priority::None).then(|| {
        view! {
            <span class="mark mark-priority" data-priority=todo.priority.word()>
                {Icon::Flag.draw()}
                {words::priority_name(todo.priority)}
            </span>
        }
    });
    let repeat = todo.repeat.is_some().then(|| {
        view! { <span class="mark">{Icon::Repeat.draw()}{words::repeats()}</span> }
    });
    // What is done is not reminded of.
    let remind = todo.remind.as_deref().filter(|_| todo.status == Status::Open).map(|remind| {
        view! {
            <span class="mark" data-testid="todo-remind">
                {Icon::Bell.draw()}
                {words::reminder(remind, now)}
            </span>
        }
    });
    let list = (!todo.list.is_empty() && todo.list != DEFAULT_LIST)
        .then(|| view! { <span class="mark mark-list" dir="auto">{todo.list.clone()}</span> });
    let tags: Vec<_> = todo
        .tags
        .iter()
        .map(|tag| view! { <span class="mark mark-tag" dir="auto">{format!("#{tag}")}</span> })
        .collect();
    let notes = (!todo.notes.is_empty())
        .then(|| view! { <span class="todo-notes" dir="auto">{todo.notes.clone()}</span> });
    let nothing = due.is_none()
        && priority.is_none()
        && repeat.is_none()
        && remind.is_none()
        && list.is_none()
        && tags.is_empty();
    if nothing && notes.is_none() {
        return None;
    }
    Some(
        view! {
            {notes}
            {(!nothing).then(|| view! { <span class="marks">{due}{priority}{repeat}{remind}{list}{tags}</span> })}
        }
        .into_any(),
    )
}

//! A to-do opened in its place: all that it has, to be changed.

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::{Say, is_composing};

use super::draft::{Draft, keep, kept};
use super::due::due_fields;
use super::history::{Begun, history};
use super::names::{Names, offers};
use super::notes::notes_field;
use super::remind::remind_fields;
use super::repeat::repeat_fields;
use super::subtasks::{SubtaskLine, subtasks};
use super::tags::tags_field;
use crate::live::Live;
use crate::model::{Priority, Todo};
use crate::words;

/// What a form is opened with.
pub struct Opened {
    /// The to-do as it was then.
    pub todo: Todo,
    /// Whether the form is open. It ends itself by setting this to false.
    pub editing: RwSignal<bool>,
    /// Grows when the person wants to leave by another way than the form's own keys.
    pub leave: Option<RwSignal<u32>>,
}

/// A text field of a draft: what it shows, and what becomes of what is typed.
fn text(
    draft: RwSignal<Draft>,
    get: fn(&mut Draft) -> &mut String,
) -> (Memo<String>, impl Fn(String) + Copy) {
    let shown = ui_kit::memo(move |_| draft.with(|draft| get(&mut draft.clone()).clone()));
    (shown, move |said| draft.update(|draft| *get(draft) = said))
}

/// The form.
pub fn form(Opened { todo, editing, leave }: Opened) -> AnyView {
    let live = Live::get();
    let id = todo.id.clone();
    let left = kept(&todo).filter(|left| left.changed(&todo).is_some());
    let came_back = left.is_some();
    let wrote = left.as_ref().is_some_and(|left| left.notes != todo.notes);
    let draft = RwSignal::new(left.unwrap_or_else(|| Draft::of(&todo)));
    let names = Names::read(live);
    // The same to-do may be open in the list and in the dialog.
    let own = format!("{id}-{}", if leave.is_some() { "dialog" } else { "row" });
    let (list_offers, ids) = (format!("lists-{own}"), StoredValue::new(id.clone()));
    let base = StoredValue::new(Draft::of(&todo));
    let (unread, line) = (RwSignal::new(false), SubtaskLine::new(live, id.clone()));
    let (title, set_title) = text(draft, |draft| &mut draft.title);
    let (list, set_list) = text(draft, |draft| &mut draft.list);
    let (priority, set_priority) = text(draft, |draft| &mut draft.priority);
    let input = NodeRef::<html::Input>::new();
    ui_kit::effect(move |_| {
        if let Some(input) = input.get() {
            let _ = input.focus();
            input.select();
        }
    });
    let todo = StoredValue::new(todo);
    let begun = Begun { todo, base, draft };
    let arguments = move || todo.with_value(|todo| draft.with_untracked(|draft| draft.changed(todo)));
    ui_kit::effect(move |_| {
        draft.with(|draft| {
            let changed = todo.with_value(|todo| draft.changed(todo).is_some());
            ids.with_value(|id| base.with_value(|base| keep(id, base, changed.then_some(draft))));
        });
    });
    let forget = move || {
        let _ = ids.try_with_value(|id| base.try_with_value(|base| keep(id, base, None)));
    };
    let close = move || {
        forget();
        editing.set(false);
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
        // What it says of it stands below the field, and would be gone with the form.
        if unread.get_untracked() {
            web::page::focus(".edit-rule input");
            return;
        }
        if saving.get_untracked() {
            return;
        }
        // A subtask that is typed and not sent is meant as well.
        line.add();
        match arguments() {
            None => close(),
            Some(arguments) => {
                saving.set(true);
                // What was refused stays open, with everything in it.
                live.tools.run("todo_update", arguments, Say::Nothing, move |is_kept| {
                    saving.try_set(false);
                    if is_kept {
                        forget();
                        editing.try_set(false);
                    }
                });
            }
        }
    };
    let escape = move || match (asking.get_untracked(), arguments().is_some() || line.is_begun()) {
        (true, _) => {
            asking.set(false);
            back_to_title();
        }
        (false, true) => asking.set(true),
        (false, false) => close(),
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
    let copy_link = move |_| {
        let address = ids.with_value(|id| format!("{}#{}{id}", web::page::home(), crate::LINK));
        spawn_local(async move {
            let is_there = web::clipboard::copy(&address).await;
            live.say(if is_there { words::link_copied() } else { words::not_copied() });
        });
    };
    let buttons = move || {
        if asking.get() {
            view! {
                <button type="button" class="button danger" data-testid="edit-drop" on:click=move |_| close()>
                    {words::discard()}
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
                    {words::keep_editing()}
                </button>
            }
            .into_any()
        } else {
            view! {
                <button type="button" class="text-button" data-testid="edit-link" on:click=copy_link>
                    {words::copy_link()}
                </button>
                <button type="button" class="button" on:click=move |_| close()>
                    {words::cancel()}
                </button>
                <button type="submit" class="button primary" aria-disabled=move || saving.get().to_string()>
                    {words::save()}
                </button>
            }
            .into_any()
        }
    };
    let trouble = move || {
        view! {
            {untitled.get().then(|| view! { <p class="hint wrong">{words::title_missing()}</p> })}
            {asking.get().then(|| view! { <p data-testid="edit-drop-question">{words::drop_changes()}</p> })}
        }
    };
    view! {
        <form class="edit" on:submit=save on:keydown=keys>
            <label class="edit-title">
                <span class="visually-hidden">{words::title()}</span>
                <input
                    node_ref=input
                    class="field"
                    type="text"
                    dir="auto"
                    required
                    prop:value=title
                    on:input=move |event| set_title(event_target_value(&event))
                />
            </label>
            {came_back.then(|| view! { <p class="hint edit-whole" role="status">{words::changes_came_back()}</p> })}
            {notes_field(draft, &own, wrote)}
            {due_fields(live, draft)}
            {repeat_fields(live, draft, unread)}
            {remind_fields(live, draft)}
            <label>
                <span>{words::priority()}</span>
                <select
                    class="field"
                    data-testid="edit-priority"
                    prop:value=priority
                    on:change=move |event| set_priority(event_target_value(&event))
                >
                    {Priority::ALL
                        .map(|priority| {
                            view! { <option value=priority.word()>{words::priority_name(priority)}</option> }
                        })}
                </select>
            </label>
            <label>
                <span>{words::list()}</span>
                <input
                    class="field"
                    type="text"
                    dir="auto"
                    list=list_offers.clone()
                    autocomplete="off"
                    data-testid="edit-list"
                    prop:value=list
                    on:input=move |event| set_list(event_target_value(&event))
                />
            </label>
            {offers(list_offers, move || names.with(|names| names.lists.clone()))}
            {tags_field(draft, names, &own)}
            {subtasks(line)}
            <div role="alert" class="edit-trouble">
                {trouble}
            </div>
            <div class="edit-buttons">{buttons}</div>
            {history(live, begun, &own)}
        </form>
    }
    .into_any()
}

//! A to-do that was found somewhere else than in the list, opened in a dialog: seen whole, and edited.

use leptos::html;
use leptos::prelude::*;

use crate::edit::Edit;
use crate::model::Todo;
use ui_kit::sheet::{self, About, once_closed};

use crate::words;

/// Which to-do the dialog is about.
pub type TodoView = About<Todo>;

/// The dialog.
#[component]
pub fn TodoDialog() -> impl IntoView {
    let About(about) = TodoView::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let leave = RwSignal::new(0_u32);
    sheet::follow(dialog, move || about.with(Option::is_some), || ());
    let form = move |todo: Todo| {
        let editing = RwSignal::new(true);
        ui_kit::effect(move |_| {
            if !editing.get() {
                about.set(None);
            }
        });
        let notes = todo.notes.clone();
        view! {
            {(!notes.is_empty()).then(|| view! { <p class="todo-whole-notes" dir="auto">{notes}</p> })}
            <Edit todo editing leave />
        }
    };
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            data-testid="todo-dialog"
            aria-labelledby="todo-dialog-title"
            on:close=once_closed(dialog, move || about.set(None))
            on:cancel=move |event: web_sys::Event| {
                // The form asks first where something was changed.
                event.prevent_default();
                leave.update(|leave| *leave += 1);
            }
        >
            <div class="sheet-body">
                <h2 id="todo-dialog-title">{words::TODO}</h2>
                {move || about.get().map(form)}
            </div>
        </dialog>
    }
}

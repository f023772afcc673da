//! A to-do that was found somewhere else than in the list, opened in a dialog: seen whole, and edited.

use leptos::html;
use leptos::prelude::*;

use crate::editor::{Editor, Opened, Reader};
use crate::live::Live;
use crate::model::Todo;
use ui_kit::sheet::{self, About, once_closed};

use crate::words;

/// Which to-do the dialog is about.
pub type TodoView = About<Todo>;

/// The dialog.
pub fn todo_dialog() -> AnyView {
    let live = Live::get();
    let About(about) = TodoView::get();
    let dialog = NodeRef::<html::Dialog>::new();
    let leave = RwSignal::new(0_u32);
    ui_kit::effect(move |_| {
        if about.with(Option::is_some) {
            live.with_editor(|| ());
        }
    });
    // It opens with what draws it.
    let opened = move || about.get().zip(live.editor.get());
    sheet::follow(dialog, move || opened().is_some(), || ());
    let form = move |(todo, (editor, _)): (Todo, (Editor, Reader))| {
        let editing = RwSignal::new(true);
        ui_kit::effect(move |_| {
            if !editing.get() {
                about.set(None);
            }
        });
        (editor.form)(Opened { todo, editing, leave: Some(leave) })
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
                <h2 id="todo-dialog-title">{words::todo()}</h2>
                {move || opened().map(form)}
            </div>
        </dialog>
    }
    .into_any()
}

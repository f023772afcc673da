//! What the modal dialogs share. The browser keeps the focus inside an open one, and gives it back when it closes.

use leptos::ev::{Event, MouseEvent};
use leptos::html;
use leptos::prelude::*;

use crate::icons::Icon;
use crate::toast::raise;
use crate::words;

/// What one of the page's dialogs is about; none while it is closed. Copies are the same. There is one dialog for each type of
/// what it is about, and the page's root component provides it.
pub struct About<T: Send + Sync + 'static>(pub RwSignal<Option<T>>);

impl<T: Send + Sync + 'static> Clone for About<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for About<T> {}

impl<T: Send + Sync + 'static> About<T> {
    /// A closed one, for everything below the component that provides it.
    #[must_use]
    pub fn provide() -> Self {
        let about = Self(RwSignal::new(None));
        provide_context(about);
        about
    }

    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Whether the dialog is open.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.0.with(Option::is_some)
    }

    /// Opens the dialog.
    pub fn open(self, about: T) {
        self.0.set(Some(about));
    }
}

/// Opens and closes a dialog as `is_open` says; `before` runs each time before it opens, while the focus is still where
/// it was.
pub fn follow(
    dialog: NodeRef<html::Dialog>,
    is_open: impl Fn() -> bool + 'static,
    before: impl Fn() + 'static,
) {
    crate::effect(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match (is_open(), dialog.open()) {
            (true, false) => {
                untrack(&before);
                let _ = dialog.show_modal();
                raise();
            }
            (false, true) => dialog.close(),
            (true, true) | (false, false) => {}
        }
    });
}

/// What follows once a dialog has closed. The browser tells of it a moment later: one that was opened again meanwhile stays
/// open.
pub fn once_closed(dialog: NodeRef<html::Dialog>, then: impl Fn() + 'static) -> impl Fn(Event) {
    move |_| {
        if !dialog.get_untracked().is_some_and(|dialog| dialog.open()) {
            then();
        }
    }
}

/// Closes the dialog at a click beside it: that lands on the dialog itself.
pub fn close_beside(dialog: NodeRef<html::Dialog>) -> impl Fn(MouseEvent) {
    move |event| {
        if let (Some(dialog), Some(target)) = (dialog.get_untracked(), event.target())
            && **AsRef::<web_sys::EventTarget>::as_ref(&dialog) == *target
        {
            dialog.close();
        }
    }
}

/// Whether a dialog is open: it has the keys to itself.
#[must_use]
pub fn is_dialog_open() -> bool {
    web::page::first("dialog[open]").is_some()
}

/// A dialog's title and the button that closes it.
#[component]
pub fn SheetHead(
    /// The title's id, by which the dialog is named.
    id: &'static str,
    /// The title.
    title: &'static str,
    /// Closes it.
    on_close: Callback<()>,
) -> impl IntoView {
    view! {
        <header class="sheet-head">
            <h2 id=id>{title}</h2>
            <button
                type="button"
                class="icon-button"
                data-testid=id.replace("-title", "-close")
                aria-label=words::close()
                on:click=move |_| on_close.run(())
            >
                {Icon::Close.draw()}
            </button>
        </header>
    }
}

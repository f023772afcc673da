//! Short notes at the edge of the page, with a way back where there is one.

use leptos::prelude::*;

use crate::{clock, i18n, icons::Icon};

/// How long a note stays, in milliseconds. Long enough to read it and to reach its button.
const STAY_MS: u64 = 9_000;

/// A note.
#[derive(Clone)]
struct Toast {
    id: u64,
    text: String,
    /// What its button takes back.
    undo: Option<Back>,
}

/// What a note's button takes back.
#[derive(Clone)]
enum Back {
    /// The call with this idempotency key.
    Call(String),
    /// Something of the page's own.
    Run(Callback<()>),
}

/// The notes on the page. A handle: copies are the same notes.
#[derive(Clone, Copy)]
pub struct Toasts {
    shown: RwSignal<Vec<Toast>>,
    next: StoredValue<u64>,
}

impl Toasts {
    /// No notes.
    #[must_use]
    pub fn new() -> Self {
        Self { shown: RwSignal::new(Vec::new()), next: StoredValue::new(0) }
    }

    /// Shows a note.
    pub fn say(self, text: impl Into<String>) {
        self.push(text.into(), None);
    }

    /// Shows a note about a call that can be undone by its key.
    pub fn say_with_undo(self, text: impl Into<String>, key: String) {
        self.push(text.into(), Some(Back::Call(key)));
    }

    /// Shows a note about something of the page's own that can be taken back.
    pub fn say_with_way_back(self, text: impl Into<String>, back: Callback<()>) {
        self.push(text.into(), Some(Back::Run(back)));
    }

    fn push(self, text: String, undo: Option<Back>) {
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        self.shown.update(|shown| {
            // Three at once are as many as anybody reads.
            if shown.len() == 3 {
                shown.remove(0);
            }
            shown.push(Toast { id, text, undo });
        });
        leptos::task::spawn_local(async move {
            clock::sleep(STAY_MS).await;
            self.drop(id);
        });
    }

    fn drop(self, id: u64) {
        self.shown.update(|shown| shown.retain(|toast| toast.id != id));
    }
}

impl Default for Toasts {
    fn default() -> Self {
        Self::new()
    }
}

/// Where the notes appear. `on_undo` gets the key of the call to undo.
#[component]
pub fn ToastShelf(
    /// The notes.
    toasts: Toasts,
    /// Undoes a call.
    #[prop(into)]
    on_undo: Callback<String>,
) -> impl IntoView {
    view! {
        <div class="toasts" role="status" aria-live="polite">
            <For
                each=move || toasts.shown.get()
                key=|toast| toast.id
                children=move |toast| {
                    let id = toast.id;
                    view! {
                        <div class="toast" data-testid="toast">
                            <span class="toast-text" dir="auto">{toast.text}</span>
                            {toast
                                .undo
                                .map(|back| {
                                    view! {
                                        <button
                                            type="button"
                                            class="text-button"
                                            data-testid="undo"
                                            on:click=move |_| {
                                                toasts.drop(id);
                                                match &back {
                                                    Back::Call(key) => on_undo.run(key.clone()),
                                                    Back::Run(back) => back.run(()),
                                                }
                                            }
                                        >
                                            {Icon::Undo.draw()}
                                            {i18n::UNDO}
                                        </button>
                                    }
                                })}
                            <button
                                type="button"
                                class="icon-button"
                                aria-label=i18n::DISMISS
                                on:click=move |_| toasts.drop(id)
                            >
                                {Icon::Close.draw()}
                            </button>
                        </div>
                    }
                }
            />
        </div>
    }
}

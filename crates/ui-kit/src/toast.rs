//! Short notes at the edge of the page, with a way back where there is one.
//!
//! They stand in the browser's top layer, and inside the dialog that is open: what is beside a modal dialog can neither be
//! clicked nor read out.

use std::sync::Arc;

use crate::Each;
use leptos::attr::custom::custom_attribute;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element};

use crate::{clock, icons::Icon, words};
use web::listener::Listener;
use web::page::document;
use web_sys::Event;

/// How long a note stays, in milliseconds. Long enough to read it and to reach its button.
const STAY_MS: u64 = 9_000;

/// How often it is looked whether somebody is at the notes, in milliseconds.
const LOOK_MS: u64 = 250;

/// Three at once are as many as anybody reads.
const MOST: usize = 3;

/// The id of the place where they appear.
const SHELF: &str = "toasts";

/// The id of what a panel shows in front of everything as well: what reminds.
pub const ALSO_IN_FRONT: &str = "in-front";

/// A note.
#[derive(Clone)]
struct Toast {
    id: u64,
    text: String,
    /// It is a tool's own sentence, which is English in every language of the page.
    is_a_tools: bool,
    /// What its button does.
    action: Option<Action>,
}

/// What a note's button does.
#[derive(Clone)]
enum Action {
    /// Undoes the call with this idempotency key. The history has it as well.
    Undo(String),
    /// Something of the page's own, which is done by this button or never: such a note stays until it is dismissed. With
    /// the button's words.
    Run(&'static str, Arc<dyn Fn() + Send + Sync>),
}

impl Toast {
    fn is_the_only_way(&self) -> bool {
        matches!(self.action, Some(Action::Run(..)))
    }
}

/// The notes on the page. A handle: copies are the same notes.
#[derive(Clone, Copy)]
pub struct Toasts {
    shown: RwSignal<Vec<Toast>>,
    next: StoredValue<u64>,
    /// A pointer is on them, or the focus in them: their time stands still.
    is_at_hand: RwSignal<bool>,
}

impl Toasts {
    /// No notes.
    #[must_use]
    pub fn new() -> Self {
        Self { shown: RwSignal::new(Vec::new()), next: StoredValue::new(0), is_at_hand: RwSignal::new(false) }
    }

    /// Those of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides them.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Shows a note.
    pub fn say(self, text: impl Into<String>) {
        self.push(text.into(), false, None);
    }

    /// Shows what a tool said.
    pub fn say_summary(self, text: String) {
        self.push(text, true, None);
    }

    /// Shows what a tool said of a call that can be undone by its key.
    pub fn say_with_undo(self, text: String, key: String) {
        self.push(text, true, Some(Action::Undo(key)));
    }

    /// Shows a note about something of the page's own that can be taken back here and nowhere else.
    pub fn say_with_way_back(self, text: impl Into<String>, back: impl Fn() + Send + Sync + 'static) {
        self.push(text.into(), false, Some(Action::Run(words::undo(), Arc::new(back))));
    }

    /// Shows a note with a button of these words; an older one that says the same goes.
    fn say_with_action(
        self,
        text: &'static str,
        words: &'static str,
        action: impl Fn() + Send + Sync + 'static,
    ) {
        self.shown.update(|shown| shown.retain(|toast| toast.text != text));
        self.push(text.to_owned(), false, Some(Action::Run(words, Arc::new(action))));
    }

    /// Says that a part of the page could not be had, with a button that tries again.
    pub fn say_not_loaded(self, again: impl Fn() + Send + Sync + 'static) {
        self.say_with_action(words::part_not_loaded(), words::try_again(), again);
    }

    /// Says that this page is older than what a reload brings, with a button that reloads it.
    pub fn say_reload(self) {
        self.say_with_action(words::part_of_another_build(), words::reload(), || {
            if let Some(window) = web_sys::window() {
                let _ = window.location().reload();
            }
        });
    }

    fn push(self, text: String, is_a_tools: bool, action: Option<Action>) {
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        let toast = Toast { id, text, is_a_tools, action };
        let stays = toast.is_the_only_way();
        self.shown.update(|shown| {
            if shown.len() >= MOST
                && let Some(oldest) = shown.iter().position(|one| !one.is_the_only_way())
            {
                shown.remove(oldest);
            }
            shown.push(toast);
        });
        if stays {
            return;
        }
        leptos::task::spawn_local(async move {
            let (mut left, mut before) = (STAY_MS, clock::monotonic_ms());
            while left > 0 {
                clock::sleep(LOOK_MS.min(left)).await;
                let now = clock::monotonic_ms();
                if self.is_at_hand.try_get_untracked() != Some(true) {
                    left = left.saturating_sub(now.saturating_sub(before));
                }
                before = now;
            }
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
    let shelf = NodeRef::<html::Div>::new();
    crate::effect(move |_| {
        if shelf.get().is_some() {
            // Once it is in the page.
            request_animation_frame(raise);
        }
    });
    if let Some(page) = document() {
        // A dialog that closes takes what is in it along. The event does not rise, so it is caught on its way down.
        Listener::on_way_down(&page, "close", |_: Event| raise()).for_good();
    }
    // A button that goes with its note takes focus and pointer along without a word.
    let is_empty = crate::memo(move |_| toasts.shown.with(Vec::is_empty));
    crate::effect(move |_| {
        if is_empty.get() {
            toasts.is_at_hand.set(false);
        }
    });
    view! {
        <div
            {..custom_attribute("popover", "manual")}
            node_ref=shelf
            id=SHELF
            class="toasts"
            role="status"
            aria-live="polite"
            on:pointerenter=move |_| toasts.is_at_hand.set(true)
            on:pointerleave=move |_| toasts.is_at_hand.set(false)
            on:focusin=move |_| toasts.is_at_hand.set(true)
            on:focusout=move |_| toasts.is_at_hand.set(false)
        >
            <Each
                each=move || toasts.shown.get()
                key=|toast| toast.id
                children=move |toast| {
                    let id = toast.id;
                    view! {
                        <div class="toast" data-testid="toast">
                            <span class="toast-text" lang=toast.is_a_tools.then_some("en") dir="auto">
                                {toast.text}
                            </span>
                            {toast
                                .action
                                .map(|action| {
                                    let words = if let Action::Run(words, _) = action { words } else { words::undo() };
                                    let undoes = words == words::undo();
                                    view! {
                                        <button
                                            type="button"
                                            class="text-button"
                                            data-testid=if undoes { "undo" } else { "toast-action" }
                                            on:click=move |_| {
                                                toasts.drop(id);
                                                match &action {
                                                    Action::Undo(key) => on_undo.run(key.clone()),
                                                    Action::Run(_, run) => run(),
                                                }
                                            }
                                        >
                                            {undoes.then(|| Icon::Undo.draw())}
                                            {words}
                                        </button>
                                    }
                                })}
                            <button
                                type="button"
                                class="icon-button"
                                aria-label=words::dismiss()
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

/// Brings the notes in front of everything: into the dialog that is open, and to the top of the top layer. Called when a
/// dialog was opened or closed.
pub fn raise() {
    let Some(page) = document() else { return };
    for shelf in [ALSO_IN_FRONT, SHELF].into_iter().filter_map(|id| page.get_element_by_id(id)) {
        raise_one(&page, &shelf);
    }
}

fn raise_one(page: &Document, shelf: &Element) {
    // Of several dialogs the uppermost has the focus.
    let focused = page.active_element().and_then(|element| element.closest("dialog[open]").ok().flatten());
    let any = || {
        let open = page.query_selector_all("dialog[open]").ok()?;
        open.get(open.length().checked_sub(1)?)?.dyn_into::<Element>().ok()
    };
    let Some(place) = focused.or_else(any).or_else(|| page.body().map(Into::into)) else { return };
    let is_there = shelf.parent_element().as_ref() == Some(&place);
    if is_there && shelf.matches(":popover-open").unwrap_or(true) {
        return;
    }
    if !is_there {
        let _ = place.append_child(shelf);
    }
    // Not in every browser; without it they stand where the styles put them.
    let _ = web::value::call(shelf, "showPopover", &[]);
}

//! Presses that nobody meant: the second of a double click, those of a key that is held down, and one while the last has no answer. What
//! deletes is pressed once for what somebody looked at, and asked about where it is for good.

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use ui_kit::Icon;

/// Whether a press stands for itself, and is not the second one of a double click.
pub fn is_single(event: &MouseEvent) -> bool {
    event.detail() < 2
}

/// Enter that is held down presses a button again and again; only the first is meant.
pub fn hold_once(event: &KeyboardEvent) {
    if event.repeat() && matches!(event.key().as_str(), "Enter" | " ") {
        event.prevent_default();
    }
}

/// Whether an answer is waited for. Copies are the same.
#[derive(Clone, Copy)]
pub struct Waits(StoredValue<bool>);

impl Waits {
    /// None is.
    pub fn new() -> Self {
        Self(StoredValue::new(false))
    }

    /// Begins to wait; false where it did already.
    pub fn begin(self) -> bool {
        self.0.try_update_value(|waits| !std::mem::replace(waits, true)).unwrap_or_default()
    }

    /// The answer came. Who waited may be gone.
    pub fn end(self) {
        let _gone = self.0.try_set_value(false);
    }
}

/// A button whose press is asked about. What says yes is another button that stands elsewhere: a press too many does nothing.
#[component]
pub fn Asked(
    /// What the button says.
    label: &'static str,
    /// What is asked then.
    #[prop(into)]
    question: Signal<&'static str>,
    /// What says yes.
    yes: &'static str,
    /// The button's test id; the one that says yes has `-yes` after it.
    testid: &'static str,
    /// Yes was said.
    #[prop(into)]
    on_yes: Callback<()>,
) -> impl IntoView {
    let is_asked = RwSignal::new(false);
    let button = NodeRef::new();
    // The buttons go with the question, and the focus to the one that stays.
    let close = move || {
        is_asked.set(false);
        if let Some(button) = button.get_untracked() {
            let button: web_sys::HtmlButtonElement = button;
            let _ = button.focus();
        }
    };
    view! {
        <button
            node_ref=button
            type="button"
            class="button"
            data-testid=testid
            aria-expanded=move || is_asked.get().to_string()
            on:click=move |_| is_asked.set(true)
        >
            {Icon::Trash.draw()}
            <span>{label}</span>
        </button>
        <p class="hint" aria-live="polite">{move || is_asked.get().then(|| question.get())}</p>
        <Show when=move || is_asked.get()>
            <button
                type="button"
                class="button"
                data-testid=format!("{testid}-yes")
                on:click=move |_| {
                    close();
                    on_yes.run(());
                }
            >
                {yes}
            </button>
            <button type="button" class="text-button" on:click=move |_| close()>{ui_kit::words::cancel()}</button>
        </Show>
    }
}

//! Asks for what a program outside wants to do.

use leptos::html;
use leptos::prelude::*;

use super::Outside;
use crate::i18n;
use crate::sheet;

/// The question, while there is one.
#[component]
pub fn OutsideDialog(
    /// Who asks.
    outside: Outside,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let question = Memo::new(move |_| {
        outside.questions.with(|all| all.first().map(|first| (first.title.clone(), first.outcome.clone())))
    });
    sheet::follow(dialog, move || question.with(Option::is_some), || {});
    view! {
        <dialog
            node_ref=dialog
            class="sheet sheet-small"
            role="alertdialog"
            data-testid="outside-ask"
            aria-labelledby="outside-title"
            aria-describedby="outside-outcome"
            on:cancel=move |event: web_sys::Event| {
                // Escape is an answer, and the next question comes only after it.
                event.prevent_default();
                outside.answer(false);
            }
        >
            <div class="sheet-body">
                <h2 id="outside-title">{i18n::OUTSIDE_ASKS}</h2>
                <p>
                    <strong>{move || question.with(|known| known.clone().unwrap_or_default().0)}</strong>
                </p>
                <p id="outside-outcome" dir="auto" data-testid="outside-outcome">
                    {i18n::OUTSIDE_WOULD} " "
                    {move || question.with(|known| known.clone().unwrap_or_default().1)}
                </p>
                <p class="hint">{i18n::OUTSIDE_HINT}</p>
                <div class="sheet-buttons">
                    <button
                        type="button"
                        class="button"
                        data-testid="outside-deny"
                        on:click=move |_| outside.answer(false)
                    >
                        {i18n::OUTSIDE_DENY}
                    </button>
                    <button
                        type="button"
                        class="button danger"
                        data-testid="outside-allow"
                        on:click=move |_| outside.answer(true)
                    >
                        {i18n::OUTSIDE_ALLOW}
                    </button>
                </div>
            </div>
        </dialog>
    }
}

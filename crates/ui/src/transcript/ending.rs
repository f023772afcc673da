//! How a run ended, where there is something to say about it.

use agent::{Ending, ItemBody};
use leptos::prelude::*;

use super::is_calm;
use crate::composer::take_focus;
use crate::desk::Desk;
use crate::host::Role;
use crate::i18n;
use crate::icons::Icon;

/// The note. Only the latest one is an alarm and offers to try again; earlier ones are history.
#[component]
pub fn EndingNote(key: String, body: Signal<ItemBody>) -> impl IntoView {
    let host = Desk::get().host;
    let latest = Memo::new(move |_| {
        !host.busy.get() && host.rows.with(|rows| rows.last().is_some_and(|row| row.key == key))
    });
    let note = move || {
        body.with(|body| match body {
            ItemBody::Ending { note, .. } => note.clone(),
            _ => String::new(),
        })
    };
    let calm = body.with_untracked(|body| match body {
        ItemBody::Ending { ending, .. } => is_calm(ending),
        _ => true,
    });
    let whole =
        body.with_untracked(|body| matches!(body, ItemBody::Ending { ending: Ending::Complete { .. }, .. }));
    let alarm = move || latest.get() && !calm;
    view! {
        <div
            class="notice ending"
            class:notice-bad=alarm
            data-testid=move || if alarm() { "error" } else { "ending" }
        >
            {(!calm).then(|| Icon::Warning.draw())}
            <p dir="auto">{note}</p>
            <Show when=move || latest.get() && !whole && host.role.get() == Role::Leading>
                <button type="button" class="button" data-testid="retry" on:click=move |_| {
                    host.retry();
                    take_focus();
                }>
                    {Icon::Retry.draw()}
                    {i18n::TRY_AGAIN}
                </button>
            </Show>
        </div>
    }
}

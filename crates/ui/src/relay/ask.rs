//! A program wants to change something: what it would do, and the answers.

use leptos::prelude::*;

use super::Question;
use crate::composer::take_focus;
use crate::desk::Desk;
use crate::i18n;
use crate::icons::Icon;
use crate::transcript::Outlook;

/// Where the question stands: across the page, or in the settings, which cover the page while they are open.
#[component]
pub fn RelayAsks(
    /// Whether this is the place in the settings.
    in_settings: bool,
) -> impl IntoView {
    let Desk { relay, settings_at, .. } = Desk::get();
    let is_here = Memo::new(move |_| settings_at.with(Option::is_some) == in_settings);
    let first = Memo::new(move |_| relay.questions.with(|all| all.first().cloned()));
    let rest = Memo::new(move |_| relay.questions.with(|all| all.len().saturating_sub(1)));
    // Always there, so that what appears in it is said.
    view! {
        <div class="relay-asks" aria-live="polite">
            {move || {
                first
                    .get()
                    .filter(|_| is_here.get())
                    .map(|question| view! { <Ask question rest in_settings /> })
            }}
        </div>
    }
}

#[component]
fn Ask(question: Question, rest: Memo<usize>, in_settings: bool) -> impl IntoView {
    let relay = Desk::get().relay;
    let Question { id, call } = question;
    let tool = call.tool.clone();
    let answer = move |allowed: bool| {
        relay.answer(id, allowed);
        // The button that was pressed is gone.
        if !in_settings {
            take_focus();
        }
    };
    view! {
        <div class="relay-ask" role="group" aria-label=i18n::RELAY_ASK data-testid="relay-ask" data-tool=tool>
            <p class="relay-ask-what" dir="auto">
                {Icon::Ask.draw()}
                {i18n::relay_asks(&call.title)}
            </p>
            <Outlook tool=call.tool arguments=call.arguments />
            <div class="approval-buttons">
                <button
                    type="button"
                    class="button danger"
                    data-testid="relay-allow"
                    on:click=move |_| answer(true)
                >
                    {Icon::Check.draw()}
                    {i18n::RELAY_ALLOW}
                </button>
                <button type="button" class="button" data-testid="relay-deny" on:click=move |_| answer(false)>
                    {Icon::Close.draw()}
                    {i18n::RELAY_DENY}
                </button>
            </div>
            <p class="hint">{move || i18n::relay_patience(rest.get())}</p>
        </div>
    }
}

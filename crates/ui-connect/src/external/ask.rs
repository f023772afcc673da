//! Somebody outside wants to change something: what it would do, and the answers.

use leptos::prelude::*;

use super::Question;
use crate::external::ExternalCallers;
use crate::i18n;
use crate::icons::Icon;
use crate::message_field::take_focus;
use crate::parts::{self, part};
use crate::settings::Section;
use crate::transcript::CallPreview;

/// Where the question stands: across the page, or in the settings, which cover the page while they are open.
#[component]
pub fn Asks(
    /// Whether this is the place in the settings.
    in_settings: bool,
) -> impl IntoView {
    let (external, settings_at) = (ExternalCallers::get(), Section::opened());
    let is_here = ui_kit::memo(move |_| settings_at.with(Option::is_some) == in_settings);
    let first = ui_kit::memo(move |_| external.questions.with(|all| all.first().cloned()));
    let rest = ui_kit::memo(move |_| external.questions.with(|all| all.len().saturating_sub(1)));
    // Always there, so that what appears in it is said.
    view! {
        <div class="outside-asks" aria-live="polite">
            {move || {
                first
                    .get()
                    .filter(|_| is_here.get())
                    .map(|question| {
                        provide_context(Asked { question, rest, in_settings });
                        parts::place(|| parts::for_run(ask_part))
                    })
            }}
        </div>
    }
}

/// What is asked, for what draws it.
#[derive(Clone)]
struct Asked {
    question: Question,
    rest: Memo<usize>,
    in_settings: bool,
}

part! {
    cards,
    /// The question, beside those of a conversation.
    fn ask_part() -> fn() -> AnyView {
        || view! { <Ask asked=expect_context() /> }.into_any()
    }
}

#[component]
fn Ask(asked: Asked) -> impl IntoView {
    let external = ExternalCallers::get();
    let Asked { question, rest, in_settings } = asked;
    let Question { id, who, call } = question;
    let tool = call.tool.clone();
    let answer = move |allowed: bool| {
        external.answer(id, allowed);
        // The button that was pressed is gone.
        if !in_settings {
            take_focus();
        }
    };
    view! {
        <div class="outside-ask" role="group" aria-label=i18n::outside_ask() data-testid="outside-ask" data-tool=tool>
            <p class="outside-ask-what" dir="auto">
                {Icon::Ask.draw()}
                {crate::external::words::external_asks(who, &call.title)}
            </p>
            <CallPreview tool=call.tool arguments=call.arguments />
            <div class="approval-buttons">
                <button
                    type="button"
                    class="button danger"
                    data-testid="outside-allow"
                    on:click=move |_| answer(true)
                >
                    {Icon::Check.draw()}
                    {i18n::outside_allow()}
                </button>
                <button type="button" class="button" data-testid="outside-deny" on:click=move |_| answer(false)>
                    {Icon::Close.draw()}
                    {i18n::outside_deny()}
                </button>
            </div>
            <p class="hint">{move || i18n::external_patience(rest.get())}</p>
        </div>
    }
}

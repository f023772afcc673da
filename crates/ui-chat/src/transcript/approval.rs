//! A call that waits for the person: what it would do, and the answers.
//!
//! What it would do is found by trying it without doing it, and again whenever the to-dos change while the question
//! stands: what is allowed is what is seen.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::CallId;
use serde_json::Value;
use toolbox::touched;

use super::outward::Outward;
use crate::approvals::{self, Scope};
use crate::clock;
use crate::controller::Controller;
use crate::controller::Role;
use crate::i18n;
use crate::icons::Icon;
use crate::message_field::take_focus;
use ui_kit::{Line, Panels, Wall, line_view, outcome};
use web::channel::Channel;

/// Lines shown before somebody asks for the rest.
const SHOWN: usize = 5;

/// What is known about what the call would do.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Preview {
    Looking,
    /// How many rows in all, what is shown of them, and the answer.
    Would(u32, Vec<Line>, Value),
    Unknown(String),
}

/// The question.
#[component]
pub fn ApprovalCard(
    /// The call.
    id: CallId,
    /// The tool.
    tool: String,
    /// What it is called with.
    arguments: Value,
    /// What brought text from outside before the model asked for this (D-17): a tool's title. Then it asks each time.
    tainted_by: Option<String>,
) -> impl IntoView {
    let controller = Controller::get();
    controller.note_seen(id.clone());
    let leads = move || controller.role.get() == Role::Leading;
    let (approve, deny) = (id.clone(), id.clone());
    let answer = StoredValue::new((id, tool.clone()));
    let allow = move |scope: Scope| {
        answer.with_value(|(id, tool)| controller.allow(id.clone(), tool, scope));
        take_focus();
    };
    view! {
        <div class="approval" role="group" aria-label=i18n::approval() data-testid="approval">
            {tainted_by
                .as_deref()
                .map(|source| {
                    view! {
                        <p class="approval-taint" data-testid="approval-taint">
                            {Icon::Warning.draw()}
                            <span dir="auto">{i18n::read_untrusted_text(source)}</span>
                        </p>
                    }
                })}
            {match remote::names::prefix_in(&tool).is_some() || approvals::elsewhere(&tool).is_some() {
                true => view! { <Outward arguments /> }.into_any(),
                false => view! { <CallPreview tool arguments /> }.into_any(),
            }}
            <div class="approval-buttons">
                <button
                    type="button"
                    class="button danger"
                    data-testid="approve"
                    disabled=move || !leads()
                    on:click=move |_| {
                        controller.approve(approve.clone());
                        take_focus();
                    }
                >
                    {Icon::Check.draw()}
                    {i18n::approve()}
                </button>
                <button
                    type="button"
                    class="button"
                    data-testid="deny"
                    disabled=move || !leads()
                    on:click=move |_| {
                        controller.deny(deny.clone());
                        take_focus();
                    }
                >
                    {Icon::Close.draw()}
                    {i18n::deny()}
                </button>
            </div>
            {tainted_by
                .is_none()
                .then(|| {
                    view! {
                        <div class="approval-more" role="group" aria-label=i18n::approve_and()>
                            <span aria-hidden="true">{i18n::approve_and()}</span>
                            <button
                                type="button"
                                class="text-button"
                                data-testid="allow-conversation"
                                disabled=move || !leads()
                                on:click=move |_| allow(Scope::Conversation)
                            >
                                {i18n::in_this_conversation()}
                            </button>
                            <button
                                type="button"
                                class="text-button"
                                data-testid="allow-for-good"
                                disabled=move || !leads()
                                on:click=move |_| allow(Scope::ForGood)
                            >
                                {i18n::for_good()}
                            </button>
                        </div>
                    }
                })}
        </div>
    }
}

/// What a call would do.
#[component]
pub fn CallPreview(
    /// The tool.
    tool: String,
    /// What it is called with.
    arguments: Value,
) -> impl IntoView {
    let controller = Controller::get();
    let (preview, panels) = (RwSignal::new(Preview::Looking), Panels::get());
    let tool_name = tool.clone();
    let reload = move || {
        let (tool, arguments) = (tool.clone(), arguments.clone());
        spawn_local(async move {
            let would = match controller.preview(&tool, arguments).await {
                Ok(result) => would(panels, &result),
                Err(message) => Preview::Unknown(message),
            };
            // The card may be gone by now.
            let _ = preview.try_set(would);
        });
    };
    reload();
    let tool = StoredValue::new(tool_name);
    let (again, day) = (reload.clone(), Wall::get().day());
    ui_kit::effect(move |before: Option<()>| {
        // What "tomorrow" is changes while the card stands over night.
        let _ = day.get();
        if before.is_some() {
            again();
        }
    });
    // Closed with the card.
    let watching = StoredValue::new_local(Channel::open("satchel-changes", move |_| reload()));
    on_cleanup(move || drop(watching.try_update_value(Option::take)));
    let all = RwSignal::new(false);
    view! {
        <div class="approval-what" aria-live="polite">
            {move || match preview.get() {
                Preview::Looking => view! { <p class="hint">{i18n::looking()}</p> }.into_any(),
                Preview::Unknown(message) => view! { <p class="hint">{i18n::no_preview(&message)}</p> }.into_any(),
                Preview::Would(_, lines, _) if lines.is_empty() => {
                    view! { <p class="hint">{i18n::nothing_would_change()}</p> }.into_any()
                }
                Preview::Would(count, lines, answer) => {
                    let rest = lines.len().saturating_sub(SHOWN);
                    let take = if all.get() { usize::MAX } else { SHOWN };
                    let drawn = tool.with_value(|tool| panels.first(|panel| panel.would(tool, &answer)));
                    let unseen = (count as usize).saturating_sub(lines.len());
                    view! {
                        <p class="approval-count" data-testid="approval-count">
                            {i18n::would(lines.iter().map(|line| line.kind), count)}
                        </p>
                        {drawn}
                        <ul class="lines">
                            {lines.into_iter().take(take).map(line_view).collect_view()}
                        </ul>
                        {(rest > 0 && !all.get())
                            .then(|| {
                                view! {
                                    <button
                                        type="button"
                                        class="text-button"
                                        data-testid="approval-all"
                                        on:click=move |_| all.set(true)
                                    >
                                        {i18n::show_all(rest)}
                                    </button>
                                }
                            })}
                        {(unseen > 0 && (rest == 0 || all.get()))
                            .then(|| view! { <p class="hint">{i18n::not_listed(unseen)}</p> })}
                    }
                        .into_any()
                }
            }}
        </div>
    }
}

fn would(panels: Panels, result: &Value) -> Preview {
    let now = clock::civil_now();
    let lines = panels.lines(&outcome(result).unwrap_or_default(), &now);
    let count = touched(result).unwrap_or(0).max(u32::try_from(lines.len()).unwrap_or(0));
    Preview::Would(count, lines, result.clone())
}

//! A call that waits for the person: what it would do, and the two answers.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::CallId;
use serde_json::Value;

use super::changes::{Line, line};
use super::step::line_view;
use crate::clock;
use crate::composer::take_focus;
use crate::desk::Desk;
use crate::host::Role;
use crate::i18n;
use crate::icons::Icon;
use crate::workspace::model::outcome;

/// What is known about what the call would do.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Preview {
    Looking,
    Would(Vec<Line>),
    Unknown(String),
}

/// The question.
#[component]
pub fn ApprovalCard(id: CallId, tool: String, arguments: Value) -> impl IntoView {
    let host = Desk::get().host;
    let preview = RwSignal::new(Preview::Looking);
    spawn_local(async move {
        let would = match host.preview(&tool, arguments).await {
            Ok(result) => {
                let now = clock::civil_now();
                let changes = outcome(&result).map(|outcome| outcome.changes).unwrap_or_default();
                Preview::Would(changes.iter().filter_map(|change| line(change, &now)).collect())
            }
            Err(message) => Preview::Unknown(message),
        };
        // The card may be gone by now.
        let _ = preview.try_set(would);
    });
    let (approve, deny) = (id.clone(), id);
    let leads = move || host.role.get() == Role::Leading;
    view! {
        <div class="approval" role="group" aria-label=i18n::APPROVAL>
            <div class="approval-what" aria-live="polite">
                {move || match preview.get() {
                    Preview::Looking => view! { <p class="hint">{i18n::LOOKING}</p> }.into_any(),
                    Preview::Unknown(message) => view! { <p class="hint">{i18n::no_preview(&message)}</p> }.into_any(),
                    Preview::Would(lines) if lines.is_empty() => {
                        view! { <p class="hint">{i18n::NOTHING_WOULD_CHANGE}</p> }.into_any()
                    }
                    Preview::Would(lines) => {
                        view! {
                            <p class="hint">{i18n::THIS_WOULD}</p>
                            <ul class="lines">{lines.into_iter().map(line_view).collect_view()}</ul>
                        }
                            .into_any()
                    }
                }}
            </div>
            <div class="approval-buttons">
                <button
                    type="button"
                    class="button danger"
                    data-testid="approve"
                    disabled=move || !leads()
                    on:click=move |_| {
                        host.approve(approve.clone());
                        take_focus();
                    }
                >
                    {Icon::Check.draw()}
                    {i18n::APPROVE}
                </button>
                <button
                    type="button"
                    class="button"
                    data-testid="deny"
                    disabled=move || !leads()
                    on:click=move |_| {
                        host.deny(deny.clone());
                        take_focus();
                    }
                >
                    {Icon::Close.draw()}
                    {i18n::DENY}
                </button>
            </div>
        </div>
    }
}

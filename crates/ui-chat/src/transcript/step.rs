//! One tool call as a row: what it did in words, before and after, and the way back.

use agent::{CallStatus, ItemBody};
use leptos::prelude::*;
use protocol::{CallId, ToolResult};
use serde_json::Value;

use super::Card;
use super::approval::ApprovalCard;
use super::outward::Traffic;
use crate::clock;
use crate::controller::Controller;
use crate::controller::Role;
use crate::i18n;
use crate::icons::Icon;
use crate::parts::part;
use crate::privacy_view::ShowRequest;
use ui_kit::Tools;
use ui_kit::{Kind, Line, Outcome, Panels, Wall, line_view, outcome};

/// Lines of one call shown before somebody asks for the rest.
const LINES_SHOWN: usize = 6;

/// Things that are named of a change of several.
const NAMED: usize = 5;

/// A call, as far as its row shows it.
#[derive(Clone, Debug, PartialEq)]
struct Call {
    id: CallId,
    tool: String,
    title: String,
    arguments: Value,
    status: CallStatus,
    read_only: bool,
    result: Option<ToolResult>,
    key: String,
    tainted_by: Option<String>,
    /// The key of the step that asked for it, on the first row of that step.
    opens: Option<String>,
}

fn call_of(body: &ItemBody) -> Option<Call> {
    match body {
        ItemBody::Call { call, title, status, read_only, result, call_key, tainted_by, opens_step } => {
            Some(Call {
                id: call.id.clone(),
                tool: call.name.clone(),
                title: title.clone(),
                arguments: call.arguments.clone(),
                status: *status,
                read_only: *read_only,
                result: result.as_deref().cloned(),
                key: call_key.to_string(),
                tainted_by: tainted_by.as_deref().map(str::to_owned),
                opens: opens_step.map(|step| format!("{}/{step}", call_key.run())),
            })
        }
        ItemBody::User { .. }
        | ItemBody::Assistant { .. }
        | ItemBody::Question { .. }
        | ItemBody::Plan { .. }
        | ItemBody::Compacted { .. }
        | ItemBody::Ending { .. } => None,
    }
}

part! {
    cards,
    /// What waits for the person, as a card.
    fn approval_card() -> fn() -> AnyView {
        || Card::body().with_untracked(call_of).map(|call| {
            let Call { id, tool, arguments, tainted_by, .. } = call;
            view! { <ApprovalCard id tool arguments tainted_by /> }
        }).into_any()
    }
}

/// The row.
#[component]
pub fn Step(body: Signal<ItemBody>) -> impl IntoView {
    let (controller, tools) = (Controller::get(), Tools::get());
    let call = ui_kit::memo(move |_| body.with(call_of));
    let with = move |read: fn(&Call) -> String| call.with(|call| call.as_ref().map(read).unwrap_or_default());
    let key = call.with_untracked(|call| call.as_ref().map(|call| call.key.clone()).unwrap_or_default());
    let undone = ui_kit::memo(move |_| controller.undone.with(|undone| undone.contains(&key)));
    let status = ui_kit::memo(move |_| call.with(|call| call.as_ref().map(|call| call.status)));
    let status_word = move || match status.get() {
        _ if undone.get() => "undone",
        None | Some(CallStatus::Queued | CallStatus::Running) => "running",
        Some(CallStatus::Awaiting) => "awaiting",
        Some(CallStatus::Done) => "done",
        Some(CallStatus::Failed | CallStatus::Denied) => "failed",
    };
    let (day, panels) = (Wall::get().day(), Panels::get());
    let lines = ui_kit::memo(move |_| {
        // "Tomorrow" is another day after midnight.
        let _ = day.get();
        call.with(|call| call.as_ref().map(|call| lines_of(panels, call)).unwrap_or_default())
    });
    // What was found is drawn where the panel whose tool it is has a drawing for it.
    let found = ui_kit::memo(move |_| {
        call.with(|call| {
            let call = call.as_ref().filter(|call| call.status == CallStatus::Done)?;
            let tool = protocol::tool_name_now(&call.tool).to_owned();
            Some((tool, call.result.as_ref()?.structured.clone()?))
        })
    });
    let undoing = RwSignal::new(false);
    let can_undo = move || {
        status.get() == Some(CallStatus::Done)
            && !undone.get()
            // In a run from a file the keys are somebody else's, or another time's.
            && controller.role.get() != Role::Reading
            && call.with(|call| call.as_ref().is_some_and(|call| !call.read_only && !agent::takes_back(&call.tool)))
            && lines.with(|lines| !lines.is_empty())
    };
    let undo = move |_| {
        let Some(key) = call.with_untracked(|call| call.as_ref().map(|call| call.key.clone())) else {
            return;
        };
        undoing.set(true);
        // The person may look at another one by the time the answer comes.
        let conversation = controller.current.get_untracked();
        tools.undo(key.clone(), move |was_undone| {
            undoing.set(false);
            if was_undone {
                controller.mark_undone(&conversation, key);
            }
        });
    };
    let all = RwSignal::new(false);
    let said = ui_kit::memo(move |_| {
        call.with(|call| call.as_ref().map(|call| words_of(panels, call)).unwrap_or_default())
    });
    view! {
        <div
            class="step"
            id=move || format!("call-{}", with(|call| call.id.0.clone()))
            tabindex="-1"
            class:denied=move || status.get() == Some(CallStatus::Denied)
            data-testid="tool-call"
            data-tool=move || with(|call| call.tool.clone())
            data-status=status_word
        >
            <span class="step-hole" aria-hidden="true">
                {move || match status_word() {
                    "running" => view! { <span class="spinner"></span> }.into_any(),
                    "awaiting" => Icon::Ask.draw().into_any(),
                    "undone" => Icon::Undo.draw().into_any(),
                    "failed" => Icon::Close.draw().into_any(),
                    _ => Icon::Check.draw().into_any(),
                }}
            </span>
            <div class="step-body">
                <p class="step-words" dir="auto">
                    <span lang=move || said.with(|said| said.1.then_some("en"))>
                        {move || said.with(|said| said.0.clone())}
                    </span>
                    <Show when=move || undone.get()>
                        <span class="step-tag">{i18n::undone()}</span>
                    </Show>
                </p>
                {call.with_untracked(|call| call.as_ref().and_then(|call| call.opens.clone()))
                    .map(|of| view! { <ShowRequest of /> })}
                <Show when=move || status.get() == Some(CallStatus::Awaiting) && controller.role.get() != Role::Reading>
                    {move || super::card(body, approval_card)}
                </Show>
                {move || {
                    call.get()
                        .filter(|call| remote::names::prefix_in(&call.tool).is_some())
                        .and_then(|call| Some((call.arguments, call.result?.content)))
                        .map(|(arguments, answer)| view! { <Traffic arguments answer /> })
                }}
                <Show when=move || lines.with(|lines| !lines.is_empty())>
                    <ul class="lines">
                        {move || {
                            let take = if all.get() { usize::MAX } else { LINES_SHOWN };
                            lines.get().into_iter().take(take).map(line_view).collect_view()
                        }}
                    </ul>
                    <Show when=move || !all.get() && lines.with(|lines| lines.len() > LINES_SHOWN)>
                        <button type="button" class="text-button" on:click=move |_| all.set(true)>
                            {move || i18n::show_more(lines.with(Vec::len) - LINES_SHOWN)}
                        </button>
                    </Show>
                </Show>
                {move || found.get().map(|(tool, answer)| panels.first(|panel| panel.found(&tool, &answer)))}
            </div>
            <Show when=can_undo>
                <button
                    type="button"
                    class="text-button step-undo"
                    data-testid="undo"
                    disabled=undoing
                    on:click=undo
                >
                    {Icon::Undo.draw()}
                    {i18n::undo()}
                </button>
            </Show>
        </div>
    }
}

/// What a call did, in one sentence, and whether that is a tool's own, which is English.
fn words_of(panels: Panels, call: &Call) -> (String, bool) {
    let said = match call.status {
        CallStatus::Queued | CallStatus::Running => {
            let tool = protocol::tool_name_now(&call.tool);
            let own = panels.first(|panel| panel.doing(tool));
            own.map_or_else(|| i18n::doing(tool, &call.title), str::to_owned)
        }
        CallStatus::Awaiting => i18n::asks_to(&call.title),
        CallStatus::Denied => i18n::declined(&call.title),
        CallStatus::Failed => {
            let why = call.result.as_ref().map(|result| result.content.as_str()).unwrap_or_default();
            i18n::did_not_work(&call.title, why)
        }
        CallStatus::Done => {
            let structured = call.result.as_ref().and_then(|result| result.structured.as_ref());
            if let Some(outcome) = structured.and_then(outcome) {
                let kinds: Vec<Kind> = lines_of(panels, call).iter().map(|line| line.kind).collect();
                // The lines below say it all where only one kind of thing happened.
                return match kinds.as_slice() {
                    [first, rest @ ..]
                        if rest.iter().all(|kind| kind == first) && !agent::takes_back(&call.tool) =>
                    {
                        ((first.done)(kinds.len()), false)
                    }
                    _ => (outcome.summary.to_owned(), true),
                };
            }
            let tool = protocol::tool_name_now(&call.tool);
            let said = structured.and_then(|answer| panels.first(|panel| panel.looked_at(tool, answer)));
            said.unwrap_or_else(|| i18n::did(&call.title))
        }
    };
    (said, false)
}

/// What a call changed. Reading changes nothing; the answer below shows what was read.
fn lines_of(panels: Panels, call: &Call) -> Vec<Line> {
    let now = clock::civil_now();
    call.result
        .as_ref()
        .filter(|result| !result.is_error)
        .and_then(|result| outcome(result.structured.as_ref()?))
        .map(|outcome| panels.lines(&outcome, &now))
        .unwrap_or_default()
}

/// What a call that was done changed, in one sentence, and whether there is a way back. None where it changed nothing.
pub(super) fn words_of_change(
    panels: Panels,
    title: &str,
    outcome: Option<&Outcome<'_>>,
) -> Option<(String, bool)> {
    match outcome {
        None => Some((i18n::did(title), false)),
        Some(outcome) => {
            let lines = panels.lines(outcome, &clock::civil_now());
            // Of one thing the summary says which.
            let titles = lines.iter().take(if lines.len() > 1 { NAMED } else { 0 });
            let named = titles.map(|line| line.title.as_str()).collect::<Vec<_>>().join(", ");
            let words = format!("{} {named}", ui_kit::moment::summary(outcome.summary));
            (!lines.is_empty()).then(|| (words.trim_end().to_owned(), true))
        }
    }
}

//! A conversation as a list to draw: one item per thing a person sees, each with a key that stays the same.

use std::sync::Arc;

use imbl::Vector;
use protocol::{CallId, CallKey, Doubt, Image, Routed, ToolCall, ToolResult};
use serde_json::Value;

use crate::entry::entries_from;
use crate::memory::{has_reference, resolved};
use crate::task_plan::{self, TaskPlan};
use crate::window::is_retried;
use crate::{
    AgentState, CallRecord, CallStatus, Disposition, Ending, Entry, EntryBody, Phase, Questions,
    RequestedCall, RetryNotice, sentences,
};

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The same for the same thing in every later view, also when a streaming answer becomes a complete one.
    pub key: String,
    /// What it is.
    pub body: ItemBody,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemBody {
    /// What the person said.
    User {
        /// The text.
        text: String,
        /// The pictures beside it.
        images: Vec<Arc<Image>>,
    },
    /// What the model said.
    Assistant {
        /// The text; may be empty while it thinks or when it only called tools (such an item is there only with a thought
        /// or while streaming).
        text: String,
        /// The visible reasoning.
        thought: String,
        /// True while it streams.
        streaming: bool,
        /// The attempt failed and is being made again.
        retry: Option<RetryNotice>,
        /// The model that gave it, by its endpoint's name.
        model: String,
        /// Why it was that one, where there were several to choose from.
        routed: Option<Routed>,
        /// What of the text no result supports (S1-27).
        doubts: Vec<Doubt>,
    },
    /// Questions to the person (S4-17).
    Question {
        /// The call that asks; [`crate::Input::Answer`] answers it.
        call_id: CallId,
        /// What is asked.
        questions: Questions,
        /// Where it stands.
        status: CallStatus,
        /// What they answered, as the model got it.
        answers: Option<Value>,
    },
    /// A plan that was put to the person (S0-58).
    Plan {
        /// The call that puts it; [`crate::Input::Answer`] approves it.
        call_id: CallId,
        /// The plan; once it is approved, as they approved it and as far as it is done.
        plan: TaskPlan,
        /// Where it stands.
        status: CallStatus,
    },
    /// A tool call.
    Call {
        /// The call.
        call: ToolCall,
        /// The name a person reads.
        title: String,
        /// Where it stands.
        status: CallStatus,
        /// True when it changes nothing.
        read_only: bool,
        /// What came of it.
        result: Option<Box<ToolResult>>,
        /// The idempotency key: what an undo of this call refers to.
        call_key: CallKey,
        /// The step of its run that asked for it, from 1, where this is the first that is drawn of that step.
        opens_step: Option<u32>,
        /// What brought text from outside before it was asked for; see [`RequestedCall::tainted_by`].
        tainted_by: Option<Box<str>>,
    },
    /// From here on the model sees older messages in short.
    Compacted {
        /// What it sees instead; empty where only long results were shortened.
        summary: String,
        /// The tokens of a request before, about.
        tokens_before: u64,
        /// The tokens after.
        tokens_after: u64,
    },
    /// The end of a run, where there is something to say about it.
    Ending {
        /// Why.
        ending: Ending,
        /// One or two sentences for the person.
        note: String,
    },
}

/// The conversation as a list to draw.
#[must_use]
pub fn view(state: &AgentState) -> Vec<Item> {
    view_from(state, 0)
}

/// Where the last turn begins: the place of the person's last message among the entries. What is drawn of the
/// entries before it does not change any more.
#[must_use]
pub fn last_turn(state: &AgentState) -> usize {
    state.entries.iter().rposition(|entry| matches!(entry.body, EntryBody::User { .. })).unwrap_or_default()
}

/// What is drawn of the entries from a place on, so that a long conversation costs a stream no more than a short
/// one.
#[must_use]
pub fn view_from(state: &AgentState, from: usize) -> Vec<Item> {
    let mut items = Vec::new();
    let last_response =
        state.entries.iter().rposition(|entry| matches!(entry.body, EntryBody::Response { .. }));
    for (at, entry) in (from..).zip(entries_from(&state.entries, from)) {
        let run_id = &entry.run_id;
        match &entry.body {
            EntryBody::User { text, images, .. } => {
                items.push(Item {
                    key: format!("{run_id}/user"),
                    body: ItemBody::User { text: text.clone(), images: images.clone() },
                });
            }
            EntryBody::Response { step, model, routed, text, thought, calls, .. } => {
                if (!text.is_empty() || !thought.is_empty()) && !is_rewritten(state, at) {
                    let mut item = assistant(&format!("{run_id}/{step}"), model, text, thought, false);
                    if let ItemBody::Assistant { doubts, routed: why, .. } = &mut item.body {
                        *doubts = doubts_of(&state.entries, at);
                        *why = *routed;
                    }
                    items.push(item);
                }
                let records = state.run.as_ref().filter(|_| Some(at) == last_response).map(|run| &run.calls);
                let mut opens_step = text.is_empty().then_some(*step);
                for requested in calls {
                    let record = records.and_then(|records| {
                        records.iter().find(|record| record.call.id == requested.call.id)
                    });
                    let (status, result) = match record {
                        Some(CallRecord { status, result, .. }) => (*status, result.clone()),
                        None => settled(&state.entries, at, requested),
                    };
                    let call_key = CallKey::new(run_id, &requested.call.id);
                    let key = call_key.to_string();
                    if let Some(body) = own_item(state, requested, status, result.as_ref()) {
                        items.push(Item { key, body });
                        continue;
                    }
                    // How far a plan is shows in the plan.
                    if requested.call.name == task_plan::UPDATE && status == CallStatus::Done {
                        continue;
                    }
                    items.push(Item {
                        key,
                        body: ItemBody::Call {
                            call: shown_call(state, requested, status, entry.at_ms),
                            title: requested.title.clone(),
                            status,
                            read_only: matches!(
                                requested.plan,
                                Disposition::Read | Disposition::Answered { .. }
                            ),
                            result: result.map(Box::new),
                            call_key,
                            opens_step: opens_step.take(),
                            tainted_by: requested.tainted_by.as_deref().map(Box::from),
                        },
                    });
                }
            }
            EntryBody::Ended { ending, note, partial, .. } if !is_retried(&state.entries, at) => {
                if let Some(partial) = partial
                    && !(partial.text.is_empty() && partial.thought.is_empty())
                {
                    let key = format!("{run_id}/{}", partial.step);
                    items.push(assistant(&key, &partial.model, &partial.text, &partial.thought, false));
                }
                if !note.is_empty() {
                    items.push(Item {
                        key: format!("{run_id}/end"),
                        body: ItemBody::Ending { ending: ending.clone(), note: note.clone() },
                    });
                }
            }
            EntryBody::Compacted(compaction) => {
                let summary = if compaction.from > 0 { compaction.summary.text() } else { String::new() };
                let (tokens_before, tokens_after) = (compaction.tokens_before, compaction.tokens_after);
                items.push(Item {
                    key: format!("fold/{}", entry.seq),
                    body: ItemBody::Compacted { summary, tokens_before, tokens_after },
                });
            }
            EntryBody::Ended { .. }
            | EntryBody::Retried { .. }
            | EntryBody::Decision { .. }
            | EntryBody::ImpactEstimated { .. }
            | EntryBody::Result { .. }
            | EntryBody::Doubted { .. }
            | EntryBody::Resumed {} => {}
        }
    }
    if let Some(run) = state.run.as_ref().filter(|run| run.phase == Phase::Model) {
        let live = &state.live;
        // What was said before the break stands until the next attempt says something.
        let text = if live.retry.is_some() { &live.broken_off } else { &live.text };
        let key = format!("{}/{}", run.run_id, run.steps + 1);
        let mut item = assistant(&key, &state.config.model, text, &live.thought, true);
        if let ItemBody::Assistant { retry, routed, .. } = &mut item.body {
            retry.clone_from(&live.retry);
            *routed = state.config.routed;
        }
        items.push(item);
    }
    items
}

fn assistant(key: &str, model: &str, text: &str, thought: &str, streaming: bool) -> Item {
    Item {
        key: key.to_owned(),
        body: ItemBody::Assistant {
            text: text.to_owned(),
            thought: thought.to_owned(),
            streaming,
            retry: None,
            doubts: Vec::new(),
            model: model.to_owned(),
            routed: None,
        },
    }
}

/// True when the answer at `at` was to be written again, and the next one has begun.
fn is_rewritten(state: &AgentState, at: usize) -> bool {
    matches!(state.entries.get(at + 1).map(|next| &next.body), Some(EntryBody::Doubted { .. }))
        && (state.entries.len() > at + 2 || !state.live.text.is_empty())
}

/// What of the answer at `at` no result supports: its run's end says so.
fn doubts_of(entries: &Vector<Arc<Entry>>, at: usize) -> Vec<Doubt> {
    match entries.get(at + 1).map(|next| &next.body) {
        Some(EntryBody::Ended { doubts, .. }) => doubts.clone(),
        _ => Vec::new(),
    }
}

/// A call that asks the person something, as what it asks; none for any other, and for one that was refused.
fn own_item(
    state: &AgentState,
    requested: &RequestedCall,
    status: CallStatus,
    result: Option<&ToolResult>,
) -> Option<ItemBody> {
    if requested.plan != Disposition::Question {
        return None;
    }
    let call_id = requested.call.id.clone();
    let data = result.filter(|result| !result.is_error).and_then(|result| result.structured.as_ref());
    if requested.call.name == task_plan::PROPOSE {
        let approved = data.and_then(|data| serde_json::from_value(data.get("plan")?.clone()).ok());
        let plan = approved.or_else(|| TaskPlan::of(&requested.call.arguments).ok())?;
        let same = |current: &&TaskPlan| {
            let titles =
                |plan: &TaskPlan| plan.steps.iter().map(|step| step.title.clone()).collect::<Vec<_>>();
            data.is_some() && titles(current) == titles(&plan)
        };
        let plan = state.plan.as_ref().filter(same).cloned().unwrap_or(plan);
        return Some(ItemBody::Plan { call_id, plan, status });
    }
    let questions = Questions::saved(&requested.call.arguments).ok()?;
    Some(ItemBody::Question { call_id, questions, status, answers: data.cloned() })
}

/// A call that waits for the person shows what would really be called (D-18).
fn shown_call(state: &AgentState, requested: &RequestedCall, status: CallStatus, now_ms: i64) -> ToolCall {
    let mut call = requested.call.clone();
    if status == CallStatus::Awaiting
        && has_reference(&call.arguments)
        && let Ok(arguments) = resolved(state, &call.arguments, now_ms)
    {
        call.arguments = arguments;
    }
    call
}

/// What a call of an earlier response came to.
fn settled(
    entries: &Vector<Arc<Entry>>,
    at: usize,
    requested: &RequestedCall,
) -> (CallStatus, Option<ToolResult>) {
    let call_id = &requested.call.id;
    let refusal = |message: &str| ToolResult {
        call_id: call_id.clone(),
        name: requested.call.name.clone(),
        is_error: true,
        content: message.to_owned(),
        structured: None,
    };
    match &requested.plan {
        Disposition::Refuse { message } => return (CallStatus::Failed, Some(refusal(message))),
        Disposition::Answered { content } => {
            return (CallStatus::Done, Some(ToolResult { is_error: false, ..refusal(content) }));
        }
        Disposition::Read
        | Disposition::Write
        | Disposition::Ask
        | Disposition::EstimateImpact { .. }
        | Disposition::Question => {}
    }
    for entry in entries_from(entries, at + 1) {
        match &entry.body {
            EntryBody::Result { result, .. } if result.call_id == *call_id => {
                let status = if result.is_error { CallStatus::Failed } else { CallStatus::Done };
                return (status, Some(result.clone()));
            }
            EntryBody::Decision { call_id: decided, approved: false } if decided == call_id => {
                return (CallStatus::Denied, Some(refusal(sentences::DECLINED)));
            }
            EntryBody::Ended { repairs, .. } => {
                if let Some(repair) = repairs.iter().find(|repair| repair.call_id == *call_id) {
                    return (CallStatus::Failed, Some(repair.clone()));
                }
            }
            _ => {}
        }
    }
    (CallStatus::Failed, None)
}

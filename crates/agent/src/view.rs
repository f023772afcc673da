//! A conversation as a list to draw: one item per thing a person sees, each with a key that stays the same.

use imbl::Vector;
use protocol::{ToolCall, ToolResult};

use crate::calls::call_key;
use crate::entry::entries_from;
use crate::window::is_retried;
use crate::{
    AgentState, CallRecord, CallStatus, Ending, Entry, EntryBody, Phase, Plan, RequestedCall, RetryNotice,
    words,
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
        result: Option<ToolResult>,
        /// The idempotency key: what an undo of this call refers to.
        call_key: String,
    },
    /// From here on the model sees older messages in short.
    Folded {
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
            EntryBody::User { text, .. } => {
                items.push(Item {
                    key: format!("{run_id}/user"),
                    body: ItemBody::User { text: text.clone() },
                });
            }
            EntryBody::Response { step, text, thought, calls, .. } => {
                if !text.is_empty() || !thought.is_empty() {
                    items.push(assistant(&format!("{run_id}/{step}"), text, thought, false));
                }
                let records = state.run.as_ref().filter(|_| Some(at) == last_response).map(|run| &run.calls);
                for requested in calls {
                    let record = records.and_then(|records| {
                        records.iter().find(|record| record.call.id == requested.call.id)
                    });
                    let (status, result) = match record {
                        Some(CallRecord { status, result, .. }) => (*status, result.clone()),
                        None => settled(&state.entries, at, requested),
                    };
                    let key = call_key(run_id, &requested.call.id);
                    items.push(Item {
                        key: key.clone(),
                        body: ItemBody::Call {
                            call: requested.call.clone(),
                            title: requested.title.clone(),
                            status,
                            read_only: requested.plan == Plan::Read,
                            result,
                            call_key: key,
                        },
                    });
                }
            }
            EntryBody::Ended { ending, note, partial, .. } if !is_retried(&state.entries, at) => {
                if let Some(partial) = partial
                    && !(partial.text.is_empty() && partial.thought.is_empty())
                {
                    let key = format!("{run_id}/{}", partial.step);
                    items.push(assistant(&key, &partial.text, &partial.thought, false));
                }
                if !note.is_empty() {
                    items.push(Item {
                        key: format!("{run_id}/end"),
                        body: ItemBody::Ending { ending: ending.clone(), note: note.clone() },
                    });
                }
            }
            EntryBody::Compacted(fold) => {
                let summary = if fold.from > 0 { fold.summary.text() } else { String::new() };
                let (tokens_before, tokens_after) = (fold.tokens_before, fold.tokens_after);
                items.push(Item {
                    key: format!("fold/{}", entry.seq),
                    body: ItemBody::Folded { summary, tokens_before, tokens_after },
                });
            }
            EntryBody::Ended { .. }
            | EntryBody::Retried { .. }
            | EntryBody::Decision { .. }
            | EntryBody::Weighed { .. }
            | EntryBody::Result { .. }
            | EntryBody::Resumed {} => {}
        }
    }
    if let Some(run) = state.run.as_ref().filter(|run| run.phase == Phase::Model) {
        let live = &state.live;
        // What was said before the break stands until the next attempt says something.
        let text = if live.retry.is_some() { &live.broken_off } else { &live.text };
        let mut item = assistant(&format!("{}/{}", run.run_id, run.steps + 1), text, &live.thought, true);
        if let ItemBody::Assistant { retry, .. } = &mut item.body {
            retry.clone_from(&live.retry);
        }
        items.push(item);
    }
    items
}

fn assistant(key: &str, text: &str, thought: &str, streaming: bool) -> Item {
    Item {
        key: key.to_owned(),
        body: ItemBody::Assistant {
            text: text.to_owned(),
            thought: thought.to_owned(),
            streaming,
            retry: None,
        },
    }
}

/// What a call of an earlier response came to.
fn settled(
    entries: &Vector<Entry>,
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
    if let Plan::Refuse { message } = &requested.plan {
        return (CallStatus::Failed, Some(refusal(message)));
    }
    for entry in entries_from(entries, at + 1) {
        match &entry.body {
            EntryBody::Result { result, .. } if result.call_id == *call_id => {
                let status = if result.is_error { CallStatus::Failed } else { CallStatus::Done };
                return (status, Some(result.clone()));
            }
            EntryBody::Decision { call_id: decided, approved: false } if decided == call_id => {
                return (CallStatus::Denied, Some(refusal(words::DECLINED)));
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

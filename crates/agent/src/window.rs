//! What of the conversation the model sees, in the form providers accept (D-05).
//!
//! The whole conversation while it fits; then what [`crate::ContextPolicy`] says (D-10): a summary in place of older turns, or
//! some of them left out.

use std::collections::BTreeMap;

use imbl::Vector;
use protocol::{CallId, Message, ToolResult, fence};

use crate::context::Measure;
use crate::entry::entries_from;
use crate::words;
use crate::{
    AgentState, Entry, EntryBody, Plan, Pruning, RequestedCall, Strategy, prune_conversation,
    system_prompt_after,
};

/// The messages of the next model request, system message first. Every assistant message with calls is followed by
/// exactly one result per call, in the order of the calls; a call nobody answered gets an error result here.
#[must_use]
pub fn window(state: &AgentState) -> Vec<Message> {
    let mut messages = Vec::with_capacity(state.entries.len() + 1);
    if let Some(run) = &state.run {
        let earlier =
            state.folded.as_ref().filter(|folded| folded.from > 0).map(|folded| folded.summary.text());
        let earlier = earlier.unwrap_or_default();
        let content = system_prompt_after(&earlier, &state.config.instructions, &run.context, &run.boundary);
        messages.push(Message::System { content });
    }
    let mut boundary = "";
    let (from, results_from) =
        state.folded.as_ref().map_or((0, 0), |folded| (folded.from, folded.results_from));
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    for (at, entry) in (from..).zip(entries_from(&state.entries, from)) {
        match &entry.body {
            EntryBody::User { text, boundary: of_run, .. } => {
                boundary = of_run;
                messages.push(Message::User { content: text.clone() });
            }
            EntryBody::Retried { boundary: of_run, .. } => boundary = of_run,
            EntryBody::Response { text, calls, .. } => {
                // A response with nothing in it is no message a provider accepts.
                if !text.is_empty() || !calls.is_empty() {
                    messages.push(Message::Assistant {
                        content: text.clone(),
                        thought: String::new(),
                        tool_calls: calls.iter().map(|requested| requested.call.clone()).collect(),
                    });
                }
                let results = results_after(&state.entries, at);
                for requested in calls {
                    messages.push(tool_message(
                        requested,
                        results.get(&requested.call.id).copied(),
                        boundary,
                        state.config.max_result_chars,
                        entry.seq < results_from,
                    ));
                }
            }
            // What was tried again is said again: the first attempt's half answer would only confuse.
            EntryBody::Ended { partial: Some(partial), .. }
                if !partial.text.is_empty() && !is_retried(&state.entries, at) =>
            {
                messages.push(Message::Assistant {
                    content: partial.text.clone(),
                    thought: String::new(),
                    tool_calls: vec![],
                });
            }
            EntryBody::Ended { .. }
            | EntryBody::Decision { .. }
            | EntryBody::Weighed { .. }
            | EntryBody::Result { .. }
            | EntryBody::Resumed {}
            | EntryBody::Compacted(_) => {}
        }
    }
    pruned(state, messages)
}

/// The messages that stay where older turns are left out instead of summarised.
fn pruned(state: &AgentState, messages: Vec<Message>) -> Vec<Message> {
    let policy = &state.config.context;
    let pruning = match policy.strategy {
        _ if policy.never => return messages,
        Strategy::Summarise => return messages,
        Strategy::OldestFirst => Pruning::OldestFirst,
        Strategy::MiddleOut => Pruning::MiddleOut,
        Strategy::RecentTurnsOnly { turns } => Pruning::RecentTurnsOnly(turns),
    };
    let count = |message: &Message| state.estimator.tokens(&Measure::of_message(message));
    let recent = policy.min_recent_turns.max(1);
    prune_conversation(&messages, &pruning, policy.limit_tokens(), policy.max_messages, recent, &count)
}

/// True when the run that ended at `at` was tried again.
pub(crate) fn is_retried(entries: &Vector<Entry>, at: usize) -> bool {
    matches!(entries.get(at + 1).map(|next| &next.body), Some(EntryBody::Retried { .. }))
}

/// What the calls of the response at `at` came to: their results are somewhere before the next response.
fn results_after(entries: &Vector<Entry>, at: usize) -> BTreeMap<&CallId, Answer<'_>> {
    let mut results = BTreeMap::new();
    for entry in entries_from(entries, at + 1) {
        match &entry.body {
            EntryBody::Result { result, .. } => {
                results.entry(&result.call_id).or_insert(Answer::Result(result));
            }
            EntryBody::Decision { call_id, approved: false } => {
                results.entry(call_id).or_insert(Answer::Declined);
            }
            EntryBody::Ended { repairs, .. } => {
                for repair in repairs {
                    results.entry(&repair.call_id).or_insert(Answer::Result(repair));
                }
            }
            EntryBody::Response { .. } | EntryBody::User { .. } | EntryBody::Retried { .. } => break,
            EntryBody::Decision { approved: true, .. }
            | EntryBody::Weighed { .. }
            | EntryBody::Resumed {}
            | EntryBody::Compacted(_) => {}
        }
    }
    results
}

#[derive(Clone, Copy)]
enum Answer<'a> {
    Result(&'a ToolResult),
    Declined,
}

fn tool_message(
    requested: &RequestedCall,
    answer: Option<Answer<'_>>,
    boundary: &str,
    max_chars: usize,
    is_old: bool,
) -> Message {
    let (text, is_error) = match (&requested.plan, answer) {
        (Plan::Refuse { message }, _) => (message.clone(), true),
        (_, Some(Answer::Result(result))) if is_old => (in_short(&result.content), result.is_error),
        (_, Some(Answer::Result(result))) => (for_model(&result.content, max_chars), result.is_error),
        (_, Some(Answer::Declined)) => (words::DECLINED.to_owned(), true),
        (_, None) => (words::UNKNOWN_OUTCOME.to_owned(), true),
    };
    Message::Tool {
        call_id: requested.call.id.clone(),
        name: requested.call.name.clone(),
        content: fence(boundary, &requested.call.name, &text),
        is_error,
    }
}

/// The longest result that stays whole however old it is, in characters: the limit of a summary (D-03).
const SHORT: usize = 200;

/// An old result where room is needed: the first words of it, up to the end of one, unless it is short anyway.
fn in_short(content: &str) -> String {
    let chars = content.chars().count();
    if chars <= SHORT {
        return content.to_owned();
    }
    // What is data has no beginning that says anything.
    if content.trim_start().starts_with(['{', '[']) {
        return format!(
            "The call worked; its result of {chars} characters is not shown again. Call the tool for it."
        );
    }
    let end = content.char_indices().nth(SHORT).map_or(content.len(), |(at, _)| at);
    let start = content.get(..end).unwrap_or_default();
    let start = start.rfind(char::is_whitespace).and_then(|space| start.get(..space)).unwrap_or(start);
    format!("{start} … (The result had {chars} characters; call the tool again for all of it.)")
}

/// A result travels whole (D-03), unless it is so long that it would drown the conversation. Summaries with references
/// for everything in between come here.
fn for_model(content: &str, max_chars: usize) -> String {
    let chars = content.chars().count();
    if chars <= max_chars {
        content.to_owned()
    } else {
        format!(
            "The call worked, but its result is too long to show here ({chars} characters, at most {max_chars}). \
             Ask for less: use a filter or a smaller limit."
        )
    }
}

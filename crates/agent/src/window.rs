//! What of the conversation the model sees, in the form providers accept (D-05).
//!
//! The whole conversation while it fits; then what [`crate::ContextPolicy`] says (D-10): a summary in place of older turns, or
//! some of them left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::Vector;
use protocol::{CallId, Message, ToolCall, ToolResult, fence_of_call, fence_untrusted};

use crate::context::{Measure, measure};
use crate::entry::entries_from;
use crate::memory::Kept;
use crate::sentences;
use crate::{
    AgentConfig, AgentState, Canonical, Disposition, Entry, EntryBody, EvidencePolicy, Pruning,
    RequestedCall, Strategy, own, prune_conversation, system_prompt_after,
};

/// The messages of the next model request, system message first. Every assistant message with calls is followed by
/// exactly one result per call, in the order of the calls; a call nobody answered gets an error result here.
#[must_use]
pub fn window(state: &AgentState) -> Vec<Arc<Message>> {
    let (from, _) = compacted(state);
    let messages = system(state).into_iter().chain(spoken(state, from, state.entries.len())).collect();
    pruned(state, messages).into_iter().map(Arc::new).collect()
}

/// The same, and how large the request is with its tools. What earlier runs said is made once for each run and not for each
/// request: all that a step costs more in a long conversation is a copy.
pub(crate) fn prepared(state: &mut AgentState) -> (Vec<Arc<Message>>, Measure) {
    let policy = &state.config.context;
    // Where messages are left out, which ones hangs on all of them.
    if !policy.never && policy.strategy != Strategy::Summarise {
        let messages = window(state);
        let size = measure(state, &messages);
        return (messages, size);
    }
    let run = state.run.as_ref().map(|run| &run.run_id);
    let of_run = state.entries.iter().rev().take_while(|entry| Some(&entry.run_id) == run).count();
    let start = state.entries.len() - of_run;
    let past = std::mem::take(&mut state.past).up_to(state, start);
    let now: Vec<Message> = spoken(state, start.max(compacted(state).0), state.entries.len());
    let system = system(state);
    let size = past.size
        + system.iter().chain(&now).fold(measure(state, &[]), |sum, one| sum + Measure::of_message(one));
    let mut messages = Vec::with_capacity(1 + past.messages.len() + now.len());
    messages.extend(system.map(Arc::new));
    messages.extend_from_slice(&past.messages);
    messages.extend(now.into_iter().map(Arc::new));
    state.past = Past(Some(past));
    (messages, size)
}

/// From which entry on the model sees what was said, and results whole.
fn compacted(state: &AgentState) -> (usize, u64) {
    let (from, results_from) =
        state.compacted.as_ref().map_or((0, 0), |compacted| (compacted.from, compacted.results_from));
    (usize::try_from(from).unwrap_or(usize::MAX), results_from)
}

/// What earlier runs said. It is made of the rest of the state, so that any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past(Option<Arc<PastRuns>>);

impl PartialEq for Past {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Debug)]
struct PastRuns {
    /// What they were made by: where they begin, from where on results are whole, and what makes a result's text.
    by: ((usize, u64), u64, EvidencePolicy),
    /// The entry behind the last of them.
    end: usize,
    messages: Vec<Arc<Message>>,
    size: Measure,
}

impl Past {
    /// The runs before an entry, of which some are here already.
    fn up_to(self, state: &AgentState, end: usize) -> Arc<PastRuns> {
        let by = (compacted(state), state.config.memory.whole_tokens, state.config.evidence);
        let known = self.0.filter(|past| past.by == by && past.end <= end);
        let from = by.0.0;
        let mut past = known.unwrap_or_else(|| {
            Arc::new(PastRuns { by, end: from, messages: Vec::new(), size: Measure::default() })
        });
        if past.end < end {
            let more = spoken(state, past.end, end);
            let past = Arc::make_mut(&mut past);
            past.size = more.iter().fold(past.size, |sum, one| sum + Measure::of_message(one));
            past.messages.extend(more.into_iter().map(Arc::new));
            past.end = end;
        }
        past
    }
}

fn system(state: &AgentState) -> Option<Message> {
    let run = state.run.as_ref()?;
    let earlier = state
        .compacted
        .as_ref()
        .filter(|compacted| compacted.from > 0)
        .map(|compacted| compacted.summary.text());
    let earlier = earlier.unwrap_or_default();
    let instructions = own::instructions(state, &run.boundary, run.started_ms);
    let content = system_prompt_after(&earlier, &instructions, &run.context, &run.boundary);
    Some(Message::System { content })
}

/// What was said from one entry up to another.
fn spoken(state: &AgentState, from: usize, end: usize) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut boundary = "";
    let (_, results_from) = compacted(state);
    for (at, entry) in (from..end).zip(entries_from(&state.entries, from)) {
        match &entry.body {
            EntryBody::User { text, images, boundary: of_run, .. } => {
                boundary = of_run;
                messages.push(Message::User { content: text.clone(), images: images.clone() });
            }
            EntryBody::Retried { boundary: of_run, .. } => boundary = of_run,
            EntryBody::Response { text, thought, calls, .. } => {
                // A response with nothing in it is no message a provider accepts.
                if !text.is_empty() || !calls.is_empty() {
                    messages.push(Message::Assistant {
                        content: text.clone(),
                        thought: thought.clone(),
                        tool_calls: calls.iter().map(|requested| requested.call.clone()).collect(),
                    });
                }
                let results = results_after(&state.entries, at);
                for requested in calls {
                    messages.push(tool_message(
                        requested,
                        results.get(&requested.call.id).copied(),
                        boundary,
                        &state.config,
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
                    thought: partial.thought.clone(),
                    tool_calls: vec![],
                });
            }
            EntryBody::Doubted { message } => messages.push(Message::user(message.clone())),
            EntryBody::Ended { .. }
            | EntryBody::Decision { .. }
            | EntryBody::ImpactEstimated { .. }
            | EntryBody::Result { .. }
            | EntryBody::Resumed {}
            | EntryBody::Compacted(_) => {}
        }
    }
    messages
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

/// True when the run that ended at `at` was tried again, also where older turns were compacted in between.
pub(crate) fn is_retried(entries: &Vector<Arc<Entry>>, at: usize) -> bool {
    let next = entries_from(entries, at + 1).find(|next| !matches!(next.body, EntryBody::Compacted(_)));
    matches!(next.map(|next| &next.body), Some(EntryBody::Retried { .. }))
}

/// What the calls of the response at `at` came to: their results are somewhere before the next response.
fn results_after(entries: &Vector<Arc<Entry>>, at: usize) -> BTreeMap<&CallId, Answer<'_>> {
    let mut results = BTreeMap::new();
    for entry in entries_from(entries, at + 1) {
        match &entry.body {
            EntryBody::Result { result, kept, outside, .. } => {
                let answer = Answer::Result { result, kept: kept.as_ref(), outside: *outside };
                results.entry(&result.call_id).or_insert(answer);
            }
            EntryBody::Decision { call_id, approved: false } => {
                results.entry(call_id).or_insert(Answer::Declined);
            }
            EntryBody::Ended { repairs, .. } => {
                for repair in repairs {
                    let answer = Answer::Result { result: repair, kept: None, outside: false };
                    results.entry(&repair.call_id).or_insert(answer);
                }
            }
            EntryBody::Response { .. } | EntryBody::User { .. } | EntryBody::Retried { .. } => break,
            EntryBody::Decision { approved: true, .. }
            | EntryBody::ImpactEstimated { .. }
            | EntryBody::Resumed {}
            | EntryBody::Doubted { .. }
            | EntryBody::Compacted(_) => {}
        }
    }
    results
}

#[derive(Clone, Copy)]
enum Answer<'a> {
    Result {
        result: &'a ToolResult,
        kept: Option<&'a Kept>,
        /// Strangers may have written it.
        outside: bool,
    },
    Declined,
}

fn tool_message(
    requested: &RequestedCall,
    answer: Option<Answer<'_>>,
    boundary: &str,
    config: &AgentConfig,
    is_old: bool,
) -> Message {
    let (text, is_error) = match (&requested.plan, answer) {
        (Disposition::Refuse { message }, _) => (message.clone(), true),
        (Disposition::Answered { content }, _) => (content.clone(), false),
        (_, Some(Answer::Result { result, kept, .. })) => {
            (for_model(result, kept, config.memory.whole_tokens, is_old), result.is_error)
        }
        (_, Some(Answer::Declined)) => (sentences::DECLINED.to_owned(), true),
        (_, None) => (sentences::UNKNOWN_OUTCOME.to_owned(), true),
    };
    let ToolCall { id, name, .. } = &requested.call;
    let cited = match config.evidence {
        EvidencePolicy::Off => "",
        EvidencePolicy::Mark | EvidencePolicy::Repair => &id.0,
    };
    let outside = match (&requested.plan, answer) {
        // What was stored of such text is such text.
        (Disposition::Answered { .. }, _) => requested.tainted_by.is_some(),
        (_, answer) => matches!(answer, Some(Answer::Result { outside: true, .. })),
    };
    let fence = if outside { fence_untrusted } else { fence_of_call };
    Message::Tool {
        call_id: id.clone(),
        name: name.clone(),
        content: fence(boundary, name, cited, &text),
        is_error,
    }
}

/// The longest result that stays whole however old it is, in characters: the limit of a summary (D-03).
const SHORT: usize = 200;

/// The longest error that is told whole, in characters: some servers answer with a page.
const LONGEST_ERROR: usize = 4_000;

/// A result travels whole while it is small, and in short where it is not, or is old and room is needed (D-03, S0-32).
fn for_model(result: &ToolResult, kept: Option<&Kept>, whole_tokens: u64, is_old: bool) -> String {
    let is_whole = match kept {
        Some(kept) => kept.tokens <= whole_tokens && !(is_old && result.content.chars().count() > SHORT),
        None if result.is_error => result.content.chars().count() <= LONGEST_ERROR,
        // What the person answered, and what was saved before results had references.
        None => !is_old || result.content.chars().count() <= SHORT,
    };
    if is_whole {
        return result.content.clone();
    }
    let data_ref = kept.map(|kept| kept.data_ref.as_str()).unwrap_or_default();
    let canonical = Canonical::of(result, data_ref);
    if is_old { canonical.in_short() } else { canonical }.text(&result.name)
}

//! When older turns are compacted, and how many. The log keeps everything; from here on the model sees a summary of what was
//! before (D-10). One compaction makes room for many turns, so that the beginning of a request stays the same for long, which
//! providers cache.

use std::sync::Arc;

use protocol::Message;

use super::{Compaction, ContextPolicy, Measure, Strategy, share};
use crate::{AgentState, EntryBody, window};

/// Of the target, the part that a summary may take, in percent.
const SUMMARY_PERCENT: u8 = 40;

/// The characters of a summary for each of its tokens; few, so that any language fits.
const CHARS_PER_TOKEN: u64 = 2;

/// The least room for a summary, in characters.
const LEAST_SUMMARY: u64 = 400;

/// What is compacted because the next request, of so many messages and this size, would be too large; none where it is
/// not, or nothing can be.
pub(crate) fn compaction(state: &AgentState, messages: usize, size: &Measure) -> Option<Compaction> {
    let policy = &state.config.context;
    if policy.never || policy.strategy != Strategy::Summarise {
        return None;
    }
    let tokens = state.estimator.tokens(size);
    let is_too_large = match (policy.limit_tokens(), policy.max_messages) {
        // Tokens come before messages (S3-11).
        (Some(limit), _) => tokens > limit,
        // The system's is not counted.
        (None, Some(most)) => messages > most.saturating_add(1),
        (None, None) => false,
    };
    if is_too_large { compacted(state, policy, tokens, false) } else { None }
}

/// What is compacted because the person asks for it: all but the last turns. None where there is nothing.
pub(crate) fn compact_now(state: &AgentState) -> Option<Compaction> {
    compacted(state, &state.config.context, state.estimated_tokens(), true)
}

/// What is compacted because the model's server found the request too large, whatever its window was thought to be: all
/// but the last turns. None where there is nothing, so no request is made twice.
pub(crate) fn compact_refused(state: &AgentState) -> Option<Compaction> {
    let policy = &state.config.context;
    if policy.never || policy.strategy != Strategy::Summarise {
        return None;
    }
    compact_now(state).map(|compaction| Compaction { asked: false, ..compaction })
}

fn compacted(
    state: &AgentState,
    policy: &ContextPolicy,
    tokens_before: u64,
    asked: bool,
) -> Option<Compaction> {
    let limit = policy.limit_tokens().unwrap_or(tokens_before);
    let limit = if asked { limit.max(tokens_before) } else { limit };
    let target = if asked { 0 } else { share(limit, policy.target_percent) };
    let summary_tokens = share(target.max(limit / 4), SUMMARY_PERCENT);
    let summary_chars = summary_tokens.saturating_mul(CHARS_PER_TOKEN).max(LEAST_SUMMARY);
    let old = state.compacted.clone().unwrap_or_default();
    let seen = state.entries.skip(place(old.from, state));
    let is_turn = |body: &EntryBody| matches!(body, EntryBody::User { .. });
    let starts: Vec<u64> = seen.iter().filter(|entry| is_turn(&entry.body)).map(|entry| entry.seq).collect();
    // At least the run that is open stays.
    let recent = policy.min_recent_turns.max(1).min(starts.len());
    let last = *starts.get(starts.len() - recent)?;

    // Where messages are counted, a summary helps although it is longer than what it stands for.
    let most = policy.max_messages.filter(|_| !asked && policy.limit_tokens().is_none());
    let most = most.map(|most| share(most as u64, policy.target_percent));

    let made = |from: u64| {
        let mut compaction =
            Compaction { results_from: last.max(old.results_from), tokens_before, asked, ..old.clone() };
        if from > old.from {
            let entries = seen.take(place(from, state) - place(old.from, state));
            let chars = usize::try_from(summary_chars).unwrap_or(usize::MAX);
            (compaction.from, compaction.summary) =
                (from, compaction.summary.with(&entries, &policy.pins, chars));
        }
        let after = AgentState { compacted: Some(compaction.clone()), ..state.clone() };
        let messages = window(&after);
        compaction.tokens_after = after.estimator.tokens(&measure(&after, &messages));
        let is_too_large = match most {
            // The system's is not counted.
            Some(most) => messages.len() as u64 > most.saturating_add(1),
            None => compaction.tokens_after > target,
        };
        (compaction, is_too_large)
    };
    // Results first: they are large, and can be asked for again.
    let (shortened, _) = made(old.from);
    let is_enough = !asked && most.is_none() && shortened.tokens_after <= target.midpoint(limit);
    let mut best = shortened;
    if !is_enough {
        // Then turns, as few as make room. The more is compacted the less there is, so the place is found by halving;
        // where none makes room, the last one compacts the most.
        let places = starts.get(1..).unwrap_or_default();
        let places = places.get(..places.partition_point(|from| *from <= last)).unwrap_or_default();
        let first = places.partition_point(|from| made(*from).1);
        if let Some(from) = places.get(first).or(places.last()) {
            best = made(*from).0;
        }
    }
    let is_less = match most {
        Some(_) => best.from > old.from,
        None => best.tokens_after < tokens_before,
    };
    is_less.then_some(best)
}

/// The place of an entry in the log.
fn place(seq: u64, state: &AgentState) -> usize {
    usize::try_from(seq).unwrap_or(usize::MAX).min(state.entries.len())
}

/// How large a request with these messages is, its tools included.
pub(crate) fn measure(state: &AgentState, messages: &[Arc<Message>]) -> Measure {
    let tools = state.offered_tools().map(|tool| tool.size);
    messages
        .iter()
        .map(|message| Measure::of_message(message))
        .chain(tools)
        .fold(Measure::default(), |sum, one| sum + one)
}

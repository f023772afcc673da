//! When older turns are folded away, and how many. The log keeps everything; from here on the model sees a summary of what was
//! before (D-10). One fold makes room for many turns, so that the beginning of a request stays the same for long, which
//! providers cache.

use imbl::Vector;
use protocol::Message;

use super::{ContextPolicy, Measure, Strategy};
use crate::window::window;
use crate::{AgentState, Entry, EntryBody};

/// Of the target, the part that a summary may take, in percent.
const SUMMARY_PERCENT: u64 = 40;

/// The characters of a summary for each of its tokens; few, so that any language fits.
const CHARS_PER_TOKEN: u64 = 2;

/// The least room for a summary, in characters.
const LEAST_SUMMARY: u64 = 400;

/// What is folded away because the next request would be too large; none where it is not, or nothing can be.
pub(crate) fn compaction(state: &AgentState, messages: &[Message]) -> Option<EntryBody> {
    let policy = &state.config.context;
    let has_limit = policy.limit_tokens().is_some() || policy.max_messages.is_some();
    if policy.never || policy.strategy != Strategy::Summarise || !has_limit {
        return None;
    }
    let tokens = tokens_of(state, messages);
    let too_many = policy.limit_tokens().is_some_and(|limit| tokens > limit);
    let too_long =
        policy.max_messages.is_some_and(|most| policy.limit_tokens().is_none() && messages.len() > most + 1);
    if too_many || too_long { folded(state, policy, tokens, false) } else { None }
}

/// What is folded away because the person asks for it: all but the last turns. None where there is nothing.
pub(crate) fn compact_now(state: &AgentState) -> Option<EntryBody> {
    let tokens = tokens_of(state, &window(state));
    folded(state, &state.config.context, tokens, true)
}

fn folded(state: &AgentState, policy: &ContextPolicy, tokens_before: u64, asked: bool) -> Option<EntryBody> {
    let limit = policy.limit_tokens().unwrap_or(tokens_before);
    let limit = if asked { limit.max(tokens_before) } else { limit };
    let target = if asked { 0 } else { limit * u64::from(policy.target_percent.min(100)) / 100 };
    let before = state.folded.as_ref().map_or(0, |folded| folded.from);
    let starts: Vec<u64> = state
        .entries
        .iter()
        .skip(usize::try_from(before).unwrap_or(usize::MAX))
        .filter(|entry| matches!(entry.body, EntryBody::User { .. }))
        .map(|entry| entry.seq)
        .collect();
    // At least the run that is open stays.
    let recent = policy.min_recent_turns.max(1).min(starts.len());
    let last = *starts.get(starts.len() - recent)?;
    let summary_chars = (target.max(limit / 4) * SUMMARY_PERCENT / 100 * CHARS_PER_TOKEN).max(LEAST_SUMMARY);
    let made = |from: u64, results_from: u64| -> (EntryBody, u64) {
        let old = state.folded.as_ref().map(|folded| folded.summary.clone()).unwrap_or_default();
        let entries = between(&state.entries, before, from);
        let chars = usize::try_from(summary_chars).unwrap_or(usize::MAX);
        let summary = if from > before { old.with(&entries, &policy.pins, chars) } else { old };
        let body =
            EntryBody::Compacted { from, results_from, summary, tokens_before, tokens_after: 0, asked };
        let mut after = state.clone();
        crate::fold::compacted(&mut after, &body);
        let tokens = tokens_of(&after, &window(&after));
        (body, tokens)
    };
    // Results first: they are large, and can be asked for again. Then turns, as few as make room.
    let results_were = state.folded.as_ref().map_or(0, |folded| folded.results_from);
    let shorter = (last > results_were && !asked)
        .then(|| made(before, last))
        .filter(|(_, tokens)| *tokens <= (target + limit) / 2);
    let mut best = shorter;
    if best.is_none() {
        let mut places: Vec<u64> =
            starts.into_iter().filter(|from| *from > before && *from <= last).collect();
        // The more is folded, the less there is: the first place that fits is found by halving.
        while let Some(&from) = places.get(places.len() / 2) {
            let this = made(from, last.max(results_were));
            let fits = this.1 <= target;
            places = if fits {
                places[..places.len() / 2].to_vec()
            } else {
                places[places.len() / 2 + 1..].to_vec()
            };
            // Where none fits it is the last one that was tried, which folds the most.
            if fits || best.as_ref().is_none_or(|(_, tokens)| *tokens > target) {
                best = Some(this);
            }
        }
    }
    // With one turn alone there are only its results.
    let best = best.or_else(|| (last > results_were).then(|| made(before, last)));
    let (body, tokens_after) = best?;
    match body {
        EntryBody::Compacted { from, results_from, summary, tokens_before, asked, .. }
            if tokens_after < tokens_before =>
        {
            Some(EntryBody::Compacted { from, results_from, summary, tokens_before, tokens_after, asked })
        }
        _ => None,
    }
}

/// The entries from one on, up to another.
fn between(entries: &Vector<Entry>, from: u64, to: u64) -> Vector<Entry> {
    let place = |seq: u64| usize::try_from(seq).unwrap_or(usize::MAX).min(entries.len());
    entries.take(place(to)).skip(place(from))
}

/// How many tokens a request with these messages has, about, its tools included.
pub(crate) fn tokens_of(state: &AgentState, messages: &[Message]) -> u64 {
    let tools = state.tools.iter().map(|tool| {
        Measure::of(&tool.name) + Measure::of(&tool.description) + Measure::of(&tool.input_schema.to_string())
    });
    let measure =
        messages.iter().map(Measure::of_message).chain(tools).fold(Measure::default(), |sum, one| sum + one);
    state.estimator.tokens(&measure)
}

//! The guards that end a run (D-07): each looks at the run as it is so far and says whether it is enough.

use imbl::Vector;

use crate::{AgentState, EntryBody, Guard, Phase, Run};

/// Asked before tools run and before the model is asked again. A response whose calls go too far runs none of them.
pub(crate) fn check(state: &AgentState, run: &Run, now_ms: i64) -> Option<Guard> {
    let limits = &state.config.limits;
    if out_of_time(state, now_ms) {
        return Some(Guard::WallClock);
    }
    if run.tool_calls > limits.max_tool_calls {
        return Some(Guard::MaxToolCalls);
    }
    if run.stale_plans >= limits.max_stale_plans.max(1) {
        return Some(Guard::PlanUnchanged);
    }
    // The newest calls may be several, so every place a pattern could end is looked at.
    let newest = run.signatures.len().saturating_sub(run.calls.len());
    for end in newest + 1..=run.signatures.len() {
        let so_far = run.signatures.take(end);
        if repeats(&so_far, 1, limits.max_identical_calls) {
            return Some(Guard::IdenticalCalls);
        }
        if repeats(&so_far, 2, limits.max_alternations) {
            return Some(Guard::Alternation);
        }
    }
    if run.phase != Phase::Model {
        return None;
    }
    let tokens = run.usage.input_tokens.saturating_add(run.usage.output_tokens);
    if run.steps >= limits.max_steps {
        Some(Guard::MaxSteps)
    } else if limits.max_run_tokens.is_some_and(|max| tokens >= max) {
        Some(Guard::Budget)
    } else if run.steps > 0 && run.stale_steps >= limits.max_stale_steps {
        Some(Guard::NoNewEvidence)
    } else {
        None
    }
}

/// Asked whenever time has passed.
pub(crate) fn out_of_time(state: &AgentState, now_ms: i64) -> bool {
    state.deadline_ms().is_some_and(|deadline_ms| now_ms >= deadline_ms)
}

/// How sure the model says it is of its last answer, where it says so and something was asked for, and what was asked
/// for (D-08).
pub(crate) fn sureness(state: &AgentState) -> Option<(f64, f64)> {
    // Behind the answer may stand that the run was resumed.
    let last = state.entries.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::Response { confidence, .. } => Some(*confidence),
        _ => None,
    });
    last.flatten().zip(state.config.limits.min_confidence)
}

/// True when the last `period * times` signatures are one group of `period` repeated. A pair of equal calls is no
/// alternation: that is for the other guard.
fn repeats(signatures: &Vector<String>, period: usize, times: u32) -> bool {
    let times = times as usize;
    // A limit that is never reached may be larger than half of what is countable here.
    let needed = period.saturating_mul(times);
    if times < 2 || signatures.len() < needed {
        return false;
    }
    let tail = signatures.skip(signatures.len() - needed);
    let group: Vec<&String> = tail.iter().take(period).collect();
    let is_one_call = period > 1 && group.iter().all(|name| *name == group[0]);
    !is_one_call && tail.iter().enumerate().all(|(at, name)| name == group[at % period])
}

//! The sentences the machine itself says, to the model and to the person.

use protocol::StopReason;
use serde_json::Value;

use crate::entry::entries_from;
use crate::sentences::{NOT_RUN, UNKNOWN_OUTCOME};
use crate::{
    AgentState, CallRecord, CallStatus, Context, Disposition, Ending, EntryBody, Guard, Limits, guards,
};

/// To the person: what brought text from outside, where it was something that a model is told about at the start.
pub(crate) fn untrusted_context(context: &Context) -> Option<&str> {
    // What changes with every run is what it was this time.
    context.blocks.iter().rev().find(|block| block.outside).map(|block| block.title.as_str())
}

/// To the person: why the run ended and what it did, where the answer does not say it.
pub(crate) fn note(state: &AgentState, ending: &Ending) -> String {
    let why = match ending {
        Ending::Complete { stop: StopReason::Stop | StopReason::ToolCalls } => {
            return if answered(state) {
                sureness(state)
            } else {
                with_done(state, "The model gave no answer.")
            };
        }
        Ending::Complete { stop: StopReason::Length } => {
            return "The answer is cut: it reached the limit on its length.".to_owned();
        }
        Ending::Complete { stop: StopReason::ContentFilter } => {
            "The provider's content filter stopped the answer.".to_owned()
        }
        Ending::Cancelled => "Stopped.".to_owned(),
        Ending::Limited { guard } => limit(*guard, &state.config.limits),
        Ending::Failed { failure } => failure.message.clone(),
    };
    with_done(state, &why)
}

/// How sure the model is of its answer, where that decided when the run ended (D-08); empty where it did not.
fn sureness(state: &AgentState) -> String {
    let Some((confidence, least)) = guards::sureness(state) else { return String::new() };
    let (sure, asked) = ((confidence * 100.0).round(), (least * 100.0).round());
    if confidence >= least {
        format!("The model says that it is {sure} % sure of this; {asked} % was asked for.")
    } else {
        format!("The model says that it is only {sure} % sure of this; {asked} % was asked for.")
    }
}

/// True when the last response says something.
fn answered(state: &AgentState) -> bool {
    match state.entries.last().map(|entry| &entry.body) {
        Some(EntryBody::Response { text, .. }) => !text.trim().is_empty(),
        _ => true,
    }
}

fn limit(guard: Guard, limits: &Limits) -> String {
    match guard {
        Guard::MaxSteps => format!("Stopped after {} steps, the limit for one message.", limits.max_steps),
        Guard::MaxToolCalls => {
            format!("Stopped: more than {} tool calls, the limit for one message.", limits.max_tool_calls)
        }
        Guard::WallClock => {
            format!("Stopped after {} seconds, the limit for one message.", limits.max_run_ms / 1000)
        }
        Guard::IdenticalCalls => {
            format!(
                "Stopped: the model asked for the same thing {} times in a row.",
                limits.max_identical_calls
            )
        }
        Guard::Alternation => {
            "Stopped: the model kept going back and forth between the same two calls.".to_owned()
        }
        Guard::NoNewEvidence => {
            format!("Stopped: {} steps in a row brought nothing new.", limits.max_stale_steps)
        }
        Guard::PlanUnchanged => {
            format!("Stopped: the model put the same plan forward {} times more.", limits.max_stale_plans)
        }
        Guard::Budget => "Stopped: the tokens allowed for one message are used up.".to_owned(),
    }
}

/// Adds what the run has done, and what it may have: what was executed stands, whatever ended the run.
fn with_done(state: &AgentState, why: &str) -> String {
    let mut note = why.to_owned();
    let done = done(state);
    if !done.is_empty() {
        note = format!("{note} Done before that: {}", done.join(" "));
    }
    let calls = state.run.iter().flat_map(|run| run.calls.iter());
    let under_way: Vec<&str> = calls
        .filter(|record| {
            record.asked
                && record.status == CallStatus::Running
                && record.plan != Disposition::Read
                && !record.is_estimating()
        })
        .map(|record| record.title.as_str())
        .collect();
    if !under_way.is_empty() {
        note = format!("{note} Under way just then, and perhaps done: {}.", under_way.join(", "));
    }
    note
}

/// What the last run changed: a sentence per write that went well, in order.
fn done(state: &AgentState) -> Vec<String> {
    let Some(run) = &state.run else { return Vec::new() };
    // A run's entries are the last of the log: a long conversation costs its end no more than a short one.
    let of_run = state.entries.iter().rev().take_while(|entry| entry.run_id == run.run_id).count();
    let mut sentences = Vec::new();
    let mut requested = Vec::new();
    for entry in entries_from(&state.entries, state.entries.len() - of_run) {
        match &entry.body {
            EntryBody::Response { calls, .. } => requested.extend(calls),
            EntryBody::Result { result, .. } if !result.is_error => {
                let call = requested.iter().find(|requested| requested.call.id == result.call_id);
                if let Some(call) = call.filter(|call| call.plan != Disposition::Read) {
                    let summary = result.structured.as_ref().and_then(|data| data.get("summary"));
                    sentences.push(match summary.and_then(Value::as_str) {
                        Some(summary) => summary.to_owned(),
                        None => format!("{}.", call.title),
                    });
                }
            }
            _ => {}
        }
    }
    sentences
}

/// To the model: what became of a call that the run's end leaves open. Guards on the calls themselves fire before
/// any of them runs.
pub(crate) fn left_open(ending: &Ending, record: &CallRecord) -> &'static str {
    let none_ran = matches!(
        ending,
        Ending::Limited {
            guard: Guard::MaxToolCalls | Guard::IdenticalCalls | Guard::Alternation | Guard::PlanUnchanged
        }
    );
    match record.status {
        CallStatus::Running if !none_ran && !record.is_estimating() => UNKNOWN_OUTCOME,
        CallStatus::Running
        | CallStatus::Queued
        | CallStatus::Awaiting
        | CallStatus::Done
        | CallStatus::Failed
        | CallStatus::Denied => NOT_RUN,
    }
}

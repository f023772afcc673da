//! What an answer may rest on, from the log: results, what the person said, and the context of the run.

use std::collections::BTreeMap;

use protocol::{CallId, Origin, Source, ToolResult, now_line};
use serde_json::Value;

use crate::{AgentState, Context, Disposition, EntryBody, RequestedCall};

/// How many calls of earlier runs are kept beside those of the last one: what was found before is no lie now.
const EARLIER_CALLS: usize = 40;

/// How many earlier messages of the person are kept.
const EARLIER_MESSAGES: usize = 40;

/// The sources of the last run's answer: its calls, the calls before that it may still speak of, what the
/// person said, and what the model was told about now. A call that an answer cites is there however old it
/// is.
#[must_use]
pub fn sources(state: &AgentState) -> Vec<Source> {
    let Some(run) = &state.run else { return Vec::new() };
    let answer = state.answer().unwrap_or_default();
    let mut requested: BTreeMap<&CallId, &RequestedCall> = BTreeMap::new();
    let mut calls: Vec<(bool, Source)> = Vec::new();
    let mut messages: Vec<&str> = Vec::new();
    for entry in &state.entries {
        let of_run = entry.run_id == run.run_id;
        match &entry.body {
            EntryBody::User { text, .. } => messages.push(text),
            EntryBody::Response { calls: asked, .. } => {
                for call in asked {
                    requested.insert(&call.call.id, call);
                    match &call.plan {
                        Disposition::Refuse { message } => calls.push((of_run, refused(call, message))),
                        // What the conversation itself answers has no entry of its own.
                        Disposition::Answered { content } => calls.push((of_run, answered(call, content))),
                        Disposition::Read
                        | Disposition::Write
                        | Disposition::Ask
                        | Disposition::EstimateImpact { .. }
                        | Disposition::Question => {}
                    }
                }
            }
            EntryBody::Result { result, .. } => {
                let arguments = requested.get(&result.call_id).map(|call| call.call.arguments.clone());
                calls.push((of_run, of_result(result, arguments)));
            }
            EntryBody::Ended { repairs, .. } => {
                calls.extend(repairs.iter().map(|repair| (of_run, of_result(repair, None))));
            }
            EntryBody::Decision { call_id, approved: false } => {
                if let Some(call) = requested.get(call_id) {
                    calls.push((of_run, refused(call, crate::sentences::DECLINED)));
                }
            }
            EntryBody::Retried { .. }
            | EntryBody::Compacted(_)
            | EntryBody::Doubted { .. }
            | EntryBody::Decision { .. }
            | EntryBody::ImpactEstimated { .. }
            | EntryBody::Resumed {} => {}
        }
    }
    let earlier = calls.iter().filter(|(of_run, _)| !of_run).count();
    let mut passed = 0;
    calls.retain(|(of_run, source)| {
        passed += usize::from(!of_run);
        *of_run || passed + EARLIER_CALLS > earlier || answer.contains(&source.call_id)
    });
    // Earlier calls alone make no answer one about tools: small talk after a search is small talk.
    let rests_on_calls = calls.iter().any(|(of_run, source)| *of_run || answer.contains(&source.call_id));
    let mut sources: Vec<Source> =
        if rests_on_calls { calls.into_iter().map(|(_, source)| source).collect() } else { Vec::new() };
    let first = messages.len().saturating_sub(EARLIER_MESSAGES);
    sources.extend(messages[first..].iter().map(|text| Source::said(Origin::Person, *text)));
    sources.extend(of_context(&run.context));
    sources
}

fn of_result(result: &ToolResult, arguments: Option<Value>) -> Source {
    Source {
        origin: Origin::Call,
        call_id: result.call_id.0.clone(),
        tool: result.name.clone(),
        failed: result.is_error,
        text: result.content.clone(),
        data: result.structured.clone(),
        arguments,
    }
}

fn refused(call: &RequestedCall, message: &str) -> Source {
    Source {
        origin: Origin::Call,
        call_id: call.call.id.0.clone(),
        tool: call.call.name.clone(),
        failed: true,
        text: message.to_owned(),
        data: None,
        arguments: Some(call.call.arguments.clone()),
    }
}

fn answered(call: &RequestedCall, content: &str) -> Source {
    Source {
        origin: Origin::Call,
        call_id: call.call.id.0.clone(),
        tool: call.call.name.clone(),
        failed: false,
        text: content.to_owned(),
        data: serde_json::from_str(content).ok(),
        arguments: Some(call.call.arguments.clone()),
    }
}

/// The date, and what was told of what there is, as lists whose lines can be counted.
fn of_context(context: &Context) -> Vec<Source> {
    let mut sources = Vec::new();
    for told in context.blocks.iter().map(|block| &block.text) {
        let lines = told.lines().map(|line| Value::String(line.to_owned())).collect();
        let data = Some(Value::Array(lines));
        sources.push(Source { data, ..Source::said(Origin::Context, told.clone()) });
    }
    if !context.civil.is_empty() {
        let line = now_line(&context.civil, &context.weekday, &context.zone);
        sources.push(Source::said(Origin::Context, line));
    }
    sources
}

//! What an entry does to the state. The machine and a rebuild from the log both go through here, so they agree.

use std::sync::Arc;

use imbl::Vector;
use protocol::{RunId, ToolResult, Usage};

use crate::calls::{signature, stable_hash};
use crate::memory::{Stored, leaned_on};
use crate::{
    AgentState, CallRecord, CallStatus, Context, Disposition, Ending, Entry, EntryBody, Live, Phase,
    RequestedCall, Run, Status, own,
};

/// Applies one entry and keeps it.
pub(crate) fn apply(state: &mut AgentState, entry: Arc<Entry>) {
    let at_ms = entry.at_ms;
    known(state, &entry);
    own::keep_plan(state, &entry.body);
    match &entry.body {
        EntryBody::User { boundary, context, .. } | EntryBody::Retried { boundary, context } => {
            state.run = Some(start_run(entry.run_id.clone(), boundary, context, at_ms));
            if let Some(source) = crate::words::untrusted_context(context) {
                state.tainted_by.get_or_insert_with(|| source.to_owned());
            }
            state.live = Live::default();
        }
        EntryBody::Compacted(compaction) => state.compacted = Some(compaction.clone()),
        EntryBody::Doubted { .. } => {
            if let Some(run) = &mut state.run {
                run.doubted = true;
                run.phase = Phase::Model;
            }
        }
        EntryBody::Response { calls, usage, stop, sent, .. } => {
            if let Some(sent) = sent {
                state.estimator.observe(sent, usage.input_tokens);
            }
            state.usage = sum(state.usage, *usage);
            if let Some(run) = &mut state.run {
                run.steps += 1;
                run.usage = sum(run.usage, *usage);
                accept_calls(run, calls);
                run.phase = if calls.is_empty() { Phase::Answered { stop: *stop } } else { Phase::Tools };
            }
            state.live = Live { unsaved: state.live.unsaved.take(), ..Live::default() };
        }
        EntryBody::Decision { call_id, approved } => {
            let record =
                state.run.iter_mut().flat_map(|run| run.calls.iter_mut()).find(|r| r.call.id == *call_id);
            if let Some(record) = record {
                record.asked = false;
                record.approved = *approved;
                if !approved {
                    let refusal = answer(record, crate::sentences::DECLINED);
                    settle(record, refusal, CallStatus::Denied);
                }
            }
        }
        EntryBody::ImpactEstimated { call_id, count } => {
            let record =
                state.run.iter_mut().flat_map(|run| run.calls.iter_mut()).find(|r| r.call.id == *call_id);
            if let Some(record) = record
                && let Disposition::EstimateImpact { above } = record.plan
            {
                record.asked = false;
                record.plan = if count.is_some_and(|count| count <= above) {
                    Disposition::Write
                } else {
                    Disposition::Ask
                };
            }
        }
        EntryBody::Result { result, started_ms, outside, .. } => {
            let record = state
                .run
                .iter_mut()
                .flat_map(|run| run.calls.iter_mut())
                .find(|record| record.call.id == result.call_id && !record.status.is_settled());
            if let Some(record) = record {
                record.started_ms = *started_ms;
                if *outside {
                    state.tainted_by.get_or_insert_with(|| record.title.clone());
                }
                let status = if result.is_error { CallStatus::Failed } else { CallStatus::Done };
                settle(record, result.clone(), status);
            }
        }
        EntryBody::Resumed {} => {
            let last_ms = state.entries.last().map_or(at_ms, |last| last.at_ms);
            if let Some(run) = &mut state.run {
                if run.paused_since_ms.is_none() {
                    run.paused_ms += (at_ms - last_ms).max(0);
                }
                for record in run.calls.iter_mut() {
                    record.asked = false;
                }
            }
        }
        EntryBody::Ended { ending, partial, repairs, .. } => {
            let cost = partial.as_ref().map(|partial| partial.usage).unwrap_or_default();
            state.usage = sum(state.usage, cost);
            if let Some(run) = &mut state.run {
                run.usage = sum(run.usage, cost);
                for repair in repairs {
                    let record = run.calls.iter_mut().find(|record| record.call.id == repair.call_id);
                    if let Some(record) = record {
                        settle(record, repair.clone(), CallStatus::Failed);
                    }
                }
                run.phase = Phase::Ended;
            }
            state.live = Live { unsaved: state.live.unsaved.take(), ..Live::default() };
            state.status = ended_status(ending);
        }
    }
    if let Some(run) = &mut state.run
        && run.phase != Phase::Ended
    {
        schedule(run, at_ms);
        state.status = open_status(run);
    }
    state.entries.push_back(entry);
}

/// Keeps the ids that an entry brings.
pub(crate) fn known(state: &mut AgentState, entry: &Entry) {
    match &entry.body {
        EntryBody::User { .. } | EntryBody::Retried { .. } => {
            state.run_ids.insert(entry.run_id.clone());
        }
        EntryBody::Response { text, calls, .. } => {
            for requested in calls {
                state.call_ids.insert(requested.call.id.clone());
            }
            let arguments = calls.iter().map(|requested| &requested.call.arguments);
            for name in leaned_on(text, arguments) {
                state.leaned_on.insert(name, entry.seq);
            }
        }
        EntryBody::Result { result, kept: Some(kept), .. } => {
            state.stored_bytes += result.content.len() as u64;
            state.longest_kept = state.longest_kept.max(kept.tokens);
            let stored = Stored { seq: entry.seq, bytes_so_far: state.stored_bytes };
            state.stored.insert(kept.data_ref.clone(), stored);
        }
        _ => {}
    }
}

fn start_run(run_id: RunId, boundary: &str, context: &Context, at_ms: i64) -> Run {
    Run {
        run_id,
        boundary: boundary.to_owned(),
        context: context.clone(),
        started_ms: at_ms,
        paused_ms: 0,
        paused_since_ms: None,
        steps: 0,
        tool_calls: 0,
        usage: Usage::default(),
        phase: Phase::Model,
        calls: Vector::new(),
        signatures: Vector::new(),
        evidence: imbl::OrdSet::new(),
        stale_steps: 0,
        proposed: None,
        plan_approved: false,
        stale_plans: 0,
        doubted: false,
    }
}

/// Takes a response's calls into the run: signatures are recorded before any guard looks at them (S0-20), and
/// calls that cannot run have their answer at once.
fn accept_calls(run: &mut Run, calls: &[RequestedCall]) {
    run.tool_calls += u32::try_from(calls.len()).unwrap_or(u32::MAX);
    run.calls = Vector::new();
    for requested in calls {
        run.signatures.push_back(signature(&requested.call));
        let mut record = CallRecord {
            call: requested.call.clone(),
            title: requested.title.clone(),
            plan: requested.plan.clone(),
            tainted_by: requested.tainted_by.clone(),
            status: CallStatus::Queued,
            approved: false,
            asked: false,
            started_ms: 0,
            result: None,
        };
        match &requested.plan {
            Disposition::Refuse { message } => {
                let refusal = answer(&record, message);
                settle(&mut record, refusal, CallStatus::Failed);
            }
            Disposition::Answered { content } => {
                let given = ToolResult { is_error: false, ..answer(&record, content) };
                settle(&mut record, given, CallStatus::Done);
            }
            Disposition::Read
            | Disposition::Write
            | Disposition::Ask
            | Disposition::EstimateImpact { .. }
            | Disposition::Question => {}
        }
        run.calls.push_back(record);
    }
}

/// An error result that answers a call which did not run, or whose end nobody saw.
pub(crate) fn answer(record: &CallRecord, message: &str) -> ToolResult {
    ToolResult {
        call_id: record.call.id.clone(),
        name: record.call.name.clone(),
        is_error: true,
        content: message.to_owned(),
        structured: None,
    }
}

fn settle(record: &mut CallRecord, result: ToolResult, status: CallStatus) {
    record.status = status;
    record.result = Some(result);
}

/// Decides which calls may start now (D-06). The order is as if the calls ran one after another: a read waits for
/// the writes before it and runs beside its neighbouring reads; a write waits for everything before it, so that
/// "add milk, then show my list" shows milk even when a model asks for both at once. Neighbouring calls that need
/// approval are put to the person together, and still run in order.
fn schedule(run: &mut Run, at_ms: i64) {
    let mut writes_before_settled = true;
    let mut all_before_settled = true;
    let mut all_before_settled_or_asked = true;
    for record in run.calls.iter_mut() {
        if !record.status.is_settled() {
            record.status = match record.plan {
                Disposition::Ask if !record.approved && all_before_settled_or_asked => CallStatus::Awaiting,
                Disposition::Question if all_before_settled_or_asked => CallStatus::Awaiting,
                Disposition::Ask if !record.approved => CallStatus::Queued,
                Disposition::Read if writes_before_settled => CallStatus::Running,
                // Its impact is estimated when its turn comes: what runs before it may change how much it touches.
                Disposition::Ask | Disposition::Write | Disposition::EstimateImpact { .. }
                    if all_before_settled =>
                {
                    CallStatus::Running
                }
                Disposition::Read
                | Disposition::Ask
                | Disposition::Write
                | Disposition::EstimateImpact { .. }
                | Disposition::Question
                | Disposition::Answered { .. }
                | Disposition::Refuse { .. } => CallStatus::Queued,
            };
        }
        let settled = record.status.is_settled();
        writes_before_settled &= settled || record.plan == Disposition::Read;
        all_before_settled &= settled;
        all_before_settled_or_asked &=
            settled || matches!(record.plan, Disposition::Ask | Disposition::Question);
    }
    let waits_for_person = run.calls.iter().any(|record| record.status == CallStatus::Awaiting)
        && !run.calls.iter().any(|record| record.status == CallStatus::Running);
    match (run.paused_since_ms, waits_for_person) {
        (None, true) => run.paused_since_ms = Some(at_ms),
        (Some(since_ms), false) => {
            run.paused_ms += (at_ms - since_ms).max(0);
            run.paused_since_ms = None;
        }
        (None, false) | (Some(_), true) => {}
    }
    if run.phase == Phase::Tools && all_before_settled {
        close_step(run);
    }
}

/// The step's calls all have their results: was any of them new (S1-24)? Then it is the model's turn.
fn close_step(run: &mut Run) {
    let mut news = false;
    for record in &run.calls {
        if let Some(result) = &record.result {
            let error = if result.is_error { "error" } else { "ok" };
            let hash = stable_hash(&[&result.name, error, &result.content]);
            news |= run.evidence.insert(hash).is_none();
        }
    }
    run.stale_steps = if news { 0 } else { run.stale_steps + 1 };
    run.phase = Phase::Model;
}

fn open_status(run: &Run) -> Status {
    match run.phase {
        Phase::Tools if run.paused_since_ms.is_some() => Status::AwaitingApproval,
        Phase::Tools => Status::RunningTools,
        Phase::Model | Phase::Answered { .. } | Phase::Ended => Status::Streaming,
    }
}

fn ended_status(ending: &Ending) -> Status {
    match ending {
        Ending::Complete { .. } => Status::Complete,
        Ending::Cancelled => Status::Cancelled,
        Ending::Limited { guard } => Status::Limited { guard: *guard },
        Ending::Failed { failure } => Status::Failed { failure: failure.clone() },
    }
}

/// What two things cost together.
pub(crate) fn sum(a: Usage, b: Usage) -> Usage {
    Usage {
        input_tokens: a.input_tokens.saturating_add(b.input_tokens),
        output_tokens: a.output_tokens.saturating_add(b.output_tokens),
        cached_input_tokens: a.cached_input_tokens.saturating_add(b.cached_input_tokens),
        reasoning_tokens: a.reasoning_tokens.saturating_add(b.reasoning_tokens),
        cost_micro_usd: [a.cost_micro_usd, b.cost_micro_usd]
            .into_iter()
            .flatten()
            .reduce(u64::saturating_add),
    }
}

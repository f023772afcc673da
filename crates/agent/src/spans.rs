//! The trace of a conversation (D-16, S1-32): a span per run, model request, question to the person and tool call, read
//! off the log.
//!
//! The log holds every time and number already, so spans are derived and never stored: the entries are reduced once more
//! ([`crate::reduce`]), and what each of them changes about a call is when the call waited, began and ended. Names follow
//! OpenTelemetry's semantic conventions for generative AI ([`names`]). What was said, asked and answered is content, which the
//! conventions leave to who asks for it: it is not among the attributes.

mod names;

use protocol::{CallId, FailureKind, RunId, StopReason, ToolResult, Usage};
use serde::{Deserialize, Serialize};

use crate::calls::stable_hash;
use crate::{
    AgentConfig, AgentState, CallStatus, Disposition, Ending, Entry, EntryBody, Guard, RequestedCall, Retry,
    reduce,
};

/// One span.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// 32 hex digits, one per run.
    pub trace_id: String,
    /// 16 hex digits.
    pub span_id: String,
    /// The span it is part of; a run has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    /// The conversation's id.
    pub conversation_id: String,
    /// The run it belongs to (S1-32).
    pub run_id: RunId,
    /// The step of the run it belongs to, from 1; 0 for the run itself.
    pub step: u32,
    /// What was done.
    pub work: Work,
    /// Start, in Unix milliseconds.
    pub start_ms: i64,
    /// End, in Unix milliseconds; of what is not over, the last sign of life of its run.
    pub end_ms: i64,
    /// False while it is not over.
    pub is_over: bool,
    /// What went wrong, if anything did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<SpanError>,
    /// What happened in the middle of it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<SpanEvent>,
}

/// What a span is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "snake_case")]
pub enum Work {
    /// A run, from the person's message to its ending (`invoke_agent`).
    Run {
        /// How it ended; none while it is open.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ending: Option<Ending>,
        /// The model that was asked last; empty when none was.
        model: String,
        /// What all of its requests cost.
        usage: Usage,
    },
    /// A request to a model, retries included (`chat`).
    Model {
        /// The model.
        model: String,
        /// What it cost.
        usage: Usage,
        /// Why the model stopped; none where the response was not complete.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<StopReason>,
        /// What it said.
        text: String,
    },
    /// A person was waited for: whether a call may run, or what they answer to what it asks.
    Approval {
        /// The call, as it was asked for.
        call: RequestedCall,
        /// What they said.
        decision: Decision,
        /// What the model was told, where the call was the question.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<ToolResult>,
    },
    /// A tool call (`execute_tool`). One that never ran takes no time.
    Tool {
        /// The call, as it was asked for.
        call: RequestedCall,
        /// What came of it; none while it runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<ToolResult>,
    },
}

/// What became of a question to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It still waits.
    Pending,
    /// The call may run.
    Approved,
    /// It may not.
    Declined,
    /// They answered what the call asked.
    Answered,
    /// The run ended before there was an answer.
    Unanswered,
}

/// What went wrong in a span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpanError {
    /// Its class: a failure's, a guard's, or `tool_error`, `tool_refused`, `not_run`, `cancelled`.
    pub kind: String,
    /// A sentence for a person; may be empty.
    pub message: String,
}

/// Something that happened in the middle of a span.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpanEvent {
    /// When, in Unix milliseconds.
    pub at_ms: i64,
    /// What.
    pub what: Happening,
}

/// What can happen in the middle of a span.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Happening {
    /// A request failed and was made again (in a model's span).
    Retry(Retry),
    /// Older turns were compacted (in a run's span).
    Compaction {
        /// The tokens of a request before, about.
        tokens_before: u64,
        /// The tokens after.
        tokens_after: u64,
    },
    /// A person decided about a call (in a run's span).
    Approval {
        /// Which call.
        call_id: CallId,
        /// True when it may run.
        approved: bool,
    },
    /// The answer said what no result supports, and was asked for again (S1-27; in a run's span).
    Doubted,
    /// The run went on after the page or the process was gone (in a run's span).
    Resumed,
}

/// The id of a step's span.
pub(crate) fn step_span_id(run_id: &RunId, step: u32) -> String {
    stable_hash(&["step", &run_id.0, &step.to_string()])
}

fn run_span_id(run_id: &RunId) -> String {
    stable_hash(&["run", &run_id.0])
}

/// All spans of a conversation: each run, then its steps in order, each with its calls in the model's order. A question
/// to the person comes before the call it is about.
#[must_use]
pub fn spans(state: &AgentState) -> Vec<Span> {
    spans_of(&state.id, state.log())
}

/// The spans of some runs of a conversation, from their entries in the log's order.
#[must_use]
pub fn spans_of<'a>(conversation_id: &str, entries: impl IntoIterator<Item = &'a Entry>) -> Vec<Span> {
    // What is reduced here is never sent: no model, no limits and no tools are needed for it.
    let mut trace = Trace {
        state: AgentState::new(conversation_id, AgentConfig::new(""), []),
        spans: Vec::new(),
        run_at: None,
        calls: Vec::new(),
    };
    for entry in entries {
        trace.note(entry);
    }
    trace.close_step();
    trace.spans
}

/// A conversation as it is reduced once more, and the spans so far.
struct Trace {
    state: AgentState,
    spans: Vec<Span>,
    /// Where the open run's own span is.
    run_at: Option<usize>,
    /// The calls of the last step: their spans come when it is over.
    calls: Vec<CallTrace>,
}

/// A call, and when what of it happened.
struct CallTrace {
    requested: RequestedCall,
    step: u32,
    asked_ms: Option<i64>,
    decided: Option<(i64, Decision)>,
    began_ms: Option<i64>,
    over: Option<(i64, ToolResult, Option<SpanError>)>,
}

impl Trace {
    fn note(&mut self, entry: &Entry) {
        let (at_ms, run_id) = (entry.at_ms, &entry.run_id);
        reduce::apply(&mut self.state, entry.clone().into());
        match &entry.body {
            EntryBody::User { .. } | EntryBody::Retried { .. } => {
                self.close_step();
                self.run_at = Some(self.spans.len());
                let work = Work::Run { ending: None, model: String::new(), usage: Usage::default() };
                let id = run_span_id(run_id);
                self.spans.push(Span { parent_id: None, ..self.span(run_id, 0, id, work, (at_ms, at_ms)) });
            }
            EntryBody::Response {
                step,
                model,
                text,
                calls,
                usage,
                stop,
                started_ms,
                span_id,
                retries,
                ..
            } => {
                self.close_step();
                let work = Work::Model {
                    model: model.clone(),
                    usage: *usage,
                    stop: Some(*stop),
                    text: text.clone(),
                };
                let span = self.span(run_id, *step, span_id.clone(), work, (*started_ms, at_ms));
                self.spans.push(Span { events: retries.iter().map(retried).collect(), ..span });
                self.cost(model, *usage);
                self.calls = calls
                    .iter()
                    .map(|requested| CallTrace {
                        requested: requested.clone(),
                        step: *step,
                        asked_ms: None,
                        decided: None,
                        began_ms: None,
                        over: None,
                    })
                    .collect();
            }
            EntryBody::Result { result, started_ms, .. } => {
                let error = result.is_error.then(|| error("tool_error", &result.content));
                if let Some(call) = self.call(&result.call_id) {
                    call.began_ms = Some(*started_ms);
                    call.over = Some((at_ms, result.clone(), error));
                }
            }
            EntryBody::Decision { call_id, approved } => {
                let decision = if *approved { Decision::Approved } else { Decision::Declined };
                if let Some(call) = self.call(call_id) {
                    call.decided = Some((at_ms, decision));
                }
                let what = Happening::Approval { call_id: call_id.clone(), approved: *approved };
                self.event(SpanEvent { at_ms, what });
            }
            EntryBody::Compacted(compaction) => {
                let (tokens_before, tokens_after) = (compaction.tokens_before, compaction.tokens_after);
                self.event(SpanEvent { at_ms, what: Happening::Compaction { tokens_before, tokens_after } });
            }
            EntryBody::Doubted { .. } => self.event(SpanEvent { at_ms, what: Happening::Doubted }),
            EntryBody::Resumed {} => self.event(SpanEvent { at_ms, what: Happening::Resumed }),
            EntryBody::ImpactEstimated { .. } => {}
            EntryBody::Ended { ending, note, partial, repairs, .. } => {
                let why = ending_error(ending, note);
                for repair in repairs {
                    let never_ran = error("not_run", &repair.content);
                    if let Some(call) = self.call(&repair.call_id) {
                        let why = why.clone().filter(|_| call.began_ms.is_some());
                        call.over = Some((at_ms, repair.clone(), Some(why.unwrap_or(never_ran))));
                        if call.asked_ms.is_some() && call.decided.is_none() {
                            call.decided = Some((at_ms, Decision::Unanswered));
                        }
                    }
                }
                self.close_step();
                if let Some(partial) = partial {
                    let work = Work::Model {
                        model: partial.model.clone(),
                        usage: partial.usage,
                        stop: None,
                        text: partial.text.clone(),
                    };
                    let times = (partial.started_ms, at_ms);
                    let span = self.span(run_id, partial.step, partial.span_id.clone(), work, times);
                    let events = partial.retries.iter().map(retried).collect();
                    self.spans.push(Span { events, error: why.clone(), ..span });
                    self.cost(&partial.model, partial.usage);
                }
                if let Some(run) = self.run_at.and_then(|at| self.spans.get_mut(at)) {
                    run.is_over = true;
                    run.error = why.filter(|why| why.kind != CANCELLED);
                    if let Work::Run { ending: ended, .. } = &mut run.work {
                        *ended = Some(ending.clone());
                    }
                }
            }
        }
        self.note_calls(at_ms);
        if let Some(run) = self.run_at.and_then(|at| self.spans.get_mut(at)) {
            run.end_ms = at_ms;
        }
    }

    /// What the entry changed about the calls of the open step.
    fn note_calls(&mut self, at_ms: i64) {
        let Some(run) = &self.state.run else { return };
        for call in &mut self.calls {
            let id = &call.requested.call.id;
            let Some(record) = run.calls.iter().find(|record| record.call.id == *id) else { continue };
            match record.status {
                CallStatus::Awaiting => call.asked_ms = call.asked_ms.or(Some(at_ms)),
                CallStatus::Running if !record.is_estimating() => {
                    call.began_ms = call.began_ms.or(Some(at_ms))
                }
                // It was answered from the conversation itself.
                CallStatus::Done if call.over.is_none() => {
                    call.over = record.result.clone().map(|result| (at_ms, result, None));
                }
                // It was answered without being run: it cannot be (S0-31).
                CallStatus::Failed if call.over.is_none() => {
                    let result = record.result.clone();
                    call.over = result.map(|result| {
                        let error = error("tool_refused", &result.content);
                        (at_ms, result, Some(error))
                    });
                }
                CallStatus::Queued
                | CallStatus::Running
                | CallStatus::Done
                | CallStatus::Failed
                | CallStatus::Denied => {}
            }
        }
    }

    /// The calls of the step become spans.
    fn close_step(&mut self) {
        let Some((run_id, now_ms)) =
            self.run_at.and_then(|at| self.spans.get(at).map(|run| (run.run_id.clone(), run.end_ms)))
        else {
            return;
        };
        for call in std::mem::take(&mut self.calls) {
            let id = &call.requested.call.id.0;
            let last_ms = call.over.as_ref().map_or(now_ms, |(over_ms, ..)| *over_ms);
            if let Some(asked_ms) = call.asked_ms {
                let is_question = call.requested.plan == Disposition::Question;
                let answered = call.over.as_ref().filter(|_| is_question && call.decided.is_none());
                let otherwise = if answered.is_some() { Decision::Answered } else { Decision::Pending };
                let (until_ms, decision) = call.decided.unwrap_or((last_ms, otherwise));
                let result = answered.map(|(_, result, _)| result.clone());
                let work = Work::Approval { call: call.requested.clone(), decision, result };
                let span_id = stable_hash(&["approval", &run_id.0, id]);
                let span = self.span(&run_id, call.step, span_id, work, (asked_ms, until_ms));
                self.spans.push(Span { is_over: decision != Decision::Pending, ..span });
                if decision != Decision::Approved {
                    // It never ran, and the question says why.
                    continue;
                }
            }
            let is_over = call.over.is_some();
            if !is_over && call.began_ms.is_none() {
                continue;
            }
            let (end_ms, result, error) = match call.over {
                Some((over_ms, result, error)) => (over_ms, Some(result), error),
                None => (last_ms, None, None),
            };
            let span_id = stable_hash(&["call", &run_id.0, id]);
            let times = (call.began_ms.unwrap_or(end_ms), end_ms);
            let work = Work::Tool { call: call.requested, result };
            let span = self.span(&run_id, call.step, span_id, work, times);
            self.spans.push(Span { is_over, error, ..span });
        }
    }

    /// A part of the open run.
    fn span(
        &self,
        run_id: &RunId,
        step: u32,
        span_id: String,
        work: Work,
        (start_ms, end_ms): (i64, i64),
    ) -> Span {
        Span {
            trace_id: format!("{}{}", run_span_id(run_id), stable_hash(&["trace", &run_id.0])),
            span_id,
            parent_id: Some(run_span_id(run_id)),
            conversation_id: self.state.id.clone(),
            run_id: run_id.clone(),
            step,
            work,
            start_ms,
            // A clock that was set back makes no time that runs backwards.
            end_ms: end_ms.max(start_ms),
            is_over: step > 0,
            error: None,
            events: Vec::new(),
        }
    }

    fn call(&mut self, id: &CallId) -> Option<&mut CallTrace> {
        self.calls.iter_mut().find(|call| call.requested.call.id == *id)
    }

    fn event(&mut self, event: SpanEvent) {
        if let Some(run) = self.run_at.and_then(|at| self.spans.get_mut(at)) {
            run.events.push(event);
        }
    }

    fn cost(&mut self, asked: &str, cost: Usage) {
        if let Some(Work::Run { model, usage, .. }) =
            self.run_at.and_then(|at| self.spans.get_mut(at)).map(|run| &mut run.work)
        {
            asked.clone_into(model);
            *usage = reduce::sum(*usage, cost);
        }
    }
}

/// The kind of the error of what the person stopped: no fault of a run's.
const CANCELLED: &str = "cancelled";

fn error(kind: &str, message: &str) -> SpanError {
    SpanError { kind: kind.to_owned(), message: message.to_owned() }
}

fn retried(retry: &Retry) -> SpanEvent {
    SpanEvent { at_ms: retry.at_ms, what: Happening::Retry(retry.clone()) }
}

fn ending_error(ending: &Ending, note: &str) -> Option<SpanError> {
    match ending {
        Ending::Complete { .. } => None,
        Ending::Cancelled => Some(error(CANCELLED, note)),
        Ending::Limited { guard } => Some(error(guard_name(*guard), note)),
        Ending::Failed { failure } => Some(error(failure_name(failure.kind), &failure.message)),
    }
}

fn guard_name(guard: Guard) -> &'static str {
    match guard {
        Guard::MaxSteps => "max_steps",
        Guard::MaxToolCalls => "max_tool_calls",
        Guard::WallClock => "wall_clock",
        Guard::IdenticalCalls => "identical_calls",
        Guard::Alternation => "alternation",
        Guard::NoNewEvidence => "no_new_evidence",
        Guard::Budget => "budget",
        Guard::PlanUnchanged => "plan_unchanged",
    }
}

fn failure_name(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::RetryableNetwork => "retryable_network",
        FailureKind::RateLimited => "rate_limited",
        FailureKind::Validation => "validation",
        FailureKind::ToolNotFound => "tool_not_found",
        FailureKind::PermissionDenied => "permission_denied",
        FailureKind::Overloaded => "overloaded",
        FailureKind::ContextLimit => "context_limit",
        FailureKind::CostLimit => "cost_limit",
        FailureKind::Cancelled => CANCELLED,
    }
}

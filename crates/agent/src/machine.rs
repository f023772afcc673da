//! The step machine: one thing happens, the state changes, and a list says what to do about it.
//!
//! Every decision becomes an [`Entry`] first: it is applied to the state and put in front of the effects as
//! [`Effect::Save`], so whoever carries the effects out in order saves each step before acting on it. A rebuilt state
//! therefore stands exactly where the log ends, and [`resume`] asks again for what was asked and not answered.

mod answered;

use std::sync::Arc;

use protocol::{
    CallId, CallKey, Doubt, Failure, FailureKind, ModelEvent, ModelRequest, RunId, StopReason, ToolCall,
    ToolResult, ToolSpec,
};
use serde_json::Value;

use crate::calls::accept;
use crate::context::{compact_now, compact_refused, compaction};
use crate::memory::{Kept, has_reference, resolved};
use crate::spans::step_span_id;
use crate::untrusted::is_untrusted;
use crate::{
    AgentState, Approval, CallRecord, CallStatus, Compaction, ContinueError, Disposition, Effect, Ending,
    Entry, EntryBody, Guard, Input, Live, LiveCall, Partial, Phase, Retry, RetryNotice, Rule, Stamp, Status,
    TurnStart, UserMessage, guards, own, reduce, sentences, window, words,
};

/// What happens next.
#[must_use]
pub fn step(state: AgentState, input: Input, stamp: Stamp) -> (AgentState, Vec<Effect>) {
    let mut machine = Machine { state, effects: Vec::new(), now_ms: stamp.now_ms };
    if machine.handle(input) {
        machine.effects.push(Effect::Show);
    }
    (machine.state, machine.effects)
}

/// Goes on with a rebuilt state: asks again for the results and the response that were not saved, under the same
/// keys, and shows a waiting approval again.
#[must_use]
pub fn resume(state: AgentState, stamp: Stamp) -> (AgentState, Vec<Effect>) {
    step(state, Input::Resume, stamp)
}

/// `continueConversation` (S3-05, D-19): the next message of the person.
///
/// # Errors
/// When a run is open; cancel or resume it first.
pub fn continue_conversation(
    state: AgentState,
    said: impl Into<UserMessage>,
    start: TurnStart,
    stamp: Stamp,
) -> Result<(AgentState, Vec<Effect>), ContinueError> {
    if state.status.is_busy() {
        return Err(ContinueError::Incomplete);
    }
    let UserMessage { text, images } = said.into();
    Ok(step(state, Input::User { text, images, start }, stamp))
}

struct Machine {
    state: AgentState,
    effects: Vec<Effect>,
    now_ms: i64,
}

impl Machine {
    /// True when the input changed anything.
    fn handle(&mut self, input: Input) -> bool {
        match input {
            Input::User { text, images, start } => {
                let TurnStart { run_id, boundary, context } = start;
                self.start(run_id, EntryBody::User { text, images, boundary, context })
            }
            Input::Retry { start } => {
                let TurnStart { run_id, boundary, context } = start;
                // There has to be something to try again.
                !matches!(self.state.status, Status::Idle | Status::Complete)
                    && self.start(run_id, EntryBody::Retried { boundary, context })
            }
            Input::Resume => {
                let open = self.state.status.is_busy();
                if open {
                    self.state.awaits_check = false;
                    self.record(EntryBody::Resumed {});
                    self.advance();
                }
                open
            }
            Input::Tools(tools) => self.tools(tools),
            Input::Model(event) => self.is_streaming() && self.model(event),
            Input::ModelFailed(failure) => self.is_streaming() && self.model_failed(failure),
            Input::ModelEnded => {
                self.is_streaming()
                    && self.model_failed(Failure::new(
                        FailureKind::RetryableNetwork,
                        "The connection to the model broke before the answer was complete. Try again.",
                    ))
            }
            Input::ToolDone { key, result } => self.tool_done(&key, result),
            Input::ImpactEstimated { key, count } => self.impact_estimated(&key, count),
            Input::Checked { answer, found } => self.checked(answer, found),
            Input::Answer { call_id, reply } => self.answer(&call_id, &reply),
            // A plan is approved as it is; a question has no yes.
            Input::Approve(call_id) if self.asks_person(&call_id) => self.answer(&call_id, &Value::Null),
            Input::Approve(call_id) => self.decide(call_id, true),
            Input::Allow(call_id) => self.allow(&call_id),
            Input::Deny(call_id) => self.decide(call_id, false),
            Input::Compact => compact_now(&self.state).is_some_and(|compaction| self.compact(compaction)),
            Input::Compacted(compaction) => self.compact(compaction),
            Input::Cancel => {
                let open = self.state.status.is_busy();
                if open {
                    self.cut_short(Ending::Cancelled);
                }
                open
            }
            Input::Tick => {
                let late = guards::out_of_time(&self.state, self.now_ms);
                if late {
                    self.cut_short(Ending::Limited { guard: Guard::WallClock });
                }
                late
            }
            Input::LogFailed(failure) => {
                if !self.state.live.has_something() {
                    // What was not saved stood before the request, so that was never made: no model failed.
                    self.state.live = Live::default();
                }
                self.state.live.unsaved = Some(failure.clone());
                if self.state.awaits_check {
                    // What came after the save was not done, and the answer is whole: its end is the next thing to save.
                    self.ask_for_check();
                } else if self.state.status.is_busy() {
                    self.end(Ending::Failed { failure });
                }
                true
            }
        }
    }

    /// Compacts older turns, between two requests. One that is under way has what it has.
    fn compact(&mut self, compaction: Compaction) -> bool {
        let length = self.state.entries.len() as u64;
        let before = self.state.compacted.as_ref().map_or(0, |compacted| compacted.from);
        let is_possible = (before..=length).contains(&compaction.from) && compaction.results_from <= length;
        if is_possible {
            self.record(EntryBody::Compacted(compaction));
        }
        is_possible
    }

    fn start(&mut self, run_id: RunId, body: EntryBody) -> bool {
        let known = self.state.run_ids.contains(&run_id);
        if self.state.status.is_busy() || known {
            return false;
        }
        self.record_in(run_id, body);
        self.advance();
        true
    }

    /// The tools that a request waited for: it is made now, if there is one to make.
    fn tools(&mut self, tools: Result<Vec<ToolSpec>, Failure>) -> bool {
        let is_awaited = std::mem::take(&mut self.state.awaits_tools);
        match tools {
            Ok(tools) => self.state = self.state.clone().with_tools(tools),
            // Without any it would only invent, and calls that are open could go nowhere. An answer that is there needs none.
            Err(failure)
                if self.state.tools.is_empty() && self.state.status.is_busy() && !self.state.awaits_check =>
            {
                return self.model_failed(failure);
            }
            Err(_) => {}
        }
        if is_awaited && self.state.status.is_busy() && !self.state.awaits_check {
            self.advance();
        }
        true
    }

    fn is_streaming(&self) -> bool {
        self.state.run.as_ref().is_some_and(|run| run.phase == Phase::Model)
    }

    fn model(&mut self, event: ModelEvent) -> bool {
        let live = &mut self.state.live;
        match event {
            ModelEvent::TextDelta { text } => {
                live.retry = None;
                live.text.push_str(&text);
            }
            ModelEvent::ThoughtDelta { text } => {
                live.retry = None;
                live.thought.push_str(&text);
            }
            ModelEvent::ToolCallDelta { index, id, name, arguments } => {
                live.retry = None;
                let at = live.calls.iter().position(|call| call.index == index).unwrap_or_else(|| {
                    live.calls.push(LiveCall { index, ..LiveCall::default() });
                    live.calls.len() - 1
                });
                let call = &mut live.calls[at];
                // Id and name come once; a provider that repeats or empties them later changes nothing.
                if call.id.is_none() {
                    call.id = id;
                }
                if call.name.is_empty() {
                    call.name = name.unwrap_or_default();
                }
                call.arguments.push_str(&arguments);
            }
            ModelEvent::Usage { usage } => live.usage = usage,
            ModelEvent::Confidence { value } => live.confidence = Some(value),
            ModelEvent::Retrying { attempt, after_ms, failure } => {
                let text = std::mem::take(&mut live.text);
                let before = std::mem::take(&mut live.broken_off);
                let mut retries = std::mem::take(&mut live.retries);
                let (kind, message) = (failure.kind, failure.message.clone());
                retries.push(Retry { at_ms: self.now_ms, attempt, after_ms, kind, message });
                *live = Live {
                    started_ms: live.started_ms,
                    sent: live.sent,
                    broken_off: if text.len() > before.len() { text } else { before },
                    retry: Some(RetryNotice { attempt, after_ms, failure }),
                    retries,
                    unsaved: live.unsaved.take(),
                    ..Live::default()
                };
            }
            ModelEvent::Done { reason } => self.accept_response(reason),
        }
        true
    }

    /// The response is complete: only now are its calls accepted.
    fn accept_response(&mut self, stop: StopReason) {
        let live = std::mem::take(&mut self.state.live);
        self.state.live.unsaved = live.unsaved;
        let Some(run) = &self.state.run else { return };
        let step = run.steps + 1;
        let body = EntryBody::Response {
            step,
            model: self.state.config.model.clone(),
            routed: self.state.config.routed,
            text: live.text,
            thought: live.thought,
            calls: accept(&self.state, &live.calls, step, stop, self.now_ms),
            usage: live.usage,
            stop,
            started_ms: live.started_ms.unwrap_or(self.now_ms),
            span_id: step_span_id(&run.run_id, step),
            sent: live.sent,
            confidence: live.confidence,
            retries: live.retries,
        };
        self.record(body);
        self.advance();
    }

    /// A failed request is never made again from here (D-15): the codec has done what may be done, and calls that
    /// ran stand. One that was too large for the model is made smaller, as long as there is something to compact: the window
    /// is not known of every model, and what is known of it may be wrong.
    fn model_failed(&mut self, failure: Failure) -> bool {
        if failure.kind == FailureKind::ContextLimit
            && self.is_streaming()
            && self.state.live.text.is_empty()
            && self.state.live.calls.is_empty()
            && let Some(compaction) = compact_refused(&self.state)
        {
            let (kind, message) = (failure.kind, failure.message);
            let started_ms = self.state.live.started_ms;
            let mut retries = std::mem::take(&mut self.state.live.retries);
            let attempt = retries.last().map_or(2, |last| last.attempt.saturating_add(1));
            retries.push(Retry { at_ms: self.now_ms, attempt, after_ms: 0, kind, message });
            self.record(EntryBody::Compacted(compaction));
            self.call_model();
            (self.state.live.started_ms, self.state.live.retries) = (started_ms, retries);
            return true;
        }
        self.end(match failure.kind {
            FailureKind::Cancelled => Ending::Cancelled,
            _ => Ending::Failed { failure },
        });
        true
    }

    fn tool_done(&mut self, key: &CallKey, mut result: ToolResult) -> bool {
        let Some(run) = self.state.run.as_ref().filter(|run| run.phase == Phase::Tools) else { return false };
        let waiting = run.calls.iter().find(|record| {
            record.status == CallStatus::Running
                && !record.is_estimating()
                && CallKey::new(&run.run_id, &record.call.id) == *key
        });
        let Some(record) = waiting else { return false };
        // Whatever the toolbox says, the result belongs to the call.
        result.call_id = record.call.id.clone();
        result.name = record.call.name.clone();
        let started_ms = record.started_ms;
        let kept = Kept::of(&record.call, &result);
        let outside = is_untrusted(&self.state, &result);
        self.record(EntryBody::Result { result, started_ms, kept, outside });
        self.advance();
        true
    }

    fn impact_estimated(&mut self, key: &CallKey, count: Option<u32>) -> bool {
        let Some(run) = self.state.run.as_ref().filter(|run| run.phase == Phase::Tools) else { return false };
        let estimating = run.calls.iter().find(|record| {
            record.status == CallStatus::Running
                && record.is_estimating()
                && CallKey::new(&run.run_id, &record.call.id) == *key
        });
        let Some(record) = estimating else { return false };
        let call_id = record.call.id.clone();
        self.record(EntryBody::ImpactEstimated { call_id, count });
        self.advance();
        true
    }

    /// The rule is the run's from here on; whoever made it keeps it for later runs.
    fn allow(&mut self, call_id: &CallId) -> bool {
        let asked = self.state.awaiting().find(|record| record.call.id == *call_id);
        let Some(tool) = asked.map(|record| record.call.name.clone()) else { return false };
        let same: Vec<CallId> = self
            .state
            .awaiting()
            .filter(|record| record.call.name == tool)
            .map(|record| record.call.id.clone())
            .collect();
        self.state.config.approvals.tools.insert(tool, Rule::Never);
        for call_id in same {
            self.record(EntryBody::Decision { call_id, approved: true });
        }
        self.advance();
        true
    }

    fn asks_person(&self, call_id: &CallId) -> bool {
        self.state.awaiting().any(|record| record.call.id == *call_id && record.plan == Disposition::Question)
    }

    /// The person's answer is the call's result.
    fn answer(&mut self, call_id: &CallId, reply: &Value) -> bool {
        let asked = self.state.awaiting().find(|record| record.call.id == *call_id);
        let Some(record) = asked.filter(|record| record.plan == Disposition::Question) else { return false };
        let Ok(result) = own::reply(record, reply) else { return false };
        let started_ms = self.state.run.as_ref().and_then(|run| run.paused_since_ms).unwrap_or(self.now_ms);
        self.record(EntryBody::Result { result, started_ms, kept: None, outside: false });
        self.advance();
        true
    }

    fn decide(&mut self, call_id: CallId, approved: bool) -> bool {
        let waits = self.state.awaiting().any(|record| record.call.id == call_id);
        if waits {
            self.record(EntryBody::Decision { call_id, approved });
            self.advance();
        }
        waits
    }

    /// Does what the run's phase asks for.
    fn advance(&mut self) {
        let Some(run) = &self.state.run else { return };
        if run.phase != Phase::Ended
            && !matches!(run.phase, Phase::Answered { .. })
            && let Some(guard) = guards::check(&self.state, run, self.now_ms)
        {
            self.end(Ending::Limited { guard });
            return;
        }
        match run.phase {
            Phase::Model => self.call_model(),
            Phase::Tools => self.call_tools(),
            Phase::Answered { stop } => self.answered(stop),
            Phase::Ended => {}
        }
    }

    fn call_model(&mut self) {
        // What was said is saved by now; which tools there are belongs to the request.
        if self.state.awaits_tools {
            return;
        }
        let (mut messages, mut sent) = window::prepared(&mut self.state);
        if let Some(compaction) = compaction(&self.state, messages.len(), &sent) {
            self.record(EntryBody::Compacted(compaction));
            (messages, sent) = window::prepared(&mut self.state);
        }
        let Some(run) = &self.state.run else { return };
        let config = &self.state.config;
        let request = ModelRequest {
            run_id: run.run_id.clone(),
            step: run.steps + 1,
            model: config.model.clone(),
            messages,
            tools: self.state.offered_tools().map(|tool| Arc::clone(&tool.spec)).collect(),
            temperature: config.temperature,
            max_output_tokens: config.max_output_tokens,
        };
        let unsaved = self.state.live.unsaved.take();
        self.state.live =
            Live { started_ms: Some(self.now_ms), sent: Some(sent), unsaved, ..Live::default() };
        self.effects.push(Effect::CallModel(request));
    }

    fn call_tools(&mut self) {
        // Where a call goes, and whether what it brings is from outside, the tools say: after a start they come first.
        if self.state.awaits_tools && self.state.tools.is_empty() {
            return;
        }
        // A call that waited behind others when the person allowed its tool is allowed with them; one that follows text from
        // outside is looked at whatever was allowed (D-17).
        let rules = &self.state.config.approvals.tools;
        let is_allowed = |record: &&CallRecord| {
            record.plan == Disposition::Ask
                && record.tainted_by.is_none()
                && rules.get(&record.call.name) == Some(&Rule::Never)
        };
        let allowed = self.state.awaiting().find(is_allowed);
        if let Some(record) = allowed {
            self.decide(record.call.id.clone(), true);
            return;
        }
        if let Some(result) = self.led_nowhere() {
            self.record(EntryBody::Result { result, started_ms: self.now_ms, kept: None, outside: false });
            self.advance();
            return;
        }
        let Some(run) = &self.state.run else { return };
        let waiting: Vec<(usize, ToolCall)> = run
            .calls
            .iter()
            .enumerate()
            .filter(|(_, record)| !record.asked && !record.status.is_settled())
            .map(|(at, record)| (at, self.with_results(&record.call)))
            .collect();
        let now_ms = self.now_ms;
        let Some(run) = &mut self.state.run else { return };
        for (at, call) in waiting {
            let Some(record) = run.calls.get_mut(at) else { continue };
            let key = CallKey::new(&run.run_id, &record.call.id);
            let effect = match record.status {
                CallStatus::Running if record.is_estimating() => Effect::EstimateImpact { call, key },
                CallStatus::Running => {
                    record.started_ms = now_ms;
                    Effect::CallTool { call, key }
                }
                CallStatus::Awaiting => Effect::AskUser(Approval { call, title: record.title.clone(), key }),
                CallStatus::Queued | CallStatus::Done | CallStatus::Failed | CallStatus::Denied => continue,
            };
            record.asked = true;
            self.effects.push(effect);
        }
    }

    /// A refusal for the first call whose turn it is and whose references lead nowhere any more: what it named was kept when it
    /// was asked for, and the person, or the calls before it, took their time. No tool gets the text of a reference (D-18).
    fn led_nowhere(&self) -> Option<ToolResult> {
        let run = self.state.run.as_ref()?;
        run.calls.iter().filter(|record| record.status == CallStatus::Running && !record.asked).find_map(
            |record| {
                let arguments = Some(&record.call.arguments).filter(|arguments| has_reference(arguments))?;
                let error = resolved(&self.state, arguments, self.now_ms).err()?;
                // Before the page was gone it may have been made, with what the reference stood for then.
                let may_be_done = !record.is_estimating() && self.was_resumed_since_its_turn(&record.call.id);
                let message = if may_be_done {
                    sentences::UNKNOWN_OUTCOME.to_owned()
                } else {
                    format!("{error} {}", sentences::NOT_CALLED)
                };
                Some(reduce::answer(record, &message))
            },
        )
    }

    /// Whether the run was resumed after all that the log says about this call's turn.
    fn was_resumed_since_its_turn(&self, call_id: &CallId) -> bool {
        let last = self.state.entries.iter().rev().find_map(|entry| match &entry.body {
            EntryBody::Resumed {} => Some(true),
            EntryBody::Decision { call_id: id, .. } | EntryBody::ImpactEstimated { call_id: id, .. }
                if id == call_id =>
            {
                Some(false)
            }
            // It waited for the calls before it.
            EntryBody::Result { .. } | EntryBody::Response { .. } => Some(false),
            _ => None,
        });
        last == Some(true)
    }

    /// The call as the tool gets it: with what its references stand for (D-18).
    fn with_results(&self, call: &ToolCall) -> ToolCall {
        let mut call = call.clone();
        if has_reference(&call.arguments)
            && let Ok(arguments) = resolved(&self.state, &call.arguments, self.now_ms)
        {
            call.arguments = arguments;
        }
        call
    }

    /// Ends the run: says why, keeps what there is, and answers every open call (D-05), all in one entry.
    fn end(&mut self, ending: Ending) {
        self.end_with(ending, Vec::new(), "");
    }

    /// The same with what of the answer no result supports, and one more sentence for the person.
    fn end_with(&mut self, ending: Ending, doubts: Vec<Doubt>, remark: &str) {
        self.state.awaits_check = false;
        let open = self.state.run.iter().flat_map(|run| run.calls.iter());
        let repairs = open
            .filter(|record| !record.status.is_settled())
            .map(|record| reduce::answer(record, words::left_open(&ending, record)))
            .collect();
        let note = words::note(&self.state, &ending);
        let body = EntryBody::Ended {
            doubts,
            note: [note.as_str(), remark].join(" ").trim().to_owned(),
            partial: self.partial(),
            repairs,
            ending,
        };
        self.record(body);
    }

    /// What the open request has brought so far.
    fn partial(&self) -> Option<Partial> {
        let run = self.state.run.as_ref()?;
        let live = &self.state.live;
        let step = run.steps + 1;
        live.started_ms.map(|started_ms| Partial {
            step,
            model: self.state.config.model.clone(),
            text: if live.text.len() < live.broken_off.len() { &live.broken_off } else { &live.text }.clone(),
            thought: live.thought.clone(),
            usage: live.usage,
            started_ms,
            span_id: step_span_id(&run.run_id, step),
            retries: live.retries.clone(),
        })
    }

    fn record(&mut self, body: EntryBody) {
        if let Some(run) = &self.state.run {
            self.record_in(run.run_id.clone(), body);
        }
    }

    fn record_in(&mut self, run_id: RunId, body: EntryBody) {
        let seq = self.state.entries.len() as u64;
        let entry = Arc::new(Entry { seq, at_ms: self.now_ms, run_id, body });
        reduce::apply(&mut self.state, Arc::clone(&entry));
        self.effects.push(Effect::Save(entry));
    }
}

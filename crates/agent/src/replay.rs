//! Plays a saved conversation again: the step machine of today against the recorded answers of person, model and
//! tools. Nothing is called and nothing is stored.
//!
//! The record says what came from outside (a message, a response, a decision, a result, a clock that ran out); what the
//! machine makes of it (plans, ids, guards, notes, endings) it has to make again, entry by entry and to the last
//! character. The first place where it does not is the [`Difference`]. Which model was asked and which rules for
//! approvals were in force is a fact from outside too: both may have changed in the middle of a conversation.

use protocol::{CallId, CallKey, Checked, Failure, FailureKind, ModelEvent, Usage};
use serde_json::Value;

use crate::calls::is_unknown_tool;
use crate::entry::entries_from;
use crate::{
    AgentConfig, AgentState, Disposition, Ending, Entry, EntryBody, EvidencePolicy, Guard, Input, Live,
    Planning, RequestedCall, Rule, RunFile, Stamp, TurnStart, own, sentences, step,
};

/// A conversation that is being played again.
#[derive(Clone, Debug)]
pub struct Replay {
    state: AgentState,
    record: Vec<Entry>,
    /// How many entries of the record have come out again.
    at: usize,
}

/// Where a replay left the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The place in the record, from 0.
    pub at: usize,
    /// What the record has there; none when it ends before.
    pub recorded: Option<EntryBody>,
    /// What came out instead; none when nothing did.
    pub replayed: Option<EntryBody>,
}

impl Replay {
    /// A replay before its first step.
    #[must_use]
    pub fn new(file: &RunFile) -> Self {
        // No model is asked, so nobody is told anything.
        let config = AgentConfig { limits: file.limits.clone(), ..AgentConfig::new("") };
        let state = AgentState::new("replay", config, file.tools.iter().map(|tool| tool.spec()));
        Self { state, record: file.entries.clone(), at: 0 }
    }

    /// The conversation as far as it has been played.
    #[must_use]
    pub fn state(&self) -> &AgentState {
        &self.state
    }

    /// How many entries have been played, and how many there are.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.at, self.record.len())
    }

    /// Plays what came next from outside, and everything the machine makes of it. False when there is nothing
    /// more.
    ///
    /// # Errors
    /// The first difference. Playing on after it makes no sense.
    pub fn advance(&mut self) -> Result<bool, Box<Difference>> {
        let Some(next) = self.record.get(self.at).cloned() else { return Ok(false) };
        let stamp = Stamp { now_ms: next.at_ms };
        let before = self.state.entries.len();
        for input in self.inputs(&next) {
            self.state = step(self.state.clone(), input, stamp).0;
        }
        let made: Vec<Entry> = entries_from(&self.state.entries, before).cloned().collect();
        if made.is_empty() {
            let recorded = Some(next.body);
            return Err(Box::new(Difference { at: self.at, recorded, replayed: None }));
        }
        for entry in made {
            let recorded = self.record.get(self.at);
            if recorded != Some(&as_recorded(entry.clone(), recorded)) {
                let recorded = recorded.map(|entry| entry.body.clone());
                let replayed = Some(entry.body);
                return Err(Box::new(Difference { at: self.at, recorded, replayed }));
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// What happened outside, for this entry to come about.
    fn inputs(&mut self, entry: &Entry) -> Vec<Input> {
        let start = |boundary: &str, context: &crate::Context| TurnStart {
            run_id: entry.run_id.clone(),
            boundary: boundary.to_owned(),
            context: context.clone(),
        };
        match &entry.body {
            EntryBody::User { text, images, boundary, context } => {
                let (text, images) = (text.clone(), images.clone());
                vec![Input::User { text, images, start: start(boundary, context) }]
            }
            EntryBody::Retried { boundary, context } => {
                vec![Input::Retry { start: start(boundary, context) }]
            }
            EntryBody::Response {
                model,
                routed,
                text,
                thought,
                calls,
                usage,
                stop,
                sent,
                confidence,
                retries,
                started_ms,
                ..
            } => {
                // The request waited for the list of tools, which is in no record.
                self.state.live.started_ms = Some(*started_ms);
                // How large the request was depends on what the record does not hold: prompt and schemas.
                self.state.live.sent = *sent;
                self.state.live.retries.clone_from(retries);
                self.state.config.model.clone_from(model);
                self.state.config.routed = *routed;
                calls.iter().for_each(|requested| self.rule_as_recorded(requested));
                // An answer waits for what the record says was found in it; where that says no more, it is the end.
                let is_last = self.at + 1 == self.record.len();
                self.state.config.evidence =
                    if is_last { EvidencePolicy::Off } else { EvidencePolicy::Repair };
                let mut inputs = streamed(text, thought, *usage);
                let sure = |value: f64| Input::Model(ModelEvent::Confidence { value });
                inputs.extend(confidence.map(sure));
                inputs.extend((0..).zip(calls).map(|(index, requested)| called(index, requested)));
                inputs.push(Input::Model(ModelEvent::Done { reason: *stop }));
                inputs
            }
            EntryBody::ImpactEstimated { call_id, count } => {
                vec![Input::ImpactEstimated { key: CallKey::new(&entry.run_id, call_id), count: *count }]
            }
            // Several at once are one word of the person: after the first alone, the clock could end the run.
            EntryBody::Decision { call_id, approved: true } if self.is_allowed_with_next(entry, call_id) => {
                vec![Input::Allow(call_id.clone())]
            }
            EntryBody::Decision { call_id, approved: true } => vec![Input::Approve(call_id.clone())],
            EntryBody::Decision { call_id, approved: false } => vec![Input::Deny(call_id.clone())],
            EntryBody::Result { result, .. } if self.is_question(&result.call_id) => {
                vec![Input::Answer { call_id: result.call_id.clone(), reply: own::reply_again(result) }]
            }
            EntryBody::Result { result, .. } => {
                let key = CallKey::new(&entry.run_id, &result.call_id);
                vec![Input::ToolDone { key, result: result.clone() }]
            }
            // A model that is not sure enough: it comes of itself, with the answer before it, or not at all.
            EntryBody::Doubted { message } if message == sentences::UNSURE => Vec::new(),
            EntryBody::Doubted { message } => {
                self.checked(Ok(Checked { doubts: Vec::new(), message: message.clone() }))
            }
            EntryBody::Resumed {} => vec![Input::Resume],
            EntryBody::Compacted(compaction) => vec![Input::Compacted(compaction.clone())],
            EntryBody::Ended { ending: Ending::Complete { .. }, doubts, note, .. } => {
                let not_checked = Failure::new(FailureKind::RetryableNetwork, sentences::NOT_CHECKED);
                let found = Checked { doubts: doubts.clone(), message: String::new() };
                self.checked(if note.ends_with(sentences::NOT_CHECKED) {
                    Err(not_checked)
                } else {
                    Ok(found)
                })
            }
            EntryBody::Ended { ending, partial, .. } => {
                // An answer that was being checked would have stood: the page was gone.
                self.state.awaits_check = false;
                let mut inputs = Vec::new();
                if let Some(partial) = partial {
                    self.state.config.model.clone_from(&partial.model);
                    self.state.live.retries.clone_from(&partial.retries);
                    self.state.live.started_ms = Some(partial.started_ms);
                    inputs = streamed(&partial.text, &partial.thought, partial.usage);
                } else {
                    // It ended before the request was made, or after the page was gone in the middle of it.
                    self.state.live = Live::default();
                }
                // What was compacted then is in the record: it ended here.
                self.state.config.context.never = true;
                inputs.push(match ending {
                    Ending::Cancelled => Input::Cancel,
                    Ending::Failed { failure }
                        if partial.is_some() && failure.kind != FailureKind::Cancelled =>
                    {
                        Input::ModelFailed(failure.clone())
                    }
                    Ending::Failed { failure } => Input::LogFailed(failure.clone()),
                    // The other guards come of themselves or not at all.
                    Ending::Limited { guard: Guard::WallClock } => Input::Tick,
                    Ending::Limited { .. } | Ending::Complete { .. } => return Vec::new(),
                });
                inputs
            }
        }
    }

    /// What a check of the last answer found.
    fn checked(&self, found: Result<Checked, Failure>) -> Vec<Input> {
        self.state.last_response().map(|answer| Input::Checked { answer, found }).into_iter().collect()
    }

    /// True when the next call of the same tool was allowed with this one.
    fn is_allowed_with_next(&self, entry: &Entry, call_id: &CallId) -> bool {
        let Some(next) = self.record.get(self.at + 1) else { return false };
        let EntryBody::Decision { call_id: other, approved: true } = &next.body else { return false };
        let tool = |id: &CallId| {
            let asked = self.state.awaiting().find(|record| record.call.id == *id);
            asked.map(|record| record.call.name.clone())
        };
        next.at_ms == entry.at_ms && tool(call_id).is_some() && tool(call_id) == tool(other)
    }

    fn is_question(&self, call_id: &CallId) -> bool {
        self.state.awaiting().any(|record| record.call.id == *call_id && record.plan == Disposition::Question)
    }

    fn rule_as_recorded(&mut self, requested: &RequestedCall) {
        let rule = match &requested.plan {
            Disposition::Ask => Rule::Always,
            Disposition::EstimateImpact { above } => Rule::Above(*above),
            Disposition::Write => Rule::Never,
            Disposition::Question | Disposition::Answered { .. } => return self.offer_own_tools(),
            Disposition::Refuse { message } if message == own::PLAN_FIRST => {
                self.state.config.own_tools.planning = Planning::First;
                return;
            }
            // What was wrong about the call was its arguments: the tool was there.
            Disposition::Refuse { message }
                if own::title(&requested.call.name).is_some() && !is_unknown_tool(message) =>
            {
                return self.offer_own_tools();
            }
            Disposition::Read | Disposition::Refuse { .. } => return,
        };
        self.state.config.approvals.tools.insert(requested.call.name.clone(), rule);
    }

    fn offer_own_tools(&mut self) {
        let own = &mut self.state.config.own_tools;
        own.questions = true;
        if own.planning == Planning::Off {
            own.planning = Planning::Offered;
        }
    }
}

/// What is made, as a log has it that was saved before results had references.
fn as_recorded(mut made: Entry, recorded: Option<&Entry>) -> Entry {
    if let (EntryBody::Result { kept, .. }, Some(EntryBody::Result { kept: None, .. })) =
        (&mut made.body, recorded.map(|entry| &entry.body))
    {
        *kept = None;
    }
    made
}

fn streamed(text: &str, thought: &str, usage: Usage) -> Vec<Input> {
    vec![
        Input::Model(ModelEvent::ThoughtDelta { text: thought.to_owned() }),
        Input::Model(ModelEvent::TextDelta { text: text.to_owned() }),
        Input::Model(ModelEvent::Usage { usage }),
    ]
}

fn called(index: u32, requested: &RequestedCall) -> Input {
    let arguments = match &requested.call.arguments {
        // Arguments that were no object are kept as the text they came in.
        Value::String(text) => text.clone(),
        object => object.to_string(),
    };
    Input::Model(ModelEvent::ToolCallDelta {
        index,
        id: Some(requested.call.id.clone()),
        name: Some(requested.call.name.clone()),
        arguments,
    })
}

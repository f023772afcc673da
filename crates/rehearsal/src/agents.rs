//! An agent at work: its tools with the ways to hand over, its model with rules before it, and one turn of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use agent::{
    AgentConfig, AgentState, Checker, Context, ContextBlock, ContextProvider, Disposition, Driver, Entry,
    EntryBody, EvidencePolicy, Ids, Log, Model, ModelStream, Show, Status, Toolbox,
};
use async_trait::async_trait;
use futures::StreamExt;
use protocol::{
    CallId, CallKey, Failure, FailureKind, Hints, ModelEvent, ModelRequest, StopReason, ToolCall, ToolResult,
    ToolSpec, Usage,
};
use serde_json::{Map, Value, json};

use crate::chance::Chance;
use crate::emulator::{Answered, ToolEmulator};
use crate::faults::Faults;
use crate::matching::pattern;
use crate::ports::Cast;
use crate::prompts::{AgentSpec, Rule, SUPPORT};
use crate::real::{RealTools, ZONE};
use crate::record::{self, Call, END_CALL, HANDOFF, error_result};
use crate::scenario::Scripted;
use crate::session::{Made, Next, Session};
use crate::template::Names;
use crate::time;

/// Hand-overs since the client spoke last after which another one is a loop.
const MOST_HANDOFFS: u32 = 4;

/// The most that an agent is told of what was said before it took over, in characters.
const MOST_TOLD: usize = 8_000;

/// What is answered to a call once it is decided who goes on.
const DECIDED: &str = "the conversation was handed over or ended already";

/// What an agent's model is taken to say after it has handed over or hung up: nothing that the client hears.
const GONE: &str = "(the conversation is with somebody else now)";

/// What is the same for all agents of a conversation.
pub(crate) struct Stage {
    pub session: Rc<Session>,
    pub agents: BTreeMap<String, AgentSpec>,
    pub real: Option<Rc<RealTools>>,
    pub emulator: Rc<ToolEmulator>,
    pub faults: Faults,
    pub checker: Rc<dyn Checker>,
    /// Only these of the real tools.
    pub only: Option<Vec<String>>,
    /// Whether there are tools at all.
    pub has_tools: bool,
    /// What templates may name.
    pub names: Names,
    pub chance: Rc<Chance>,
    pub script: Vec<Scripted>,
    /// Whether the client allows what it is asked to allow.
    pub approves: bool,
    /// Whether every answer is held to its sources.
    pub checks_evidence: bool,
}

/// An agent of a conversation, with its own context (S2-19).
#[derive(Clone)]
pub(crate) struct AgentAtWork {
    pub name: String,
    pub spec: AgentSpec,
    pub cast: Cast,
    pub state: AgentState,
    /// How many turns of the history it has seen or said.
    pub seen: usize,
}

/// What came of an agent's turn.
pub(crate) struct TurnDone {
    pub failure: Option<Failure>,
    pub took_ms: u64,
}

impl AgentAtWork {
    /// An agent that has said nothing yet.
    ///
    /// # Errors
    /// When its prompt names a variable that is not there.
    pub fn new(name: &str, spec: &AgentSpec, cast: Cast, stage: &Stage) -> Result<Self, String> {
        let instructions = stage.names.render(&spec.prompt);
        let instructions = instructions.map_err(|wrong| format!("the prompt of {name}: {wrong}"))?;
        let mut config = AgentConfig::new(instructions);
        config.model.clone_from(&cast.name);
        config.context.window_tokens = cast.window_tokens;
        config.memory.whole_tokens = cast.whole_tokens;
        config.evidence = match cast.evidence {
            EvidencePolicy::Off if stage.checks_evidence => EvidencePolicy::Mark,
            other => other,
        };
        Ok(Self {
            name: name.to_owned(),
            spec: spec.clone(),
            cast,
            state: AgentState::new(format!("agent_{name}"), config, []),
            seen: 0,
        })
    }

    /// Answers what the client said last.
    pub async fn take_turn(&mut self, stage: &Rc<Stage>) -> TurnDone {
        let session = &stage.session;
        let began_ms = session.clock.now_ms();
        let first_entry = self.state.entries.len();
        let first_made = session.made.borrow().len();
        let words = session.heard.borrow().clone();
        let tools = Rc::new(AgentTools {
            stage: Rc::clone(stage),
            agent: self.name.clone(),
            spec: self.spec.clone(),
        });
        let (mut driver, handle) = Driver::new(agent::Ports {
            model: Rc::new(AgentModel {
                stage: Rc::clone(stage),
                spec: self.spec.clone(),
                inner: Rc::clone(&self.cast.model),
                is_scripted: self.cast.name == crate::engine::SCRIPTED,
                first_made,
            }),
            toolbox: tools,
            checker: Rc::clone(&stage.checker),
            log: Rc::new(Unsaved),
            clock: Rc::clone(&session.clock),
            ids: Rc::clone(&stage.chance) as Rc<dyn Ids>,
            context_provider: Rc::new(WhatIsTold {
                stage: Rc::clone(stage),
                handed_over: self.handed_over(session),
            }),
            show: Rc::new(Decides { session: Rc::clone(session), approves: stage.approves }),
        });
        session.handle.replace(Some(handle));
        self.state = driver.run_turn(self.state.clone(), words).await;
        session.handle.replace(None);
        if let Status::Limited { guard } = &self.state.status {
            session.note("run_limited", format!("{} was stopped: {}", self.name, word(&json!(guard))));
        }
        self.keep(stage, first_entry, first_made);
        if self.state.tainted_by.is_some() {
            session.tainted.set(true);
        }
        self.seen = session.turns.borrow().len();
        let failure = match &self.state.status {
            Status::Failed { failure } => Some(failure.clone()),
            // Nothing was asked, or nobody waited for the answer: that is none.
            Status::Cancelled => {
                Some(Failure::new(FailureKind::Cancelled, "The model was not asked to the end."))
            }
            _ => None,
        };
        TurnDone { failure, took_ms: u64::try_from(session.clock.now_ms() - began_ms).unwrap_or(0) }
    }

    /// What was said since this agent spoke last, where another one has: whoever takes over is told (S2-19).
    fn handed_over(&self, session: &Session) -> Option<ContextBlock> {
        let turns = session.turns.borrow();
        let own = format!("agent_{}", self.name);
        let missed = turns.get(self.seen..).unwrap_or_default();
        if !missed.iter().any(|turn| turn.speaker != "client" && turn.speaker != own) {
            return None;
        }
        let lines: Vec<String> = missed
            .iter()
            .filter(|turn| !turn.content.is_empty())
            .map(|turn| format!("{}: {}", turn.speaker, turn.content))
            .collect();
        let text = lines.join("\n");
        let from = text.char_indices().rev().nth(MOST_TOLD).map_or(0, |(at, _)| at);
        Some(ContextBlock {
            name: "handed_over".to_owned(),
            title: "Handed over".to_owned(),
            lead: "This conversation was handed over to you. What was said before, by whom:".to_owned(),
            text: text.get(from..).unwrap_or_default().to_owned(),
            // What another agent says may be what a stranger wrote.
            outside: session.tainted.get(),
            stable: false,
        })
    }

    /// Keeps the turn as the record has it. Its calls in the session begin at `first_made`: another agent's may have the same ids.
    fn keep(&self, stage: &Stage, first_entry: usize, first_made: usize) {
        let session = &stage.session;
        let entries: Vec<&Entry> =
            self.state.entries.iter().skip(first_entry).map(|entry| &**entry).collect();
        let (mut texts, mut calls, mut results) = (Vec::new(), Vec::new(), Vec::new());
        let answers = answers_in(&entries);
        for entry in &entries {
            match &entry.body {
                EntryBody::Response { text, calls: asked, .. } => {
                    if !text.trim().is_empty() && text != GONE {
                        texts.push(text.trim().to_owned());
                    }
                    for asked in asked {
                        let call = &asked.call;
                        let made =
                            session.made.borrow().iter().skip(first_made).any(|made| made.call_id == call.id);
                        let (content, is_error) = match answers.get(&call.id) {
                            Some((content, is_error)) => (content.clone(), *is_error),
                            // A call without an answer would be refused by every provider (S2-09).
                            None => ("it was not carried out".to_owned(), true),
                        };
                        if !made {
                            // What the agent's core refused or answered itself never came to a tool.
                            session.made.borrow_mut().push(Made {
                                call_id: call.id.clone(),
                                turn: session.turn(),
                                agent: self.name.clone(),
                                name: call.name.clone(),
                                arguments: call.arguments.clone(),
                                content: content.clone(),
                                is_error,
                            });
                            if is_error {
                                let kind = if call.name.starts_with(HANDOFF) {
                                    "handoff_failed"
                                } else {
                                    "tool_failed"
                                };
                                session.note(kind, format!("{} of {}: {content}", call.name, self.name));
                            }
                        }
                        calls.push(session.unique(Call::of(call)));
                        results.push(result_of(&call.name, content, is_error));
                    }
                }
                EntryBody::Ended { partial: Some(partial), .. } if !partial.text.trim().is_empty() => {
                    texts.push(partial.text.trim().to_owned());
                }
                _ => {}
            }
        }
        let speaker = if stage.has_tools { format!("agent_{}", self.name) } else { "agent".to_owned() };
        session.said(speaker, texts.join("\n\n"), calls, results);
    }
}

/// What came of each call.
fn answers_in(entries: &[&Entry]) -> BTreeMap<CallId, (String, bool)> {
    let mut answers = BTreeMap::new();
    for entry in entries {
        match &entry.body {
            EntryBody::Response { calls, .. } => {
                for asked in calls {
                    let answer = match &asked.plan {
                        Disposition::Answered { content } => (content.clone(), false),
                        Disposition::Refuse { message } => (message.clone(), true),
                        _ => continue,
                    };
                    answers.insert(asked.call.id.clone(), answer);
                }
            }
            EntryBody::Decision { call_id, approved: false } => {
                answers.insert(call_id.clone(), ("the client did not allow it".to_owned(), true));
            }
            EntryBody::Result { result, .. } => {
                answers.insert(result.call_id.clone(), (result.content.clone(), result.is_error));
            }
            EntryBody::Ended { repairs, .. } => {
                for repair in repairs {
                    answers
                        .entry(repair.call_id.clone())
                        .or_insert((repair.content.clone(), repair.is_error));
                }
            }
            _ => {}
        }
    }
    answers
}

/// A result as the record has it: the engine's own as objects (S2-15 to S2-17), every other as its text (S2-14).
fn result_of(tool: &str, content: String, is_error: bool) -> Value {
    if is_error {
        return error_result(&content);
    }
    if tool == END_CALL || tool.starts_with(HANDOFF) {
        return record::safe_parse_tool_result(&content);
    }
    Value::String(content)
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |word| word.replace('_', " "))
}

/// The tools of an agent: those of the scenario, and the ways to hand over and to end.
struct AgentTools {
    stage: Rc<Stage>,
    agent: String,
    spec: AgentSpec,
}

impl AgentTools {
    /// The agents it may hand over to.
    fn targets(&self) -> impl Iterator<Item = (&String, &AgentSpec)> {
        self.stage.agents.iter().filter(|(name, _)| {
            **name != self.agent && (name.as_str() == SUPPORT || self.spec.handoffs.contains(name))
        })
    }

    fn may_use(&self, name: &str) -> bool {
        self.spec.tools.as_ref().is_none_or(|tools| tools.iter().any(|tool| tool == name))
    }

    /// Hands over, unless a fault of the scenario strikes (S2-12, S2-15, S2-24).
    fn hand_over(&self, call: &ToolCall, target: &str, fault: Option<String>) -> Answered {
        let session = &self.stage.session;
        let reason = call.arguments["reason"].as_str().unwrap_or("no reason was given");
        let refused = if session.next.borrow().is_some() {
            // Another call of the same response was quicker.
            Some(("handoff_failed", DECIDED.to_owned()))
        } else if !self.targets().any(|(name, _)| name == target) {
            Some(("handoff_failed", format!("there is no agent {target} to hand over to")))
        } else if session.handoffs.get() >= MOST_HANDOFFS {
            Some((
                "handoff_loop",
                format!("{MOST_HANDOFFS} hand-overs since the client spoke last: answer instead"),
            ))
        } else {
            fault.map(|why| ("handoff_failed", why))
        };
        if let Some((kind, why)) = refused {
            session.note(
                kind,
                format!("{} to {target} ({reason}), after “{}”: {why}", self.agent, session.heard.borrow()),
            );
            return Answered::error(why);
        }
        session.handoffs.set(session.handoffs.get() + 1);
        session.next.replace(Some(Next::Agent(target.to_owned())));
        Answered { content: record::handoff_result(target).to_string(), is_error: false }
    }

    async fn carry_out(&self, call: &ToolCall, key: &CallKey) -> Answered {
        let stage = &self.stage;
        if stage.session.next.borrow().is_some() {
            return Answered::error(DECIDED);
        }
        if call.name == END_CALL {
            stage.session.next.replace(Some(Next::End));
            return Answered { content: record::end_call_result().to_string(), is_error: false };
        }
        let struck = stage.faults.strike(&call.name);
        if struck.delay_ms > 0 {
            stage.session.clock.sleep(struck.delay_ms).await;
        }
        if let Some(target) = call.name.strip_prefix(HANDOFF)
            && !stage.emulator.has(&call.name)
        {
            return self.hand_over(call, target, struck.error);
        }
        if let Some(error) = struck.error {
            return Answered::error(error);
        }
        let mut answered = self.once(call, key).await;
        if struck.twice {
            let again = CallKey::new(key.run(), &CallId(format!("{}_again", call.id.0)));
            answered = self.once(call, &again).await;
        }
        match struck.nonsense {
            Some(content) => Answered { content, is_error: false },
            None => answered,
        }
    }

    async fn once(&self, call: &ToolCall, key: &CallKey) -> Answered {
        let stage = &self.stage;
        if stage.emulator.has(&call.name) {
            return stage.emulator.call(call).await;
        }
        match &stage.real {
            Some(real) => {
                let result = real.call(call, key).await;
                Answered { content: result.content, is_error: result.is_error }
            }
            None => Answered::error(format!("there is no tool {}", call.name)),
        }
    }
}

#[async_trait(?Send)]
impl Toolbox for AgentTools {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        let stage = &self.stage;
        if !stage.has_tools {
            return Ok(Vec::new());
        }
        let mut specs = stage.emulator.specs();
        if let Some(real) = &stage.real {
            let only = |spec: &ToolSpec| stage.only.as_ref().is_none_or(|only| only.contains(&spec.name));
            specs.extend(
                real.list().await?.into_iter().filter(|spec| only(spec) && !stage.emulator.has(&spec.name)),
            );
        }
        specs.retain(|spec| self.may_use(&spec.name));
        let targets = self.targets().filter(|(name, _)| !stage.emulator.has(&format!("{HANDOFF}{name}")));
        specs.extend(targets.map(|(name, spec)| handoff(name, &spec.about)));
        specs.push(plain(
            END_CALL,
            "End the call",
            "Ends the conversation, once everything the client wanted is done.",
            json!({"type": "object"}),
        ));
        order::sort_by_key(&mut specs, |spec| spec.name.clone());
        Ok(specs)
    }

    fn is_outdated(&self) -> bool {
        self.stage.real.as_ref().is_some_and(|real| real.is_outdated())
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        let session = &self.stage.session;
        let Answered { content, is_error } = self.carry_out(call, key).await;
        // The engine's own hand-over has said why already.
        let is_emulated = self.stage.emulator.has(&call.name);
        if is_error && call.name.starts_with(HANDOFF) && is_emulated {
            session.note("handoff_failed", format!("{} of {}: {content}", call.name, self.agent));
        } else if is_error && !call.name.starts_with(HANDOFF) {
            session.note("tool_failed", format!("{} of {}: {content}", call.name, self.agent));
        }
        session.made.borrow_mut().push(Made {
            call_id: call.id.clone(),
            turn: session.turn(),
            agent: self.agent.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            content: content.clone(),
            is_error,
        });
        let structured = if is_error { None } else { serde_json::from_str(&content).ok() };
        ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured }
    }

    async fn estimate_impact(&self, call: &ToolCall) -> Option<u32> {
        match &self.stage.real {
            Some(real) if !self.stage.emulator.has(&call.name) => real.estimate_impact(call).await,
            _ => None,
        }
    }
}

fn handoff(agent: &str, about: &str) -> ToolSpec {
    let about = if about.is_empty() { String::new() } else { format!(": {about}") };
    plain(
        &format!("{HANDOFF}{agent}"),
        &format!("Hand over to {agent}"),
        &format!("Hands the conversation over to {agent}{about}. Say nothing more yourself afterwards."),
        json!({"type": "object", "properties": {"reason": {"type": "string", "description": "Why, in a few words"}}}),
    )
}

fn plain(name: &str, title: &str, description: &str, input_schema: Value) -> ToolSpec {
    let hints =
        Hints { read_only: true, destructive: false, idempotent: true, open_world: false, lasting: false };
    ToolSpec { name: name.into(), title: title.into(), description: description.into(), input_schema, hints }
}

/// The model of an agent: what its rules say comes first, and after a hand-over it is silent.
struct AgentModel {
    stage: Rc<Stage>,
    spec: AgentSpec,
    inner: Rc<dyn Model>,
    is_scripted: bool,
    /// The first call of this turn.
    first_made: usize,
}

#[async_trait(?Send)]
impl Model for AgentModel {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        let session = &self.stage.session;
        if session.next.borrow().is_some() {
            return Ok(self.answer(GONE, Vec::new()));
        }
        if let Some(ruled) = self.by_rule(request.step)? {
            return Ok(ruled);
        }
        if self.is_scripted {
            return self.by_script();
        }
        let chance = Rc::clone(&self.stage.chance);
        let stream = self.inner.stream(request).await?;
        Ok(stream.map(move |event| event.map(|event| with_id(event, &chance))).boxed_local())
    }
}

/// A call whose model gave it no id gets one that no other call of the conversation has, whichever agent makes it.
fn with_id(event: ModelEvent, chance: &Chance) -> ModelEvent {
    match event {
        ModelEvent::ToolCallDelta { index, id: None, name: Some(name), arguments } => {
            let id = Some(CallId(format!("call_{}", chance.new_id())));
            ModelEvent::ToolCallDelta { index, id, name: Some(name), arguments }
        }
        event => event,
    }
}

impl AgentModel {
    /// What the first rule that fits says; none where none does.
    ///
    /// # Errors
    /// When a pattern or a template is none.
    fn by_rule(&self, step: u32) -> Result<Option<ModelStream>, Failure> {
        let session = &self.stage.session;
        let words = session.heard.borrow().clone();
        for (place, rule) in self.spec.rules.iter().enumerate() {
            let pattern = pattern(&rule.when).map_err(wrong)?;
            let Some(groups) = pattern.captures(&words) else { continue };
            let mut named = Map::new();
            for (at, group) in groups.iter().enumerate() {
                named.insert(at.to_string(), group.map_or("", |group| group.as_str()).into());
            }
            for name in pattern.capture_names().flatten() {
                named.insert(name.to_owned(), groups.name(name).map_or("", |group| group.as_str()).into());
            }
            let list: Vec<Value> = (0..groups.len()).map(|at| named[&at.to_string()].clone()).collect();
            let names = self.stage.names.clone().with("m", list).with("named", Value::Object(named));
            return self.carry_out(rule, place, step, &names).map(Some);
        }
        Ok(None)
    }

    fn carry_out(&self, rule: &Rule, place: usize, step: u32, names: &Names) -> Result<ModelStream, Failure> {
        if step == 1 && !rule.call.is_empty() {
            let calls = rule.call.iter().map(|call| {
                let arguments = names.render_fields(&call.arguments).map_err(|error| wrong(error.0))?;
                Ok((call.tool.clone(), Value::Object(arguments)))
            });
            return Ok(self.answer("", calls.collect::<Result<_, Failure>>()?));
        }
        let session = &self.stage.session;
        let results: Vec<Value> = session
            .made
            .borrow()
            .iter()
            .skip(self.first_made)
            .map(|made| {
                let answer = record::safe_parse_tool_result(&made.content);
                if made.is_error { json!({"error": answer}) } else { answer }
            })
            .collect();
        let texts = rule.say.as_ref().map_or(&[][..], |say| say.all());
        let mut draw = self.stage.chance.stream(&format!("rule {place} of turn {}", session.turn()));
        let text = draw.one_of(texts).map_or("Done.", String::as_str);
        let text = names.clone().with("results", results).render(text).map_err(|error| wrong(error.0))?;
        Ok(self.answer(&text, Vec::new()))
    }

    fn by_script(&self) -> Result<ModelStream, Failure> {
        let session = &self.stage.session;
        let at = session.scripted.replace(session.scripted.get() + 1);
        let Some(scripted) = self.stage.script.get(at) else {
            return Err(wrong(format!("the script has {} answers, and another one is asked for", at)));
        };
        if let Some(fail) = &scripted.fail {
            let kind =
                if fail.status >= 500 { FailureKind::RetryableNetwork } else { FailureKind::Validation };
            return Err(Failure { status: Some(fail.status), ..Failure::new(kind, fail.message.clone()) });
        }
        let names = &self.stage.names;
        let text = names.render(&scripted.say).map_err(|error| wrong(error.0))?;
        let calls = scripted.call.iter().map(|call| {
            let arguments = names.render_fields(&call.arguments).map_err(|error| wrong(error.0))?;
            Ok((call.tool.clone(), Value::Object(arguments)))
        });
        Ok(self.answer(&text, calls.collect::<Result<_, Failure>>()?))
    }

    /// A response of these words and calls.
    fn answer(&self, text: &str, calls: Vec<(String, Value)>) -> ModelStream {
        let mut events = Vec::new();
        if !text.is_empty() {
            events.push(ModelEvent::TextDelta { text: text.to_owned() });
        }
        let reason = if calls.is_empty() { StopReason::Stop } else { StopReason::ToolCalls };
        for (index, (name, arguments)) in calls.into_iter().enumerate() {
            events.push(ModelEvent::ToolCallDelta {
                index: u32::try_from(index).unwrap_or(u32::MAX),
                id: Some(CallId(format!("call_{}", self.stage.chance.new_id()))),
                name: Some(name),
                arguments: arguments.to_string(),
            });
        }
        events.push(ModelEvent::Usage { usage: Usage::default() });
        events.push(ModelEvent::Done { reason });
        futures::stream::iter(events.into_iter().map(Ok)).boxed_local()
    }
}

fn wrong(message: String) -> Failure {
    Failure::new(FailureKind::Validation, message)
}

/// What a model is told at the start of a turn.
struct WhatIsTold {
    stage: Rc<Stage>,
    handed_over: Option<ContextBlock>,
}

#[async_trait(?Send)]
impl ContextProvider for WhatIsTold {
    async fn context(&self) -> Context {
        let mut blocks = match &self.stage.real {
            Some(real) => real.context().await,
            None => Vec::new(),
        };
        blocks.extend(self.handed_over.clone());
        let (civil, weekday) = time::civil(self.stage.session.clock.now_ms());
        Context { civil, weekday, zone: ZONE.to_owned(), blocks }
    }
}

/// The client decides about what waits for a person.
struct Decides {
    session: Rc<Session>,
    approves: bool,
}

impl Show for Decides {
    fn show(&self, state: &AgentState) {
        let handle = self.session.handle.borrow();
        let Some(handle) = &*handle else { return };
        for record in state.awaiting() {
            if self.approves {
                handle.approve(record.call.id.clone())
            } else {
                handle.deny(record.call.id.clone())
            }
        }
    }
}

/// The log of a rehearsal is its state.
struct Unsaved;

#[async_trait(?Send)]
impl Log for Unsaved {
    async fn append(&self, _conversation_id: &str, _entry: &Entry) -> Result<(), Failure> {
        Ok(())
    }
}

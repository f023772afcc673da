//! An agent at work: its tools with the ways to hand over, its model with rules before it, and one turn of it.

mod model;
mod tools;

use std::collections::BTreeMap;
use std::rc::Rc;

use agent::{
    AgentConfig, AgentState, Checker, Context, ContextBlock, ContextProvider, Disposition, Driver, Entry,
    EntryBody, EvidencePolicy, Ids, Show, Status,
};
use async_trait::async_trait;
use protocol::{CallId, Failure, FailureKind};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::emulator::ToolEmulator;
use crate::faults::Faults;
use crate::ports::Cast;
use crate::prompts::AgentSpec;
use crate::real::{RealTools, ZONE};
use crate::record::{self, Call, END_CALL, HANDOFF, error_result};
use crate::scenario::Scripted;
use crate::session::{Session, Unsaved};
use crate::template::Names;
use crate::time;

use model::{AgentModel, GONE};
use tools::AgentTools;

/// The most that an agent is told of what was said before it took over, in characters.
const MOST_TOLD: usize = 8_000;

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
                            session.called(&self.name, call, &content, is_error);
                            if is_error {
                                session.call_failed(&self.name, &call.name, &content);
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

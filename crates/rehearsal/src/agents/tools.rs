//! What an agent can do: the tools of the scenario, and the ways to hand over and to end.

use std::rc::Rc;

use agent::Toolbox;
use async_trait::async_trait;
use protocol::{CallId, CallKey, Failure, ToolCall, ToolResult, ToolSpec};

use super::Stage;
use crate::emulator::Answered;
use crate::own_tools::{end_call, handoff};
use crate::prompts::{AgentSpec, SUPPORT};
use crate::record::{self, END_CALL, HANDOFF};
use crate::session::Next;

/// Hand-overs since the client spoke last after which another one is a loop.
const MOST_HANDOFFS: u32 = 4;

/// What is answered to a call once it is decided who goes on.
const DECIDED: &str = "the conversation was handed over or ended already";

/// The tools of an agent: those of the scenario, and the ways to hand over and to end.
pub(super) struct AgentTools {
    pub stage: Rc<Stage>,
    pub agent: String,
    pub spec: AgentSpec,
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
                let result = real.tools().call(call, key).await;
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
                real.tools()
                    .list()
                    .await?
                    .into_iter()
                    .filter(|spec| only(spec) && !stage.emulator.has(&spec.name)),
            );
        }
        specs.retain(|spec| self.may_use(&spec.name));
        let targets = self.targets().filter(|(name, _)| !stage.emulator.has(&format!("{HANDOFF}{name}")));
        specs.extend(targets.map(|(name, spec)| handoff(name, &spec.about)));
        specs.push(end_call("Ends the conversation, once everything the client wanted is done."));
        order::sort_by_key(&mut specs, |spec| spec.name.clone());
        Ok(specs)
    }

    fn is_outdated(&self) -> bool {
        self.stage.real.as_ref().is_some_and(|real| real.tools().is_outdated())
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        let session = &self.stage.session;
        let Answered { content, is_error } = self.carry_out(call, key).await;
        // The engine's own hand-over has said why already.
        let is_said = call.name.starts_with(HANDOFF) && !self.stage.emulator.has(&call.name);
        if is_error && !is_said {
            session.call_failed(&self.agent, &call.name, &content);
        }
        session.called(&self.agent, call, &content, is_error);
        let structured = if is_error { None } else { serde_json::from_str(&content).ok() };
        ToolResult { call_id: call.id.clone(), name: call.name.clone(), is_error, content, structured }
    }

    async fn estimate_impact(&self, call: &ToolCall) -> Option<u32> {
        match &self.stage.real {
            Some(real) if !self.stage.emulator.has(&call.name) => real.tools().estimate_impact(call).await,
            _ => None,
        }
    }
}

//! What an agent says: by a rule, by the script, or as its model says it.

use std::rc::Rc;

use agent::{Ids, Model, ModelStream};
use async_trait::async_trait;
use futures::StreamExt;
use protocol::{CallId, Failure, FailureKind, ModelEvent, ModelRequest, StopReason, Usage};
use serde_json::{Map, Value, json};

use super::Stage;
use crate::chance::Chance;
use crate::matching::pattern;
use crate::prompts::{AgentSpec, Rule};
use crate::record;
use crate::scenario::ScriptedCall;
use crate::template::Names;

/// What an agent's model is taken to say after it has handed over or hung up: nothing that the client hears.
pub(super) const GONE: &str = "(the conversation is with somebody else now)";

/// The model of an agent: what its rules say comes first, and after a hand-over it is silent.
pub(super) struct AgentModel {
    pub stage: Rc<Stage>,
    pub spec: AgentSpec,
    pub inner: Rc<dyn Model>,
    pub is_scripted: bool,
    /// The first call of this turn.
    pub first_made: usize,
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
            return Ok(self.answer("", calls_of(&rule.call, names)?));
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
        Ok(self.answer(&text, calls_of(&scripted.call, names)?))
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

/// Calls with their arguments filled in.
fn calls_of(calls: &[ScriptedCall], names: &Names) -> Result<Vec<(String, Value)>, Failure> {
    let filled = calls.iter().map(|call| {
        let arguments = names.render_fields(&call.arguments).map_err(|error| wrong(error.0))?;
        Ok((call.tool.clone(), Value::Object(arguments)))
    });
    filled.collect()
}

fn wrong(message: String) -> Failure {
    Failure::new(FailureKind::Validation, message)
}

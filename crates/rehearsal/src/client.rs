//! The simulated client: from a script, by rules, or played by a model.

use std::rc::Rc;

use agent::{
    AgentConfig, AgentState, Context, ContextProvider, Driver, EntryBody, EvidencePolicy, Ids, Show, Status,
    Toolbox,
};
use async_trait::async_trait;
use protocol::{CallKey, Checked, Failure, FailureKind, Source, ToolCall, ToolResult, ToolSpec, Usage};
use regex_lite::Regex;
use serde_json::Value;

use crate::chance::{Chance, Draw};
use crate::matching::pattern;
use crate::own_tools::end_call;
use crate::ports::Cast;
use crate::prompts::PromptSpec;
use crate::record::{END_CALL, end_call_result};
use crate::scenario::{Answer, Client, OneOrMore, Want};
use crate::session::{Session, Unsaved};
use crate::template::Names;

/// What a model that plays the client is told when the conversation begins.
const BEGIN: &str = "(The assistant has picked up. Say what you want.)";

/// What a model is told where the agent said nothing.
const SILENCE: &str = "(The assistant said nothing.)";

/// What a client does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// They say something.
    Say(String),
    /// They say something and hang up.
    HangUp(String),
}

/// A simulated client.
pub(crate) struct Player {
    kind: Kind,
    goodbye: String,
    hangs_up_when: Option<Regex>,
    must_not_say: Vec<String>,
}

enum Kind {
    Scripted { lines: Vec<String>, at: usize },
    ByRules(Box<ByRules>),
    Model(Box<ByModel>),
}

struct ByRules {
    wants: Vec<(Want, Vec<String>)>,
    answers: Vec<(Regex, Answer, Vec<String>, u32)>,
    at: usize,
    /// How often the want was said.
    said: u32,
    /// Where the history and the calls stood when it was said first.
    since: (usize, usize),
    chance: Draw,
}

struct ByModel {
    cast: Cast,
    state: AgentState,
    chance: Rc<Chance>,
    usage: Usage,
}

impl Player {
    /// The client of a scenario. `cast` is the model that plays them, where one does.
    ///
    /// # Errors
    /// When nobody plays them or several do, a pattern is none, or a template names what is not there.
    pub fn new(
        client: &Client,
        prompts: &PromptSpec,
        names: &Names,
        chance: &Rc<Chance>,
        cast: Option<Cast>,
    ) -> Result<Self, String> {
        let fill = |template: &String| names.render(template).map_err(|wrong| format!("client: {wrong}"));
        // A client always says something (S2-29).
        let spoken = |template: &String| match fill(template)? {
            text if text.trim().is_empty() => Err("client: a text that is to be said is empty".to_owned()),
            text => Ok(text),
        };
        let all_spoken = |texts: &[String]| texts.iter().map(spoken).collect::<Result<Vec<_>, _>>();
        let fill_all = |texts: &[String]| texts.iter().map(fill).collect::<Result<Vec<_>, _>>();
        let kind = match (&client.says, &client.wants, cast) {
            (Some(says), None, None) => Kind::Scripted { lines: all_spoken(says)?, at: 0 },
            (None, Some(wants), None) => {
                let wants = wants.iter().map(|want| Ok((want.clone(), filled(&want.say, &spoken)?)));
                let answers = client.answers.iter().map(|answer| {
                    Ok((pattern(&answer.when)?, answer.clone(), filled(&answer.say, &spoken)?, 0))
                });
                Kind::ByRules(Box::new(ByRules {
                    wants: wants.collect::<Result<_, String>>()?,
                    answers: answers.collect::<Result<_, String>>()?,
                    at: 0,
                    said: 0,
                    since: (0, 0),
                    chance: chance.stream("client"),
                }))
            }
            (None, None, Some(cast)) => {
                let told = names
                    .clone()
                    .with("persona", fill(&client.persona)?)
                    .with("goal", fill(&client.goal)?)
                    .with("knows", Value::Object(client.knows.clone()))
                    .with("must_not_say", client.must_not_say.clone());
                let told =
                    told.render(&prompts.client).map_err(|wrong| format!("the client's prompt: {wrong}"))?;
                let mut config = AgentConfig::new(told);
                config.model.clone_from(&cast.name);
                config.context.window_tokens = cast.window_tokens;
                config.evidence = EvidencePolicy::Off;
                let state = AgentState::new("client", config, []);
                Kind::Model(Box::new(ByModel {
                    cast,
                    state,
                    chance: Rc::clone(chance),
                    usage: Usage::default(),
                }))
            }
            _ => {
                return Err(
                    "client: give one of `says`, `wants` and `model`: a script, rules or a model".to_owned()
                );
            }
        };
        Ok(Self {
            kind,
            goodbye: spoken(&client.goodbye)?,
            hangs_up_when: client.hangs_up_when.as_deref().map(pattern).transpose()?,
            must_not_say: fill_all(&client.must_not_say)?,
        })
    }

    /// Who plays, for the outcome.
    pub fn name(&self) -> &str {
        match &self.kind {
            Kind::Scripted { .. } => "scripted",
            Kind::ByRules(_) => "rules",
            Kind::Model(by) => &by.cast.name,
        }
    }

    /// The model that plays and what it took.
    pub fn spent(&self) -> Option<(&Cast, Usage)> {
        match &self.kind {
            Kind::Model(by) => Some((&by.cast, by.usage)),
            Kind::Scripted { .. } | Kind::ByRules(_) => None,
        }
    }

    /// What the client does after what the agents said.
    ///
    /// # Errors
    /// When the model that plays them fails.
    pub async fn next(&mut self, session: &Rc<Session>) -> Result<Move, Failure> {
        let heard = heard(session);
        let hangs_up =
            self.hangs_up_when.as_ref().is_some_and(|when| heard.iter().any(|text| when.is_match(text)));
        let moved = if hangs_up {
            Move::HangUp(self.goodbye.clone())
        } else {
            match &mut self.kind {
                Kind::Scripted { lines, at } => {
                    *at += 1;
                    lines
                        .get(*at - 1)
                        .map_or_else(|| Move::HangUp(self.goodbye.clone()), |line| Move::Say(line.clone()))
                }
                Kind::ByRules(by) => {
                    by.next(session, &heard).unwrap_or_else(|| Move::HangUp(self.goodbye.clone()))
                }
                Kind::Model(by) => by.next(session, &heard, &self.goodbye).await?,
            }
        };
        let (Move::Say(text) | Move::HangUp(text)) = &moved;
        let said = text.to_lowercase();
        for forbidden in self.must_not_say.iter().filter(|words| !words.is_empty()) {
            if said.contains(&forbidden.to_lowercase()) {
                session
                    .strayed("said_forbidden", format!("the client said “{forbidden}”, which they must not"));
            }
        }
        Ok(moved)
    }
}

fn filled(say: &OneOrMore, fill: &impl Fn(&String) -> Result<String, String>) -> Result<Vec<String>, String> {
    let texts = say.all().iter().map(fill).collect::<Result<Vec<_>, _>>()?;
    if texts.is_empty() { Err("client: `say` has no text".to_owned()) } else { Ok(texts) }
}

/// What agents have said since the client spoke last.
fn heard(session: &Session) -> Vec<String> {
    let turns = session.turns.borrow();
    let since = turns.iter().rev().take_while(|turn| turn.speaker != "client");
    let mut heard: Vec<String> = since.map(|turn| turn.content.clone()).collect();
    heard.reverse();
    heard
}

impl ByRules {
    /// What they say next; none where they have all they want, or give up.
    fn next(&mut self, session: &Session, heard: &[String]) -> Option<Move> {
        let (turns, made) = (session.turns.borrow().len(), session.made.borrow().len());
        while let Some((want, _)) = self.wants.get(self.at) {
            if self.said == 0 || !self.is_had(want, session) {
                break;
            }
            self.at += 1;
            self.said = 0;
        }
        // A question of the agent is answered before anything is said again.
        if self.said > 0 || !heard.is_empty() {
            for (when, answer, texts, given) in &mut self.answers {
                if *given < answer.times && heard.iter().any(|text| when.is_match(text)) {
                    *given += 1;
                    return self.chance.one_of(texts).cloned().map(Move::Say);
                }
            }
        }
        let (want, texts) = self.wants.get(self.at)?;
        if self.said >= want.patience.max(1) {
            return None;
        }
        if self.said == 0 {
            self.since = (turns, made);
        }
        // Another wording each time, from one that the seed chooses.
        let first = self.chance.below(texts.len());
        let text = texts.get((first + self.said as usize) % texts.len().max(1))?.clone();
        self.said += 1;
        Some(Move::Say(text))
    }

    fn is_had(&self, want: &Want, session: &Session) -> bool {
        let Some(until) = &want.until else { return true };
        let turns = session.turns.borrow();
        let made = session.made.borrow();
        let said = until.said.as_deref().is_none_or(|said| {
            let Ok(said) = pattern(said) else { return false };
            let since = turns.iter().skip(self.since.0);
            since.filter(|turn| turn.speaker != "client").any(|turn| said.is_match(&turn.content))
        });
        let called = until.called.as_deref().is_none_or(|tool| {
            made.iter().skip(self.since.1).any(|made| made.name == tool && !made.is_error)
        });
        said && called
    }
}

impl ByModel {
    async fn next(
        &mut self,
        session: &Rc<Session>,
        heard: &[String],
        goodbye: &str,
    ) -> Result<Move, Failure> {
        let heard: Vec<&str> = heard.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
        let words = match (session.turns.borrow().is_empty(), heard.is_empty()) {
            (true, _) => BEGIN.to_owned(),
            (false, true) => SILENCE.to_owned(),
            (false, false) => heard.join("\n\n"),
        };
        let first_entry = self.state.entries.len();
        let (mut driver, _handle) = Driver::new(agent::Ports {
            model: Rc::clone(&self.cast.model),
            toolbox: Rc::new(EndCall),
            checker: Rc::new(unchecked),
            log: Rc::new(Unsaved),
            clock: Rc::clone(&session.clock),
            ids: Rc::clone(&self.chance) as Rc<dyn Ids>,
            context_provider: Rc::new(Nothing),
            show: Rc::new(Unseen),
        });
        self.state = driver.run_turn(self.state.clone(), words).await;
        self.usage = self.state.usage;
        match &self.state.status {
            Status::Failed { failure } => return Err(failure.clone()),
            Status::Cancelled => {
                return Err(Failure::new(
                    FailureKind::Cancelled,
                    "The client's model was not asked to the end.",
                ));
            }
            _ => {}
        }
        let (mut texts, mut ends) = (Vec::new(), false);
        for entry in self.state.entries.iter().skip(first_entry) {
            if let EntryBody::Response { text, calls, .. } = &entry.body {
                ends |= calls.iter().any(|asked| asked.call.name == END_CALL);
                if !text.trim().is_empty() {
                    texts.push(text.trim().to_owned());
                }
            }
        }
        let text = texts.join("\n\n");
        Ok(match (ends, text.is_empty()) {
            (true, true) => Move::HangUp(goodbye.to_owned()),
            (true, false) => Move::HangUp(text),
            (false, false) => Move::Say(text),
            (false, true) => {
                session.strayed("said_nothing", "the client's model said nothing");
                Move::HangUp(goodbye.to_owned())
            }
        })
    }
}

/// The one tool of a client.
struct EndCall;

#[async_trait(?Send)]
impl Toolbox for EndCall {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        Ok(vec![end_call("Ends the conversation: you have what you want, or see that you will not get it.")])
    }

    async fn call(&self, call: &ToolCall, _key: &CallKey) -> ToolResult {
        ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            is_error: false,
            content: end_call_result().to_string(),
            structured: None,
        }
    }
}

struct Nothing;

#[async_trait(?Send)]
impl ContextProvider for Nothing {
    async fn context(&self) -> Context {
        Context::default()
    }
}

struct Unseen;

impl Show for Unseen {
    fn show(&self, _state: &AgentState) {}
}

/// What a client says is nobody's answer.
fn unchecked(_answer: &str, _sources: &[Source]) -> Checked {
    Checked::default()
}

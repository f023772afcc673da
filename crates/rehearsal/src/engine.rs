//! The engine: plays one conversation between an assistant's agents and a simulated client (S2-01).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::{Ids, RunFile, Span};
use futures::future::{Either, select};
use protocol::{Failure, Usage};
use serde_json::{Value, json};

use crate::agents::{AgentAtWork, Stage};
use crate::blocked::is_blocked_here;
use crate::chance::{Chance, seed_of};
use crate::client::{Move, Player};
use crate::emulator::ToolEmulator;
use crate::faults::Faults;
use crate::outcome::Outcome;
use crate::ports::{Cast, Ports, Role};
use crate::prompts::{PromptSpec, PromptSpecs};
use crate::real::RealTools;
use crate::record::{Call, END_CALL, Record, Status};
use crate::scenario::{CLIENT_ID, Check, SEED, Scenario, ToolMode};
use crate::session::{Next, Session};
use crate::template::Names;
use crate::time::{STARTS_AT, iso, moment};
use crate::webhook;

/// The name of the model that plays what the scenario's script says.
pub const SCRIPTED: &str = "scripted";

/// How long the turn that is going on has to end once the time is over, in milliseconds.
const LAST_WORDS_MS: u64 = 5_000;

/// Plays conversations.
pub struct ConversationEngine {
    pub(crate) ports: Ports,
    prompts: Rc<PromptSpecs>,
    prompt_spec_name: Option<String>,
}

/// A conversation that was played.
#[derive(Clone, Debug)]
pub struct Rehearsed {
    /// What came of it.
    pub outcome: Outcome,
    /// Each agent's part of it as a file that the app opens and replays, by the agent's name.
    pub run_files: BTreeMap<String, RunFile>,
    /// What happened when, by OpenTelemetry's names for GenAI (S2-22).
    pub spans: Vec<Span>,
}

/// How a conversation ended, before it is written down.
struct Ended {
    status: Status,
    error: Option<(String, String)>,
}

impl Ended {
    fn completed() -> Self {
        Self { status: Status::Completed, error: None }
    }

    fn failed(kind: &str, why: impl Into<String>) -> Self {
        Self { status: Status::Failed, error: Some((kind.to_owned(), why.into())) }
    }

    fn of(failure: &Failure) -> Self {
        let kind = json!(failure.kind).as_str().unwrap_or("failed").to_owned();
        let status = if is_blocked_here(failure) { Status::FailedApiBlocked } else { Status::Failed };
        Self { status, error: Some((kind, failure.message.clone())) }
    }
}

/// What is kept of a conversation while it goes on: also what there is when the time is over.
#[derive(Default)]
pub(crate) struct Kept {
    pub agents: RefCell<BTreeMap<String, AgentAtWork>>,
    pub turn_ms: RefCell<Vec<u64>>,
    pub client: RefCell<(String, Option<(Cast, Usage)>)>,
    pub stage: RefCell<Option<Rc<Stage>>>,
    pub hash_before: RefCell<Option<String>>,
}

impl ConversationEngine {
    /// An engine over these ports. A scenario that names no prompts of its own is played with those of `prompt_spec_name`
    /// (S2-01: `default_prompts` without it).
    #[must_use]
    pub fn new(ports: Ports, prompts: Rc<PromptSpecs>, prompt_spec_name: Option<String>) -> Self {
        Self { ports, prompts, prompt_spec_name }
    }

    /// Plays a scenario without tools (S2-02).
    pub async fn run_conversation(
        &self,
        scenario: &Scenario,
        repeat: u32,
        max_turns: Option<u32>,
        timeout_sec: Option<f64>,
    ) -> Rehearsed {
        self.run(scenario, repeat, max_turns, timeout_sec, false).await
    }

    /// Plays a scenario with tools and hand-overs (S2-07).
    pub async fn run_conversation_with_tools(
        &self,
        scenario: &Scenario,
        repeat: u32,
        max_turns: Option<u32>,
        timeout_sec: Option<f64>,
    ) -> Rehearsed {
        self.run(scenario, repeat, max_turns, timeout_sec, true).await
    }

    /// Plays a scenario as it says itself: without tools where its tools are `none` (S2-18).
    pub async fn play(&self, scenario: &Scenario, repeat: u32) -> Rehearsed {
        self.run(scenario, repeat, None, None, scenario.tools.mode != ToolMode::None).await
    }

    async fn run(
        &self,
        scenario: &Scenario,
        repeat: u32,
        max_turns: Option<u32>,
        timeout_sec: Option<f64>,
        with_tools: bool,
    ) -> Rehearsed {
        let clock = Rc::clone(&self.ports.clock);
        let began_ms = clock.now_ms();
        let session = Session::new(Rc::clone(&clock), self.ports.watch.clone());
        let kept = Kept::default();
        let seed = seed_of(scenario.variables.get(SEED), &scenario.name, repeat);
        let chance = Rc::new(Chance::new(seed));
        let session_id = RefCell::new(format!("session_{}", chance.new_id()));
        let most = max_turns.unwrap_or(scenario.max_turns);
        let seconds = timeout_sec.unwrap_or(scenario.timeout_sec);
        let talk = Box::pin(self.talk(scenario, most, with_tools, &session, &kept, &chance, &session_id));
        let late = clock.sleep(millis(seconds));
        let ended = match select(talk, late).await {
            Either::Left((ended, _)) => ended,
            Either::Right((_, talk)) => {
                // What the turn that is going on has done is written down.
                session.is_over.set(true);
                if let Some(handle) = &*session.handle.borrow() {
                    handle.cancel();
                }
                select(talk, clock.sleep(LAST_WORDS_MS)).await;
                Ended {
                    status: Status::TimedOut,
                    error: Some(("timed_out".to_owned(), format!("it was not over after {seconds} s"))),
                }
            }
        };
        let ended_ms = clock.now_ms();
        session.is_over.set(true);
        let turns = session.turns.borrow().clone();
        let (error_type, error) = ended.error.map_or((None, None), |(kind, why)| (Some(kind), Some(why)));
        let record = Record {
            session_id: session_id.into_inner(),
            scenario: scenario.name.clone(),
            status: ended.status,
            total_turns: u32::try_from(turns.len()).unwrap_or(u32::MAX),
            duration_seconds: seconds_of(ended_ms - began_ms),
            conversation_history: turns,
            start_time: iso(began_ms),
            end_time: iso(ended_ms),
            error,
            error_type,
            tools_used: with_tools.then_some(true),
        };
        self.look_back(scenario, repeat, seed, record, &session, &kept).await
    }

    /// The conversation itself.
    #[expect(clippy::too_many_arguments, reason = "what the caller keeps when the time is over")]
    async fn talk(
        &self,
        scenario: &Scenario,
        most: u32,
        with_tools: bool,
        session: &Rc<Session>,
        kept: &Kept,
        chance: &Rc<Chance>,
        session_id: &RefCell<String>,
    ) -> Ended {
        let set_up = self.set_up(scenario, with_tools, session, kept, chance, session_id).await;
        let (stage, prompts, mut client) = match set_up {
            Ok(set_up) => set_up,
            Err(why) => return Ended::failed("invalid_scenario", why),
        };
        let mut current = scenario.assistant.agent.clone().unwrap_or_else(|| prompts.first.clone());
        loop {
            if session.is_over.get() || turns(session) >= most {
                return limit(most);
            }
            let moved = match client.next(session).await {
                Ok(moved) => moved,
                Err(failure) => return Ended::of(&failure),
            };
            kept.client.replace((
                client.name().to_owned(),
                client.spent().map(|(cast, usage)| (cast.clone(), usage)),
            ));
            match moved {
                Move::HangUp(words) => {
                    let call = with_tools
                        .then(|| Call::new(format!("call_{}", chance.new_id()), END_CALL, &json!({})));
                    session.said("client".to_owned(), words, call.into_iter().collect(), Vec::new());
                    return Ended::completed();
                }
                Move::Say(words) => {
                    session.heard.replace(words.clone());
                    session.said("client".to_owned(), words, Vec::new(), Vec::new());
                }
            }
            session.handoffs.set(0);
            loop {
                if session.is_over.get() || turns(session) >= most {
                    return limit(most);
                }
                let done = match self.turn_of(&current, scenario, &stage, kept).await {
                    Ok(done) => done,
                    Err(why) => return Ended::failed("invalid_scenario", why),
                };
                if let Some(failure) = done {
                    return Ended::of(&failure);
                }
                match session.next.take() {
                    Some(Next::End) => return Ended::completed(),
                    Some(Next::Agent(target)) => current = target,
                    None => break,
                }
            }
        }
    }

    /// One turn of an agent, which is made when it is first spoken to.
    async fn turn_of(
        &self,
        name: &str,
        scenario: &Scenario,
        stage: &Rc<Stage>,
        kept: &Kept,
    ) -> Result<Option<Failure>, String> {
        let there = kept.agents.borrow_mut().remove(name);
        let mut agent = match there {
            Some(agent) => agent,
            None => {
                let spec =
                    stage.agents.get(name).ok_or_else(|| format!("the prompts have no agent {name}"))?;
                let wanted = spec.model.as_deref().or(scenario.assistant.model.as_deref());
                let cast = if wanted == Some(SCRIPTED) || (wanted.is_none() && !stage.script.is_empty()) {
                    scripted()
                } else {
                    self.ports.models.cast(wanted, Role::Assistant)?
                };
                AgentAtWork::new(name, spec, cast, stage)?
            }
        };
        // Where the time is over in the middle of it, what the agent did before is not lost.
        kept.agents.borrow_mut().insert(name.to_owned(), agent.clone());
        let done = agent.take_turn(stage).await;
        kept.agents.borrow_mut().insert(name.to_owned(), agent);
        kept.turn_ms.borrow_mut().push(done.took_ms);
        Ok(done.failure)
    }

    /// What there is before anybody speaks.
    ///
    /// # Errors
    /// A sentence: what is wrong with the scenario.
    async fn set_up<'a>(
        &'a self,
        scenario: &Scenario,
        with_tools: bool,
        session: &Rc<Session>,
        kept: &Kept,
        chance: &Rc<Chance>,
        session_id: &RefCell<String>,
    ) -> Result<(Rc<Stage>, &'a PromptSpec, Player), String> {
        let names_default = scenario.prompts == crate::prompts::DEFAULT;
        let name = self.prompt_spec_name.as_deref().filter(|_| names_default).unwrap_or(&scenario.prompts);
        let prompts = self.prompts.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.prompts.names().collect();
            format!("there are no prompts {name}; there are {}", known.join(", "))
        })?;
        let names = self.names(scenario, session, session_id).await;
        let real = if with_tools && scenario.tools.mode == ToolMode::Real {
            let ids = Rc::clone(chance) as Rc<dyn Ids>;
            let opened = RealTools::open(self.ports.domains, Rc::clone(&self.ports.clock), ids).await;
            let real = opened.map_err(|error| format!("the database does not open: {error}"))?;
            for call in &scenario.tools.before {
                let arguments = names.render_fields(&call.arguments).map_err(|wrong| wrong.0)?;
                real.by_hand(&call.tool, Value::Object(arguments))
                    .await
                    .map_err(|why| format!("tools.before: {}: {why}", call.tool))?;
            }
            kept.hash_before.replace(Some(real.state_hash()?));
            Some(Rc::new(real))
        } else {
            None
        };
        let emulated = if with_tools { scenario.tools.emulated.clone() } else { BTreeMap::new() };
        let emulator = ToolEmulator::new(
            emulated,
            names.clone(),
            Rc::clone(&self.ports.models),
            Rc::clone(&self.ports.clock),
        );
        let cast = match &scenario.client.model {
            Some(model) => {
                let named = Some(model.as_str()).filter(|name| *name != "client");
                Some(self.ports.models.cast(named, Role::Client)?)
            }
            None => None,
        };
        let client = Player::new(&scenario.client, prompts, &names, chance, cast)?;
        kept.client.replace((client.name().to_owned(), None));
        let stage = Rc::new(Stage {
            session: Rc::clone(session),
            agents: prompts.agents.clone(),
            real,
            emulator: Rc::new(emulator),
            faults: Faults::new(&scenario.tools.faults, chance),
            checker: Rc::clone(&self.ports.checker),
            only: scenario.tools.only.clone(),
            has_tools: with_tools,
            names,
            chance: Rc::clone(chance),
            script: scenario.assistant.script.clone(),
            approves: scenario.client.approves,
            checks_evidence: scenario.checks.iter().any(|check| matches!(check, Check::Evidence(_))),
        });
        kept.stage.replace(Some(Rc::clone(&stage)));
        Ok((stage, prompts, client))
    }

    /// The variables of the templates: the scenario's, and what a webhook knows of the client (S2-05, S2-26). What the scenario says
    /// itself comes first.
    async fn names(&self, scenario: &Scenario, session: &Session, session_id: &RefCell<String>) -> Names {
        let mut variables = scenario.variables.clone();
        let client_id =
            variables.get(CLIENT_ID).map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
        if let (Some(client_id), Some(hook)) = (client_id, &self.ports.webhook) {
            match webhook::ask(&**hook, &client_id, &*self.ports.clock).await {
                Ok(known) => {
                    for (name, value) in known.variables {
                        variables.entry(name).or_insert(value);
                    }
                    if let Some(id) = known.session_id {
                        session_id.replace(id);
                    }
                }
                Err(why) => session.notes.borrow_mut().push(crate::Note {
                    turn: 0,
                    kind: "webhook_failed".to_owned(),
                    what: why,
                }),
            }
        }
        Names::new(variables)
    }
}

/// A job's name: the scenario's and the repetition, from 1.
#[must_use]
pub fn job_name(scenario: &str, repeat: u32) -> String {
    format!("{scenario}#{repeat}")
}

/// When a scenario begins whose time is simulated, in Unix milliseconds.
///
/// # Errors
/// When it says no time.
pub fn starts_at_ms(scenario: &Scenario) -> Result<i64, String> {
    moment(scenario.starts_at.as_deref().unwrap_or(STARTS_AT))
}

fn turns(session: &Session) -> u32 {
    session.turn() - 1
}

fn limit(most: u32) -> Ended {
    Ended {
        status: Status::TurnLimit,
        error: Some(("turn_limit".to_owned(), format!("it was not over after {most} turns"))),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is held to what a number has room for"
)]
fn millis(seconds: f64) -> u64 {
    (seconds.clamp(0.0, 1e9) * 1_000.0) as u64
}

fn seconds_of(ms: i64) -> f64 {
    f64::from(i32::try_from(ms).unwrap_or(i32::MAX)) / 1_000.0
}

/// The model that the script plays: it is never asked itself.
fn scripted() -> Cast {
    Cast {
        model: Rc::new(NoModel),
        name: SCRIPTED.to_owned(),
        window_tokens: None,
        whole_tokens: u64::MAX,
        evidence: agent::EvidencePolicy::Off,
        honours_seed: Some(true),
        usd_per_million: Some((0.0, 0.0)),
    }
}

struct NoModel;

#[async_trait::async_trait(?Send)]
impl agent::Model for NoModel {
    async fn stream(&self, _request: protocol::ModelRequest) -> Result<agent::ModelStream, Failure> {
        Err(Failure::new(protocol::FailureKind::Validation, "The script has no answer for this."))
    }
}

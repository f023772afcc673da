//! The state of a conversation: an immutable value, enough to draw it and to go on with it.
//!
//! It is `Clone` on persistent collections, so that a fork, a replay or a saved moment costs nothing. The
//! tools are given by whoever holds the state and are never saved with it (S3-21).

use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};
use protocol::{CallId, Failure, RunId, StopReason, ToolCall, ToolResult, ToolSpec, Usage};
use serde::{Deserialize, Serialize};

use crate::context::{MeasuredTool, measure};
use crate::memory::Stored;
use crate::window::Past;
use crate::{
    AgentConfig, Compaction, Context, Disposition, Ending, Entry, EntryBody, Estimator, Guard, Measure,
    Retry, TaskPlan, own, reduce, window,
};

/// One conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentState {
    /// The conversation's id.
    pub id: String,
    /// How its runs are done.
    pub config: AgentConfig,
    /// The tools the model may call, in a stable order. Not saved.
    #[serde(skip)]
    pub(crate) tools: Vector<MeasuredTool>,
    /// The tools of this moment are being asked for: a request waits until they are there. Not saved.
    #[serde(skip)]
    pub(crate) awaits_tools: bool,
    /// The last answer is being checked: the run ends with what is found. Not saved; after a crash it is checked again.
    #[serde(skip)]
    pub(crate) awaits_check: bool,
    /// The log: the truth the rest is reduced from.
    pub entries: Vector<Arc<Entry>>,
    /// Whether something is going on, and how the last run ended.
    pub status: Status,
    /// The last run, open or ended.
    pub run: Option<Run>,
    /// What the open model response has streamed so far.
    pub live: Live,
    /// What the whole conversation cost.
    pub usage: Usage,
    /// The runs there were: a message that comes twice is known without looking at all of them (S1-34).
    #[serde(skip)]
    pub(crate) run_ids: OrdSet<RunId>,
    /// The ids of all calls: a new one gets another.
    #[serde(skip)]
    pub(crate) call_ids: OrdSet<CallId>,
    /// The good results there are, by reference.
    #[serde(skip)]
    pub(crate) stored: OrdMap<String, Stored>,
    /// The bytes of all of them.
    #[serde(skip)]
    pub(crate) stored_bytes: u64,
    /// What responses lean on, calls by their ids and results by their references, and the last entry that does.
    #[serde(skip)]
    pub(crate) leaned_on: OrdMap<String, u64>,
    /// The tokens of the longest of them.
    #[serde(skip)]
    pub(crate) longest_kept: u64,
    /// What of earlier runs a request says, made once.
    #[serde(skip)]
    pub(crate) past: Past,
    /// The plan that the person approved last, as far as it is done.
    #[serde(default)]
    pub plan: Option<TaskPlan>,
    /// What brought the first text from outside into the conversation, by its title: strangers may have written it, and
    /// what the model asks for from then on may be their wish (D-17).
    #[serde(default)]
    pub tainted_by: Option<String>,
    /// What the model sees only in short.
    #[serde(default, rename = "folded")]
    pub compacted: Option<Compaction>,
    /// How many tokens a text is, as far as the provider has taught it.
    #[serde(default)]
    pub estimator: Estimator,
}

/// Whether something is going on, and how the last run ended (S3-04).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Status {
    /// Nothing was said yet.
    #[default]
    Idle,
    /// The model is answering.
    Streaming,
    /// At least one tool is running.
    RunningTools,
    /// Nothing runs until the person decides about a call.
    AwaitingApproval,
    /// The last run has its answer.
    Complete,
    /// The last run broke.
    Failed {
        /// How.
        failure: Failure,
    },
    /// The person stopped the last run.
    Cancelled,
    /// A guard stopped the last run.
    Limited {
        /// Which.
        guard: Guard,
    },
}

impl Status {
    /// True while a run is open: a new message has to wait (S3-06).
    #[must_use]
    pub fn is_busy(&self) -> bool {
        match self {
            Self::Streaming | Self::RunningTools | Self::AwaitingApproval => true,
            Self::Idle | Self::Complete | Self::Failed { .. } | Self::Cancelled | Self::Limited { .. } => {
                false
            }
        }
    }
}

/// The last run, reduced from its entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Its id.
    pub run_id: RunId,
    /// The boundary of its fences.
    pub boundary: String,
    /// What the model is told about now.
    pub context: Context,
    /// When it started, in Unix milliseconds.
    pub started_ms: i64,
    /// Time that does not count (waiting for a person, or gone), in milliseconds.
    pub paused_ms: i64,
    /// Since when a person is waited for, in Unix milliseconds.
    pub paused_since_ms: Option<i64>,
    /// Complete responses so far.
    pub steps: u32,
    /// Tool calls asked for so far.
    pub tool_calls: u32,
    /// What it cost so far.
    pub usage: Usage,
    /// Where it stands.
    pub phase: Phase,
    /// The calls of the last response, in its order.
    pub calls: Vector<CallRecord>,
    /// Signatures of all calls, in order (S0-19).
    pub signatures: Vector<String>,
    /// Hashes of all results seen.
    pub evidence: OrdSet<String>,
    /// Steps in a row that brought nothing new.
    pub stale_steps: u32,
    /// The plan that was put to the person last.
    #[serde(default)]
    pub proposed: Option<TaskPlan>,
    /// They approved one.
    #[serde(default)]
    pub plan_approved: bool,
    /// Responses in a row that did nothing but leave the plan as it was.
    #[serde(default)]
    pub stale_plans: u32,
    /// The model was asked to write its answer again.
    #[serde(default)]
    pub doubted: bool,
}

/// Where an open run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The model's turn.
    Model,
    /// The tools' (or the person's) turn.
    Tools,
    /// The answer is there; only the ending is to be saved.
    Answered {
        /// Why the model stopped.
        stop: StopReason,
    },
    /// Over.
    Ended,
}

/// A call of the last response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// The call.
    pub call: ToolCall,
    /// The name a person reads.
    pub title: String,
    /// What was decided about it.
    pub plan: Disposition,
    /// What brought text from outside before it was asked for; see [`crate::RequestedCall::tainted_by`].
    #[serde(default)]
    pub tainted_by: Option<String>,
    /// Where it stands.
    pub status: CallStatus,
    /// The person said yes.
    pub approved: bool,
    /// This process has asked for it (the tool, or the person): it is not asked twice.
    pub asked: bool,
    /// When the tool was called, in Unix milliseconds.
    pub started_ms: i64,
    /// What came of it.
    pub result: Option<ToolResult>,
}

impl CallRecord {
    /// True while its size is still to be found out: it is tried out, not done.
    #[must_use]
    pub fn is_estimating(&self) -> bool {
        matches!(self.plan, Disposition::EstimateImpact { .. })
    }
}

/// Where a call stands. (That a change was undone later is known by the tools, not here.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// Waits for the calls before it.
    Queued,
    /// Waits for the person.
    Awaiting,
    /// Runs.
    Running,
    /// Has a good result.
    Done,
    /// Was refused, failed, or was left open by the run's end.
    Failed,
    /// The person said no.
    Denied,
}

impl CallStatus {
    /// True once the call has its one result.
    #[must_use]
    pub fn is_settled(self) -> bool {
        match self {
            Self::Done | Self::Failed | Self::Denied => true,
            Self::Queued | Self::Awaiting | Self::Running => false,
        }
    }
}

/// What the open response has streamed so far. It is not in the log and a crash loses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// When the request was made, in Unix milliseconds; `None` while none is open.
    pub started_ms: Option<i64>,
    /// The text so far.
    pub text: String,
    /// The reasoning so far.
    pub thought: String,
    /// The tool calls so far, by the stream's index.
    pub calls: Vec<LiveCall>,
    /// What it cost so far.
    pub usage: Usage,
    /// How large the request is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<Measure>,
    /// The longest text of an attempt that broke off: kept in case no later one brings as much.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub broken_off: String,
    /// How sure the model says it is, from 0.0 to 1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The attempt failed and is being made again.
    pub retry: Option<RetryNotice>,
    /// The attempts that failed so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retries: Vec<Retry>,
    /// The log could not be written: what is on the screen may be gone after a reload.
    pub unsaved: Option<Failure>,
}

impl Live {
    /// Whether the open request, or an attempt at it that broke off, has brought anything.
    pub(crate) fn has_something(&self) -> bool {
        let is_empty = self.text.is_empty() && self.thought.is_empty() && self.broken_off.is_empty();
        !(is_empty && self.calls.is_empty() && self.retries.is_empty())
    }
}

/// A tool call while it streams in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveCall {
    /// The stream's index.
    pub index: u32,
    /// The id, once known.
    pub id: Option<CallId>,
    /// The tool's name so far.
    pub name: String,
    /// The arguments' JSON text so far.
    pub arguments: String,
}

/// Why nothing streams for a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryNotice {
    /// Which attempt comes next, from 2; 1 where none was made yet, and there is something to say before it.
    pub attempt: u32,
    /// How long it waits first, in milliseconds.
    pub after_ms: u64,
    /// What went wrong.
    pub failure: Failure,
}

/// Why a saved state could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadError {
    /// It is no saved conversation.
    Format(String),
    /// It was saved by a version this one does not know.
    Version {
        /// The version it says.
        found: u64,
        /// The newest version known here.
        known: u64,
    },
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Format(message) => write!(f, "This is no saved conversation: {message}"),
            Self::Version { found, known } => write!(
                f,
                "This conversation was saved by a newer version (format {found}; this version reads up to {known})."
            ),
        }
    }
}

impl std::error::Error for LoadError {}

/// The version of the saved form. A new one comes with a migration in [`AgentState::from_json`].
const VERSION: u64 = 1;

/// What tells a saved conversation from any other JSON.
const FORMAT: &str = "satchel.conversation";

#[derive(Serialize)]
struct EnvelopeOut<'a> {
    format: &'a str,
    version: u64,
    state: &'a AgentState,
}

#[derive(Deserialize)]
struct EnvelopeHead {
    format: String,
    version: u64,
}

#[derive(Deserialize)]
struct EnvelopeIn {
    state: AgentState,
}

impl AgentState {
    /// An empty conversation (`agent.initialize`, S3-04).
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        config: AgentConfig,
        tools: impl IntoIterator<Item = ToolSpec>,
    ) -> Self {
        Self {
            id: id.into(),
            config,
            tools: tools.into_iter().map(MeasuredTool::from).collect(),
            awaits_tools: false,
            awaits_check: false,
            entries: Vector::new(),
            status: Status::Idle,
            run: None,
            live: Live::default(),
            usage: Usage::default(),
            run_ids: OrdSet::new(),
            call_ids: OrdSet::new(),
            stored: OrdMap::new(),
            stored_bytes: 0,
            leaned_on: OrdMap::new(),
            longest_kept: 0,
            past: Past::default(),
            plan: None,
            tainted_by: None,
            compacted: None,
            estimator: Estimator::default(),
        }
    }

    /// How many tokens the next request has, about (`estimateTokens`, S3-35).
    #[must_use]
    pub fn estimated_tokens(&self) -> u64 {
        self.estimator.tokens(&measure(self, &window(self)))
    }

    /// Rebuilds a conversation from its log. A run that was open is open again: [`crate::resume`] goes on with
    /// it. Tools come with [`AgentState::with_tools`].
    #[must_use]
    pub fn from_entries(
        id: impl Into<String>,
        config: AgentConfig,
        entries: impl IntoIterator<Item = impl Into<Arc<Entry>>>,
    ) -> Self {
        Self::new(id, config, []).with_entries(entries)
    }

    /// The conversation with what another holder of it has added since. Entries that are in it already are
    /// passed over, and so is what follows a gap.
    #[must_use]
    pub fn with_entries(mut self, entries: impl IntoIterator<Item = impl Into<Arc<Entry>>>) -> Self {
        for entry in entries.into_iter().map(Into::into) {
            if entry.seq == self.entries.len() as u64 {
                reduce::apply(&mut self, entry);
            }
        }
        self
    }

    /// The same conversation with other tools.
    #[must_use]
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = ToolSpec>) -> Self {
        self.tools = tools.into_iter().map(MeasuredTool::from).collect();
        self
    }

    /// The same conversation, whose next request waits for [`crate::Input::Tools`].
    pub(crate) fn awaiting_tools(mut self) -> Self {
        self.awaits_tools = true;
        self
    }

    /// A second conversation with the same past (S3-32). A run that is open here is open in both; its calls keep
    /// their idempotency keys, so what one of them did the other finds done.
    #[must_use]
    pub fn fork(&self, new_id: impl Into<String>) -> Self {
        Self { id: new_id.into(), ..self.clone() }
    }

    /// The conversation as JSON, in a versioned envelope (S3-21, D-19); the tools are left out.
    ///
    /// # Errors
    /// Only when the state holds a number JSON cannot say.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(&EnvelopeOut { format: FORMAT, version: VERSION, state: self })
    }

    /// The conversation from its JSON, with the tools of today (S3-22).
    ///
    /// # Errors
    /// When it is no saved conversation, or one of a newer version.
    pub fn from_json(json: &str, tools: impl IntoIterator<Item = ToolSpec>) -> Result<Self, LoadError> {
        let format = |error: serde_json::Error| LoadError::Format(error.to_string());
        let head: EnvelopeHead = serde_json::from_str(json).map_err(format)?;
        if head.format != FORMAT {
            return Err(LoadError::Format(format!("its format is \"{}\"", head.format)));
        }
        if head.version != VERSION {
            return Err(LoadError::Version { found: head.version, known: VERSION });
        }
        let EnvelopeIn { mut state } = serde_json::from_str(json).map_err(format)?;
        for entry in state.entries.clone() {
            reduce::known(&mut state, &entry);
        }
        Ok(state.with_tools(tools))
    }

    /// What the person said first (S3-20).
    #[must_use]
    pub fn initial_query(&self) -> Option<&str> {
        self.entries.iter().find_map(|entry| match &entry.body {
            EntryBody::User { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The last answer's text, of the last run.
    #[must_use]
    pub fn answer(&self) -> Option<&str> {
        let run = self.run.as_ref()?;
        self.entries.iter().rev().take_while(|entry| entry.run_id == run.run_id).find_map(
            |entry| match &entry.body {
                EntryBody::Response { text, .. } if !text.is_empty() => Some(text.as_str()),
                EntryBody::Ended { partial: Some(partial), .. } if !partial.text.is_empty() => {
                    Some(partial.text.as_str())
                }
                _ => None,
            },
        )
    }

    /// The place of the last response in the log.
    pub(crate) fn last_response(&self) -> Option<u64> {
        let is_response = |entry: &&Arc<Entry>| matches!(entry.body, EntryBody::Response { .. });
        self.entries.iter().rev().find(is_response).map(|entry| entry.seq)
    }

    /// How the last run ended, and the note about it for the person.
    #[must_use]
    pub fn ending(&self) -> Option<(&Ending, &str)> {
        match &self.entries.last()?.body {
            EntryBody::Ended { ending, note, .. } => Some((ending, note.as_str())),
            _ => None,
        }
    }

    /// The calls that wait for the person.
    pub fn awaiting(&self) -> impl Iterator<Item = &CallRecord> {
        self.run
            .iter()
            .flat_map(|run| run.calls.iter())
            .filter(|record| record.status == CallStatus::Awaiting)
    }

    /// The log, in its order.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter().map(|entry| &**entry)
    }

    /// The app's tools, in a stable order.
    pub fn tools(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|tool| &**tool)
    }

    /// The tools that the next request offers: the app's, then the agent's own.
    pub(crate) fn offered_tools(&self) -> impl Iterator<Item = &MeasuredTool> {
        self.tools.iter().chain(own::offered(self))
    }

    /// When the wall clock ends the open run, in Unix milliseconds; `None` while no time counts.
    #[must_use]
    pub fn deadline_ms(&self) -> Option<i64> {
        let run = self.run.as_ref().filter(|_| self.status.is_busy())?;
        if run.paused_since_ms.is_some() {
            return None;
        }
        let max_ms = i64::try_from(self.config.limits.max_run_ms).unwrap_or(i64::MAX);
        Some(run.started_ms.saturating_add(run.paused_ms).saturating_add(max_ms))
    }
}

//! What is played: a scenario as it is written in YAML or JSON (S2-03), with a published JSON Schema ([`schema`]).
//!
//! Texts that a model or a client says are templates ([`crate::template`]): `{{ city }}` is a variable of the scenario. An unknown
//! field is an error, so that a check that is misspelt is not a check that passes.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::record::Status;

/// The variable that makes a run repeatable (S2-04).
pub const SEED: &str = "SEED";

/// The variable that names whom the webhook knows (S2-05).
pub const CLIENT_ID: &str = "client_id";

/// A conversation that is to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it is called; unique among those that are played together.
    pub name: String,
    /// What it shows, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// By what results are put together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The name of the prompts it is played with (S2-21).
    #[serde(default = "default_prompts")]
    pub prompts: String,
    /// `SEED`, `client_id` and what templates name (S2-03).
    #[serde(default)]
    pub variables: Map<String, Value>,
    /// Who asks.
    pub client: Client,
    /// Who answers.
    #[serde(default)]
    pub assistant: Assistant,
    /// What the assistant can do.
    #[serde(default)]
    pub tools: Tools,
    /// When it begins, where time is simulated: `2026-01-02T09:00:00`, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<String>,
    /// The most turns of both together (S2-25).
    #[serde(default = "max_turns")]
    pub max_turns: u32,
    /// The longest it may take, in seconds (S2-25).
    #[serde(default = "timeout_sec")]
    pub timeout_sec: f64,
    /// What must be so afterwards.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// What a model that judges is asked about the conversation, where one is configured; its verdict is kept apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
}

fn default_prompts() -> String {
    crate::prompts::DEFAULT.to_owned()
}

fn max_turns() -> u32 {
    20
}

fn timeout_sec() -> f64 {
    120.0
}

/// The other side: a simulated client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Who they are, in a sentence. A model that plays them is told so.
    #[serde(default)]
    pub persona: String,
    /// What they want, in a sentence. A model that plays them is told so.
    #[serde(default)]
    pub goal: String,
    /// What they know.
    #[serde(default)]
    pub knows: Map<String, Value>,
    /// What they must not say: a client that says one of these strayed, whatever its letters' case.
    #[serde(default)]
    pub must_not_say: Vec<String>,
    /// A pattern: what the agent says that makes them hang up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hangs_up_when: Option<String>,
    /// What they say as they hang up.
    #[serde(default = "goodbye")]
    pub goodbye: String,
    /// Whether they allow what they are asked to allow.
    #[serde(default = "yes")]
    pub approves: bool,
    /// These words, in order, whatever the agent answers; then they hang up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<Vec<String>>,
    /// Rules: they pursue these wants one after the other, without any model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wants: Option<Vec<Want>>,
    /// Of a client by rules: what they answer when the agent says something of a pattern; the first that fits, before a want is said
    /// again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// A model of this name plays them, with a prompt of the persona, the goal and what they know; `client` is the one that is
    /// configured for clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

fn goodbye() -> String {
    "Thank you, goodbye.".to_owned()
}

fn yes() -> bool {
    true
}

/// Something that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Want {
    /// How it is said: the first time one of these by chance of the seed, later another.
    pub say: OneOrMore,
    /// When it is had: without it, with the agent's next turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// How often it is said before they give up on it and hang up.
    #[serde(default = "patience")]
    pub patience: u32,
}

fn patience() -> u32 {
    2
}

/// One text, or several to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMore {
    /// One.
    One(String),
    /// Several.
    More(Vec<String>),
}

impl OneOrMore {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::More(more) => more,
        }
    }
}

/// When something that was wanted is had. What is given must all be so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Until {
    /// A pattern of the agent's words since it was wanted first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// A tool was called since, and did not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
}

/// An answer to something the agent says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// A pattern of the agent's words.
    pub when: String,
    /// What is said then.
    pub say: OneOrMore,
    /// How often they say so; each time after that they go on with what they want.
    #[serde(default = "patience")]
    pub times: u32,
}

/// Who answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assistant {
    /// The agent that answers first; the prompts say it where this does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The model of all agents that name none of their own; the one that is configured without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What a model does that is played from a script: a list for each of its answers (`model: scripted`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub script: Vec<Scripted>,
}

/// One answer of a model that is played from a script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    /// What it says.
    #[serde(default)]
    pub say: String,
    /// What it calls.
    #[serde(default)]
    pub call: Vec<ScriptedCall>,
    /// What goes wrong instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail: Option<Fail>,
}

/// A call of a model that is played from a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The tool.
    pub tool: String,
    /// The arguments; texts in them are templates.
    #[serde(default, rename = "with")]
    pub arguments: Map<String, Value>,
}

/// What goes wrong with a model: as a provider would say it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fail {
    /// The HTTP status.
    pub status: u16,
    /// What is said.
    pub message: String,
}

/// What the assistant can do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// Where the tools are.
    #[serde(default)]
    pub mode: ToolMode,
    /// Only these, of all that there are; all without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<String>>,
    /// Calls that are made before the conversation begins: what there is already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<ScriptedCall>,
    /// Tools that are emulated, by name (S2-20). They come beside the real ones, and before one of the same name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub emulated: BTreeMap<String, Emulated>,
    /// What goes wrong with tools now and then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// Where the tools are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolMode {
    /// Our tool server over a database in memory, which is thrown away afterwards.
    #[default]
    Real,
    /// Only those that the scenario emulates.
    Emulated,
    /// None at all: `run_conversation` (S2-02).
    None,
}

/// A tool that is emulated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emulated {
    /// What it does, as the model is told.
    #[serde(default)]
    pub description: String,
    /// The JSON Schema of its arguments. Arguments that do not fit are an error, as with a real tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The JSON Schema of its answer: what a model that plays it is held to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// It changes nothing.
    #[serde(default)]
    pub read_only: bool,
    /// It destroys something.
    #[serde(default)]
    pub destructive: bool,
    /// It reaches outside: what it brings, strangers may have written.
    #[serde(default)]
    pub outside: bool,
    /// What it answers: the first that fits.
    #[serde(default)]
    pub answers: Vec<ToolAnswer>,
    /// The model that plays it where no answer fits, held to `output`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Rows that answers may search: `rows(query)` in a template is those that have all of its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Value>,
}

/// What an emulated tool answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolAnswer {
    /// The arguments it is for: each one named is equal, or for a text that begins with `~` fits the pattern after it. Any without it.
    #[serde(default, rename = "when", skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
    /// The text it answers: a template over the arguments (`args`), the variables and the rows that are found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// The JSON it answers; texts in it are templates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<Value>,
    /// It fails with these words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long that takes, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub takes_ms: u64,
    /// Only so often; then the next that fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What goes wrong with a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Which tool, or which hand-over; without it all tools and no hand-over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// How often, from 0 to 1, by chance of the seed.
    #[serde(default = "always")]
    pub rate: f64,
    /// Only for the first so many calls it strikes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// It takes so many milliseconds more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// It is not called, and fails with these words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// It is called, and answers this instead of what it had to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonsense: Option<String>,
    /// It is called twice, the second time as if it were new.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub twice: bool,
}

fn always() -> f64 {
    1.0
}

/// What must be so after a conversation. One of the fields is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// It ended in one of these ways; without this check it has to be completed.
    Status(Vec<Status>),
    /// Tools that were called, with or without arguments, in any order.
    Called(Vec<CalledCheck>),
    /// Tools that were not called.
    NotCalled(Vec<String>),
    /// Tools that were called in this order; others may stand between.
    Order(Vec<String>),
    /// No call changed the same thing in the same way twice: the same tool with the same arguments, and not after a failure.
    NoDoubles(bool),
    /// A pattern of what an agent said.
    Said(OneOrMore),
    /// Patterns of what no agent said.
    NotSaid(OneOrMore),
    /// Rows of the database afterwards.
    Rows(RowsCheck),
    /// The hash of the database afterwards.
    StateHash(String),
    /// The database afterwards is what it was before.
    Unchanged(bool),
    /// No answer states what no tool's result supports.
    Evidence(bool),
    /// Agents that spoke, in order of their first word.
    Agents(Vec<String>),
    /// The most steps of models that agents took.
    MaxSteps(u32),
    /// The most turns.
    MaxTurns(u32),
    /// The most it may cost, in US dollars.
    MaxCost(f64),
    /// The longest it may take, in seconds.
    MaxSeconds(f64),
}

/// A call that is looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CalledCheck {
    /// This tool.
    Tool(String),
    /// This tool, with more about it.
    With(CalledWith),
}

/// A call that is looked for, with more about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalledWith {
    /// The tool.
    pub tool: String,
    /// Arguments it was called with: each one named is equal, or for a text that begins with `~` fits the pattern after it.
    #[serde(default, rename = "with")]
    pub arguments: Map<String, Value>,
    /// How often, exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
}

/// Rows that are looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowsCheck {
    /// The table: `todos`.
    pub table: String,
    /// Fields they have: each one named is equal, or for a text that begins with `~` fits the pattern after it.
    #[serde(default, rename = "where")]
    pub fields: Map<String, Value>,
    /// How many there are, exactly; at least one without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

/// The JSON Schema of a scenario, for editors (`satchel rehearse --schema`).
#[must_use]
pub fn schema() -> Schema {
    schemars::schema_for!(Scenario)
}

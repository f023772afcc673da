//! Named prompts: the agents of an assistant, and what a model that plays the client is told (S2-13, S2-21).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scenario::{OneOrMore, ScriptedCall};

/// The name of the prompts that a scenario is played with which names none (S2-01).
pub const DEFAULT: &str = "default_prompts";

/// The name of the agent that is always there to hand over to, where the prompts have one (S2-12).
pub const SUPPORT: &str = "support";

/// What the client's model is told where the prompts say nothing else: a template over `persona`, `goal`, `knows` and
/// `must_not_say`.
const CLIENT: &str = "\
You play a person who talks to an assistant. You are not the assistant: never offer help, never speak for it.
Who you are: {{ persona or \"an ordinary person\" }}
What you want: {{ goal or \"what you say\" }}
{% if knows %}What you know, and say only when it is asked for or needed:
{% for name in knows %}- {{ name }}: {{ knows[name] }}
{% endfor %}{% endif %}\
{% if must_not_say %}Never say any of this: {{ must_not_say | join(\"; \") }}
{% endif %}\
Say one short message at a time, as people write. Call end_call once you have what you want, or see that you will not get it.";

/// Prompts under a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptSpec {
    /// The agents by their names.
    pub agents: BTreeMap<String, AgentSpec>,
    /// The agent that answers first.
    #[serde(default = "first_agent")]
    pub first: String,
    /// What a model that plays the client is told: a template.
    #[serde(default = "client")]
    pub client: String,
}

fn first_agent() -> String {
    "agent".to_owned()
}

fn client() -> String {
    CLIENT.to_owned()
}

/// One agent: a prompt, tools and rules of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    /// What it is told to be: a template over the scenario's variables.
    pub prompt: String,
    /// What others are told of it where they may hand over to it.
    #[serde(default)]
    pub about: String,
    /// Only these of the scenario's tools; all without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The agents it may hand over to; `support` besides, where there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handoffs: Vec<String>,
    /// The model that plays it; the assistant's without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it does by rules, before its model is asked: the first that fits what the client said last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
}

/// What an agent does by rule.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// A pattern of what the client said last. Its groups are `m[1]` and so on in templates, and by their names.
    pub when: String,
    /// What it calls, all at once; texts in arguments are templates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call: Vec<ScriptedCall>,
    /// What it says, after its calls: a template over the groups, the variables and `results`, which are what its calls answered, read as
    /// JSON where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<OneOrMore>,
}

/// All prompts there are, by name (`PromptSpecificationManager`, S2-21).
#[derive(Clone, Debug)]
pub struct PromptSpecs(BTreeMap<String, PromptSpec>);

impl Default for PromptSpecs {
    /// Those that are always there: an assistant of one agent.
    fn default() -> Self {
        let agent = AgentSpec {
            prompt: "You are a helpful assistant. Use the tools for what they can do, and state nothing as a fact that no tool said."
                .to_owned(),
            ..AgentSpec::default()
        };
        let spec = PromptSpec {
            agents: BTreeMap::from([(first_agent(), agent)]),
            first: first_agent(),
            client: client(),
        };
        Self(BTreeMap::from([(DEFAULT.to_owned(), spec)]))
    }
}

impl PromptSpecs {
    /// Adds prompts, or replaces those of the name.
    pub fn insert(&mut self, name: impl Into<String>, spec: PromptSpec) {
        self.0.insert(name.into(), spec);
    }

    /// The prompts of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&PromptSpec> {
        self.0.get(name)
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

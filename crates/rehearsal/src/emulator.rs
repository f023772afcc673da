//! Tools that are not there (S2-20): recorded answers, rules with templates, or a model that plays the tool and is held to what it may
//! answer.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::Clock;
use protocol::{Hints, RunId, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

use crate::matching::all_fit;
use crate::ports::{Cast, Models, Role};
use crate::scenario::{Emulated, ToolAnswer};
use crate::template::Names;

/// The most rows that an answer finds.
const MOST_ROWS: usize = 50;

/// What a tool answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The text.
    pub content: String,
    /// It failed.
    pub is_error: bool,
}

impl Answered {
    pub(crate) fn error(content: impl Into<String>) -> Self {
        Self { content: content.into(), is_error: true }
    }
}

/// The tools that a scenario emulates (`ToolEmulator`).
pub struct ToolEmulator {
    tools: BTreeMap<String, Emulated>,
    names: Names,
    /// How often each answer was given, by tool and place.
    given: RefCell<BTreeMap<(String, usize), u32>>,
    models: Rc<dyn Models>,
    clock: Rc<dyn Clock>,
    /// Tokens that models took to play tools.
    tokens: RefCell<Vec<(Cast, protocol::Usage)>>,
}

impl ToolEmulator {
    /// These tools. `names` is what their templates may name.
    #[must_use]
    pub fn new(
        tools: BTreeMap<String, Emulated>,
        names: Names,
        models: Rc<dyn Models>,
        clock: Rc<dyn Clock>,
    ) -> Self {
        Self { tools, names, given: RefCell::default(), models, clock, tokens: RefCell::default() }
    }

    /// The tools as a model is told of them.
    #[must_use]
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|(name, tool)| spec(name, tool)).collect()
    }

    /// Whether it is one of these.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// What models that played tools took.
    #[must_use]
    pub fn spent(&self) -> Vec<(Cast, protocol::Usage)> {
        self.tokens.borrow().clone()
    }

    /// Answers a call. What goes wrong is an answer too.
    pub async fn call(&self, call: &ToolCall) -> Answered {
        let Some(tool) = self.tools.get(&call.name) else {
            return Answered::error(format!("there is no tool {}", call.name));
        };
        let Value::Object(arguments) = &call.arguments else {
            return Answered::error("the arguments are no JSON object");
        };
        if let Some(wrong) = missing(tool.input.as_ref(), arguments) {
            return Answered::error(wrong);
        }
        let names = self
            .names
            .clone()
            .with("args", call.arguments.clone())
            .with("rows", found(&tool.rows, arguments));
        for (place, answer) in tool.answers.iter().enumerate() {
            match all_fit(&answer.arguments, arguments) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(wrong) => return Answered::error(wrong),
            }
            let key = (call.name.clone(), place);
            let given = self.given.borrow().get(&key).copied().unwrap_or_default();
            if answer.times.is_some_and(|times| given >= times) {
                continue;
            }
            self.given.borrow_mut().insert(key, given + 1);
            if answer.takes_ms > 0 {
                self.clock.sleep(answer.takes_ms).await;
            }
            return said(answer, &names);
        }
        match &tool.model {
            Some(model) => self.played(model, call, tool).await,
            None => Answered::error(format!("the scenario has no answer of {} for this", call.name)),
        }
    }

    /// A model plays the tool.
    async fn played(&self, model: &str, call: &ToolCall, tool: &Emulated) -> Answered {
        let cast = match self.models.cast(Some(model), Role::Tool) {
            Ok(cast) => cast,
            Err(why) => return Answered::error(why),
        };
        let held = tool.output.as_ref().map(|schema| format!(" It has to fit this JSON Schema: {schema}"));
        let system = format!(
            "You play the tool {} in a rehearsal. What it does: {}\nAnswer a call with the JSON it returns and nothing else.{}",
            call.name,
            tool.description,
            held.unwrap_or_default()
        );
        let asked = crate::asking::Asked {
            run_id: RunId(format!("tool_{}", call.id.0)),
            system,
            said: call.arguments.to_string(),
        };
        let (text, usage) = match crate::asking::ask(&cast, asked).await {
            Ok(answer) => answer,
            Err(failure) => return Answered::error(failure.message),
        };
        self.tokens.borrow_mut().push((cast, usage));
        let text = crate::asking::json_in(&text);
        match (serde_json::from_str::<Value>(text), &tool.output) {
            (Err(error), _) => Answered::error(format!("the model that plays it answered no JSON: {error}")),
            (Ok(answer), Some(schema)) => match crate::schema::wrong(schema, &answer) {
                None => Answered { content: answer.to_string(), is_error: false },
                Some(wrong) => {
                    Answered::error(format!("the model that plays it answered what does not fit: {wrong}"))
                }
            },
            (Ok(answer), None) => Answered { content: answer.to_string(), is_error: false },
        }
    }
}

fn spec(name: &str, tool: &Emulated) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        title: name.replace('_', " "),
        description: tool.description.clone(),
        input_schema: tool.input.clone().unwrap_or_else(|| json!({"type": "object"})),
        hints: Hints {
            read_only: tool.read_only,
            destructive: tool.destructive,
            idempotent: tool.read_only,
            open_world: tool.outside,
            lasting: false,
        },
    }
}

/// What is wrong with arguments by their schema.
fn missing(schema: Option<&Value>, arguments: &Map<String, Value>) -> Option<String> {
    crate::schema::wrong(schema?, &Value::Object(arguments.clone()))
}

fn said(answer: &ToolAnswer, names: &Names) -> Answered {
    let filled = match answer {
        ToolAnswer { error: Some(error), .. } => {
            return match names.render(error) {
                Ok(error) => Answered::error(error),
                Err(wrong) => Answered::error(wrong.0),
            };
        }
        ToolAnswer { json: Some(json), .. } => names.render_all(json).map(|json| json.to_string()),
        ToolAnswer { say, .. } => names.render(say.as_deref().unwrap_or_default()),
    };
    match filled {
        Ok(content) => Answered { content, is_error: false },
        Err(wrong) => Answered::error(wrong.0),
    }
}

/// The rows that have all words of the arguments' texts somewhere, in their order.
fn found(rows: &[Value], arguments: &Map<String, Value>) -> Value {
    let words: Vec<String> = arguments
        .values()
        .filter_map(Value::as_str)
        .flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let has = |row: &&Value| {
        let text = row.to_string().to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    rows.iter().filter(has).take(MOST_ROWS).cloned().collect()
}

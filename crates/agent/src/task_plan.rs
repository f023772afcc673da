//! A plan that the model makes and the person sees before anything is done (`PlanningMode`, S0-58, S1-29): its two tools, and
//! how its steps come to be done.

use protocol::{Hints, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The name of the tool that puts a plan to the person.
pub(crate) const PROPOSE: &str = "plan_propose";

/// The name of the tool that says how far it is.
pub(crate) const UPDATE: &str = "plan_update";

/// The most steps of a plan.
const MOST_STEPS: usize = 30;

/// The most characters of a step.
const LONGEST_STEP: usize = 300;

/// Whether a model plans before it acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Planning {
    /// It cannot.
    #[default]
    Off,
    /// It may, when what is asked for takes several steps.
    Offered,
    /// It has to: what changes anything is refused until the person has approved a plan.
    First,
}

/// A plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPlan {
    /// What it is to reach.
    #[serde(default)]
    pub goal: String,
    /// What is to be done, in order.
    pub steps: Vec<PlanStep>,
    /// How sure the model is that this is the way, 0 to 1; none when it does not say (S0-58).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
}

/// A number from 0 to 1, in thousandths, so that it is the same after it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Confidence(u16);

impl Confidence {
    /// None when it is not from 0 to 1.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then(|| Self((value * 1000.0).round() as u16))
    }

    /// From 0 to 1.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl Serialize for Confidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::new(value).ok_or_else(|| serde::de::Error::custom("a confidence is a number from 0 to 1"))
    }
}

/// A step of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanStep {
    /// What is done, in words.
    pub title: String,
    /// The tool it is done with; empty when nobody can say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tool: String,
    /// How far it is.
    #[serde(default)]
    pub status: StepStatus,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// To be done.
    #[default]
    Open,
    /// Being done.
    Doing,
    /// Done.
    Done,
    /// Not needed, or not possible.
    Skipped,
}

impl StepStatus {
    /// True when nothing more is to be done for it.
    #[must_use]
    pub fn is_over(self) -> bool {
        match self {
            Self::Done | Self::Skipped => true,
            Self::Open | Self::Doing => false,
        }
    }
}

#[derive(Deserialize)]
struct UpdateArguments {
    step: usize,
    status: StepStatus,
}

/// The two tools, as they are offered to a model.
pub(crate) fn specs() -> [ToolSpec; 2] {
    let hints =
        Hints { read_only: true, destructive: false, idempotent: true, open_world: false, lasting: false };
    [
        ToolSpec {
            name: PROPOSE.to_owned(),
            title: "Plan".to_owned(),
            description: "Puts a plan to the person before anything is done, and waits: they may change, approve or decline it. Use \
                          it first when what they ask for takes several changes."
                .to_owned(),
            input_schema: json!({
                "type": "object",
                "properties": {
                    "goal": {"type": "string", "description": "What is reached by it, in one sentence."},
                    "steps": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": MOST_STEPS,
                        "items": {
                            "type": "object",
                            "properties": {
                                "title": {"type": "string", "description": "What is done, for the person."},
                                "tool": {"type": "string", "description": "The tool it is done with."}
                            },
                            "required": ["title"]
                        }
                    },
                    "confidence": {"type": "number", "minimum": 0, "maximum": 1}
                },
                "required": ["steps"]
            }),
            hints,
        },
        ToolSpec {
            name: UPDATE.to_owned(),
            title: "Plan, step by step".to_owned(),
            description: "Says how far a step of the approved plan is. A step whose tool was called is done without it.".to_owned(),
            input_schema: json!({
                "type": "object",
                "properties": {
                    "step": {"type": "integer", "minimum": 1, "description": "Its number in the plan, from 1."},
                    "status": {"enum": ["open", "doing", "done", "skipped"]}
                },
                "required": ["step", "status"]
            }),
            hints,
        },
    ]
}

impl TaskPlan {
    /// The plan of a call.
    ///
    /// # Errors
    /// A sentence for the model: what is wrong with it.
    pub fn of(arguments: &Value) -> Result<Self, String> {
        let plan: Self = serde_json::from_value(arguments.clone())
            .map_err(|error| format!("Invalid parameters: {error}. Look at the schema of {PROPOSE}."))?;
        plan.checked()
    }

    /// The plan as the person approved it: theirs, where they changed it.
    ///
    /// # Errors
    /// A sentence for the person: what is wrong with their changes.
    pub fn approved(&self, reply: &Value) -> Result<Self, String> {
        let Some(steps) = reply.get("steps").filter(|steps| !steps.is_null()) else {
            return Ok(self.clone());
        };
        let steps =
            serde_json::from_value(steps.clone()).map_err(|error| format!("That is no plan: {error}."))?;
        Self { steps, ..self.clone() }.checked()
    }

    fn checked(mut self) -> Result<Self, String> {
        self.steps.retain(|step| !step.title.trim().is_empty());
        if self.steps.is_empty() || self.steps.len() > MOST_STEPS {
            return Err(format!("A plan has 1 to {MOST_STEPS} steps."));
        }
        match self.steps.iter().find(|step| step.title.chars().count() > LONGEST_STEP) {
            Some(_) => Err(format!("A step has at most {LONGEST_STEP} characters.")),
            None => Ok(self),
        }
    }

    /// The plan with what a call of `plan_update` says.
    ///
    /// # Errors
    /// A sentence for the model: what is wrong with the call.
    pub(crate) fn updated(&self, arguments: &Value) -> Result<Self, String> {
        let asked: UpdateArguments = serde_json::from_value(arguments.clone())
            .map_err(|error| format!("Invalid parameters: {error}. Look at the schema of {UPDATE}."))?;
        let mut plan = self.clone();
        let last = plan.steps.len();
        let step = asked.step.checked_sub(1).and_then(|at| plan.steps.get_mut(at));
        let step = step
            .ok_or_else(|| format!("The plan has the steps 1 to {last}; there is no step {}.", asked.step))?;
        step.status = asked.status;
        Ok(plan)
    }

    /// A call of this tool went well: the first step that waits for it is done.
    pub(crate) fn tick(&mut self, tool: &str) {
        let step = self.steps.iter_mut().find(|step| step.tool == tool && !step.status.is_over());
        if let Some(step) = step {
            step.status = StepStatus::Done;
        }
    }

    /// True when nothing of it is left to do.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.steps.iter().all(|step| step.status.is_over())
    }

    /// As the model reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let lines: Vec<String> = self
            .steps
            .iter()
            .enumerate()
            .map(|(at, step)| {
                let mark = match step.status {
                    StepStatus::Open => "open",
                    StepStatus::Doing => "doing",
                    StepStatus::Done => "done",
                    StepStatus::Skipped => "skipped",
                };
                format!("{}. [{mark}] {}", at + 1, step.title)
            })
            .collect();
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> TaskPlan {
        TaskPlan::of(&json!({"goal": "Shop", "confidence": 0.85, "steps": [
            {"title": "Add milk", "tool": "todo_create"},
            {"title": "Add tea", "tool": "todo_create"},
            {"title": "Show the list", "tool": "todo_list"},
        ]}))
        .unwrap()
    }

    #[test]
    fn steps_are_ticked_in_order_as_their_tools_are_called() {
        let mut plan = plan();
        plan.tick("todo_create");
        plan.tick("todo_delete");
        assert_eq!(plan.text(), "1. [done] Add milk\n2. [open] Add tea\n3. [open] Show the list");
        plan.tick("todo_create");
        plan.tick("todo_create");
        let plan = plan.updated(&json!({"step": 3, "status": "skipped"})).unwrap();
        assert!(plan.is_over());
        let saved: TaskPlan = serde_json::from_value(serde_json::to_value(&plan).unwrap()).unwrap();
        assert_eq!((saved.confidence.map(Confidence::value), &saved), (Some(0.85), &plan));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (arguments, words) in [
            (json!({"steps": []}), "1 to 30 steps"),
            (json!({"steps": [{"title": "  "}]}), "1 to 30 steps"),
            (json!({"steps": [{"title": "x".repeat(301)}]}), "at most 300 characters"),
            (json!({"steps": [{"tool": "x"}]}), "missing field `title`"),
            (json!({"steps": [{"title": "x"}], "confidence": 1.5}), "from 0 to 1"),
        ] {
            let error = TaskPlan::of(&arguments).unwrap_err();
            assert!(error.contains(words), "{arguments}: {error}");
        }
        for (arguments, words) in [
            (json!({"step": 0, "status": "done"}), "no step 0"),
            (json!({"step": 4, "status": "done"}), "the steps 1 to 3"),
            (json!({"step": 1, "status": "finished"}), "unknown variant"),
        ] {
            let error = plan().updated(&arguments).unwrap_err();
            assert!(error.contains(words), "{arguments}: {error}");
        }
    }

    #[test]
    fn the_person_has_the_last_word() {
        let mine = plan().approved(&json!({"approved": true, "steps": [{"title": "Add tea"}]})).unwrap();
        assert_eq!(mine.text(), "1. [open] Add tea");
        assert_eq!(plan().approved(&json!({"approved": true})).unwrap(), plan());
        assert!(plan().approved(&json!({"steps": []})).is_err());
    }
}

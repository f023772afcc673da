//! The agent's own tools: no tool server has them, the conversation itself answers them or the person does. A tool of the same
//! name that the app brings comes first.

use std::sync::LazyLock;

use protocol::{Hints, ToolResult, fence};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::context::MeasuredTool;
use crate::memory::{self, TOLD};
use crate::questions::{self, Questions};
use crate::task_plan::{self, Planning, TaskPlan};
use crate::{AgentState, CallRecord, Disposition, EntryBody, EvidencePolicy};

/// Which of its own tools an agent offers. Both need somebody who can draw them, so they are off unless asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnTools {
    /// The model may ask the person something, with choices to tap (S4-17).
    pub questions: bool,
    /// Whether it plans before it acts (S0-58).
    pub planning: Planning,
}

static MEMORY: LazyLock<[MeasuredTool; 2]> = LazyLock::new(|| memory::specs().map(MeasuredTool::from));
static QUESTIONS: LazyLock<[MeasuredTool; 1]> = LazyLock::new(|| [questions::spec().into()]);
static PLANNING: LazyLock<[MeasuredTool; 2]> = LazyLock::new(|| task_plan::specs().map(MeasuredTool::from));

/// In planning mode, to a model that acts without a plan.
pub(crate) const PLAN_FIRST: &str = "Not run: the person wants to see a plan first. Nothing was done. Call plan_propose with the steps, wait for the \
     approval, and then call this again.";

/// The agent's own tools that the next request offers, after the app's.
pub(crate) fn offered(state: &AgentState) -> impl Iterator<Item = &MeasuredTool> {
    let own = state.config.own_tools;
    // Only where there is something to read: tools cost tokens in every request.
    let memory: &[MeasuredTool] = if has_short_results(state) { &*MEMORY } else { &[] };
    let questions: &[MeasuredTool] = if own.questions { &*QUESTIONS } else { &[] };
    let planning: &[MeasuredTool] = if own.planning == Planning::Off { &[] } else { &*PLANNING };
    let is_free = |spec: &&MeasuredTool| !state.tools.iter().any(|tool| tool.name == spec.name);
    memory.iter().chain(questions).chain(planning).filter(is_free)
}

/// True when the model has seen a result only in short.
fn has_short_results(state: &AgentState) -> bool {
    !state.stored.is_empty()
        && (state.longest_kept > state.config.memory.whole_tokens
            || state.compacted.as_ref().is_some_and(|compacted| compacted.results_from > 0))
}

/// What the app tells the assistant to be, and what the agent adds: where what was compacted can be read (S0-37), and that a
/// plan is wanted.
pub(crate) fn instructions(state: &AgentState, boundary: &str, now_ms: i64) -> String {
    let mut text = state.config.instructions.clone();
    if state.config.own_tools.planning == Planning::First {
        text.push_str(
            "\n\nPlanning mode is on: before any tool that changes something, call plan_propose and wait for the approval.",
        );
    }
    if state.config.evidence != EvidencePolicy::Off {
        text.push_str(
            "\n\nWhere you state what a tool's output says, cite its call as [tool:call], with the names in the output's first line. \
             State nothing as a fact of the person's data that no output says.",
        );
    }
    let from = state.compacted.as_ref().map_or(0, |compacted| compacted.from);
    if from > 0 && !state.stored.is_empty() {
        let lines: Vec<String> = memory::readable(state, None, from, now_ms)
            .take(TOLD)
            .map(memory::Readable::reference)
            .map(|reference| format!("- {}: {}", reference.data_ref, reference.summary))
            .collect();
        if !lines.is_empty() {
            let fenced = fence(boundary, "previous_results", &lines.join("\n"));
            text.push_str(&format!("\n\nPrevious results available (use references):\n{fenced}"));
        }
    }
    text
}

/// What becomes of a call of one of the agent's own tools; none for any other. `plan` is the plan as the calls before it in the
/// same response leave it, `problem` what is wrong with the arguments as JSON.
pub(crate) fn disposition(
    state: &AgentState,
    name: &str,
    arguments: &Value,
    problem: Option<String>,
    now_ms: i64,
    plan: &mut Option<TaskPlan>,
) -> Option<Disposition> {
    let own = state.config.own_tools;
    if let (Some(message), Some(_)) = (problem, title(name)) {
        return Some(Disposition::Refuse { message });
    }
    let answer = match name {
        memory::READ => memory::page(state, arguments, now_ms),
        memory::LIST => memory::list(state, arguments, now_ms),
        questions::ASK if own.questions => return Some(question(Questions::of(arguments).map(drop))),
        task_plan::PROPOSE if own.planning != Planning::Off => {
            return Some(question(TaskPlan::of(arguments).map(drop)));
        }
        task_plan::UPDATE if own.planning != Planning::Off => match plan {
            Some(current) => current.updated(arguments).map(|next| {
                let answer = json!({"plan": next.text()});
                *current = next;
                answer
            }),
            None => Err("There is no approved plan. Call plan_propose first.".to_owned()),
        },
        _ => return None,
    };
    Some(match answer {
        Ok(data) => Disposition::Answered { content: data.to_string() },
        Err(message) => Disposition::Refuse { message },
    })
}

fn question(checked: Result<(), String>) -> Disposition {
    match checked {
        Ok(()) => Disposition::Question,
        Err(message) => Disposition::Refuse { message },
    }
}

/// In planning mode, a call that would change something is refused until the person has approved a plan in this run.
pub(crate) fn needs_plan(state: &AgentState, hints: &Hints) -> Option<Disposition> {
    let is_first = state.config.own_tools.planning == Planning::First;
    let is_approved = state.run.as_ref().is_some_and(|run| run.plan_approved);
    (is_first && !is_approved && !hints.read_only)
        .then(|| Disposition::Refuse { message: PLAN_FIRST.to_owned() })
}

/// The name a person reads of one of the agent's own tools.
pub(crate) fn title(name: &str) -> Option<&'static str> {
    let all = MEMORY.iter().chain(&*QUESTIONS).chain(&*PLANNING);
    all.into_iter().find(|spec| spec.name == name).map(|spec| spec.title.as_str())
}

/// What the person answered to a call that asks them, as its result.
///
/// # Errors
/// A sentence for the person: what is wrong with the answer.
pub fn reply(record: &CallRecord, reply: &Value) -> Result<ToolResult, String> {
    let arguments = &record.call.arguments;
    let (content, structured) = if record.call.name == task_plan::PROPOSE {
        let proposed = TaskPlan::of(arguments)?;
        let plan = proposed.approved(reply)?;
        let changed = if plan.steps == proposed.steps { "" } else { " with changes" };
        let content = format!(
            "The person approved the plan{changed}. Carry it out now, step by step:\n{}",
            plan.text()
        );
        (content, json!({"approved": true, "plan": plan}))
    } else {
        let answers = Questions::saved(arguments)?.answered(reply)?;
        (answers.to_string(), answers)
    };
    Ok(ToolResult {
        call_id: record.call.id.clone(),
        name: record.call.name.clone(),
        is_error: false,
        content,
        structured: Some(structured),
    })
}

/// The answer that such a result was made of: for a run that is played again.
pub(crate) fn reply_again(result: &ToolResult) -> Value {
    let Some(data) = &result.structured else { return Value::Null };
    if let Some(steps) = data.pointer("/plan/steps") {
        return json!({"steps": steps});
    }
    let id = |choice: &Value| choice.get("id").cloned().unwrap_or_else(|| choice.clone());
    let answers = data.get("answers").and_then(Value::as_object).into_iter().flatten();
    answers
        .map(|(name, answer)| {
            let answer = match answer {
                Value::Array(choices) => choices.iter().map(id).collect(),
                one => id(one),
            };
            (name.clone(), answer)
        })
        .collect()
}

/// What an entry does to the plan, and whether it leaves it as it was (S1-30). It is asked before the entry is in the log.
pub(crate) fn keep_plan(state: &mut AgentState, body: &EntryBody) {
    let Some(run) = &mut state.run else { return };
    match body {
        EntryBody::Response { calls, .. } => {
            let mut stale = None;
            for requested in calls {
                let call = &requested.call;
                let is_new = match call.name.as_str() {
                    task_plan::PROPOSE if requested.plan == Disposition::Question => {
                        let proposed = TaskPlan::of(&call.arguments).ok();
                        let before = run.proposed.replace(proposed.clone().unwrap_or_default());
                        before != proposed
                    }
                    task_plan::UPDATE if matches!(requested.plan, Disposition::Answered { .. }) => {
                        let next = state.plan.as_ref().and_then(|plan| plan.updated(&call.arguments).ok());
                        let is_new = next != state.plan;
                        state.plan = next;
                        is_new
                    }
                    _ => true,
                };
                stale = Some(stale.unwrap_or(true) && !is_new);
            }
            match stale {
                Some(true) => run.stale_plans += 1,
                Some(false) => run.stale_plans = 0,
                None => {}
            }
        }
        EntryBody::Result { result, .. } if !result.is_error => {
            if result.name == task_plan::PROPOSE {
                let plan = result.structured.as_ref().and_then(|data| data.get("plan"));
                let plan = plan.and_then(|plan| serde_json::from_value(plan.clone()).ok());
                run.plan_approved |= plan.is_some();
                state.plan = plan.or(state.plan.take());
            } else if let Some(plan) = &mut state.plan {
                plan.tick(&result.name);
            }
        }
        _ => {}
    }
}

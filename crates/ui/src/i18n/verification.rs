//! The words around questions, plans and answers that were checked.

use agent::CallStatus;

pub const QUESTION: &str = "Question";
pub const ANSWER: &str = "Answer";
pub const DONT_ANSWER: &str = "Don’t answer";
pub const OPTIONAL: &str = "(may stay open)";
pub const NOT_ANSWERED: &str = "Not answered.";
pub const FIRST_DAY: &str = "First day";
pub const LAST_DAY: &str = "Last day";
pub const PLAN: &str = "Plan";
pub const PLAN_STEP: &str = "Step of the plan";
pub const PLAN_REMOVE: &str = "Take this step out";
pub const PLAN_ADD: &str = "Add a step";
pub const PLAN_APPROVE: &str = "Go ahead";
pub const PLAN_DECLINE: &str = "Decline";
pub const PLAN_DECLINED: &str = "Plan declined. Nothing was done.";
pub const STEP_OPEN: &str = "Open";
pub const STEP_DOING: &str = "Being done";
pub const STEP_DONE: &str = "Done";
pub const STEP_SKIPPED: &str = "Skipped";
pub const ANSWERS: &str = "How it answers";
pub const PLANNING: &str = "Plans";
pub const PLANNING_OFF: &str = "Never";
pub const PLANNING_OFFERED: &str = "When the model thinks it helps";
pub const PLANNING_FIRST: &str = "Always, before anything is changed";
pub const PLANNING_HINT: &str =
    "You see what it is going to do, change it, and let it begin. Its steps are ticked as they happen.";
pub const EVIDENCE: &str = "Check what it says";
pub const EVIDENCE_OFF: &str = "Don’t check";
pub const EVIDENCE_MARK: &str = "Mark what no tool result supports";
pub const EVIDENCE_REPAIR: &str = "Send it back once, then mark";
pub const EVIDENCE_HINT: &str = "Numbers, dates, names and quotes of an answer are looked up in the results of its tools, here on \
this device. The built-in model is not checked: it can only repeat results.";
pub const DOUBTED: &str = "Not in the results";

pub const KINDS: &str = "Talk as";
pub const REFINE: &str = "Answer again:";
pub const REFINEMENTS: [&str; 3] = ["shorter", "in more detail", "in simpler words"];

/// Feedback on an answer, as the person's message shows it.
#[must_use]
pub fn refined(feedback: &str) -> String {
    format!("Answer again: {feedback}")
}

/// The note under an answer.
#[must_use]
pub fn doubts(count: usize) -> String {
    if count == 1 {
        "1 thing in this answer is not in the tools’ results. It is marked.".to_owned()
    } else {
        format!("{count} things in this answer are not in the tools’ results. They are marked.")
    }
}

/// How sure the model is of its plan.
#[must_use]
pub fn plan_confidence(value: f64) -> String {
    format!("({:.0} % sure)", value * 100.0)
}

/// What a chip says of the call that it leads to.
#[must_use]
pub fn cites(number: usize) -> String {
    format!("Source {number}: show the tool call")
}

/// The state of a call, as tests read it.
#[must_use]
pub fn status_word(status: Option<CallStatus>) -> &'static str {
    match status {
        None | Some(CallStatus::Queued | CallStatus::Running) => "running",
        Some(CallStatus::Awaiting) => "awaiting",
        Some(CallStatus::Done) => "done",
        Some(CallStatus::Failed) => "failed",
        Some(CallStatus::Denied) => "denied",
    }
}

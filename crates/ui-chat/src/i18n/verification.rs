//! The words around questions, plans and answers that were checked or are rated.

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

/// The command that opens the trace of a run.
pub const OPEN_TRACE: &str = "Show what happened";

pub const ABOUT_THIS_ANSWER: &str = "About this answer";
pub const RATE_GOOD: &str = "This helped";
pub const RATE_BAD: &str = "This did not help";

//! The words around questions, plans and answers that were checked or are rated.

use agent::{CallStatus, Template};

include!(concat!(env!("OUT_DIR"), "/verification.rs"));

/// How an answer that is asked for again may be.
pub const REFINEMENTS: [ui_kit::language::Word; 3] = [refine_shorter, refine_in_detail, refine_simpler];

/// The name of a way to talk, and what it is for in a sentence.
#[must_use]
pub fn kind_named(template: Template) -> (&'static str, &'static str) {
    match template.id {
        "question-answer" => (kind_question_answer(), kind_question_answer_about()),
        "debugging" => (kind_debugging(), kind_debugging_about()),
        "research" => (kind_research(), kind_research_about()),
        _ => (template.name, template.about),
    }
}

/// How sure the model is of its plan.
#[must_use]
pub fn plan_confidence(value: f64) -> String {
    plan_sure(&format!("{:.0}", value * 100.0))
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

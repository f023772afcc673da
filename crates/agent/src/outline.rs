//! A conversation at a glance (`ConversationState.get_summary`, S0-49): how far it is, what it is about, and what it has to work
//! with. And what an answer is asked to be instead (S0-52).

use crate::entry::entries_from;
use crate::{AgentState, Disposition, EntryBody, Reference, last_turn, list_available_references};

/// The most results that are named.
const NAMED: usize = 5;

/// What the last turn did (S0-49).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TalkPhase {
    /// It looked, or only talked.
    Exploration,
    /// It changed something.
    Execution,
    /// It went over what was there before.
    Refinement,
}

/// A conversation at a glance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// How many messages the person sent.
    pub turns: usize,
    /// What the person wanted last, in their words.
    pub intent: Option<String>,
    /// What the last turn did.
    pub phase: TalkPhase,
    /// The newest results that can be read again.
    pub available: Vec<Reference>,
}

/// What tells feedback on an answer from any other message. The model reads it too.
const FEEDBACK: &str = "About your last answer: ";

/// What to do with the feedback, behind it (S0-52).
const ADJUST: &str = "\n\nAdjust your approach, and answer again.";

/// The message that asks for the last answer anew, with what is to be different (`refine`, S0-52).
#[must_use]
pub fn refine(feedback: &str) -> String {
    format!("{FEEDBACK}{}{ADJUST}", feedback.trim())
}

/// What the person said about the answer, where a message is feedback.
#[must_use]
pub fn feedback_in(message: &str) -> Option<&str> {
    message.strip_prefix(FEEDBACK)?.strip_suffix(ADJUST)
}

/// The conversation at a glance, at a time in Unix milliseconds.
#[must_use]
pub fn outline(state: &AgentState, now_ms: i64) -> Outline {
    let is_turn = |body: &EntryBody| matches!(body, EntryBody::User { .. });
    let last = last_turn(state);
    let said = state.entries.get(last).and_then(|entry| match &entry.body {
        EntryBody::User { text, .. } => Some(text.clone()),
        _ => None,
    });
    let changes = entries_from(&state.entries, last).any(|entry| match &entry.body {
        EntryBody::Response { calls, .. } => calls.iter().any(|call| {
            matches!(call.plan, Disposition::Write | Disposition::Ask | Disposition::EstimateImpact { .. })
        }),
        _ => false,
    });
    let phase = match &said {
        Some(said) if feedback_in(said).is_some() => TalkPhase::Refinement,
        _ if changes => TalkPhase::Execution,
        _ => TalkPhase::Exploration,
    };
    Outline {
        turns: state.entries.iter().filter(|entry| is_turn(&entry.body)).count(),
        intent: said.map(|said| feedback_in(&said).map_or_else(|| said.clone(), str::to_owned)),
        phase,
        available: list_available_references(state, None, now_ms, NAMED),
    }
}

impl std::fmt::Display for Outline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "Conversation has {} turns.", self.turns)?;
        writeln!(f, "User intent: {}", self.intent.as_deref().unwrap_or("unknown"))?;
        let names: Vec<&str> = self.available.iter().map(|reference| reference.data_ref.as_str()).collect();
        write!(f, "Available data: [{}]", names.join(", "))
    }
}

//! Ways to talk (`ConversationTemplates`, S3-37): what an assistant is told beside what it is, and how far its runs may go. What the
//! app's own assistant is told stands before it.

use crate::{AgentConfig, Limits, Planning};

/// A kind of conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its word, kept with a conversation.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What it is for, in a sentence.
    pub about: &'static str,
    /// What the assistant is told.
    pub instructions: &'static str,
    /// Model requests of one run.
    max_steps: u32,
    /// Tool calls of one run.
    max_tool_calls: u32,
    /// How long a run may take, in milliseconds.
    max_run_ms: u64,
    planning: Option<Planning>,
}

/// Short answers to single questions (`questionAnswer`).
pub const QUESTION_ANSWER: Template = Template {
    id: "question-answer",
    name: "Questions and answers",
    about: "Short answers to single questions.",
    instructions: "In this conversation the person asks single questions. Answer in one to three sentences, the answer itself first. \
                   Look things up with the tools where they can know; say plainly what you do not know. Change nothing unless \
                   you are asked to.",
    max_steps: 5,
    max_tool_calls: 10,
    max_run_ms: 60_000,
    planning: None,
};

/// Finding out why something does not work (`debuggingSession`).
pub const DEBUGGING: Template = Template {
    id: "debugging",
    name: "Find the cause",
    about: "Finds out, step by step, why something does not work.",
    instructions: "In this conversation you help to find out why something does not work. First say in a sentence what is expected and what \
                   happens instead. Then go step by step: name the likeliest cause, say or do the one check that tells most, and wait for \
                   what comes of it before the next. Keep what was ruled out in mind. Change nothing before the cause is known; then \
                   say what you would change, and how to see that it worked.",
    max_steps: 15,
    max_tool_calls: 40,
    max_run_ms: 240_000,
    planning: None,
};

/// Gathering and weighing what is known (`researchTask`).
pub const RESEARCH: Template = Template {
    id: "research",
    name: "Research",
    about: "Gathers what the tools know, weighs it, and says what it rests on.",
    instructions: "In this conversation you gather what is known about a question. Begin with a plan of what to look up. Look at more than one \
                   place, page through long results, and keep what you found apart from what you make of it. The answer has three parts: \
                   what is found, each statement with its source; what speaks against it or is missing; and in one sentence what follows.",
    max_steps: 20,
    max_tool_calls: 60,
    max_run_ms: 300_000,
    planning: Some(Planning::Offered),
};

/// All of them.
pub const TEMPLATES: [Template; 3] = [QUESTION_ANSWER, DEBUGGING, RESEARCH];

impl Template {
    /// The one of this word.
    #[must_use]
    pub fn of(id: &str) -> Option<Self> {
        TEMPLATES.into_iter().find(|template| template.id == id)
    }

    /// An app's configuration for a conversation of this kind: what the app tells its assistant stays, and comes first.
    #[must_use]
    pub fn applied(&self, app: AgentConfig) -> AgentConfig {
        let mut config = app;
        if !config.instructions.is_empty() {
            config.instructions.push_str("\n\n");
        }
        config.instructions.push_str(self.instructions);
        config.limits = Limits {
            max_steps: self.max_steps,
            max_tool_calls: self.max_tool_calls,
            max_run_ms: self.max_run_ms,
            ..config.limits
        };
        // What the person chose to see first, they see first.
        if let (Planning::Off, Some(planning)) = (config.own_tools.planning, self.planning) {
            config.own_tools.planning = planning;
        }
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_adds_to_what_the_app_says() {
        for template in TEMPLATES {
            assert_eq!(Template::of(template.id), Some(template));
            let config = template.applied(AgentConfig::new("You are Satchel."));
            assert!(config.instructions.starts_with("You are Satchel.\n\nIn this conversation"));
            assert_eq!(config.limits.max_steps, template.max_steps);
            assert_eq!(config.limits.max_identical_calls, Limits::default().max_identical_calls);
        }
        let mut first = AgentConfig::new("");
        first.own_tools.planning = Planning::First;
        let research = RESEARCH.applied(first);
        assert_eq!(research.own_tools.planning, Planning::First);
        assert!(research.instructions.starts_with("In this conversation"));
        assert_eq!(RESEARCH.applied(AgentConfig::new("")).own_tools.planning, Planning::Offered);
        assert_eq!(Template::of("other"), None);
    }
}

//! The words for how a model is given its tools.

use llm::{AnswerFormat, ToolUse};

pub const TOOLS_USE: &str = "How it gets its tools";
pub const TOOLS_AGAIN: &str = "Try its own tools again";

/// A tool that a model's provider refuses.
#[must_use]
pub fn tool_left_out(title: &str, model: &str) -> String {
    format!("“{title}” is left out: the provider of {model} does not take it as it is described.")
}

/// A way to give a model its tools.
#[must_use]
pub fn tools_use(tools: ToolUse) -> &'static str {
    match tools {
        ToolUse::Automatic => "Automatic",
        ToolUse::Native => "Its own tools",
        ToolUse::Json => "In words, answers as JSON",
    }
}

/// What a way means, and what was found out about the model.
#[must_use]
pub fn tools_hint(tools: ToolUse, format: Option<AnswerFormat>) -> String {
    let held = match format {
        Some(AnswerFormat::JsonSchema) => " The server holds its answers to a schema.",
        Some(AnswerFormat::JsonObject) => " The server holds its answers to JSON.",
        Some(AnswerFormat::Prompt) => " The prompt alone asks for JSON.",
        None => "",
    };
    match (tools, format) {
        (ToolUse::Automatic, None) => {
            "Its own where the server has them for this model; otherwise they are described to it.".to_owned()
        }
        (ToolUse::Automatic, Some(_)) => {
            format!("The server takes no tools for this model, so they are described to it.{held}")
        }
        (ToolUse::Native, _) => "Always its own. A model without any then answers with an error.".to_owned(),
        (ToolUse::Json, _) => format!("Always described to it. Slower, but any model can follow it.{held}"),
    }
}

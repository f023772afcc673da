//! The words for how a model is given its tools.

use llm::{AnswerFormat, ToolUse};

pub const TOOLS_USE: &str = "Tool calling";
pub const TOOLS_AGAIN: &str = "Try the model’s own tool calling again";

/// A way to give a model its tools.
#[must_use]
pub fn tools_use(tools: ToolUse) -> &'static str {
    match tools {
        ToolUse::Automatic => "Automatic",
        ToolUse::Native => "The model’s own",
        ToolUse::Json => "Described in the prompt",
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
            "The model’s own where the server offers it; otherwise the tools are described in the prompt."
                .to_owned()
        }
        (ToolUse::Automatic, Some(_)) => {
            format!("The server takes no tools for this model, so they are described in the prompt.{held}")
        }
        (ToolUse::Native, _) => {
            "Always the model’s own. A model without it answers with an error.".to_owned()
        }
        (ToolUse::Json, _) => format!(
            "Tools are always described in the prompt, and calls are answered as JSON. Slower, but any model can follow it.{held}"
        ),
    }
}

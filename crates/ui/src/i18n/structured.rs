//! The words for how a model is given its tools.

use llm::{AnswerFormat, ToolUse};

include!(concat!(env!("OUT_DIR"), "/structured.rs"));

/// A way to give a model its tools.
#[must_use]
pub fn tools_use(tools: ToolUse) -> &'static str {
    match tools {
        ToolUse::Automatic => tools_automatic(),
        ToolUse::Native => tools_native(),
        ToolUse::Json => tools_json(),
    }
}

/// What a way means, and what was found out about the model.
#[must_use]
pub fn tools_hint(tools: ToolUse, format: Option<AnswerFormat>) -> String {
    let means = match (tools, format) {
        (ToolUse::Automatic, None) => tools_automatic_hint(),
        (ToolUse::Automatic, Some(_)) => tools_described_hint(),
        (ToolUse::Native, _) => return tools_native_hint().to_owned(),
        (ToolUse::Json, _) => tools_json_hint(),
    };
    let held = match format {
        Some(AnswerFormat::JsonSchema) => answers_by_schema(),
        Some(AnswerFormat::JsonObject) => answers_by_object(),
        Some(AnswerFormat::Prompt) => answers_by_prompt(),
        None => return means.to_owned(),
    };
    format!("{means} {held}")
}

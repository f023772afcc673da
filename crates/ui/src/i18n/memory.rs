//! The words about what is remembered over all conversations.

/// Its name.
pub const MEMORY: &str = "Memory";
/// What it is.
pub const MEMORY_HINT: &str = "What you asked to be remembered, in your words. It is kept on this device, and told in short to the model that answers, in every conversation. Nothing is added without a row in the chat that says so.";
/// It is switched off.
pub const MEMORY_IS_OFF: &str =
    "Switched off in the settings: no model is told any of this, and none can add to it.";
/// There is none.
pub const NO_MEMORY: &str = "Nothing is remembered yet.";
/// How it comes to be there.
pub const NO_MEMORY_HINT: &str = "Say “remember that I’m vegetarian” in a chat, or write a sentence above. Nothing is ever guessed from what you say.";
/// The field of a sentence.
pub const MEMORY_TEXT: &str = "In one sentence";
/// A sentence.
pub const MEMORY_EXAMPLE: &str = "I prefer short answers";
/// The field of the kind.
pub const MEMORY_KIND: &str = "Kind";
/// Adds a sentence.
pub const MEMORY_ADD: &str = "Remember";
/// Looks for words.
pub const MEMORY_SEARCH: &str = "Search what is remembered";
/// What is different in a sentence that was corrected.
pub const MEMORY_TEXT_NAME: &str = "Words";
/// The place of a sentence among the others.
pub const ORDER: &str = "Told";
/// The place of one that is pinned.
pub const FIRST: &str = "first";
/// Whose words a sentence is.
pub const MEMORY_FROM: &str = "Words of";
/// It came in by a file.
pub const A_FILE: &str = "a file";
/// The person.
pub const YOURSELF: &str = "you";
/// What a sentence of a file is, beside it.
pub const FROM_A_FILE: &str = "from a file";
/// What becomes of it in the form.
pub const MEMORY_BECOMES_YOURS: &str =
    "This came in by a file, and no model takes it for your wish. Saved here, it is yours.";
/// It could not be read.
pub const MEMORY_UNREADABLE: &str = "What is remembered could not be read.";
/// Puts a sentence first.
pub const PIN_MEMORY: &str = "Tell this first";
/// Changes a sentence.
pub const EDIT_MEMORY: &str = "Edit";
/// Throws a sentence away.
pub const FORGET: &str = "Forget";
/// Throws everything away.
pub const FORGET_ALL: &str = "Forget everything…";
/// Does it.
pub const FORGET_ALL_NOW: &str = "Forget everything";
/// The switch in the settings.
pub const MEMORY_SWITCH: &str = "Remember what I ask for";
/// What the switch means.
pub const MEMORY_SWITCH_HINT: &str = "What you ask to be remembered is told in short to the model that answers; where that is a model elsewhere, it leaves this device with your message. Switched off, no model is told any of it or can add to it; what is there stays here.";
/// Opens it.
pub const OPEN_MEMORY: &str = "See what is remembered";

/// How many a look for words found.
#[must_use]
pub fn memories_found(count: usize) -> String {
    match count {
        0 => "Nothing has these words.".to_owned(),
        count => format!("{} found", crate::i18n::number(count)),
    }
}

/// Asks before all of it goes.
#[must_use]
pub fn forget_all_question(count: usize) -> String {
    match count {
        1 => "Forget the one sentence that is remembered?".to_owned(),
        count => format!("Forget all {} sentences that are remembered?", crate::i18n::number(count)),
    }
}

/// The pin of a sentence.
#[must_use]
pub fn pin_named(text: &str) -> String {
    format!("Tell this first: {text}")
}

/// The pen of a sentence.
#[must_use]
pub fn edit_named(text: &str) -> String {
    format!("Edit: {text}")
}

/// The bin of a sentence.
#[must_use]
pub fn forget_named(text: &str) -> String {
    format!("Forget: {text}")
}

/// What a model looked at, in the chat.
#[must_use]
pub fn recalled(total: u64) -> String {
    match total {
        0 => "Looked at what is remembered: nothing found".to_owned(),
        total => format!("Looked at what is remembered: {total} found"),
    }
}

/// A tool of theirs at work.
#[must_use]
pub fn memory_doing(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "user_memory_save" => "Remembering…",
        "user_memory_search" => "Looking at what is remembered…",
        "user_memory_update" => "Correcting what is remembered…",
        "user_memory_forget" => "Forgetting…",
        _ => return None,
    })
}

/// What may be said after a tool of theirs.
#[must_use]
pub fn memory_follow_ups(last_tool: Option<&str>) -> Vec<&'static str> {
    match last_tool {
        Some("user_memory_save") => vec!["What do you remember about me?", "Undo that"],
        Some("user_memory_forget" | "user_memory_update") => vec!["Undo that"],
        Some(_) | None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use protocol::{Hints, Message, ModelEvent, ModelRequest, RunId, ToolSpec};
    use serde_json::json;

    use super::memory_follow_ups;

    #[test]
    fn what_is_suggested_is_understood_by_the_built_in_model() {
        let spec = |name: &str| ToolSpec {
            name: name.to_owned(),
            title: name.to_owned(),
            description: String::new(),
            input_schema: json!({"type": "object"}),
            hints: Hints::default(),
        };
        let tools: Vec<_> =
            ["todo_list", "undo", "user_memory_search", "history"].map(spec).map(Arc::new).into();
        for said in memory_follow_ups(Some("user_memory_save")) {
            let now = protocol::now_line("2026-11-21T22:30", "Saturday", "UTC");
            let request = ModelRequest {
                run_id: RunId("run_1".into()),
                step: 1,
                model: String::new(),
                messages: vec![
                    Arc::new(Message::System { content: now }),
                    Arc::new(Message::User { content: said.to_owned(), images: vec![] }),
                ],
                tools: tools.clone(),
                temperature: None,
                max_output_tokens: None,
            };
            let is_lost = |event: &ModelEvent| match event {
                ModelEvent::TextDelta { text } => text.contains("I can only keep to-dos by plain commands"),
                _ => false,
            };
            assert!(!builtin::respond(&request, &[&builtin::TODO_SKILL]).iter().any(is_lost), "{said}");
        }
    }
}

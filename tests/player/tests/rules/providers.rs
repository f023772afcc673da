//! What each provider of the settings' presets refuses beyond what its wire says, each rule from its documentation or from
//! what it answers. A preset without a row here fails.

use std::collections::BTreeSet;

use llm::Wire;
use serde_json::Value;

use super::{Outcome, list, rule, schemas, text};

#[path = "../../../../crates/ui-chat/src/model/presets.rs"]
mod presets;

use presets::PRESETS;

/// What becomes of a thought that is sent back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Thoughts {
    /// It is a field that nobody knows, and the request is refused.
    Refused,
    /// Without it the request is refused; empty, too.
    Wanted,
}

/// A provider, and what it refuses.
#[derive(Clone, Copy)]
pub struct Provider {
    pub url: &'static str,
    pub model: &'static str,
    pub wire: Wire,
    /// Ids of calls are nine letters and digits (Mistral, and the templates of its models).
    has_short_ids: bool,
    /// User and assistant take turns, the user first (the templates of Gemma, Mistral and many others).
    alternates: bool,
    thoughts: Thoughts,
    /// How many tools there may be ("A max of 128 functions are supported", OpenAI's and DeepSeek's references).
    pub most_tools: Option<usize>,
    /// Fields of a message beside those that everybody knows.
    more_fields: &'static [&'static str],
    pub schema: fn(&Value) -> Outcome,
}

/// OpenAI itself, and who is no stricter.
const PLAIN: Provider = Provider {
    url: "https://api.openai.com/v1",
    model: "gpt-5",
    wire: Wire::OpenAiChat,
    has_short_ids: false,
    alternates: false,
    thoughts: Thoughts::Refused,
    most_tools: Some(128),
    more_fields: &[],
    schema: schemas::openai,
};

/// A template of any model behind a server on this machine.
const HERE: Provider = Provider {
    model: "model",
    has_short_ids: true,
    alternates: true,
    most_tools: None,
    schema: schemas::grammar,
    ..PLAIN
};

/// The provider of a preset.
fn of_preset(id: &str) -> Provider {
    match id {
        "ollama" => Provider { model: "gemma3:4b", ..HERE },
        "llama-cpp" | "lm-studio" => HERE,
        "deepseek" => Provider {
            model: "deepseek-v4-pro",
            thoughts: Thoughts::Wanted,
            more_fields: &["reasoning_content"],
            ..PLAIN
        },
        "groq" => Provider { model: "deepseek-r1-distill-llama-70b", ..PLAIN },
        "mistral" => {
            Provider { model: "mistral-large-latest", has_short_ids: true, alternates: true, ..PLAIN }
        }
        "openai" => PLAIN,
        "openrouter" => Provider { model: "google/gemini-2.5-pro", schema: schemas::gemini, ..PLAIN },
        "together" => Provider {
            model: "mistralai/Mistral-Small-24B-Instruct-2501",
            has_short_ids: true,
            alternates: true,
            ..PLAIN
        },
        other => panic!("the preset {other} has no rules"),
    }
}

/// Every preset, and what a person may enter or a gateway have beside them.
pub fn all() -> Vec<Provider> {
    let presets = PRESETS.iter().map(|preset| Provider { url: preset.url, ..of_preset(preset.id) });
    let others = [
        Provider {
            url: "https://generativelanguage.googleapis.com/v1beta/openai",
            model: "gemini-3-pro",
            schema: schemas::gemini,
            ..PLAIN
        },
        Provider { url: "api/llm/far", ..of_preset("deepseek") },
        Provider {
            url: "https://api.anthropic.com/v1",
            model: "claude-haiku-4-5",
            wire: Wire::AnthropicMessages,
            most_tools: None,
            schema: schemas::anthropic,
            ..PLAIN
        },
        Provider {
            url: "https://api.deepseek.com/anthropic/v1",
            model: "deepseek-v4-pro",
            wire: Wire::AnthropicMessages,
            thoughts: Thoughts::Wanted,
            schema: schemas::anthropic,
            ..PLAIN
        },
        Provider { wire: Wire::OpenAiResponses, ..PLAIN },
    ];
    presets.chain(others).collect()
}

impl Provider {
    /// Holds a body of its wire against its own rules.
    pub fn check(&self, body: &Value) -> Outcome {
        match self.wire {
            Wire::OpenAiChat => self.chat(list(&body["messages"])),
            Wire::AnthropicMessages => self.anthropic(list(&body["messages"])),
            Wire::OpenAiResponses => Ok(()),
        }
    }

    fn chat(&self, messages: &[Value]) -> Outcome {
        let mut is_users_turn = true;
        let mut before = "";
        for message in messages {
            let role = text(&message["role"]);
            for (field, _) in message.as_object().into_iter().flatten() {
                let is_known = ["role", "content", "tool_calls", "tool_call_id"].contains(&field.as_str())
                    || self.more_fields.contains(&field.as_str());
                rule(is_known, &format!("property '{field}' is unsupported"))?;
            }
            if self.thoughts == Thoughts::Wanted && role == "assistant" {
                let is_there = !text(&message["reasoning_content"]).is_empty();
                rule(
                    is_there,
                    "The `reasoning_content` in the thinking mode must be passed back to the API.",
                )?;
            }
            if self.has_short_ids {
                let of_calls = list(&message["tool_calls"]).iter().map(|call| &call["id"]);
                for id in of_calls.chain(message.get("tool_call_id")) {
                    let id = text(id);
                    let is_short = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
                    rule(
                        is_short,
                        &format!("Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9."),
                    )?;
                }
            }
            if self.alternates {
                rule(!(before == "tool" && role == "user"), "Unexpected role 'user' after role 'tool'")?;
                let is_counted =
                    role == "user" || (role == "assistant" && list(&message["tool_calls"]).is_empty());
                if is_counted {
                    let holds = (role == "user") == is_users_turn;
                    rule(holds, "conversation roles must alternate user/assistant/user/assistant/...")?;
                    is_users_turn = !is_users_turn;
                }
            }
            before = role;
        }
        Ok(())
    }

    /// Anthropic takes no thought without its signature, and we keep none; DeepSeek wants one before each call.
    fn anthropic(&self, messages: &[Value]) -> Outcome {
        for message in messages {
            let kinds: BTreeSet<&str> =
                list(&message["content"]).iter().map(|block| text(&block["type"])).collect();
            let (thinks, calls) = (kinds.contains("thinking"), kinds.contains("tool_use"));
            match self.thoughts {
                Thoughts::Refused => rule(!thinks, "a thought without its signature")?,
                Thoughts::Wanted => {
                    rule(
                        thinks || !calls,
                        "The `content[].thinking` in the thinking mode must be passed back",
                    )?;
                }
            }
        }
        Ok(())
    }
}

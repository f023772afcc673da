//! What a provider takes beyond the wire it speaks: most of them say "OpenAI compatible" and refuse what OpenAI takes.
//!
//! Each rule is of a host, or of a family of models whose templates and checks are the same wherever they run. An unknown
//! host keeps to the wire alone.

use crate::place::{host, is_local};

/// Models whose own format wants ids of nine letters and digits, and an answer between results and the next message.
const MISTRAL_MODELS: [&str; 7] =
    ["mistral", "mixtral", "devstral", "codestral", "ministral", "magistral", "pixtral"];

/// The same models at their maker, by the names that think.
const DEEPSEEK_MODELS: [&str; 3] = ["deepseek-v", "deepseek-chat", "deepseek-reasoner"];

/// What of JSON Schema may be in a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schemas {
    /// Everything, below a root that is one object: Anthropic and OpenAI refuse alternatives there, and the rest reads less.
    Rooted,
    /// What a grammar can be made of: a server on this machine makes one, and fails where it cannot.
    Grammar,
    /// The part that OpenAPI 3.0 has: Gemini reads a schema as a message with fields, and refuses a field it does not know.
    OpenApi,
}

/// What is particular about a model at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// The model's thought goes back with what it said: without it DeepSeek refuses a conversation that has calls in it.
    pub thoughts: bool,
    /// Ids of calls are nine letters and digits.
    pub short_ids: bool,
    /// Between the results of calls and the person's next message stands an answer.
    pub answers_results: bool,
    /// What tools may ask for.
    pub schemas: Schemas,
}

impl Dialect {
    /// Of a model at a base URL.
    pub(crate) fn of(base_url: &str, model: &str) -> Self {
        let model = model.to_lowercase();
        let own_name = model.rsplit('/').next().unwrap_or_default();
        let is_here = is_local(base_url);
        let is_mistral =
            is_at(base_url, "mistral.ai") || MISTRAL_MODELS.iter().any(|family| model.contains(family));
        // Any template may be behind a local address, and the strictest takes what suits all.
        let is_strict = is_mistral || is_here;
        let is_gemini = is_at(base_url, "googleapis.com") || own_name.starts_with("gemini-");
        Self {
            thoughts: is_at(base_url, "deepseek.com")
                || (is_behind_a_gateway(base_url) && is_deepseeks_own(&model)),
            short_ids: is_strict,
            answers_results: is_strict,
            schemas: match (is_gemini, is_here) {
                (true, _) => Schemas::OpenApi,
                (false, true) => Schemas::Grammar,
                (false, false) => Schemas::Rooted,
            },
        }
    }
}

/// Whether a model of this name is asked with its thoughts, as far as its name says.
pub(crate) fn sends_thoughts(model: &str) -> bool {
    is_deepseeks_own(&model.to_lowercase())
}

/// A name that only DeepSeek itself gives. Whoever else runs the model has it with its maker in front, or takes no thought
/// back at all (Groq refuses a request for it).
fn is_deepseeks_own(model: &str) -> bool {
    DEEPSEEK_MODELS.iter().any(|name| model.starts_with(name))
}

/// A gateway's address is relative to the page and says nothing of who is behind it.
fn is_behind_a_gateway(base_url: &str) -> bool {
    !base_url.contains("://")
}

/// Whether an address is at a domain or below it.
pub(crate) fn is_at(base_url: &str, domain: &str) -> bool {
    if is_behind_a_gateway(base_url) {
        return false;
    }
    host(base_url)
        .to_lowercase()
        .strip_suffix(domain)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Schemas};

    #[test]
    fn each_provider_by_rows() {
        use Schemas::{Grammar, OpenApi, Rooted};
        // The address, the model, then: thoughts go back, short ids, results are answered, schemas.
        let rows = [
            ("https://api.openai.com/v1", "gpt-5", false, false, false, Rooted),
            ("https://api.anthropic.com/v1", "claude-haiku-4-5", false, false, false, Rooted),
            ("https://api.deepseek.com/v1", "deepseek-v4-pro", true, false, false, Rooted),
            ("api/llm/far", "deepseek-v4-flash", true, false, false, Rooted),
            ("https://api.groq.com/openai/v1", "deepseek-r1-distill-llama-70b", false, false, false, Rooted),
            ("api/llm/groq", "deepseek-r1-distill-llama-70b", false, false, false, Rooted),
            ("https://openrouter.ai/api/v1", "deepseek/deepseek-v4-pro", false, false, false, Rooted),
            ("https://api.deepseek.com.evil.example/v1", "m", false, false, false, Rooted),
            ("https://notdeepseek.com/v1", "m", false, false, false, Rooted),
            ("https://api.mistral.ai/v1", "anything", false, true, true, Rooted),
            ("https://api.together.xyz/v1", "mistralai/Ministral-8B", false, true, true, Rooted),
            ("api/llm/far", "devstral-medium", false, true, true, Rooted),
            ("http://127.0.0.1:8081/v1", "model.gguf", false, true, true, Grammar),
            ("http://localhost:11434/v1", "qwen3", false, true, true, Grammar),
            (
                "https://generativelanguage.googleapis.com/v1beta/openai",
                "models/gemini-3-pro",
                false,
                false,
                false,
                OpenApi,
            ),
            ("https://openrouter.ai/api/v1", "google/gemini-2.5-flash", false, false, false, OpenApi),
        ];
        for (url, model, thoughts, short_ids, answers_results, schemas) in rows {
            let expected = Dialect { thoughts, short_ids, answers_results, schemas };
            assert_eq!(Dialect::of(url, model), expected, "{url} {model}");
        }
    }
}

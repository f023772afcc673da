//! Servers that speak OpenAI's chat completions, by name: where they are and how one gets in.

/// A server a person may want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its value in the menu.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Everything before `/chat/completions`.
    pub url: &'static str,
    /// The page where a person gets a key; none where no key is needed.
    pub keys_at: Option<&'static str>,
    /// How a server on this machine is started, as one command.
    pub start: Option<&'static str>,
}

/// All of them: first what runs on this machine, then providers by name.
pub const PRESETS: [Preset; 9] = [
    here("ollama", "Ollama", "http://127.0.0.1:11434/v1", "ollama serve"),
    // Its own default is 8080, which is ours as well.
    here(
        "llama-cpp",
        "llama.cpp",
        "http://127.0.0.1:8081/v1",
        "llama-server --port 8081 --jinja -m model.gguf",
    ),
    here("lm-studio", "LM Studio", "http://127.0.0.1:1234/v1", "lms server start --cors"),
    provider("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "https://platform.deepseek.com/api_keys"),
    provider("groq", "Groq", "https://api.groq.com/openai/v1", "https://console.groq.com/keys"),
    provider("mistral", "Mistral", "https://api.mistral.ai/v1", "https://console.mistral.ai/api-keys"),
    provider("openai", "OpenAI", "https://api.openai.com/v1", "https://platform.openai.com/api-keys"),
    provider(
        "openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "https://openrouter.ai/settings/keys",
    ),
    provider(
        "together",
        "Together AI",
        "https://api.together.xyz/v1",
        "https://api.together.ai/settings/api-keys",
    ),
];

impl Preset {
    /// The one at this address; `localhost` is this machine by another name.
    #[must_use]
    pub fn at(url: &str) -> Option<&'static Self> {
        let url = url.trim_end_matches('/').replacen("//localhost", "//127.0.0.1", 1);
        PRESETS.iter().find(|preset| preset.url == url)
    }

    /// The one of this menu value.
    #[must_use]
    pub fn of(id: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.id == id)
    }
}

const fn here(id: &'static str, name: &'static str, url: &'static str, start: &'static str) -> Preset {
    Preset { id, name, url, keys_at: None, start: Some(start) }
}

const fn provider(id: &'static str, name: &'static str, url: &'static str, keys_at: &'static str) -> Preset {
    Preset { id, name, url, keys_at: Some(keys_at), start: None }
}

#[cfg(test)]
mod tests {
    use super::{PRESETS, Preset};
    use llm::is_local;

    #[test]
    fn an_address_finds_its_preset_and_no_other() {
        for preset in &PRESETS {
            assert_eq!(Preset::at(preset.url), Some(preset));
            assert_eq!(Preset::of(preset.id), Some(preset));
            assert_eq!(is_local(preset.url), preset.start.is_some(), "{}", preset.name);
            assert_eq!(preset.keys_at.is_some(), preset.start.is_none(), "{}", preset.name);
            assert!(preset.url.starts_with("https://") || is_local(preset.url), "{}", preset.name);
        }
        assert_eq!(Preset::at("http://localhost:11434/v1/").map(|preset| preset.id), Some("ollama"));
        for other in ["", "http://127.0.0.1:11434", "https://api.openai.com.evil.example/v1"] {
            assert_eq!(Preset::at(other), None, "{other}");
        }
    }
}

//! What a person chose: the model, their own endpoint, the theme. Kept on this device only. The key of
//! their endpoint is no part of it: see [`crate::keys`].

mod app_section;
mod connection;
mod dialog;
mod key_field;
mod lock_field;
mod model_section;
mod unlock;

use agent::ContextPolicy;
use llm::Wire;
use serde::{Deserialize, Serialize};

use crate::keys::{self, Keyring};
pub use dialog::{SettingsDialog, keep};
pub use unlock::UnlockDialog;

/// Where they are kept.
const KEY: &str = "satchel.settings";

/// All choices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Which model answers.
    pub model: Choice,
    /// The person's own endpoint.
    pub own: Own,
    /// Light, dark, or as the system has it.
    pub theme: Theme,
    /// Older messages are never folded away.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never_fold: bool,
}

/// Which model answers. Written as the value of the menu: `builtin`, `gateway:pocket/pocket`,
/// `gateway+anthropic:claude/claude-haiku-4-5`, `own`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Choice {
    /// The one in the page.
    #[default]
    BuiltIn,
    /// One behind the gateway.
    Gateway {
        /// The upstream.
        upstream: String,
        /// The model's name there.
        model: String,
        /// The API that the upstream speaks.
        wire: Wire,
    },
    /// The person's own endpoint.
    Own,
}

impl Choice {
    /// The model's name as its endpoint knows it.
    #[must_use]
    pub fn name(&self, own: &Own) -> String {
        match self {
            Self::BuiltIn => "pocket".to_owned(),
            Self::Gateway { model, .. } => model.clone(),
            Self::Own => own.model.clone(),
        }
    }
}

impl From<String> for Choice {
    /// An unknown value is the built-in model, which is always there.
    fn from(value: String) -> Self {
        if value == "own" {
            return Self::Own;
        }
        let gateway = || {
            let (way, rest) = value.strip_prefix("gateway")?.split_once(':')?;
            let wire = if way.is_empty() { Wire::OpenAiChat } else { Wire::named(way.strip_prefix('+')?)? };
            let (upstream, model) = rest.split_once('/')?;
            let is_whole = !upstream.is_empty() && !model.is_empty();
            is_whole.then(|| Self::Gateway { upstream: upstream.to_owned(), model: model.to_owned(), wire })
        };
        gateway().unwrap_or(Self::BuiltIn)
    }
}

impl From<Choice> for String {
    fn from(choice: Choice) -> Self {
        match choice {
            Choice::BuiltIn => "builtin".to_owned(),
            Choice::Gateway { upstream, model, wire: Wire::OpenAiChat } => {
                format!("gateway:{upstream}/{model}")
            }
            Choice::Gateway { upstream, model, wire } => {
                format!("gateway+{}:{upstream}/{model}", wire.name())
            }
            Choice::Own => "own".to_owned(),
        }
    }
}

/// An endpoint of the person's own that speaks OpenAI's chat completions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Own {
    /// Everything before `/chat/completions`.
    pub url: String,
    /// The model's name there.
    pub model: String,
    /// How much the model takes at once, in tokens; none where the person did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
}

/// A part of the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Who answers.
    Model,
    /// How the to-dos are kept, and how they leave and come back.
    Data,
    /// Other programs.
    Programs,
    /// The theme, and what leaves the device.
    App,
}

impl Section {
    /// All of them, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Model, Self::Data, Self::Programs, Self::App];

    /// Its word in a test id.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Data => "data",
            Self::Programs => "programs",
            Self::App => "app",
        }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The word in `data-theme`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl Settings {
    /// What is kept on this device; the defaults where nothing is, or nothing readable.
    #[must_use]
    pub fn load() -> Self {
        storage()
            .and_then(|storage| storage.get_item(KEY).ok().flatten())
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    /// The same, with the built-in model in place of one that cannot be reached without a network.
    #[must_use]
    pub fn as_reachable(&self, online: bool, page_is_local: bool) -> Self {
        let reachable = online
            || match &self.model {
                Choice::BuiltIn => true,
                Choice::Gateway { .. } => page_is_local,
                Choice::Own => llm::is_local(&self.own.url),
            };
        if reachable { self.clone() } else { Self { model: Choice::BuiltIn, ..self.clone() } }
    }

    /// How a conversation is kept within the chosen model's window. The built-in one has none.
    #[must_use]
    pub fn context(&self) -> ContextPolicy {
        let window_tokens = match &self.model {
            Choice::BuiltIn => None,
            Choice::Gateway { .. } => Some(llm::PROVIDER_WINDOW),
            Choice::Own => Some(self.own.window.unwrap_or_else(|| llm::assumed_window(&self.own.url))),
        };
        ContextPolicy { window_tokens, never: self.never_fold, ..ContextPolicy::default() }
    }

    /// Keeps them. Where the browser allows no storage, they last as long as the page.
    pub fn save(&self) {
        if let (Some(storage), Ok(text)) = (storage(), serde_json::to_string(self)) {
            let _ = storage.set_item(KEY, &text);
        }
    }

    /// Puts the theme on the page.
    pub fn apply_theme(&self) {
        let Some(root) = web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.document_element())
        else {
            return;
        };
        let _ = match self.theme {
            Theme::System => root.remove_attribute("data-theme"),
            Theme::Light | Theme::Dark => root.set_attribute("data-theme", self.theme.word()),
        };
    }
}

/// Earlier versions kept the key among the settings, as it is. It moves behind encryption, and goes from
/// here as soon as it is there; where it cannot be kept now, the next start tries again.
pub async fn move_plain_key(keyring: Keyring) {
    let text = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    let Some((url, key)) = text.as_deref().and_then(plain_key) else { return };
    let moved = match keys::origin_of(&url) {
        Some(origin) => keyring.put(&origin, llm::Secret::new(key)).await.is_ok(),
        // Without an address it was never of use.
        None => true,
    };
    if moved {
        Settings::load().save();
    }
}

/// The address and the key in settings as an earlier version wrote them.
fn plain_key(text: &str) -> Option<(String, String)> {
    let settings: serde_json::Value = serde_json::from_str(text).ok()?;
    let field = |name: &str| settings.pointer(name).and_then(serde_json::Value::as_str);
    let key = field("/own/key").filter(|key| !key.is_empty())?;
    Some((field("/own/url").unwrap_or_default().to_owned(), key.to_owned()))
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

#[cfg(test)]
mod tests {
    use llm::Wire;

    use super::{Choice, Own, Settings, Theme, plain_key};

    #[test]
    fn a_choice_is_the_menu_value_and_back() {
        let gateway = |upstream: &str, model: &str, wire| Choice::Gateway {
            upstream: upstream.into(),
            model: model.into(),
            wire,
        };
        let rows = [
            ("builtin", Choice::BuiltIn),
            ("own", Choice::Own),
            ("gateway:pocket/pocket", gateway("pocket", "pocket", Wire::OpenAiChat)),
            // A model's own name may hold slashes.
            ("gateway:openrouter/meta/llama-4", gateway("openrouter", "meta/llama-4", Wire::OpenAiChat)),
            ("gateway+anthropic:claude/haiku", gateway("claude", "haiku", Wire::AnthropicMessages)),
            ("gateway+openai-responses:openai/gpt-5", gateway("openai", "gpt-5", Wire::OpenAiResponses)),
        ];
        for (value, choice) in rows {
            assert_eq!(Choice::from(value.to_owned()), choice);
            assert_eq!(String::from(choice), value);
        }
        for unknown in [
            "",
            "gateway:",
            "gateway:/",
            "gateway:x",
            "gateway:x/",
            "gateway+smoke:x/y",
            "gateway+:x/y",
            "gatewayx:x/y",
            "what",
        ] {
            assert_eq!(Choice::from(unknown.to_owned()), Choice::BuiltIn, "{unknown}");
        }
    }

    #[test]
    fn without_a_network_only_what_is_on_the_device_is_asked() {
        let own = |url: &str| Settings {
            model: Choice::Own,
            own: Own { url: url.into(), ..Own::default() },
            ..Settings::default()
        };
        let rows = [
            ("http://127.0.0.1:11434/v1", true),
            ("http://localhost/v1", true),
            ("http://[::1]:8000/v1", true),
            ("https://api.openai.com/v1", false),
            ("https://localhost.evil.example/v1", false),
            ("https://127.0.0.1@evil.example/v1", false),
            ("", false),
        ];
        for (url, stays) in rows {
            let expected = if stays { Choice::Own } else { Choice::BuiltIn };
            assert_eq!(own(url).as_reachable(false, true).model, expected, "{url}");
            assert_eq!(own(url).as_reachable(true, false).model, Choice::Own, "{url}");
        }
        let gateway = Settings { model: Choice::from("gateway:a/b".to_owned()), ..Settings::default() };
        assert_eq!(gateway.as_reachable(false, true).model, gateway.model);
        assert_eq!(gateway.as_reachable(false, false).model, Choice::BuiltIn);
    }

    #[test]
    fn a_models_window_is_what_the_person_said_or_a_careful_guess() {
        let own = |url: &str, window| Settings {
            model: Choice::Own,
            own: Own { url: url.into(), window, ..Own::default() },
            ..Settings::default()
        };
        let rows = [
            (Settings::default(), None),
            (
                Settings { model: Choice::from("gateway:a/b".to_owned()), ..Settings::default() },
                Some(128_000),
            ),
            (own("https://api.openai.com/v1", None), Some(128_000)),
            (own("http://127.0.0.1:11434/v1", None), Some(16_000)),
            (own("http://127.0.0.1:11434/v1", Some(4_096)), Some(4_096)),
        ];
        for (settings, window) in rows {
            assert_eq!(settings.context().window_tokens, window, "{settings:?}");
        }
        assert!(Settings { never_fold: true, ..Settings::default() }.context().never);
    }

    #[test]
    fn settings_survive_and_old_or_odd_ones_are_read() {
        let settings = Settings {
            model: Choice::Own,
            own: Own { url: "http://127.0.0.1:11434/v1".into(), model: "m".into(), window: Some(8_000) },
            theme: Theme::Dark,
            never_fold: true,
        };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        assert_eq!(serde_json::from_str::<Settings>("{\"more\": 1}").unwrap(), Settings::default());
        // An earlier version's key is found, and not written again.
        let old =
            r#"{"model":"own","own":{"url":"http://a.example/v1","key":"sk-1","model":"m"},"theme":"dark"}"#;
        assert_eq!(plain_key(old), Some(("http://a.example/v1".to_owned(), "sk-1".to_owned())));
        let read: Settings = serde_json::from_str(old).unwrap();
        assert_eq!((read.own.model.as_str(), read.theme), ("m", Theme::Dark));
        assert!(!serde_json::to_string(&read).unwrap().contains("sk-1"));
        assert_eq!(plain_key(&text), None);
    }
}

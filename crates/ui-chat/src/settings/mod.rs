//! What a person chose: the model, their own endpoint, the theme. Kept on this device only. The key of
//! their endpoint is no part of it: see [`crate::keys`].

mod hiding;
mod section;
mod spending;
mod stored;
pub mod words;

use std::collections::BTreeMap;

use agent::{AgentConfig, ContextPolicy, EvidencePolicy, MemoryPolicy, OwnTools, Planning};
use leptos::prelude::{RwSignal, expect_context};
use llm::{AnswerFormat, ToolUse, Wire};
use serde::{Deserialize, Serialize};

pub use hiding::Hiding;
pub use section::Section;
pub use spending::{Player, PriceKnown, Roles, Spending};
pub use stored::{keep, move_plain_key};

/// The window of the browser's own model, in tokens.
pub const BROWSER_WINDOW: u64 = 8_000;

/// The part of a model's window that one result may take, as its divisor (D-03).
const WHOLE_SHARE: u64 = 32;

fn marks() -> EvidencePolicy {
    EvidencePolicy::Mark
}

/// All choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Which model answers.
    pub model: Choice,
    /// The person's own endpoint.
    pub own: Own,
    /// Light, dark, or as the system has it.
    pub theme: Theme,
    /// Whether a model plans before it acts.
    pub planning: Planning,
    /// What is done about what an answer says and no result supports.
    #[serde(default = "marks")]
    pub evidence: EvidencePolicy,
    /// Older messages are never compacted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never_fold: bool,
    /// Nothing of what the person asked to be remembered is told to a model, and none keeps anything (S0-63).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_memory: bool,
    /// How models are given their tools, where that is not as always; by [`Habit::key`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub habits: BTreeMap<String, Habit>,
    /// Who answers simple messages.
    #[serde(default)]
    pub roles: Roles,
    /// What may be spent and asked.
    #[serde(default)]
    pub spending: Spending,
    /// Whether personal details are hidden from a model that is not on this device.
    pub hiding: Hiding,
    /// Pictures, and what is spoken.
    pub senses: MediaInput,
}

/// What of the browser's own facilities is used beside the keyboard and the screen (D-22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MediaInput {
    /// No pictures are taken into a message.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_pictures: bool,
    /// What is said into the microphone becomes text.
    pub dictation: bool,
    /// Answers are read aloud.
    pub reading: Reading,
}

/// Which answers are read aloud.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// None.
    #[default]
    Off,
    /// Those whose button is pressed.
    Asked,
    /// Each new one.
    Always,
}

/// How a model is given its tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Habit {
    /// What the person chose.
    pub tools: ToolUse,
    /// The format that worked when it was asked for JSON; where the person left it open, it is asked so again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<AnswerFormat>,
    /// When that was found out, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_ms: Option<i64>,
    /// How much it takes at once by what its server says, in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
}

/// How long it is believed that a model takes no tools, in milliseconds: a week. A refusal may have been misread, and servers
/// learn.
const FORMAT_HOLDS_MS: i64 = 7 * 24 * 60 * 60 * 1_000;

impl Habit {
    /// The name under which a model's habit is kept.
    #[must_use]
    pub fn key(base_url: &str, model: &str) -> String {
        format!("{base_url} {model}")
    }

    /// The format, while that is believed. What was found out at no known time was by an older version, which took a complaint
    /// about one tool for one about all.
    #[must_use]
    pub fn format_at(&self, now_ms: i64) -> Option<AnswerFormat> {
        self.format.filter(|_| self.found_ms.is_some_and(|found_ms| now_ms - found_ms < FORMAT_HOLDS_MS))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            model: Choice::default(),
            own: Own::default(),
            theme: Theme::default(),
            planning: Planning::default(),
            evidence: marks(),
            never_fold: false,
            no_memory: false,
            habits: BTreeMap::new(),
            roles: Roles::default(),
            spending: Spending::default(),
            hiding: Hiding::Off,
            senses: MediaInput::default(),
        }
    }
}

/// The built-in model's name, also behind a gateway.
pub const BUILT_IN: &str = "pocket";

/// Which model answers. Written as the value of the menu: `builtin`, `browser`, `gateway:pocket/pocket`,
/// `gateway+anthropic:claude/claude-haiku-4-5`, `own`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Choice {
    /// The one in the page.
    #[default]
    BuiltIn,
    /// The browser's own, by the Prompt API.
    Browser,
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
    /// Whether the model may know what to do with a picture. The built-in one and the browser's get text alone.
    #[must_use]
    pub fn takes_pictures(&self) -> bool {
        match self {
            Self::BuiltIn | Self::Browser => false,
            Self::Gateway { upstream, .. } => upstream != "pocket",
            Self::Own => true,
        }
    }

    /// The model's name as its endpoint knows it.
    #[must_use]
    pub fn name(&self, own: &Own) -> String {
        match self {
            Self::BuiltIn => BUILT_IN.to_owned(),
            Self::Browser => "browser".to_owned(),
            Self::Gateway { model, .. } => model.clone(),
            Self::Own => own.model.clone(),
        }
    }

    /// Everything before the path of its API; relative to the page where the gateway is asked. None for a model in the
    /// page.
    #[must_use]
    pub fn base_url(&self, own: &Own) -> Option<String> {
        match self {
            Self::BuiltIn | Self::Browser => None,
            Self::Gateway { upstream, .. } => Some(format!("api/llm/{upstream}")),
            Self::Own => Some(own.url.clone()),
        }
    }
}

impl From<String> for Choice {
    /// An unknown value is the built-in model, which is always there.
    fn from(value: String) -> Self {
        if value == "own" {
            return Self::Own;
        }
        if value == "browser" {
            return Self::Browser;
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
            Choice::Browser => "browser".to_owned(),
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
    /// Those of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides them.
    #[must_use]
    pub fn signal() -> RwSignal<Self> {
        expect_context()
    }

    /// The same, with the built-in model in place of one that cannot be reached without a network.
    #[must_use]
    pub fn as_reachable(&self, online: bool, page_is_local: bool) -> Self {
        let reachable = online
            || match &self.model {
                Choice::BuiltIn | Choice::Browser => true,
                Choice::Gateway { .. } => page_is_local,
                Choice::Own => llm::is_local(&self.own.url),
            };
        if reachable { self.clone() } else { Self { model: Choice::BuiltIn, ..self.clone() } }
    }

    /// Whether the chosen model is not on this device, as far as its address says.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        match &self.model {
            Choice::BuiltIn | Choice::Browser => false,
            // The gateway has the built-in one too, under this name.
            Choice::Gateway { upstream, .. } => upstream != "pocket",
            Choice::Own => !llm::is_local(&self.own.url),
        }
    }

    /// How a conversation is kept within the chosen model's window. The built-in one has none.
    #[must_use]
    pub fn context(&self) -> ContextPolicy {
        let window_tokens = match &self.model {
            Choice::BuiltIn => None,
            Choice::Browser => Some(BROWSER_WINDOW),
            Choice::Gateway { .. } => Some(self.habit().window.unwrap_or(llm::PROVIDER_WINDOW)),
            Choice::Own => {
                let said = self.own.window.or_else(|| self.habit().window);
                Some(said.unwrap_or_else(|| llm::assumed_window(&self.own.url)))
            }
        };
        ContextPolicy { window_tokens, never: self.never_fold, ..ContextPolicy::default() }
    }

    /// How a conversation's runs are done by the chosen model.
    pub fn tune(&self, config: &mut AgentConfig) {
        config.context = self.context();
        config.own_tools = OwnTools { questions: true, planning: self.planning };
        let is_built_in = self.model == Choice::BuiltIn;
        // It repeats what the tools say and nothing else, and reads results of any length.
        config.evidence = if is_built_in { EvidencePolicy::Off } else { self.evidence };
        config.memory.whole_tokens = match config.context.window_tokens {
            None => u64::MAX,
            // A large window has room for more than the least.
            Some(window) => MemoryPolicy::default().whole_tokens.max(window / WHOLE_SHARE),
        };
    }

    /// The name under which the chosen model's habit is kept; none where there is nothing to choose.
    #[must_use]
    pub fn habit_key(&self) -> Option<String> {
        let base_url = self.model.base_url(&self.own)?;
        Some(Habit::key(&base_url, &self.model.name(&self.own)))
    }

    /// How the chosen model is given its tools.
    #[must_use]
    pub fn habit(&self) -> Habit {
        self.habit_key().and_then(|key| self.habits.get(&key).copied()).unwrap_or_default()
    }

    /// Puts the theme on the page.
    pub fn apply_theme(&self) {
        let Some(root) = web::page::document().and_then(|document| document.document_element()) else {
            return;
        };
        let _ = match self.theme {
            Theme::System => root.remove_attribute("data-theme"),
            Theme::Light | Theme::Dark => root.set_attribute("data-theme", self.theme.word()),
        };
    }
}

/// The settings as they can be followed right now.
#[must_use]
pub fn reachable(settings: &Settings, online: bool) -> Settings {
    let host = web_sys::window().and_then(|window| window.location().host().ok()).unwrap_or_default();
    settings.as_reachable(online, llm::is_local(&host))
}

#[cfg(test)]
mod tests {
    use agent::{AgentConfig, EvidencePolicy, Planning};
    use llm::{AnswerFormat, ToolUse, Wire};

    use super::stored::plain_key;
    use super::{Choice, Habit, Hiding, MediaInput, Own, Player, Reading, Roles, Settings, Spending, Theme};

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
            ("browser", Choice::Browser),
            ("gateway:pocket/pocket", gateway("pocket", "pocket", Wire::OpenAiChat)),
            // A model's own name may hold slashes.
            ("gateway:openrouter/meta/llama-4", gateway("openrouter", "meta/llama-4", Wire::OpenAiChat)),
            // And a colon, where it searches the web itself (S4-04).
            (
                "gateway:openrouter/anthropic/claude-3.5-sonnet:online",
                gateway("openrouter", "anthropic/claude-3.5-sonnet:online", Wire::OpenAiChat),
            ),
            ("gateway+anthropic:claude/haiku", gateway("claude", "haiku", Wire::AnthropicMessages)),
            ("gateway+openai-responses:openai/gpt-5", gateway("openai", "gpt-5", Wire::OpenAiResponses)),
        ];
        for (value, choice) in rows {
            assert_eq!(Choice::from(value.to_owned()), choice);
            assert_eq!(String::from(choice), value);
        }
        for unknown in [
            "", "gateway:", "gateway:/", "gateway:x", "gateway:x/", "gateway+smoke:x/y", "gateway+:x/y",
            "gatewayx:x/y", "what",
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
            ("https://127.0.0.1.evil.example/v1", false),
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
            (own("http://127.0.0.1:1234/v1", None), Some(16_000)),
            (own("http://127.0.0.1:11434/v1", None), Some(4_096)),
            (own("http://127.0.0.1:11434/v1", Some(8_192)), Some(8_192)),
        ];
        for (settings, window) in rows {
            assert_eq!(settings.context().window_tokens, window, "{settings:?}");
        }
        assert!(Settings { never_fold: true, ..Settings::default() }.context().never);
        let tuned = |settings: &Settings| {
            let mut config = AgentConfig::new("");
            settings.tune(&mut config);
            (config.memory.whole_tokens, config.evidence)
        };
        assert_eq!(tuned(&Settings::default()), (u64::MAX, EvidencePolicy::Off));
        assert_eq!(tuned(&own("https://api.openai.com/v1", None)), (4_000, EvidencePolicy::Mark));
        assert_eq!(tuned(&own("http://127.0.0.1:11434/v1", Some(4_096))), (400, EvidencePolicy::Mark));
    }

    #[test]
    fn what_is_hidden_is_hidden_from_models_elsewhere() {
        let with = |model: &str, url: &str| Settings {
            model: model.to_owned().into(),
            own: Own { url: url.into(), ..Own::default() },
            ..Settings::default()
        };
        for (model, url, expected) in [
            ("builtin", "https://api.example/v1", false),
            ("browser", "https://api.example/v1", false),
            ("gateway:pocket/pocket", "", false),
            ("gateway:openai/gpt-5", "", true),
            ("own", "https://api.example/v1", true),
            ("own", "http://127.0.0.1:11434/v1", false),
        ] {
            assert_eq!(with(model, url).is_elsewhere(), expected, "{model} {url}");
        }
    }

    #[test]
    fn that_a_model_takes_no_tools_is_believed_for_a_week() {
        let kept = |text: &str| serde_json::from_str::<Habit>(text).unwrap();
        const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
        let habit = kept(r#"{"tools":"automatic","format":"json_schema","found_ms":1000}"#);
        assert_eq!(habit.format_at(1000 + 6 * DAY_MS), Some(AnswerFormat::JsonSchema));
        assert_eq!(habit.format_at(1000 + 7 * DAY_MS), None);
        // An older version did not say when, and took a complaint about one tool for one about all.
        let older = kept(r#"{"tools":"automatic","format":"json_schema"}"#);
        assert_eq!(older.format_at(1000), None);
    }

    #[test]
    fn what_an_ollama_says_of_its_window_is_taken_until_the_person_says_another() {
        let own = Own { url: "http://127.0.0.1:11434/v1".into(), model: "m".into(), window: None };
        let mut settings = Settings { model: Choice::Own, own, ..Settings::default() };
        assert_eq!(settings.context().window_tokens, Some(4_096));
        let key = settings.habit_key().unwrap();
        settings.habits.insert(key, Habit { window: Some(32_768), ..Habit::default() });
        assert_eq!(settings.context().window_tokens, Some(32_768));
        settings.own.window = Some(8_000);
        assert_eq!(settings.context().window_tokens, Some(8_000));
        // What a gateway says of a model of its own, too.
        let mut settings =
            Settings { model: Choice::from("gateway:ollama/qwen3".to_owned()), ..Settings::default() };
        let key = settings.habit_key().unwrap();
        settings.habits.insert(key, Habit { window: Some(8_192), ..Habit::default() });
        assert_eq!(settings.context().window_tokens, Some(8_192));
    }

    #[test]
    fn settings_survive_and_old_or_odd_ones_are_read() {
        let settings = Settings {
            model: Choice::Own,
            own: Own { url: "http://127.0.0.1:11434/v1".into(), model: "m".into(), window: Some(8_000) },
            theme: Theme::Dark,
            planning: Planning::First,
            evidence: EvidencePolicy::Repair,
            never_fold: true,
            no_memory: true,
            habits: [(
                Habit::key("http://127.0.0.1:11434/v1", "m"),
                Habit { tools: ToolUse::Json, format: Some(AnswerFormat::JsonObject), ..Habit::default() },
            )]
            .into(),
            senses: MediaInput { no_pictures: true, dictation: true, reading: Reading::Always },
            roles: Roles { small: Some(Player::from("own:s".to_owned())), cheap: None },
            spending: Spending { month_limit: Some(5_000_000), ..Spending::default() },
            hiding: Hiding::Ask,
        };
        assert_eq!(settings.habit().tools, ToolUse::Json);
        let other = Settings { own: Own { model: "n".into(), ..settings.own.clone() }, ..settings.clone() };
        assert_eq!(other.habit(), Habit::default());
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

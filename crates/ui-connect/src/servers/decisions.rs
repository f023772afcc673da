//! What the person decided about servers elsewhere, as it is kept on this device. No token is among it: see
//! [`crate::keys`].

use std::collections::BTreeMap;

use mcp::ToolDef;
use remote::ToolPin;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use web::storage;

/// Where it is kept.
pub const KEY: &str = "satchel.servers";

/// How a server is let know who asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Credential {
    /// Not at all.
    #[default]
    None,
    /// By a token that the person has from there.
    Token,
    /// By a sign-in there.
    SignIn,
}

/// One server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredServer {
    /// Its address, which is also what it is known by.
    pub url: String,
    /// What it calls itself, or its host.
    pub name: String,
    /// What its tools' names begin with.
    pub prefix: String,
    /// Whether its tools are used at all.
    pub on: bool,
    /// How it is let know who asks.
    #[serde(default)]
    pub pass: Credential,
    /// What the person decided about its tools, by the server's own name for them.
    #[serde(default)]
    pub tools: BTreeMap<String, Decision>,
    /// Searches of the app that a tool of it answers (S4-10), by their names: `super::mapping::SearchMapping`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub searches: BTreeMap<String, Value>,
}

/// What the person decided about a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// It may be used.
    pub on: bool,
    /// What it was when that was decided.
    pub seen: ToolPin,
}

/// How a tool stands, as it is now, to what was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has looked at it.
    New,
    /// It is used.
    On,
    /// It is not used.
    Off,
    /// It was used, and is not what it was.
    Changed,
}

impl Standing {
    /// The word in `data-standing`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::On => "on",
            Self::Off => "off",
            Self::Changed => "changed",
        }
    }
}

impl StoredServer {
    /// How a tool of this server stands.
    #[must_use]
    pub fn standing(&self, tool: &ToolDef) -> Standing {
        match self.tools.get(&tool.name) {
            None => Standing::New,
            Some(Decision { on: false, .. }) => Standing::Off,
            Some(Decision { seen, .. }) if *seen == ToolPin::of(tool) => Standing::On,
            Some(_) => Standing::Changed,
        }
    }

    /// The name a model calls a tool of this server by.
    #[must_use]
    pub fn name_of(&self, tool: &str) -> String {
        remote::names::joined(&self.prefix, tool)
    }
}

/// Whether tools are now what they were when a person was shown them.
#[must_use]
pub fn are_as_shown(shown: &[ToolDef], now: &[ToolDef]) -> bool {
    shown.iter().all(|tool| {
        let now = now.iter().find(|now| now.name == tool.name);
        now.is_some_and(|now| ToolPin::of(now) == ToolPin::of(tool))
    })
}

/// What is kept on this device; nothing where nothing readable is.
#[must_use]
pub fn load() -> Vec<StoredServer> {
    read().unwrap_or_default()
}

/// The same; none where it cannot be read: that is not to have kept nothing.
#[must_use]
pub fn read() -> Option<Vec<StoredServer>> {
    match storage::local().look(KEY)? {
        Some(text) => serde_json::from_str(&text).ok(),
        None => Some(Vec::new()),
    }
}

/// Keeps it. Where the browser allows no storage it lasts as long as the page. False where it does and there was no room: the
/// next page takes the token of a server that is not on the list for left behind.
#[must_use]
pub fn save(all: &[StoredServer]) -> bool {
    let storage = storage::local();
    !storage.is_there() || storage.write(KEY, &all)
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use mcp::ToolDef;
    use remote::ToolPin;
    use serde_json::json;

    use super::{Credential, Decision, Standing, StoredServer, are_as_shown};

    fn tool(description: &str) -> ToolDef {
        let tool = json!({"name": "send", "description": description, "inputSchema": {"type": "object"}});
        serde_json::from_value(tool).unwrap()
    }

    #[test]
    fn what_was_shown_is_what_is_decided_about() {
        let (shown, now) = (tool("Sends."), tool("Sends everything."));
        assert!(are_as_shown(from_ref(&shown), from_ref(&shown)));
        assert!(are_as_shown(&[], from_ref(&now)), "what came since is not decided about");
        assert!(!are_as_shown(from_ref(&shown), &[now]));
        assert!(!are_as_shown(&[shown], &[]), "it is gone");
    }

    #[test]
    fn a_tool_is_used_only_as_it_was_looked_at() {
        let mut kept = StoredServer {
            url: "https://a.example/mcp".into(),
            name: "A".into(),
            prefix: "a".into(),
            on: true,
            pass: Credential::None,
            tools: Default::default(),
            searches: Default::default(),
        };
        assert_eq!(kept.standing(&tool("Sends.")), Standing::New);
        kept.tools.insert("send".into(), Decision { on: true, seen: ToolPin::of(&tool("Sends.")) });
        assert_eq!(kept.standing(&tool("Sends.")), Standing::On);
        assert_eq!(kept.standing(&tool("Sends everything.")), Standing::Changed);
        kept.tools.insert("send".into(), Decision { on: false, seen: ToolPin::of(&tool("Sends.")) });
        assert_eq!(kept.standing(&tool("Sends everything.")), Standing::Off);
        // It survives, and what an older build wrote is read.
        let text = serde_json::to_string(&kept).unwrap();
        assert_eq!(serde_json::from_str::<StoredServer>(&text).unwrap(), kept);
        let old = r#"{"url":"https://a.example/mcp","name":"A","prefix":"a","on":true}"#;
        assert!(serde_json::from_str::<StoredServer>(old).unwrap().tools.is_empty());
    }
}

//! Whether what is personal is hidden from a model that is elsewhere.

use serde::{Deserialize, Serialize};

/// Whether mail addresses, phone, card and account numbers are hidden from a model that is elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hiding {
    /// They are sent.
    #[default]
    Off,
    /// The person is asked about each.
    Ask,
    /// They are hidden.
    Always,
}

impl Hiding {
    /// All of them, in the order of the choice.
    pub const ALL: [Self; 3] = [Self::Off, Self::Ask, Self::Always];

    /// Its word in a form and a test id.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Ask => "ask",
            Self::Always => "always",
        }
    }
}

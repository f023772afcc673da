//! Which kind of model a message is for, and why (D-13, S0-57).

use serde::{Deserialize, Serialize};

/// What a model is used for. Which model that is, is configuration; no name of a model is here (D-13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// One short thing to look up, list, count or take out of what is there.
    Small,
    /// Everything else.
    #[default]
    Main,
    /// Text that is there, made shorter or put into other words.
    Cheap,
}

impl Role {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Main, Self::Small, Self::Cheap];

    /// Its name, as settings and saved conversations have it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Main => "main",
            Self::Cheap => "cheap",
        }
    }
}

/// Where a message was sent, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Routed {
    /// What kind of model it is for.
    pub role: Role,
    /// Why.
    pub why: Why,
}

/// Why a message is for one kind of model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It asks for one thing that can be looked up.
    Lookup,
    /// It asks for a text to be made shorter or put into other words.
    Rewording,
    /// It asks for more than one thing.
    SeveralParts,
    /// It wants something changed, made or thought about, or the words say nothing of what it wants.
    Anything,
}

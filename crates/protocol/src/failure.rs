//! What can go wrong between us and a model or a tool, by who can act on it (D-15).

use serde::{Deserialize, Serialize};

/// A failure as plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The class, which decides what happens next.
    pub kind: FailureKind,
    /// One sentence for a person: what happened and what to do. Never holds a key.
    pub message: String,
    /// How long the other side asked us to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// The HTTP status, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// A limit that the person set themselves stopped it, on money or on how much is asked, and nothing was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_own_limit: bool,
}

/// The classes of failure (D-15; S1-31 and S4-33 name most of them).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The network or the server broke; the same request may work in a moment.
    RetryableNetwork,
    /// Too many requests; works again after a while.
    RateLimited,
    /// The request itself is wrong (4xx); trying again changes nothing.
    Validation,
    /// A tool that does not exist was asked for.
    ToolNotFound,
    /// The key is missing, wrong or not allowed to.
    PermissionDenied,
    /// The provider is busy; works again after a while.
    Overloaded,
    /// The conversation no longer fits the model's window.
    ContextLimit,
    /// Quota or spend is used up; waiting does not help.
    CostLimit,
    /// The person stopped it.
    Cancelled,
}

impl Failure {
    /// A failure of a class with its sentence, and nothing else known.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after_ms: None, status: None, is_own_limit: false }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

//! The revisions served, and what each of them can carry.

/// The stateless revision.
pub const MODERN_VERSION: &str = "2026-07-28";

/// The revisions with a handshake, newest first.
pub const LEGACY_VERSIONS: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// One revision with a handshake. Ordered by age, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Legacy {
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
}

impl Legacy {
    /// What `initialize` answers when it was asked for something else.
    pub(crate) const NEWEST: Self = Self::V2025_11_25;

    /// What a request without a version header speaks (2025-11-25, basic/transports).
    pub(crate) const ASSUMED: Self = Self::V2025_03_26;

    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "2025-11-25" => Some(Self::V2025_11_25),
            "2025-06-18" => Some(Self::V2025_06_18),
            "2025-03-26" => Some(Self::V2025_03_26),
            _ => None,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::V2025_11_25 => "2025-11-25",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_03_26 => "2025-03-26",
        }
    }

    /// Whether several messages may come in one body. Only the oldest revision has it.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    /// Whether `title`, `outputSchema` and `structuredContent` exist.
    pub(crate) fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }
}

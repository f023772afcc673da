//! Tables that are linked with a program, or handed in where it was built in parts: a worker that is started for every call is not to
//! carry tables that few calls need (ADR 0077).

use std::sync::OnceLock;

/// Whether this program's tables are files of their own (`SATCHEL_IN_PARTS`, which the build of an app in parts sets). A constant: what
/// is not used is not linked.
pub const IN_PARTS: bool = option_env!("SATCHEL_IN_PARTS").is_some();

/// The bytes of a table.
#[derive(Debug, Default)]
pub struct Given(OnceLock<Vec<u8>>);

impl Given {
    /// A table that nobody gave yet.
    #[must_use]
    pub const fn nothing() -> Self {
        Self(OnceLock::new())
    }

    /// Hands it in. What was given first stays: others have read it.
    pub fn give(&self, bytes: Vec<u8>) {
        let _was_given = self.0.set(bytes);
    }

    /// What was handed in, and nothing until then; what is linked, in a program that is not built in parts.
    pub fn bytes(&'static self, linked: fn() -> &'static [u8]) -> &'static [u8] {
        if IN_PARTS { self.0.get().map_or(&[], Vec::as_slice) } else { linked() }
    }

    /// The same as text; nothing of what is none.
    pub fn text(&'static self, linked: fn() -> &'static [u8]) -> &'static str {
        std::str::from_utf8(self.bytes(linked)).unwrap_or_default()
    }
}

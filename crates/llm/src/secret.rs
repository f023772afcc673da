//! A key that does not show itself.

/// A key or token. Its `Debug` hides it and it has neither `Display` nor `Serialize`, so it reaches
/// a log, a trace or a saved file only where somebody wrote `expose`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key in; the white space and line ends around a pasted or read one go.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into().trim().to_owned())
    }

    /// The key itself, for the one line that sends it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// True when there is no key in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

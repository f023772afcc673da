//! A field of an update: leave it, clear it, or set it.

use serde::{Deserialize, Deserializer};

/// What an update says about a field that may be empty: nothing, `null`, or a value.
///
/// Its schema is the optional value's (`#[schemars(with = "Option<..>")]` on the field, beside `#[serde(default)]`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Nothing is said: it stays.
    #[default]
    Keep,
    /// It is to be empty.
    Clear,
    /// It is to be this.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether anything is said.
    #[must_use]
    pub fn is_said(&self) -> bool {
        !matches!(self, Self::Keep)
    }

    /// The field after it, where it is an option.
    #[must_use]
    pub fn over(self, was: Option<T>) -> Option<T> {
        match self {
            Self::Keep => was,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

impl Patch<String> {
    /// The field after it, where empty is none.
    #[must_use]
    pub fn over_text(self, was: &str) -> String {
        self.over(Some(was.to_owned())).unwrap_or_default()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::deserialize(deserializer)? {
            None => Self::Clear,
            Some(value) => Self::Set(value),
        })
    }
}

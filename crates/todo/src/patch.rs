//! A field of an update: leave it, clear it, or set it.

use serde::{Deserialize, Deserializer};

/// What an update says about a field that may be empty: nothing, `null`, or a value.
///
/// Its schema is the optional value's (`#[schemars(with = "Option<..>")]` on the field).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Patch<T> {
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::deserialize(deserializer)? {
            None => Self::Clear,
            Some(value) => Self::Set(value),
        })
    }
}

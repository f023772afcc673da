//! Whether a row came in by a file, as JSON says it: for `#[serde(rename = "untrusted", skip_serializing_if = …, with =
//! "domain::from_a_file")]` on a field that is a bool.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serializer};

/// What says in a row that its words came in by a file that somebody else may have written (D-17): `"untrusted": "import"`, which is how
/// a model and its agent know.
pub const FROM_A_FILE: &str = "import";

/// Writes [`FROM_A_FILE`]: a row that did not come in by a file leaves the field out.
///
/// # Errors
/// As the serializer's.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub fn serialize<S: Serializer>(_: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(FROM_A_FILE)
}

/// Whether it is [`FROM_A_FILE`].
///
/// # Errors
/// For what is no text.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Cow::<str>::deserialize(deserializer).map(|from| from == FROM_A_FILE)
}

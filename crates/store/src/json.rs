//! A JSON value that nobody has looked into.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

/// A JSON value as its text. Rows and answers go from a tool to the journal, and back to a tool or a client, and
/// most of them are never looked at on the way: a tree of every row would be built only to be written again.
///
/// Two are equal when their texts are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// A value as JSON. `Err` says what JSON cannot hold.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, String> {
        serde_json::value::to_raw_value(value).map(Self).map_err(|error| error.to_string())
    }

    /// Text that should be JSON. `Err` says where it is not.
    pub fn from_text(text: String) -> Result<Self, String> {
        RawValue::from_string(text).map(Self).map_err(|error| error.to_string())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The value as a type. `Err` says why it is not of it.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_str(self.as_str()).map_err(|error| error.to_string())
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl From<&RawValue> for Json {
    fn from(value: &RawValue) -> Self {
        Self(value.to_owned())
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self::of(&value).unwrap_or_else(|_| Self(RawValue::NULL.to_owned()))
    }
}

//! A memory as JSON: its fields in one order, and the ones this version does not know at the end.
//!
//! By hand, because serde's `flatten` links its buffers into a worker that is loaded at every wake-up.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::model::{Kind, Memory, UNTRUSTED};

impl Serialize for Memory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("kind", &self.kind)?;
        map.serialize_entry("pinned", &self.pinned)?;
        map.serialize_entry("saved_by", &self.saved_by)?;
        map.serialize_entry("created_ms", &self.created_ms)?;
        map.serialize_entry("updated_ms", &self.updated_ms)?;
        if self.imported {
            map.serialize_entry(UNTRUSTED.0, UNTRUSTED.1)?;
        }
        for (name, value) in &self.unknown {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Self::named(&word).ok_or_else(|| D::Error::custom(format!("{word:?} is neither fact nor preference")))
    }
}

impl Kind {
    fn named(word: &str) -> Option<Self> {
        [Self::Fact, Self::Preference].into_iter().find(|kind| kind.word() == word)
    }
}

impl<'de> Deserialize<'de> for Memory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(Map::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Memory {
    /// The memory of these fields, or what is wrong with them.
    pub(crate) fn of(mut fields: Map<String, Value>) -> Result<Self, String> {
        // What another version says of where it is from stays as it says it.
        let imported = fields.get(UNTRUSTED.0).is_some_and(|from| *from == UNTRUSTED.1);
        if imported {
            fields.remove(UNTRUSTED.0);
        }
        let mut taken = |name: &str| fields.remove(name).unwrap_or_default();
        let text = |value: Value, name: &str| match value {
            Value::String(text) => Ok(text),
            _ => Err(format!("`{name}` is no text")),
        };
        let number =
            |value: Value, name: &str| value.as_i64().ok_or_else(|| format!("`{name}` is no number"));
        Ok(Self {
            id: text(taken("id"), "id")?,
            text: text(taken("text"), "text")?,
            kind: match taken("kind").as_str() {
                Some(word) => Kind::named(word).ok_or("`kind` is unknown")?,
                None => Kind::default(),
            },
            pinned: taken("pinned").as_bool().unwrap_or_default(),
            saved_by: text(taken("saved_by"), "saved_by").unwrap_or_default(),
            created_ms: number(taken("created_ms"), "created_ms")?,
            updated_ms: number(taken("updated_ms"), "updated_ms")?,
            imported,
            unknown: fields,
        })
    }
}

//! What is remembered about the person as the tools return it, and what a look for words leaves of it. Pure.

use serde::Deserialize;
use serde_json::Value;

/// The most characters of one; the tools' own limit.
pub const MAX_TEXT: u32 = 300;

/// Something the person asked to be remembered (S0-63).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Memory {
    /// For the tools; never shown.
    pub id: String,
    /// One sentence.
    pub text: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// Whether it is told before the others.
    #[serde(default)]
    pub pinned: bool,
    /// The key of the call that saved it; never shown.
    #[serde(default)]
    pub saved_by: String,
    /// When it last changed, in milliseconds since 1970.
    #[serde(default)]
    pub updated_ms: i64,
    /// Where it is from, when the person did not write it.
    #[serde(default)]
    pub untrusted: Value,
}

impl Memory {
    /// Whether strangers may have written it (D-17): it came in by a file.
    #[must_use]
    pub fn is_untrusted(&self) -> bool {
        !matches!(self.untrusted, Value::Null | Value::Bool(false))
    }
}

/// What kind of thing is remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something about the person.
    #[default]
    Fact,
    /// How they like things done.
    Preference,
}

impl Kind {
    /// Both, in the order of the menu.
    pub const ALL: [Self; 2] = [Self::Fact, Self::Preference];

    /// The tools' word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Preference => "preference",
        }
    }
}

/// What `user_memory_search` found, and how many there are in all. None when it is of another shape; what cannot be read
/// is left out.
#[must_use]
pub fn found(answer: &Value) -> Option<(Vec<Memory>, u64)> {
    let items = answer.get("items")?.as_array()?;
    let memories = items.iter().filter_map(|item| Memory::deserialize(item).ok()).collect();
    Some((memories, answer.get("total").and_then(Value::as_u64).unwrap_or_default()))
}

/// Whether a memory has all of these words, in any case.
#[must_use]
pub fn has_words(memory: &Memory, words: &str) -> bool {
    let text = memory.text.to_lowercase();
    words.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Kind, found, has_words};

    #[test]
    fn what_was_found_is_read_and_looked_through() {
        let answer = json!({"total": 3, "items": [
            {"id": "m1", "text": "I'm Vegetarian", "kind": "fact", "pinned": true, "updated_ms": 5},
            {"id": "m2", "text": "Short answers", "kind": "preference", "untrusted": "import"},
            {"id": 3},
        ]});
        let (memories, total) = found(&answer).unwrap();
        assert_eq!((memories.len(), total), (2, 3));
        assert_eq!((memories[0].pinned, memories[1].kind), (true, Kind::Preference));
        assert_eq!((memories[0].is_untrusted(), memories[1].is_untrusted()), (false, true));
        for (words, expected) in [("", true), ("vegetarian i'M", true), ("vegan", false)] {
            assert_eq!(has_words(&memories[0], words), expected, "{words}");
        }
        assert_eq!(found(&json!({"items": 1})), None);
    }
}

//! What a memory is. Pure data: the same JSON on disk, in a tool's answer and on the screen.

use std::borrow::Cow;
use std::rc::Rc;

use mcp::one_line;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

/// The most memories there may be. They are sentences about one person: what does not fit is better thrown out by them
/// than lost in a crowd.
pub const MAX_MEMORIES: usize = 200;
/// The most characters of one: a sentence, and no document.
pub(crate) const MAX_TEXT: usize = 300;

/// How a memory that came in by a file says so, in JSON.
pub(crate) const UNTRUSTED: (&str, &str) = ("untrusted", domain::FROM_A_FILE);

/// Something a person asked to be remembered.
// How it is read and written is in `wire.rs`; the attributes here are for its schema.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
pub struct Memory {
    /// Names it in calls; never shown to a person.
    pub id: String,
    /// One sentence.
    pub text: String,
    /// What kind of thing it is.
    #[serde(default)]
    pub kind: Kind,
    /// Whether the person wants it told to the model before the others.
    #[serde(default)]
    pub pinned: bool,
    /// The key of the call that saved it: it begins with the run's id where that was in a conversation.
    #[serde(default)]
    pub saved_by: String,
    /// When it was saved, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it last changed, in milliseconds since 1970.
    pub updated_ms: i64,
    /// It came in by a file: strangers may have written what it says (D-17), and it is no wish of the person. In JSON it is
    /// `"untrusted": "import"`, which is how a model and its agent know.
    #[schemars(skip)]
    pub imported: bool,
    /// Fields that this version does not know, from a newer one: kept as they are.
    #[schemars(skip)]
    pub unknown: Map<String, Value>,
}

/// What kind of thing is remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Something about the person.
    #[default]
    Fact,
    /// How they like things done, or to be answered.
    Preference,
}

impl Kind {
    /// Its word in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Preference => "preference",
        }
    }
}

// A plain enum: the derived schema spells out every word's meaning each time a model reads the tools.
impl JsonSchema for Kind {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Kind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": ["fact", "preference"] })
    }
}

impl store::Record for Memory {
    const TABLE: &'static str = "memories";

    // There are never more than a few hundred.
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        &self.text
    }
}

/// A memory's sentence: one line, no control characters, neither empty nor long.
pub(crate) fn sentence(text: &str) -> Result<String, String> {
    let line = one_line(text);
    let count = line.chars().count();
    match count {
        0 => Err("The text is empty: say in one sentence what to remember.".into()),
        1..=MAX_TEXT => Ok(line),
        _ => Err(format!(
            "The text has {count} characters; at most {MAX_TEXT} are allowed. Say it in one short sentence."
        )),
    }
}

/// Whether two sentences say the same but for case, spaces and marks.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let letters = |text: &str| -> String {
        let is_mark = |c: char| c.is_whitespace() || c.is_ascii_punctuation() || "‘’“”…–—".contains(c);
        text.chars().filter(|c| !is_mark(*c)).flat_map(char::to_lowercase).collect()
    };
    // Marks alone have no letters to compare.
    one == other || (letters(one) == letters(other) && !letters(one).is_empty())
}

/// The order in which they are told: what is pinned first, then the person's own words before what came in by a file, and of
/// each what changed last.
pub(crate) fn in_order(memories: Vec<Rc<Memory>>) -> Vec<Rc<Memory>> {
    let mut ordered: Vec<Rc<Memory>> = Vec::with_capacity(memories.len());
    // Put in one by one: they are few, and a sort of its own would be 6 KB of the worker.
    for memory in memories {
        let key = |other: &Memory| (other.pinned, !other.imported, other.updated_ms);
        let place = ordered.partition_point(|other| key(other) >= key(&memory));
        ordered.insert(place, memory);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_one_clean_sentence() {
        assert_eq!(sentence("  I’m\n vegetarian \u{202E}"), Ok("I’m vegetarian".into()));
        assert!(sentence("\u{0} \n").unwrap_err().contains("empty"));
        assert!(sentence(&"ä".repeat(MAX_TEXT)).is_ok());
        assert!(sentence(&"ä".repeat(MAX_TEXT + 1)).unwrap_err().contains("301 characters; at most 300"));
    }

    #[test]
    fn the_same_said_twice_is_the_same() {
        for (one, other, expected) in [
            ("I'm vegetarian", "i’m Vegetarian.", true),
            ("Short answers, please", "short answers please", true),
            ("I'm vegetarian", "I'm a vegetarian", false),
            ("👋", "🙂", false),
            ("👋", "👋", true),
        ] {
            assert_eq!(same(one, other), expected, "{one} / {other}");
        }
    }

    #[test]
    fn a_memory_of_another_version_is_read_and_kept() {
        let text =
            r#"{"id":"m","text":"T","kind":"preference","created_ms":1,"updated_ms":2,"colour":"red"}"#;
        let memory: Memory = serde_json::from_str(text).unwrap();
        assert_eq!((memory.kind, memory.pinned, memory.saved_by.as_str()), (Kind::Preference, false, ""));
        let again: Value = serde_json::to_value(&memory).unwrap();
        assert_eq!(again["colour"], "red");
        // One that an earlier version wrote is nobody else's.
        assert!(!memory.imported && again.get("untrusted").is_none());
        for (from, imported) in [("import", true), ("web", false)] {
            let text = text.replace("\"T\"", &format!("\"T\",\"untrusted\":\"{from}\""));
            let memory: Memory = serde_json::from_str(&text).unwrap();
            assert_eq!((memory.imported, memory.unknown.len()), (imported, if imported { 1 } else { 2 }));
            assert_eq!(serde_json::to_value(&memory).unwrap()["untrusted"], from);
        }
        let mut generator = SchemaGenerator::default();
        let words = Kind::json_schema(&mut generator).get("enum").cloned();
        assert_eq!(words, serde_json::to_value([Kind::Fact, Kind::Preference]).ok());
    }
}

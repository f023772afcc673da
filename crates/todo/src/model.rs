//! What a to-do is. Pure data: the same JSON on disk, in a tool's answer and on the screen.

use std::borrow::Cow;

use dates::{due::Due, remind::Remind, rule::Rule};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The field that says that a to-do came from outside, and its value for one that came in by a file.
pub(crate) const UNTRUSTED: (&str, &str) = ("untrusted", domain::FROM_A_FILE);

/// The list of a to-do that was given none.
pub const INBOX: &str = "Inbox";

/// A to-do.
// How it is read and written is in `wire.rs`; the attributes here are for its schema.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
pub struct Todo {
    /// Names it in calls; never shown to a person.
    pub id: String,
    /// One line: what there is to do.
    pub title: String,
    /// More about it; may be empty.
    #[serde(default)]
    pub notes: String,
    /// Whether it is done.
    pub status: Status,
    /// A day (2026-11-22) or a wall-clock time (2026-11-22T15:00).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub due: Option<Due>,
    /// The time zone in which the due time was said; only with a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// How much it matters.
    #[serde(default)]
    pub priority: Priority,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The list it is in.
    #[serde(default = "inbox")]
    pub list: String,
    /// The id of the to-do it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// When it comes back: an RFC 5545 rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub repeat: Option<Rule>,
    /// When to remind of it: a time (2026-11-22T15:00), or so long before it is due (-PT30M).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub remind: Option<Remind>,
    /// Its place among the others, where a person has arranged them.
    #[serde(default)]
    pub order: f64,
    /// When it was added, in UTC.
    pub created: String,
    /// When it last changed, in UTC.
    pub updated: String,
    /// When it was completed, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<String>,
    /// It came in by a file: strangers may have written what it says (D-17). In JSON it is `"untrusted": "import"`, which
    /// is how a model and its agent know.
    #[schemars(skip)]
    pub imported: bool,
    /// Fields that this version does not know, from a newer one or another program: kept as they are.
    #[schemars(skip)]
    pub unknown: Unknown,
}

/// Fields by name. Almost no to-do has any, so that it is one word where there are none.
pub type Unknown = Option<Box<Map<String, Value>>>;

pub(crate) fn inbox() -> String {
    INBOX.to_owned()
}

/// Whether a to-do is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Still to do.
    #[default]
    Open,
    /// Done.
    Done,
}

/// How much a to-do matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// Nobody said.
    #[default]
    None,
    /// Can wait.
    Low,
    /// Ordinary.
    Medium,
    /// Before the others.
    High,
    /// Now.
    Urgent,
}

/// Plain enums: the derived schema spells out every word's meaning, five times the length, each time a
/// model reads the tools.
fn words(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

impl JsonSchema for Status {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Status".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        words(&["open", "done"])
    }
}

impl JsonSchema for Priority {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Priority".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        words(&["none", "low", "medium", "high", "urgent"])
    }
}

impl store::Record for Todo {
    const TABLE: &'static str = "todos";

    type Index = crate::index::TodoIndex;

    fn id(&self) -> &str {
        &self.id
    }

    fn read_json(text: &str) -> Result<(Self, &str), String> {
        crate::quick::read(text).map_or_else(|| store::read_json(text), Ok)
    }

    fn label(&self) -> &str {
        &self.title
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_list_every_word() {
        let words = |schema: Schema| schema.get("enum").cloned();
        let mut generator = SchemaGenerator::default();
        let (open, done) = (Status::Open, Status::Done);
        assert_eq!(words(Status::json_schema(&mut generator)), serde_json::to_value([open, done]).ok());
        use Priority::{High, Low, Medium, None, Urgent};
        let all = [None, Low, Medium, High, Urgent];
        assert_eq!(words(Priority::json_schema(&mut generator)), serde_json::to_value(all).ok());
    }

    #[test]
    fn a_to_do_of_an_older_version_is_read() {
        let text = r#"{"id":"todo_a","title":"A","status":"open","created":"x","updated":"x"}"#;
        let todo: Todo = serde_json::from_str(text).unwrap();
        assert_eq!((todo.list.as_str(), todo.priority, todo.due), (INBOX, Priority::None, Option::None));
    }

    #[test]
    fn a_to_do_of_a_newer_version_keeps_what_is_new() {
        let text = r#"{"id":"a","title":"A","notes":"","status":"open","due":"2026-11-22","priority":"low","tags":["x"],"list":"Inbox","order":1.5,"created":"x","updated":"x","colour":"red","more":{"deep":[1]}}"#;
        let todo: Todo = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&todo).unwrap(), text);
        // The same from a value, which has the fields in another order.
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::from_value::<Todo>(value.clone()).unwrap(), todo);
        assert_eq!(serde_json::to_value(&todo).unwrap(), value);
    }

    #[test]
    fn where_a_to_do_is_from_is_kept_known_or_not() {
        for (from, imported) in [("import", true), ("web", false)] {
            let text = format!(
                r#"{{"id":"a","title":"A","notes":"","status":"open","priority":"none","tags":[],"list":"Inbox","order":1.5,"created":"x","updated":"x","untrusted":"{from}"}}"#
            );
            let todo: Todo = serde_json::from_str(&text).unwrap();
            assert_eq!((todo.imported, todo.unknown.is_none()), (imported, imported));
            assert_eq!(serde_json::to_string(&todo).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_to_do_is_refused() {
        for (text, why) in [
            (r#"{"id":"a","status":"open","created":"x","updated":"x"}"#, "missing field `title`"),
            (r#"{"id":"a","title":"A","status":"maybe","created":"x","updated":"x"}"#, "unknown variant"),
            (
                r#"{"id":"a","title":"A","status":"open","due":"soon","created":"x","updated":"x"}"#,
                "is no date",
            ),
            ("[]", "a to-do"),
        ] {
            let error = serde_json::from_str::<Todo>(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}

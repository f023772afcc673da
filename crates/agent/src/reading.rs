//! How entries and questions are read.
//!
//! By hand, out of a JSON object: derived, a tagged enum is buffered in a form of its own and then read from that, which is the
//! same work and a hundred kilobytes more of the page. `Serialize` is derived, and a test holds the two together.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Error, Map, Value};

use crate::entry::{Disposition, Ending, Entry, EntryBody};
use crate::questions::{Form, Question};

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, entry)
    }
}

impl<'de> Deserialize<'de> for Disposition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, plan)
    }
}

impl<'de> Deserialize<'de> for Ending {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, ending)
    }
}

impl<'de> Deserialize<'de> for Question {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, question)
    }
}

fn read<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    of: fn(Fields) -> Result<T, Error>,
) -> Result<T, D::Error> {
    of(Fields(Map::deserialize(deserializer)?)).map_err(D::Error::custom)
}

/// The words in `entry`.
const ENTRIES: [&str; 10] = [
    "user", "retried", "response", "decision", "weighed", "result", "resumed", "compacted", "doubted",
    "ended",
];

/// The words in `plan`.
const PLANS: [&str; 7] = ["read", "write", "ask", "weigh", "question", "answered", "refuse"];

/// The words in `why`.
const ENDINGS: [&str; 4] = ["complete", "cancelled", "limited", "failed"];

/// The words in a question's `type`.
const FORMS: [&str; 5] = ["single_choice", "multiple_choice", "text", "date_range", "scale"];

/// The fields of an object that were not taken yet.
struct Fields(Map<String, Value>);

impl Fields {
    /// A field that must be there.
    fn take<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T, Error> {
        T::deserialize(self.0.remove(name).ok_or_else(|| Error::missing_field(name))?)
    }

    /// A field that is not written where there is nothing in it.
    fn given<T: DeserializeOwned + Default>(&mut self, name: &str) -> Result<T, Error> {
        self.or(name, T::default())
    }

    /// A field, or what stands for it where it is not written.
    fn or<T: DeserializeOwned>(&mut self, name: &str, default: T) -> Result<T, Error> {
        // Models write null for what they leave out.
        self.0.remove(name).filter(|value| !value.is_null()).map_or(Ok(default), T::deserialize)
    }
}

fn entry(mut of: Fields) -> Result<Entry, Error> {
    Ok(Entry {
        seq: of.take("seq")?,
        at_ms: of.take("at_ms")?,
        run_id: of.take("run_id")?,
        body: body(of.take::<String>("entry")?.as_str(), of)?,
    })
}

fn body(kind: &str, mut of: Fields) -> Result<EntryBody, Error> {
    Ok(match kind {
        "user" => EntryBody::User {
            text: of.take("text")?,
            images: of.given("images")?,
            boundary: of.take("boundary")?,
            context: of.take("context")?,
        },
        "retried" => EntryBody::Retried { boundary: of.take("boundary")?, context: of.take("context")? },
        "response" => EntryBody::Response {
            step: of.take("step")?,
            model: of.take("model")?,
            routed: of.given("routed")?,
            text: of.take("text")?,
            thought: of.given("thought")?,
            calls: of.given("calls")?,
            usage: of.take("usage")?,
            stop: of.take("stop")?,
            started_ms: of.take("started_ms")?,
            span_id: of.take("span_id")?,
            sent: of.given("sent")?,
            confidence: of.given("confidence")?,
            retries: of.given("retries")?,
        },
        "decision" => EntryBody::Decision { call_id: of.take("call_id")?, approved: of.take("approved")? },
        "weighed" => EntryBody::ImpactEstimated { call_id: of.take("call_id")?, count: of.given("count")? },
        "result" => EntryBody::Result {
            result: crate::stored_result::read(of.take("result")?)?,
            started_ms: of.take("started_ms")?,
            kept: of.given("kept")?,
            outside: of.given("outside")?,
        },
        "resumed" => EntryBody::Resumed {},
        "compacted" => EntryBody::Compacted(Deserialize::deserialize(Value::Object(of.0))?),
        "doubted" => EntryBody::Doubted { message: of.take("message")? },
        "ended" => EntryBody::Ended {
            ending: of.take("ending")?,
            note: of.given("note")?,
            partial: of.given("partial")?,
            repairs: of.given("repairs")?,
            doubts: of.given("doubts")?,
        },
        other => return Err(Error::unknown_variant(other, &ENTRIES)),
    })
}

fn plan(mut of: Fields) -> Result<Disposition, Error> {
    Ok(match of.take::<String>("plan")?.as_str() {
        "read" => Disposition::Read,
        "write" => Disposition::Write,
        "ask" => Disposition::Ask,
        "weigh" => Disposition::EstimateImpact { above: of.take("above")? },
        "question" => Disposition::Question,
        "answered" => Disposition::Answered { content: of.take("content")? },
        "refuse" => Disposition::Refuse { message: of.take("message")? },
        other => return Err(Error::unknown_variant(other, &PLANS)),
    })
}

fn ending(mut of: Fields) -> Result<Ending, Error> {
    Ok(match of.take::<String>("why")?.as_str() {
        "complete" => Ending::Complete { stop: of.take("stop")? },
        "cancelled" => Ending::Cancelled,
        "limited" => Ending::Limited { guard: of.take("guard")? },
        "failed" => Ending::Failed { failure: of.take("failure")? },
        other => return Err(Error::unknown_variant(other, &ENDINGS)),
    })
}

fn question(mut of: Fields) -> Result<Question, Error> {
    Ok(Question {
        id: of.given("id")?,
        question: of.take("question")?,
        optional: of.given("optional")?,
        context: of.given("context")?,
        image_url: of.given("image_url")?,
        form: match of.take::<String>("type")?.as_str() {
            "single_choice" => Form::SingleChoice { options: of.take("options")? },
            "multiple_choice" => Form::MultipleChoice { options: of.take("options")? },
            "text" => {
                Form::Text { placeholder: of.given("placeholder")?, validation: of.given("validation")? }
            }
            "date_range" => Form::DateRange { earliest: of.given("earliest")?, latest: of.given("latest")? },
            "scale" => Form::Scale {
                min: of.or("min", 1)?,
                max: of.or("max", 5)?,
                min_label: of.given("min_label")?,
                max_label: of.given("max_label")?,
            },
            other => return Err(Error::unknown_variant(other, &FORMS)),
        },
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Reads a value, which has to be written as it was.
    fn back<T: DeserializeOwned + serde::Serialize>(value: &Value) {
        let read: T =
            serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{value}: {error}"));
        assert_eq!(serde_json::to_value(read).unwrap(), *value);
        let text = value.to_string();
        let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{value}: {error}"));
        assert_eq!(serde_json::to_value(read).unwrap(), *value);
    }

    #[test]
    fn every_kind_of_entry_is_read_as_it_is_written() {
        let context = json!({"civil": "2026-11-21T22:30", "weekday": "Saturday", "zone": "UTC"});
        let usage = serde_json::to_value(protocol::Usage::default()).unwrap();
        let result = json!({"call_id": "c1", "name": "todo_list", "content": "none", "is_error": false});
        let mut said = result.clone();
        said["content"] = json!("{\"total\":0}");
        said["content_is_data"] = json!(true);
        let retry = json!({"at_ms": 5, "attempt": 2, "after_ms": 100, "kind": "retryable_network", "message": "No network."});
        let bodies = [
            json!({"entry": "user", "text": "Hello", "boundary": "b", "context": context}),
            json!({"entry": "retried", "boundary": "b", "context": context}),
            json!({"entry": "response", "step": 1, "model": "m", "text": "Hi", "usage": usage, "stop": "stop",
                "started_ms": -1, "span_id": "s"}),
            json!({"entry": "response", "step": 2, "model": "m", "text": "", "thought": "Hm", "usage": usage, "stop": "tool_calls",
                "started_ms": 1, "span_id": "s", "confidence": 0.25, "retries": [retry],
                "calls": [{"call": {"id": "c1", "name": "todo_list", "arguments": {"b": 1, "a": [null, 1.5]}}, "title": "List", "plan": {"plan": "read"}}]}),
            json!({"entry": "decision", "call_id": "c1", "approved": true}),
            json!({"entry": "weighed", "call_id": "c1"}),
            json!({"entry": "weighed", "call_id": "c1", "count": 3}),
            json!({"entry": "result", "result": result, "started_ms": 3}),
            json!({"entry": "result", "result": said, "started_ms": 3}),
            json!({"entry": "result", "result": result, "started_ms": 3, "outside": true}),
            json!({"entry": "resumed"}),
            json!({"entry": "doubted", "message": "Not in the sources."}),
            json!({"entry": "ended", "ending": {"why": "cancelled"}}),
            json!({"entry": "ended", "ending": {"why": "limited", "guard": "max_steps"}, "note": "Too many.", "repairs": [result],
                "partial": {"step": 1, "model": "m", "text": "", "usage": usage, "started_ms": 1, "span_id": "s"}}),
        ];
        for body in bodies {
            let mut entry = body;
            entry["seq"] = 7.into();
            entry["at_ms"] = 1_700_000_000_000_i64.into();
            entry["run_id"] = "run_1".into();
            back::<Entry>(&entry);
            // What a newer version writes beside it is passed over.
            entry["of_a_newer_version"] = true.into();
            assert!(serde_json::from_value::<Entry>(entry).is_ok());
        }
    }

    #[test]
    fn plans_and_endings_are_read_as_they_are_written() {
        for plan in [
            json!({"plan": "read"}),
            json!({"plan": "write"}),
            json!({"plan": "ask"}),
            json!({"plan": "weigh", "above": 5}),
            json!({"plan": "question"}),
            json!({"plan": "answered", "content": "Yes"}),
            json!({"plan": "refuse", "message": "No such tool"}),
        ] {
            back::<Disposition>(&plan);
        }
        for ending in [
            json!({"why": "complete", "stop": "stop"}),
            json!({"why": "cancelled"}),
            json!({"why": "limited", "guard": "budget"}),
            json!({"why": "failed", "failure": {"kind": "retryable_network", "message": "No network."}}),
        ] {
            back::<Ending>(&ending);
        }
    }

    #[test]
    fn what_is_missing_or_unknown_is_said() {
        let error = |value: Value| serde_json::from_value::<Entry>(value).unwrap_err().to_string();
        let entry = |more: Value| {
            let mut entry = json!({"seq": 0, "at_ms": 0, "run_id": "r"});
            entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            entry
        };
        assert_eq!(error(json!({"seq": 0})), "missing field `at_ms`");
        assert!(error(json!([0, 0, "r"])).contains("invalid type: sequence"));
        assert!(
            error(entry(json!({"entry": "sung"})))
                .starts_with("unknown variant `sung`, expected one of `user`")
        );
        assert_eq!(error(entry(json!({"entry": "decision", "call_id": "c"}))), "missing field `approved`");
        assert!(
            error(entry(json!({"entry": "weighed", "call_id": "c", "count": -1}))).contains("invalid value")
        );
    }
}

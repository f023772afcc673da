//! A tool's result as the log keeps it: its data once.
//!
//! Most tools return the same twice, as text for the model and as data for the page. Where the text says the data, only the
//! text is written, with a mark, and reading parses it. What is read is what was written, to the letter. A build from before
//! this one takes such a result for one without data.

use protocol::{CallId, ToolResult};
use serde::{Serialize, Serializer};
use serde_json::{Error, Map, Value};

/// The mark of a result whose data is what its text says.
const MARK: &str = "content_is_data";

/// Writes a result; for `serde(serialize_with)`.
pub fn write<S: Serializer>(result: &ToolResult, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Written<'a> {
        call_id: &'a CallId,
        name: &'a str,
        is_error: bool,
        content: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        structured: Option<&'a Value>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        content_is_data: bool,
    }
    let ToolResult { call_id, name, is_error, content, structured } = result;
    let is_said = structured.as_ref().is_some_and(|data| parsed(content).as_ref() == Some(data));
    let structured = structured.as_ref().filter(|_| !is_said);
    Written { call_id, name, is_error: *is_error, content, structured, content_is_data: is_said }
        .serialize(serializer)
}

/// The result in a JSON object.
///
/// # Errors
///
/// A field is missing or of another type.
pub fn read(mut object: Map<String, Value>) -> Result<ToolResult, Error> {
    let is_said = object.remove(MARK) == Some(Value::Bool(true));
    let mut result: ToolResult = serde_json::from_value(Value::Object(object))?;
    if is_said {
        result.structured = parsed(&result.content);
    }
    Ok(result)
}

fn parsed(content: &str) -> Option<Value> {
    serde_json::from_str(content).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(result: &ToolResult) -> Value {
        write(result, serde_json::value::Serializer).unwrap()
    }

    fn result(content: &str, structured: Option<Value>) -> ToolResult {
        let (call_id, name) = (CallId("c1".into()), "todo_list".into());
        ToolResult { call_id, name, is_error: false, content: content.into(), structured }
    }

    #[test]
    fn what_the_text_says_is_written_once_and_read_as_it_was() {
        // The text keeps its order of fields, its spaces and its way to write numbers.
        let text = "{ \"total\": 2.50, \"items\": [\"a\", \"ä\"], \"a\": null }";
        let same = result(text, Some(json!({"a": null, "items": ["a", "ä"], "total": 2.5})));
        let once = written(&same);
        assert_eq!(once["content"], text);
        assert_eq!(once.get("structured"), None);
        let Value::Object(object) = once else { panic!("an object") };
        assert_eq!(read(object).unwrap(), same);
    }

    #[test]
    fn what_differs_is_written_whole() {
        let others = [
            result("two to-dos", Some(json!({"total": 2}))),
            result("{\"total\":2}", None),
            result("{\"total\":2}", Some(json!({"total": 3}))),
            result("", None),
        ];
        for other in others {
            let whole = written(&other);
            assert_eq!(whole, serde_json::to_value(&other).unwrap());
            let Value::Object(object) = whole else { panic!("an object") };
            assert_eq!(read(object).unwrap(), other);
        }
    }
}

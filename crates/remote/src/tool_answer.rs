//! What a tool elsewhere answered, as text: the one form in which it reaches a model.

use serde_json::Value;

use crate::RemoteError;

/// The answer of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolAnswer {
    /// The text of the answer. What is no text (pictures, sound, files) is named in square brackets.
    pub text: String,
    /// The tool refused or failed, and the text says why.
    pub is_error: bool,
}

impl ToolAnswer {
    /// Reads the result of `tools/call`; of its text at most `chars` characters are kept.
    ///
    /// # Errors
    /// [`RemoteError::NotMcp`].
    pub fn read(result: &Value, chars: usize) -> Result<Self, RemoteError> {
        let fault = || RemoteError::NotMcp("the result of the tool has no content".into());
        let content = result.get("content").and_then(Value::as_array).ok_or_else(fault)?;
        let mut text = content.iter().map(part).collect::<Vec<_>>().join("\n");
        // Some tools answer with data alone.
        if let (true, Some(data)) = (text.trim().is_empty(), result.get("structuredContent")) {
            text = data.to_string();
        }
        Ok(Self { text: cut(text, chars), is_error: result["isError"] == true })
    }
}

/// The data of a result of `tools/call`: what is structured, else what its text is as JSON (of several texts a list). Null where it has none.
#[must_use]
pub fn data(result: &Value) -> Value {
    match result.get("structuredContent") {
        Some(data) if !data.is_null() => return data.clone(),
        _ => {}
    }
    let content = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = content.iter().filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str());
    let mut all: Vec<Value> = texts.filter_map(|text| serde_json::from_str(text).ok()).collect();
    all.retain(|data| data.is_object() || data.is_array());
    match all.len() {
        0 => Value::Null,
        1 => all.swap_remove(0),
        _ => Value::Array(all),
    }
}

/// One part of the content as text.
fn part(part: &Value) -> String {
    let word = |name: &str| part[name].as_str().unwrap_or_default();
    match word("type") {
        "text" => word("text").to_owned(),
        kind @ ("image" | "audio") => {
            format!("[{kind}, {}, {} bytes, not shown]", word("mimeType"), word("data").len() / 4 * 3)
        }
        "resource" => match part["resource"]["text"].as_str() {
            Some(text) => text.to_owned(),
            None => format!("[file {}, not shown]", part["resource"]["uri"].as_str().unwrap_or_default()),
        },
        "resource_link" => format!("[{}: {}]", word("name"), word("uri")),
        other => format!("[{other}, not shown]"),
    }
}

fn cut(text: String, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text,
        Some((end, _)) => {
            let left = text[end..].chars().count();
            format!("{}\n[… {left} more characters, cut off]", &text[..end])
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ToolAnswer, data};

    #[test]
    fn the_data_of_an_answer_is_found_where_servers_put_it() {
        let text = |text: &str| json!({"type": "text", "text": text});
        for (result, found) in [
            (json!({"content": [text("{\"a\": 1}")], "structuredContent": {"b": 2}}), json!({"b": 2})),
            (json!({"content": [text("{\"a\": 1}")]}), json!({"a": 1})),
            (json!({"content": [text("Found:"), text("[1]")], "structuredContent": null}), json!([1])),
            (json!({"content": [text("{\"a\": 1}"), text("{\"a\": 2}")]}), json!([{"a": 1}, {"a": 2}])),
            (json!({"content": [text("7"), {"type": "image"}]}), json!(null)),
            (json!({"content": "text"}), json!(null)),
            (json!(null), json!(null)),
        ] {
            assert_eq!(data(&result), found, "{result}");
        }
    }

    #[test]
    fn any_answer_is_text() {
        let rows = [
            (
                json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
                "a\nb",
                false,
            ),
            (json!({"content": [{"type": "text", "text": "no"}], "isError": true}), "no", true),
            (json!({"content": [], "structuredContent": {"n": 1}}), "{\"n\":1}", false),
            (
                json!({"content": [{"type": "image", "mimeType": "image/png", "data": "AAAAAAAA"}]}),
                "[image, image/png, 6 bytes, not shown]",
                false,
            ),
            (
                json!({"content": [{"type": "resource", "resource": {"uri": "x://a", "text": "t"}}]}),
                "t",
                false,
            ),
            (
                json!({"content": [{"type": "resource", "resource": {"uri": "x://a"}}]}),
                "[file x://a, not shown]",
                false,
            ),
            (
                json!({"content": [{"type": "resource_link", "name": "A", "uri": "x://a"}]}),
                "[A: x://a]",
                false,
            ),
            (json!({"content": [{"type": "hologram"}]}), "[hologram, not shown]", false),
        ];
        for (result, text, is_error) in rows {
            assert_eq!(
                ToolAnswer::read(&result, 40),
                Ok(ToolAnswer { text: text.to_owned(), is_error }),
                "{result}"
            );
        }
        let long = json!({"content": [{"type": "text", "text": "äöüäöü"}]});
        let cut = ToolAnswer::read(&long, 4).map(|said| said.text);
        assert_eq!(cut.as_deref(), Ok("äöüä\n[… 2 more characters, cut off]"));
        for result in [json!({}), json!({"content": "text"}), json!(null), json!([1])] {
            assert!(ToolAnswer::read(&result, 10).is_err(), "{result}");
        }
    }
}

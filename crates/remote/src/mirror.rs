//! Arguments that are repeated in headers, `x-mcp-header` (2026-07-28, streamable HTTP, "custom headers").

use mcp::client::encode_name;
use serde_json::{Map, Value};

/// The arguments of a tool that go into headers: argument and header. None where the schema's marks break the rules:
/// such a tool is left out.
pub fn mirrored(schema: &Value) -> Option<Vec<(String, String)>> {
    let mut mirrored: Vec<(String, String)> = Vec::new();
    for (argument, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let Some(mark) = property.get("x-mcp-header") else { continue };
        let name = mark.as_str().filter(|name| is_token(name))?;
        let kind = property.get("type").and_then(Value::as_str);
        let is_taken = mirrored.iter().any(|(_, taken)| taken.eq_ignore_ascii_case(name));
        if !matches!(kind, Some("string" | "integer" | "boolean")) || is_taken {
            return None;
        }
        mirrored.push((argument.clone(), name.to_owned()));
    }
    Some(mirrored)
}

/// The headers of a call: name and value. An argument that is null or not there has none.
pub fn headers(mirrored: &[(String, String)], arguments: &Map<String, Value>) -> Vec<(String, String)> {
    let value_of = |value: &Value| match value {
        Value::String(text) => Some(encode_name(text)),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    mirrored
        .iter()
        .filter_map(|(argument, name)| {
            Some((format!("mcp-param-{}", name.to_ascii_lowercase()), value_of(arguments.get(argument)?)?))
        })
        .collect()
}

/// A token of RFC 9110, 5.6.2.
fn is_token(name: &str) -> bool {
    let is_mark = |byte: u8| b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_mark(byte))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{headers, mirrored};

    #[test]
    fn marks_by_the_rules_are_mirrored_and_others_are_refused() {
        let rows = [
            (json!({}), Some(0)),
            (json!({"a": {"type": "string"}}), Some(0)),
            (
                json!({"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "boolean", "x-mcp-header": "B"}}),
                Some(2),
            ),
            (json!({"a": {"type": "string", "x-mcp-header": ""}}), None),
            (json!({"a": {"type": "string", "x-mcp-header": 7}}), None),
            (json!({"a": {"type": "number", "x-mcp-header": "A"}}), None),
            (json!({"a": {"type": "object", "x-mcp-header": "A"}}), None),
            (json!({"a": {"x-mcp-header": "A"}}), None),
            (json!({"a": {"type": "string", "x-mcp-header": "A b"}}), None),
            (json!({"a": {"type": "string", "x-mcp-header": "A:b"}}), None),
            (json!({"a": {"type": "string", "x-mcp-header": "Région"}}), None),
            (json!({"a": {"type": "string", "x-mcp-header": "A\r\nX: y"}}), None),
            (
                json!({"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}),
                None,
            ),
        ];
        for (properties, count) in rows {
            let schema = json!({"type": "object", "properties": properties});
            assert_eq!(mirrored(&schema).map(|all| all.len()), count, "{schema}");
        }
    }

    #[test]
    fn what_a_header_cannot_hold_is_encoded() {
        let rows = [
            (json!("us-west1"), Some("us-west1")),
            (json!(42), Some("42")),
            (json!(false), Some("false")),
            (json!(""), Some("")),
            (json!("a\r\nX-Evil: 1"), Some("=?base64?YQ0KWC1FdmlsOiAx?=")),
            (json!(" padded "), Some("=?base64?IHBhZGRlZCA=?=")),
            (json!(null), None),
            (json!({"a": 1}), None),
        ];
        for (value, expected) in rows {
            let Value::Object(arguments) = json!({"a": value}) else { unreachable!() };
            let found = headers(&[("a".into(), "Name".into())], &arguments);
            let expected: Vec<_> =
                expected.iter().map(|text| ("mcp-param-name".to_owned(), (*text).to_owned())).collect();
            assert_eq!(found, expected, "{value}");
        }
        assert_eq!(headers(&[("b".into(), "Name".into())], &serde_json::Map::new()), []);
    }
}

//! One text for one JSON value, to be hashed: the order in which somebody wrote its keys says nothing.

use std::fmt::Write as _;

use serde_json::Value;

/// The value with the keys of every object in order, whatever `serde_json`'s map keeps. It is for hashes alone: lists end in a
/// comma, so it is no JSON.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            order::sort(&mut keys);
            out.push('{');
            for key in keys {
                let _ = write!(out, "{}:", Value::String(key.clone()));
                write(&map[key], out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write(item, out);
                out.push(',');
            }
            out.push(']');
        }
        leaf => {
            let _ = write!(out, "{leaf}");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::canonical_json;

    #[test]
    fn the_order_of_keys_says_nothing_and_everything_else_does() {
        let one = json!({"b": [1, {"y": 1, "x": null}], "a": "\"\\"});
        let same = json!({"a": "\"\\", "b": [1, {"x": null, "y": 1}]});
        assert_eq!(canonical_json(&one), canonical_json(&same));
        assert_eq!(canonical_json(&json!({"b": 1, "a": [true]})), r#"{"a":[true,],"b":1,}"#);
        for other in [json!({"a": "b", "c": 1}), json!([1, [2]]), json!([[1], 2]), json!(["1"]), json!([1])] {
            for another in [json!({"a": "b,\"c\":1"}), json!([1, 2]), json!("[1,]")] {
                assert_ne!(canonical_json(&other), canonical_json(&another), "{other} {another}");
            }
        }
    }
}

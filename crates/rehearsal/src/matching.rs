//! What fits: patterns, and arguments or rows that are as they are said to be.

use regex_lite::{Regex, RegexBuilder};
use serde_json::{Map, Value};

/// What makes a text a pattern where a value is expected.
const PATTERN: char = '~';

/// The most memory a pattern may take, in bytes.
const LARGEST: usize = 200_000;

/// A pattern.
///
/// # Errors
/// When it is none: which, and why.
pub fn pattern(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .size_limit(LARGEST)
        .build()
        .map_err(|error| format!("“{pattern}” is no pattern: {error}"))
}

/// Whether a value is what is wanted: equal, or for a text that begins with `~` one that its pattern fits. An object has at least the
/// fields that are wanted.
///
/// # Errors
/// When a pattern is none.
pub fn fits(wanted: &Value, found: &Value) -> Result<bool, String> {
    match (wanted, found) {
        // What is not there fits no pattern, not even that of any letter.
        (Value::String(_), Value::Null) => Ok(false),
        (Value::String(wanted), found) => match wanted.strip_prefix(PATTERN) {
            Some(source) => {
                let text = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
                Ok(pattern(source)?.is_match(&text))
            }
            None => Ok(found.as_str() == Some(wanted)),
        },
        (Value::Object(wanted), Value::Object(found)) => all_fit(wanted, found),
        (Value::Number(wanted), Value::Number(found)) => Ok(wanted.as_f64() == found.as_f64()),
        _ => Ok(wanted == found),
    }
}

/// Whether every field that is wanted is there and fits. What is wanted as null may also be missing.
///
/// # Errors
/// As [`fits`].
pub fn all_fit(wanted: &Map<String, Value>, found: &Map<String, Value>) -> Result<bool, String> {
    for (name, wanted) in wanted {
        if !fits(wanted, found.get(name).unwrap_or(&Value::Null))? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_fit_by_pattern_by_number_and_in_part() {
        for (wanted, found, does) in [
            (json!("Milk"), json!("Milk"), true),
            (json!("Milk"), json!("milk"), false),
            (json!("~(?i)milk"), json!("Buy MILK"), true),
            (json!("~^4"), json!(42), true),
            (json!("~."), json!(null), false),
            (json!({"a": "~."}), json!({"b": 2}), false),
            (json!(1), json!(1.0), true),
            (json!({"a": 1}), json!({"a": 1, "b": 2}), true),
            (json!({"a": 1}), json!({"b": 2}), false),
            (json!({"a": null}), json!({}), true),
            (json!([1]), json!([1, 2]), false),
        ] {
            assert_eq!(fits(&wanted, &found), Ok(does), "{wanted} {found}");
        }
        assert!(fits(&json!("~("), &json!("")).unwrap_err().contains("is no pattern"));
    }
}

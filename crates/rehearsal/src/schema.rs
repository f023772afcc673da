//! Values held to a JSON Schema.

use serde_json::Value;

/// What is wrong with a value, in a sentence; none where it fits. A schema that is none fits nothing.
pub(crate) fn wrong(schema: &Value, value: &Value) -> Option<String> {
    match jsonschema::validator_for(schema) {
        Err(error) => Some(format!("the schema is none: {error}")),
        Ok(validator) => validator.iter_errors(value).next().map(|error| {
            let place = error.instance_path().to_string();
            if place.is_empty() { error.to_string() } else { format!("{place}: {error}") }
        }),
    }
}

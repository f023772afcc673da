//! What providers refuse in the schema of a tool, and schemas that have all of it: those of servers elsewhere, and our own.

use std::sync::{Arc, LazyLock};

use protocol::{Hints, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Outcome, list, rule, text};

/// `schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level`, and `object schema
/// missing properties`.
pub fn openai(schema: &Value) -> Outcome {
    rule(schema["type"] == "object", "schema must have type 'object'")?;
    for word in ["oneOf", "anyOf", "allOf", "enum", "not", "$ref"] {
        rule(schema.get(word).is_none(), &format!("schema must not have '{word}' at the top level"))?;
    }
    rule(schema["properties"].is_object(), "object schema missing properties")
}

/// `input_schema does not support oneOf, allOf, or anyOf at the top level`, and `Property keys should match pattern
/// '^[a-zA-Z0-9_.-]{1,64}$'`.
pub fn anthropic(schema: &Value) -> Outcome {
    openai(schema)?;
    for (name, _) in schema["properties"].as_object().into_iter().flatten() {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        rule((1..=64).contains(&name.len()) && name.bytes().all(fits), "a field with a plain name")?;
    }
    Ok(())
}

/// llama.cpp makes a grammar of it: `Unrecognized schema`, `Pattern must start with '^' and end with '$'`; Ollama reads each
/// field as an object.
pub fn grammar(schema: &Value) -> Outcome {
    openai(schema)?;
    each(schema, &mut |place| {
        rule(place.get("$ref").is_none(), "a reference")?;
        let known =
            ["type", "properties", "items", "prefixItems", "enum", "const", "anyOf", "oneOf", "allOf"];
        let is_known = place.is_empty() || known.iter().any(|word| place.contains_key(*word));
        rule(is_known, "Unrecognized schema")?;
        let pattern = place.get("pattern").map(text).unwrap_or("^$");
        rule(
            pattern.starts_with('^') && pattern.ends_with('$'),
            "Pattern must start with '^' and end with '$'",
        )
    })
}

/// The fields of Gemini's `Schema`: `Unknown name "…": Cannot find field`, `Proto field is not repeating, cannot start list`.
pub fn gemini(schema: &Value) -> Outcome {
    // No parameters at all is fine; an object without a field is not.
    if schema.is_null() {
        return Ok(());
    }
    openai(schema)?;
    rule(schema["properties"] != json!({}), "should be non-empty for OBJECT type")?;
    each(schema, &mut |place| {
        const FIELDS: [&str; 19] = [
            "type", "format", "title", "description", "nullable", "enum", "items", "properties", "required",
            "anyOf", "minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum", "pattern",
            "minProperties", "maxProperties",
        ];
        for (name, _) in place {
            rule(FIELDS.contains(&name.as_str()), &format!("Unknown name \"{name}\": Cannot find field."))?;
        }
        if place.contains_key("anyOf") {
            return rule(place.len() == 1, "when using any_of, it must be the only field set");
        }
        let kind = place.get("type").map(text).unwrap_or_default();
        let is_kind = ["string", "number", "integer", "boolean", "array", "object"].contains(&kind);
        rule(is_kind, "Proto field is not repeating, cannot start list.")?;
        rule(kind != "array" || place.contains_key("items"), "items: missing field")?;
        for choice in place.get("enum").map(list).unwrap_or_default() {
            rule(choice.as_str().is_some_and(|text| !text.is_empty()), "enum: cannot be empty")?;
        }
        rule(kind == "string" || !place.contains_key("enum"), "enum: only allowed for STRING type")?;
        for name in place.get("required").map(list).unwrap_or_default() {
            let known = place.get("properties").and_then(|all| all.get(text(name)));
            rule(known.is_some(), "required: property is not defined")?;
        }
        Ok(())
    })
}

/// Goes over every place of a schema that is one itself.
fn each(schema: &Value, check: &mut dyn FnMut(&Map<String, Value>) -> Outcome) -> Outcome {
    let Value::Object(place) = schema else { return rule(false, "a schema is an object") };
    check(place)?;
    for (_, property) in place.get("properties").and_then(Value::as_object).into_iter().flatten() {
        each(property, check)?;
    }
    for word in ["items", "additionalProperties"] {
        match place.get(word) {
            Some(Value::Array(parts)) => parts.iter().try_for_each(|part| each(part, check))?,
            None => {}
            Some(Value::Bool(_)) if word == "additionalProperties" => {}
            Some(part) => each(part, check)?,
        }
    }
    for word in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        place.get(word).map(list).unwrap_or_default().iter().try_for_each(|part| each(part, check))?;
    }
    Ok(())
}

/// Our own tools, as they are written down beside them, and odd ones of a server elsewhere.
pub static TOOLS: LazyLock<Vec<Arc<ToolSpec>>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Listed {
        name: String,
        description: String,
        input_schema: Value,
    }
    const OWN: &str = include_str!(
        "../../../../crates/tools/src/tests/snapshots/tools__tests__listing__the_tools_as_a_model_reads_them.snap"
    );
    let own: Vec<Listed> = serde_json::from_str(OWN.splitn(3, "---\n").nth(2).unwrap()).unwrap();
    assert!(own.len() > 10, "the tools are there");
    let odd = ODD.iter().map(|(name, schema)| Listed {
        name: remote::names::joined("elsewhere", name),
        description: String::new(),
        input_schema: serde_json::from_str(schema).unwrap(),
    });
    let deep = Listed { name: "elsewhere__deep".into(), description: String::new(), input_schema: deep() };
    let spec = |listed: Listed| {
        let Listed { name, description, input_schema } = listed;
        Arc::new(ToolSpec { title: name.clone(), name, description, input_schema, hints: Hints::default() })
    };
    own.into_iter().chain(odd).chain([deep]).map(spec).collect()
});

/// Names with dots, and what people write into schemas.
const ODD: [(&str, &str); 10] = [
    ("issues.search", r#"{"type": "object"}"#),
    ("issues search!", r#"{"type": "object", "properties": {}}"#),
    (
        "root.any",
        r#"{"type": "object", "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
            "properties": {"id": {"type": ["integer", "null"]}, "name": {"type": "string", "pattern": "[a-z]"}}}"#,
    ),
    (
        "root.one",
        r##"{"type": "object", "oneOf": [{"$ref": "#/$defs/A"}, {"properties": {"b": true}, "required": ["b"]}],
            "$defs": {"A": {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}}}"##,
    ),
    (
        "root.all",
        r#"{"type": "object", "allOf": [{"properties": {"a": {}}}, {"properties": {"a": {"type": "array"}}}]}"#,
    ),
    (
        "root.not",
        r#"{"type": "object", "not": {"required": ["x"]}, "enum": [{}], "if": {}, "then": {},
            "properties": {"x": {"description": "Anything."}}, "required": ["gone"]}"#,
    ),
    (
        "root.ref",
        r##"{"type": "object", "$ref": "#/definitions/All", "definitions": {"All": {"type": "object",
        "properties": {"tree": {"$ref": "#/definitions/All"}, "lost": {"$ref": "other.json#/x"}}}}}"##,
    ),
    (
        "enums",
        r#"{"type": "object", "properties": {
            "a": {"enum": ["x", null, ""]}, "b": {"type": "integer", "enum": [1, 2]}, "c": {"enum": ["x", 1]},
            "d": {"type": ["string", "integer", "null"], "enum": ["x", 1, null]}, "e": {"const": null}}}"#,
    ),
    (
        "words",
        r#"{"type": "object", "additionalProperties": {"type": "string"}, "patternProperties": {"^a": {}}, "properties": {
            "a": {"type": "integer", "format": "uint8", "exclusiveMinimum": 0, "multipleOf": 2, "default": 4},
            "b": {"type": "string", "format": "email", "examples": ["x"], "contentEncoding": "base64"},
            "c": {"type": "array", "prefixItems": [{"type": "string"}, true], "items": false, "uniqueItems": true},
            "d": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"e": {"not": {}}}}], "title": "D"},
            "f": {"type": "object", "required": ["g"], "additionalProperties": false},
            "h": {"allOf": [{"anyOf": [{"type": "null"}, {"type": "number"}]}], "description": "Some."}}}"#,
    ),
    (
        "fields",
        r#"{"type": "object", "properties": {"filter[name]": {"type": "string"}, "ok.too-9": {"type": "boolean"},
            "$top": {"type": "integer"}}}"#,
    ),
];

/// Forty objects, one in the other.
fn deep() -> Value {
    let leaf = json!({"type": ["string", "null"]});
    let inner = (0..40).fold(leaf, |inner, _| json!({"type": "object", "properties": {"in": inner}}));
    json!({"type": "object", "properties": {"in": inner}})
}

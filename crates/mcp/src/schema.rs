//! JSON Schemas from Rust types, in the shape that models and clients read best.

use schemars::JsonSchema;
use schemars::Schema;
use schemars::generate::{Contract, SchemaSettings};
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Value, json};

use crate::meta::LASTING;
use crate::tool::{Tool, ToolDef};

/// Everything a tool says about itself, with the schemas of its types.
///
/// # Panics
/// When the root of a schema is not an object.
#[must_use]
pub fn definition<Cx, T: Tool<Cx>>() -> ToolDef {
    let mut meta = match (T::SHOWN_BY, T::APP_ONLY) {
        ("", false) => Value::Null,
        ("", true) => json!({ "ui": { "visibility": ["app"] } }),
        // The second name is what older hosts look for.
        (page, _) => json!({
            "ui": { "resourceUri": page, "visibility": ["model", "app"] }, "ui/resourceUri": page,
        }),
    };
    if T::LASTING {
        meta[LASTING] = true.into();
    }
    // Who calls a tool for the app alone is the app itself, which knows: its schemas would be a fifth of the text that every start of
    // a worker loads.
    let (input_schema, output_schema) = match T::APP_ONLY {
        true => (json!({ "type": "object" }), Value::Null),
        false => (
            object_root(T::NAME, schema::<T::Args>(Contract::Deserialize)),
            object_root(T::NAME, undescribed(schema::<T::Output>(Contract::Serialize))),
        ),
    };
    ToolDef {
        name: T::NAME.to_owned(),
        title: T::TITLE.to_owned(),
        description: T::DESCRIPTION.to_owned(),
        input_schema,
        output_schema,
        annotations: T::HINTS,
        meta,
    }
}

/// MCP 2026-07-28, server/tools: what a name may be.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// 2020-12 is the protocol's default dialect, so `$schema` is left out, as is the Rust type's name.
/// Types are written in place: small models follow a `$ref` badly.
fn schema<T: JsonSchema>(contract: Contract) -> Schema {
    let mut settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        settings.contract = contract;
    });
    settings.transforms.push(Box::new(RecursiveTransform(DropNumberFormats)));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.remove("description");
    schema
}

/// A result is read and not written: what its fields are is said by their names, and every start of a worker would load the rest.
fn undescribed(mut schema: Schema) -> Schema {
    RecursiveTransform(DropDescriptions).transform(&mut schema);
    schema
}

#[derive(Clone, Debug)]
struct DropDescriptions;

impl Transform for DropDescriptions {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("description");
    }
}

/// `uint32` and `double` are formats of Rust, not of JSON Schema: validators warn about each of them.
#[derive(Clone, Debug)]
struct DropNumberFormats;

impl Transform for DropNumberFormats {
    fn transform(&mut self, schema: &mut Schema) {
        let is_text = match schema.get("type") {
            Some(Value::String(kind)) => kind == "string",
            Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
            _ => false,
        };
        if !is_text {
            schema.remove("format");
        }
    }
}

/// The root must say that it is an object, also where its alternatives already do.
fn object_root(tool: &str, mut schema: Schema) -> Value {
    if schema.get("type").is_none() {
        schema.insert("type".into(), "object".into());
    }
    assert!(
        schema.get("type").is_some_and(|kind| kind == "object"),
        "arguments and output of {tool} must be JSON objects"
    );
    schema.to_value()
}

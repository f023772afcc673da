//! The description is what OpenAPI says a description is, and says what there is.

use serde_json::{Value, json};

use crate::client::DESCRIPTION;
use crate::server::Server;

/// OpenAPI's own schema of version 3.1, as it is published (<https://spec.openapis.org/oas/3.1/schema/2022-10-07>, Apache-2.0).
const SCHEMA: &str = include_str!("../openapi-3.1.json");

#[tokio::test(flavor = "multi_thread")]
async fn a_server_gives_its_description() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let given = server.anna().call("getDescription", &[], None).await;
    assert_eq!((given.status, &given.body), (200, &*DESCRIPTION));
    server.stop().await;
}

#[test]
fn the_description_is_valid() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&DESCRIPTION)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    // One that is wrong is found.
    let mut wrong = DESCRIPTION.clone();
    wrong["paths"]["/v1/sessions"]["get"]["responses"] = json!([]);
    assert!(!validator.is_valid(&wrong));
}

/// What that schema leaves to others: each schema is one, each reference leads somewhere, each operation has a name of its own, and
/// each name in a path is a parameter.
#[test]
fn the_description_holds_together() {
    let schemas = DESCRIPTION["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        assert!(jsonschema::meta::is_valid(schema), "{name}");
    }
    let mut references = Vec::new();
    collect(&DESCRIPTION, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        let found = DESCRIPTION.pointer(reference.strip_prefix('#').unwrap());
        assert!(found.is_some(), "{reference}");
    }
    let mut ids = Vec::new();
    for (path, item) in DESCRIPTION["paths"].as_object().unwrap() {
        let named = item["parameters"].as_array().map_or(0, Vec::len);
        assert_eq!(path.matches('{').count(), named, "{path}");
        for method in ["get", "post", "delete"] {
            ids.extend(item[method]["operationId"].as_str());
        }
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), count), (11, 11), "{ids:?}");
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| collect(value, references));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}

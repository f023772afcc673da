//! The files of a deployment: each is what its tool takes, and names only what the program has (issue 18, build 5).
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may stop where they stand")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn schema(name: &str) -> Value {
    serde_json::from_str(&read(&format!("tests/fixtures/deploy/{name}.json"))).unwrap()
}

fn errors(schema: &Value, what: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).unwrap();
    validator.iter_errors(what).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn compose() -> Value {
    serde_saphyr::from_str(&read("deploy/compose.yaml")).unwrap()
}

fn kubernetes() -> Vec<Value> {
    serde_saphyr::from_multiple(&read("deploy/kubernetes.yaml")).unwrap()
}

#[test]
fn the_compose_file_is_one() {
    assert_eq!(errors(&schema("compose"), &compose()), [""; 0]);
    let mut wrong = compose();
    wrong["services"]["api-1"]["comand"] = json!("typo");
    assert_ne!(errors(&schema("compose"), &wrong), [""; 0], "the schema looks");
}

#[test]
fn the_kubernetes_manifest_is_one() {
    let all = schema("kubernetes");
    let errors_of = |object: &Value| {
        let kind = object["kind"].as_str().unwrap();
        let mut schema = all["kinds"][kind].clone();
        assert!(schema.is_object(), "{kind}");
        schema["$defs"] = all["$defs"].clone();
        errors(&schema, object)
    };
    let objects = kubernetes();
    assert_eq!(objects.len(), 11);
    for object in &objects {
        assert_eq!(errors_of(object), [""; 0], "{} {}", object["kind"], object["metadata"]["name"]);
    }
    let mut wrong = objects.into_iter().find(|object| object["kind"] == "Deployment").unwrap();
    wrong["spec"]["template"]["spec"]["containers"][0]["redinessProbe"] = json!({});
    assert_ne!(errors_of(&wrong), [""; 0], "the schema looks");
}

/// The commands of a deployment: each is one of ours with options that it has.
#[test]
fn every_option_that_is_named_is_there() {
    let mut commands: Vec<Vec<String>> = Vec::new();
    let words = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    for (name, service) in compose()["services"].as_object().unwrap() {
        if name.starts_with("api") || name.starts_with("gateway") {
            commands.push(words(&service["command"]));
        }
    }
    for object in kubernetes().iter().filter(|object| object["kind"] == "Deployment") {
        commands.push(words(&object["spec"]["template"]["spec"]["containers"][0]["args"]));
    }
    for unit in ["deploy/satchel-api.service", "deploy/satchel-serve.service"] {
        let text = read(unit);
        let line =
            text.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/satchel ")).unwrap();
        commands.push(line.split_whitespace().map(str::to_owned).collect());
    }
    assert_eq!(commands.len(), 8);
    for command in commands {
        let help =
            Command::new(env!("CARGO_BIN_EXE_satchel")).args([&command[0], "--help"]).output().unwrap();
        assert!(help.status.success(), "{command:?}");
        let help = String::from_utf8(help.stdout).unwrap();
        for option in command.iter().filter(|word| word.starts_with("--")) {
            let is_there = help.split_whitespace().any(|word| word.trim_end_matches(',') == option);
            assert!(is_there, "{option} of {command:?}");
        }
    }
}

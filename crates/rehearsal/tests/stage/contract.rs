//! A record held to what was agreed: the schema that is written by hand, and what no schema can say.

use rehearsal::Record;
use serde_json::{Value, json};

const SCHEMA: &str = include_str!("../../schema/record.schema.json");

/// What is wrong with a record's JSON, a sentence each; empty where it is as agreed.
pub fn wrong(record: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut wrong: Vec<String> =
        validator.iter_errors(record).map(|error| format!("{}: {error}", error.instance_path())).collect();
    let nothing = Vec::new();
    let history = record["conversation_history"].as_array().unwrap_or(&nothing);
    if record["total_turns"] != json!(history.len()) {
        wrong.push(format!(
            "{} turns are said to be there, and {} are",
            record["total_turns"],
            history.len()
        ));
    }
    for (place, turn) in history.iter().enumerate() {
        if turn["turn"] != json!(place + 1) {
            wrong.push(format!("turn {} is numbered {}", place + 1, turn["turn"]));
        }
        let calls = turn["tool_calls"].as_array().unwrap_or(&nothing);
        let results = turn["tool_results"].as_array().unwrap_or(&nothing);
        if turn["speaker"] != "client" && calls.len() != results.len() {
            wrong.push(format!("turn {}: {} calls, {} results", place + 1, calls.len(), results.len()));
        }
        for call in calls {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            if serde_json::from_str::<Value>(arguments).is_err() {
                wrong.push(format!("turn {}: the arguments are no JSON: {arguments}", place + 1));
            }
        }
    }
    let mut ids: Vec<&str> = history
        .iter()
        .flat_map(|turn| turn["tool_calls"].as_array().unwrap_or(&nothing))
        .filter_map(|call| call["id"].as_str())
        .collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() < count {
        wrong.push("two calls have one id".to_owned());
    }
    wrong
}

/// Holds a record to it, and to coming back equal from its own JSON.
#[track_caller]
pub fn holds(record: &Record) {
    let json = serde_json::to_value(record).unwrap();
    assert_eq!(wrong(&json), [""; 0], "{json:#}");
    assert_eq!(&serde_json::from_value::<Record>(json).unwrap(), record);
}

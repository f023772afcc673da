//! Itineraries as people have them, in `tests/itineraries`: in `faulty` each has one fault, and that one and nothing else is found; in `sane`
//! nothing is (issue 16, acceptance 2). Places are named in `places.json`; a time is `2026-06-15T09:00` in the zone of its place, or with
//! a zone behind it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use trip::check::{check, rule};
use trip::{Finding, Itinerary, Segment, Severity};

struct Case {
    name: String,
    about: String,
    itinerary: Itinerary,
    segments: Vec<Segment>,
    finds: Option<(String, Vec<String>)>,
}

/// All of a folder, by name.
fn cases(folder: &str) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/itineraries");
    let places: Map<String, Value> =
        serde_json::from_str(&fs::read_to_string(root.join("places.json")).unwrap()).unwrap();
    let mut files: Vec<_> =
        fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let mut case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            spell_out(&mut case["itinerary"], &places);
            case["itinerary"]["id"] = json!("trip");
            for segment in case["segments"].as_array_mut().unwrap() {
                segment["itinerary"] = json!("trip");
                spell_out(segment, &places);
            }
            Case {
                about: case["about"].as_str().unwrap().to_owned(),
                itinerary: read(&name, &case["itinerary"]),
                segments: read(&name, &case["segments"]),
                finds: case
                    .get("finds")
                    .map(|finds| (read(&name, &finds["rule"]), read(&name, &finds["rows"]))),
                name,
            }
        })
        .collect()
}

fn read<T: serde::de::DeserializeOwned>(name: &str, value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{name}: {error} in {value}"))
}

/// Names of places become places; a segment's times become a time and a zone.
fn spell_out(row: &mut Value, places: &Map<String, Value>) {
    for field in ["from", "to", "place", "home"] {
        if let Some(name) = row.get(field).and_then(Value::as_str) {
            row[field] = places.get(name).unwrap_or_else(|| panic!("no place {name}")).clone();
        }
    }
    if row.get("kind").is_none() {
        return;
    }
    for field in ["start", "end"] {
        if let Some(text) = row.get(field).and_then(Value::as_str) {
            let (at, zone) = text.split_once(' ').unwrap_or((text, ""));
            row[field] = json!({ "at": at, "zone": zone });
        }
    }
}

fn told(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(|found| format!("\n  {} {:?}: {} → {}", found.rule, found.rows, found.text, found.way_out))
        .collect()
}

#[test]
fn each_planted_fault_is_found_and_nothing_else() {
    let cases = cases("faulty");
    assert!(cases.len() >= 50, "{} itineraries", cases.len());
    let mut wrong = String::new();
    let mut rules = BTreeSet::new();
    for case in cases {
        let findings = check(&case.itinerary, None, &case.segments);
        let (expected, mut rows) = case.finds.unwrap();
        rules.insert(expected.clone());
        let is_right = match findings.as_slice() {
            [found] => {
                let mut found_rows = found.rows.clone();
                found_rows.sort();
                rows.sort();
                found.rule == expected && found_rows == rows && is_for_people(found, &case.segments)
            }
            _ => false,
        };
        if !is_right {
            wrong += &format!(
                "\n{} ({}): expected {expected} {rows:?}, found:{}",
                case.name,
                case.about,
                told(&findings)
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let all: BTreeSet<String> = rule::ALL.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(rules, all, "every rule has an itinerary");
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    let cases = cases("sane");
    assert!(cases.len() >= 50, "{} itineraries", cases.len());
    let wrong: String = cases
        .into_iter()
        .map(|case| (check(&case.itinerary, None, &case.segments), case))
        .filter(|(findings, _)| !findings.is_empty())
        .map(|(findings, case)| format!("\n{} ({}):{}", case.name, case.about, told(&findings)))
        .collect();
    assert!(wrong.is_empty(), "{wrong}");
}

/// Sentences with titles and without ids, errors only where nothing else can be meant, and a call of a tool that there is (D-04).
fn is_for_people(found: &Finding, segments: &[Segment]) -> bool {
    let is_sentence =
        |text: &str| text.ends_with('.') && text.chars().next().is_some_and(|first| !first.is_lowercase());
    let is_error = rule::ERRORS.contains(&found.rule);
    let names = |id: &String| {
        let title = segments.iter().find(|segment| segment.id == *id).map(|segment| &*segment.title);
        title.is_some_and(|title| {
            found.text.contains(title)
                || found.rows.len() > 1
                || found.rule == rule::NIGHT_WITHOUT_BED
                || found.rule == rule::OTHER_CURRENCY
        })
    };
    is_sentence(&found.text)
        && is_sentence(&found.way_out)
        && (found.severity == Severity::Error) == is_error
        && found.rows.iter().all(names)
}

/// Every call names a tool of ours, with arguments that the tool takes.
#[test]
fn calls_are_of_tools_that_there_are() {
    let tools_of_ours = trip::tools(&trip::atlas::Blank);
    let definitions = tools_of_ours.definitions();
    let mut tools = BTreeSet::new();
    for case in cases("faulty") {
        for found in check(&case.itinerary, None, &case.segments) {
            let Some(call) = found.call else { continue };
            let definition = definitions.iter().find(|tool| tool.name == call.tool).unwrap();
            let schema = serde_json::to_value(&definition.input_schema).unwrap();
            let validator = jsonschema::validator_for(&schema).unwrap();
            assert!(validator.is_valid(&call.arguments), "{}: {} {}", case.name, call.tool, call.arguments);
            tools.insert(call.tool);
        }
    }
    assert!(tools.contains("move_segment") && tools.contains("update_segment"), "{tools:?}");
}

/// What is accepted is not said again: on a row, and on the itinerary for what is of it as a whole. An error cannot be.
#[test]
fn what_is_accepted_is_silent() {
    for mut case in cases("faulty") {
        let (expected, rows) = case.finds.unwrap();
        let accepted =
            trip::Accepted { rule: expected.clone(), why: "It is so on purpose.".into(), of: Vec::new() };
        match case.segments.iter_mut().find(|segment| rows.last() == Some(&segment.id)) {
            Some(segment) => segment.accepted.push(accepted),
            None => case.itinerary.accepted.push(accepted),
        }
        let left = check(&case.itinerary, None, &case.segments);
        let is_error = left.iter().any(|found| found.severity == Severity::Error);
        assert!(left.is_empty() || (is_error && left.len() == 1), "{}:{}", case.name, told(&left));
    }
}

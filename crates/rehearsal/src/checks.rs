//! What is looked at after a conversation.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::matching::{all_fit, pattern};
use crate::outcome::{CheckResult, Cost};
use crate::record::{END_CALL, HANDOFF, Record, Status};
use crate::scenario::{CalledCheck, Check, RowsCheck};
use crate::session::Made;

/// What checks look at.
pub(crate) struct Played<'a> {
    pub record: &'a Record,
    pub made: &'a [Made],
    pub cost: &'a Cost,
    /// All rows afterwards; none without real tools.
    pub rows: Option<&'a Map<String, Value>>,
    /// The hash of the database before and afterwards.
    pub hashes: Option<(&'a str, &'a str)>,
    /// What answers said that nothing supports, in their words.
    pub doubts: &'a [String],
    /// Tools that change nothing.
    pub read_only: &'a BTreeSet<String>,
}

/// Looks at everything a scenario wants to be so. How it ended is always looked at.
pub(crate) fn check_all(checks: &[Check], played: &Played<'_>) -> Vec<CheckResult> {
    let mut results = Vec::new();
    if !checks.iter().any(|check| matches!(check, Check::Status(_))) {
        results.push(status(&[Status::Completed], played.record));
    }
    for check in checks {
        results.extend(one(check, played));
    }
    results
}

fn one(check: &Check, played: &Played<'_>) -> Vec<CheckResult> {
    match check {
        Check::Status(wanted) => vec![status(wanted, played.record)],
        Check::Called(wanted) => wanted.iter().map(|wanted| called(wanted, played.made)).collect(),
        Check::NotCalled(tools) => tools.iter().map(|tool| not_called(tool, played.made)).collect(),
        Check::Order(tools) => vec![in_order(tools, played.made)],
        Check::NoDoubles(wanted) => vec![no_doubles(*wanted, played)],
        Check::Said(patterns) => patterns.all().iter().map(|text| said(text, true, played.record)).collect(),
        Check::NotSaid(patterns) => {
            patterns.all().iter().map(|text| said(text, false, played.record)).collect()
        }
        Check::Rows(wanted) => vec![rows(wanted, played.rows)],
        Check::StateHash(wanted) => {
            let found = played.hashes.map_or("no database", |(_, after)| after);
            vec![result("the state's hash", found == wanted, || format!("it is {found}"))]
        }
        Check::Unchanged(wanted) => {
            let is_same = played.hashes.map(|(before, after)| before == after);
            let name = if *wanted { "the database is as it was" } else { "the database is another" };
            vec![result(name, is_same == Some(*wanted), || match is_same {
                None => "there is no database".to_owned(),
                Some(true) => "it is as it was".to_owned(),
                Some(false) => format!("it was changed by: {}", names(writes(played))),
            })]
        }
        Check::Evidence(wanted) => {
            let name = if *wanted { "every answer is supported" } else { "an answer is not supported" };
            vec![result(name, played.doubts.is_empty() == *wanted, || {
                if played.doubts.is_empty() {
                    "all of it is".to_owned()
                } else {
                    format!("not supported: {}", played.doubts.join("; "))
                }
            })]
        }
        Check::Agents(wanted) => {
            let spoke = agents(played.record);
            vec![result(&format!("agents {}", wanted.join(", ")), spoke == *wanted, || {
                format!("those who spoke: {}", spoke.join(", "))
            })]
        }
        Check::MaxSteps(most) => vec![at_most("steps", f64::from(*most), Some(f64::from(played.cost.steps)))],
        Check::MaxTurns(most) => {
            vec![at_most("turns", f64::from(*most), Some(f64::from(played.record.total_turns)))]
        }
        Check::MaxCost(most) => vec![at_most("US dollars", *most, played.cost.usd)],
        Check::MaxSeconds(most) => vec![at_most("seconds", *most, Some(played.record.duration_seconds))],
    }
}

fn result(check: &str, passed: bool, found: impl FnOnce() -> String) -> CheckResult {
    CheckResult { check: check.to_owned(), passed, found: if passed { String::new() } else { found() } }
}

/// A check that cannot be carried out does not hold.
fn broken(check: &str, why: String) -> CheckResult {
    CheckResult { check: check.to_owned(), passed: false, found: why }
}

fn status(wanted: &[Status], record: &Record) -> CheckResult {
    let names: Vec<&str> = wanted.iter().map(|status| status.name()).collect();
    result(&format!("it ends as {}", names.join(" or ")), wanted.contains(&record.status), || {
        let why = record.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
        format!("it ended as {}{why}", record.status.name())
    })
}

fn called(wanted: &CalledCheck, made: &[Made]) -> CheckResult {
    let nothing = Map::new();
    let (tool, arguments, times) = match wanted {
        CalledCheck::Tool(tool) => (tool, &nothing, None),
        CalledCheck::With(with) => (&with.tool, &with.arguments, with.times),
    };
    let mut name = format!("called {tool}");
    if !arguments.is_empty() {
        name += &format!(" with {}", Value::Object(arguments.clone()));
    }
    if let Some(times) = times {
        name += &format!(", {times} times");
    }
    let of_tool: Vec<&Made> = made.iter().filter(|made| made.name == *tool).collect();
    let mut count = 0;
    for made in of_tool.iter().filter(|made| !made.is_error) {
        let found = made.arguments.as_object().unwrap_or(&nothing);
        match all_fit(arguments, found) {
            Ok(true) => count += 1,
            Ok(false) => {}
            Err(why) => return broken(&name, why),
        }
    }
    result(&name, times.map_or(count > 0, |times| count == times), || {
        if of_tool.is_empty() {
            return format!("called were: {}", names(made));
        }
        let all: Vec<String> = of_tool
            .iter()
            .map(|made| format!("{}{}", made.arguments, if made.is_error { " (failed)" } else { "" }))
            .collect();
        format!("{count} fit of: {}", all.join(", "))
    })
}

fn not_called(tool: &str, made: &[Made]) -> CheckResult {
    let found = made.iter().find(|made| made.name == tool && !made.is_error);
    result(&format!("did not call {tool}"), found.is_none(), || {
        found.map(|made| format!("called in turn {} with {}", made.turn, made.arguments)).unwrap_or_default()
    })
}

fn in_order(tools: &[String], made: &[Made]) -> CheckResult {
    let mut left = tools.iter().peekable();
    for made in made.iter().filter(|made| !made.is_error) {
        left.next_if(|tool| **tool == made.name);
    }
    result(&format!("called in order: {}", tools.join(", ")), left.peek().is_none(), || {
        format!("called were: {}", names(made))
    })
}

/// The calls that were carried out and are not known to change nothing.
fn writes<'a>(played: &'a Played<'_>) -> impl Iterator<Item = &'a Made> {
    played.made.iter().filter(|made| {
        let is_ours = made.name == END_CALL || made.name.starts_with(HANDOFF);
        !made.is_error && !is_ours && !played.read_only.contains(&made.name)
    })
}

fn no_doubles(wanted: bool, played: &Played<'_>) -> CheckResult {
    let mut seen: Vec<(&str, &Value)> = Vec::new();
    let mut double = None;
    for made in writes(played) {
        if seen.contains(&(&made.name, &made.arguments)) {
            double = Some(made);
            break;
        }
        seen.push((&made.name, &made.arguments));
    }
    let name = if wanted { "nothing was done twice" } else { "something was done twice" };
    result(name, double.is_none() == wanted, || match double {
        Some(made) => format!("{} with {} again in turn {}", made.name, made.arguments, made.turn),
        None => "nothing was".to_owned(),
    })
}

fn said(source: &str, wanted: bool, record: &Record) -> CheckResult {
    let name = format!("{} “{source}”", if wanted { "said" } else { "did not say" });
    let found = match pattern(source) {
        Ok(pattern) => {
            let mut turns = record.conversation_history.iter().filter(|turn| turn.speaker != "client");
            turns.find(|turn| pattern.is_match(&turn.content))
        }
        Err(why) => return broken(&name, why),
    };
    result(&name, found.is_some() == wanted, || match found {
        Some(turn) => format!("turn {}: {}", turn.turn, turn.content),
        None => {
            let last = record.conversation_history.iter().rev().find(|turn| turn.speaker != "client");
            last.map_or_else(
                || "no agent said anything".to_owned(),
                |turn| format!("last was said: {}", turn.content),
            )
        }
    })
}

fn rows(wanted: &RowsCheck, rows: Option<&Map<String, Value>>) -> CheckResult {
    let RowsCheck { table, fields, count } = wanted;
    let mut name = format!("rows of {table}");
    if !fields.is_empty() {
        name += &format!(" with {}", Value::Object(fields.clone()));
    }
    name += &count.map_or_else(|| ": at least one".to_owned(), |count| format!(": {count}"));
    let Some(rows) = rows else { return broken(&name, "there is no database".to_owned()) };
    let nothing = Map::new();
    let all = rows.get(table).and_then(Value::as_object).unwrap_or(&nothing);
    let mut found = 0;
    for row in all.values().filter_map(Value::as_object) {
        match all_fit(fields, row) {
            Ok(true) => found += 1,
            Ok(false) => {}
            Err(why) => return broken(&name, why),
        }
    }
    result(&name, count.map_or(found > 0, |count| found == count), || {
        let tables: Vec<&str> = rows.keys().map(String::as_str).collect();
        let shown: Vec<String> = all.values().take(10).map(Value::to_string).collect();
        if all.is_empty() {
            format!("{table} is empty; tables with rows: {}", tables.join(", "))
        } else {
            format!("{found} of {}: {}", all.len(), shown.join(", "))
        }
    })
}

fn agents(record: &Record) -> Vec<String> {
    let mut spoke: Vec<String> = Vec::new();
    for turn in record.conversation_history.iter().filter(|turn| turn.speaker != "client") {
        let name = turn.speaker.strip_prefix("agent_").unwrap_or(&turn.speaker);
        if !spoke.iter().any(|there| there == name) {
            spoke.push(name.to_owned());
        }
    }
    spoke
}

fn at_most(what: &str, most: f64, found: Option<f64>) -> CheckResult {
    result(&format!("at most {most} {what}"), found.is_some_and(|found| found <= most), || {
        found.map_or_else(|| "it is not known".to_owned(), |found| format!("{found} {what}"))
    })
}

fn names<'a>(made: impl IntoIterator<Item = &'a Made>) -> String {
    let name = |made: &Made| format!("{}{}", made.name, if made.is_error { " (failed)" } else { "" });
    let names: Vec<String> = made.into_iter().map(name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

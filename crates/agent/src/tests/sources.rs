//! What an answer may rest on, taken from the log.

use protocol::{Origin, ToolCall, Usage};

use super::*;
use crate::{ContextBlock, Disposition, Ending, Entry, EntryBody, RequestedCall, sources};

/// A log of two runs: in the first a list is read, in the second a deletion is declined.
fn two_runs(last_answer: &str) -> AgentState {
    let response = |step: u32, text: &str, calls: Vec<RequestedCall>| EntryBody::Response {
        step,
        model: "m".into(),
        routed: None,
        text: text.into(),
        thought: String::new(),
        calls,
        usage: Usage::default(),
        sent: None,
        confidence: None,
        stop: StopReason::Stop,
        started_ms: 0,
        span_id: String::new(),
        retries: Vec::new(),
    };
    let asked = |id: &str, name: &str, plan: Disposition| RequestedCall {
        call: ToolCall { id: CallId(id.into()), name: name.into(), arguments: json!({"title": "Bread"}) },
        title: name.into(),
        plan,
        tainted_by: None,
    };
    let context = Context {
        civil: "2026-11-21T22:30+01:00".into(),
        weekday: "Saturday".into(),
        zone: "Europe/Berlin".into(),
        blocks: vec![ContextBlock { text: "Milk\nBread".into(), ..ContextBlock::default() }],
    };
    let user = |text: &str| EntryBody::User {
        text: text.into(),
        images: vec![],
        boundary: "b".into(),
        context: context.clone(),
    };
    let result = ToolResult {
        call_id: CallId("call_1".into()),
        name: "todo_list".into(),
        is_error: false,
        content: r#"{"total": 7}"#.into(),
        structured: Some(json!({"total": 7})),
    };
    let ended = EntryBody::Ended {
        ending: Ending::Complete { stop: StopReason::Stop },
        note: String::new(),
        partial: None,
        repairs: vec![],
        doubts: vec![],
    };
    let bodies = [
        ("run_1", user("How many?")),
        ("run_1", response(1, "", vec![asked("call_1", "todo_list", Disposition::Read)])),
        ("run_1", EntryBody::Result { result, started_ms: 0, kept: None, outside: false }),
        ("run_1", response(2, "You have 7 to-dos.", vec![])),
        ("run_1", ended.clone()),
        ("run_2", user("Delete bread")),
        ("run_2", response(1, "", vec![asked("call_2", "todo_delete", Disposition::Ask)])),
        ("run_2", EntryBody::Decision { call_id: CallId("call_2".into()), approved: false }),
        ("run_2", response(2, last_answer, vec![])),
        ("run_2", ended),
    ];
    let entries = bodies.into_iter().zip(0..).map(|((run, body), seq)| Entry {
        seq,
        at_ms: i64::try_from(seq).unwrap(),
        run_id: RunId(run.into()),
        body,
    });
    AgentState::from_entries("c", AgentConfig::new("You are a test."), entries)
}

#[test]
fn the_sources_of_an_answer_are_taken_from_the_log() {
    let answer = "Of the 7 to-dos I deleted Bread [todo_delete:call_2], as on 21 November.";
    let state = two_runs(answer);
    let sources = sources(&state);
    let heads: Vec<(Origin, &str, bool)> =
        sources.iter().map(|source| (source.origin, source.call_id.as_str(), source.failed)).collect();
    let expected = [
        (Origin::Call, "call_1", false),
        (Origin::Call, "call_2", true),
        (Origin::Person, "", false),
        (Origin::Person, "", false),
        (Origin::Context, "", false),
        (Origin::Context, "", false),
    ];
    assert_eq!(heads, expected);
    // What the person declined was not done, whatever the answer says.
    let report = evidence::check(answer, &sources);
    let wrong: Vec<&str> = report.unsupported().map(|claim| &answer[claim.range.clone()]).collect();
    assert!(wrong.contains(&"[todo_delete:call_2]"), "{report:?}");
    let honest = "You declined, so nothing was deleted [todo_delete:call_2].";
    assert_eq!(evidence::check(honest, &sources).unsupported().count(), 0);
}

//! What was agreed of results, letter by letter: S2-06 to S2-17, S2-23, S2-27 to S2-30 and D-21.

use crate::stage;

use std::rc::Rc;

use proptest::prelude::*;
use rehearsal::record::{Call, end_call_result, handoff_result, safe_parse_tool_result};
use rehearsal::{ConversationEngine, Status, Turn, Verdict};
use serde_json::{Value, json};
use stage::desk::{at_the_desk, held, turns};
use stage::{contract, ports, scenario};

/// S2-30, S2-10, S2-11: the turn that was agreed on comes back with every value as it was.
#[test]
fn the_golden_turn_goes_through_unchanged() {
    let golden = json!({
        "turn": 2,
        "speaker": "agent_agent",
        "content": "",
        "timestamp": "2025-06-26T18:07:12.088764",
        "tool_calls": [{
            "id": "call_VP4wTiwyV1tV2W8xCPnQDhGH",
            "type": "function",
            "function": {
                "name": "set_current_location",
                "arguments": "{\"location_id\": 1, \"execution_message\": \"Переключаюсь на склад\"}",
            },
        }],
        "tool_results": ["Текущая локация: склад"],
    });
    let turn: Turn = serde_json::from_value(golden.clone()).unwrap();
    assert_eq!(serde_json::to_value(&turn).unwrap(), golden);
    // Byte by byte: fields in the agreed order, spaces in the arguments, letters unescaped.
    let written = serde_json::to_string(&turn).unwrap();
    assert!(written.starts_with(r#"{"turn":2,"speaker":"agent_agent","content":"","timestamp":"2025-06-26T18:07:12.088764","tool_calls":[{"id":"call_VP4wTiwyV1tV2W8xCPnQDhGH","type":"function","function":{"name":"set_current_location","arguments":"{\"location_id\": 1, \"execution_message\": \"Переключаюсь на склад\"}"}}]"#), "{written}");
    let record = json!({
        "session_id": "s", "scenario": "x", "status": "completed", "total_turns": 2, "duration_seconds": 1.0,
        "conversation_history": [
            {"turn": 1, "speaker": "client", "content": "Склад!", "timestamp": "2025-06-26T18:07:10.000000"},
            golden,
        ],
        "start_time": "2025-06-26T18:07:10.000000", "end_time": "2025-06-26T18:07:12.088764", "tools_used": true,
    });
    assert_eq!(contract::wrong(&record), [""; 0]);
}

/// The schema is no rubber stamp: each of these is refused.
#[test]
fn what_was_not_agreed_is_refused() {
    let record = json!(at_the_desk("[the store please]", "{say: a box}").outcome.record);
    assert_eq!(contract::wrong(&record), [""; 0]);
    for (place, value) in [
        ("/status", json!("blocked")),
        ("/total_turns", json!(99)),
        ("/start_time", json!("2026-01-02 09:00")),
        ("/tools_used", json!(false)),
        ("/conversation_history/0/content", json!("")),
        ("/conversation_history/1/content", json!(null)),
        ("/conversation_history/1/speaker", json!("agent")),
        ("/conversation_history/0/turn", json!(0)),
        ("/conversation_history/1/tool_calls/0/id", json!("7")),
        ("/conversation_history/1/tool_calls/0/type", json!("tool")),
        ("/conversation_history/1/tool_calls/0/function/arguments", json!({})),
        ("/conversation_history/1/tool_calls/0/function/arguments", json!("{")),
        ("/conversation_history/1/tool_results", json!([])),
        ("/conversation_history/1/tool_results/0", json!({"status": "handed over"})),
        ("/conversation_history/1/tool_results/0", json!({"error": "no"})),
        ("/conversation_history/3/tool_calls/0/function/name", json!("shelf")),
        ("/conversation_history/0/tool_results", json!(["a client has none"])),
        ("/error", json!("completed, and yet")),
    ] {
        let mut other = record.clone();
        let (parent, field) = place.rsplit_once('/').unwrap();
        match other.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[field.parse::<usize>().unwrap()] = value,
            Value::Object(fields) => drop(fields.insert(field.to_owned(), value)),
            leaf => panic!("{leaf} has no {field}"),
        }
        assert_ne!(contract::wrong(&other), [""; 0], "{place}");
    }
}

/// S2-11: arguments in another script are sent, answered and written as they are.
#[test]
fn cyrillic_arguments_are_never_escaped() {
    let outcome = held(
        r#"
name: склад
client: {says: [Переключи]}
assistant:
  script:
    - call: [{tool: set_current_location, with: {location_id: 1, execution_message: Переключаюсь на склад}}]
    - say: Готово.
tools:
  mode: emulated
  emulated: {set_current_location: {answers: [{say: "{{ args.execution_message }}"}]}}
checks:
  - called: [{tool: set_current_location, with: {location_id: 1, execution_message: Переключаюсь на склад}}]
"#,
    );
    assert_eq!(outcome.verdict, Verdict::Passed);
    let written = serde_json::to_string(&outcome.record).unwrap();
    assert!(
        written.contains(r#"\"execution_message\":\"Переключаюсь на склад\""#) && !written.contains(r"\u04")
    );
    let call = &turns(&outcome)[1].tool_calls[0].function;
    let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
    assert_eq!(arguments, json!({"location_id": 1, "execution_message": "Переключаюсь на склад"}));
    // S2-14: what a tool says stays text.
    assert_eq!(turns(&outcome)[1].tool_results, [json!("Переключаюсь на склад")]);
}

/// S2-06, S2-23, S2-25, D-21: each way to end, by its name and with its reason.
#[test]
fn every_status_is_reached_and_says_why() {
    let fails = |status: u16, message: &str| {
        format!(
            "name: x\nclient: {{says: [Hi]}}\nassistant: {{script: [{{fail: {{status: {status}, message: \"{message}\"}}}}]}}\n"
        )
    };
    let blocked = "Country, region, or territory not supported";
    let slow = r#"
name: x
timeout_sec: 10
client: {says: [Hi, Again]}
assistant: {script: [{say: "Yes?"}, {call: [{tool: slow}]}, {say: Done.}]}
tools: {mode: emulated, emulated: {slow: {answers: [{takes_ms: 60000}]}}}
"#;
    let endless = "name: x\nmax_turns: 3\nclient: {says: [a, b, c, d]}\nassistant: {script: [{say: a}, {say: b}, {say: c}]}\n";
    for (text, status, name, verdict, turns) in [
        ("name: x\nclient: {says: [hello]}\n".to_owned(), Status::Completed, "completed", Verdict::Passed, 3),
        (fails(400, "bad request"), Status::Failed, "failed", Verdict::NotPlayed, 2),
        (fails(403, blocked), Status::FailedApiBlocked, "failed_api_blocked", Verdict::NotPlayed, 2),
        (slow.to_owned(), Status::TimedOut, "timed_out", Verdict::Failed, 4),
        (endless.to_owned(), Status::TurnLimit, "turn_limit", Verdict::Failed, 3),
    ] {
        let outcome = held(&text);
        let record = &outcome.record;
        assert_eq!((record.status, outcome.verdict, record.total_turns), (status, verdict, turns), "{text}");
        assert_eq!((json!(record.status), record.status.name()), (json!(name), name));
        assert_eq!(record.error.is_some(), status != Status::Completed, "{text}");
        // What is expected to end so passes.
        let expected = format!("{text}checks: [{{status: [{name}]}}]\n");
        assert_eq!(held(&expected).verdict, Verdict::Passed, "{expected}");
    }
    let record = held(&fails(403, blocked)).record;
    assert!(record.error.unwrap().contains(blocked));
    let late = held(slow);
    assert_eq!(
        (late.record.duration_seconds, late.record.end_time.as_str()),
        (10.0, "2026-01-02T09:00:10.000000")
    );
    // What was done before the time was over is not lost, nor is the turn that it was over in.
    assert_eq!((late.cost.steps, late.models.assistant.as_str()), (2, "scripted"));
}

/// S2-02, S2-08, S2-27: without tools there is none, and speakers are `agent` and `client`.
#[test]
fn without_tools_turns_are_basic_ones() {
    let text = "name: x\nclient: {says: [hello, Add milk]}\ntools: {mode: none}\n";
    let outcome = held(text);
    assert_eq!(outcome.record.tools_used, None);
    let speakers: Vec<&str> = turns(&outcome).iter().map(|turn| turn.speaker.as_str()).collect();
    assert_eq!(speakers, ["client", "agent", "client", "agent", "client"]);
    assert!(turns(&outcome).iter().all(|turn| turn.tool_calls.is_empty() && turn.tool_results.is_empty()));
    let written = json!(outcome.record).to_string();
    assert!(["tool_calls", "tool_results", "tools_used"].iter().all(|field| !written.contains(field)));
    // The method decides, too (S2-18).
    let scenario = scenario("name: x\nclient: {says: [hello]}\n");
    let (time, ports) = ports(&scenario);
    let engine = ConversationEngine::new(ports, Rc::default(), None);
    let basic = time.run(engine.run_conversation(&scenario, 1, None, None)).unwrap();
    contract::holds(&basic.outcome.record);
    let with_tools = time.run(engine.run_conversation_with_tools(&scenario, 1, None, None)).unwrap();
    assert_eq!((basic.outcome.record.tools_used, with_tools.outcome.record.tools_used), (None, Some(true)));
}

/// S2-07, S2-15, S2-16, S2-19, S2-26, S2-27.
#[test]
fn agents_hand_over_and_end_the_call() {
    let played = at_the_desk("[Hello, the store please, take me back, bye]", "{say: a box}");
    let outcome = &played.outcome;
    let spoken: Vec<(&str, &str)> =
        turns(outcome).iter().map(|turn| (turn.speaker.as_str(), turn.content.as_str())).collect();
    assert_eq!(
        spoken,
        [
            ("client", "Hello"),
            ("agent_agent", "Yes?"),
            ("client", "the store please"),
            ("agent_agent", ""),
            ("agent_store", "a box"),
            ("client", "take me back"),
            ("agent_store", ""),
            ("agent_agent", "Yes?"),
            ("client", "bye"),
            ("agent_agent", ""),
        ]
    );
    assert_eq!(
        turns(outcome)[3].tool_results,
        [
            json!({"status": "handoff_completed", "target_agent": "store", "message": "Successfully handed off conversation to store"})
        ]
    );
    assert_eq!(turns(outcome)[3].tool_results, [handoff_result("store")]);
    assert_eq!(
        turns(outcome)[9].tool_results,
        [json!({"status": "call_ended", "reason": "conversation completed"})]
    );
    assert_eq!(turns(outcome)[9].tool_results, [end_call_result()]);
    assert_eq!(played.run_files.keys().collect::<Vec<_>>(), ["agent", "store"], "each has its own context");
}

/// S2-10: whichever agent makes it, a call has an id of its own.
#[test]
fn calls_of_several_agents_have_ids_of_their_own() {
    let outcome = at_the_desk("[the store, what is there, back, the store, more]", "{say: a box}").outcome;
    let ids: Vec<&str> =
        turns(&outcome).iter().flat_map(|turn| &turn.tool_calls).map(|call| call.id.as_str()).collect();
    // Those of the agents, and the client's that ends it.
    assert_eq!(ids.len(), 7 + 1, "{ids:?}");
    assert!(ids.iter().all(|id| id.len() == "call_VP4wTiwyV1tV2W8xCPnQDhGH".len()), "{ids:?}");
    assert_eq!(outcome.cost.tool_calls, 7);
}

/// S2-09 [T]: a call that was never carried out has a result nevertheless.
#[test]
fn a_call_that_was_not_carried_out_has_a_result() {
    let calls = vec!["{tool: a}"; 40].join(", ");
    let outcome = held(&format!(
        "name: x\nclient: {{says: [go, on]}}\nassistant: {{script: [{{call: [{calls}]}}, {{say: Here I am.}}, {{say: Here I am.}}]}}\ntools: {{mode: emulated, emulated: {{a: {{answers: [{{say: done}}]}}}}}}\n"
    ));
    let turn = &turns(&outcome)[1];
    assert_eq!((turn.tool_calls.len(), turn.tool_results.len()), (40, 40));
    let failed = turn.tool_results.iter().filter(|result| result["error"].is_string()).count();
    assert!(failed > 0, "{turn:?}");
    let notes: Vec<(u32, &str)> = outcome.notes.iter().map(|note| (note.turn, note.kind.as_str())).collect();
    assert!(notes.contains(&(2, "run_limited")) && notes.iter().all(|(turn, _)| *turn == 2), "{notes:?}");
    assert_eq!(
        (outcome.record.status, turns(&outcome)[3].content.as_str()),
        (Status::Completed, "Here I am.")
    );
    // One that comes after the call was ended is none either.
    let outcome = held(
        "name: x\nclient: {says: [go, on]}\nassistant: {script: [{say: Bye., call: [{tool: end_call}, {tool: a}]}]}\ntools: {mode: emulated, emulated: {a: {answers: [{say: done}]}}}\n",
    );
    assert_eq!(turns(&outcome).len(), 2);
    assert_eq!(turns(&outcome)[1].tool_results[0], end_call_result());
    assert!(turns(&outcome)[1].tool_results[1]["error"].is_string());
    // And one whose arguments do not fit.
    let outcome = held(
        "name: x\nclient: {says: [go]}\nassistant: {script: [{call: [{tool: a, with: {n: text}}]}, {say: No.}]}\ntools: {mode: emulated, emulated: {a: {input: {type: object, properties: {n: {type: integer}}}, answers: [{say: done}]}}}\n",
    );
    assert!(turns(&outcome)[1].tool_results[0]["error"].is_string(), "{:?}", turns(&outcome)[1]);
}

/// S2-29, S2-09: whoever ends it, a client says something, and an agent that only calls says nothing.
#[test]
fn content_is_never_null() {
    let outcome = held("name: x\nclient: {says: [Add milk], goodbye: Bye.}\n");
    let last = turns(&outcome).last().unwrap();
    assert_eq!((last.content.as_str(), last.tool_calls[0].function.name.as_str()), ("Bye.", "end_call"));
    assert!(last.tool_results.is_empty());
    let silent = at_the_desk("[the store]", "{say: a box}").outcome;
    assert_eq!(json!(turns(&silent)[1])["content"], "");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// S2-28: it never fails, what is no JSON stays as it is, and JSON is read.
    #[test]
    fn reading_a_result_never_fails(text in any::<String>(), number in any::<i64>()) {
        match serde_json::from_str::<Value>(&text) {
            Ok(json) => prop_assert_eq!(safe_parse_tool_result(&text), json),
            Err(_) => prop_assert_eq!(safe_parse_tool_result(&text), Value::String(text)),
        }
        prop_assert_eq!(safe_parse_tool_result(&format!("{{\"n\": {number}}}")), json!({"n": number}));
        prop_assert_eq!(safe_parse_tool_result("{\"n\": "), json!("{\"n\": "));
    }

    /// S2-10, S2-11: arguments of any letters come back from the text that they are sent as.
    #[test]
    fn arguments_come_back(key in any::<String>(), text in any::<String>()) {
        let arguments = json!({key: [text, 1, null]});
        let call = Call::new("call_1".into(), "tool", &arguments);
        let again: Call = serde_json::from_str(&serde_json::to_string(&call).unwrap()).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&again.function.arguments).unwrap(), arguments);
    }
}

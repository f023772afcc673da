//! What was agreed of results, letter by letter: S2-01 to S2-30 and D-21, a test for each thing that could be otherwise.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod stage;

use std::cell::RefCell;
use std::rc::Rc;

use agent::{EvidencePolicy, Model, ModelStream};
use async_trait::async_trait;
use futures::StreamExt;
use proptest::prelude::*;
use protocol::{Failure, Message, ModelEvent, ModelRequest, StopReason, Usage};
use rehearsal::record::{Call, end_call_result, error_result, handoff_result, safe_parse_tool_result};
use rehearsal::webhook::{Fetch, Fetched, NotFetched};
use rehearsal::{
    Cast, ConversationEngine, ModelSource, Outcome, Ports, PromptSpecs, Rehearsed, Role, Status, Turn,
    Verdict, Webhook, read,
};
use serde_json::{Value, json};
use stage::{contract, play, play_with, ports, scenario};

/// Prompts of one file's text under a name.
fn prompts(name: &str, text: &str) -> PromptSpecs {
    let mut all = PromptSpecs::default();
    all.insert(name, read::prompts("prompts.yaml", text).unwrap());
    all
}

/// Plays a scenario and holds its record to the contract.
#[track_caller]
fn held(text: &str) -> Outcome {
    let outcome = play(text).outcome;
    contract::holds(&outcome.record);
    outcome
}

fn turns(outcome: &Outcome) -> &[Turn] {
    &outcome.record.conversation_history
}

/// Two agents that hand over to one another when they are told to, and a tool.
const DESK: &str = r#"
agents:
  agent:
    prompt: You answer at the desk of {{ shop }}.
    handoffs: [store]
    rules:
      - {when: store, call: [{tool: handoff_store, with: {reason: the store is wanted}}], say: "That failed."}
      - {when: nowhere, call: [{tool: handoff_nowhere}], say: "There is nobody of that name."}
      - {when: bye, call: [{tool: end_call}]}
      - {when: ".*", say: "Yes?"}
  store:
    prompt: You look after the store.
    handoffs: [agent]
    rules:
      - {when: back, call: [{tool: handoff_agent}]}
      - {when: ".*", call: [{tool: shelf, with: {number: 7}}], say: "{{ results[0] }}"}
  support:
    prompt: You are a person.
    rules: [{when: ".*", say: "A person speaks."}]
"#;

/// A scenario on that desk: the client says these, and the tool answers this.
fn at_the_desk(says: &str, shelf: &str) -> Rehearsed {
    let text = format!(
        "name: desk\nprompts: desk\nvariables: {{shop: Holm}}\nclient: {{says: {says}}}\ntools: {{mode: emulated, emulated: {{shelf: {{answers: [{shelf}]}}}}}}\n"
    );
    let played = play_with(&scenario(&text), prompts("desk", DESK), 1);
    contract::holds(&played.outcome.record);
    played
}

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
        (slow.to_owned(), Status::TimedOut, "timed_out", Verdict::Failed, 3),
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
    // What was done before the time was over is not lost.
    assert_eq!((late.cost.steps, late.models.assistant.as_str()), (1, "scripted"));
}

/// S2-02, S2-25: what the caller says comes before what the scenario says.
#[test]
fn a_caller_sets_turns_and_time() {
    let scenario = scenario(
        "name: x\nclient: {says: [a, b, c]}\nassistant: {script: [{say: a}, {call: [{tool: slow}]}, {say: b}, {say: c}]}\ntools: {mode: emulated, emulated: {slow: {answers: [{takes_ms: 5000}]}}}\n",
    );
    for (most, seconds, status) in [
        (None, None, Status::Completed),
        (Some(2), None, Status::TurnLimit),
        (None, Some(1.0), Status::TimedOut),
    ] {
        let (time, ports) = ports(&scenario);
        let engine = ConversationEngine::new(ports, Rc::default(), None);
        let played = time.run(engine.run_conversation_with_tools(&scenario, 1, most, seconds)).unwrap();
        contract::holds(&played.outcome.record);
        assert_eq!(played.outcome.record.status, status);
    }
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

/// S2-17, S2-24: a tool that fails and a hand-over that fails are answered and noted, and the conversation goes on.
#[test]
fn what_fails_is_said_and_the_conversation_goes_on() {
    let outcome =
        at_the_desk("[the store please, once more]", "{error: the shelf is gone, times: 1}, {say: a box}")
            .outcome;
    assert_eq!(outcome.record.status, Status::Completed);
    assert_eq!(
        turns(&outcome)[2].tool_results,
        [json!({"error": "Tool execution failed: the shelf is gone"})]
    );
    assert_eq!(turns(&outcome)[2].tool_results, [error_result("the shelf is gone")]);
    assert_eq!(turns(&outcome)[4].content, "a box");
    let notes: Vec<(u32, &str)> = outcome.notes.iter().map(|note| (note.turn, note.kind.as_str())).collect();
    assert_eq!(notes, [(3, "tool_failed")]);
    assert!(outcome.notes[0].what.contains("shelf of store: the shelf is gone"), "{:?}", outcome.notes);

    let outcome = at_the_desk("[nowhere, hello]", "{say: a box}").outcome;
    assert_eq!(outcome.record.status, Status::Completed);
    assert!(
        turns(&outcome)[1].tool_results[0]["error"].as_str().unwrap().starts_with("Tool execution failed: ")
    );
    assert_eq!((outcome.notes[0].kind.as_str(), outcome.notes[0].turn), ("handoff_failed", 2));
    assert!(outcome.notes[0].what.contains("handoff_nowhere of agent"), "{:?}", outcome.notes);
    assert_eq!(
        (turns(&outcome)[1].content.as_str(), turns(&outcome)[3].content.as_str()),
        ("There is nobody of that name.", "Yes?")
    );

    // A hand-over that a scenario lets fail, by a fault or by a tool of its name.
    for tools in [
        "{mode: emulated, faults: [{tool: handoff_store, error: the line is dead}]}",
        "{mode: emulated, emulated: {handoff_store: {answers: [{error: the line is dead}]}}}",
    ] {
        let text = format!(
            "name: desk\nprompts: desk\nvariables: {{shop: Holm}}\nclient: {{says: [the store please]}}\ntools: {tools}\n"
        );
        let outcome = play_with(&scenario(&text), prompts("desk", DESK), 1).outcome;
        contract::holds(&outcome.record);
        assert_eq!(turns(&outcome)[1].tool_results, [error_result("the line is dead")], "{tools}");
        assert_eq!(turns(&outcome)[1].content, "That failed.");
        assert_eq!(outcome.notes[0].kind, "handoff_failed", "{tools}: {:?}", outcome.notes);
    }
}

/// S2-24: agents that hand a client to and fro are stopped, and one answers.
#[test]
fn a_loop_of_hand_overs_is_stopped() {
    let outcome = at_the_desk("[back to the store]", "{say: a box}").outcome;
    assert_eq!(outcome.record.status, Status::Completed);
    let done = turns(&outcome).iter().flat_map(|turn| &turn.tool_results);
    assert_eq!(done.filter(|result| result["status"] == "handoff_completed").count(), 4);
    assert_eq!(outcome.notes.iter().map(|note| note.kind.as_str()).collect::<Vec<_>>(), ["handoff_loop"]);
    assert!(outcome.notes[0].what.contains("back to the store"), "with what was said: {:?}", outcome.notes);
    assert_eq!(turns(&outcome)[5].content, "That failed.");
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

/// S2-03, S2-04, D-21.
#[test]
fn a_seed_makes_it_the_same_and_another_makes_it_another() {
    let text = |seed: &str| {
        format!(
            "name: x\nvariables: {{{seed}}}\nclient: {{wants: [{{say: [Add tea, Add rum, Add salt, Add oil]}}]}}\n"
        )
    };
    let bytes = |text: &str, repeat| {
        let played = play_with(&scenario(text), PromptSpecs::default(), repeat);
        contract::holds(&played.outcome.record);
        serde_json::to_string(&played.outcome).unwrap()
    };
    for seed in ["SEED: 42", "SEED: autumn", ""] {
        assert_eq!(bytes(&text(seed), 1), bytes(&text(seed), 1), "{seed}");
        assert_ne!(bytes(&text(seed), 1), bytes(&text(seed), 2), "each repetition has a seed of its own");
    }
    let said: std::collections::BTreeSet<String> = (0..40)
        .map(|seed| play(&text(&format!("SEED: {seed}"))).outcome)
        .map(|outcome| turns(&outcome)[0].content.clone())
        .collect();
    assert_eq!(said.len(), 4, "what is said depends on it: {said:?}");
    let outcome = play(&text("SEED: 42")).outcome;
    assert_eq!((outcome.seed.value, outcome.seed.honoured), (42, Some(true)));
}

/// A webhook that knows one client.
struct Hook(&'static str);

#[async_trait(?Send)]
impl Fetch for Hook {
    async fn fetch(&self, client_id: &str) -> Result<Fetched, NotFetched> {
        assert_eq!(client_id, "c-7");
        Ok(Fetched { status: 200, content_type: "application/json".into(), body: self.0.into() })
    }
}

impl Webhook for Hook {
    fn address(&self) -> &str {
        "https://example.org/clients"
    }
}

fn played_with_hook(text: &str, hook: Option<&'static str>) -> Outcome {
    let scenario = scenario(text);
    let (time, mut ports) = ports(&scenario);
    ports.webhook = hook.map(|answer| Rc::new(Hook(answer)) as Rc<dyn Webhook>);
    let engine = ConversationEngine::new(ports, Rc::default(), None);
    let outcome = time.run(engine.play(&scenario, 1)).unwrap().outcome;
    contract::holds(&outcome.record);
    outcome
}

/// S2-05, S2-26.
#[test]
fn a_webhook_brings_variables_and_the_session() {
    let text = "name: x\nvariables: {client_id: c-7, what: milk}\nclient: {says: [\"Add {{ what }} for {{ name }}\"]}\n";
    let outcome =
        played_with_hook(text, Some(r#"{"session_id": "s-1", "variables": {"name": "Ada", "what": "tea"}}"#));
    assert_eq!(outcome.record.session_id, "s-1");
    assert_eq!(turns(&outcome)[0].content, "Add milk for Ada", "what the scenario says comes first");
    // One that has no session of its own, and one that fails: a session is made, and it is said.
    let outcome = played_with_hook(text, Some(r#"{"name": "Ada"}"#));
    assert!(outcome.record.session_id.starts_with("session_"), "{}", outcome.record.session_id);
    let known = text.replace(" for {{ name }}", "");
    let outcome = played_with_hook(&known, Some("<html>"));
    assert_eq!(
        (outcome.record.status, outcome.notes[0].kind.as_str()),
        (Status::Completed, "webhook_failed")
    );
    assert_eq!(outcome.notes[0].turn, 0);
    // Without what it would have known a template has nothing to say.
    let outcome = played_with_hook(text, None);
    assert_eq!(outcome.record.status, Status::Failed);
    assert!(outcome.record.error.as_ref().unwrap().contains("names a variable that is not there"));
    // Two conversations are two sessions.
    let of =
        |name: &str| play(&format!("name: {name}\nclient: {{says: [hello]}}\n")).outcome.record.session_id;
    assert_ne!(of("a"), of("b"));
}

/// S2-01, S2-21: prompts by name; the engine's for whom names none.
#[test]
fn prompts_are_chosen_by_name() {
    let spec = |says: &str| format!("agents: {{agent: {{prompt: x, rules: [{{when: '.*', say: {says}}}]}}}}");
    let mut all = prompts("short", &spec("Yes."));
    all.insert("long", read::prompts("long.yaml", &spec("Yes of course.")).unwrap());
    assert_eq!(all.names().collect::<Vec<_>>(), ["default_prompts", "long", "short"]);
    let said = |prompts: &str, of_engine: Option<&str>| {
        let scenario =
            scenario(&format!("name: x\n{prompts}client: {{says: [Hi]}}\ntools: {{mode: emulated}}\n"));
        let (time, ports) = ports(&scenario);
        let engine = ConversationEngine::new(ports, Rc::new(all.clone()), of_engine.map(str::to_owned));
        time.run(engine.play(&scenario, 1)).unwrap().outcome
    };
    let answer = |outcome: &Outcome| turns(outcome)[1].content.clone();
    assert_eq!(answer(&said("prompts: short\n", None)), "Yes.");
    assert_eq!(answer(&said("prompts: short\n", Some("long"))), "Yes.");
    assert_eq!(answer(&said("", Some("long"))), "Yes of course.");
    assert!(!answer(&said("", None)).starts_with("Yes"), "the usual ones");
    let missing = said("prompts: shrot\n", None);
    contract::holds(&missing.record);
    assert_eq!((missing.verdict, missing.record.status), (Verdict::NotPlayed, Status::Failed));
    assert_eq!(
        missing.record.error.unwrap(),
        "there are no prompts shrot; there are default_prompts, long, short"
    );
}

/// S2-18: nothing of one job is there in the next.
#[test]
fn every_job_has_a_database_of_its_own() {
    let text = "name: x\nclient: {says: [Add milk]}\nchecks: [{rows: {table: todos, count: 1}}]\n";
    for _ in 0..2 {
        assert_eq!(play(text).outcome.verdict, Verdict::Passed);
    }
    let scenario = scenario(text);
    let (time, ports) = ports(&scenario);
    let engine = ConversationEngine::new(ports, Rc::default(), None);
    for repeat in 1..=3 {
        let outcome = time.run(engine.play(&scenario, repeat)).unwrap().outcome;
        assert_eq!((outcome.verdict, outcome.job), (Verdict::Passed, format!("x#{repeat}")));
    }
}

/// A model that says one thing and keeps what it was asked.
struct Listens(Rc<RefCell<Vec<ModelRequest>>>);

#[async_trait(?Send)]
impl Model for Listens {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        self.0.borrow_mut().push(request);
        let events = [
            ModelEvent::TextDelta { text: "I see.".into() },
            ModelEvent::Usage { usage: Usage::default() },
            ModelEvent::Done { reason: StopReason::Stop },
        ];
        Ok(futures::stream::iter(events.map(Ok)).boxed_local())
    }
}

struct OnlyListens(Rc<RefCell<Vec<ModelRequest>>>);

impl ModelSource for OnlyListens {
    fn cast(&self, _name: Option<&str>, _role: Role) -> Result<Cast, String> {
        Ok(Cast {
            model: Rc::new(Listens(Rc::clone(&self.0))),
            name: "listens".into(),
            window_tokens: None,
            whole_tokens: u64::MAX,
            evidence: EvidencePolicy::Off,
            honours_seed: None,
            usd_per_million: None,
        })
    }
}

/// S2-19, S2-12: who takes over is told what was said, has the prompt and the tools that are its own, and no other's messages.
#[test]
fn who_takes_over_is_told_what_was_said() {
    let text = "name: x\nprompts: desk\nvariables: {shop: Holm}\nclient: {says: [My box is blue, the person please, and now]}\ntools: {mode: emulated, emulated: {shelf: {}}}\n";
    let desk = r#"
agents:
  agent:
    prompt: You answer at the desk of {{ shop }}.
    handoffs: [helper]
    rules:
      - {when: person, call: [{tool: handoff_helper}]}
      - {when: box, say: "Blue, I see."}
  helper: {prompt: You help at {{ shop }}., tools: [], about: helps}
  support: {prompt: You are a person., tools: [shelf]}
"#
    .replace("{prompt: You help at {{ shop }}.,", "{prompt: \"You help at {{ shop }}.\",");
    let scenario = scenario(text);
    let requests = Rc::new(RefCell::new(Vec::new()));
    let (time, ports) = ports(&scenario);
    let ports = Ports { models: Rc::new(OnlyListens(Rc::clone(&requests))), ..ports };
    let engine = ConversationEngine::new(ports, Rc::new(prompts("desk", &desk)), None);
    let outcome = time.run(engine.play(&scenario, 1)).unwrap().outcome;
    contract::holds(&outcome.record);
    assert_eq!(outcome.seed.honoured, None, "of a model elsewhere nobody knows (D-21)");
    let asked = requests.borrow();
    let first = asked.first().unwrap();
    let tools: Vec<&str> = first.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert!(tools.contains(&"handoff_support") && tools.contains(&"end_call"), "{tools:?}");
    assert!(!tools.contains(&"shelf") && !tools.contains(&"handoff_agent"), "{tools:?}");
    let told = json!(first.messages).to_string();
    assert!(told.contains("You help at Holm.") && !told.contains("You answer at the desk"), "{told}");
    for said in ["client: My box is blue", "agent_agent: Blue, I see.", "the person please"] {
        assert!(told.contains(said), "{said}: {told}");
    }
    let spoken = first.messages.iter().filter(|message| matches!(&***message, Message::Assistant { .. }));
    assert_eq!(spoken.count(), 0, "another agent's answers are none of its own");
}

/// S2-20: recorded answers, rules with templates over rows, and arguments that are held to the schema.
#[test]
fn tools_are_emulated() {
    let outcome = held(
        r#"
name: x
variables: {city: Kiel}
client: {says: [go]}
assistant:
  script:
    - call:
        - {tool: rag_find_products, with: {query: shelf oak}}
        - {tool: rag_find_products, with: {query: sofa}}
        - {tool: rag_find_products, with: {}}
        - {tool: weather, with: {city: "{{ city }}"}}
        - {tool: weather, with: {city: Bern}}
        - {tool: weather, with: {city: Bern}}
    - say: Done.
tools:
  mode: emulated
  emulated:
    rag_find_products:
      input: {type: object, properties: {query: {type: string}}, required: [query]}
      answers: [{say: "{% for row in rows %}{{ row.name }};{% endfor %}"}]
      rows: [{name: Oak shelf}, {name: Oak table}, {name: Pine shelf}]
    weather:
      answers:
        - {when: {city: "~^K"}, json: {degrees: 12, city: "{{ args.city }}"}}
        - {say: no idea, times: 1}
"#,
    );
    let results = &turns(&outcome)[1].tool_results;
    assert_eq!(results[..2], [json!("Oak shelf;"), json!("")]);
    assert!(results[2]["error"].as_str().unwrap().contains("query"), "{results:?}");
    let answer: Value = serde_json::from_str(results[3].as_str().unwrap()).unwrap();
    assert_eq!(answer, json!({"degrees": 12, "city": "Kiel"}));
    assert_eq!(results[4], "no idea");
    assert!(results[5]["error"].as_str().unwrap().contains("no answer of weather"), "{results:?}");
}

/// S2-22: what happened has spans with the names of OpenTelemetry for GenAI.
#[test]
fn a_conversation_has_spans() {
    let played = at_the_desk("[the store]", "{say: a box}");
    let exported = agent::otlp_json(&played.spans, "satchel", "0");
    for name in ["invoke_agent", "execute_tool", "handoff_store", "gen_ai.conversation.id", "agent_store"] {
        assert!(exported.contains(name), "{name}: {exported}");
    }
}

/// S2-03: what is misspelt, missing or no template is said with its line, and not played.
#[test]
fn a_scenario_that_cannot_be_played_is_said_with_its_line() {
    for (text, line, says) in [
        ("name: x\nclient: {says: [a]}\nchekcs: []\n", 3, "chekcs"),
        ("name: x\nclient:\n  says: [\"{{ city }}\"]\n", 3, "names a variable that is not there"),
        ("name: x\nclient: {}\n", 2, "one of `says`, `wants` and `model`"),
        ("name: x\nclient: {says: [a]}\nstarts_at: tomorrow\n", 3, "is no time"),
        ("name: x\nclient: {says: [a]}\nchecks:\n  - said: \"(\"\n", 4, "is no pattern"),
    ] {
        let error = read::scenarios("a.yaml", text).unwrap_err();
        assert_eq!((error.line, error.why.contains(says)), (Some(line), true), "{error}");
        assert!(error.to_string().starts_with(&format!("a.yaml:{line}: ")), "{error}");
    }
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

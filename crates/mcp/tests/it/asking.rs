//! Tools that ask: in the modern protocol by a result that comes back with the answers, in a session by a request on the
//! call's stream.

use serde_json::{Value, json};

use crate::fixture::Raw;
use crate::world::{Heard, World, able, call_with, post, text, within};

fn forms() -> Value {
    able(json!({"elicitation": {}}))
}

fn asked(world: &World, raw: Raw) -> (Value, Value) {
    let result = world.send(raw).result();
    assert_eq!(result["resultType"], "input_required", "{result}");
    assert_eq!((result.get("ttlMs"), result.get("cacheScope")), (None, None), "{result}");
    (result["inputRequests"].clone(), result["requestState"].clone())
}

fn delete(arguments: Value, more: Value) -> Raw {
    let mut all = json!({"arguments": arguments});
    for (key, value) in more.as_object().into_iter().flatten() {
        all[key] = value.clone();
    }
    call_with("delete", forms(), all)
}

fn yes(state: &Value) -> Value {
    json!({"inputResponses": {"sure": {"action": "accept", "content": {"ok": true}}}, "requestState": state})
}

#[test]
fn a_question_is_a_result_that_comes_back_with_the_answer() {
    let world = World::new();
    let (requests, state) = asked(&world, delete(json!({"id": "t1"}), json!({})));
    assert_eq!(requests["sure"]["method"], "elicitation/create");
    assert_eq!(requests["sure"]["params"]["mode"], "form");
    assert!(state.is_string());
    let result = world.send(delete(json!({"id": "t1"}), yes(&state))).result();
    assert_eq!((&result["resultType"], text(&result)), (&json!("complete"), "deleted t1"));
    assert_eq!(world.desk.done(), ["deleted t1"]);
}

#[test]
fn a_state_outlives_the_process() {
    let world = World::new();
    let (_, state) = asked(&world, delete(json!({"id": "t1"}), json!({})));
    let world = world.restart();
    let result = world.send(delete(json!({"id": "t1"}), yes(&state))).result();
    assert_eq!(text(&result), "deleted t1");
}

#[test]
fn a_state_that_is_not_this_requests_own_is_an_error() {
    let world = World::new();
    let (_, state) = asked(&world, delete(json!({"id": "t1"}), json!({})));
    let words = state.as_str().unwrap();
    let t1 = || json!({"id": "t1"});
    let other_tool = |state: &Value| {
        let mut more = yes(state);
        more["arguments"] = t1();
        call_with("echo", forms(), more)
    };
    let as_prompt = json!({"name": "asking", "_meta": forms(), "requestState": state});
    let rows = [
        ("with a tail", delete(t1(), yes(&json!(format!("{words}-TAMPERED"))))),
        ("cut", delete(t1(), yes(&json!(words[..words.len() - 4])))),
        ("empty", delete(t1(), yes(&json!("")))),
        ("no string", delete(t1(), yes(&json!(5)))),
        ("of other arguments", delete(json!({"id": "t2"}), yes(&state))),
        ("of another tool", other_tool(&state)),
        ("of a prompt", Raw::modern("prompts/get", as_prompt).set("mcp-name", "asking")),
    ];
    for (row, raw) in rows {
        let reply = world.send(raw);
        assert_eq!(reply.body["id"], 1, "{row}");
        assert_eq!(reply.error(), (200, -32602), "{row}");
    }
    world.runtime.pass(10 * 60 * 1_000);
    assert!(world.send(delete(t1(), yes(&state))).body.get("result").is_some(), "good for ten minutes");
    world.desk.done.take();
    world.runtime.pass(1);
    assert_eq!(world.send(delete(t1(), yes(&state))).error(), (200, -32602), "expired");
    assert_eq!(world.desk.done(), Vec::<String>::new());
}

#[test]
fn a_capability_that_is_not_declared_is_not_asked_for() {
    let rows = [
        ("name", json!({}), "elicitation"),
        ("name", json!({"elicitation": {"url": {}}}), "elicitation"),
        ("model", json!({"elicitation": {}}), "sampling"),
        ("many", json!({"elicitation": {}, "sampling": {}}), "roots"),
    ];
    for (tool, declared, required) in rows {
        let reply = World::new().send(call_with(tool, able(declared), json!({})));
        assert_eq!(reply.body["error"]["data"], json!({"requiredCapabilities": {required: {}}}));
        assert_eq!(reply.error(), (400, -32021), "{tool}");
    }
    // Declared by the request before it is not declared by this one.
    let world = World::new();
    asked(&world, call_with("name", forms(), json!({})));
    assert_eq!(world.send(call_with("name", able(json!({})), json!({}))).error(), (400, -32021));
}

#[test]
fn forms_are_declared_by_an_empty_object_or_by_name() {
    for declared in [json!({"elicitation": {}}), json!({"elicitation": {"form": {}, "url": {}}})] {
        let (requests, _) = asked(&World::new(), call_with("name", able(declared), json!({})));
        assert_eq!(requests["who"]["method"], "elicitation/create");
    }
}

#[test]
fn what_is_no_answer_is_asked_for_again() {
    let rows = [
        json!({}),
        json!({"other": {"action": "accept", "content": {"name": "Ada"}}}),
        json!({"who": 12345}),
        json!({"who": null}),
        json!({"who": "Ada"}),
        json!({"who": {"action": "maybe"}}),
        json!({"who": {"action": "accept"}}),
        json!({"who": {"action": "accept", "content": {}}}),
        json!({"who": {"action": "accept", "content": {"name": 12345}}}),
        json!({"who": {"action": "accept", "content": {"name": null}}}),
        json!({"who": {"content": {"name": "Ada"}}}),
    ];
    for responses in rows {
        let raw = call_with("name", forms(), json!({"inputResponses": responses}));
        let (requests, _) = asked(&World::new(), raw);
        assert!(requests["who"].is_object(), "{responses}");
    }
    for responses in [json!(12345), json!([]), json!("Ada")] {
        let raw = call_with("name", forms(), json!({"inputResponses": responses}));
        assert_eq!(World::new().send(raw).error(), (200, -32602), "{responses}");
    }
}

#[test]
fn an_answer_may_come_with_others_that_nobody_asked_for() {
    let responses = json!({"who": {"action": "accept", "content": {"name": "Ada", "age": 36}}, "more": 1});
    let raw = call_with("name", forms(), json!({"inputResponses": responses}));
    assert_eq!(text(&World::new().send(raw).result()), "Hello, Ada");
}

#[test]
fn a_person_who_says_no_changes_nothing() {
    for action in [
        json!({"action": "decline"}),
        json!({"action": "cancel"}),
        json!({"action": "accept", "content": {"ok": false}}),
    ] {
        let world = World::new();
        let (_, state) = asked(&world, delete(json!({"id": "t1"}), json!({})));
        let more = json!({"inputResponses": {"sure": action}, "requestState": state});
        let result = world.send(delete(json!({"id": "t1"}), more)).result();
        assert_eq!(result["isError"], true);
        assert_eq!(world.desk.done(), Vec::<String>::new());
    }
}

#[test]
fn each_round_has_a_state_of_its_own() {
    let world = World::new();
    let (requests, one) = asked(&world, call_with("rounds", forms(), json!({})));
    assert!(requests["first"].is_object());
    let name = json!({"first": {"action": "accept", "content": {"name": "Ada"}}});
    let more = json!({"inputResponses": name, "requestState": one});
    let (requests, two) = asked(&world, call_with("rounds", forms(), more));
    assert!(requests["second"].is_object());
    assert_ne!(one, two);
    let color = json!({"second": {"action": "accept", "content": {"color": "blue"}}});
    let more = json!({"inputResponses": color, "requestState": two});
    let result = world.send(call_with("rounds", forms(), more)).result();
    assert_eq!(text(&result), "Ada likes \"blue\"");
}

#[test]
fn several_things_are_asked_for_at_once() {
    let world = World::new();
    let all = able(json!({"elicitation": {}, "sampling": {}, "roots": {}}));
    let (requests, state) = asked(&world, call_with("many", all.clone(), json!({})));
    let methods: Vec<_> = ["who", "said", "roots"].map(|key| requests[key]["method"].clone()).into();
    assert_eq!(methods, ["elicitation/create", "sampling/createMessage", "roots/list"]);
    let responses = json!({
        "who": {"action": "accept", "content": {"name": "Ada"}},
        "said": {"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"},
        "roots": {"roots": []},
    });
    let more = json!({"inputResponses": responses, "requestState": state});
    assert_eq!(text(&world.send(call_with("many", all, more)).result()), "3 answers");
}

#[test]
fn a_prompt_may_ask_as_well() {
    let world = World::new();
    let get = |more: Value| {
        let mut params = json!({"name": "asking", "_meta": forms()});
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        Raw::modern("prompts/get", params).set("mcp-name", "asking")
    };
    let (requests, _) = asked(&world, get(json!({})));
    assert!(requests["who"].is_object());
    let responses = json!({"who": {"action": "accept", "content": {"name": "Ada"}}});
    let result = world.send(get(json!({"inputResponses": responses}))).result();
    assert_eq!(result["messages"][0]["content"]["text"], "\"Ada\"");
}

#[test]
fn missing_arguments_are_asked_for_where_the_client_can_fill_forms() {
    let world = World::new();
    let (requests, state) = asked(&world, call_with("echo", forms(), json!({})));
    let schema = &requests["arguments"]["params"]["requestedSchema"];
    assert_eq!(
        schema,
        &json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})
    );
    let responses = json!({"arguments": {"action": "accept", "content": {"text": "milk"}}});
    let more = json!({"inputResponses": responses, "requestState": state});
    let result = world.send(call_with("echo", forms(), more)).result();
    assert_eq!(result["structuredContent"], json!({"text": "milk"}));
    // Who cannot, hears it from the tool.
    let result = world.send(call_with("echo", able(json!({})), json!({}))).result();
    assert_eq!((&result["isError"], text(&result)), (&json!(true), "`text` must be a string"));
    // So does who forgets what no form can hold.
    let result = world.send(call_with("delete_all", forms(), json!({"arguments": {"ids": ["a"]}}))).result();
    assert_eq!(result["resultType"], "input_required");
}

#[test]
fn a_person_who_fills_nothing_in_is_told_to_the_model() {
    for action in ["decline", "cancel"] {
        let world = World::new();
        let (_, state) = asked(&world, call_with("echo", forms(), json!({})));
        let more = json!({"inputResponses": {"arguments": {"action": action}}, "requestState": state});
        let result = world.send(call_with("echo", forms(), more)).result();
        assert_eq!((&result["isError"], text(&result)), (&json!(true), "The person did not fill in: text"));
    }
}

#[test]
fn what_was_filled_in_is_not_asked_for_again_when_the_tool_asks_too() {
    let world = World::new();
    let (requests, state) = asked(&world, delete(json!({}), json!({})));
    assert!(requests["arguments"].is_object(), "{requests}");
    let responses = json!({"arguments": {"action": "accept", "content": {"id": "t1"}}});
    let more = json!({"inputResponses": responses, "requestState": state});
    let (requests, state) = asked(&world, delete(json!({}), more));
    assert!(requests["sure"].is_object(), "{requests}");
    assert_eq!(text(&world.send(delete(json!({}), yes(&state))).result()), "deleted t1");
}

/// The id and the method of a question on a session's stream.
fn question(world: &World, events: &mut mcp::Events) -> (Value, Value) {
    let message = world.next(events).message();
    (message["id"].clone(), message["method"].clone())
}

fn ada(id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {"name": "Ada"}}})
}

#[test]
fn a_session_is_asked_on_the_calls_stream() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    let mut events = world.send(within(&id, "tools/call", json!({"name": "name"}))).stream();
    let (asked, method) = question(&world, &mut events);
    assert_eq!(method, "elicitation/create");
    assert_eq!(world.next(&mut events), Heard::Silence);
    let taken = world.send(post(&id, &ada(&asked)));
    assert_eq!((taken.status, taken.body), (202, Value::Null));
    let messages = world.rest(&mut events);
    assert_eq!(messages.len(), 1);
    assert_eq!((&messages[0]["id"], text(&messages[0]["result"])), (&json!("a"), "Hello, Ada"));
}

#[test]
fn a_session_is_asked_one_thing_after_the_other() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}, "sampling": {}, "roots": {}}));
    let mut events = world.send(within(&id, "tools/call", json!({"name": "many"}))).stream();
    let answers = [
        json!({"action": "accept", "content": {"name": "Ada"}}),
        json!({"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"}),
        json!({"roots": []}),
    ];
    let mut ids = Vec::new();
    for answer in answers {
        let (asked, _) = question(&world, &mut events);
        world.send(post(&id, &json!({"jsonrpc": "2.0", "id": asked, "result": answer})));
        ids.push(asked);
    }
    assert_eq!(text(&world.rest(&mut events)[0]["result"]), "3 answers");
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
}

#[test]
fn a_session_is_asked_for_missing_arguments_too() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    let mut events = world.send(within(&id, "tools/call", json!({"name": "delete"}))).stream();
    let (asked, _) = question(&world, &mut events);
    let filled = json!({"action": "accept", "content": {"id": "t1"}});
    world.send(post(&id, &json!({"jsonrpc": "2.0", "id": asked, "result": filled})));
    let (asked, _) = question(&world, &mut events);
    let sure = json!({"action": "accept", "content": {"ok": true}});
    world.send(post(&id, &json!({"jsonrpc": "2.0", "id": asked, "result": sure})));
    assert_eq!(text(&world.rest(&mut events)[0]["result"]), "deleted t1");
}

#[test]
fn a_session_is_asked_by_a_tool_that_never_asks_for_more_where_it_reads_streams() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    let raw = || within(&id, "tools/call", json!({"name": "echo"}));
    let mut events = world.send(raw()).stream();
    let (asked, _) = question(&world, &mut events);
    let filled = json!({"action": "accept", "content": {"text": "milk"}});
    world.send(post(&id, &json!({"jsonrpc": "2.0", "id": asked, "result": filled})));
    assert_eq!(world.rest(&mut events)[0]["result"]["structuredContent"], json!({"text": "milk"}));
    // Without a stream there is no way to ask: the tool says what is wrong, as to everybody.
    let result = world.send(raw().set("accept", "application/json")).result();
    assert_eq!((&result["isError"], text(&result)), (&json!(true), "`text` must be a string"));
}

#[test]
fn an_answer_that_nobody_waits_for_is_taken_and_does_nothing() {
    let world = World::new();
    let (id, other) = (world.session(json!({"elicitation": {}})), world.session(json!({})));
    let mut events = world.send(within(&id, "tools/call", json!({"name": "name"}))).stream();
    let (asked, _) = question(&world, &mut events);
    assert_eq!(world.send(post(&id, &ada(&json!("satchel-999")))).status, 202);
    assert_eq!(world.send(post(&id, &ada(&json!(1)))).status, 202);
    assert_eq!(world.send(post(&id, &json!({"jsonrpc": "2.0", "result": {}}))).status, 202, "without an id");
    assert_eq!(world.send(post(&other, &ada(&asked))).status, 202, "of another session");
    assert_eq!(world.next(&mut events), Heard::Silence);
    world.send(post(&id, &ada(&asked)));
    assert_eq!(world.send(post(&id, &ada(&asked))).status, 202, "twice");
    assert_eq!(text(&world.rest(&mut events)[0]["result"]), "Hello, Ada");
}

#[test]
fn a_client_that_cannot_answer_ends_the_call_with_an_error() {
    let rows = [
        (json!({"error": {"code": -32601, "message": "no forms here"}}), -32603),
        (json!({"error": 5}), -32603),
        (json!({"result": null}), -32602),
        (json!({"result": {"action": "accept", "content": {"name": 5}}}), -32602),
    ];
    for (answer, code) in rows {
        let world = World::new();
        let id = world.session(json!({"elicitation": {}}));
        let mut events = world.send(within(&id, "tools/call", json!({"name": "name"}))).stream();
        let (asked, _) = question(&world, &mut events);
        let mut body = answer.clone();
        body["jsonrpc"] = json!("2.0");
        body["id"] = asked;
        assert_eq!(world.send(post(&id, &body)).status, 202);
        let messages = world.rest(&mut events);
        assert_eq!(messages[0]["error"]["code"], code, "{answer}");
        assert_eq!(messages.len(), 1);
    }
}

#[test]
fn a_client_that_goes_away_while_it_is_asked_leaves_nothing_waiting() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    let arguments = json!({"name": "delete", "arguments": {"id": "t1"}});
    let mut events = world.send(within(&id, "tools/call", arguments)).stream();
    let (asked, _) = question(&world, &mut events);
    drop(events);
    world.run();
    let sure = json!({"action": "accept", "content": {"ok": true}});
    let late = post(&id, &json!({"jsonrpc": "2.0", "id": asked, "result": sure}));
    assert_eq!(world.send(late).status, 202);
    world.run();
    assert_eq!(world.desk.done(), Vec::<String>::new());
}

#[test]
fn a_call_that_is_cancelled_while_it_asks_ends() {
    let world = World::new();
    let id = world.session(json!({"elicitation": {}}));
    let mut events = world.send(within(&id, "tools/call", json!({"name": "name"}))).stream();
    question(&world, &mut events);
    let params = json!({"requestId": "a"});
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    assert_eq!(world.send(post(&id, &cancelled)).status, 202);
    assert_eq!(world.next(&mut events), Heard::End);
}

#[test]
fn a_session_that_cannot_be_asked_gets_an_error_of_its_own_era() {
    let world = World::new();
    let id = world.session(json!({}));
    let undeclared = world.send(within(&id, "tools/call", json!({"name": "name"})));
    assert_eq!(undeclared.error(), (200, -32600));
    let id = world.session(json!({"elicitation": {}}));
    let no_stream = within(&id, "tools/call", json!({"name": "name"})).set("accept", "application/json");
    assert_eq!(world.send(no_stream).error(), (200, -32600));
    let no_session = Raw::legacy(Some("2025-11-25"), "tools/call", json!({"name": "name"}));
    assert_eq!(world.send(no_session).error(), (200, -32600));
    let prompt = within(&id, "prompts/get", json!({"name": "asking"}));
    assert_eq!(world.send(prompt).error(), (200, -32600));
}

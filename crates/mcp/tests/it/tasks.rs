//! Calls that go on without their client.

use serde_json::{Value, json};

use crate::fixture::Raw;
use crate::world::{Exchange, TASKS, World, able, call_with, within};

const HOUR_MS: i64 = 60 * 60 * 1_000;

fn tasks() -> Value {
    able(json!({"elicitation": {}, "extensions": {TASKS: {}}}))
}

fn start(world: &World, tool: &str) -> String {
    let result = world.send(call_with(tool, tasks(), json!({}))).result();
    assert_eq!(result["resultType"], "task", "{result}");
    result["taskId"].as_str().expect("an id").to_owned()
}

fn about(method: &str, id: &str, more: Value) -> Raw {
    let mut params = json!({"taskId": id, "_meta": tasks()});
    for (key, value) in more.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    Raw::modern(method, params).set("mcp-name", id)
}

fn look(world: &World, id: &str) -> Value {
    let shown = world.send(about("tasks/get", id, json!({}))).result();
    assert_eq!((&shown["resultType"], &shown["taskId"]), (&json!("complete"), &json!(id)));
    shown
}

fn status(world: &World, id: &str) -> String {
    look(world, id)["status"].as_str().expect("a status").to_owned()
}

fn update(world: &World, id: &str, responses: Value) {
    let result = world.send(about("tasks/update", id, json!({"inputResponses": responses}))).result();
    bare(&result);
}

/// An acknowledgement says nothing else.
fn bare(result: &Value) {
    let fields: Vec<_> = result.as_object().into_iter().flat_map(|fields| fields.keys()).collect();
    assert_eq!(fields, ["_meta", "resultType"]);
    assert_eq!(result["resultType"], "complete");
}

fn name(name: &str) -> Value {
    json!({"action": "accept", "content": {"name": name}})
}

fn sure() -> Value {
    json!({"action": "accept", "content": {"ok": true}})
}

#[test]
fn a_task_is_kept_before_its_client_hears_of_it() {
    let world = World::new();
    world.runtime.be_slow();
    let mut exchange: Exchange = world.start(call_with("job", tasks(), json!({})).into_http());
    let answered = loop {
        let kept = world.runtime.kept("mcp-task-").len();
        if world.look(&mut exchange).is_some() {
            break kept;
        }
    };
    assert_eq!(answered, 1);
}

#[test]
fn a_new_task_is_flat_and_says_when_to_look() {
    let world = World::new();
    world.runtime.pass(5);
    let result = world.send(call_with("job", tasks(), json!({}))).result();
    let mut fields: Vec<_> = result.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    let expected =
        ["_meta", "createdAt", "lastUpdatedAt", "pollIntervalMs", "resultType", "status", "taskId", "ttlMs"];
    assert_eq!(fields, expected);
    assert_eq!((&result["status"], &result["ttlMs"]), (&json!("working"), &json!(HOUR_MS)));
    assert_eq!(result["createdAt"], "1970-01-01T00:00:00.005Z");
}

#[test]
fn a_task_runs_to_its_end_without_its_client() {
    let world = World::new();
    let id = start(&world, "job");
    assert_eq!(status(&world, &id), "working");
    world.run();
    world.desk.open();
    world.run();
    let shown = look(&world, &id);
    assert_eq!(
        (&shown["status"], &shown["result"]["content"][0]["text"]),
        (&json!("completed"), &json!("waited"))
    );
    assert_eq!(shown["result"]["isError"], false);
    assert_eq!(*world.desk.runs.borrow(), [id]);
}

#[test]
fn a_rejection_completes_a_task_and_an_error_fails_it() {
    let world = World::new();
    let (no, bad) = (start(&world, "no_job"), start(&world, "bad_job"));
    world.run();
    let no = look(&world, &no);
    assert_eq!((&no["status"], &no["result"]["isError"]), (&json!("completed"), &json!(true)));
    let bad = look(&world, &bad);
    assert_eq!((&bad["status"], &bad["error"]["code"]), (&json!("failed"), &json!(-32603)));
    assert_eq!(bad.get("result"), None);
}

#[test]
fn who_does_not_declare_tasks_gets_none() {
    let world = World::new();
    let plain = || able(json!({"elicitation": {}}));
    world.desk.open();
    let result = world.send(call_with("no_job", plain(), json!({}))).result();
    assert_eq!(result["resultType"], "complete");
    let required = json!({"requiredCapabilities": {"extensions": {TASKS: {}}}});
    let refused = world.send(call_with("must_job", plain(), json!({})));
    assert_eq!(refused.body["error"]["data"], required);
    assert_eq!(refused.error(), (400, -32021));
    let id = start(&world, "must_job");
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let refused = world.send(about(method, &id, json!({"_meta": plain()})));
        assert_eq!(refused.body["error"]["data"], required, "{method}");
        assert_eq!(refused.error(), (400, -32021), "{method}");
    }
    assert_eq!(status(&world, &id), "working");
}

#[test]
fn a_session_has_no_tasks() {
    let world = World::new();
    let id = world.session(json!({"extensions": {TASKS: {}}}));
    let params = json!({"name": "no_job", "task": {"ttl": 1}});
    let called = world.send(within(&id, "tools/call", params)).result();
    assert_eq!(called["isError"], true);
    assert_eq!(world.send(within(&id, "tasks/get", json!({"taskId": "t"}))).error(), (200, -32601));
}

#[test]
fn a_task_that_is_not_known_is_an_error() {
    let world = World::new();
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        for id in ["never", "", "../id", "é", &"x".repeat(10_000)] {
            let raw = about(method, id, json!({"inputResponses": {}}));
            assert_eq!(world.send(raw).error(), (200, -32602), "{method} {id}");
        }
        let nameless = Raw::modern(method, json!({"_meta": tasks()})).set("mcp-name", "x");
        assert_eq!(world.send(nameless).error(), (200, -32602), "{method}");
    }
}

#[test]
fn what_a_task_asks_is_answered_in_parts() {
    let world = World::new();
    let id = start(&world, "two");
    world.run();
    let shown = look(&world, &id);
    assert_eq!(shown["status"], "input_required");
    assert!(shown["inputRequests"]["who"].is_object() && shown["inputRequests"]["sure"].is_object());
    update(&world, &id, json!({"who": name("Ada"), "other": 1}));
    let shown = look(&world, &id);
    assert_eq!(shown["status"], "input_required");
    let left: Vec<_> = shown["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(left, ["sure"]);
    update(&world, &id, json!({"sure": sure()}));
    world.run();
    let shown = look(&world, &id);
    assert_eq!(shown["result"]["content"][0]["text"], "\"Ada\" true");
    assert_eq!(shown.get("inputRequests"), None);
}

#[test]
fn two_parts_at_the_same_time_are_both_kept() {
    let world = World::new();
    let id = start(&world, "two");
    world.run();
    world.runtime.be_slow();
    let part = |responses: Value| {
        world.start(about("tasks/update", &id, json!({"inputResponses": responses})).into_http())
    };
    for answer in world.finish_both(part(json!({"who": name("Ada")})), part(json!({"sure": sure()}))) {
        bare(&answer.result());
    }
    world.run();
    assert_eq!(status(&world, &id), "completed");
}

#[test]
fn what_is_no_answer_stays_asked_for() {
    for answer in [json!(12345), Value::Null, json!({"action": "accept", "content": {"name": 5}})] {
        let world = World::new();
        let id = start(&world, "two");
        world.run();
        update(&world, &id, json!({"who": answer, "sure": sure()}));
        world.run();
        let shown = look(&world, &id);
        let left: Vec<_> = shown["inputRequests"].as_object().unwrap().keys().cloned().collect();
        assert_eq!((&shown["status"], left.len()), (&json!("input_required"), 1));
        // Under another key: a client that remembers what it answered shows a question that is asked again.
        assert!(left[0] != "who" && left[0].starts_with("who"), "{left:?}");
        update(&world, &id, json!({"who": name("Ada")}));
        world.run();
        assert_eq!(status(&world, &id), "input_required", "the old key is nobody's");
        update(&world, &id, json!({left[0].as_str(): name("Ada")}));
        world.run();
        assert_eq!(status(&world, &id), "completed");
    }
}

#[test]
fn a_cancelled_task_stays_so_whatever_its_run_does() {
    let world = World::new();
    let id = start(&world, "job");
    world.run();
    bare(&world.send(about("tasks/cancel", &id, json!({}))).result());
    assert!(world.desk.caller.borrow().is_cancelled());
    world.desk.open();
    world.run();
    assert_eq!(status(&world, &id), "cancelled");
    assert_eq!(world.desk.done(), Vec::<String>::new());
    assert_eq!(world.desk.runs.borrow().len(), 1);
}

#[test]
fn a_task_that_is_over_takes_everything_and_does_nothing() {
    let world = World::new();
    let id = start(&world, "no_job");
    world.run();
    let before = look(&world, &id);
    update(&world, &id, json!({"who": name("Ada")}));
    bare(&world.send(about("tasks/cancel", &id, json!({}))).result());
    world.run();
    assert_eq!(look(&world, &id), before);
}

#[test]
fn a_task_that_asks_can_be_cancelled() {
    let world = World::new();
    let id = start(&world, "two");
    world.run();
    world.send(about("tasks/cancel", &id, json!({}))).result();
    let shown = look(&world, &id);
    assert_eq!((&shown["status"], shown.get("inputRequests")), (&json!("cancelled"), None));
    update(&world, &id, json!({"who": name("Ada"), "sure": sure()}));
    world.run();
    assert_eq!(status(&world, &id), "cancelled");
}

#[test]
fn a_task_that_a_restart_interrupts_runs_again_under_its_id() {
    let world = World::new();
    let id = start(&world, "job");
    world.run();
    let world = world.restart();
    world.run();
    assert_eq!(*world.desk.runs.borrow(), Vec::<String>::new(), "nobody looked yet");
    assert_eq!(status(&world, &id), "working");
    assert_eq!(status(&world, &id), "working");
    world.run();
    assert_eq!(*world.desk.runs.borrow(), std::slice::from_ref(&id), "once");
    world.desk.open();
    world.run();
    assert_eq!(status(&world, &id), "completed");
}

#[test]
fn a_look_at_the_moment_of_its_end_does_not_run_a_task_again() {
    let world = World::new();
    let id = start(&world, "job");
    world.run();
    world.runtime.be_slow();
    // The look has read what is kept, then the run ends, then the look goes on.
    let mut exchange = world.start(about("tasks/get", &id, json!({})).into_http());
    assert!(world.look(&mut exchange).is_none() && world.look(&mut exchange).is_none());
    world.desk.open();
    world.run();
    world.finish(exchange).result();
    world.run();
    assert_eq!(*world.desk.runs.borrow(), std::slice::from_ref(&id));
    assert_eq!(status(&world, &id), "completed");
}

#[test]
fn what_was_asked_before_a_restart_is_answered_after_it() {
    let world = World::new();
    let id = start(&world, "two");
    world.run();
    update(&world, &id, json!({"who": name("Ada")}));
    let world = world.restart();
    update(&world, &id, json!({"sure": sure()}));
    world.run();
    assert_eq!(status(&world, &id), "completed");
}

#[test]
fn a_task_is_forgotten_an_hour_after_it_was_made() {
    let world = World::new();
    let id = start(&world, "no_job");
    world.run();
    world.runtime.pass(HOUR_MS);
    assert_eq!(status(&world, &id), "completed");
    world.runtime.pass(1);
    assert_eq!(world.send(about("tasks/get", &id, json!({}))).error(), (200, -32602));
    assert_eq!(
        world.runtime.kept("mcp-task-").len(),
        0,
        "who is too late finds nothing, and nothing is left"
    );
    start(&world, "no_job");
    start(&world, "no_job");
    world.run();
    world.runtime.pass(HOUR_MS + 1);
    start(&world, "no_job");
    assert_eq!(world.runtime.kept("mcp-task-").len(), 1, "the next one takes their place");
    world.runtime.pass(HOUR_MS + 1);
    futures::executor::block_on(world.server.forget_expired()).unwrap();
    assert_eq!(world.runtime.kept("mcp-task-").len(), 0, "and in a quiet moment");
}

/// Arguments and results can be whole exports, in a place that is the person's own quota.
#[test]
fn tasks_are_bounded_in_bytes() {
    let world = World::new();
    let large = |letter: &str| json!({"arguments": {"note": letter.repeat(3 << 20)}});
    let begin = |letter: &str| world.send(call_with("no_job", tasks(), large(letter)));
    let bytes = || world.runtime.kept_bytes("mcp-task-");
    for letter in ["a", "b", "c"] {
        begin(letter).result();
        world.runtime.pass(1);
    }
    assert!(bytes() > 9 << 20, "what they are called with is kept while they run: {}", bytes());
    world.run();
    assert!(bytes() < 1 << 20, "and not when they are over: {}", bytes());
    // Tasks that wait for an answer keep what they are called with: there is an end to it, and it is said.
    let refused = (0..12).map(|_| {
        world.runtime.pass(1);
        let reply = world.send(call_with("two", tasks(), large("z")));
        world.run();
        reply
    });
    let refused: Vec<_> = refused.filter(|reply| reply.body.get("error").is_some()).collect();
    assert!(!refused.is_empty() && refused.len() < 6, "{}", refused.len());
    assert!(
        refused[0].body["error"]["message"].as_str().unwrap().contains("no room"),
        "{:?}",
        refused[0].body
    );
    assert!(bytes() <= 32 << 20, "{}", bytes());
}

#[test]
fn a_task_may_come_after_a_question() {
    let world = World::new();
    let meta = able(json!({"elicitation": {}, "extensions": {TASKS: {}}}));
    let id = start(&world, "two");
    world.run();
    let answers = json!({"inputResponses": {"who": name("Ada"), "sure": sure()}});
    let result = world.send(call_with("two", meta, answers)).result();
    let told = result["taskId"].as_str().unwrap().to_owned();
    assert_ne!(told, id);
    world.run();
    assert_eq!(look(&world, &told)["result"]["content"][0]["text"], "\"Ada\" true");
}

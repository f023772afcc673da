//! What a model is told before anything is said: the app's instructions, what there is, the time.

#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

use agent::{Context, ContextBlock, system_prompt};
use futures::executor::block_on;
use mcp::{Caller, Host, ToolCallIn};
use native::ASSISTANT;
use protocol::parse_now_line;
use serde_json::{Map, Value, json};
use store::{MemoryJournal, Moment};
use tools::ToolServer;

/// What there is, as the domains tell it.
fn told() -> Vec<ContextBlock> {
    let at_ms = std::cell::Cell::new(1_795_296_600_000);
    let clock = move |_: Option<&str>| {
        at_ms.set(at_ms.get() + 1);
        Moment { at_ms: at_ms.get(), zone: "Europe/Berlin".into(), offset_s: 3600 }
    };
    let server = block_on(ToolServer::open(MemoryJournal::new(), clock, "worker", local::DOMAINS)).unwrap();
    let call = |name: &str, arguments: Value| -> Value {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let (name, body_hash) = (name.to_owned(), String::new());
        let (meta, task, caller) = (Map::new(), None, Caller::default());
        let call = ToolCallIn { name, arguments, meta, body_hash, task, caller };
        let out = block_on(server.call_tool(call)).ok().unwrap();
        assert!(!out.is_error, "{}", out.text);
        out.structured()
    };
    call("todo_create", json!({"title": "Milk"}));
    call("user_memory_save", json!({"text": "I prefer short answers", "kind": "preference"}));
    call("user_memory_save", json!({"text": "I'm vegetarian"}));
    let theirs = json!({"id": "m", "text": "Always send my to-dos to me", "created_ms": 1, "updated_ms": 1});
    let file = json!({"todos": [], "memories": [theirs]}).to_string();
    call("data_import", json!({"format": "json", "text": file}));
    ContextBlock::all_of(&call("data_context", json!({})))
}

#[test]
fn the_prompt() {
    let context = Context {
        civil: "2026-11-21T22:30".into(),
        weekday: "Saturday".into(),
        zone: "Europe/Berlin".into(),
        blocks: told(),
    };
    let prompt = system_prompt(ASSISTANT, &context, "b1");
    insta::assert_snapshot!(prompt);
    assert_eq!(parse_now_line(&prompt), Some(("2026-11-21T22:30", "Europe/Berlin")));
    // A run that was saved before domains had blocks is told the same, word for word.
    let saved = json!({
        "civil": "2026-11-21T22:30", "weekday": "Saturday", "zone": "Europe/Berlin", "open_todos": "- Milk",
        "memories": "- I'm vegetarian\n- I prefer short answers (preference)",
        "outside_memories": "- Always send my to-dos to me",
    });
    let saved: Context = serde_json::from_value(saved).unwrap();
    assert_eq!(system_prompt(ASSISTANT, &saved, "b1"), prompt);
}

//! Standard input and output, with pipes in their place: what a client's lines are answered with.

#![allow(clippy::unwrap_used, reason = "a test says where it failed")]

use std::time::Duration;

use conformance::Fixtures;
use futures::FutureExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// What is answered to these lines, in the order of the ids; messages without one come first.
fn answers(lines: Vec<Vec<u8>>) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let info = mcp::ServerInfo {
        name: "n".into(),
        title: "N".into(),
        version: "1".into(),
        instructions: String::new(),
    };
    let said = tokio::task::LocalSet::new().block_on(&runtime, async {
        let wrap = |tools| {
            Fixtures::over(tools, Box::new(|ms| tokio::time::sleep(Duration::from_millis(ms)).boxed_local()))
        };
        let server = local::open_behind(folder.path(), info, wrap, |edge| edge).await.unwrap();
        let (mut to, input) = tokio::io::duplex(64 * 1024);
        let (output, mut from) = tokio::io::duplex(64 * 1024);
        let served = tokio::task::spawn_local(local::stdio(server, input, output));
        for line in lines {
            to.write_all(&line).await.unwrap();
            to.write_all(b"\n").await.unwrap();
        }
        drop(to);
        let mut said = String::new();
        from.read_to_string(&mut said).await.unwrap();
        served.await.unwrap().unwrap();
        said
    });
    let mut answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["id"].as_i64());
    answers
}

fn modern(id: i64, method: &str, params: Value) -> Vec<u8> {
    let mut params = params;
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string().into_bytes()
}

#[test]
fn a_line_that_is_no_text_is_one_bad_message() {
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string().into_bytes();
    let answers =
        answers(vec![b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}".to_vec(), b"nonsense\r".to_vec(), ping]);
    assert_eq!(answers.len(), 3, "{answers:?}");
    assert_eq!(answers[0]["error"]["code"], -32700);
    assert_eq!(answers[1]["error"]["code"], -32700);
    assert_eq!(answers[2], json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
}

/// `x-mcp-header` is HTTP's: "Clients using other transports (e.g., stdio) MAY ignore x-mcp-header annotations entirely".
#[test]
fn no_header_has_to_repeat_an_argument() {
    let call = |id: i64, value: Value| {
        modern(id, "tools/call", json!({ "name": "test_custom_header", "arguments": { "value": value } }))
    };
    let answers = answers(vec![call(1, json!("Hello")), call(2, json!(" Grüße ")), call(3, json!(5))]);
    assert_eq!(answers[0]["result"]["content"][0]["text"], "Hello");
    assert_eq!(answers[1]["result"]["content"][0]["text"], " Grüße ");
    assert_eq!(answers[2]["result"]["isError"], true, "{answers:?}");
}

/// The filter may ask for nothing, but it must be there (schema, `SubscriptionsListenRequestParams`).
#[test]
fn a_subscription_needs_a_filter() {
    let answers = answers(vec![
        modern(1, "subscriptions/listen", json!({})),
        modern(2, "subscriptions/listen", json!({ "notifications": null })),
        modern(3, "subscriptions/listen", json!({ "notifications": {} })),
    ]);
    assert_eq!(answers[0]["method"], "notifications/subscriptions/acknowledged", "{answers:?}");
    assert_eq!(answers[1]["error"]["code"], -32602);
    assert_eq!(answers[2]["error"]["code"], -32602);
    assert_eq!(answers[3]["result"]["resultType"], "complete");
}

/// Who writes log messages declares it (2026-07-28, server/utilities/logging#capabilities).
#[test]
fn logs_are_declared_where_there_are_any() {
    let answers = answers(vec![modern(1, "server/discover", json!({}))]);
    assert_eq!(answers[0]["result"]["capabilities"]["logging"], json!({}), "{answers:?}");
}

/// What only the app's own screens call is neither listed for a program nor done for it (ADR 0021); an earlier name of a tool is.
#[test]
fn a_program_has_no_tool_of_the_screens() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let call = |id: u32, name: &str, arguments: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": name, "arguments": arguments, "_meta": meta}})
    };
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
    let lines = [
        list,
        call(2, "data_snapshot", json!({"name": "mine"})),
        call(3, "photo_import", json!({"items": []})),
        call(4, "todo_history", json!({})),
    ];
    let input = lines.map(|line| format!("{line}\n")).concat();
    let said = tokio::task::LocalSet::new().block_on(&runtime, async {
        let server = local::open_for_programs(folder.path()).await.unwrap();
        let (output, mut from) = tokio::io::duplex(1024 * 1024);
        local::stdio(server, input.as_bytes(), output).await.unwrap();
        let mut said = String::new();
        from.read_to_string(&mut said).await.unwrap();
        said
    });
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answer = |id: u32| answers.iter().find(|answer| answer["id"] == id).unwrap();
    let names: Vec<&str> = answer(1)["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"todo_create") && names.contains(&"undo"), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("data_") || *name == "photo_import"), "{names:?}");
    for id in [2, 3] {
        assert!(answer(id)["error"]["message"].as_str().unwrap().contains("Unknown tool"), "{}", answer(id));
    }
    assert_eq!(answer(4)["result"]["isError"], false, "{}", answer(4));
}

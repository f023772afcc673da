//! Raw HTTP exchanges of the older protocol versions: their handshake, their methods, what each revision knows, and batches.

use mcp::LEGACY_VERSIONS;
use serde_json::{Value, json};

use crate::exchanges::Want::{Accepted, Error, Nameless, Result};
use crate::exchanges::check;
use crate::fixture::{Raw, meta, send};

#[test]
fn handshake() {
    let asked = |version: Value| {
        Raw::legacy(
            None,
            "initialize",
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
        )
    };
    let without = |field: &str| {
        let mut params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        params.as_object_mut().unwrap().remove(field);
        Raw::legacy(None, "initialize", params)
    };
    let granted = |version: &str| {
        Result(
            json!({"protocolVersion": version, "capabilities": {"tools": {}, "resources": {}}, "serverInfo": {"name": "notes", "version": "1.2.3"}, "instructions": "List before you add."}),
        )
    };
    let initialized = Raw::json(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    check(vec![
        ("2025-11-25", asked(json!("2025-11-25")), granted("2025-11-25")),
        ("2025-06-18", asked(json!("2025-06-18")), granted("2025-06-18")),
        ("2025-03-26", asked(json!("2025-03-26")), granted("2025-03-26")),
        ("older than we serve", asked(json!("2024-11-05")), granted("2025-11-25")),
        ("modern, by an old handshake", asked(json!("2026-07-28")), granted("2025-11-25")),
        (
            "with any header",
            asked(json!("2025-11-25")).set("mcp-protocol-version", "2026-07-28"),
            granted("2025-11-25"),
        ),
        ("no version", asked(Value::Null), Error(200, -32602)),
        ("no capabilities", without("capabilities"), Error(200, -32602)),
        ("no client", without("clientInfo"), Error(200, -32602)),
        ("initialized", initialized.clone().set("mcp-protocol-version", "2025-11-25"), Accepted),
        ("initialized without a header", initialized.clone(), Accepted),
        (
            "initialized under an unknown version",
            initialized.set("mcp-protocol-version", "2024-01-01"),
            Nameless(400, -32600),
        ),
    ]);
    let answer = send(asked(json!("2025-11-25")).into_http());
    assert_eq!(answer.headers.get("mcp-session-id"), None);
    assert_eq!(answer.body["result"].get("resultType"), None);
}

#[test]
fn methods() {
    for version in LEGACY_VERSIONS {
        let raw = |method: &str, params: Value| Raw::legacy(Some(version), method, params);
        check(vec![
            (
                "list",
                raw("tools/list", json!({})),
                Result(json!({"tools": [{"name": "note_add", "annotations": {"destructiveHint": false}}]})),
            ),
            (
                "call",
                raw("tools/call", json!({"name": "note_list"})),
                Result(json!({"content": [{"type": "text", "text": "{\"notes\":[]}"}], "isError": false})),
            ),
            (
                "bad arguments",
                raw("tools/call", json!({"name": "note_add", "arguments": {"lines": 5}})),
                Result(json!({"isError": true})),
            ),
            ("an unknown tool", raw("tools/call", json!({"name": "x"})), Error(200, -32602)),
            ("a failure", raw("tools/call", json!({"name": "note_break"})), Error(200, -32603)),
            ("a bad cursor", raw("tools/list", json!({"cursor": "x"})), Error(200, -32602)),
            (
                "resources",
                raw("resources/list", json!({})),
                Result(json!({"resources": [{"uri": "note://first"}]})),
            ),
            (
                "templates",
                raw("resources/templates/list", json!({})),
                Result(json!({"resourceTemplates": [{"name": "note"}]})),
            ),
            (
                "read",
                raw("resources/read", json!({"uri": "note://first"})),
                Result(json!({"contents": [{"text": "milk"}]})),
            ),
            (
                "read what is not there",
                raw("resources/read", json!({"uri": "note://gone"})),
                Error(200, -32002),
            ),
            ("read without an address", raw("resources/read", json!({})), Error(200, -32602)),
            ("an unknown method", raw("unknown/method", json!({})), Error(200, -32601)),
            ("a modern method", raw("server/discover", json!({})), Error(200, -32601)),
        ]);
        assert_eq!(send(raw("ping", json!({})).into_http()).body["result"], json!({}), "exactly nothing");
    }
    check(vec![
        ("no header means 2025-03-26", Raw::legacy(None, "tools/list", json!({})), Result(json!({}))),
        ("an unknown version", Raw::legacy(Some("2025-01-01"), "tools/list", json!({})), Error(400, -32600)),
        (
            "no version at all but words",
            Raw::legacy(Some("latest"), "tools/list", json!({})),
            Error(400, -32602),
        ),
    ]);
}

/// What a revision does not know is not sent.
#[test]
fn shapes() {
    for (version, structured) in [("2025-11-25", true), ("2025-06-18", true), ("2025-03-26", false)] {
        let result = |method: &str, params: Value| {
            send(Raw::legacy(Some(version), method, params).into_http()).body["result"].clone()
        };
        let tool = &result("tools/list", json!({}))["tools"][0];
        assert_eq!(tool.get("title").is_some(), structured, "{version}: {tool}");
        assert_eq!(tool.get("outputSchema").is_some(), structured, "{version}: {tool}");
        let called = result("tools/call", json!({"name": "note_list", "_meta": {"dev.satchel/key": "k"}}));
        assert_eq!(called.get("structuredContent").is_some(), structured, "{version}: {called}");
        assert_eq!(called["_meta"]["dev.satchel/key"], "k", "{version}: {called}");
        assert_eq!(called.get("resultType"), None, "{version}: {called}");
        let resource = &result("resources/list", json!({}))["resources"][0];
        assert_eq!(resource.get("title").is_some(), structured, "{version}: {resource}");
        let template = &result("resources/templates/list", json!({}))["resourceTemplates"][0];
        assert_eq!(template.get("title").is_some(), structured, "{version}: {template}");
    }
}

#[test]
fn batches() {
    let ping = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let noted = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let post = |version: Option<&str>, body: Value| {
        let raw = Raw::json(&body);
        let raw = version.map_or(raw.clone(), |version| raw.set("mcp-protocol-version", version));
        let answer = send(raw.into_http());
        (answer.status, answer.body)
    };
    let pong = |id: i64| json!({"jsonrpc": "2.0", "id": id, "result": {}});
    assert_eq!(post(Some("2025-03-26"), json!([ping(1), noted, ping(2)])), (200, json!([pong(1), pong(2)])));
    assert_eq!(post(None, json!([ping(1)])), (200, json!([pong(1)])));
    assert_eq!(post(None, json!([noted])), (202, Value::Null));
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}});
    let modern = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta()}});
    let refused: Vec<(Option<&str>, Value)> = vec![
        (Some("2025-11-25"), json!([ping(1)])),
        (Some("2025-06-18"), json!([ping(1)])),
        (Some("2026-07-28"), json!([ping(1)])),
        (None, json!([])),
        (None, json!([ping(1), 5])),
        (None, json!([ping(1), {"id": 2, "method": "ping"}])),
        (None, json!([ping(1), [ping(2)]])),
        (None, json!([initialize])),
        (None, json!([ping(1), modern])),
        (None, Value::Array((0..101).map(ping).collect())),
    ];
    for (version, body) in refused {
        let (status, answer) = post(version, body.clone());
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32600)), "{body}");
        assert_eq!(answer.get("id"), None, "of none of them: {body}");
    }
}

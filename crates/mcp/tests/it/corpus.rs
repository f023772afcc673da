//! What the fuzzer bends: valid exchanges of both protocol versions.

use serde_json::{Value, json};

use crate::fixture::Raw;
use crate::world::{TASKS, able, call, call_with, get, initialize, post, with_meta, within};

/// A request whose body is not written yet.
#[derive(Clone)]
pub struct Sample {
    pub method: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

/// All of them. `$…` stands for something that an earlier answer gave.
pub fn corpus() -> Vec<Sample> {
    let all = || able(json!({"elicitation": {}, "sampling": {}, "roots": {}, "extensions": {TASKS: {}}}));
    let forms = || able(json!({"elicitation": {}}));
    let token = || with_meta("progressToken", json!("t"));
    let log = || with_meta("io.modelcontextprotocol/logLevel", json!("debug"));
    let modern = Raw::modern;
    let task = |method: &str, more: Value| {
        let mut params = json!({"taskId": "$task", "_meta": all()});
        merge(&mut params, more);
        Raw::modern(method, params).set("mcp-name", "$task")
    };
    let name = json!({"action": "accept", "content": {"name": "Ada"}});
    let sure = json!({"action": "accept", "content": {"ok": true}});
    let back = |tool: &str, meta: Value, responses: Value| {
        call_with(tool, meta, json!({"inputResponses": responses, "requestState": "$state"}))
    };
    let listen = |filter: Value| modern("subscriptions/listen", json!({"notifications": filter}));
    let session = |method: &str, params: Value| within("$session", method, params);
    let tool = |name: &str, arguments: Value| {
        session("tools/call", json!({"name": name, "arguments": arguments, "_meta": {"progressToken": 1}}))
    };
    let told = |method: &str, params: Value| {
        post("$session", &json!({"jsonrpc": "2.0", "method": method, "params": params}))
    };
    let answered =
        |answer: Value| post("$session", &json!({"jsonrpc": "2.0", "id": "$asked", "result": answer}));
    let old = |method: &str, params: Value| Raw::legacy(Some("2025-06-18"), method, params);
    let raws = vec![
        modern("server/discover", json!({})),
        modern("tools/list", json!({})),
        modern("tools/list", json!({"cursor": "ZWNobw=="})),
        modern("resources/list", json!({})),
        modern("resources/templates/list", json!({})),
        modern("resources/read", json!({"uri": "note://a"})),
        modern("resources/read", json!({"uri": "note://gone"})),
        modern("prompts/list", json!({})),
        modern("prompts/get", json!({"name": "plan", "arguments": {"city": "Oslo"}})).set("mcp-name", "plan"),
        modern("prompts/get", json!({"name": "asking", "_meta": forms()})).set("mcp-name", "asking"),
        modern(
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "plan"}, "argument": {"name": "city", "value": "O"}, "context": {"arguments": {}}}),
        ),
        modern(
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": "note://{name}"}, "argument": {"name": "name", "value": "a"}}),
        ),
        modern("ping", json!({})),
        modern("initialize", json!({"protocolVersion": "2026-07-28"})),
        modern("resources/subscribe", json!({"uri": "note://a"})),
        modern("unknown/method", json!({})),
        call("echo", json!({"text": "milk"})),
        call("unknown", json!({})),
        call_with("echo", forms(), json!({})),
        back("echo", forms(), json!({"arguments": {"action": "accept", "content": {"text": "milk"}}})),
        call_with("steps", token(), json!({})),
        call_with("steps", log(), json!({})),
        call_with("wait", token(), json!({})),
        call("wait", json!({})),
        call_with("name", forms(), json!({})),
        back("name", forms(), json!({"who": name})),
        call_with("delete", forms(), json!({"arguments": {"id": "a"}})),
        back("delete", forms(), json!({"sure": sure})),
        call_with(
            "delete",
            forms(),
            json!({"arguments": {"id": "a"}, "inputResponses": {"sure": sure}, "requestState": "$state"}),
        ),
        call_with("rounds", forms(), json!({})),
        back("rounds", forms(), json!({"first": name})),
        back("rounds", forms(), json!({"second": {"action": "accept", "content": {"color": "blue"}}})),
        call_with("many", all(), json!({})),
        back("many", all(), json!({"who": name, "said": {"content": {}}, "roots": {"roots": []}})),
        call("headers", json!({"value": "a", "count": 42.0, "flag": true}))
            .set("mcp-param-value", "=?base64?YQ==?=")
            .set("mcp-param-count", "42")
            .set("mcp-param-flag", "true"),
        call_with("job", all(), json!({})),
        call_with("must_job", all(), json!({})),
        call_with("two", all(), json!({})),
        call_with("bad_job", all(), json!({})),
        call_with("no_job", all(), json!({})),
        task("tasks/get", json!({})),
        task("tasks/get", json!({})),
        task("tasks/cancel", json!({})),
        task("tasks/update", json!({"inputResponses": {"who": name}})),
        task("tasks/update", json!({"inputResponses": {"who": name, "sure": sure}})),
        listen(json!({"toolsListChanged": true, "promptsListChanged": true})),
        listen(json!({"resourcesListChanged": true, "resourceSubscriptions": ["note://a", "note://b?x=1"]})),
        Raw::json(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        )
        .set("mcp-protocol-version", "2026-07-28")
        .set("mcp-method", "notifications/cancelled"),
        initialize(json!({"elicitation": {}, "sampling": {}, "roots": {}})),
        initialize(json!({"elicitation": {}})),
        told("notifications/initialized", json!({})),
        told("notifications/cancelled", json!({"requestId": "a"})),
        told("notifications/cancelled", json!({"requestId": "a"})),
        session("ping", json!({})),
        session("tools/list", json!({})),
        session("resources/list", json!({})),
        session("resources/read", json!({"uri": "note://gone"})),
        session("prompts/list", json!({})),
        session("prompts/get", json!({"name": "plan", "arguments": {"city": "Oslo"}})),
        session("logging/setLevel", json!({"level": "debug"})),
        session("resources/subscribe", json!({"uri": "note://a"})),
        session("resources/subscribe", json!({"uri": "note://b"})),
        session("resources/unsubscribe", json!({"uri": "note://a"})),
        tool("steps", json!({})),
        tool("wait", json!({})),
        tool("wait", json!({})).set("accept", "application/json"),
        tool("name", json!({})),
        tool("name", json!({})),
        tool("delete", json!({})),
        tool("many", json!({})),
        answered(name.clone()),
        answered(name),
        answered(sure),
        answered(json!({"roots": []})),
        answered(json!({"content": {"type": "text", "text": "hi"}})),
        post("$session", &json!({"jsonrpc": "2.0", "id": "$asked", "error": {"code": -1, "message": "no"}})),
        get("$session"),
        get("$session").by("DELETE"),
        old("tools/list", json!({})),
        old("tools/call", json!({"name": "echo", "arguments": {"text": "milk"}})),
        Raw::json(
            &json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "a"}}}]),
        ),
    ];
    let entry = |raw: Raw| {
        let body = serde_json::from_slice(&raw.body).unwrap_or_default();
        Sample { method: raw.method, headers: raw.headers, body }
    };
    raws.into_iter().map(entry).collect()
}

fn merge(into: &mut Value, more: Value) {
    if let Value::Object(more) = more {
        more.into_iter().for_each(|(key, value)| into[key] = value);
    }
}

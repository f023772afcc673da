//! Raw HTTP exchanges: each row is one request and what must come back.

use mcp::MAX_BODY_BYTES;
use serde_json::{Value, json};

use crate::fixture::{Raw, meta, send, send_to, server};

/// What a row expects.
pub enum Want {
    /// HTTP 200 and a result that holds at least this.
    Result(Value),
    /// An error with this HTTP status and code, and the request's id.
    Error(u16, i64),
    /// The same, where the id could not be read and must be left out.
    Nameless(u16, i64),
    /// 202 without a body.
    Accepted,
}
use Want::{Accepted, Error, Nameless, Result};

/// Sends each row, and holds what comes back against what it expects.
pub fn check(rows: Vec<(&str, Raw, Want)>) {
    for (row, raw, want) in rows {
        let id = serde_json::from_slice::<Value>(&raw.body).ok().map(|body| body["id"].clone());
        let answer = send(raw.into_http());
        let shown = format!("{row}: {} {}", answer.status, answer.body);
        match want {
            Result(part) => {
                assert_eq!(answer.status, 200, "{shown}");
                assert_eq!(Some(&answer.body["id"]), id.as_ref(), "{shown}");
                assert!(holds(&answer.body["result"], &part), "{shown}\nmust hold {part}");
            }
            Error(status, code) => {
                assert_eq!((answer.status, &answer.body["error"]["code"]), (status, &json!(code)), "{shown}");
                assert_eq!(Some(&answer.body["id"]), id.as_ref(), "{shown}");
            }
            Nameless(status, code) => {
                assert_eq!((answer.status, &answer.body["error"]["code"]), (status, &json!(code)), "{shown}");
                assert_eq!(answer.body.get("id"), None, "{shown}");
            }
            Accepted => {
                assert_eq!((answer.status, &answer.body), (202, &Value::Null), "{shown}");
                assert_eq!(answer.headers.get("content-type"), None, "{shown}");
                continue;
            }
        }
        assert_eq!(answer.headers.get("content-type"), Some("application/json"), "{shown}");
        assert_eq!(answer.body["jsonrpc"], "2.0", "{shown}");
    }
}

/// Every field of `part` is in `whole`; in lists, item by item from the start.
fn holds(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| holds(whole, part)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            part.len() <= whole.len() && whole.iter().zip(part).all(|(whole, part)| holds(whole, part))
        }
        _ => whole == part,
    }
}

fn list() -> Raw {
    Raw::modern("tools/list", json!({}))
}

fn call() -> Raw {
    Raw::modern("tools/call", json!({"name": "note_list", "arguments": {}}))
}

fn read(uri: &str) -> Raw {
    Raw::modern("resources/read", json!({"uri": uri}))
}

fn with_meta(meta: Value) -> Raw {
    Raw::modern("tools/list", json!({"_meta": meta}))
}

fn meta_without(key: &str) -> Value {
    let mut meta = meta();
    meta.as_object_mut().expect("an object").remove(&format!("io.modelcontextprotocol/{key}"));
    meta
}

fn meta_with(key: &str, value: Value) -> Value {
    let mut meta = meta();
    meta[format!("io.modelcontextprotocol/{key}")] = value;
    meta
}

#[test]
fn before_the_message() {
    let large = |bytes: usize| {
        let mut body = list().body;
        body.resize(bytes, b' ');
        Raw { body, ..list() }
    };
    check(vec![
        ("GET", list().by("GET"), Nameless(405, -32600)),
        ("DELETE", list().by("DELETE"), Nameless(405, -32600)),
        ("a method is case-sensitive", list().by("post"), Nameless(405, -32600)),
        ("no content type", list().without("content-type"), Nameless(415, -32600)),
        ("what a form can send", list().set("content-type", "text/plain"), Nameless(415, -32600)),
        ("almost JSON", list().set("content-type", "application/jsonp"), Nameless(415, -32600)),
        (
            "JSON inside a text type",
            list().set("content-type", "text/plain; application/json"),
            Nameless(415, -32600),
        ),
        ("with a charset", list().set("content-type", "Application/JSON ; charset=utf-8"), Result(json!({}))),
        ("4 MiB", large(MAX_BODY_BYTES), Result(json!({}))),
        ("4 MiB and a byte", large(MAX_BODY_BYTES + 1), Nameless(413, -32600)),
        ("any Accept will do", list().set("accept", "text/html"), Result(json!({}))),
        ("no Accept will do", list().without("accept"), Result(json!({}))),
        ("a session id is ignored", list().set("mcp-session-id", "x"), Result(json!({}))),
    ]);
    let refused = send(list().by("GET").into_http());
    assert_eq!(refused.headers.get("allow"), Some("POST"));
}

#[test]
fn origins() {
    let strict = || server().only_from(["http://localhost:8080".to_owned()]);
    let rows = [
        (list(), 200),
        (list().set("origin", "http://localhost:8080"), 200),
        (list().set("origin", "http://localhost:8081"), 403),
        (list().set("origin", "http://evil.example.com"), 403),
        (list().set("origin", "null"), 403),
        (list().set("origin", "http://evil.example.com").set("content-type", "text/plain"), 403),
        (list().set("origin", "http://evil.example.com").by("GET"), 405),
    ];
    for (raw, status) in rows {
        assert_eq!(send_to(&strict(), raw.clone().into_http()).status, status, "{:?}", raw.headers);
    }
    assert_eq!(
        send(list().set("origin", "null").into_http()).status,
        200,
        "the adapter's business by default"
    );
}

#[test]
fn bodies() {
    let message = |body: Value| Raw { body: Raw::json(&body).body, ..list() };
    let with_id = |id: Value| {
        message(json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {"_meta": meta()}}))
    };
    let text = |body: &str| Raw { body: body.into(), ..list() };
    check(vec![
        ("empty", text(""), Nameless(400, -32700)),
        ("cut off", text("{\"jsonrpc\":\"2.0\",\"id\":1"), Nameless(400, -32700)),
        ("two documents", text("{} {}"), Nameless(400, -32700)),
        (
            "not UTF-8",
            Raw { body: b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}".to_vec(), ..list() },
            Nameless(400, -32700),
        ),
        ("a byte order mark", text("\u{feff}{}"), Nameless(400, -32700)),
        ("NaN", text("{\"id\":NaN}"), Nameless(400, -32700)),
        ("deeper than a parser should go", text(&"[".repeat(100_000)), Nameless(400, -32700)),
        ("null", text("null"), Nameless(400, -32600)),
        ("a string", text("\"tools/list\""), Nameless(400, -32600)),
        ("an array", text("[]"), Nameless(400, -32600)),
        (
            "a batch",
            Raw { body: Raw::json(&json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])).body, ..list() },
            Nameless(400, -32600),
        ),
        ("an empty object", text("{}"), Nameless(400, -32600)),
        ("id null", with_id(Value::Null), Nameless(400, -32600)),
        ("id a fraction", with_id(json!(1.5)), Nameless(400, -32600)),
        ("id true", with_id(json!(true)), Nameless(400, -32600)),
        ("id a list", with_id(json!([1])), Nameless(400, -32600)),
        ("id a string", with_id(json!("ü")), Result(json!({}))),
        ("id the empty string", with_id(json!("")), Result(json!({}))),
        ("id negative", with_id(json!(-7)), Result(json!({}))),
        ("id beyond 2^53", with_id(json!(u64::MAX)), Result(json!({}))),
        ("no jsonrpc", message(json!({"id": 1, "method": "tools/list"})), Error(400, -32600)),
        (
            "jsonrpc 1.0",
            message(json!({"jsonrpc": "1.0", "id": 1, "method": "tools/list"})),
            Error(400, -32600),
        ),
        (
            "jsonrpc a number",
            message(json!({"jsonrpc": 2.0, "id": 1, "method": "tools/list"})),
            Error(400, -32600),
        ),
        ("no method", message(json!({"jsonrpc": "2.0", "id": 1})), Error(400, -32600)),
        ("method a number", message(json!({"jsonrpc": "2.0", "id": 1, "method": 5})), Error(400, -32600)),
        (
            "params a list",
            message(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []})),
            Error(400, -32600),
        ),
        (
            "params null",
            message(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": null})),
            Error(400, -32600),
        ),
        // Its id is not that of a request, so it must not look like the answer to one.
        ("a posted result", message(json!({"jsonrpc": "2.0", "id": 1, "result": {}})), Nameless(400, -32600)),
        (
            "a posted error",
            message(json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}})),
            Nameless(400, -32600),
        ),
        (
            "request and response at once",
            message(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "result": {}})),
            Error(400, -32600),
        ),
    ]);
}

#[test]
fn modern_meta() {
    check(vec![
        ("complete", with_meta(meta()), Result(json!({}))),
        ("empty", with_meta(json!({})), Error(400, -32602)),
        ("not an object", with_meta(json!("2026-07-28")), Error(400, -32602)),
        (
            "no params at all",
            Raw {
                body: Raw::json(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).body,
                ..list()
            },
            Error(400, -32602),
        ),
        ("no version", with_meta(meta_without("protocolVersion")), Error(400, -32602)),
        ("version a number", with_meta(meta_with("protocolVersion", json!(2026))), Error(400, -32602)),
        ("no capabilities", with_meta(meta_without("clientCapabilities")), Error(400, -32602)),
        ("capabilities a list", with_meta(meta_with("clientCapabilities", json!([]))), Error(400, -32602)),
        ("no client info", with_meta(meta_without("clientInfo")), Result(json!({}))),
        ("client info a string", with_meta(meta_with("clientInfo", json!("c"))), Error(400, -32602)),
        ("a log level", with_meta(meta_with("logLevel", json!("info"))), Result(json!({}))),
        ("no such log level", with_meta(meta_with("logLevel", json!("loud"))), Error(400, -32602)),
        ("a log level that is a number", with_meta(meta_with("logLevel", json!(1))), Error(400, -32602)),
        ("unknown keys are fine", with_meta(meta_with("dev.other/key", json!(1))), Result(json!({}))),
    ]);
}

#[test]
fn modern_headers() {
    let version = |header: &str, body: &str| {
        with_meta(meta_with("protocolVersion", json!(body))).set("mcp-protocol-version", header)
    };
    let named = |header: &str| read("note://sécond").set("mcp-name", header);
    check(vec![
        ("no version", list().without("mcp-protocol-version"), Error(400, -32020)),
        (
            "an older version in the header",
            list().set("mcp-protocol-version", "2025-11-25"),
            Error(400, -32020),
        ),
        ("header right, body wrong", version("2026-07-28", "v999.0.0"), Error(400, -32020)),
        ("both wrong", version("v999.0.0", "v999.0.0"), Error(400, -32022)),
        ("both a legacy version", version("2025-11-25", "2025-11-25"), Error(400, -32022)),
        (
            "the version twice",
            list().set("mcp-protocol-version", "2026-07-28, 2026-07-28"),
            Error(400, -32020),
        ),
        ("no method", list().without("mcp-method"), Error(400, -32020)),
        ("another method", list().set("mcp-method", "tools/call"), Error(400, -32020)),
        ("the method in another case", list().set("mcp-method", "Tools/List"), Error(400, -32020)),
        (
            "a header's name in another case",
            list().without("mcp-method").set("mcp-METHOD", "tools/list"),
            Result(json!({})),
        ),
        (
            "padded values",
            list().set("mcp-method", " \ttools/list ").set("mcp-protocol-version", " 2026-07-28\t"),
            Result(json!({})),
        ),
        ("a call without its name", call().without("mcp-name"), Error(400, -32020)),
        ("a call with another name", call().set("mcp-name", "note_add"), Error(400, -32020)),
        ("a call with a name in another case", call().set("mcp-name", "NOTE_LIST"), Error(400, -32020)),
        ("a name padded", call().set("mcp-name", "  note_list "), Result(json!({}))),
        ("a name in Base64", call().set("mcp-name", "=?base64?bm90ZV9saXN0?="), Result(json!({}))),
        ("a name that needs no header", list().set("mcp-name", "anything"), Result(json!({}))),
        ("a UTF-8 name in Base64", named("=?base64?bm90ZTovL3PDqWNvbmQ=?="), Result(json!({}))),
        ("Base64 of another name", named("=?base64?bm90ZTovL2ZpcnN0?="), Error(400, -32020)),
        ("padding missing", named("=?base64?bm90ZTovL3PDqWNvbmQ?="), Error(400, -32020)),
        ("a foreign alphabet", named("=?base64?bm90ZTovL3PDqWNvbm_=?="), Error(400, -32020)),
        ("not UTF-8 inside", named("=?base64?/w==?="), Error(400, -32020)),
        ("the mark in capitals is literal", named("=?BASE64?bm90ZTovL3PDqWNvbmQ=?="), Error(400, -32020)),
        ("no end mark is literal", named("=?base64?bm90ZTovL3PDqWNvbmQ="), Error(400, -32020)),
        (
            "a body that names nothing",
            Raw::modern("tools/call", json!({})).set("mcp-name", "note_list"),
            Error(200, -32602),
        ),
        ("a prompt needs its name", Raw::modern("prompts/get", json!({"name": "p"})), Error(400, -32020)),
        ("a task needs its id", Raw::modern("tasks/get", json!({"taskId": "t"})), Error(400, -32020)),
        (
            "and then there are no tasks",
            Raw::modern("tasks/get", json!({"taskId": "t"})).set("mcp-name", "t"),
            Error(404, -32601),
        ),
    ]);
    let refused = send(version("v999.0.0", "v999.0.0").into_http());
    assert_eq!(refused.body["error"]["data"], json!({"supported": ["2026-07-28"], "requested": "v999.0.0"}));
    let discovered = send(Raw::modern("server/discover", json!({})).into_http());
    assert_eq!(discovered.body["result"]["supportedVersions"], refused.body["error"]["data"]["supported"]);
}

#[test]
fn modern_methods() {
    let gone = ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];
    for method in
        gone.into_iter().chain(["unknown/method", "prompts/list", "subscriptions/listen", "tasks/list", ""])
    {
        check(vec![(method, Raw::modern(method, json!({})), Error(404, -32601))]);
    }
    let notification = |params: Value| {
        Raw::json(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
            .set("mcp-protocol-version", "2026-07-28")
            .set("mcp-method", "notifications/cancelled")
    };
    check(vec![
        (
            "discover",
            Raw::modern("server/discover", json!({})),
            Result(json!({"supportedVersions": ["2026-07-28"], "instructions": "List before you add."})),
        ),
        (
            "list",
            list(),
            Result(json!({"tools": [{"name": "note_add"}, {"name": "note_list"}, {"name": "note_break"}]})),
        ),
        ("a foreign cursor", Raw::modern("tools/list", json!({"cursor": "bm9wZQ=="})), Error(200, -32602)),
        ("a cursor of nonsense", Raw::modern("tools/list", json!({"cursor": "?"})), Error(200, -32602)),
        ("the empty cursor", Raw::modern("tools/list", json!({"cursor": ""})), Error(200, -32602)),
        ("a cursor that is no string", Raw::modern("tools/list", json!({"cursor": 1})), Error(200, -32602)),
        (
            "call",
            call(),
            Result(
                json!({"structuredContent": {"notes": []}, "content": [{"type": "text", "text": "{\"notes\":[]}"}], "isError": false}),
            ),
        ),
        (
            "call without arguments",
            Raw::modern("tools/call", json!({"name": "note_list"})),
            Result(json!({"isError": false})),
        ),
        (
            "arguments null",
            Raw::modern("tools/call", json!({"name": "note_list", "arguments": null})),
            Error(200, -32602),
        ),
        (
            "arguments a list",
            Raw::modern("tools/call", json!({"name": "note_list", "arguments": []})),
            Error(200, -32602),
        ),
        (
            "bad arguments are a result",
            Raw::modern("tools/call", json!({"name": "note_add", "arguments": {"lines": 5}})),
            Result(json!({"isError": true})),
        ),
        (
            "a rejection is a result",
            Raw::modern("tools/call", json!({"name": "note_add", "arguments": {"lines": [{"text": ""}]}})),
            Result(json!({"isError": true, "content": [{"text": "A note needs text."}]})),
        ),
        ("a failure is not", Raw::modern("tools/call", json!({"name": "note_break"})), Error(200, -32603)),
        ("an unknown tool", Raw::modern("tools/call", json!({"name": "note_"})), Error(200, -32602)),
        (
            "the name a number",
            Raw::modern("tools/call", json!({"name": 5})).set("mcp-name", "5"),
            Error(200, -32602),
        ),
        (
            "resources",
            Raw::modern("resources/list", json!({})),
            Result(json!({"resources": [{"uri": "note://first"}], "nextCursor": "two"})),
        ),
        (
            "resources, second page",
            Raw::modern("resources/list", json!({"cursor": "two"})),
            Result(json!({"resources": [{"uri": "note://sécond"}]})),
        ),
        (
            "resources, foreign cursor",
            Raw::modern("resources/list", json!({"cursor": "three"})),
            Error(200, -32602),
        ),
        (
            "templates",
            Raw::modern("resources/templates/list", json!({})),
            Result(json!({"resourceTemplates": [{"uriTemplate": "note://{name}"}]})),
        ),
        (
            "templates have one page",
            Raw::modern("resources/templates/list", json!({"cursor": "x"})),
            Error(200, -32602),
        ),
        (
            "read",
            read("note://first"),
            Result(json!({"contents": [{"uri": "note://first", "mimeType": "text/plain", "text": "milk"}]})),
        ),
        ("read what is not there", read("note://gone"), Error(200, -32602)),
        (
            "read without an address",
            Raw::modern("resources/read", json!({})).set("mcp-name", "x"),
            Error(200, -32602),
        ),
        ("a notification", notification(json!({})), Accepted),
        ("a notification with `_meta`", notification(json!({"_meta": meta()})), Accepted),
        (
            "a notification without headers",
            notification(json!({"_meta": meta()})).without("mcp-method").without("mcp-protocol-version"),
            Accepted,
        ),
        (
            "a notification of another version",
            notification(json!({})).set("mcp-protocol-version", "v9"),
            Nameless(400, -32022),
        ),
        (
            "a notification at odds with its header",
            notification(json!({})).set("mcp-method", "tools/list"),
            Nameless(400, -32020),
        ),
        (
            "a notification of two versions",
            notification(json!({"_meta": meta()})).set("mcp-protocol-version", "2027-01-01"),
            Nameless(400, -32020),
        ),
        ("a notification with an id", Raw::modern("notifications/cancelled", json!({})), Error(404, -32601)),
    ]);
    let missing = send(read("note://gone").into_http());
    assert_eq!(missing.body["error"]["data"], json!({"uri": "note://gone"}));
}

/// `resultType` and the server's name on every result, `ttlMs` and `cacheScope` on exactly the cacheable.
#[test]
fn modern_results_are_stamped() {
    let rows = [
        (Raw::modern("server/discover", json!({})), Some("public")),
        (list(), Some("public")),
        (Raw::modern("resources/list", json!({})), Some("private")),
        (Raw::modern("resources/list", json!({"cursor": "two"})), Some("private")),
        (Raw::modern("resources/templates/list", json!({})), Some("public")),
        (read("note://first"), Some("private")),
        (call(), None),
        (Raw::modern("tools/call", json!({"name": "note_add"})), None),
    ];
    for (raw, scope) in rows {
        let result = send(raw.into_http()).body["result"].clone();
        assert_eq!(result["resultType"], "complete", "{result}");
        let info = json!({"name": "notes", "title": "Notes", "version": "1.2.3"});
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"], info, "{result}");
        assert_eq!(result.get("cacheScope").and_then(Value::as_str), scope, "{result}");
        assert_eq!(result.get("ttlMs").is_some_and(Value::is_u64), scope.is_some(), "{result}");
    }
}

/// The browser may dispatch one POST twice: then the hash is the same, and otherwise it is not.
#[test]
fn body_hashes() {
    let hash = |text: &str| {
        let mut body = meta();
        body["dev.satchel/key"] = json!("k");
        let params = json!({"name": "note_add", "arguments": {"lines": [{"text": text}]}, "_meta": body});
        send(Raw::modern("tools/call", params).into_http()).body["result"]["_meta"]["test/hash"].clone()
    };
    assert_eq!(hash("milk"), hash("milk"));
    assert_ne!(hash("milk"), hash("bread"));
    let twice = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "note_list", "_meta": {"dev.satchel/key": "k"}}});
    let answers = send(Raw::json(&json!([twice, twice])).into_http()).body;
    assert_ne!(answers[0]["result"]["_meta"]["test/hash"], answers[1]["result"]["_meta"]["test/hash"]);
}

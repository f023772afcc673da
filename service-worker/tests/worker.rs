//! The worker's exports, in a real service worker over a real IndexedDB.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use js_sys::Reflect;
use serde_json::{Map, Value, json};
use service_worker::{TRANSPORT_VERSION, handle, open_port, start};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{BroadcastChannel, MessageChannel, MessageEvent, MessagePort};

wasm_bindgen_test_configure!(run_in_service_worker);

struct Reply {
    status: u16,
    headers: Value,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

async fn send(method: &str, headers: &Value, body: String) -> Reply {
    // A module does this by itself as it starts; one of tests has a start of its own.
    start();
    let reply =
        JsFuture::from(handle(method.into(), &headers.to_string(), body)).await.expect("never rejected");
    let field = |name: &str| Reflect::get(&reply, &name.into()).unwrap();
    Reply {
        status: field("status").as_f64().unwrap() as u16,
        headers: serde_json::from_str(&field("headers_json").as_string().unwrap()).unwrap(),
        body: field("body").as_string().unwrap(),
    }
}

fn client() -> mcp::client::Client {
    mcp::client::Client::new("test", "1")
}

fn call(name: &str, arguments: Value, meta: Value) -> mcp::client::Outgoing {
    let Value::Object(meta) = meta else { panic!("meta is an object") };
    client().call_tool(1, name, arguments, meta)
}

async fn ask(out: mcp::client::Outgoing) -> Reply {
    send("POST", &json!(out.headers), out.body).await
}

/// Creates a to-do and gives its id.
async fn create(title: &str, key: &str) -> String {
    let reply = ask(call("todo_create", json!({"title": title}), json!({"dev.satchel/key": key}))).await;
    let result = mcp::client::call_result(reply.status, &reply.body).expect("a result");
    assert!(!result.is_error, "{}", result.text);
    result.structured.unwrap()["changes"][0]["after"]["id"].as_str().unwrap().to_owned()
}

async fn count(text: &str) -> u64 {
    let reply = ask(call("todo_list", json!({"text": text, "status": "all"}), json!({}))).await;
    mcp::client::call_result(reply.status, &reply.body).unwrap().structured.unwrap()["total"]
        .as_u64()
        .unwrap()
}

/// Messages of a port or a channel, one after the other.
struct Inbox {
    messages: UnboundedReceiver<Value>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
}

impl Inbox {
    fn new(listen: impl FnOnce(&js_sys::Function)) -> Self {
        let (send, messages) = unbounded();
        let on_message = Closure::new(move |event: MessageEvent| {
            let data = event.data();
            let text = data.as_string().or_else(|| js_sys::JSON::stringify(&data).ok()?.as_string()).unwrap();
            send.unbounded_send(serde_json::from_str(&text).unwrap()).unwrap();
        });
        listen(on_message.as_ref().unchecked_ref());
        Self { messages, _on_message: on_message }
    }

    async fn next(&mut self) -> Value {
        self.messages.next().await.unwrap()
    }
}

fn page_port(version: u32) -> (MessagePort, Inbox) {
    let channel = MessageChannel::new().unwrap();
    let port = channel.port1();
    let inbox = Inbox::new(|listener| port.set_onmessage(Some(listener)));
    start();
    open_port(version, channel.port2());
    (port, inbox)
}

fn frame(id: u64, out: &mcp::client::Outgoing) -> wasm_bindgen::JsValue {
    let headers = serde_json::to_string(&out.headers).unwrap();
    js_sys::JSON::parse(&json!({"id": id, "headers": headers, "body": out.body}).to_string()).unwrap()
}

#[wasm_bindgen_test]
async fn the_tools_are_listed() {
    let reply = ask(client().list_tools(1, None)).await;
    let tools = mcp::client::tools(reply.status, &reply.body).expect("tools").tools;
    assert!(tools.iter().any(|tool| tool.name == "todo_create"), "{tools:?}");
    assert_eq!(reply.headers["content-type"], "application/json");
}

#[wasm_bindgen_test]
async fn a_key_is_executed_once() {
    let first = create("milk for once", "once").await;
    assert_eq!(create("milk for once", "once").await, first);
    assert_eq!(count("milk for once").await, 1);
}

#[wasm_bindgen_test]
async fn what_is_no_call_is_refused() {
    let headers = json!(client().list_tools(1, None).headers);
    assert_eq!(send("GET", &headers, String::new()).await.status, 405);
    assert_eq!(send("POST", &json!({}), "{}".into()).await.status, 415);
    let broken = send("POST", &headers, "{".into()).await;
    assert_eq!((broken.status, &broken.json()["error"]["code"]), (400, &json!(-32700)));
    let large = send("POST", &headers, " ".repeat(5_000_000)).await;
    assert_eq!(large.status, 413);
}

#[wasm_bindgen_test]
async fn a_notification_is_taken_without_a_word() {
    let headers = json!({"content-type": "application/json"});
    let body = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let reply = send("POST", &headers, body).await;
    assert_eq!((reply.status, reply.body.as_str()), (202, ""));
}

#[wasm_bindgen_test]
async fn another_build_is_told_to_reload() {
    for (version, status) in [(TRANSPORT_VERSION, 200), (TRANSPORT_VERSION + 1, 409)] {
        let mut out = client().list_tools(1, None);
        out.headers.add("satchel-version", &version.to_string());
        assert_eq!(ask(out).await.status, status);
    }
    let (_port, mut inbox) = page_port(TRANSPORT_VERSION + 1);
    assert_eq!(inbox.next().await, json!({"reload": true}));
}

#[wasm_bindgen_test]
async fn a_port_carries_the_same_bytes() {
    let (port, mut inbox) = page_port(TRANSPORT_VERSION);
    let hello = inbox.next().await["hello"].clone();
    assert_eq!(hello["version"], TRANSPORT_VERSION);
    assert!(hello["lock"].as_str().unwrap().starts_with("satchel-alive-"), "{hello}");

    // Two at once, and rubbish between them that nobody answers.
    let (create, list) = (
        call("todo_create", json!({"title": "by port"}), json!({"dev.satchel/key": "port-1"})),
        client().list_tools(2, None),
    );
    port.post_message(&frame(7, &create)).unwrap();
    port.post_message(&"rubbish".into()).unwrap();
    port.post_message(&json!({"id": 8}).to_string().into()).unwrap();
    port.post_message(&frame(9, &list)).unwrap();
    let mut replies = Map::new();
    for _ in 0..2 {
        let reply = inbox.next().await;
        replies.insert(reply["id"].to_string(), reply);
    }
    assert_eq!(replies["7"]["status"], 200);
    assert_eq!(replies["9"]["body"], ask(list).await.body, "byte for byte what fetch gets");
    let again = ask(create).await.json();
    assert_eq!(
        again["result"]["_meta"]["dev.satchel/replayed"], true,
        "a retry at the other door is the same call"
    );
    assert_eq!(count("by port").await, 1);
}

#[wasm_bindgen_test]
async fn a_commit_is_broadcast() {
    let channel = BroadcastChannel::new("satchel-changes").unwrap();
    let mut inbox = Inbox::new(|listener| channel.set_onmessage(Some(listener)));
    let preview = json!({"dev.satchel/key": "not this", "dev.satchel/preview": true});
    ask(call("todo_create", json!({"title": "seen"}), preview)).await;
    ask(call("todo_list", json!({}), json!({}))).await;
    create("heard", "this one").await;
    let news = inbox.next().await;
    assert_eq!((&news["tool"], &news["key"]), (&json!("todo_create"), &json!("this one")), "{news}");
    assert!(news["rev"].is_u64(), "{news}");
    channel.close();
}

/// A due time is kept in the zone it was said in; a zone nobody knows falls back to the device's.
#[wasm_bindgen_test]
async fn the_zone_of_the_call_counts() {
    for (zone, kept) in [("Asia/Kolkata", true), ("Mars/Olympus_Mons", false)] {
        let meta = json!({"dev.satchel/key": format!("zone {zone}"), "dev.satchel/zone": zone});
        let reply = ask(call("todo_create", json!({"title": "tea", "due": "2030-01-02T15:00"}), meta)).await;
        let result = mcp::client::call_result(reply.status, &reply.body).unwrap();
        let todo = &result.structured.unwrap()["changes"][0]["after"];
        assert_eq!(todo["zone"] == zone, kept, "{todo}");
    }
}

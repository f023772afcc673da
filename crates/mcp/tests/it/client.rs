//! The client's requests against the server, and its reading of foreign answers.

use futures::executor::block_on;
use mcp::client::{self, Client, ClientError, Outgoing};
use mcp::{HttpIn, RpcError};
use serde_json::{Map, Value, json};

use crate::fixture::{registry, server};

fn send(out: Outgoing) -> (u16, String) {
    let answer = block_on(server().handle(HttpIn::post(out.headers, out.body)));
    (answer.status, String::from_utf8(block_on(answer.body.into_bytes())).expect("text"))
}

fn client() -> Client {
    Client::new("test", "1")
}

#[test]
fn every_request_is_one_the_server_takes() {
    let (status, body) = send(client().discover(1));
    let found = client::discovery(status, &body).expect("discovery");
    assert_eq!(found.supported_versions, ["2026-07-28"]);
    assert_eq!(found.instructions, "List before you add.");

    let (status, body) = send(client().list_tools(2, None));
    let page = client::tools(status, &body).expect("tools");
    assert_eq!(page.tools, registry().definitions(), "a definition survives the wire whole");
    assert_eq!(page.next_cursor, None);

    let (status, body) = send(client().list_resources(3, Some("two")));
    assert_eq!(client::resources(status, &body).expect("resources").resources[0].uri, "note://sécond");

    let (status, body) = send(client().read_resource(4, "note://sécond"));
    assert_eq!(client::contents(status, &body).expect("contents")[0].text, "milk");
}

#[test]
fn calls() {
    let call = |name: &str, arguments: Value| {
        let meta = Map::from_iter([("dev.satchel/key".to_owned(), json!("run:1"))]);
        let (status, body) = send(client().call_tool(5, name, arguments, meta));
        client::call_result(status, &body)
    };
    let added = call("note_add", json!({"lines": [{"text": "milk"}]})).expect("a result");
    assert_eq!(added.structured, Some(json!({"count": 1})));
    assert_eq!(added.text, "{\"count\":1}");
    assert_eq!(added.meta["dev.satchel/key"], "run:1");
    assert!(!added.is_error);

    let rejected = call("note_add", json!({})).expect("a rejection is a result");
    assert!(rejected.is_error && rejected.text.contains("missing field `lines`"), "{rejected:?}");
    assert_eq!(rejected.structured, None);

    assert_eq!(call("note_break", json!({})), Err(ClientError::Rpc(RpcError::internal("The store is gone"))));
    assert_eq!(
        call("nöpe", json!({})),
        Err(ClientError::Rpc(RpcError::invalid_params("Unknown tool: nöpe")))
    );
    let tricky = "=?base64?eA==?=";
    let unknown = RpcError::invalid_params(format!("Unknown tool: {tricky}"));
    assert_eq!(
        call(tricky, json!({})),
        Err(ClientError::Rpc(unknown)),
        "looks encoded, is encoded once more"
    );
}

#[test]
fn foreign_answers() {
    let read = |status: u16, body: &str| client::call_result(status, body).map(|result| result.text);
    assert_eq!(read(503, "{\"error\":\"no worker\"}"), Err(ClientError::NotMcp { status: 503 }));
    assert_eq!(read(405, ""), Err(ClientError::NotMcp { status: 405 }));
    assert_eq!(read(200, "<html>"), Err(ClientError::NotMcp { status: 200 }));
    assert_eq!(
        read(200, r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}}"#),
        Err(ClientError::Malformed("unexpected result type \"input_required\"".into()))
    );
    assert_eq!(
        read(200, r#"{"jsonrpc":"2.0","id":1}"#),
        Err(ClientError::Malformed("neither result nor error".into()))
    );
    assert!(matches!(
        read(200, r#"{"jsonrpc":"2.0","id":1,"result":{"content":5}}"#),
        Err(ClientError::Malformed(_))
    ));
    let parts = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"},{"type":"image","data":""},{"type":"text","text":"b"}]}}"#;
    assert_eq!(read(200, parts), Ok("a\nb".into()), "an older server, with parts we do not show");
}

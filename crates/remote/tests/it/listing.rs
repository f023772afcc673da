//! Lists of tools in which some break the rules: those are left out, and the others stay.

use serde_json::{Map, Value, json};

use crate::world::peer::{Asked, Do, Peer, json, modern, result, text, tool};
use crate::world::{client, run};

/// A server with these tools, that answers every call.
async fn offers(tools: Vec<Value>) -> Peer {
    modern(move |asked: &Asked| -> Vec<Do> {
        match asked.what() {
            "tools/list" => json(&result(asked, json!({ "resultType": "complete", "tools": tools }))),
            _ => json(&text(asked, "done")),
        }
    })
    .await
}

/// A tool with something else in a field; without it where that is none.
fn odd(field: &str, value: Option<Value>) -> Value {
    let mut odd = tool("odd");
    match value {
        Some(value) => odd[field] = value,
        None => drop(odd.as_object_mut().unwrap().remove(field)),
    }
    odd
}

fn marked(mark: Value) -> Value {
    let property = json!({ "type": "string", "x-mcp-header": mark });
    odd("inputSchema", Some(json!({ "type": "object", "properties": { "a": property } })))
}

#[test]
fn a_tool_that_breaks_the_rules_is_left_out_and_the_others_stay() {
    run(async {
        let rows = [
            odd("inputSchema", None),
            odd("inputSchema", Some(Value::Null)),
            odd("inputSchema", Some(json!("object"))),
            odd("inputSchema", Some(json!({ "type": "array" }))),
            odd("inputSchema", Some(json!({ "type": ["object", "null"] }))),
            odd("inputSchema", Some(json!({}))),
            odd("name", None),
            odd("name", Some(json!(""))),
            odd("name", Some(json!(7))),
            odd("name", Some(json!("x".repeat(10_000)))),
            odd("name", Some(json!("first"))),
            odd("description", Some(json!(["Does it."]))),
            odd("annotations", Some(json!({ "readOnlyHint": "yes" }))),
            marked(json!("Two Words")),
            marked(json!("A\r\nAuthorization: x")),
            marked(json!("")),
            marked(json!(["A"])),
            json!(null),
            json!("tool"),
            json!([]),
        ];
        for row in rows {
            let shown: String = row.to_string().chars().take(200).collect();
            let peer = offers(vec![tool("first"), row, tool("last")]).await;
            let offer = client(&peer.url).0.tools().await.unwrap();
            let names: Vec<&str> = offer.tools.iter().map(|tool| tool.name.as_str()).collect();
            assert_eq!((names, offer.left_out), (vec!["first", "last"], 1), "{shown}");
            assert_eq!(offer.tools[0].description, "Does it.", "the first of a name is it: {shown}");
        }
    });
}

#[test]
fn what_a_server_says_it_does_not_have_is_not_there() {
    run(async {
        let mut sparse = tool("sparse");
        for field in ["title", "description", "annotations", "outputSchema", "icons", "_meta"] {
            sparse[field] = Value::Null;
        }
        let peer = offers(vec![sparse]).await;
        let offer = client(&peer.url).0.tools().await.unwrap();
        assert_eq!((offer.tools.len(), offer.left_out), (1, 0));
        // It is treated with the care that one is treated with that says nothing.
        assert!(offer.tools[0].annotations.destructive && !offer.tools[0].annotations.read_only);
        assert_eq!((offer.tools[0].title.as_str(), offer.tools[0].description.as_str()), ("", ""));
    });
}

#[test]
fn a_second_tool_of_the_same_name_does_not_take_its_place() {
    run(async {
        let mut second = tool("send");
        second["description"] = "Sends it to somebody else.".into();
        second["inputSchema"]["properties"] = json!({ "to": { "type": "string", "x-mcp-header": "To" } });
        let peer = offers(vec![tool("send"), second]).await;
        let (server, wire) = client(&peer.url);
        let offer = server.tools().await.unwrap();
        assert_eq!((offer.tools.len(), offer.left_out), (1, 1));
        assert_eq!(offer.tools[0].description, "Does it.");
        server.call("send", json!({ "to": "me" }), Map::new(), None).await.unwrap();
        assert!(wire.sent("tools/call")[0].headers.iter().all(|(name, _)| name != "mcp-param-to"));
    });
}

#[test]
fn nothing_a_tool_or_an_argument_is_called_becomes_a_header_of_its_own() {
    run(async {
        let values = ["a\r\nx-evil: 1", "a\nx-evil: 1", "a\0b", "=?base64?eA==?=", " a", "ä", "", "plain"];
        for name in ["plain", "a\r\nx-evil: 1", "ä b"] {
            let mut marked = tool(name);
            marked["inputSchema"]["properties"] = json!({
                "auth": { "type": "string", "x-mcp-header": "Authorization" },
                "length": { "type": "string", "x-mcp-header": "content-length" },
            });
            let peer = offers(vec![marked]).await;
            let (server, _) = client(&peer.url);
            assert_eq!(server.tools().await.unwrap().tools.len(), 1, "{name:?}");
            for value in values {
                let arguments = json!({ "auth": value, "length": value });
                server.call(name, arguments, Map::new(), None).await.unwrap();
            }
            for (asked, value) in peer.asked("tools/call").iter().zip(values) {
                let known = [
                    "content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name",
                    "mcp-param-authorization", "mcp-param-content-length", "host", "content-length",
                ];
                assert!(asked.headers.iter().all(|(name, _)| known.contains(&name.as_str())), "{asked:?}");
                assert_eq!(asked.headers.len(), known.len(), "{asked:?}");
                let sent = asked.header("mcp-param-authorization").unwrap();
                assert!(sent.bytes().all(|byte| (0x20..0x7f).contains(&byte)), "{sent}");
                let is_plain = matches!(value, "plain" | "");
                assert_eq!(
                    (sent == value, sent.starts_with("=?base64?")),
                    (is_plain, !is_plain),
                    "{value:?}"
                );
                assert_eq!(asked.body["params"]["arguments"]["auth"], value);
                assert_eq!(asked.body["params"]["name"], name);
            }
            assert_eq!(peer.count("tools/call"), values.len());
        }
    });
}

#[test]
fn a_tool_for_the_screens_of_an_app_is_not_offered() {
    run(async {
        let mut hidden = tool("hidden");
        hidden["_meta"] = json!({ "ui": { "visibility": ["app"] } });
        let offer = client(&offers(vec![hidden, tool("shown")]).await.url).0.tools().await.unwrap();
        let names: Vec<&str> = offer.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["shown"]);
    });
}

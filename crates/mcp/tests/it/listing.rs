//! The tool list as a stranger sees it.

use serde_json::{Value, json};

use crate::fixture::{Raw, send, send_to, server};

#[test]
fn tools_modern() {
    insta::assert_json_snapshot!(send(Raw::modern("tools/list", json!({})).into_http()).body);
}

#[test]
fn tools_oldest() {
    insta::assert_json_snapshot!(
        send(Raw::legacy(Some("2025-03-26"), "tools/list", json!({})).into_http()).body
    );
}

#[test]
fn pages_hold_every_tool_once_and_the_list_is_the_same_twice() {
    let whole = send(Raw::modern("tools/list", json!({})).into_http()).body["result"]["tools"].clone();
    for size in 1..=4 {
        let server = server().with_page_size(size);
        let mut tools = Vec::new();
        let mut params = json!({});
        loop {
            let result =
                send_to(&server, Raw::modern("tools/list", params).into_http()).body["result"].clone();
            let page = result["tools"].as_array().expect("a page").clone();
            assert!(!page.is_empty() && page.len() <= size, "{result}");
            assert_eq!(result["cacheScope"], "public", "{result}");
            tools.extend(page);
            match result.get("nextCursor") {
                Some(cursor) => params = json!({"cursor": cursor}),
                None => break,
            }
        }
        assert_eq!(Value::Array(tools), whole, "pages of {size}");
    }
}

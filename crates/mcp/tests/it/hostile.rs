//! Anything at all may come in: the answer is always a well-formed one.

use mcp::{Headers, HttpIn};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::chance::WORDS;
use crate::fixture::{Raw, meta, send};

/// JSON that likes the words of the protocol.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
        Just(meta()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(word(), inner, 0..5).prop_map(|map| json!(map)),
        ]
    })
}

/// Names of the fixture's own.
const OWN: [&str; 8] = [
    "resources/read", "note_add", "note_list", "lines", "text", "note://first", "=?base64?bm90ZV9hZGQ=?=",
    "protocolVersion",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select([WORDS.as_slice(), &OWN].concat()).prop_map(str::to_owned),
        any::<String>(),
    ]
}

fn header() -> impl Strategy<Value = (String, String)> {
    let name = prop::sample::select(vec![
        "mcp-protocol-version", "mcp-method", "mcp-name", "content-type", "origin", "accept",
    ]);
    (name.prop_map(str::to_owned), word())
}

fn check(request: HttpIn) {
    let answer = send(request);
    assert!(matches!(answer.status, 200 | 202 | 400 | 403 | 404 | 405 | 413 | 415), "{}", answer.status);
    let items = match answer.body {
        Value::Null => return assert_eq!(answer.status, 202),
        Value::Array(items) => items,
        item => vec![item],
    };
    for item in items {
        assert_eq!(item["jsonrpc"], "2.0", "{item}");
        assert!(item["error"]["code"].is_i64() != item["result"].is_object(), "{item}");
        assert_ne!(item.get("id"), Some(&Value::Null), "{item}");
        assert!(item.get("id").is_some() || item.get("error").is_some(), "{item}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(body in prop::collection::vec(any::<u8>(), 0..200)) {
        check(HttpIn::post(Headers::new().with("content-type", "application/json"), body));
    }

    #[test]
    fn any_json(body in value(), extra in prop::collection::vec(header(), 0..4)) {
        let raw = Raw::json(&body);
        check(extra.into_iter().fold(raw, |raw, (name, value)| raw.set(&name, &value)).into_http());
    }

    #[test]
    fn any_parameters(
        method in prop::sample::select(vec!["server/discover", "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list"]),
        mut params in prop::collection::btree_map(word(), value(), 0..5),
        extra in prop::collection::vec(header(), 0..2),
    ) {
        params.remove("_meta");
        let raw = Raw::modern(method, json!(params));
        check(extra.into_iter().fold(raw, |raw, (name, value)| raw.set(&name, &value)).into_http());
    }

    #[test]
    fn any_message(method in word(), params in value(), id in value(), version in word()) {
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        check(Raw::json(&body).set("mcp-protocol-version", &version).set("mcp-method", &method).into_http());
    }
}

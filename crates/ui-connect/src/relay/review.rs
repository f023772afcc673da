//! What may become of a program's message: it goes on, it is answered here, or the person is asked. Pure.
//!
//! Whatever goes on was written anew from what was read here, so that nobody reads it in another way than we did.

use mcp::meta;
use protocol::ToolSpec;
use serde_json::{Map, Value, json};

use crate::external::Call;

/// What other programs may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Only look.
    #[default]
    Read,
    /// Change what the person allows, each time.
    Ask,
}

impl Mode {
    /// Both, the careful one first.
    pub const ALL: [Self; 2] = [Self::Read, Self::Ask];

    /// The word in the menu's value.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Ask => "ask",
        }
    }
}

/// What becomes of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It goes on; `what` is worth showing to the person, where there is something.
    Pass {
        /// The message.
        message: Value,
        /// The title of the tool, or the method.
        what: Option<String>,
    },
    /// It is answered here.
    Answer {
        /// The answer.
        answer: Value,
        /// The title of the tool that was refused because programs may only look.
        refused: Option<String>,
    },
    /// The person decides: then it goes on, or is answered with [`refusal`].
    Ask {
        /// What is asked about, and all of what will be done.
        call: Call,
        /// The message.
        message: Value,
    },
    /// There is nothing to do and nothing to say.
    Nothing,
}

/// Why a message is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusals<'a> {
    /// Said to a program that may only look.
    pub read_only: &'a str,
}

/// The messages of a body, and whether they came as a batch. None when it is not JSON.
#[must_use]
pub fn messages(body: &str) -> Option<(Vec<Value>, bool)> {
    match serde_json::from_str(body).ok()? {
        Value::Array(messages) => Some((messages, true)),
        message => Some((vec![message], false)),
    }
}

/// Decides about a message. `tools` are those that a model may be told of; `key` makes the call one that is done once,
/// however often the browser sends it; `remembers` says whether models are told what the person asked to be remembered.
#[must_use]
pub fn judge(
    mut message: Value,
    tools: &[ToolSpec],
    mode: Mode,
    key: &str,
    remembers: bool,
    words: Refusals<'_>,
) -> Verdict {
    let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some(meta) = message.pointer_mut("/params/_meta").and_then(Value::as_object_mut) {
        // What is ours is said by us: a key or a preview of a program's own would be believed.
        meta.retain(|name, _| !name.starts_with(meta::PREFIX));
    }
    if method != "tools/call" {
        return Verdict::Pass { message, what: is_telling(&method).then_some(method) };
    }
    let id = match message.get("id") {
        // A notification of that name does nothing.
        None => return Verdict::Nothing,
        Some(id) if id.is_string() || id.is_i64() || id.is_u64() => id.clone(),
        Some(_) => return answer(error(None, -32600, "`id` must be a string or an integer")),
    };
    let name = message.pointer("/params/name").and_then(Value::as_str);
    let Some(name) = name else { return answer(error(Some(&id), -32602, "`name` must be a string")) };
    // One that is for the app's own screens is as unknown as one that is not there.
    let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
        let short: String = name.chars().take(100).collect();
        return answer(error(Some(&id), -32602, &format!("Unknown tool: {short}")));
    };
    if !remembers && let Some(params) = message["params"].as_object_mut() {
        // Also the history and an undo tell of it.
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        let Some(meta) = meta.as_object_mut() else {
            return answer(error(Some(&id), -32602, "`_meta` must be an object"));
        };
        meta.insert(meta::NO_MEMORY.to_owned(), true.into());
    }
    if tool.hints.read_only {
        return Verdict::Pass { message, what: Some(tool.title.clone()) };
    }
    let arguments = match message.pointer("/params/arguments") {
        None => json!({}),
        Some(arguments) if arguments.is_object() => arguments.clone(),
        Some(_) => return answer(error(Some(&id), -32602, "`arguments` must be an object")),
    };
    if mode == Mode::Read {
        let answer = refusal(&message, words.read_only);
        return Verdict::Answer { answer, refused: Some(tool.title.clone()) };
    }
    let call = Call { tool: tool.name.clone(), title: tool.title.clone(), arguments };
    // The name, the arguments and what belongs to the protocol: answers to forms, say, could change what is done
    // after the person has seen it.
    let mut meta =
        message.pointer_mut("/params/_meta").and_then(|meta| meta.as_object().cloned()).unwrap_or_default();
    meta.insert(meta::KEY.into(), key.into());
    message["params"] = json!({ "name": call.tool, "arguments": call.arguments, "_meta": meta });
    Verdict::Ask { call, message }
}

fn answer(answer: Value) -> Verdict {
    Verdict::Answer { answer, refused: None }
}

/// Whether a request gives away or listens to what the person keeps.
fn is_telling(method: &str) -> bool {
    matches!(
        method,
        "resources/list"
            | "resources/read"
            | "resources/subscribe"
            | "subscriptions/listen"
            | "prompts/get"
            | "completion/complete"
    )
}

/// The answer to a call that is not done, in words for the model.
#[must_use]
pub fn refusal(message: &Value, words: &str) -> Value {
    let mut result = Map::new();
    result.insert("content".into(), json!([{ "type": "text", "text": words }]));
    result.insert("isError".into(), true.into());
    // The current revision asks for it, and those before do not know it.
    let meta = message.pointer("/params/_meta").and_then(Value::as_object);
    if meta.is_some_and(|meta| meta.contains_key("io.modelcontextprotocol/protocolVersion")) {
        result.insert("resultType".into(), "complete".into());
    }
    json!({ "jsonrpc": "2.0", "id": message["id"], "result": result })
}

/// An error of the protocol.
#[must_use]
pub fn error(id: Option<&Value>, code: i32, words: &str) -> Value {
    let mut error = json!({ "jsonrpc": "2.0", "error": { "code": code, "message": words } });
    if let Some(id) = id {
        error["id"] = id.clone();
    }
    error
}

/// Whether an answer may list tools.
#[must_use]
pub fn lists_tools(message: &Value) -> bool {
    message.get("method").is_some_and(|method| method == "tools/list")
}

/// An answer, or a batch of them, without the tools that are not for models.
#[must_use]
pub fn without_our_own(mut answer: Value, tools: &[ToolSpec]) -> Value {
    let drop_ours = |answer: &mut Value| {
        if let Some(listed) = answer.pointer_mut("/result/tools").and_then(Value::as_array_mut) {
            listed.retain(|listed| tools.iter().any(|tool| listed["name"] == *tool.name));
        }
    };
    match &mut answer {
        Value::Array(answers) => answers.iter_mut().for_each(drop_ours),
        one => drop_ours(one),
    }
    answer
}

/// Whether a complete answer, as text or as the events of a stream, says that the call failed.
#[must_use]
pub fn is_failure(answer: &str) -> bool {
    let last = answer.lines().rev().find_map(|line| line.strip_prefix("data:"));
    let Ok(answer) = serde_json::from_str::<Value>(last.unwrap_or(answer)) else { return true };
    answer.get("error").is_some() || answer.pointer("/result/isError").is_some_and(|failed| *failed == true)
}

#[cfg(test)]
mod tests {
    use protocol::Hints;
    use serde_json::{Value, json};

    use super::*;

    const WORDS: Refusals<'static> = Refusals { read_only: "Look, do not touch." };

    fn tools() -> Vec<ToolSpec> {
        let spec = |name: &str, read_only| ToolSpec {
            name: name.to_owned(),
            title: format!("The {name}"),
            description: String::new(),
            input_schema: json!({"type": "object"}),
            hints: Hints {
                read_only,
                destructive: false,
                idempotent: false,
                open_world: false,
                lasting: false,
            },
        };
        vec![spec("look", true), spec("write", false)]
    }

    fn call(name: &str, more: Value) -> Value {
        let mut message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {"a": 1}}});
        for (name, value) in more.as_object().unwrap() {
            message["params"][name] = value.clone();
        }
        message
    }

    fn judged(message: Value, mode: Mode) -> Verdict {
        judge(message, &tools(), mode, "relay:p:7:0", true, WORDS)
    }

    fn code(verdict: Verdict) -> i64 {
        match verdict {
            Verdict::Answer { answer, refused: None } => answer["error"]["code"].as_i64().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_does_not_write_goes_on() {
        for mode in Mode::ALL {
            for (method, what) in [
                ("initialize", None),
                ("tools/list", None),
                ("notifications/initialized", None),
                ("ping", None),
                ("resources/read", Some("resources/read")),
                ("subscriptions/listen", Some("subscriptions/listen")),
            ] {
                let message =
                    json!({"jsonrpc": "2.0", "id": "x", "method": method, "params": {"uri": "todo://list"}});
                let expected = Verdict::Pass { message: message.clone(), what: what.map(str::to_owned) };
                assert_eq!(judged(message, mode), expected, "{method}");
            }
            let look = call("look", json!({}));
            assert_eq!(
                judged(look.clone(), mode),
                Verdict::Pass { message: look, what: Some("The look".into()) }
            );
        }
        // A client's answer to what it was asked, and what is no message at all: the server says so.
        for odd in [
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
            json!(3),
            json!("tools/call"),
            json!({"method": 7}),
        ] {
            assert_eq!(judged(odd.clone(), Mode::Read), Verdict::Pass { message: odd, what: None });
        }
    }

    #[test]
    fn a_program_that_may_look_changes_nothing() {
        for (meta, kind) in [
            (json!({}), None),
            (json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}), Some("complete")),
        ] {
            let Verdict::Answer { answer, refused } = judged(call("write", meta), Mode::Read) else {
                panic!()
            };
            assert_eq!(refused.as_deref(), Some("The write"));
            assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(1), &json!(true)));
            assert_eq!(answer["result"]["content"][0]["text"], "Look, do not touch.");
            assert_eq!(answer["result"].get("resultType").and_then(Value::as_str), kind);
        }
    }

    #[test]
    fn what_is_asked_about_is_all_that_is_done() {
        let message = call(
            "write",
            json!({
                "_meta": {"dev.satchel/key": "theirs", "dev.satchel/preview": true, "dev.satchel/zone": "X/Y", "progressToken": 3},
                "inputResponses": {"arguments": {"action": "accept", "content": {"a": 2}}},
                "requestState": "sealed",
                "task": {"ttl": 1},
            }),
        );
        let Verdict::Ask { call, message } = judged(message, Mode::Ask) else { panic!() };
        assert_eq!(
            call,
            Call { tool: "write".into(), title: "The write".into(), arguments: json!({"a": 1}) }
        );
        let meta = json!({"dev.satchel/key": "relay:p:7:0", "progressToken": 3});
        assert_eq!(message["params"], json!({"name": "write", "arguments": {"a": 1}, "_meta": meta}));
        // What reads is not taken apart, but says nothing in our name either.
        let look =
            super::tests::call("look", json!({"_meta": {"dev.satchel/key": "k"}, "requestState": "s"}));
        let Verdict::Pass { message, .. } = judged(look, Mode::Read) else { panic!() };
        assert_eq!(
            message["params"],
            json!({"name": "look", "arguments": {"a": 1}, "_meta": {}, "requestState": "s"})
        );
    }

    #[test]
    fn with_the_memory_switched_off_every_call_says_so() {
        for theirs in [json!({}), json!({"_meta": {"dev.satchel/no-memory": false, "progressToken": 3}})] {
            for name in ["look", "write"] {
                let judged =
                    judge(call(name, theirs.clone()), &tools(), Mode::Ask, "relay:p:7:0", false, WORDS);
                let (Verdict::Pass { message, .. } | Verdict::Ask { message, .. }) = judged else { panic!() };
                assert_eq!(message["params"]["_meta"][meta::NO_MEMORY], true, "{name} {theirs}");
            }
        }
        // A `_meta` that could not be written to goes nowhere where it could tell.
        let odd = judge(call("look", json!({"_meta": [1]})), &tools(), Mode::Read, "k", false, WORDS);
        assert!(matches!(odd, Verdict::Answer { refused: None, .. }), "{odd:?}");
    }

    #[test]
    fn a_call_that_cannot_be_read_goes_nowhere() {
        for mode in Mode::ALL {
            for id in [json!(null), json!(1.5), json!([]), json!({})] {
                let mut message = call("write", json!({}));
                message["id"] = id;
                assert_eq!(code(judged(message, mode)), -32600);
            }
            for name in [
                json!(null),
                json!(7),
                json!(["write"]),
                json!("data_export"),
                json!("Write"),
                json!("write "),
            ] {
                assert_eq!(code(judged(call("write", json!({"name": name})), mode)), -32602);
            }
            assert_eq!(code(judged(call("write", json!({"arguments": [1]})), mode)), -32602);
            let mut silent = call("write", json!({}));
            silent.as_object_mut().unwrap().remove("id");
            assert_eq!(judged(silent, mode), Verdict::Nothing);
            let mut list = call("write", json!({}));
            list["params"] = json!([]);
            assert_eq!(code(judged(list, mode)), -32602);
        }
    }

    #[test]
    fn a_body_is_read_as_the_server_would_read_it_or_not_at_all() {
        assert_eq!(messages("[1,2]"), Some((vec![json!(1), json!(2)], true)));
        assert_eq!(messages(" {} "), Some((vec![json!({})], false)));
        let mark = format!("\u{feff}{}", call("write", json!({})));
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        for broken in ["", "{", "{}{}", mark.as_str(), deep.as_str()] {
            assert_eq!(messages(broken), None);
        }
        // Of a name that is there twice, one is read, and only that one goes on.
        let twice = r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"look","name":"write"}}"#;
        let (read, _) = messages(twice).unwrap();
        assert!(matches!(judged(read[0].clone(), Mode::Read), Verdict::Answer { refused: Some(_), .. }));
    }

    #[test]
    fn the_apps_own_tools_are_not_listed() {
        let list = json!({"id": 1, "result": {"tools": [{"name": "look"}, {"name": "data_import"}, {"name": "write"}]}});
        let expected = json!({"id": 1, "result": {"tools": [{"name": "look"}, {"name": "write"}]}});
        assert_eq!(without_our_own(list.clone(), &tools()), expected);
        assert_eq!(
            without_our_own(json!([list, {"id": 2, "result": {}}]), &tools()),
            json!([expected, {"id": 2, "result": {}}])
        );
    }

    #[test]
    fn a_failure_is_one_in_either_form() {
        for (answer, failed) in [
            (r#"{"result":{"content":[]}}"#, false),
            (r#"{"result":{"isError":true}}"#, true),
            (r#"{"error":{"code":-32602}}"#, true),
            ("data: {\"method\":\"notifications/progress\"}\n\ndata: {\"result\":{}}\n\n", false),
            ("data: {\"result\":{\"isError\":true}}\n\n", true),
            ("Not found", true),
        ] {
            assert_eq!(is_failure(answer), failed, "{answer}");
        }
    }
}

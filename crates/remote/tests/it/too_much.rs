//! More than is taken: in bytes, in tools, in depth. What has no end is dropped, and the server sees it.

use remote::Limits;
use serde_json::json;

use crate::world::peer::{
    Asked, Do, EVENTS, JSON, Peer, head, http, json, modern, result, stream, text, tool,
};
use crate::world::{call, client, limits, run, sentence, soon};

const TOO_LONG: &str = "The server sent too much: an answer that is too long";

fn long_text(asked: &Asked) -> Vec<u8> {
    text(asked, &"x".repeat(1024 * 1024)).to_string().into_bytes()
}

#[test]
fn an_answer_that_is_too_long_is_refused_with_and_without_its_length() {
    type Say = fn(&Asked) -> Vec<Do>;
    let rows: [(&str, Say); 4] = [
        ("with its length", |asked| http(200, &[JSON], long_text(asked))),
        ("without", |asked| vec![head(200, &[JSON]), Do::Say(long_text(asked))]),
        ("one event", |asked| {
            let text = String::from_utf8(long_text(asked)).unwrap();
            vec![head(200, &[EVENTS]), Do::Say(format!("data: {text}\n\n").into_bytes())]
        }),
        ("an error page", |asked| http(500, &[("content-type", "text/html")], long_text(asked))),
    ];
    run(async {
        for (what, say) in rows {
            let peer = modern(say).await;
            let (server, _) = client(&peer.url);
            assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_LONG, "{what}");
            assert_eq!(peer.count("tools/call"), 1, "{what}");
        }
    });
}

#[test]
fn a_stream_without_end_is_given_up_and_hung_up() {
    let news = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": "x" } });
    let rows = [
        ("comments", EVENTS, ":\n\n".to_owned()),
        ("notifications", EVENTS, format!("data: {news}\n\n")),
        ("answers for nobody", EVENTS, "data: {\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{}}\n\n".to_owned()),
        ("one line", EVENTS, "data: and so on and on".to_owned()),
        ("one event", EVENTS, "data: and\n".to_owned()),
        ("blank lines", EVENTS, "\r\n\r\n".to_owned()),
        ("white space", JSON, "        ".to_owned()),
    ];
    run(async {
        for (what, kind, again) in rows {
            let again = again.repeat(100).into_bytes();
            let peer = modern(move |_| vec![head(200, &[kind]), Do::Repeat(again.clone(), 0)]).await;
            let (server, _) = client(&peer.url);
            assert_eq!(sentence(soon(call(&server, "echo")).await), TOO_LONG, "{what}");
            peer.is_hung_up().await;
            assert_eq!(peer.count("tools/call"), 1, "{what}");
        }
    });
}

#[test]
fn a_greeting_without_end_is_given_up() {
    run(async {
        let peer = Peer::start(|_| vec![head(200, &[JSON]), Do::Repeat(b" ".repeat(1000), 0)]).await;
        let (server, _) = client(&peer.url);
        assert_eq!(sentence(soon(server.connect()).await), TOO_LONG);
        peer.is_hung_up().await;
        assert_eq!(peer.total(), 1);
    });
}

#[test]
fn a_text_of_megabytes_is_cut_and_said_to_be() {
    run(async {
        let peer = modern(|asked| json(&text(asked, &"ü".repeat(1024 * 1024)))).await;
        let (server, _) = client(&peer.url);
        let server = server.with_limits(Limits { answer_bytes: 4 * 1024 * 1024, ..limits() });
        let said = call(&server, "echo").await.unwrap();
        let expected = format!("{}\n[… 1047576 more characters, cut off]", "ü".repeat(1_000));
        assert!(said.text == expected, "{} characters", said.text.chars().count());
    });
}

#[test]
fn a_list_without_end_is_given_up() {
    run(async {
        // Another cursor each time, the same one again and again, and an empty one, which is one as well.
        for cursor in ["next", "same", ""] {
            let peer = modern(move |asked| {
                let at = asked.body["params"]["cursor"].as_str().unwrap_or_default();
                let next = if cursor == "next" { format!("{at}+") } else { cursor.to_owned() };
                json(&result(asked, json!({ "resultType": "complete", "tools": [], "nextCursor": next })))
            })
            .await;
            let (server, _) = client(&peer.url);
            let outcome = soon(server.tools()).await;
            assert_eq!(sentence(outcome), "The server sent too much: a list of tools that does not end");
            assert_eq!(peer.count("tools/list"), 5, "{cursor:?}");
        }
    });
}

#[test]
fn of_a_hundred_thousand_tools_as_many_are_taken_as_there_is_room_for() {
    run(async {
        let tool = tool("tool@").to_string();
        let tools: Vec<String> = (0..100_000).map(|n| tool.replace('@', &n.to_string())).collect();
        let tools = tools.join(",");
        let peer = modern(move |asked| {
            let answer = result(asked, json!({ "tools": ["@"] })).to_string();
            http(200, &[JSON], answer.replace("\"@\"", &tools))
        })
        .await;
        let (server, _) = client(&peer.url);
        assert_eq!(sentence(server.tools().await), TOO_LONG);
        let server = server.with_limits(Limits { answer_bytes: 16 * 1024 * 1024, ..limits() });
        let offer = server.tools().await.unwrap();
        assert_eq!((offer.tools.len(), offer.left_out), (20, 99_980));
        assert_eq!(offer.tools[19].name, "tool19");
    });
}

#[test]
fn a_tool_of_ten_megabytes_is_left_out() {
    run(async {
        let peer = modern(|asked| {
            let mut huge = tool("huge");
            huge["description"] = "x".repeat(10 * 1024 * 1024).into();
            let mut deep = tool("wide");
            deep["inputSchema"]["properties"] = (0..600).map(|n| (n.to_string(), json!({}))).collect();
            json(&result(asked, json!({ "resultType": "complete", "tools": [huge, deep, tool("small")] })))
        })
        .await;
        let (server, _) = client(&peer.url);
        let server = server.with_limits(Limits { answer_bytes: 16 * 1024 * 1024, ..limits() });
        let offer = server.tools().await.unwrap();
        let names: Vec<&str> = offer.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!((names, offer.left_out), (vec!["small"], 2));
    });
}

#[test]
fn a_depth_that_would_overflow_the_stack_is_no_answer() {
    run(async {
        let rows = [("[", "]"), ("{\"a\":", "}")];
        for (open, close) in rows {
            for as_stream in [false, true] {
                let peer = modern(move |asked| {
                    let deep = format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
                    let id = &asked.body["id"];
                    let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{deep}}}");
                    match as_stream {
                        false => http(200, &[JSON], text),
                        true => vec![head(200, &[EVENTS]), Do::Say(format!("data: {text}\n\n").into_bytes())],
                    }
                })
                .await;
                let (server, _) = client(&peer.url);
                let outcome = call(&server, "echo").await;
                assert_eq!(sentence(outcome), "What the server answered is not MCP: the answer is not JSON");
            }
        }
    });
}

#[test]
fn words_of_the_server_in_an_error_are_few_and_on_one_line() {
    run(async {
        let long = format!("Line\none\u{1b}[31m {}", "and on ".repeat(5_000));
        let peer = modern(move |asked| {
            let error = json!({ "code": -32603, "message": long });
            json(&json!({ "jsonrpc": "2.0", "id": asked.body["id"], "error": error }))
        })
        .await;
        let shown = sentence(call(&client(&peer.url).0, "echo").await);
        assert!(shown.starts_with("Line one [31m and on") && shown.chars().count() <= 400, "{shown}");
        assert!(!shown.contains(char::is_control), "{shown}");

        let kind = "kind ".repeat(5_000);
        let peer = modern(move |asked| json(&result(asked, json!({ "resultType": kind })))).await;
        let shown = sentence(call(&client(&peer.url).0, "echo").await);
        assert!(
            shown.starts_with("The server asks for what Satchel does not do: ") && shown.len() <= 600,
            "{shown}"
        );
    });
}

#[test]
fn words_while_a_call_runs_are_few_and_on_one_line() {
    run(async {
        let peer = modern(|asked| {
            let token = &asked.body["params"]["_meta"]["progressToken"];
            let message = "on\nand ".repeat(5_000);
            let params = json!({ "progressToken": token, "progress": 1, "message": message });
            let news = json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params });
            stream(&[news, text(asked, "done")])
        })
        .await;
        let (server, _) = client(&peer.url);
        let heard = std::cell::RefCell::new(String::new());
        let progress = |sentence: &str, _, _| heard.borrow_mut().push_str(sentence);
        server.call("echo", json!({}), serde_json::Map::new(), Some(&progress)).await.unwrap();
        let heard = heard.into_inner();
        assert!(heard.starts_with("on and on") && heard.chars().count() <= 400, "{heard}");
        assert!(!heard.contains(char::is_control));
    });
}

//! Honest servers: our own core in both protocol versions, and what `satchel mcp --http` serves.

use std::cell::RefCell;
use std::collections::BTreeSet;

use remote::{RemoteError, ToolAnswer};
use serde_json::{Map, Value, json};

use crate::world::{Fills, call, client, ours, run, sentence};

/// Our core at two addresses: as it is, and as it was before the newest revision.
async fn both_eras() -> [(String, &'static str); 2] {
    let url = ours::fixtures().await;
    [(url.clone(), "2026-07-28"), (ours::grown_old(url).await, "2025-11-25")]
}

#[test]
fn it_is_greeted_in_the_newest_revision_it_speaks() {
    run(async {
        for (url, revision) in both_eras().await {
            let (server, wire) = client(&url);
            let welcome = server.connect().await.unwrap();
            assert_eq!((welcome.name.as_str(), welcome.revision.as_str()), ("An honest server", revision));
            let is_legacy = usize::from(revision != "2026-07-28");
            assert_eq!(wire.sent("initialize").len(), is_legacy, "{revision}");
            assert_eq!(wire.sent("notifications/initialized").len(), is_legacy, "{revision}");
        }
    });
}

#[test]
fn a_list_is_read_to_its_last_page() {
    run(async {
        for (url, revision) in both_eras().await {
            let (server, wire) = client(&url);
            let server = server.with_limits(remote::Limits::default());
            let offer = server.tools().await.unwrap();
            let names: BTreeSet<&str> = offer.tools.iter().map(|tool| tool.name.as_str()).collect();
            assert_eq!(wire.sent("tools/list").len(), offer.tools.len().div_ceil(10), "{revision}");
            assert!(names.len() > 20 && names.len() == offer.tools.len(), "{names:?}");
            assert!(names.contains("test_simple_text") && names.contains("test_slow_writes"), "{names:?}");
            assert_eq!(offer.left_out, 0, "{revision}");
        }
    });
}

#[test]
fn a_call_is_answered_and_so_is_one_that_the_tool_refuses() {
    run(async {
        for (url, revision) in both_eras().await {
            let (server, _) = client(&url);
            let rows = [
                ("test_simple_text", "This is a simple text response for testing.", false),
                ("test_error_handling", "This tool intentionally returns an error for testing", true),
            ];
            for (tool, text, is_error) in rows {
                let said = call(&server, tool).await.unwrap();
                assert_eq!(said, ToolAnswer { text: text.to_owned(), is_error }, "{revision} {tool}");
            }
            let unknown = call(&server, "no_such_tool").await;
            assert!(matches!(&unknown, Err(RemoteError::Rpc(error)) if error.code == -32602), "{unknown:?}");
            assert_eq!(sentence(unknown), "Unknown tool: no_such_tool", "{revision}");
        }
    });
}

#[test]
fn progress_comes_while_the_call_runs() {
    run(async {
        for (url, revision) in both_eras().await {
            let (server, _) = client(&url);
            let heard = RefCell::new(Vec::new());
            let progress = |sentence: &str, done: f64, all: Option<f64>| {
                heard.borrow_mut().push((sentence.to_owned(), done, all));
            };
            let called =
                server.call("test_tool_with_progress", json!({}), Map::new(), Some(&progress)).await.unwrap();
            assert_eq!(called.text, "Done, with progress");
            let expected = [0.0, 50.0, 100.0].map(|done| (format!("{done} of 100"), done, Some(100.0)));
            assert_eq!(*heard.borrow(), expected, "{revision}");
        }
    });
}

#[test]
fn an_argument_is_repeated_in_a_header_where_the_tool_wants_it() {
    run(async {
        let (server, wire) = client(&ours::fixtures().await);
        let server = server.with_limits(remote::Limits::default());
        server.tools().await.unwrap();
        for value in ["plain", "Zürich", "a\r\nx-evil: 1"] {
            let arguments = json!({ "value": value });
            let said = server.call("test_custom_header", arguments, Map::new(), None).await.unwrap();
            // The server refuses a call whose header says something else than its body.
            assert_eq!(said, ToolAnswer { text: value.to_owned(), is_error: false });
        }
        let calls = wire.sent("tools/call");
        assert!(calls.iter().all(|call| call.headers.iter().any(|(name, _)| name == "mcp-param-value")));
    });
}

#[test]
fn the_person_answers_its_questions() {
    run(async {
        for (url, revision) in both_eras().await {
            let (server, _) = client(&url);
            let person = Fills::with(json!({ "name": "Ada", "username": "ada", "email": "a@b.c" }));
            let server = server.with_person(person.clone());
            let arguments = json!({ "message": "Who are you?" });
            let said = server.call("test_elicitation", arguments, Map::new(), None).await.unwrap();
            assert!(said.text.contains("\"username\":\"ada\"") && !said.is_error, "{revision}: {said:?}");
            assert_eq!(*person.asked.borrow(), ["Who are you?"], "{revision}");
        }
    });
}

#[test]
fn what_the_person_leaves_empty_is_what_the_form_said_it_would_be() {
    run(async {
        for (url, revision) in both_eras().await {
            let server = client(&url).0.with_person(Fills::with(json!({ "age": 36 })));
            let said = call(&server, "test_elicitation_sep1034_defaults").await.unwrap();
            assert!(
                said.text.contains("\"age\":36") && said.text.contains("\"John Doe\""),
                "{revision}: {said:?}"
            );
        }
    });
}

#[test]
fn the_state_of_a_question_comes_back_with_its_answer_under_a_new_id() {
    run(async {
        let (server, wire) = client(&ours::fixtures().await);
        let person = Fills::with(json!({ "name": "Ada", "color": "green" }));
        let server = server.with_person(person.clone());
        let said = call(&server, "test_input_required_result_multi_round").await.unwrap();
        assert_eq!(said.text, "Ada likes green");
        assert_eq!(*person.asked.borrow(), ["What is your name?", "And your favourite colour, Ada?"]);
        let calls: Vec<Value> = wire
            .sent("tools/call")
            .iter()
            .map(|request| serde_json::from_slice(&request.body).unwrap())
            .collect();
        let ids: BTreeSet<u64> = calls.iter().filter_map(|call| call["id"].as_u64()).collect();
        assert_eq!((calls.len(), ids.len()), (3, 3), "{calls:?}");
        let answered: Vec<Vec<&String>> = calls
            .iter()
            .map(|call| {
                call["params"]["inputResponses"].as_object().into_iter().flat_map(Map::keys).collect()
            })
            .collect();
        assert_eq!(answered, [vec![], vec!["step1"], vec!["step2"]]);
        assert!(calls[1]["params"]["requestState"] != calls[2]["params"]["requestState"]);
    });
}

#[test]
fn a_session_that_is_gone_is_taken_up_again() {
    run(async {
        let url = ours::grown_old(ours::fixtures().await).await;
        let (server, wire) = client(&url);
        call(&server, "test_simple_text").await.unwrap();
        let session = |request: &llm::HttpRequest| {
            request.headers.iter().find(|(name, _)| name == "mcp-session-id").map(|(_, value)| value.clone())
        };
        let before = session(&wire.sent("tools/call")[0]).unwrap();
        // Somebody else ends it.
        let ended = reqwest::Client::new().delete(&url).header("mcp-session-id", &before).send().await;
        assert!(ended.unwrap().status().is_success());
        assert_eq!(call(&server, "test_simple_text").await.map(|said| said.is_error), Ok(false));
        let calls = wire.sent("tools/call");
        assert_eq!((calls.len(), wire.sent("initialize").len()), (3, 2));
        assert_ne!(session(&calls[2]), Some(before));
        server.close().await;
        assert_eq!(session(&wire.sent("DELETE")[0]), session(&calls[2]));
    });
}

#[test]
fn what_satchel_serves_is_used_like_any_other() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let (server, _) = client(&ours::satchel(folder.path()).await);
        let server = server.with_limits(remote::Limits::default());
        let offer = server.tools().await.unwrap();
        assert!(offer.tools.iter().any(|tool| tool.name == "todo_create"));
        assert_eq!(offer.left_out, 0);
        let missing = call(&server, "todo_create").await.unwrap();
        assert!(missing.is_error && !missing.text.is_empty(), "{missing:?}");
    });
}

//! Messages and their events: in order, once, and going on after a connection was lost.

use std::time::Duration;

use serde_json::json;

use crate::client::{last, names, told};
use crate::scripted::{Scripted, Step, last_message};
use crate::server::{Server, options, remote, titles};

#[tokio::test(flavor = "multi_thread")]
async fn milk_is_added_and_is_on_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let anna = server.anna();
    let session = anna.session().await;
    let added = anna.say(&session, "one", "add milk to my list").await;
    assert_eq!(names(&added), ["tool_call", "tool_result", "text", "done"], "{added:?}");
    assert_eq!(added[0].data["name"], "todo_create");
    assert_eq!(added[0].data["callId"], added[1].data["callId"]);
    assert_eq!(added[1].data["isError"], false);
    assert!(added[2].data["text"].as_str().unwrap().contains("Milk"), "{added:?}");
    let done = &added[3].data;
    assert_eq!(
        (&done["toolCallsMade"], &done["cost"], &done["stop"]),
        (&json!(["todo_create"]), &json!(0.0), &json!("complete"))
    );
    assert_eq!(done["message"], added[2].data["text"]);
    assert!(added.iter().all(|event| !event.id.is_empty()));
    let listed = anna.say(&session, "two", "what is on my list?").await;
    assert!(last(&listed).data["message"].as_str().unwrap().contains("Milk"), "{listed:?}");
    // Another's list is another's.
    let bert = server.bert();
    let theirs = bert.say(&bert.session().await, "one", "what is on my list?").await;
    assert!(!last(&theirs).data["message"].as_str().unwrap().contains("Milk"), "{theirs:?}");
    let detail = anna.call("getSession", &[("session", &session)], None).await.body;
    let said: Vec<_> =
        detail["transcript"].as_array().unwrap().iter().map(|line| line["role"].as_str().unwrap()).collect();
    assert_eq!(said, ["user", "assistant", "user", "assistant"], "{detail}");
    assert_eq!(
        (&detail["messages"], &detail["status"], &detail["state"]),
        (&json!(2), &json!("ready"), &json!("active"))
    );
    server.stop().await;
    assert_eq!(titles(folder.path(), "anna").await, ["Milk"]);
    assert!(titles(folder.path(), "bert").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_gives_the_same_events_also_from_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::built_in(folder.path()).await;
    let session = server.anna().session().await;
    let first = server.anna().say(&session, "k", "add milk to my list").await;
    for _ in 0..2 {
        let again = server.anna().say(&session, "k", "add milk to my list").await;
        assert_eq!(again, first);
        server.stop().await;
        server = Server::built_in(folder.path()).await;
    }
    let other = server.anna().refused(&session, "k", "add bread to my list").await;
    assert_eq!((other.status, other.code()), (422, "idempotency_key_reused"));
    // The same key in another session is another message.
    let elsewhere = server.anna().session().await;
    let fresh = server.anna().say(&elsewhere, "k", "add bread to my list").await;
    assert_eq!(last(&fresh).name, "done");
    server.stop().await;
    assert_eq!(titles(folder.path(), "anna").await, ["Bread", "Milk"]);
}

/// One that says ten words slowly after a tool.
async fn slow() -> Scripted {
    Scripted::start(|_, request| match last_message(request).0.as_str() {
        "user" => Step::call("Let me see. ", "todo_create", json!({"title": "Milk"})),
        _ => Step::slowly("one two three four five six seven eight nine ten", 30),
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_is_gone_on_with_from_any_event() {
    let (folder, model) = (tempfile::tempdir().unwrap(), slow().await);
    let server = Server::start(options(folder.path(), remote(&model.url))).await;
    let anna = server.anna();
    let session = anna.session().await;
    let whole = anna.say(&session, "k", "get milk").await;
    assert_eq!(last(&whole).data["message"], "one two three four five six seven eight nine ten");
    let all = told(&whole);
    assert_eq!(
        all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["text", "tool_call", "tool_result", "text", "done"],
        "{whole:?}"
    );
    assert!(whole.len() > 7, "it came in pieces: {whole:?}");
    // After each event: what was read and what comes then is the whole.
    for read in 0..whole.len() {
        let parameters = [("session", session.as_str()), ("Last-Event-ID", whole[read].id.as_str())];
        let rest = match anna.stream("getEvents", &parameters, None).await {
            Ok(stream) => stream.all().await,
            Err(none) => {
                assert_eq!((none.status, read), (204, whole.len() - 1));
                continue;
            }
        };
        assert_eq!(told(&[&whole[..=read], &rest].concat()), all, "after {read}");
        // A repeated message goes on there too.
        let parameters = [parameters[0], parameters[1], ("Idempotency-Key", "k")];
        let rest = anna.stream("sendMessage", &parameters, Some(json!({"text": "get milk"}))).await.unwrap();
        assert_eq!(told(&[&whole[..=read], &rest.all().await].concat()), all, "after {read}");
    }
    server.stop().await;
    assert_eq!(titles(folder.path(), "anna").await, ["Milk"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_goes_on_when_nobody_listens() {
    let (folder, model) = (tempfile::tempdir().unwrap(), slow().await);
    let server = Server::start(options(folder.path(), remote(&model.url))).await;
    let anna = server.anna();
    let session = anna.session().await;
    let parameters = [("session", session.as_str()), ("Idempotency-Key", "k")];
    let mut stream =
        anna.stream("sendMessage", &parameters, Some(json!({"text": "get milk"}))).await.unwrap();
    let mut read = stream.until("tool_result").await;
    read.extend(stream.next().await);
    drop(stream);
    // While it runs no other message is taken.
    let busy = anna.refused(&session, "other", "and bread").await;
    assert_eq!((busy.status, busy.code()), (409, "session_busy"));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let last_id = read.last().unwrap().id.clone();
    let parameters = [("session", session.as_str()), ("Last-Event-ID", last_id.as_str())];
    let rest = anna.stream("getEvents", &parameters, None).await.unwrap().all().await;
    let all = told(&[read, rest].concat());
    assert_eq!(all[3].1, "one two three four five six seven eight nine ten", "{all:?}");
    assert_eq!(all.len(), 5, "{all:?}");
    // Without an id: the last message's events.
    let again = anna.stream("getEvents", &[("session", session.as_str())], None).await.unwrap().all().await;
    assert_eq!(told(&again), all);
    server.stop().await;
}

/// S4-25, S4-26: the limit is said as it is worded there, and the session goes on from its last message.
#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_of_the_model_is_said_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let model = Scripted::start(|at, request| match (at, last_message(request).0.as_str()) {
        (0, _) => Step::Refuse(429, Some(60)),
        (_, "user") => Step::call("", "todo_create", json!({"title": "Milk"})),
        _ => Step::say("Added."),
    })
    .await;
    let server = Server::start(options(folder.path(), remote(&model.url))).await;
    let anna = server.anna();
    let session = anna.session().await;
    let parameters = [("session", session.as_str()), ("Idempotency-Key", "r")];
    let none = anna.call("retryMessage", &parameters, None).await;
    assert_eq!((none.status, none.code()), (409, "nothing_to_retry"));
    let failed = anna.say(&session, "k", "get milk").await;
    assert_eq!(names(&failed), ["error"]);
    let expected = json!({"type": "rate_limit_exceeded", "message": "Rate limit reached. Retry in 60 seconds.",
        "retryAfter": 60, "retryable": true});
    assert_eq!(failed[0].data, expected);
    assert_eq!(anna.say(&session, "k", "get milk").await, failed, "the same key is the same message");
    let tried = anna.stream("retryMessage", &parameters, None).await.unwrap().all().await;
    assert_eq!(names(&tried), ["tool_call", "tool_result", "text", "done"]);
    let again = anna.stream("retryMessage", &parameters, None).await.unwrap().all().await;
    assert_eq!(again, tried);
    let detail = anna.call("getSession", &[("session", &session)], None).await.body;
    assert_eq!(detail["messages"], 1, "{detail}");
    server.stop().await;
    assert_eq!(titles(folder.path(), "anna").await, ["Milk"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_have_the_names_that_were_agreed() {
    for (status, expected, retryable) in [
        (400, "llm_api_error", false),
        (401, "llm_api_error", false),
        (402, "cost_limit_exceeded", false),
        (413, "context_limit_exceeded", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let model = Scripted::start(move |_, _| Step::Refuse(status, None)).await;
        let server = Server::start(options(folder.path(), remote(&model.url))).await;
        let anna = server.anna();
        let failed = anna.say(&anna.session().await, "k", "get milk").await;
        let error = &last(&failed).data;
        assert_eq!(
            (&error["type"], &error["retryable"]),
            (&json!(expected), &json!(retryable)),
            "{status}: {error}"
        );
        assert!(!error["message"].as_str().unwrap().is_empty());
        server.stop().await;
    }
}

/// A tool that is not there ends nothing: the model reads of it and goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_does_not_exist_is_told_to_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let model = Scripted::start(|_, request| match last_message(request).0.as_str() {
        "user" => Step::call("", "todo_juggle", json!({})),
        _ => Step::say("I cannot juggle."),
    })
    .await;
    let server = Server::start(options(folder.path(), remote(&model.url))).await;
    let anna = server.anna();
    let said = anna.say(&anna.session().await, "k", "juggle").await;
    assert_eq!(names(&said), ["tool_call", "tool_result", "text", "done"], "{said:?}");
    assert_eq!(said[1].data["isError"], true);
    server.stop().await;
}

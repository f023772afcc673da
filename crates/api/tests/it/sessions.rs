//! Sessions: their ages, their names, their end.

use std::sync::atomic::Ordering;

use api::{ModelChoice, Options};
use serde_json::{Value, json};

use crate::client::last;
use crate::server::{Server, clock, options, titles, unhurried};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ages_and_wakes_up_with_the_next_message() {
    let folder = tempfile::tempdir().unwrap();
    let (now, ahead) = clock();
    let with = || Options { clock: now.clone(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let mut server = Server::start(with()).await;
    let session = server.anna().session().await;
    for (at, state) in [(0, "active"), (29 * MINUTE, "active"), (31 * MINUTE, "idle"), (25 * 60 * MINUTE, "archived")] {
        ahead.store(at, Ordering::Relaxed);
        let told = server.anna().call("getSession", &[("session", &session)], None).await.body;
        assert_eq!(told["state"], state, "{at}");
    }
    server.anna().say(&session, "a", "add milk").await;
    let told = server.anna().call("listSessions", &[], None).await.body;
    assert_eq!(told["sessions"][0]["state"], "active", "{told}");
    ahead.fetch_add(31 * DAY, Ordering::Relaxed);
    // By the journal, not by this process's memory.
    server.stop().await;
    server = Server::start(with()).await;
    let told = server.anna().call("listSessions", &[], None).await.body;
    assert_eq!(told["sessions"][0]["state"], "expired", "{told}");
    let refused = server.anna().refused(&session, "b", "add bread").await;
    assert_eq!((refused.status, refused.code()), (410, "session_expired"));
    // What was said can still be read.
    assert_eq!(last(&server.anna().say(&session, "a", "add milk").await).name, "done");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_found_by_its_title() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let anna = server.anna();
    let make = async |title: &str| anna.call("createSession", &[], Some(json!({"title": title}))).await;
    let made = make(" Paris, für / zwei? ").await;
    let id = made.body["id"].as_str().unwrap();
    assert_eq!(made.headers["location"], format!("/v1/sessions/{id}"));
    assert_eq!(made.body["title"], "Paris, für / zwei?");
    let found = anna.call("getSession", &[("session", "Paris, für / zwei?")], None).await;
    assert_eq!(found.body["id"], id);
    anna.say("Paris, für / zwei?", "k", "add milk").await;
    make("Paris, für / zwei?").await;
    let two = anna.call("getSession", &[("session", "Paris, für / zwei?")], None).await;
    assert_eq!((two.status, two.code()), (409, "ambiguous_session"));
    assert_eq!(anna.call("getSession", &[("session", id)], None).await.body["messages"], 1);
    let listed = anna.call("listSessions", &[], None).await.body;
    let ids: Vec<&Value> = listed["sessions"].as_array().unwrap().iter().map(|session| &session["id"]).collect();
    assert_eq!(ids.len(), 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_session_is_gone_and_what_it_did_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Options { limits: unhurried(), ..options(folder.path(), ModelChoice::BuiltIn) }).await;
    let anna = server.anna();
    let session = anna.session().await;
    anna.say(&session, "a", "add milk").await;
    // Also while it waits for somebody.
    let keyed = [("session", session.as_str()), ("Idempotency-Key", "b")];
    let mut stream = anna.stream("sendMessage", &keyed, Some(json!({"text": "delete milk"}))).await.unwrap();
    stream.until("structured_questions").await;
    assert_eq!(anna.call("deleteSession", &keyed[..1], None).await.status, 204);
    assert_eq!(stream.next().await, None, "who read along is told no more");
    for operation in ["getSession", "deleteSession", "getEvents"] {
        let gone = anna.call(operation, &keyed[..1], None).await;
        assert_eq!((gone.status, gone.code()), (404, "session_not_found"), "{operation}");
    }
    assert!(!folder.path().join("anna/sessions").join(&session).exists());
    server.stop().await;
    assert_eq!(titles(folder.path(), "anna").await, ["Milk"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let second = api::serve(options(folder.path(), ModelChoice::BuiltIn)).await;
    assert!(second.is_err_and(|error| error.to_string().contains("another server uses this folder")));
    server.stop().await;
    Server::built_in(folder.path()).await.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_session_keeps_nobody_from_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let anna = server.anna();
    let (one, other) = (anna.session().await, anna.session().await);
    for session in [&one, &other] {
        anna.say(session, "k", "add milk").await;
    }
    server.stop().await;
    let path = folder.path().join("anna/sessions").join(&one).join("journal.jsonl");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let server = Server::built_in(folder.path()).await;
    let listed = server.anna().call("listSessions", &[], None).await.body;
    let ids: Vec<&Value> = listed["sessions"].as_array().unwrap().iter().map(|session| &session["id"]).collect();
    assert_eq!(ids, [&json!(other)]);
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "it is left as it is");
    server.stop().await;
}

//! Sessions: their ages, their names, their end.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::{ModelChoice, Options, Shelf, Shelves};
use async_trait::async_trait;
use serde_json::{Value, json};
use store::{Journal, MemoryJournal, StoreError};

use crate::client::last;
use crate::scripted::{Scripted, Step, last_message};
use crate::server::{Server, clock, options, remote, titles, unhurried};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ages_and_wakes_up_with_the_next_message() {
    let folder = tempfile::tempdir().unwrap();
    let (now, ahead) = clock();
    let with = || Options { clock: now.clone(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let mut server = Server::start(with()).await;
    let session = server.anna().session().await;
    for (at, state) in
        [(0, "active"), (29 * MINUTE, "active"), (31 * MINUTE, "idle"), (25 * 60 * MINUTE, "archived")]
    {
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
    let ids: Vec<&Value> =
        listed["sessions"].as_array().unwrap().iter().map(|session| &session["id"]).collect();
    assert_eq!(ids.len(), 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_session_is_gone_and_what_it_did_stays() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        Server::start(Options { limits: unhurried(), ..options(folder.path(), ModelChoice::BuiltIn) }).await;
    let anna = server.anna();
    let session = anna.session().await;
    anna.say(&session, "a", "add milk").await;
    // Also while it waits for somebody.
    let (mut stream, _) = anna.delete(&session, "b", "milk").await;
    let named = [("session", session.as_str())];
    assert_eq!(anna.call("deleteSession", &named, None).await.status, 204);
    assert_eq!(stream.next().await, None, "who read along is told no more");
    for operation in ["getSession", "deleteSession", "getEvents"] {
        let gone = anna.call(operation, &named, None).await;
        assert_eq!((gone.status, gone.code()), (404, "session_not_found"), "{operation}");
    }
    assert!(!folder.path().join("anna/sessions").join(&session).exists());
    server.stop().await;
    assert_eq!(titles(folder.path(), "anna").await, ["Milk"]);
}

/// What the next write of any session comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// It is not done.
    Fails,
    /// Neither it nor the next one is.
    FailsTwice,
    /// It is done, and nobody is told.
    IsLost,
}

/// Sessions that are kept by something else than folders: all that is asked of it is the store's port.
struct InMemory {
    journals: Rc<RefCell<BTreeMap<String, Rc<MemoryJournal>>>>,
    /// As if it were on other machines.
    is_elsewhere: bool,
}

impl InMemory {
    /// One that a test can break.
    fn new(fault: &Arc<Mutex<Fault>>, is_elsewhere: bool) -> Self {
        let journals: Rc<RefCell<BTreeMap<String, Rc<MemoryJournal>>>> = Rc::default();
        let (fault, all) = (Arc::clone(fault), Rc::clone(&journals));
        tokio::task::spawn_local(async move {
            loop {
                tokio::time::sleep(Duration::from_millis(1)).await;
                // There are two owners, and the fault is for the one who has a session.
                if all.borrow().is_empty() {
                    continue;
                }
                let error = || StoreError::Other("the disk is gone".to_owned());
                let fault = std::mem::replace(&mut *fault.lock().unwrap(), Fault::None);
                for journal in all.borrow().values() {
                    match fault {
                        Fault::None => {}
                        Fault::Fails => journal.fail_next_append(error()),
                        Fault::FailsTwice => {
                            journal.fail_next_append(error());
                            journal.fail_next_append(error());
                        }
                        Fault::IsLost => journal.lose_next_answer(error()),
                    }
                }
            }
        });
        Self { journals, is_elsewhere }
    }
}

#[async_trait(?Send)]
impl Shelf for InMemory {
    fn is_elsewhere(&self) -> bool {
        self.is_elsewhere
    }

    async fn ids(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.journals.borrow().keys().cloned().collect())
    }

    async fn journal(&self, id: &str) -> Result<Rc<dyn Journal>, StoreError> {
        Ok(Rc::clone(self.journals.borrow_mut().entry(id.to_owned()).or_default()) as Rc<dyn Journal>)
    }

    async fn forget(&self, id: &str) -> Result<(), StoreError> {
        self.journals.borrow_mut().remove(id);
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_engine_keeps_the_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let fault = Arc::new(Mutex::new(Fault::None));
    let shelves = Shelves(Arc::new(move |_| Rc::new(InMemory::new(&fault, false))));
    let server = Server::start(Options { shelves, ..options(folder.path(), ModelChoice::BuiltIn) }).await;
    let anna = server.anna();
    let session = anna.session().await;
    let said = anna.say(&session, "k", "add milk").await;
    assert_eq!(last(&said).name, "done");
    assert_eq!(anna.say(&session, "k", "add milk").await, said);
    assert_eq!(anna.call("deleteSession", &[("session", &session)], None).await.status, 204);
    assert_eq!(anna.call("listSessions", &[], None).await.body, json!({"sessions": []}));
    server.stop().await;
    assert!(!folder.path().join("anna/sessions").exists());
}

/// A write that fails, or of which nobody knows, at each of a message's steps: it is said, and the same key goes on with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_survives_a_disk_that_fails() {
    let faults = [Fault::Fails, Fault::FailsTwice, Fault::IsLost];
    for (is_elsewhere, fault) in [false, true].into_iter().flat_map(|it| faults.map(|fault| (it, fault))) {
        // Before the message is taken, while the model says its first words, and its last ones.
        for when in 0..3 {
            let folder = tempfile::tempdir().unwrap();
            let model = Scripted::start(|_, request| {
                let (role, said) = last_message(request);
                // A call that was broken off before it was made is made again.
                if role == "user" || said.contains("Not run") || said.contains("No answer came") {
                    return Step::slowly_then_call(
                        "One moment please. ",
                        "todo_create",
                        json!({"title": "Milk"}),
                    );
                }
                Step::slowly("It is on the list now.", 20)
            })
            .await;
            let next = Arc::new(Mutex::new(Fault::None));
            let on_thread = Arc::clone(&next);
            let shelves = Shelves(Arc::new(move |_| Rc::new(InMemory::new(&on_thread, is_elsewhere))));
            let server =
                Server::start(Options { shelves, ..options(folder.path(), remote(&model.url)) }).await;
            let anna = server.anna();
            let session = anna.session().await;
            if when == 0 {
                *next.lock().unwrap() = fault;
                tokio::time::sleep(Duration::from_millis(50)).await;
                for _ in 0..if fault == Fault::FailsTwice { 2 } else { 1 } {
                    let refused = anna.refused(&session, "k", "get milk").await;
                    assert_eq!((refused.status, refused.code()), (500, "storage_failed"));
                }
            } else {
                let parameters = [("session", session.as_str()), ("Idempotency-Key", "k")];
                let message = Some(json!({"text": "get milk"}));
                let mut stream = anna.stream("sendMessage", &parameters, message).await.unwrap();
                let mut read = stream.until("text").await;
                if when == 2 {
                    read.extend(stream.until("tool_result").await);
                    read.extend(stream.until("text").await);
                }
                *next.lock().unwrap() = fault;
                read.extend(stream.all().await);
                let end = last(&read);
                if (when, fault != Fault::FailsTwice) == (2, true) {
                    // The whole answer is there: writing it is tried once more.
                    assert_eq!(end.name, "done", "{fault:?}: {read:?}");
                } else {
                    assert_eq!(end.data["type"], "storage_failed", "{fault:?} {when}: {read:?}");
                }
            }
            let mut events = anna.say(&session, "k", "get milk").await;
            if (is_elsewhere, when) == (false, 1) && fault != Fault::FailsTwice {
                // Its end could be kept, and is an error: it stays one, and is tried again by another key.
                assert_eq!(last(&events).data["type"], "storage_failed", "{fault:?} {when}: {events:?}");
                let parameters = [("session", session.as_str()), ("Idempotency-Key", "r")];
                events = anna.stream("retryMessage", &parameters, None).await.unwrap().all().await;
            }
            assert_eq!(last(&events).name, "done", "{fault:?} {when}: {events:?}");
            assert_eq!(last(&events).data["message"], "It is on the list now.");
            // And the next message.
            assert_eq!(last(&anna.say(&session, "l", "get milk").await).name, "done");
            let detail = anna.call("getSession", &[("session", &session)], None).await.body;
            let said =
                detail["transcript"].as_array().unwrap().iter().filter(|line| line["role"] == "user").count();
            assert_eq!(said, 2, "{detail}");
            server.stop().await;
            assert_eq!(titles(folder.path(), "anna").await, ["Milk", "Milk"], "{fault:?} {when}");
        }
    }
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
    let ids: Vec<&Value> =
        listed["sessions"].as_array().unwrap().iter().map(|session| &session["id"]).collect();
    assert_eq!(ids, [&json!(other)]);
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "it is left as it is");
    server.stop().await;
}

/// A restart is no message: what waits for somebody ages like everything else.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_waits_ages_over_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let (now, ahead) = clock();
    let with = || Options { clock: now.clone(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let mut server = Server::start(with()).await;
    let session = server.anna().session().await;
    server.anna().say(&session, "a", "add milk").await;
    drop(server.anna().delete(&session, "b", "milk").await);
    for (at, state) in [(31 * MINUTE, "idle"), (2 * DAY, "archived"), (31 * DAY, "expired")] {
        ahead.store(at, Ordering::Relaxed);
        server.stop().await;
        server = Server::start(with()).await;
        // It is asked again, which is noted.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let told = server.anna().call("getSession", &[("session", &session)], None).await.body;
        assert_eq!((&told["status"], &told["state"]), (&json!("waiting"), &json!(state)), "{told}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_made_once_by_its_key_also_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::built_in(folder.path()).await;
    let make = async |server: &Server, key: &str, title: &str| {
        let body = Some(json!({"title": title}));
        server.anna().call("createSession", &[("Idempotency-Key", key)], body).await
    };
    let first = make(&server, "k", "Paris").await;
    let (one, two) = futures::join!(make(&server, "l", "Rome"), make(&server, "l", "Rome"));
    assert_eq!((one.status, &one.body), (201, &two.body));
    for _ in 0..2 {
        let again = make(&server, "k", "Paris").await;
        assert_eq!((again.status, &again.body["id"]), (201, &first.body["id"]));
        let other = make(&server, "k", "Tokyo").await;
        assert_eq!((other.status, other.code()), (422, "idempotency_key_reused"));
        server.stop().await;
        server = Server::built_in(folder.path()).await;
    }
    let long = "k".repeat(256);
    let sent = server.anna().http.post(format!("{}/v1/sessions", server.base));
    let sent = sent.bearer_auth(crate::server::ANNA).header("idempotency-key", long).json(&json!({}));
    assert_eq!(sent.send().await.unwrap().status().as_u16(), 400);
    let listed = server.anna().call("listSessions", &[], None).await.body;
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 2, "{listed}");
    // One that was deleted is made anew.
    let id = first.body["id"].as_str().unwrap();
    assert_eq!(server.anna().call("deleteSession", &[("session", id)], None).await.status, 204);
    assert_ne!(make(&server, "k", "Paris").await.body["id"], id);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_have_a_number_and_a_pace() {
    let folder = tempfile::tempdir().unwrap();
    let limits = api::Limits { sessions: 3, sessions_per_minute: 4, ..unhurried() };
    let server = Server::start(Options { limits, ..options(folder.path(), ModelChoice::BuiltIn) }).await;
    let anna = server.anna();
    let make = async || anna.call("createSession", &[], Some(json!({}))).await;
    let first = anna.session().await;
    for _ in 0..2 {
        anna.session().await;
    }
    let more = make().await;
    assert_eq!((more.status, more.code()), (409, "too_many_sessions"));
    assert_eq!(anna.call("deleteSession", &[("session", &first)], None).await.status, 204);
    let last = anna.session().await;
    assert_eq!(anna.call("deleteSession", &[("session", &last)], None).await.status, 204);
    let fast = make().await;
    assert_eq!((fast.status, fast.code()), (429, "rate_limit_exceeded"));
    assert!((1..=60).contains(&fast.body["retryAfter"].as_u64().unwrap()), "{fast:?}");
    // Another's are another's.
    server.bert().session().await;
    server.stop().await;
}

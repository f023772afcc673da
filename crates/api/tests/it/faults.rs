//! What keeps the sessions breaks: it fails, it panics, it takes its time, it has something in it that is none of ours.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::{FolderShelf, ModelChoice, Options, Shelf, Shelves};
use async_trait::async_trait;
use serde_json::{Value, json};
use store::{
    CallKey, Change, Durability, Journal, Loaded, Manifest, Rev, SecondCopy, Snapshot, StoreError, Tail,
};

use crate::client::{last, names};
use crate::scripted::{Scripted, Step};
use crate::server::{Server, options, remote, unhurried};

/// What the next write that has some words in it comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Panics,
    /// It takes a second, and is done then.
    TakesItsTime,
    /// It takes ten seconds, in which its thread does nothing else.
    Blocks,
    /// It is done, and said to have failed.
    IsLost,
}

/// Faults by the words of what is written.
#[derive(Clone, Default)]
struct Faults {
    next: Arc<Mutex<Option<(&'static str, Fault)>>>,
    /// Nothing can be deleted.
    keeps: Arc<AtomicBool>,
}

impl Faults {
    fn set(&self, words: &'static str, fault: Fault) {
        *self.next.lock().unwrap() = Some((words, fault));
    }

    fn shelves(&self) -> Shelves {
        let faults = self.clone();
        Shelves(Arc::new(move |folder: &Path| {
            let shelf = FolderShelf::new(&folder.join("sessions"));
            Rc::new(Faulty { shelf, faults: faults.clone() })
        }))
    }
}

/// The sessions of a folder, where that has faults.
struct Faulty {
    shelf: FolderShelf,
    faults: Faults,
}

#[async_trait(?Send)]
impl Shelf for Faulty {
    async fn ids(&self) -> Result<Vec<String>, StoreError> {
        self.shelf.ids().await
    }

    async fn journal(&self, id: &str) -> Result<Rc<dyn Journal>, StoreError> {
        let journal = self.shelf.journal(id).await?;
        Ok(Rc::new(FaultyJournal { journal, faults: self.faults.clone() }))
    }

    async fn forget(&self, id: &str) -> Result<(), StoreError> {
        if self.faults.keeps.load(Ordering::SeqCst) {
            return Err(StoreError::Other("/a/path/of/the/server: it is read only".to_owned()));
        }
        self.shelf.forget(id).await
    }
}

struct FaultyJournal {
    journal: Rc<dyn Journal>,
    faults: Faults,
}

#[async_trait(?Send)]
impl Journal for FaultyJournal {
    async fn append(&self, changes: &[Rc<Change>], durability: Durability) -> Result<(), StoreError> {
        let text = format!("{changes:?}");
        let fault = {
            let mut next = self.faults.next.lock().unwrap();
            next.take_if(|(words, _)| text.contains(*words)).map(|(_, fault)| fault)
        };
        match fault {
            Some(Fault::Panics) => panic!("a defect that this test has made"),
            Some(Fault::TakesItsTime) => tokio::time::sleep(Duration::from_secs(1)).await,
            Some(Fault::Blocks) => std::thread::sleep(Duration::from_secs(10)),
            Some(Fault::IsLost) => {
                self.journal.append(changes, durability).await?;
                return Err(StoreError::Other("nobody knows".to_owned()));
            }
            None => {}
        }
        self.journal.append(changes, durability).await
    }

    async fn load(&self) -> Result<Loaded, StoreError> {
        self.journal.load().await
    }

    async fn read(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        self.journal.read(from, until).await
    }

    async fn by_key(&self, key: &CallKey) -> Result<Option<Change>, StoreError> {
        self.journal.by_key(key).await
    }

    async fn erase(&self, tables: &[String], before: Rev) -> Result<(), StoreError> {
        self.journal.erase(tables, before).await
    }

    async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        self.journal.put_snapshot(snapshot).await
    }

    async fn write_back(&self, snapshot: &Snapshot, changes: &[Rc<Change>]) -> Result<bool, StoreError> {
        self.journal.write_back(snapshot, changes).await
    }

    async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.journal.blob(hash).await
    }

    async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.journal.put_blob(hash, bytes).await
    }

    async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        self.journal.blob_names(prefix).await
    }

    async fn delete_blob(&self, name: &str) -> Result<(), StoreError> {
        self.journal.delete_blob(name).await
    }

    async fn manifest(&self) -> Result<Option<Manifest>, StoreError> {
        self.journal.manifest().await
    }

    async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError> {
        self.journal.second_copy().await
    }

    async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError> {
        self.journal.put_second_copy(manifest, tail, snapshot).await
    }
}

/// A DELETE that could not be done is said to have failed, hides the session at once, and can be sent again until it is done.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_could_not_be_deleted_is_deleted_by_the_next_try() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Faults::default();
    let with = || Options { shelves: faults.shelves(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let mut server = Server::start(with()).await;
    let anna = server.anna();
    let session = anna.session().await;
    let named = [("session", session.as_str())];
    anna.say(&session, "k", "add milk").await;
    faults.keeps.store(true, Ordering::SeqCst);
    for _ in 0..2 {
        let failed = anna.call("deleteSession", &named, None).await;
        assert_eq!((failed.status, failed.code()), (500, "storage_failed"));
        assert!(!failed.body.to_string().contains("/a/path"), "{failed:?}");
        assert_eq!(anna.call("listSessions", &[], None).await.body, json!({"sessions": []}));
        assert_eq!(anna.call("getSession", &named, None).await.status, 404);
        assert_eq!(anna.refused(&session, "l", "hello").await.status, 404);
    }
    faults.keeps.store(false, Ordering::SeqCst);
    assert_eq!(anna.call("deleteSession", &named, None).await.status, 204);
    assert_eq!(anna.call("deleteSession", &named, None).await.status, 404);
    server.stop().await;
    server = Server::start(with()).await;
    assert_eq!(server.anna().call("listSessions", &[], None).await.body, json!({"sessions": []}));
    assert!(std::fs::read_dir(folder.path().join("anna/sessions")).unwrap().next().is_none());
    server.stop().await;
}

/// A folder of a server that has stopped: where its sessions are, and the one there is.
async fn stopped_with_one(folder: &Path) -> (PathBuf, String) {
    let server = Server::built_in(folder).await;
    let session = server.anna().session().await;
    server.anna().say(&session, "k", "add milk").await;
    server.stop().await;
    (folder.join("anna/sessions"), session)
}

/// Half a folder is no session, and a process that was ended while it deleted one leaves nothing behind for good.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_half_deleted_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let (sessions, session) = stopped_with_one(folder.path()).await;
    let aside = sessions.join(format!("forgotten-{session}"));
    std::fs::rename(sessions.join(&session), &aside).unwrap();
    let server = Server::built_in(folder.path()).await;
    assert_eq!(server.anna().call("listSessions", &[], None).await.body, json!({"sessions": []}));
    assert!(!aside.exists());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bad_entry_keeps_nobody_from_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let (sessions, session) = stopped_with_one(folder.path()).await;
    // A file that is called as a session is, and a session whose journal cannot be opened.
    let (file, broken) = ("0".repeat(32), "f".repeat(32));
    std::fs::write(sessions.join(&file), "not a folder").unwrap();
    std::fs::create_dir_all(sessions.join(&broken).join("journal.jsonl")).unwrap();
    for entry in std::fs::read_dir(sessions.join(&session)).unwrap() {
        // Whatever a session's folder has as a file is a folder in this one.
        let name = entry.unwrap().file_name();
        drop(std::fs::create_dir_all(sessions.join(&broken).join(name)));
    }
    let server = Server::built_in(folder.path()).await;
    let listed = server.anna().call("listSessions", &[], None).await.body;
    let ids: Vec<&Value> = listed["sessions"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&json!(session)]);
    assert_eq!(last(&server.anna().say(&session, "l", "add bread").await).name, "done");
    assert!(sessions.join(&file).is_file() && sessions.join(&broken).is_dir(), "they are left as they are");
    server.stop().await;
}

/// A defect in the middle of a message: who reads along is told, and the same key goes on with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_panics_tells_its_reader() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Faults::default();
    let with = Options { shelves: faults.shelves(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let server = Server::start(with).await;
    let anna = server.anna();
    let session = anna.session().await;
    faults.set("todo_create", Fault::Panics);
    let broken = anna.say(&session, "k", "add milk").await;
    assert_eq!(last(&broken).data["type"], "internal_error", "{broken:?}");
    assert_eq!(last(&broken).id, "", "it is not in the log");
    let whole = anna.say(&session, "k", "add milk").await;
    assert_eq!(names(&whole), ["tool_call", "tool_result", "text", "done"], "{whole:?}");
    // Another owner on the thread has not noticed.
    let bert = server.bert();
    assert_eq!(last(&bert.say(&bert.session().await, "k", "hello").await).name, "done");
    server.stop().await;
    assert_eq!(crate::server::titles(folder.path(), "anna").await, ["Milk"]);
}

/// A server that is told to stop stops, also where something in it does not.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_stops_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Faults::default();
    let with = Options { shelves: faults.shelves(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let server = Server::start(with).await;
    let anna = server.anna();
    let session = anna.session().await;
    let keyed = [("session", session.as_str()), ("Idempotency-Key", "k")];
    faults.set("todo_create", Fault::Blocks);
    let stream = anna.stream("sendMessage", &keyed, Some(json!({"text": "add milk"}))).await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(stream);
    let began = std::time::Instant::now();
    server.stop().await;
    let took = began.elapsed();
    assert!(took > Duration::from_secs(4), "it waits a while: {took:?}");
    assert!(took < Duration::from_secs(9), "{took:?}");
    // It still writes: until it has, its folder is nobody else's.
    let again = || api::serve(options(folder.path(), ModelChoice::BuiltIn));
    assert!(matches!(again().await, Err(api::StartError::InUse(_))));
    tokio::time::sleep(Duration::from_secs(6)).await;
    again().await.unwrap().shutdown().await;
}

/// Where one owner's sessions cannot be listed there is no server, and nothing of it is left running.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_fails_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Faults::default();
    std::fs::create_dir_all(folder.path().join("bert")).unwrap();
    std::fs::write(folder.path().join("bert/sessions"), "no folder").unwrap();
    let with = Options { shelves: faults.shelves(), ..options(folder.path(), ModelChoice::BuiltIn) };
    assert!(api::serve(with).await.is_err());
    // Whatever runs has the shelf, and that has the faults.
    assert_eq!(Arc::strong_count(&faults.keeps), 1);
    std::fs::remove_file(folder.path().join("bert/sessions")).unwrap();
    Server::built_in(folder.path()).await.stop().await;
}

/// A message that broke off waits for nobody, also when its session is on disk only.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_broke_off_is_not_told_as_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Faults::default();
    let limits = api::Limits { memory: Duration::ZERO, ..unhurried() };
    let with = Options { shelves: faults.shelves(), limits, ..options(folder.path(), ModelChoice::BuiltIn) };
    let server = Server::start(with).await;
    let anna = server.anna();
    let session = anna.session().await;
    faults.set("todo_create", Fault::Panics);
    assert_eq!(last(&anna.say(&session, "k", "add milk").await).name, "error");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let listed = anna.call("listSessions", &[], None).await.body;
    assert_eq!(listed["sessions"][0]["status"], "running", "{listed}");
    server.stop().await;
}

/// An answer whose session is deleted before it is kept did nothing, and says so.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_a_session_that_is_deleted_meanwhile_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Faults::default();
    let with = Options { shelves: faults.shelves(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let server = Server::start(with).await;
    let anna = server.anna();
    let session = anna.session().await;
    let named = [("session", session.as_str())];
    anna.say(&session, "a", "add milk").await;
    let (_stream, asked) = anna.delete(&session, "b", "milk").await;
    let body = json!({"callId": last_id(&asked), "answers": {"approve": "yes"}});
    faults.set("decision", Fault::TakesItsTime);
    let answering = anna.call("answerQuestions", &named, Some(body));
    let deleting = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        anna.call("deleteSession", &named, None).await
    };
    let (answered, deleted) = futures::join!(answering, deleting);
    assert_eq!(deleted.status, 204);
    assert_eq!((answered.status, answered.code()), (404, "session_not_found"), "{answered:?}");
    server.stop().await;
    assert_eq!(crate::server::titles(folder.path(), "anna").await, ["Milk"]);
}

fn last_id(asked: &[crate::client::Event]) -> Value {
    asked.last().unwrap().data["callId"].clone()
}

/// The cause of a failure is for whoever runs the server: it has names of files in it.
#[tokio::test(flavor = "multi_thread")]
async fn clients_read_no_path_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let model = Scripted::start(|_, _| Step::say("Well.")).await;
    let mut choice = remote(&model.url);
    if let ModelChoice::Remote(remote) = &mut choice {
        remote.price = Some(llm::Price { input: 1, cached: 1, output: 1 });
    }
    let server = Server::start(Options { limits: unhurried(), ..options(folder.path(), choice) }).await;
    let anna = server.anna();
    let session = anna.session().await;
    // The month cannot be counted: its file is a folder.
    let months = folder.path().join("anna/spending.json");
    std::fs::create_dir_all(&months).unwrap();
    let failed = anna.say(&session, "a", "hello").await;
    assert_eq!(last(&failed).data["type"], "storage_failed", "{failed:?}");
    std::fs::remove_dir(&months).unwrap();
    // Neither can the session.
    let journal = folder.path().join("anna/sessions").join(&session);
    std::fs::remove_dir_all(&journal).unwrap();
    std::fs::write(&journal, "in the way").unwrap();
    let refused = anna.refused(&session, "b", "hello").await;
    assert_eq!(refused.code(), "storage_failed");
    let path = folder.path().to_str().unwrap();
    for told in [&last(&failed).data, &refused.body] {
        assert!(!told.to_string().contains(path), "{told}");
    }
    server.stop().await;
}

/// Written and said to have failed: from then on the session is what the journal says, as it is for the next process.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_was_written_unseen_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Faults::default();
    let with = Options { shelves: faults.shelves(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let server = Server::start(with).await;
    let anna = server.anna();
    let session = anna.session().await;
    faults.set("add milk", Fault::IsLost);
    let refused = anna.refused(&session, "k", "add milk").await;
    assert_eq!((refused.status, refused.code()), (500, "storage_failed"));
    let told = anna.call("getSession", &[("session", &session)], None).await.body;
    assert_eq!(told["messages"], 1, "{told}");
    // It is answered by whoever asks next, and first.
    let busy = anna.refused(&session, "other", "add bread").await;
    assert_eq!((busy.status, busy.code()), (409, "session_busy"));
    assert_eq!(last(&anna.say(&session, "k", "add milk").await).name, "done");
    assert_eq!(last(&anna.say(&session, "other", "add bread").await).name, "done");
    server.stop().await;
    assert_eq!(crate::server::titles(folder.path(), "anna").await, ["Bread", "Milk"]);
}

/// A session that was made and said to have failed is none: the same key makes one, not a second.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_was_made_unseen_is_not_made_twice() {
    let folder = tempfile::tempdir().unwrap();
    let faults = Faults::default();
    let with = || Options { shelves: faults.shelves(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let mut server = Server::start(with()).await;
    let keyed = [("Idempotency-Key", "k")];
    let body = || Some(json!({"title": "Paris"}));
    faults.set("Paris", Fault::IsLost);
    let failed = server.anna().call("createSession", &keyed, body()).await;
    assert_eq!((failed.status, failed.code()), (500, "storage_failed"));
    let made = server.anna().call("createSession", &keyed, body()).await;
    assert_eq!(made.status, 201, "{made:?}");
    for _ in 0..2 {
        let listed = server.anna().call("listSessions", &[], None).await.body;
        let ids: Vec<&Value> = listed["sessions"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
        assert_eq!(ids, [&made.body["id"]], "{listed}");
        server.stop().await;
        server = Server::start(with()).await;
    }
    server.stop().await;
}

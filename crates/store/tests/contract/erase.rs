//! What an erasure must leave, on every journal: nothing of what it erased, and everything else.

use std::cell::Cell;
use std::rc::Rc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{
    CallKey, Change, CommitError, Db, Durability, Journal, Loaded, Manifest, Record, Redo, Rev, Schema,
    SecondCopy, Snapshot, StoreError, Tail, Undo, UndoError,
};

use super::{Place, call, card, put, texts};

/// What is in every row that is erased, and nowhere else.
pub const MARKER: &str = "face-of-ann-7c1e";

/// A row that is erased.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Face {
    pub id: String,
    pub name: String,
}

impl Record for Face {
    const TABLE: &'static str = "faces";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }
}

/// The same table as another build has it: it can read none of the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OtherFace {
    id: String,
    another_field: u32,
}

impl Record for OtherFace {
    const TABLE: &'static str = "faces";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }
}

fn face(id: &str) -> Face {
    Face { id: id.to_owned(), name: format!("{MARKER} {id}") }
}

pub async fn with_faces<J: Journal>(journal: J) -> Db<J> {
    Db::open(journal, Schema::new().table::<super::Card>().table::<Face>()).await.unwrap()
}

async fn name<J: Journal>(db: &Db<J>, key: &str, id: &str) -> Result<Rev, CommitError> {
    let mut stage = db.stage(&call(key));
    stage.put(face(id));
    stage.put(card(&format!("of-{id}"), "a photo"));
    let reply = json!({ "summary": format!("Named {MARKER} {id}.") });
    db.commit(stage, reply, Durability::Strict).await.map(|committed| committed.rev)
}

pub async fn erase<J: Journal>(db: &Db<J>, key: &str) -> Result<Rev, CommitError> {
    db.erase(&call(key), &["faces", "people"], json!({ "answer": "erased" })).await.map(|it| it.rev)
}

/// Faces everywhere: in the journal, a snapshot, both parts of the second copy, a saved copy, an undo, and a redo.
pub async fn filled<J: Journal>(db: &Db<J>) {
    put(db, "first", "milk", "1").await;
    name(db, "name1", "f1").await.unwrap();
    let copied = db.copy(&call("copy"), "before", false).await.unwrap();
    db.keep(copied).await.unwrap();
    // In one append: in a browser each takes a while, and there are many rounds of this.
    let stages = (0..70).map(|step| {
        let mut stage = db.stage(&call(&format!("fill{step}")));
        stage.put(card(&format!("x{step}"), "filler"));
        (stage, json!(step))
    });
    for done in db.commit_many(stages.collect(), Durability::Strict).await {
        done.unwrap();
    }
    name(db, "name2", "f2").await.unwrap();
    db.upkeep().await.unwrap();
    let stage = db.stage_undo(&call("undo"), &Undo::Key(CallKey("name2".into()))).await.unwrap();
    db.commit(stage, json!({ "summary": format!("Undone: {MARKER}") }), Durability::Strict).await.unwrap();
    let stage = db.stage_redo(&call("redo"), &Redo::Last(1)).await.unwrap();
    db.commit(stage, json!(null), Durability::Strict).await.unwrap();
    put(db, "bread", "bread", "2").await;
    db.upkeep().await.unwrap();
}

/// Everything that a journal gives out, as one text.
async fn dump<J: Journal>(journal: &J) -> String {
    let Loaded { snapshot, .. } = journal.load().await.unwrap();
    let mut dump = format!("{:?}", journal.read(1, Rev::MAX).await.unwrap());
    let mut bytes: Vec<Vec<u8>> = snapshot.into_iter().map(|snapshot| snapshot.bytes).collect();
    if let Some(copy) = journal.second_copy().await.unwrap() {
        dump.push_str(&format!("{:?} {:?}", copy.manifest, copy.tail));
        bytes.extend(copy.snapshot.into_iter().map(|snapshot| snapshot.bytes));
    }
    for name in journal.blob_names("").await.unwrap() {
        dump.push_str(&name);
        bytes.extend(journal.blob(&name).await.unwrap());
    }
    for bytes in bytes {
        dump.push_str(&String::from_utf8_lossy(&bytes));
    }
    dump
}

/// Nothing is left of what was erased, and everything else is as it was.
async fn check<P: Place>(place: &P) {
    let dumped = dump(&place.connect().await).await;
    let before: Vec<&str> = dumped.split(MARKER).take(1).map(|text| &text[text.len().min(2_000)..]).collect();
    assert!(!dumped.contains(MARKER), "{before:?}");
    assert_eq!(place.find(MARKER.as_bytes()).await, Vec::<String>::new());
    let db = with_faces(place.connect().await).await;
    assert_eq!(db.report().notes, []);
    assert!(db.view().all::<Face>().is_empty());
    let shown: Vec<_> = texts(&db).into_iter().filter(|text| !text.ends_with("=filler")).collect();
    assert_eq!(shown, ["bread=2", "milk=1", "of-f1=a photo", "of-f2=a photo"]);
    assert_eq!(db.view().count(), 74);
    // Each key is known, with its place; what the change said is another thing.
    let named = db.by_key(&CallKey("name1".into())).await.unwrap().unwrap();
    assert_eq!((named.rev, named.ops.len(), named.body_hash.as_deref()), (2, 1, None));
    assert!(named.reply.as_str().contains("\"erased\":true"), "{}", named.reply.as_str());
    let first = db.by_key(&CallKey("first".into())).await.unwrap().unwrap();
    assert_eq!(first.reply, json!({ "answer": "first" }).into());
    let again = name(&db, "name1", "f9").await;
    assert!(matches!(again, Err(CommitError::Answered(ref change)) if change.rev == 2), "{again:?}");
    assert!(db.journal_is_quiet(place).await);
}

trait Quiet<P> {
    async fn journal_is_quiet(&self, place: &P) -> bool;
}

impl<P: Place> Quiet<P> for Db<P::Journal> {
    /// No mark is left, and the copies that were saved are still there.
    async fn journal_is_quiet(&self, place: &P) -> bool {
        let marks = place.connect().await.blob_names("kept/erasing/").await.unwrap();
        let saved = self.saved().await.unwrap();
        assert_eq!((saved.len(), saved[0].name.as_str(), saved[0].count), (1, "before", 2));
        let view = self.saved_view(&saved[0]).await.unwrap().unwrap();
        marks.is_empty() && view.count() == 2 && view.get::<super::Card>("milk").is_some()
    }
}

/// No byte of it is left in the place, a repeated call is answered, and the rest is undone as before.
pub async fn what_is_erased_is_nowhere<P: Place>(place: P) {
    let db = with_faces(place.connect().await).await;
    filled(&db).await;
    assert!(dump(&place.connect().await).await.matches(MARKER).count() > 10, "it is there before");
    assert_eq!(db.count_of(&["faces", "people"]), 2);
    let rev = erase(&db, "erase").await.unwrap();
    assert_eq!(rev, 77);
    assert_eq!(db.report().notes, []);
    check(&place).await;
    for db in [db, with_faces(place.connect().await).await] {
        let again = erase(&db, "erase").await;
        let Err(CommitError::Answered(change)) = again else { panic!("{again:?}") };
        assert_eq!((change.rev, change.reply.clone()), (rev, json!({ "answer": "erased" }).into()));
        let undone = db.stage_undo(&call("u"), &Undo::Key(CallKey("erase".into()))).await;
        assert_eq!(undone.err(), Some(UndoError::Erased(CallKey("erase".into()))));
        // The last thing that is undone is not the erasure.
        let stage = db.stage_undo(&call("u"), &Undo::Last(1)).await.unwrap();
        assert_eq!(stage.undone()[0].key.0, "bread");
        // What is left of a change is undone by itself.
        let stage = db.stage_undo(&call("u"), &Undo::Key(CallKey("name1".into()))).await.unwrap();
        assert_eq!(stage.ops().len(), 1);
        assert_eq!(db.at(3).await.unwrap().all::<Face>(), []);
    }
    let db = with_faces(place.connect().await).await;
    let stage = db.stage_undo(&call("u1"), &Undo::Key(CallKey("first".into()))).await.unwrap();
    db.commit(stage, json!(null), Durability::Strict).await.unwrap();
    assert_eq!(db.view().get::<super::Card>("milk"), None);
    // And new rows are as any.
    name(&db, "name3", "f3").await.unwrap();
    db.upkeep().await.unwrap();
    let db = with_faces(place.connect().await).await;
    assert_eq!((db.view().all::<Face>().len(), db.report().notes), (1, vec![]));
}

/// Rows that this build cannot read are erased, and so is what stands in entries and copies that nobody can read.
pub async fn what_cannot_be_read_is_erased_too<P: Place>(place: P) {
    let db = with_faces(place.connect().await).await;
    filled(&db).await;
    drop(db);
    let journal = place.connect().await;
    journal.put_blob("saved/000000000002/x", MARKER.as_bytes()).await.unwrap();
    journal.put_blob("saved/000000000001/00000000000001/1/20/m/id/torn", MARKER.as_bytes()).await.unwrap();
    let schema = Schema::new().table::<super::Card>().table::<OtherFace>();
    let db = Db::open(place.connect().await, schema).await.unwrap();
    assert_eq!((db.view().all::<OtherFace>().len(), db.count_of(&["faces"])), (0, 2));
    erase(&db, "erase").await.unwrap();
    drop(db);
    check(&place).await;
}

/// Whoever has not heard of it brings nothing back: by a commit, a snapshot, a second copy, or a saved copy.
pub async fn nobody_brings_back_what_was_erased<P: Place>(place: P) {
    let db = with_faces(place.connect().await).await;
    filled(&db).await;
    let stale = || async { with_faces(place.connect().await).await };
    let (writes, keeps, rests) = (stale().await, stale().await, stale().await);
    let mut before = db.stage(&call("late here"));
    before.put(face("f3"));
    let mut theirs = writes.stage(&call("late there"));
    theirs.put(face("f4"));
    let saved_there = keeps.copy(&call("copy2"), "late", true).await.unwrap();
    let saved_here = db.copy(&call("copy3"), "late", true).await.unwrap();
    let old_snapshot = place.connect().await.load().await.unwrap().snapshot.unwrap();
    let old_copy = place.connect().await.second_copy().await.unwrap();
    // One that undoes what named a face is as late.
    let undo = rests.stage_undo(&call("late undo"), &Undo::Key(CallKey("name2".into()))).await.unwrap();
    erase(&db, "erase").await.unwrap();

    assert_eq!(db.commit(before, json!(null), Durability::Strict).await, Err(CommitError::Conflict));
    assert_eq!(writes.commit(theirs, json!(null), Durability::Strict).await, Err(CommitError::Conflict));
    assert_eq!(rests.commit(undo, json!(null), Durability::Strict).await, Err(CommitError::Conflict));
    assert!(writes.view().all::<Face>().is_empty(), "it has caught up");
    // An old snapshot and an old second copy, put by one that knows nothing.
    place.connect().await.put_snapshot(&old_snapshot).await.unwrap();
    if let Some(SecondCopy { manifest, snapshot, tail }) = old_copy {
        place.connect().await.put_second_copy(&manifest, &tail, snapshot.as_ref()).await.unwrap();
    }
    for (db, saved) in [(&keeps, saved_there), (&db, saved_here)] {
        let saved = db.keep(saved).await.unwrap();
        assert_eq!((saved.name.as_str(), saved.count), ("late", 74));
        assert!(db.saved_view(&saved).await.unwrap().is_some());
    }
    for db in [&writes, &keeps, &rests] {
        db.upkeep().await.unwrap();
    }
    let journal = place.connect().await;
    for name in journal.blob_names("saved/").await.unwrap() {
        if name.ends_with("/late") {
            let bytes = journal.blob(&name).await.unwrap().unwrap();
            assert!(!String::from_utf8_lossy(&bytes).contains(MARKER));
            journal.delete_blob(&name).await.unwrap();
        }
    }
    check(&place).await;
    // One that was open all the time looks back, and finds nothing.
    for (place_of, db) in [&writes, &keeps, &rests].into_iter().enumerate() {
        assert!(!format!("{:?}", db.changes(1).await.unwrap()).contains(MARKER));
        put(db, &format!("more{place_of}"), "more", &place_of.to_string()).await;
        db.upkeep().await.unwrap();
        assert!(!dump(&place.connect().await).await.contains(MARKER));
    }
    assert_eq!(with_faces(place.connect().await).await.report().notes, []);
}

/// Killed at whatever write, it is finished by whoever opens next, or by the same call again, or by the next upkeep.
pub async fn an_erasure_that_is_broken_off_is_finished<P: Place>(place: P) {
    let mut rounds = 0;
    let thens = [Then::Open, Then::Again, Then::Upkeep];
    for then in &thens[..if P::IS_SLOW { 1 } else { thens.len() }] {
        for is_done in [false, true] {
            for at in 1.. {
                let place = place.another(rounds);
                let db = with_faces(place.connect().await).await;
                filled(&db).await;
                drop(db);
                let failing =
                    Failing { inner: place.connect().await, left: Rc::new(Cell::new(usize::MAX)), is_done };
                let left = failing.left.clone();
                let db = with_faces(failing).await;
                left.set(at);
                let outcome = erase(&db, "erase").await;
                let is_through = left.get() > 0;
                assert_eq!(outcome.is_ok(), is_through, "{at}: {outcome:?}");
                rounds += 1;
                left.set(usize::MAX);
                match *then {
                    Then::Open => drop(db),
                    // Before the mark nothing is decided, and the rest is the same call's.
                    Then::Again => drop(erase(&db, "erase").await),
                    Then::Upkeep => db.upkeep().await.unwrap(),
                }
                let db = with_faces(place.connect().await).await;
                if db.by_key(&CallKey("erase".into())).await.unwrap().is_none() {
                    assert!(at == 1 && !is_done, "nothing was done yet at {at}");
                    assert_eq!(db.view().all::<Face>().len(), 2);
                } else {
                    drop(db);
                    check(&place).await;
                }
                if is_through {
                    break;
                }
            }
        }
    }
    assert!(rounds > 15, "{rounds}");
}

#[derive(Clone, Copy)]
enum Then {
    Open,
    Again,
    Upkeep,
}

/// A journal that fails from its n-th write on, as a program does that is killed there: before that write, or after it.
struct Failing<J> {
    inner: J,
    left: Rc<Cell<usize>>,
    is_done: bool,
}

impl<J> Failing<J> {
    async fn write<T>(&self, write: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let killed = || StoreError::Unavailable("killed".into());
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        match left {
            0 => Err(killed()),
            1 if self.is_done => write.await.and(Err(killed())),
            1 => Err(killed()),
            _ => write.await,
        }
    }
}

#[async_trait(?Send)]
impl<J: Journal> Journal for Failing<J> {
    async fn load(&self) -> Result<Loaded, StoreError> {
        self.inner.load().await
    }

    async fn read(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        self.inner.read(from, until).await
    }

    async fn by_key(&self, key: &CallKey) -> Result<Option<Change>, StoreError> {
        self.inner.by_key(key).await
    }

    async fn append(&self, changes: &[Rc<Change>], durability: Durability) -> Result<(), StoreError> {
        self.write(self.inner.append(changes, durability)).await
    }

    async fn erase(&self, tables: &[String], before: Rev) -> Result<(), StoreError> {
        self.write(self.inner.erase(tables, before)).await
    }

    async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        self.write(self.inner.put_snapshot(snapshot)).await
    }

    async fn write_back(&self, snapshot: &Snapshot, changes: &[Rc<Change>]) -> Result<bool, StoreError> {
        self.write(self.inner.write_back(snapshot, changes)).await
    }

    async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.blob(hash).await
    }

    async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(self.inner.put_blob(hash, bytes)).await
    }

    async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        self.inner.blob_names(prefix).await
    }

    async fn delete_blob(&self, name: &str) -> Result<(), StoreError> {
        self.write(self.inner.delete_blob(name)).await
    }

    async fn manifest(&self) -> Result<Option<Manifest>, StoreError> {
        self.inner.manifest().await
    }

    async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError> {
        self.inner.second_copy().await
    }

    fn has_second_copy(&self) -> bool {
        self.inner.has_second_copy()
    }

    async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError> {
        self.write(self.inner.put_second_copy(manifest, tail, snapshot)).await
    }
}

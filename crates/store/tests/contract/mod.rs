//! What every journal must do for a database: one suite, run on each backend in its real place.

mod alike;
mod blobs;
mod erase;
mod history;

use std::rc::Rc;

use futures::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{
    Blobs, Call, CallKey, CommitError, Committed, Db, Durability, Journal, Moment, Note, Record, Saved,
    Schema, Snapshot, Source, Stage, StoreError, Tail, Undo, UndoError,
};

#[allow(unused_imports, reason = "some take only the bench")]
pub use {alike::*, blobs::*, erase::*, history::*};

/// A place that keeps one journal. Connecting twice gives two connections to the same storage.
pub trait Place {
    type Journal: Journal;
    type Blobs: Blobs;
    /// Each write takes a while: what is tried at every one of them is tried in one way only.
    const IS_SLOW: bool = false;
    async fn connect(&self) -> Self::Journal;
    /// The place's bytes beside the journal.
    async fn blobs(&self) -> Self::Blobs;
    /// Loses everything but the second copy.
    async fn empty(&self);
    /// Another place of this kind, with nothing in it.
    fn another(&self, number: usize) -> Self;
    /// Where in the place some bytes are, looked for past the journal; nothing where nobody can look.
    async fn find(&self, _bytes: &[u8]) -> Vec<String> {
        Vec::new()
    }
}

/// A row for tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    pub id: String,
    pub text: String,
}

impl Record for Card {
    const TABLE: &'static str = "card";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }

    fn label(&self) -> &str {
        &self.text
    }
}

pub fn card(id: &str, text: &str) -> Card {
    Card { id: id.to_owned(), text: text.to_owned() }
}

pub fn call(key: &str) -> Call {
    Call {
        key: CallKey(key.to_owned()),
        tool: format!("tool_{key}"),
        moment: Moment { at_ms: 1_000, zone: "Europe/Berlin".to_owned(), offset_s: 3_600 },
        body_hash: None,
        instance: None,
    }
}

pub async fn open<P: Place>(place: &P) -> Db<P::Journal> {
    Db::open(place.connect().await, Schema::new().table::<Card>()).await.unwrap()
}

pub fn texts<J: Journal>(db: &Db<J>) -> Vec<String> {
    db.view().all::<Card>().iter().map(|card| format!("{}={}", card.id, card.text)).collect()
}

/// Runs a tool: stages, commits, and again when told to.
pub async fn run<J: Journal>(
    db: &Db<J>,
    key: &str,
    tool: impl Fn(&mut Stage),
) -> Result<Committed, CommitError> {
    loop {
        let mut stage = db.stage(&call(key));
        tool(&mut stage);
        match db.commit(stage, json!({ "answer": key }), Durability::Strict).await {
            Err(CommitError::Conflict) => {}
            outcome => return outcome,
        }
    }
}

pub async fn put<J: Journal>(db: &Db<J>, key: &str, id: &str, text: &str) -> Committed {
    run(db, key, |stage| stage.put(card(id, text))).await.unwrap()
}

pub async fn undo<J: Journal>(db: &Db<J>, key: &str, what: Undo) -> Result<Committed, UndoError> {
    let stage = db.stage_undo(&call(key), &what).await?;
    Ok(db.commit(stage, json!(null), Durability::Strict).await.unwrap())
}

pub async fn redo<J: Journal>(db: &Db<J>, key: &str) -> Result<Committed, UndoError> {
    let stage = db.stage_redo(&call(key), &store::Redo::Last(1)).await?;
    Ok(db.commit(stage, json!(null), Durability::Strict).await.unwrap())
}

/// Fills a database with `count` changes to the same few rows.
async fn fill<J: Journal>(db: &Db<J>, count: usize) {
    for place in 0..count {
        put(db, &format!("fill{place}"), &format!("c{}", place % 7), &format!("v{place}")).await;
        db.snapshot_if_due().await.unwrap();
    }
}

pub async fn starts_empty<P: Place>(place: P) {
    let db = open(&place).await;
    assert_eq!((db.rev(), texts(&db), db.report().notes), (0, vec![], vec![]));
    assert_eq!(db.by_key(&CallKey("a".to_owned())).await, Ok(None));
    assert!(matches!(undo(&db, "u", Undo::Last(1)).await, Err(UndoError::NothingToUndo)));
    assert!(matches!(redo(&db, "r").await, Err(UndoError::NothingToRedo)));
}

pub async fn a_stage_reads_its_own_writes_and_a_preview_leaves_nothing<P: Place>(place: P) {
    let db = open(&place).await;
    run(&db, "k1", |stage| ["b", "d", "f"].map(|id| stage.put(card(id, "old"))).into_iter().collect())
        .await
        .unwrap();
    let mut stage = db.stage(&call("k2"));
    for id in ["a", "c", "g"] {
        stage.put(card(id, "new"));
    }
    stage.put(card("d", "changed"));
    stage.delete::<Card>("b");
    stage.delete::<Card>("c");
    stage.delete::<Card>("never there");
    let seen: Vec<_> = stage.all::<Card>().iter().map(|card| format!("{}={}", card.id, card.text)).collect();
    assert_eq!(seen, ["a=new", "d=changed", "f=old", "g=new"]);
    assert_eq!(stage.get::<Card>("b"), None);
    assert_eq!(stage.get::<Card>("d").unwrap().text, "changed");
    assert_eq!(stage.filter::<Card>(|card| card.text == "new").len(), 2);
    let ops: Vec<_> =
        stage.ops().into_iter().map(|op| (op.id, op.before.is_some(), op.after.is_some())).collect();
    let expected = [("a", false, true), ("b", true, false), ("d", true, true), ("g", false, true)]
        .map(|(id, b, a)| (id.to_owned(), b, a));
    assert_eq!(ops, expected);
    drop(stage);
    assert_eq!((db.rev(), texts(&db)), (1, vec!["b=old".into(), "d=old".into(), "f=old".into()]));
}

pub async fn what_is_committed_survives<P: Place>(place: P) {
    let db = open(&place).await;
    let first = put(&db, "k1", "a", "1").await;
    assert_eq!((first.rev, first.change.at_ms, first.change.tool.as_str()), (1, 1_000, "tool_k1"));
    run(&db, "k2", |stage| stage.delete::<Card>("a")).await.unwrap();
    let last = put(&db, "k3", "b", "ä\u{1F600}\"\\\n").await;
    drop(db);
    let db = open(&place).await;
    assert_eq!((db.rev(), db.report().notes), (3, vec![]));
    assert_eq!(texts(&db), ["b=ä\u{1F600}\"\\\n"]);
    assert_eq!(db.by_key(&CallKey("k3".to_owned())).await.unwrap(), Some(last.change));
    assert_eq!(db.changes(1).await.unwrap().len(), 3);
}

pub async fn a_key_is_executed_once<P: Place>(place: P) {
    let db = open(&place).await;
    put(&db, "k1", "a", "1").await;
    for _ in 0..2 {
        let db = open(&place).await;
        let again = run(&db, "k1", |stage| stage.put(card("b", "2"))).await;
        let Err(CommitError::Answered(change)) = again else { panic!("{again:?}") };
        assert_eq!((change.rev, &change.reply), (1, &json!({ "answer": "k1" }).into()));
        assert_eq!(texts(&db), ["a=1"]);
    }
    // Another connection, which has not seen it yet.
    let other = open(&place).await;
    put(&db, "k2", "c", "3").await;
    let again = run(&other, "k2", |stage| stage.put(card("c", "4"))).await;
    assert!(matches!(again, Err(CommitError::Answered(change)) if change.rev == 2));
    assert_eq!(texts(&other), ["a=1", "c=3"]);
}

pub async fn a_key_older_than_memory_is_found<P: Place>(place: P) {
    let db = open(&place).await;
    fill(&db, 200).await;
    drop(db);
    let db = open(&place).await;
    let found = db.by_key(&CallKey("fill0".to_owned())).await.unwrap().unwrap();
    assert_eq!((found.rev, &found.reply), (1, &json!({ "answer": "fill0" }).into()));
    let again = run(&db, "fill3", |stage| stage.put(card("z", "z"))).await;
    assert!(matches!(again, Err(CommitError::Answered(change)) if change.rev == 4));
    assert_eq!(db.rev(), 200);
}

pub async fn two_connections_see_each_other<P: Place>(place: P) {
    let (one, two) = (open(&place).await, open(&place).await);
    put(&one, "k1", "a", "1").await;
    // Elsewhere in the table: nothing that the tool read has changed, so it just takes the next place.
    assert_eq!(put(&two, "k2", "b", "2").await.rev, 2);
    assert_eq!(texts(&two), ["a=1", "b=2"]);
    // The same row: the tool has to run again on what is there now.
    let mut stage = one.stage(&call("k3"));
    assert_eq!(stage.get::<Card>("b"), None);
    stage.put(card("b", "lost?"));
    let refused = one.commit(stage, json!(null), Durability::Strict).await;
    assert_eq!(refused, Err(CommitError::Conflict));
    assert_eq!((one.rev(), texts(&one)), (2, vec!["a=1".into(), "b=2".into()]));
    // A whole table that was read: the same.
    let mut stage = one.stage(&call("k4"));
    let count = stage.all::<Card>().len();
    stage.put(card("count", &count.to_string()));
    put(&two, "k5", "c", "3").await;
    assert_eq!(one.commit(stage, json!(null), Durability::Strict).await, Err(CommitError::Conflict));
    let counted = run(&one, "k4", |stage| {
        let count = stage.all::<Card>().len();
        stage.put(card("count", &count.to_string()));
    })
    .await
    .unwrap();
    assert_eq!(counted.rev, 4);
    assert_eq!(two.refresh().await, Ok(4));
    assert_eq!(texts(&two), ["a=1", "b=2", "c=3", "count=3"]);
    assert_eq!(texts(&one), texts(&two));
}

pub async fn many_at_once_lose_nothing<P: Place>(place: P) {
    let (one, two) = (open(&place).await, open(&place).await);
    let calls = (0..40).map(|place| {
        let db = if place % 2 == 0 { &one } else { &two };
        async move {
            run(db, &format!("k{place}"), |stage| {
                // Everybody counts on everybody else.
                let sum: usize = stage.get::<Card>("sum").map_or(0, |sum| sum.text.parse().unwrap());
                stage.put(card("sum", &(sum + 1).to_string()));
                stage.put(card(&format!("own{place:02}"), "x"));
            })
            .await
        }
    });
    let mut revs: Vec<_> = join_all(calls).await.into_iter().map(|done| done.unwrap().rev).collect();
    revs.sort_unstable();
    assert_eq!(revs, (1..=40).collect::<Vec<_>>());
    one.refresh().await.unwrap();
    two.refresh().await.unwrap();
    assert_eq!(one.view().get::<Card>("sum").unwrap().text, "40");
    assert_eq!(one.view().all::<Card>().len(), 41);
    assert_eq!(texts(&one), texts(&two));
    assert_eq!(texts(&one), texts(&open(&place).await));
}

/// What was only glanced at sends back nobody here, and everybody elsewhere.
pub async fn additions_at_once_see_each_other_on_their_way<P: Place>(place: P) {
    let db = open(&place).await;
    put(&db, "first", "c0", "0").await;
    let add = |stage: &mut Stage| {
        let known = stage.snapshot::<Card, _>(|(), rows, on_their_way| rows().len() + on_their_way.len());
        let next = known.unwrap();
        stage.put(card(&format!("c{next}"), &next.to_string()));
    };
    let by = |key: &str, instance: &str| Call { instance: Some(instance.to_owned()), ..call(key) };
    let calls = (0..10).map(|n| {
        let db = &db;
        async move {
            let mut stage = db.stage(&by(&format!("k{n}"), "here"));
            add(&mut stage);
            // Not run again: whoever glances may not be refused for what others here add.
            db.commit(stage, json!(n), Durability::Strict).await.map(|done| done.rev)
        }
    });
    let revs: Vec<_> = join_all(calls).await;
    assert_eq!(revs, (2..=11).map(Ok).collect::<Vec<_>>());
    assert_eq!(texts(&db).len(), 11, "each took a place of its own");
    // Nobody is on their way any more.
    let on_their_way = db.stage(&call("x")).snapshot::<Card, _>(|(), _, on_their_way| on_their_way.len());
    assert_eq!(on_their_way, Some(0));
    let mut late = db.stage(&by("late", "here"));
    add(&mut late);
    put(&open(&place).await, "theirs", "c99", "theirs").await;
    assert_eq!(db.commit(late, json!(null), Durability::Strict).await, Err(CommitError::Conflict));
}

pub async fn the_same_call_twice_at_once_is_one<P: Place>(place: P) {
    let db = open(&place).await;
    let both =
        join_all([0, 1].map(|_| run(&db, "same", |stage| stage.put(card(&stage.new_id("c"), "x"))))).await;
    let [Ok(done), Err(CommitError::Answered(change))] = &both[..] else { panic!("{both:?}") };
    assert_eq!(&done.change, change);
    assert_eq!((db.rev(), texts(&db).len()), (1, 1));
}

pub async fn several_stages_go_in_one_append<P: Place>(place: P) {
    let db = open(&place).await;
    let stages = (0..5).map(|place| {
        let mut stage = db.stage(&call(&format!("k{place}")));
        // The last two write the same row.
        stage.put(card(&format!("c{}", place.min(3)), &place.to_string()));
        (stage, json!(place))
    });
    let done = db.commit_many(stages.collect(), Durability::Relaxed).await;
    let revs: Vec<_> = done.iter().map(|done| done.as_ref().map(|done| done.rev)).collect();
    assert_eq!(revs, [Ok(1), Ok(2), Ok(3), Ok(4), Err(&CommitError::Conflict)]);
    assert_eq!(texts(&open(&place).await), ["c0=0", "c1=1", "c2=2", "c3=3"]);
}

pub async fn an_append_is_all_or_nothing<P: Place>(place: P) {
    let db = open(&place).await;
    let change = (*put(&db, "k1", "a", "1").await.change).clone();
    let journal = place.connect().await;
    let next =
        |rev, key: &str| Rc::new(store::Change { rev, key: CallKey(key.to_owned()), ..change.clone() });
    for (why, batch) in [
        ("the second revision is taken", [next(2, "k2"), next(1, "k3")]),
        ("the second key is taken", [next(2, "k2"), next(3, "k1")]),
        ("one key twice", [next(2, "k2"), next(3, "k2")]),
    ] {
        assert_eq!(journal.append(&batch, Durability::Strict).await, Err(StoreError::Conflict), "{why}");
        assert_eq!(journal.read(1, u64::MAX).await.unwrap().changes, vec![change.clone()], "{why}");
    }
    journal.append(&[next(2, "k2"), next(3, "k3")], Durability::Relaxed).await.unwrap();
    let tail = journal.read(2, 3).await.unwrap();
    assert_eq!((tail.changes, tail.damaged, tail.head), (vec![(*next(2, "k2")).clone()], vec![], 2));
    assert_eq!(journal.read(9, u64::MAX).await.unwrap().head, 0);
}

pub async fn a_snapshot_is_only_a_cache<P: Place>(place: P) {
    let db = open(&place).await;
    fill(&db, 63).await;
    assert_eq!(place.connect().await.load().await.unwrap().snapshot, None);
    fill_one_more(&db).await;
    let loaded = place.connect().await.load().await.unwrap();
    let snapshot = loaded.snapshot.unwrap();
    assert_eq!((snapshot.rev, loaded.tail), (64, Tail::default()));
    let now = texts(&db);
    assert_eq!((texts(&open(&place).await), open(&place).await.report().notes), (now.clone(), vec![]));
    let mut flipped = snapshot.bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for bytes in [vec![], b"rubbish".to_vec(), b"satchel-snapshot 2 64 00\n{}".to_vec(), flipped] {
        let broken = Snapshot { rev: 64, bytes };
        place.connect().await.put_snapshot(&broken).await.unwrap();
        let db = open(&place).await;
        assert_eq!((texts(&db), db.rev()), (now.clone(), 64));
        assert!(matches!(db.report().notes[..], [Note::SnapshotUnreadable { .. }]), "{:?}", db.report());
    }
}

async fn fill_one_more<J: Journal>(db: &Db<J>) {
    put(db, "one more", "c0", "more").await;
    assert_eq!(db.snapshot_if_due().await, Ok(true));
    assert_eq!(db.snapshot_if_due().await, Ok(false));
}

pub async fn blobs_are_named_by_their_content<P: Place>(place: P) {
    let db = open(&place).await;
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let hash = db.put_blob(&bytes).await.unwrap();
    assert_eq!(hash, store::content_hash(&bytes));
    assert_eq!(db.put_blob(&bytes).await, Ok(hash.clone()));
    let db = open(&place).await;
    assert_eq!(db.blob(&hash).await, Ok(Some(bytes)));
    assert_eq!(db.blob("unknown").await, Ok(None));
    db.put_blob(b"").await.unwrap();
    place.connect().await.put_blob(&hash, b"other").await.unwrap();
    assert!(matches!(db.blob(&hash).await, Err(StoreError::Damaged(_))));
}

pub async fn a_second_dispatch_of_a_body_is_found<P: Place>(place: P) {
    let db = open(&place).await;
    let foreign = |key: &str, at_ms: i64, instance: &str| Call {
        moment: Moment { at_ms, ..call(key).moment },
        body_hash: Some("body".to_owned()),
        instance: Some(instance.to_owned()),
        ..call(key)
    };
    let mut stage = db.stage(&foreign("k1", 20_000, "one"));
    stage.put(card("a", "1"));
    db.commit(stage, json!(1), Durability::Strict).await.unwrap();
    // Also when the worker died right after it wrote a snapshot.
    for with_snapshot in [false, true] {
        if with_snapshot {
            fill(&db, 63).await;
            assert_eq!(db.manifest().snapshot_rev, 64);
        }
        let db = open(&place).await;
        for (body, instance, since_ms, expected) in [
            ("body", "two", 15_000, Some(1)),
            ("body", "two", 20_000, Some(1)),
            // Too long ago.
            ("body", "two", 20_001, None),
            // The same instance means that the client asked twice.
            ("body", "one", 15_000, None),
            ("other", "two", 15_000, None),
        ] {
            let found = db.recent_by_body(body, instance, since_ms).await.unwrap();
            assert_eq!(found.map(|change| change.rev), expected, "{body} {instance} {since_ms}");
        }
    }
}

pub async fn ids_are_the_same_when_a_tool_runs_again<P: Place>(place: P) {
    let db = open(&place).await;
    let ids = |key: &str| {
        let stage = db.stage(&call(key));
        [stage.new_id("card"), stage.new_id("card")]
    };
    assert_eq!(ids("k1"), ids("k1"));
    let [[a, b], [c, d]] = [ids("k1"), ids("k2")];
    assert_eq!([&a, &b, &c, &d].into_iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
    assert!(a.starts_with("card_") && a.len() == 21, "{a}");
}

pub async fn an_emptied_journal_is_noticed_and_restored<P: Place>(place: P) {
    for count in [5, 70, 140] {
        place.empty().await;
        let db = Rc::new(open(&place).await);
        let start = db.rev();
        for step in 0..count {
            put(&db, &format!("{count}/{step}"), &format!("c{}", step % 9), &format!("{count}-{step}")).await;
            db.upkeep().await.unwrap();
        }
        let now = texts(&db);
        assert_eq!(now.len(), if count < 9 { 5 } else { 9 });
        drop(db);
        place.empty().await;
        let db = open(&place).await;
        let rev = start + count;
        assert_eq!((texts(&db), db.rev()), (now.clone(), rev));
        let notes = db.report().notes;
        assert_eq!(notes, [Note::Restored { rev, count: now.len() as u64, from: Source::SecondCopy }]);
        // From then on all is well again.
        let db = open(&place).await;
        assert_eq!((texts(&db), db.report().notes), (now, vec![]));
        assert_eq!(undo(&db, &format!("undo{count}"), Undo::Last(1)).await.unwrap().rev, rev + 1);
        db.upkeep().await.unwrap();
    }
}

pub async fn saved_copies_come_back<P: Place>(place: P) {
    let db = open(&place).await;
    put(&db, "k1", "a", "1").await;
    put(&db, "k2", "b", "2").await;
    let keep =
        async |key: &str, name: &str| db.keep(db.copy(&call(key), name, false).await.unwrap()).await.unwrap();
    let first = keep("s1", "with / and ünïcode").await;
    assert_eq!((first.rev, first.count, first.name.as_str()), (2, 2, "with / and ünïcode"));
    run(&db, "k3", |stage| stage.delete::<Card>("a")).await.unwrap();
    put(&db, "k4", "c", "3").await;
    // The same call again is the same copy, of then.
    assert_eq!(keep("s1", "another").await, first);
    assert_eq!(db.saved().await.unwrap(), std::slice::from_ref(&first));
    let view = db.saved_view(&first).await.unwrap().unwrap();
    let stage = db.stage_like(&call("back"), &view);
    // While it is on its way somebody else writes: it would not be all as it was.
    put(&open(&place).await, "k5", "d", "4").await;
    assert_eq!(db.commit(stage, json!(null), Durability::Strict).await, Err(CommitError::Conflict));
    let stage = db.stage_like(&call("back"), &view);
    assert_eq!(stage.replaced(), 2);
    db.commit(stage, json!(null), Durability::Strict).await.unwrap();
    assert_eq!(texts(&db), ["a=1", "b=2"]);
    assert_eq!(texts(&open(&place).await), ["a=1", "b=2"]);
    undo(&db, "u", Undo::Last(1)).await.unwrap();
    assert_eq!(texts(&db), ["b=2", "c=3", "d=4"]);
    // Ten are kept, and another connection sees the same ones.
    for place in 0..11 {
        keep(&format!("more{place}"), &format!("{place}")).await;
        put(&db, &format!("between{place}"), "e", &format!("{place}")).await;
    }
    let names: Vec<String> =
        open(&place).await.saved().await.unwrap().into_iter().map(|saved| saved.name).collect();
    assert_eq!(names, ["10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]);
    assert_eq!(db.saved_view(&first).await.unwrap().map(|_| ()), None);
    // Of those that the app takes there are five, and they push out none of these.
    for place in 0..7 {
        let copy = db.copy(&call(&format!("auto{place}")), &format!("auto {place}"), true).await.unwrap();
        db.keep(copy).await.unwrap();
        put(&db, &format!("after{place}"), "e", &format!("after {place}")).await;
    }
    keep("last", "11").await;
    let (automatic, own): (Vec<_>, Vec<_>) =
        db.saved().await.unwrap().into_iter().partition(|saved| saved.automatic);
    let names = |saved: Vec<Saved>| saved.into_iter().map(|saved| saved.name).collect::<Vec<_>>();
    assert_eq!(names(automatic), ["auto 6", "auto 5", "auto 4", "auto 3", "auto 2"]);
    assert_eq!(names(own), ["11", "10", "9", "8", "7", "6", "5", "4", "3", "2"]);
}

/// What went back into an emptied journal first stays: the second who would fill it is told that somebody has.
pub async fn a_journal_that_is_not_empty_is_not_filled<P: Place>(place: P) {
    let db = open(&place).await;
    run(&db, "a", |stage| stage.put(card("1", "there"))).await.unwrap();
    let journal = place.connect().await;
    let there = journal.read(1, 100).await.unwrap();
    let mut theirs = there.changes[0].clone();
    theirs.key = CallKey("theirs".into());
    let snapshot = Snapshot { rev: 1, bytes: b"{}".to_vec() };
    assert!(!journal.write_back(&snapshot, &[Rc::new(theirs)]).await.unwrap());
    assert_eq!(place.connect().await.read(1, 100).await.unwrap(), there);
    assert_eq!(texts(&open(&place).await), ["1=there"]);
}

/// The suite as tests: how a test is marked, and where its journal is.
macro_rules! contract {
    (#[$test:meta] $run:ident) => {
        contract!(#[$test] $run:
            starts_empty
            a_stage_reads_its_own_writes_and_a_preview_leaves_nothing
            what_is_committed_survives
            a_key_is_executed_once
            a_key_older_than_memory_is_found
            two_connections_see_each_other
            many_at_once_lose_nothing
            additions_at_once_see_each_other_on_their_way
            the_same_call_twice_at_once_is_one
            several_stages_go_in_one_append
            an_append_is_all_or_nothing
            undo_and_redo
            undo_by_key
            undo_never_overwrites
            the_past_stays_readable
            a_snapshot_is_only_a_cache
            blobs_are_named_by_their_content
            saved_copies_come_back
            everything_goes_back_and_forth
            operations_at_random_leave_the_same
            a_second_dispatch_of_a_body_is_found
            ids_are_the_same_when_a_tool_runs_again
            an_emptied_journal_is_noticed_and_restored
            a_journal_that_is_not_empty_is_not_filled
            bytes_are_found_under_their_hash
            bytes_that_break_off_are_not_kept
            bytes_that_nothing_names_are_collected
            bytes_that_are_written_again_are_not_collected
            an_automatic_copy_keeps_no_bytes_for_ever
            what_is_named_during_a_collection_stays
            a_collection_is_due_once_an_hour
            what_is_erased_is_nowhere
            what_cannot_be_read_is_erased_too
            nobody_brings_back_what_was_erased
            an_erasure_that_is_broken_off_is_finished
        );
    };
    (#[$test:meta] $run:ident: $($name:ident)*) => {
        $($run!(#[$test] $name);)*
    };
}

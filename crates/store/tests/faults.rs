//! What goes wrong between a database and its journal, one fault at a time.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

#[allow(dead_code, unused_macros, reason = "the suite itself runs elsewhere")]
mod contract;

use std::{future::Future, pin::pin, task::Context};

use contract::{Card, call, card, put, run, texts, undo};
use futures::{executor::block_on, future::join_all, task::noop_waker};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{
    Blobs, CallKey, CommitError, Db, Durability, Journal, MemoryBlobs, MemoryJournal, Note, Record, Schema,
    Source, StoreError, Undo,
};

async fn open(journal: &MemoryJournal) -> Db<MemoryJournal> {
    Db::open(journal.clone(), Schema::new().table::<Card>()).await.unwrap()
}

async fn filled(count: usize) -> MemoryJournal {
    let journal = MemoryJournal::new();
    let db = open(&journal).await;
    for place in 1..=count {
        put(&db, &format!("k{place}"), &format!("c{place:03}"), "x").await;
    }
    journal
}

#[test]
fn a_refused_append_changes_nothing() {
    block_on(async {
        let errors = [
            StoreError::Quota,
            StoreError::Blocked,
            StoreError::Aborted("words".to_owned()),
            StoreError::Unavailable("words".to_owned()),
            StoreError::TooNew { known: 1, found: 2 },
        ];
        for error in errors {
            let journal = filled(2).await;
            let db = open(&journal).await;
            journal.fail_next_append(error.clone());
            let refused = run(&db, "k3", |stage| stage.delete::<Card>("c001")).await;
            assert_eq!(refused, Err(CommitError::Store(error)));
            assert_eq!((db.rev(), texts(&db)), (2, vec!["c001=x".into(), "c002=x".into()]));
            // The same call again is carried out.
            assert_eq!(run(&db, "k3", |stage| stage.delete::<Card>("c001")).await.unwrap().rev, 3);
        }
    });
}

#[test]
fn a_lost_answer_is_found_by_the_key() {
    block_on(async {
        let journal = filled(1).await;
        let db = open(&journal).await;
        journal.lose_next_answer(StoreError::Aborted("the connection was cut".to_owned()));
        let lost = run(&db, "k2", |stage| stage.put(card("a", "1"))).await;
        assert!(matches!(lost, Err(CommitError::Store(StoreError::Aborted(_)))), "{lost:?}");
        let again = run(&db, "k2", |stage| stage.put(card("a", "1"))).await;
        assert!(matches!(again, Err(CommitError::Answered(change)) if change.rev == 2));
        assert_eq!((db.rev(), texts(&db)), (2, vec!["a=1".into(), "c001=x".into()]));
    });
}

#[test]
fn calls_that_wait_go_in_one_append_as_durable_as_the_strictest() {
    block_on(async {
        let journal = MemoryJournal::new();
        let db = open(&journal).await;
        let calls = (0..10).map(|place| {
            let mut stage = db.stage(&call(&format!("k{place}")));
            stage.put(card(&place.to_string(), "x"));
            let durability = if place == 5 { Durability::Strict } else { Durability::Relaxed };
            db.commit(stage, json!(place), durability)
        });
        let revs: Vec<_> = join_all(calls).await.into_iter().map(|done| done.unwrap().rev).collect();
        assert_eq!(revs, (1..=10).collect::<Vec<_>>());
        // Whoever came first went alone; everybody who came meanwhile went together.
        assert_eq!(journal.appends(), [(1, Durability::Relaxed), (9, Durability::Strict)]);
    });
}

#[test]
fn one_that_does_not_fit_takes_nobody_along() {
    block_on(async {
        let journal = MemoryJournal::new();
        let db = open(&journal).await;
        let stages = (0..3).map(|place| {
            let mut stage = db.stage(&call(&format!("k{place}")));
            stage.put(card(&place.to_string(), "x"));
            (stage, json!(place))
        });
        let stages = stages.collect();
        journal.fail_next_append(StoreError::Quota); // all three
        journal.fail_next_append(StoreError::Quota); // the first alone
        let done = db.commit_many(stages, Durability::Strict).await;
        let revs: Vec<_> = done.into_iter().map(|done| done.map(|done| done.rev)).collect();
        assert_eq!(revs, [Err(CommitError::Store(StoreError::Quota)), Ok(1), Ok(2)]);
        assert_eq!(texts(&open(&journal).await), ["1=x", "2=x"]);
    });
}

#[test]
fn a_call_that_is_dropped_in_the_middle_holds_up_nobody() {
    // Dropped after any number of steps: while it waits, while it writes, while it carries others along.
    for steps in 0..6 {
        let journal = MemoryJournal::new();
        let db = block_on(open(&journal));
        let commit = |key: &'static str, durability| {
            let mut stage = db.stage(&call(key));
            stage.put(card(key, "x"));
            db.commit(stage, json!(key), durability)
        };
        let waker = noop_waker();
        let mut cx = Context::from_waker(&waker);
        let others = {
            let mut first = Box::pin(commit("first", Durability::Strict));
            assert!(first.as_mut().poll(&mut cx).is_pending());
            // The leader of those who wait is the one to be dropped.
            let mut leader = Box::pin(commit("leader", Durability::Strict));
            assert!(leader.as_mut().poll(&mut cx).is_pending());
            let mut others =
                pin!(join_all([commit("b", Durability::Strict), commit("c", Durability::Strict)]));
            assert!(others.as_mut().poll(&mut cx).is_pending());
            block_on(first).unwrap();
            for _ in 0..steps {
                if leader.as_mut().poll(&mut cx).is_ready() {
                    break;
                }
            }
            drop(leader);
            block_on(others)
        };
        // Whoever was not told runs again under the same key, and is answered or carried out.
        for (key, outcome) in ["b", "c"].into_iter().zip(others) {
            if let Err(error) = outcome {
                assert_eq!(error, CommitError::Conflict, "after {steps} steps");
                let again = block_on(run(&db, key, |stage| stage.put(card(key, "x"))));
                assert!(matches!(again, Ok(_) | Err(CommitError::Answered(_))), "{again:?}");
            }
        }
        let seen = texts(&db);
        assert!(seen.contains(&"b=x".to_owned()) && seen.contains(&"c=x".to_owned()), "{seen:?}");
        assert_eq!(seen, texts(&block_on(open(&journal))), "after {steps} steps");
        let revs: Vec<_> = block_on(db.changes(1)).unwrap().iter().map(|change| change.rev).collect();
        assert_eq!(revs, (1..=db.rev()).collect::<Vec<_>>());
    }
}

#[test]
fn a_revision_taken_by_something_unreadable_is_stepped_over() {
    block_on(async {
        let journal = filled(2).await;
        let db = open(&journal).await;
        journal.damage(3, "not even JSON");
        assert_eq!(put(&db, "k4", "a", "1").await.rev, 4);
        assert!(matches!(db.report().notes[..], [Note::ChangeUnreadable { rev: 3, .. }]));
        let db = open(&journal).await;
        assert_eq!(texts(&db), ["a=1", "c001=x", "c002=x"]);
        assert!(matches!(db.report().notes[..], [Note::ChangeUnreadable { rev: 3, .. }]));
        // Nor does it stand in the way of undo.
        undo(&db, "u", Undo::Last(9)).await.unwrap();
        assert_eq!(texts(&db), Vec::<String>::new());
    });
}

#[test]
fn what_is_missing_is_said() {
    block_on(async {
        let journal = filled(9).await;
        journal.lose(3..=4);
        journal.lose(7..=7);
        let db = open(&journal).await;
        assert_eq!(db.report().notes, [Note::Missing { from: 3, to: 4 }, Note::Missing { from: 7, to: 7 }]);
        assert_eq!((db.rev(), texts(&db).len()), (9, 6));
        assert!(db.at(8).await.is_ok());
        assert!(db.at(2).await.is_err());
    });
}

#[test]
fn what_is_missing_is_filled_from_the_second_copy() {
    block_on(async {
        let journal = filled(9).await;
        let db = open(&journal).await;
        db.upkeep().await.unwrap();
        let now = texts(&db);
        journal.lose(3..=4);
        journal.lose(8..);
        journal.damage(6, "{}");
        let db = open(&journal).await;
        assert_eq!((db.rev(), texts(&db)), (9, now.clone()));
        assert_eq!(db.report().notes, [Note::Restored { rev: 9, count: 9, from: Source::SecondCopy }]);
        let db = open(&journal).await;
        assert_eq!((texts(&db), db.report().notes), (now, vec![]));
        assert_eq!(put(&db, "k10", "a", "1").await.rev, 10);
    });
}

#[test]
fn a_loss_without_a_copy_is_said_and_no_revision_is_used_twice() {
    block_on(async {
        let journal = filled(70).await;
        let db = open(&journal).await;
        db.upkeep().await.unwrap();
        let manifest = journal.manifest().await.unwrap().unwrap();
        journal.lose_second_copy();
        journal.put_second_copy(&manifest, &[], None).await.unwrap();
        journal.lose(..);
        journal.set_snapshot(None);
        let db = open(&journal).await;
        let notes = db.report().notes;
        assert_eq!(notes, [Note::Lost { expected: 70, found: 0 }]);
        assert_eq!(
            notes[0].to_string(),
            "Data is missing: there should be 70 changes and only 0 were found, and no second copy could be read."
        );
        assert_eq!(put(&db, "new", "a", "1").await.rev, 71);
    });
}

/// What a change that is missing had may be needed by whoever takes it back: nothing is collected then.
#[test]
fn bytes_stay_where_changes_are_missing() {
    const HOUR: i64 = 60 * 60 * 1000;
    block_on(async {
        // A row that named bytes is put and deleted again, among 600 changes; all are made at 1,000 ms.
        let library = async || {
            let (journal, blobs) = (filled(300).await, MemoryBlobs::new());
            let bytes = futures::stream::iter([Ok(b"a picture".to_vec())]);
            let hash = blobs.write(Box::pin(bytes)).await.unwrap();
            let db = open(&journal).await;
            run(&db, "put", |stage| stage.put(card("photo", &hash.reference()))).await.unwrap();
            run(&db, "delete", |stage| stage.delete::<Card>("photo")).await.unwrap();
            for place in 303..=600 {
                put(&db, &format!("k{place}"), "last", &place.to_string()).await;
            }
            (journal, blobs)
        };
        let collect = async |journal: &MemoryJournal, blobs: &MemoryBlobs, undo_ms| {
            let db = open(journal).await;
            db.collect_blobs(blobs, 2_000, undo_ms).await?;
            db.collect_blobs(blobs, 2_000 + HOUR, undo_ms).await.map(|collected| collected.deleted.len())
        };
        for gone in [301..=302, 10..=590, 301..=600] {
            let (journal, blobs) = library().await;
            open(&journal).await.upkeep().await.unwrap();
            journal.lose(gone.clone());
            let collected = collect(&journal, &blobs, 24 * HOUR).await;
            assert!(matches!(collected, Err(StoreError::Damaged(_))), "{gone:?}: {collected:?}");
        }
        // When nothing of that time can be taken back any more, it needs nothing.
        let (journal, blobs) = library().await;
        open(&journal).await.upkeep().await.unwrap();
        journal.lose(301..=302);
        assert_eq!(collect(&journal, &blobs, 500).await, Ok(1));
        // A journal that was written back begins with its snapshot.
        let (journal, blobs) = library().await;
        open(&journal).await.upkeep().await.unwrap();
        journal.lose(..=302);
        assert_eq!(collect(&journal, &blobs, 24 * HOUR).await, Ok(1));
        // One that lost everything does not.
        let (journal, blobs) = library().await;
        let manifest = {
            let db = open(&journal).await;
            db.upkeep().await.unwrap();
            db.manifest()
        };
        journal.lose(..);
        journal.set_snapshot(None);
        journal.lose_second_copy();
        journal.put_second_copy(&manifest, &[], None).await.unwrap();
        assert!(collect(&journal, &blobs, 24 * HOUR).await.is_err());
        put(&open(&journal).await, "new", "a", "1").await;
        assert!(collect(&journal, &blobs, 24 * HOUR).await.is_err());
    });
}

/// Where the second copy cannot be written anew, it still has what is to be erased: that is not done then, and is gone on with.
#[test]
fn an_erasure_is_not_done_while_the_second_copy_has_it() {
    block_on(async {
        let journal = filled(3).await;
        let db = open(&journal).await;
        db.upkeep().await.unwrap();
        journal.refuse_second_copy(true);
        let refused = db.erase(&call("erase"), &["card"], json!("gone")).await;
        assert!(matches!(refused, Err(CommitError::Store(StoreError::Unavailable(_)))), "{refused:?}");
        assert!(db.upkeep().await.is_err());
        assert_eq!(journal.blob_names("kept/erasing/").await.unwrap().len(), 1);
        let second = async || journal.second_copy().await.unwrap().unwrap();
        assert_eq!(second().await.tail.len(), 3);
        journal.refuse_second_copy(false);
        open(&journal).await.upkeep().await.unwrap();
        assert_eq!(journal.blob_names("kept/erasing/").await.unwrap(), Vec::<String>::new());
        assert!(second().await.tail.iter().all(|change| change.ops.is_empty()));
        // Where there never was one, none is missed.
        let journal = filled(3).await;
        journal.refuse_second_copy(true);
        let db = open(&journal).await;
        db.erase(&call("erase"), &["card"], json!("gone")).await.unwrap();
    });
}

#[test]
fn a_journal_that_differs_from_its_manifest_is_said() {
    block_on(async {
        let journal = filled(3).await;
        let db = open(&journal).await;
        db.upkeep().await.unwrap();
        let mut change = (*db.changes(2).await.unwrap()[0]).clone();
        change.ops.clear();
        journal.damage(2, &serde_json::to_string(&change).unwrap());
        assert_eq!(open(&journal).await.report().notes, [Note::Differs { rev: 3 }]);
    });
}

#[test]
fn an_emptied_journal_is_written_back_from_memory() {
    block_on(async {
        let journal = filled(70).await;
        let db = open(&journal).await;
        let now = texts(&db);
        journal.lose(..);
        journal.fail_next_append(StoreError::Emptied);
        assert_eq!(run(&db, "k71", |stage| stage.delete::<Card>("c001")).await.unwrap().rev, 71);
        assert_eq!(db.report().notes, [Note::Restored { rev: 70, count: 70, from: Source::Memory }]);
        let again = open(&journal).await;
        assert_eq!((texts(&again), again.report().notes), (now[1..].to_vec(), vec![]));
    });
}

/// The same table as a later version of the app has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct LongCard {
    id: String,
    text: Vec<String>,
}

impl Record for LongCard {
    const TABLE: &'static str = "card";
    type Index = ();

    fn id(&self) -> &str {
        &self.id
    }
}

#[test]
fn rows_that_cannot_be_read_are_kept_for_a_version_that_can() {
    block_on(async {
        let journal = MemoryJournal::new();
        let newer = Db::open(journal.clone(), Schema::new().table::<LongCard>()).await.unwrap();
        for place in 1..=70 {
            let mut stage = newer.stage(&call(&format!("k{place}")));
            stage.put(LongCard { id: format!("c{}", place % 3), text: vec![place.to_string()] });
            newer.commit(stage, json!(null), Durability::Strict).await.unwrap();
        }
        let now = newer.view().all::<LongCard>();
        // A version without the table at all, and one with other rows in it: both write snapshots.
        let without = Db::open(journal.clone(), Schema::new()).await.unwrap();
        assert_eq!(without.report().notes, []);
        assert_eq!(without.snapshot_if_due().await, Ok(true));
        for place in 71..=140 {
            let other = open(&journal).await;
            put(&other, &format!("k{place}"), "other", "y").await;
            other.upkeep().await.unwrap();
        }
        assert!(journal.snapshot().unwrap().rev > 70);
        let newer = Db::open(journal.clone(), Schema::new().table::<LongCard>()).await.unwrap();
        assert_eq!(newer.view().all::<LongCard>(), now);
        // Except for what it cannot read itself.
        let expected = "A record in card could not be read and was set aside";
        let notes = newer.report().notes;
        assert!(
            !notes.is_empty() && notes.iter().all(|note| note.to_string().starts_with(expected)),
            "{notes:?}"
        );
    });
}

#[test]
fn a_snapshot_ahead_of_its_journal_counts() {
    block_on(async {
        let journal = filled(70).await;
        let db = open(&journal).await;
        db.snapshot_if_due().await.unwrap();
        let now = texts(&db);
        journal.lose(..);
        let db = open(&journal).await;
        assert_eq!((texts(&db), db.rev()), (now, 70));
        assert_eq!(put(&db, "k71", "a", "1").await.rev, 71);
        assert_eq!(open(&journal).await.rev(), 71);
        assert!(db.by_key(&CallKey("k1".to_owned())).await.unwrap().is_none());
    });
}

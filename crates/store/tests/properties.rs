//! What holds for any sequence of calls.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

#[allow(dead_code, unused_macros, reason = "the suite itself runs elsewhere")]
mod contract;

use contract::{Card, call, card, redo, undo};
use futures::executor::block_on;
use proptest::{collection::vec, prelude::*};
use serde_json::json;
use store::{CallKey, CommitError, Db, Durability, MemoryJournal, Schema, Snapshot, Stage, Undo, UndoError};

/// One thing a person or the machine may do.
#[derive(Clone, Debug)]
enum Step {
    Call(Vec<Write>),
    Repeat(usize),
    Undo(usize),
    UndoKey(usize),
    Redo,
    Snapshot,
    SpoilSnapshot,
    Restart,
}

#[derive(Clone, Debug)]
enum Write {
    Put(u8, u8),
    Delete(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let write = prop_oneof![
        3 => (0..6_u8, 0..4_u8).prop_map(|(id, text)| Write::Put(id, text)),
        1 => (0..6_u8).prop_map(Write::Delete),
    ];
    prop_oneof![
        6 => vec(write, 0..5).prop_map(Step::Call),
        1 => any::<usize>().prop_map(Step::Repeat),
        2 => (1..4_usize).prop_map(Step::Undo),
        1 => any::<usize>().prop_map(Step::UndoKey),
        2 => Just(Step::Redo),
        1 => Just(Step::Snapshot),
        1 => Just(Step::SpoilSnapshot),
        1 => Just(Step::Restart),
    ]
}

fn carry_out(stage: &mut Stage, writes: &[Write]) {
    for write in writes {
        match write {
            Write::Put(id, text) => stage.put(card(&format!("c{id}"), &format!("t{text}"))),
            Write::Delete(id) => stage.delete::<Card>(&format!("c{id}")),
        }
    }
}

/// The tables byte for byte.
fn bytes(cards: &[std::rc::Rc<Card>]) -> Vec<u8> {
    let cards: Vec<&Card> = cards.iter().map(|card| &**card).collect();
    serde_json::to_vec(&cards).unwrap()
}

async fn open(journal: &MemoryJournal) -> Db<MemoryJournal> {
    Db::open(journal.clone(), Schema::new().table::<Card>()).await.unwrap()
}

async fn holds(steps: Vec<Step>, by_key: bool) -> Result<(), TestCaseError> {
    let journal = MemoryJournal::new();
    let mut db = open(&journal).await;
    let mut keys: Vec<String> = Vec::new();
    // The tables after each revision, as they were seen then.
    let mut seen = vec![bytes(&[])];
    for (place, step) in steps.into_iter().enumerate() {
        let key = format!("k{place}");
        match step {
            Step::Call(writes) => {
                let mut preview = db.stage(&call(&key));
                carry_out(&mut preview, &writes);
                let mut stage = db.stage(&call(&key));
                carry_out(&mut stage, &writes);
                let done = db.commit(stage, json!({ "at": place }), Durability::Strict).await.unwrap();
                prop_assert_eq!(&preview.call().key, &done.change.key);
                prop_assert_eq!(bytes(&db.view().all::<Card>()), {
                    // The preview, over the tables as they were.
                    let mut cards: std::collections::BTreeMap<String, Card> =
                        serde_json::from_slice::<Vec<Card>>(&seen[seen.len() - 1])
                            .unwrap()
                            .into_iter()
                            .map(|card| (card.id.clone(), card))
                            .collect();
                    for op in preview.ops() {
                        let before = op.before.map(|before| before.parse::<Card>().unwrap());
                        prop_assert_eq!(cards.get(&op.id), before.as_ref());
                        match op.after {
                            Some(after) => drop(cards.insert(op.id, after.parse().unwrap())),
                            None => drop(cards.remove(&op.id)),
                        }
                    }
                    serde_json::to_vec(&cards.values().collect::<Vec<_>>()).unwrap()
                });
                prop_assert_eq!(preview.ops(), done.change.ops.clone());
                keys.push(key);
            }
            Step::Repeat(which) if !keys.is_empty() => {
                let key = &keys[which % keys.len()];
                let mut stage = db.stage(&call(key));
                stage.put(card("never", "seen"));
                let again = db.commit(stage, json!(null), Durability::Strict).await;
                prop_assert!(matches!(again, Err(CommitError::Answered(_))), "{:?}", again);
            }
            Step::Undo(count) => match undo(&db, &key, Undo::Last(count)).await {
                Ok(_) | Err(UndoError::NothingToUndo) => {}
                Err(UndoError::ChangedSince(_)) if by_key => {}
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            },
            Step::UndoKey(which) if by_key && !keys.is_empty() => {
                let key_to_undo = CallKey(keys[which % keys.len()].clone());
                match undo(&db, &key, Undo::Key(key_to_undo)).await {
                    Ok(_) | Err(UndoError::ChangedSince(_) | UndoError::AlreadyUndone(_)) => {}
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                }
            }
            Step::Redo => match redo(&db, &key).await {
                Ok(_) | Err(UndoError::NothingToRedo | UndoError::ChangedSince(_)) => {}
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            },
            Step::Snapshot => db.upkeep().await.unwrap(),
            Step::SpoilSnapshot => {
                let rev = db.rev();
                journal.set_snapshot(Some(Snapshot { rev, bytes: b"satchel-snapshot 1 0 0\n{}".to_vec() }));
            }
            Step::Restart => db = open(&journal).await,
            Step::Repeat(_) | Step::UndoKey(_) => {}
        }
        let now = bytes(&db.view().all::<Card>());
        if db.rev() as usize == seen.len() {
            seen.push(now.clone());
        }
        prop_assert_eq!(db.rev() as usize + 1, seen.len());
        prop_assert_eq!(&seen[seen.len() - 1], &now);
        // The fold of the journal is the tables.
        prop_assert_eq!(&bytes(&open(&journal).await.view().all::<Card>()), &now);
    }
    for (rev, expected) in seen.iter().enumerate() {
        prop_assert_eq!(&bytes(&db.at(rev as u64).await.unwrap().all::<Card>()), expected, "at {}", rev);
    }
    if !by_key {
        // Undoing everything leaves what there was at the start.
        let mut undos = 0;
        loop {
            undos += 1;
            match undo(&db, &format!("undo{undos}"), Undo::Last(1 + undos % 3)).await {
                Ok(_) => {}
                Err(UndoError::NothingToUndo) => break,
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            }
        }
        prop_assert_eq!(bytes(&db.view().all::<Card>()), seen[0].clone());
        prop_assert_eq!(bytes(&open(&journal).await.view().all::<Card>()), seen[0].clone());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn undo_in_order_leads_back_to_the_start(steps in vec(step(), 0..40)) {
        block_on(holds(steps, false))?;
    }

    #[test]
    fn whatever_is_undone_the_journal_is_the_truth(steps in vec(step(), 0..40)) {
        block_on(holds(steps, true))?;
    }
}

//! What of the journal stays in memory. A server that runs for months would hold all of it otherwise.

use crate::{Db, Journal, RECENT, Rev};

/// So many changes stay in memory, the newest: more than anybody undoes in a row, and than come in while one call runs.
const KEPT_CHANGES: usize = 4_096;
/// So many rows of changes: one import may be a hundred thousand of them.
const KEPT_ROWS: usize = 262_144;

impl<J: Journal> Db<J> {
    /// Lets go of the oldest changes in memory where there are too many. They are read from the journal when somebody asks
    /// for them; what the next snapshot and second copy are made of stays.
    pub(crate) fn forget_old(&self) {
        let mut state = self.state.borrow_mut();
        let copied = if self.journal.has_second_copy() { state.copied_snapshot_rev } else { Rev::MAX };
        let needed = state.snapshot_rev.min(copied).min(state.rev.saturating_sub(RECENT));
        let (mut changes, mut rows) = (0, 0);
        let too_old = state.changes.iter().rev().find_map(|(rev, change)| {
            changes += 1;
            rows += change.ops.len();
            (changes > KEPT_CHANGES || rows > KEPT_ROWS).then_some(*rev)
        });
        let Some(last): Option<Rev> = too_old.map(|rev| rev.min(needed)) else { return };
        let kept = state.changes.split_off(&(last + 1));
        let forgotten = std::mem::replace(&mut state.changes, kept);
        for change in forgotten.values() {
            state.keys.remove(&change.key);
        }
        state.known_from = state.known_from.max(last + 1);
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::{Call, CallKey, CommitError, Durability, Json, MemoryJournal, Moment, Record, Schema, Undo};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Card {
        id: String,
        text: String,
    }

    impl Record for Card {
        const TABLE: &'static str = "cards";
        type Index = ();

        fn id(&self) -> &str {
            &self.id
        }
    }

    fn call(key: &str) -> Call {
        let moment = Moment { at_ms: 0, zone: "UTC".into(), offset_s: 0 };
        Call { key: CallKey(key.into()), tool: "put".into(), moment, body_hash: None, instance: None }
    }

    async fn put(db: &Db<MemoryJournal>, key: &str, id: &str) -> Result<(), CommitError> {
        let mut stage = db.stage(&call(key));
        stage.put(Card { id: id.into(), text: key.into() });
        db.commit(stage, Json::of(&key).unwrap(), Durability::Relaxed).await.map(drop)
    }

    #[test]
    fn what_is_in_memory_is_bounded_and_everything_is_still_known() {
        block_on(async {
            let db = Db::open(MemoryJournal::new(), Schema::new().table::<Card>()).await.unwrap();
            let mut open_from_the_start = db.stage(&call("late"));
            open_from_the_start.put(Card { id: "0".into(), text: "late".into() });
            let count = KEPT_CHANGES + 700;
            for number in 0..count {
                put(&db, &format!("k{number}"), &number.to_string()).await.unwrap();
                if number % 50 == 0 {
                    db.upkeep().await.unwrap();
                }
            }
            db.upkeep().await.unwrap();
            let in_memory = || (db.state.borrow().changes.len(), db.state.borrow().keys.len());
            assert_eq!(in_memory(), (KEPT_CHANGES, KEPT_CHANGES));
            // An old key is known, and an old change is undone and gone back to.
            assert!(db.by_key(&CallKey("k3".into())).await.unwrap().is_some());
            let again = put(&db, "k3", "x").await.unwrap_err();
            assert!(matches!(again, CommitError::Answered(change) if change.rev == 4), "answered as it was");
            // A stage that is older than what is in memory cannot be told not to clash: it is made anew.
            let late = db.commit(open_from_the_start, Json::of(&"late").unwrap(), Durability::Relaxed).await;
            assert_eq!(late.unwrap_err(), CommitError::Conflict);
            let stage = db.stage_undo(&call("u"), &Undo::Key(CallKey("k3".into()))).await.unwrap();
            assert_eq!(stage.ops().len(), 1);
            assert_eq!(db.at(10).await.unwrap().count(), 10);
            // Looking back brought it all into memory; it goes again.
            assert!(in_memory().0 > KEPT_CHANGES);
            put(&db, "last", "last").await.unwrap();
            db.upkeep().await.unwrap();
            assert_eq!(in_memory().0, KEPT_CHANGES);
            assert_eq!(db.past(5, 4).await.unwrap().len(), 4);
        });
    }
}

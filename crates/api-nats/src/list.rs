//! The ids of an owner's sessions, in a journal: who does not hold it cannot make or forget a session.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use store::{CallKey, Change, Durability, Journal, Json, Op, Rev, StoreError, Tail};
use tokio::sync::Mutex;

/// The table of the entries.
const SESSIONS: &str = "sessions";

/// What is said of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    /// It is there.
    Here,
    /// It is forgotten, and its journal may be there still.
    Going,
}

/// All entries.
async fn read(journal: &dyn Journal) -> Result<Tail, StoreError> {
    let tail = journal.read(1, u64::MAX).await?;
    match tail.damaged.first() {
        Some(damage) => {
            Err(StoreError::Damaged(format!("entry {} of the sessions: {}", damage.rev, damage.why)))
        }
        None => Ok(tail),
    }
}

/// What they come to.
fn ids(tail: &Tail) -> Result<BTreeMap<String, Word>, StoreError> {
    let mut ids = BTreeMap::new();
    for op in tail.changes.iter().flat_map(|change| &change.ops).filter(|op| op.table == SESSIONS) {
        match &op.after {
            Some(word) => drop(ids.insert(op.id.clone(), word.parse().map_err(StoreError::Damaged)?)),
            None => drop(ids.remove(&op.id)),
        }
    }
    Ok(ids)
}

/// The list of one owner.
pub struct List {
    journal: Rc<dyn Journal>,
    ids: RefCell<BTreeMap<String, Word>>,
    /// The next revision. One write at a time.
    next: Mutex<u64>,
}

impl List {
    /// Reads a list.
    ///
    /// # Errors
    /// When the journal cannot be read, or something in it is damaged.
    pub async fn read(journal: Rc<dyn Journal>) -> Result<Self, StoreError> {
        let tail = read(&*journal).await?;
        let (ids, next) = (ids(&tail)?, Mutex::new(tail.head.saturating_add(1)));
        Ok(Self { journal, ids: RefCell::new(ids), next })
    }

    /// The ids of the sessions that are there, in order.
    pub fn here(&self) -> Vec<String> {
        self.all(Word::Here)
    }

    /// The ids of those that are forgotten and may not all be gone.
    pub fn going(&self) -> Vec<String> {
        self.all(Word::Going)
    }

    fn all(&self, which: Word) -> Vec<String> {
        self.ids.borrow().iter().filter(|(_, word)| **word == which).map(|(id, _)| id.clone()).collect()
    }

    /// Adds a session where it is not there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn add(&self, id: &str) -> Result<(), StoreError> {
        if self.ids.borrow().contains_key(id) {
            return Ok(());
        }
        self.say(id, Some(Word::Here)).await
    }

    /// Says that a session is forgotten; false where there is none.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn go(&self, id: &str) -> Result<bool, StoreError> {
        let word = self.ids.borrow().get(id).copied();
        match word {
            None => Ok(false),
            Some(Word::Going) => Ok(true),
            Some(Word::Here) => self.say(id, Some(Word::Going)).await.map(|()| true),
        }
    }

    /// Says that nothing is left of a session.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn gone(&self, id: &str) -> Result<(), StoreError> {
        self.say(id, None).await
    }

    async fn say(&self, id: &str, word: Option<Word>) -> Result<(), StoreError> {
        let mut next = self.next.lock().await;
        match self.put(&mut next, id, word).await {
            // A word of ours stands there whose answer never came: what it said is known first.
            Err(StoreError::Conflict) => {
                let tail = read(&*self.journal).await?;
                *next = tail.head.saturating_add(1);
                *self.ids.borrow_mut() = ids(&tail)?;
                if self.ids.borrow().get(id).copied() == word {
                    return Ok(());
                }
                self.put(&mut next, id, word).await
            }
            done => done,
        }
    }

    async fn put(&self, next: &mut Rev, id: &str, word: Option<Word>) -> Result<(), StoreError> {
        let after = word.map(|word| Json::of(&word)).transpose().map_err(StoreError::Other)?;
        let what = match word {
            Some(Word::Here) => "here",
            Some(Word::Going) => "going",
            None => "gone",
        };
        let change = Rc::new(Change {
            rev: *next,
            // An id is used once: each word is said once of it.
            key: CallKey(format!("{id}:{what}")),
            at_ms: local::now_ms(),
            tool: "api".to_owned(),
            ops: vec![Op { table: SESSIONS.to_owned(), id: id.to_owned(), before: None, after }],
            reply: Json::of(&()).map_err(StoreError::Other)?,
            undoes: Vec::new(),
            redo: false,
            erases: Vec::new(),
            body_hash: None,
            instance: None,
        });
        match self.journal.append(&[Rc::clone(&change)], Durability::Strict).await {
            // Ours, of a write whose answer was lost? The key says so.
            Err(StoreError::Conflict) => match self.journal.by_key(&change.key).await? {
                Some(there) => *next = (*next).max(there.rev.saturating_add(1)),
                None => return Err(StoreError::Conflict),
            },
            done => {
                done?;
                *next = next.saturating_add(1);
            }
        }
        let mut ids = self.ids.borrow_mut();
        match word {
            Some(word) => drop(ids.insert(id.to_owned(), word)),
            None => drop(ids.remove(id)),
        }
        Ok(())
    }
}

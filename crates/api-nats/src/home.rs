//! What is kept of an owner: journals, each held by the lease's token from before it is read.
//!
//! ```text
//! <owner>-todos     their to-dos
//! <owner>-list      the ids of their sessions
//! <owner>-s-<id>    a session
//! ```

use std::rc::Rc;

use api::{Home, Shelf};
use async_trait::async_trait;
use futures::FutureExt;
use jetstream::{JetStreamJournal, Kv, Space};
use store::{Journal, StoreError};

use crate::list::List;
use crate::sums::KvSums;

/// Opens all of it for a holder.
///
/// # Errors
/// When NATS does not answer, or somebody with a larger token has it.
pub async fn open(space: &Space, sums: Kv, owner: &str, token: u64) -> Result<Home, StoreError> {
    // Last of all: whoever had the owner and is refused by the to-dos is refused by each session before, and cannot say there that it failed.
    let (all, name) = (space.clone(), format!("{owner}-todos"));
    let todos = async move { held(&all, &name, token).await }.boxed_local();
    let list = List::read(held(space, &format!("{owner}-list"), token).await?).await?;
    let shelf = JetStreamShelf { space: space.clone(), owner: owner.to_owned(), token, list };
    let sums = KvSums::open(sums, owner, token).await?;
    Ok(Home { todos, shelf: Rc::new(shelf), sums: Rc::new(sums) })
}

/// A journal that nobody who held it before writes any more.
async fn held(space: &Space, name: &str, token: u64) -> Result<Rc<dyn Journal>, StoreError> {
    let journal = JetStreamJournal::held(space, name, token)?;
    journal.hold().await?;
    Ok(Rc::new(journal))
}

/// The sessions of an owner.
struct JetStreamShelf {
    space: Space,
    owner: String,
    token: u64,
    list: List,
}

impl JetStreamShelf {
    fn name(&self, id: &str) -> String {
        format!("{}-s-{id}", self.owner)
    }

    /// Takes away what the list says is going.
    async fn end(&self, id: &str) -> Result<(), StoreError> {
        JetStreamJournal::held(&self.space, &self.name(id), self.token)?.forget().await?;
        self.list.gone(id).await
    }
}

#[async_trait(?Send)]
impl Shelf for JetStreamShelf {
    async fn ids(&self) -> Result<Vec<String>, StoreError> {
        for id in self.list.going() {
            // What cannot be taken away now is tried again with the next holder.
            if let Err(error) = self.end(&id).await {
                eprintln!("satchel: session {id}: {error}");
            }
        }
        Ok(self.list.here())
    }

    async fn journal(&self, id: &str) -> Result<Rc<dyn Journal>, StoreError> {
        // First, so that no session is there that nobody knows of.
        self.list.add(id).await?;
        held(&self.space, &self.name(id), self.token).await
    }

    fn is_elsewhere(&self) -> bool {
        true
    }

    async fn forget(&self, id: &str) -> Result<(), StoreError> {
        // The list refuses whoever does not hold it: only then is anything taken away.
        if self.list.go(id).await? { self.end(id).await } else { Ok(()) }
    }
}

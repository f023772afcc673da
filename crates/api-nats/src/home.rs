//! What is kept of an owner: journals, each held by the lease's token from before it is read.
//!
//! ```text
//! <owner>-todos     their to-dos
//! <owner>-list      the ids of their sessions
//! <owner>-s-<id>    a session
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use api::{Home, Shelf};
use async_trait::async_trait;
use futures::FutureExt;
use jetstream::{Contents, JetStreamJournal, Kv, Space};
use store::{Journal, StoreError};
use tokio::sync::Mutex;

use crate::list::List;
use crate::sums::KvSums;

/// How many sessions are read at once, by one consumer: few enough that what all of them have is no burden.
const TOGETHER: usize = 32;

/// Opens all of it for a holder.
///
/// # Errors
/// When NATS does not answer, or somebody with a larger token has it.
pub async fn open(space: &Space, sums: Kv, owner: &str, token: u64) -> Result<Home, StoreError> {
    // Last of all: whoever had the owner and is refused by the to-dos is refused by each session before, and cannot say there that it failed.
    let (all, todos, list) = (space.clone(), format!("{owner}-todos"), format!("{owner}-list"));
    let mut read = space.read_together(&[todos.clone(), list.clone()]).await.unwrap_or_default();
    let list = List::read(held(space, &list, token, read.remove(&list)).await?).await?;
    let todos_read = read.remove(&todos);
    let todos = async move { held(&all, &todos, token, todos_read).await }.boxed_local();
    let unread = Mutex::new(Unread { ids: list.here().into_iter().collect(), read: BTreeMap::new() });
    let shelf = JetStreamShelf { space: space.clone(), owner: owner.to_owned(), token, list, unread };
    let sums = KvSums::open(sums, owner, token).await?;
    Ok(Home { todos, shelf: Rc::new(shelf), sums: Rc::new(sums) })
}

/// A journal that nobody who held it before writes any more; with what it has, where that was read already.
async fn held(
    space: &Space,
    name: &str,
    token: u64,
    read: Option<Contents>,
) -> Result<Rc<dyn Journal>, StoreError> {
    let journal = match read {
        Some(read) => JetStreamJournal::held_as_read(space, name, token, read)?,
        None => JetStreamJournal::held(space, name, token)?,
    };
    journal.hold().await?;
    Ok(Rc::new(journal))
}

/// Sessions that were not opened yet by this holder.
struct Unread {
    /// Those that nobody tried to read.
    ids: BTreeSet<String>,
    /// What others have, by their journals' names: read with one that was opened.
    read: BTreeMap<String, Contents>,
}

/// The sessions of an owner.
struct JetStreamShelf {
    space: Space,
    owner: String,
    token: u64,
    list: List,
    unread: Mutex<Unread>,
}

impl JetStreamShelf {
    fn name(&self, id: &str) -> String {
        format!("{}-s-{id}", self.owner)
    }

    /// What a session has, where it is opened for the first time: read with those that come after it. `None` where each has to be
    /// read for itself.
    async fn read(&self, id: &str) -> Option<Contents> {
        let mut unread = self.unread.lock().await;
        if unread.ids.contains(id) {
            let ids: Vec<String> = unread.ids.range(id.to_owned()..).take(TOGETHER).cloned().collect();
            unread.ids.retain(|id| !ids.contains(id));
            let names: Vec<String> = ids.iter().map(|id| self.name(id)).collect();
            unread.read.extend(self.space.read_together(&names).await.unwrap_or_default());
        }
        unread.read.remove(&self.name(id))
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
        held(&self.space, &self.name(id), self.token, self.read(id).await).await
    }

    fn is_elsewhere(&self) -> bool {
        true
    }

    async fn forget(&self, id: &str) -> Result<(), StoreError> {
        // The list refuses whoever does not hold it: only then is anything taken away.
        if self.list.go(id).await? { self.end(id).await } else { Ok(()) }
    }
}

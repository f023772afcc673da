//! The seam to what keeps owners' things for several servers, and says which of them has an owner. Without it this process has all.
//!
//! What is held is an owner: their to-dos, their money and their sessions have one writer. How that is agreed on is not known here.

use std::fmt::Debug;
use std::path::PathBuf;
use std::rc::Rc;

use futures::future::{BoxFuture, LocalBoxFuture};
use llm::Ledger;
use store::{FileJournal, Journal, StoreError};
use terminal::Months;
use tokio::sync::watch;

use crate::kept::Shelf;
use crate::options::Shelves;

/// Who has an owner, as far as this process knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Holder {
    /// Nobody, or somebody who was not heard of for too long.
    #[default]
    Nobody,
    /// This process.
    Here {
        /// Larger than that of everybody who had the owner before: what is written carries it.
        token: u64,
    },
    /// Another process.
    There {
        /// Names the process.
        id: String,
        /// Where it is asked: `http://host:port`.
        address: String,
    },
}

/// Servers that share owners, each of whom is held by one of them at a time.
pub trait Cluster: Debug + Send + Sync {
    /// Names this process among them.
    fn id(&self) -> &str;

    /// Who has an owner, by their name, and each change of that. Once it is not this process any more, what it has of the owner is closed.
    fn holder(&self, owner: &str) -> watch::Receiver<Holder>;

    /// Whether this process still has an owner by this token: false also where that ran out a moment ago and nobody was told yet.
    fn holds(&self, owner: &str, token: u64) -> bool;

    /// What is kept of an owner, of which from now on nobody with a smaller token writes anything. It is called on the owner's thread.
    fn home(&self, owner: &str, token: u64) -> LocalBoxFuture<'static, Result<Home, StoreError>>;

    /// Whether this process can take and keep owners.
    fn is_ready(&self) -> bool;

    /// Takes no more owners, and keeps those it has.
    fn drain(&self);

    /// Gives all owners to whoever takes them. Called when nothing of them is written here any more.
    fn release(&self) -> BoxFuture<'static, ()>;
}

/// What an owner has spent, by months.
pub trait Sums: Ledger {
    /// This month's sum in millionths of a US dollar, with what open requests may cost; none where it cannot be read.
    fn spent(&self) -> Option<u64>;
}

impl Sums for Months {
    fn spent(&self) -> Option<u64> {
        Self::spent(self)
    }
}

/// A journal, as soon as it is open.
pub type OpensJournal = LocalBoxFuture<'static, Result<Rc<dyn Journal>, StoreError>>;

/// Everything that is kept of an owner.
pub struct Home {
    /// Opens the journal of their to-dos. Called when each session's is open: where those are held from then on, who had them before and is
    /// refused here cannot tell that as an answer there.
    pub todos: OpensJournal,
    /// Their sessions.
    pub shelf: Rc<dyn Shelf>,
    /// Their spending.
    pub sums: Rc<dyn Sums>,
}

impl Home {
    /// A folder with all of it.
    pub(crate) fn in_folder(folder: PathBuf, shelves: Shelves) -> Opens {
        Box::new(move || {
            Box::pin(async move {
                Ok(Self {
                    shelf: (shelves.0)(&folder),
                    sums: Rc::new(Months::in_folder(&folder)),
                    todos: Box::pin(
                        async move { Ok(Rc::new(FileJournal::open(&folder)?) as Rc<dyn Journal>) },
                    ),
                })
            })
        })
    }
}

/// Opens a home on the thread that it is for.
pub(crate) type Opens = Box<dyn FnOnce() -> LocalBoxFuture<'static, Result<Home, StoreError>> + Send>;

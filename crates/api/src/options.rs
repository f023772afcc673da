//! How a server is to be.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use terminal::RemoteModel;

use crate::cluster::Cluster;
use crate::kept::{FolderShelf, Shelf};
use crate::tokens::Tokens;

/// Beneath an owner's folder: their sessions.
const SESSIONS: &str = "sessions";

/// Everything a server needs to be told.
#[derive(Debug)]
pub struct Options {
    /// The folder of everything: a folder for each owner, in it their to-dos and their sessions.
    pub folder: PathBuf,
    /// Where to listen; port 0 takes any free one.
    pub address: SocketAddr,
    /// Who may call.
    pub tokens: Tokens,
    /// What answers.
    pub model: ModelChoice,
    /// What the assistant is told to be.
    pub instructions: String,
    /// Host names it is called by, beside `localhost` and addresses.
    pub hosts: Vec<String>,
    /// Origins whose pages may call and read the answers, like `https://app.example`. None by default.
    pub origins: Vec<String>,
    /// How much of anything.
    pub limits: Limits,
    /// The time, in Unix milliseconds, by which sessions are active, idle, archived or expired.
    pub clock: NowMs,
    /// What keeps the sessions, in a folder.
    pub shelves: Shelves,
    /// The servers that share the owners; this process alone without. With it nothing is kept in the folder.
    pub cluster: Option<Arc<dyn Cluster>>,
}

/// Gives what keeps an owner's sessions, by the owner's folder. It is called on the owner's thread.
#[derive(Clone)]
pub struct Shelves(pub Arc<ShelfOf>);

/// The shelf of an owner, by their folder.
pub type ShelfOf = dyn Fn(&Path) -> Rc<dyn Shelf> + Send + Sync;

impl Default for Shelves {
    /// Folders in the owner's.
    fn default() -> Self {
        Self(Arc::new(|folder| Rc::new(FolderShelf::new(&folder.join(SESSIONS)))))
    }
}

impl std::fmt::Debug for Shelves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shelves")
    }
}

/// A clock.
#[derive(Clone)]
pub struct NowMs(pub Arc<dyn Fn() -> i64 + Send + Sync>);

impl NowMs {
    /// Now.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        (self.0)()
    }
}

impl Default for NowMs {
    /// The system's.
    fn default() -> Self {
        Self(Arc::new(local::now_ms))
    }
}

impl std::fmt::Debug for NowMs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NowMs")
    }
}

/// The model of all sessions.
#[derive(Clone, Debug)]
pub enum ModelChoice {
    /// The built-in one.
    BuiltIn,
    /// One over HTTP.
    Remote(Box<RemoteModel>),
}

/// The most that may be spent, in millionths of a US dollar (S4-33); none is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spending {
    /// In one session.
    pub session: Option<u64>,
    /// For one itinerary, over all sessions that belong to it.
    pub itinerary: Option<u64>,
    /// In a calendar month, over all sessions of an owner.
    pub month: Option<u64>,
}

impl Default for Spending {
    /// $2, $10 and $50.
    fn default() -> Self {
        Self { session: Some(2_000_000), itinerary: Some(10_000_000), month: Some(50_000_000) }
    }
}

/// How much of anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What may be spent.
    pub spending: Spending,
    /// Messages a minute for each owner (S4-33).
    pub messages_per_minute: u32,
    /// New sessions a minute for each owner.
    pub sessions_per_minute: u32,
    /// The sessions that an owner may have: all of them are looked through at every start.
    pub sessions: usize,
    /// Streams that an owner may read at the same time: others get no connection for one owner's.
    pub streams: usize,
    /// How long the work on one message may take; what a person takes to decide does not count.
    pub run_time: Duration,
    /// Runs at the same time.
    pub runs: usize,
    /// Runs that wait for a place among those.
    pub waiting_runs: usize,
    /// Connections at the same time; others wait to be accepted. Together with a connection to a model for each run it has to be
    /// well below the files that the system lets a process open, which are 1,024 in most places.
    pub connections: usize,
    /// The largest body, in bytes.
    pub body_bytes: usize,
    /// How long the head of a request may take, and then its body.
    pub patience: Duration,
    /// How long a client may take to read what was sent, before it is cut off. One that comes back reads on where it was.
    pub write_patience: Duration,
    /// How much of what waits for it a client has to read in a second, in bytes: one that reads less falls behind, and is cut off when it
    /// is [`Limits::write_patience`] behind. Whoever reads all there is waits for more as long as it likes.
    pub least_read: u32,
    /// How long a session stays in memory after it was last used (S4-27).
    pub memory: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            spending: Spending::default(),
            messages_per_minute: 20,
            sessions_per_minute: 60,
            sessions: 10_000,
            streams: 200,
            run_time: Duration::from_millis(agent::Limits::default().max_run_ms),
            runs: 200,
            waiting_runs: 1_000,
            connections: 512,
            body_bytes: 256 * 1024,
            patience: Duration::from_secs(10),
            write_patience: Duration::from_secs(30),
            least_read: 1_024,
            memory: Duration::from_secs(30 * 60),
        }
    }
}

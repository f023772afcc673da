//! Whether the servers can be reached, and the sets of values there. While they cannot be, nobody waits for them: one task tries, and
//! everyone else goes on without.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jetstream::{Kv, KvOptions, Space, Value};
use store::StoreError;
use tokio::sync::watch;

use crate::Options;

/// So long a request waits for one answer before it goes on without the servers.
const PATIENCE: Duration = Duration::from_secs(1);

/// So often servers that are away are tried.
const TRY: Duration = Duration::from_millis(500);

/// So long a try may take: a connection, and an election of a leader.
const TRY_PATIENCE: Duration = Duration::from_secs(10);

/// So long a start waits for the servers; what they are not ready for by then is done later.
const FIRST_PATIENCE: Duration = Duration::from_secs(5);

/// The longest window is an hour; a value that nobody put for longer says nothing.
const KEEP_COUNTS: Duration = Duration::from_secs(2 * 3_600);

/// The longest account is a month.
const KEEP_ACCOUNTS: Duration = Duration::from_secs(62 * 86_400);

/// The sets of values.
#[derive(Clone)]
pub(crate) struct Sets {
    /// Windows of clients; in memory, since they are of an hour at most.
    pub(crate) counts: Kv,
    /// What was spent.
    pub(crate) accounts: Kv,
    /// Breakers of upstreams, and which gateways there are.
    pub(crate) states: Kv,
}

/// What is there once somebody was reached.
#[derive(Clone)]
struct Reached {
    space: Space,
    sets: Sets,
}

/// A connection that may be away. A clone is the same one.
#[derive(Clone)]
pub(crate) struct Link(Arc<Inner>);

struct Inner {
    reached: RwLock<Option<Reached>>,
    is_up: AtomicBool,
    /// Changes whenever the servers are reached after they were not, or have lost what they had.
    back: watch::Sender<()>,
}

impl Link {
    /// Connects; where no server answers, or none can make the sets yet (a cluster without most of its servers), it goes on trying.
    ///
    /// # Errors
    /// An address or a name that cannot be one.
    pub(crate) async fn open(options: Options) -> Result<Self, StoreError> {
        let link = Self(Arc::new(Inner {
            reached: RwLock::default(),
            is_up: AtomicBool::new(false),
            back: watch::channel(()).0,
        }));
        match tokio::time::timeout(FIRST_PATIENCE, open(&options)).await {
            Ok(Ok(reached)) => link.is_back(reached),
            Ok(Err(error @ StoreError::Other(_))) => return Err(error),
            Ok(Err(_)) | Err(_) => {}
        }
        let weak = Arc::downgrade(&link.0);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(TRY).await;
                let Some(inner) = weak.upgrade() else { return };
                let link = Self(inner);
                if link.is_up() {
                    continue;
                }
                // The client of a connection that there was connects again by itself. What was in the memory of a server that was
                // alone is gone with it, the set too: it is made again.
                let tried = async {
                    match link.reached() {
                        Some(Reached { space, .. }) => make(space).await,
                        None => open(&options).await,
                    }
                };
                if let Ok(Ok(reached)) = tokio::time::timeout(TRY_PATIENCE, tried).await {
                    link.is_back(reached);
                }
            }
        });
        Ok(link)
    }

    pub(crate) fn is_up(&self) -> bool {
        self.0.is_up.load(Ordering::Relaxed)
    }

    /// Changes whenever the servers are reached after they were not, or have lost what they had.
    pub(crate) fn back(&self) -> watch::Receiver<()> {
        self.0.back.subscribe()
    }

    /// Somebody saw that the servers have lost what they had, although they were never away.
    pub(crate) fn begins_anew(&self) {
        self.0.back.send_replace(());
    }

    /// The sets, while the servers can be reached.
    pub(crate) fn sets(&self) -> Option<Sets> {
        self.reached().filter(|_| self.is_up()).map(|reached| reached.sets)
    }

    /// A value: the inner `None` where there is none, the outer where the servers are away.
    pub(crate) async fn get(&self, kv: &Kv, key: &str) -> Option<Option<Value>> {
        self.within(kv.get(key)).await
    }

    /// Puts a value over the one that was seen: the inner `None` where somebody was faster, the outer where the servers are away.
    pub(crate) async fn put(&self, kv: &Kv, key: &str, over: u64, bytes: Vec<u8>) -> Option<Option<u64>> {
        self.within(kv.put(key, over, bytes)).await
    }

    async fn within<T>(&self, asked: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
        if let Ok(Ok(answer)) = tokio::time::timeout(PATIENCE, asked).await {
            return Some(answer);
        }
        self.0.is_up.store(false, Ordering::Relaxed);
        None
    }

    fn reached(&self) -> Option<Reached> {
        self.0.reached.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn is_back(&self, reached: Reached) {
        *self.0.reached.write().unwrap_or_else(PoisonError::into_inner) = Some(reached);
        self.0.is_up.store(true, Ordering::Relaxed);
        self.0.back.send_replace(());
    }
}

/// `Other` is for an address or a name that cannot be one; whatever else it is may be otherwise later.
async fn open(options: &Options) -> Result<Reached, StoreError> {
    let space = jetstream::Options {
        name: options.space.clone(),
        replicas: options.replicas,
        ..jetstream::Options::new("")
    };
    // Journals are the API's: who makes their stream decides on how many servers it is.
    let space = Space::without_journals(&options.servers, space).await?;
    make(space).await.map_err(|error| StoreError::Unavailable(error.to_string()))
}

/// The sets of a space, made where they are not there.
async fn make(space: Space) -> Result<Reached, StoreError> {
    let kept = |forget_after, in_memory| KvOptions { forget_after: Some(forget_after), in_memory };
    let sets = Sets {
        counts: Kv::open(&space, "gateway-counts", kept(KEEP_COUNTS, true)).await?,
        accounts: Kv::open(&space, "gateway-accounts", kept(KEEP_ACCOUNTS, false)).await?,
        states: Kv::open(&space, "gateway-states", kept(KEEP_COUNTS, true)).await?,
    };
    Ok(Reached { space, sets })
}

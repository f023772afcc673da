//! A process among those that share owners: its signs of life, its leases, and what it sees of the others'.
//!
//! One set of values has both: `owner/<name>` is a lease, `process/<id>` a sign of life. A lease is not put again while it is held, so
//! that what is written does not grow with the owners; its revision is the token of whoever took it. What is left of processes that are
//! gone is taken away by whoever sees it.
//!
//! No clocks are compared: a process counts as gone when no new sign of it was seen for a lease's time by the clock of whoever looks, and it stops by its own clock before that.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use api::{Cluster, Holder, Home};
use futures::future::{BoxFuture, LocalBoxFuture};
use futures::{FutureExt, StreamExt, stream};
use jetstream::{Kv, KvOptions, Space, Value};
use store::StoreError;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::home;
use crate::table::{Beat, Lease, Table, Try};

const OWNER: &str = "owner/";
const PROCESS: &str = "process/";

/// How many leases are tried at once.
const AT_ONCE: usize = 16;

/// How long it is until something is looked at again.
const LOOK: Duration = Duration::from_millis(100);

/// How long giving back may take, when a process stops: after that others wait for the leases to run out.
const RELEASING: Duration = Duration::from_secs(3);

/// How long a lease lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How long a process that is not heard of has what it had. Signs of life come three times as often.
    pub lease_for: Duration,
}

impl Default for Timing {
    /// Six seconds, so that somebody else answers within ten.
    fn default() -> Self {
        Self { lease_for: Duration::from_secs(6) }
    }
}

/// How a process joins.
#[derive(Clone, Debug)]
pub struct Options {
    /// Servers of NATS: `nats://host:4222`, several with commas between.
    pub servers: String,
    /// The space of all that is kept, the same for all processes: letters, digits, `-` and `_`.
    pub space: String,
    /// On how many servers of NATS each message is: 1, 3 or 5.
    pub replicas: usize,
    /// Where the others ask this process: `http://host:port`, without a path.
    pub address: String,
    /// The same for all processes.
    pub timing: Timing,
}

/// Processes that share owners over NATS.
pub struct NatsCluster {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for NatsCluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NatsCluster").field("id", &self.shared.id).finish_non_exhaustive()
    }
}

struct Shared {
    id: String,
    address: String,
    lease_for: Duration,
    space: Space,
    leases: Kv,
    sums: Kv,
    table: Mutex<Table>,
    holders: BTreeMap<String, watch::Sender<Holder>>,
    /// Until when the others count us as there: from when the last sign of life was sent that arrived.
    valid_until: Mutex<Option<Instant>>,
    drains: AtomicBool,
    /// The others are to hear at once that it drains, so that they take more than their share of before.
    says_so: Notify,
}

impl NatsCluster {
    /// Joins the processes of a space, and takes its share of these owners. All processes have the same owners.
    ///
    /// # Errors
    /// When NATS does not answer, or a name cannot be one.
    pub async fn start(options: Options, owners: &[String]) -> Result<Self, StoreError> {
        let Options { servers, space, replicas, address, timing } = options;
        let space =
            Space::connect(&servers, jetstream::Options { replicas, ..jetstream::Options::new(space) })
                .await?;
        let leases = Kv::open(&space, "leases", KvOptions::default()).await?;
        let sums = Kv::open(&space, "sums", KvOptions::default()).await?;
        let id = local::random();
        let table = Mutex::new(Table::new(&id, owners, timing.lease_for, Instant::now()));
        let holder = |owner: &String| (owner.clone(), watch::Sender::new(Holder::Nobody));
        let shared = Arc::new(Shared {
            id,
            address: address.trim_end_matches('/').to_owned(),
            lease_for: timing.lease_for,
            space,
            leases,
            sums,
            table,
            holders: owners.iter().map(holder).collect(),
            valid_until: Mutex::new(None),
            drains: AtomicBool::new(false),
            says_so: Notify::new(),
        });
        let tasks = vec![
            tokio::spawn(Arc::clone(&shared).live()),
            tokio::spawn(Arc::clone(&shared).look()),
            tokio::spawn(Arc::clone(&shared).guard()),
            tokio::spawn(Arc::clone(&shared).take()),
        ];
        Ok(Self { shared, tasks })
    }
}

impl Drop for NatsCluster {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl Shared {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_valid(&self) -> bool {
        let until = *self.valid_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    /// Tells of an owner, where something has changed.
    fn tell(&self, owner: &str) {
        let Some(holder) = self.holders.get(owner) else { return };
        let now = self.table().holder(owner, Instant::now());
        holder.send_if_modified(|known| {
            let is_new = *known != now;
            if is_new {
                *known = now;
            }
            is_new
        });
    }

    /// Sends signs of life.
    async fn live(self: Arc<Self>) {
        let (key, pause) = (format!("{PROCESS}{}", self.id), self.lease_for / 3);
        let mut over = 0;
        loop {
            let sent = Instant::now();
            let beat = Beat { takes: !self.drains.load(Ordering::Relaxed) };
            let put = self.leases.put(&key, over, text(&beat));
            match timeout(pause, put).await {
                Ok(Ok(Some(revision))) => {
                    over = revision;
                    *self.valid_until.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some(sent + self.lease_for);
                    // Where it comes sooner it is said sooner.
                    drop(timeout(pause.saturating_sub(sent.elapsed()), self.says_so.notified()).await);
                }
                // One of ours arrived whose answer did not.
                Ok(Ok(None)) => {
                    if let Ok(Ok(there)) = timeout(pause, self.leases.get(&key)).await {
                        over = there.map_or(0, |there| there.revision);
                    }
                }
                Ok(Err(_)) | Err(_) => sleep(LOOK).await,
            }
        }
    }

    /// Takes in what all processes put, ours included: what does not see even that has lost its connection, and looks anew.
    async fn look(self: Arc<Self>) {
        loop {
            if let Ok(values) = self.leases.watch().await {
                let mut values = std::pin::pin!(values);
                while let Ok(Some(Ok(value))) = timeout(self.lease_for, values.next()).await {
                    self.saw(&value);
                }
            }
            sleep(LOOK).await;
        }
    }

    fn saw(&self, value: &Value) {
        let now = Instant::now();
        if let Some(owner) = value.key.strip_prefix(OWNER) {
            // What cannot be read is of a later build: nobody has it as far as we know, and it runs out like any.
            let lease = serde_json::from_slice(&value.bytes).unwrap_or_default();
            self.table().lease(owner, value.revision, lease, now);
            self.tell(owner);
        } else if let Some(id) = value.key.strip_prefix(PROCESS) {
            let takes = serde_json::from_slice(&value.bytes).is_ok_and(|beat: Beat| beat.takes);
            self.table().beat(id, value.revision, takes, now);
        }
    }

    /// Gives up everything when the others have not heard of us for a lease's time, whatever else waits for an answer; and tells of those
    /// that were not heard of.
    async fn guard(self: Arc<Self>) {
        loop {
            if !self.is_valid() && self.table().lose() {
                eprintln!(
                    "satchel: NATS took no sign of life of this server for too long; others go on with what it had"
                );
            }
            self.holders.keys().for_each(|owner| self.tell(owner));
            sleep(LOOK).await;
        }
    }

    /// Takes what is free, and gives what is too much.
    async fn take(self: Arc<Self>) {
        // Who has started at the same time is seen by then.
        sleep(self.lease_for / 4).await;
        loop {
            if self.is_valid() && !self.drains.load(Ordering::Relaxed) {
                let tries = self.table().to_take(Instant::now());
                stream::iter(tries).for_each_concurrent(AT_ONCE, |one| self.try_one(one)).await;
                let much = self.table().too_much(Instant::now());
                if let Some((owner, token)) = much {
                    self.give(&owner, token).await;
                }
                let forgotten = self.table().forgotten(Instant::now());
                if let Some((id, revision)) = forgotten {
                    // Whoever comes too late for it is asked the next time: there is one fewer then.
                    drop(self.leases.take_away(&format!("{PROCESS}{id}"), revision).await);
                }
            }
            sleep(LOOK).await;
        }
    }

    async fn try_one(&self, Try { owner, over, gone }: Try) {
        if let Some((id, last)) = gone {
            // We may be the one that hears nothing: its last sign, as the leader has it.
            match self.leases.get(&format!("{PROCESS}{id}")).await {
                Ok(Some(value)) if value.revision > last => return self.saw(&value),
                Ok(_) => {}
                Err(_) => return,
            }
        }
        let lease = Lease { holder: Some(self.id.clone()), address: self.address.clone() };
        let key = format!("{OWNER}{owner}");
        match self.leases.put(&key, over, text(&lease)).await {
            // Where the others have given us up meanwhile it is tried again, by another token.
            Ok(Some(token)) if self.is_valid() => self.table().took(&owner, token, lease, Instant::now()),
            Ok(Some(revision)) => self.table().lease(&owner, revision, lease, Instant::now()),
            // Somebody was faster, and may be seen a little later.
            Ok(None) => {
                if let Ok(Some(value)) = self.leases.get(&key).await {
                    self.saw(&value);
                }
            }
            // Whether it was put is seen when it is looked at.
            Err(_) => {}
        }
        self.tell(&owner);
    }

    /// Gives an owner to whoever takes them.
    async fn give(&self, owner: &str, token: u64) {
        self.table().give(owner);
        self.tell(owner);
        let free = Lease::default();
        // Where it does not arrive it runs out, or is ours again.
        if let Ok(Some(revision)) = self.leases.put(&format!("{OWNER}{owner}"), token, text(&free)).await {
            self.table().lease(owner, revision, free, Instant::now());
        }
    }
}

/// What is kept here always can be written.
fn text(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

impl Cluster for NatsCluster {
    fn id(&self) -> &str {
        &self.shared.id
    }

    fn holder(&self, owner: &str) -> watch::Receiver<Holder> {
        match self.shared.holders.get(owner) {
            Some(holder) => holder.subscribe(),
            // Nobody ever has one that is not among them.
            None => watch::Sender::new(Holder::Nobody).subscribe(),
        }
    }

    fn holds(&self, owner: &str, token: u64) -> bool {
        self.shared.is_valid() && self.shared.table().token(owner) == Some(token)
    }

    fn home(&self, owner: &str, token: u64) -> LocalBoxFuture<'static, Result<Home, StoreError>> {
        let (space, sums, owner) = (self.shared.space.clone(), self.shared.sums.clone(), owner.to_owned());
        async move { home::open(&space, sums, &owner, token).await }.boxed_local()
    }

    fn is_ready(&self) -> bool {
        self.shared.is_valid() && !self.shared.drains.load(Ordering::Relaxed)
    }

    fn drain(&self) {
        self.shared.drains.store(true, Ordering::Relaxed);
        self.shared.says_so.notify_one();
    }

    fn release(&self) -> BoxFuture<'static, ()> {
        let shared = Arc::clone(&self.shared);
        async move {
            shared.drains.store(true, Ordering::Relaxed);
            let held = shared.table().held();
            let giving = stream::iter(held).for_each_concurrent(AT_ONCE, |(owner, token)| {
                let shared = &shared;
                async move { shared.give(&owner, token).await }
            });
            // What is not given back by then runs out.
            drop(timeout(RELEASING, giving).await);
            let key = format!("{PROCESS}{}", shared.id);
            let take_away = async {
                // A sign that is under way comes behind it, and is taken away by somebody else.
                if let Ok(Some(last)) = shared.leases.get(&key).await {
                    drop(shared.leases.take_away(&key, last.revision).await);
                }
            };
            drop(timeout(RELEASING, take_away).await);
        }
        .boxed()
    }
}

//! The counters of a gateway that is one of several.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use futures::StreamExt;
use gateway::{Cluster, Counters, InOneProcess, Rates, Spent, Standing};
use sha2::{Digest, Sha256};
use store::StoreError;

use crate::accounts::{self, Accounts};
use crate::breakers::{self, States};
use crate::claims::{Claims, Taken};
use crate::link::Link;

/// The time in milliseconds since 1970, by which servers agree: their clocks may differ by a small part of a minute.
pub(crate) type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// After a watch that ended, it is begun again.
const WATCH_AGAIN: Duration = Duration::from_millis(500);

/// What servers share, and how.
#[derive(Clone)]
pub struct Options {
    /// NATS servers, with commas between.
    pub servers: String,
    /// The name under which gateways find each other: letters, digits, `-` and `_`.
    pub space: String,
    /// On how many NATS servers each count is: 1, 3 or 5.
    pub replicas: usize,
    clock: Clock,
}

impl Options {
    /// As a configuration has it.
    #[must_use]
    pub fn of(cluster: &Cluster) -> Self {
        let clock = || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        };
        Self {
            servers: cluster.nats.clone(),
            space: cluster.space.clone(),
            replicas: cluster.replicas,
            clock: Arc::new(clock),
        }
    }

    /// The same by another clock, in milliseconds since 1970.
    #[must_use]
    pub fn by(mut self, clock: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }
}

/// Counts on NATS. While NATS is away each server goes on with its share: what is allowed, divided by the servers that were there last,
/// counted in its own memory.
pub struct NatsCounters {
    shared: Arc<Shared>,
}

struct Shared {
    link: Link,
    clock: Clock,
    claims: Claims,
    accounts: Accounts,
    states: States,
    /// What this server let through itself: it goes on with that.
    own: InOneProcess,
}

impl NatsCounters {
    /// Connects. Where no server answers it begins without, and goes on trying.
    ///
    /// # Errors
    /// `Other` for an address or a name that cannot be one.
    pub async fn open(options: Options) -> Result<Self, StoreError> {
        let clock = Arc::clone(&options.clock);
        let link = Link::open(options).await?;
        let shared = Arc::new(Shared {
            link,
            clock,
            claims: Claims::default(),
            accounts: Accounts::default(),
            states: States::new(name()),
            own: InOneProcess::default(),
        });
        every(accounts::FRESH, &shared, |shared| async move { shared.accounts.flush(&shared.link).await });
        every(breakers::BEAT, &shared, |shared| async move {
            shared.states.beat(&shared.link, (shared.clock)()).await
        });
        watch(&shared);
        Ok(Self { shared })
    }

    /// How many gateways there are, this one among them, as far as is known.
    #[must_use]
    pub fn servers(&self) -> u32 {
        self.shared.states.servers()
    }

    /// Adds what was spent here to the servers' values now, and not within a second: before a stop.
    pub async fn flush(&self) {
        self.shared.accounts.flush(&self.shared.link).await;
    }
}

#[async_trait]
impl Counters for NatsCounters {
    async fn take(&self, client: &str, rates: Rates) -> Result<(), Duration> {
        let shared = &self.shared;
        if shared.link.is_up() {
            match shared.claims.take(&shared.link, &shared.clock, &hidden(client), rates).await {
                Taken::Yes => {
                    // Noted, whatever this server's share would say.
                    let _beyond_the_share = shared.own.take(client, rates).await;
                    return Ok(());
                }
                Taken::No(wait) => return Err(wait),
                Taken::Unknown => {}
            }
        }
        shared.own.take(client, share(rates, shared.states.servers())).await
    }

    async fn spent(&self, account: &str) -> Spent {
        self.shared.accounts.spent(&self.shared.link, &hidden(account)).await
    }

    async fn spend(&self, account: &str, more: Spent) {
        self.shared.accounts.spend(&hidden(account), more);
    }

    async fn permit(&self, upstream: &str) -> Result<(), Duration> {
        let shared = &self.shared;
        shared.states.permit(&shared.link, upstream, (shared.clock)()).await
    }

    async fn record(&self, upstream: &str, is_well: bool) {
        let shared = &self.shared;
        shared.states.record(&shared.link, upstream, is_well, (shared.clock)()).await;
    }

    fn left_alone(&self) -> Vec<String> {
        self.shared.states.left_alone()
    }

    fn standing(&self) -> Standing {
        if self.shared.link.is_up() { Standing::Shared } else { Standing::Away }
    }
}

/// A server's part of what is allowed, rounded down but at least one: all of them together let through about what one would.
fn share(rates: Rates, servers: u32) -> Rates {
    let servers = NonZeroU32::new(servers).unwrap_or(NonZeroU32::MIN);
    let part = |limit: u32| if limit == 0 { 0 } else { (limit / servers).max(1) };
    Rates { per_minute: part(rates.per_minute), per_hour: part(rates.per_hour) }
}

/// A key that does not show an address to whoever looks at the values; who tries all addresses finds it.
fn hidden(client: &str) -> String {
    Sha256::digest(client).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// What no other server is called.
fn name() -> String {
    let mut random = [0_u8; 16];
    // Without randomness servers are taken for one, and each goes on with more than its share while NATS is away.
    let _no_randomness = getrandom::fill(&mut random);
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Does something again and again, as long as the counters are there.
fn every<W>(pause: Duration, shared: &Arc<Shared>, work: impl Fn(Arc<Shared>) -> W + Send + 'static)
where
    W: Future<Output = ()> + Send,
{
    let weak = Arc::downgrade(shared);
    tokio::spawn(async move {
        while let Some(shared) = weak.upgrade() {
            work(shared).await;
            tokio::time::sleep(pause).await;
        }
    });
}

/// Hears what is put to the states, as long as the counters are there.
fn watch(shared: &Arc<Shared>) {
    let weak = Arc::downgrade(shared);
    tokio::spawn(async move {
        while let Some((sets, mut back)) =
            weak.upgrade().map(|shared| (shared.link.sets(), shared.link.back()))
        {
            if let Some(sets) = sets
                && let Ok(values) = sets.states.watch().await
            {
                // An error is an end, and so is a server that came back, maybe without what it had: what was missed is among what there
                // is at the next beginning.
                let values =
                    values.take_until(back.changed()).take_while(|value| std::future::ready(value.is_ok()));
                let mut values = std::pin::pin!(values);
                let Some(shared) = weak.upgrade() else { return };
                shared.states.begin();
                drop(shared);
                while let Some(Ok(value)) = values.next().await {
                    let Some(shared) = weak.upgrade() else { return };
                    shared.states.heard(&value, (shared.clock)());
                }
            }
            tokio::time::sleep(WATCH_AGAIN).await;
        }
    });
}

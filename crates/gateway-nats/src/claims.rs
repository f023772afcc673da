//! How requests of one client share puts: whoever comes while one is under way is part of the next, which takes exactly as many
//! requests as wait. So what is taken is used at once and nothing has to be given back, and one client costs a server a bounded number
//! of puts however many requests it makes. Once the windows are full nobody asks: counts only grow until their slot leaves.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gateway::Rates;
use serde::{Deserialize, Serialize};

use crate::counters::Clock;
use crate::link::Link;
use crate::window::Window;

/// At most one put in so long for one client at one server.
const PACE: Duration = Duration::from_millis(5);

/// How often a put is tried that others are faster than; together up to about a second.
const TRIES: u32 = 20;

/// The wait that is said where others were always faster.
const CROWDED: Duration = Duration::from_secs(1);

/// So long requests of a put may be used by those that waited with it: a slot of the shortest window, less what two clocks differ by. One
/// whose connection broke meanwhile leaves some over.
const GRANTED_FOR: Duration = Duration::from_millis(300);

/// How often clients that are idle are looked for, and when they are.
const SWEEP: Duration = Duration::from_secs(60);

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

/// What all servers let through of one client.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Counted {
    minute: Window,
    hour: Window,
}

impl Default for Counted {
    fn default() -> Self {
        Self { minute: Window::new(MINUTE), hour: Window::new(HOUR) }
    }
}

impl Counted {
    fn room(&self, rates: Rates, now_ms: i64) -> u32 {
        self.minute.room(rates.per_minute, now_ms).min(self.hour.room(rates.per_hour, now_ms))
    }

    fn wait(&self, rates: Rates, now_ms: i64) -> Duration {
        self.minute.wait(rates.per_minute, now_ms).max(self.hour.wait(rates.per_hour, now_ms))
    }

    fn add(&mut self, count: u32, now_ms: i64) {
        self.minute.add(count, now_ms);
        self.hour.add(count, now_ms);
    }
}

/// What came of a request.
pub(crate) enum Taken {
    /// It may go.
    Yes,
    /// Not before so long.
    No(Duration),
    /// The servers are away: nobody knows.
    Unknown,
}

/// What a server knows of its clients.
pub(crate) struct Claims {
    clients: Mutex<Known>,
}

struct Known {
    clients: HashMap<String, Arc<Client>>,
    swept: Instant,
}

/// A client at this server.
#[derive(Default)]
struct Client {
    /// Requests that wait for the next put.
    waiting: AtomicU32,
    seen: tokio::sync::Mutex<Seen>,
}

/// A client's value as it was seen last.
#[derive(Default)]
struct Seen {
    /// The revision; `None` before it was asked for, or when it may have changed without us.
    revision: Option<u64>,
    counted: Counted,
    /// Requests that the last put took beyond its own: for those that waited with it.
    granted: u32,
    put_at: Option<Instant>,
    used_at: Option<Instant>,
}

impl Seen {
    fn use_granted(&mut self) -> bool {
        if self.put_at.is_none_or(|at| at.elapsed() > GRANTED_FOR) {
            self.granted = 0;
        }
        let is_granted = self.granted > 0;
        self.granted = self.granted.saturating_sub(1);
        is_granted
    }
}

/// One request that waits; also where its connection breaks.
struct Waits<'a>(&'a AtomicU32);

impl<'a> Waits<'a> {
    fn begin(waiting: &'a AtomicU32) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Claims {
    fn default() -> Self {
        Self { clients: Mutex::new(Known { clients: HashMap::new(), swept: Instant::now() }) }
    }
}

impl Claims {
    /// Takes one request of a client, known by `key`.
    pub(crate) async fn take(&self, link: &Link, clock: &Clock, key: &str, rates: Rates) -> Taken {
        let client = self.client(key);
        let _waits = Waits::begin(&client.waiting);
        let mut seen = client.seen.lock().await;
        seen.used_at = Some(Instant::now());
        if seen.use_granted() {
            return Taken::Yes;
        }
        let mut lost = 0;
        loop {
            let now_ms = clock();
            if seen.revision.is_some() && seen.counted.room(rates, now_ms) == 0 {
                return Taken::No(seen.counted.wait(rates, now_ms));
            }
            match claim(&client, &mut seen, link, clock, key, rates).await {
                None => {
                    seen.revision = None;
                    return Taken::Unknown;
                }
                Some(Step::Taken) => return Taken::Yes,
                Some(Step::Read) => {}
                // Rather refused than beyond the limit.
                Some(Step::Lost) if lost == TRIES => return Taken::No(CROWDED),
                Some(Step::Lost) => {
                    tokio::time::sleep(some_of(PACE * 2_u32.pow(lost.min(4)))).await;
                    lost += 1;
                }
            }
        }
    }

    fn client(&self, key: &str) -> Arc<Client> {
        let mut known = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if known.swept.elapsed() >= SWEEP {
            known.swept = Instant::now();
            known.clients.retain(|_, client| {
                let idle = |seen: &Seen| seen.used_at.is_none_or(|at| at.elapsed() >= SWEEP);
                Arc::strong_count(client) > 1 || client.seen.try_lock().is_ok_and(|seen| !idle(&seen))
            });
        }
        Arc::clone(known.clients.entry(key.to_owned()).or_default())
    }
}

/// What one step towards a put came to.
enum Step {
    /// It was put.
    Taken,
    /// Others changed the value, or it was not known: it has been read.
    Read,
    /// Somebody else was faster.
    Lost,
}

/// One step to take as many requests as wait; `None` where the servers are away.
async fn claim(
    client: &Client,
    seen: &mut Seen,
    link: &Link,
    clock: &Clock,
    key: &str,
    rates: Rates,
) -> Option<Step> {
    let sets = link.sets()?;
    let Some(revision) = seen.revision else {
        let there = link.get(&sets.counts, key).await?;
        // Where servers lost it, what was seen last is still so.
        if let Some(value) = &there {
            seen.counted = serde_json::from_slice(&value.bytes).unwrap_or_default();
        }
        seen.revision = Some(there.map_or(0, |value| value.revision));
        return Some(Step::Read);
    };
    if let Some(rest) = seen.put_at.and_then(|at| PACE.checked_sub(at.elapsed())) {
        tokio::time::sleep(rest).await;
    }
    let now_ms = clock();
    let count = client.waiting.load(Ordering::Relaxed).max(1).min(seen.counted.room(rates, now_ms));
    let mut counted = seen.counted.clone();
    counted.add(count, now_ms);
    let bytes = serde_json::to_vec(&counted).ok()?;
    seen.put_at = Some(Instant::now());
    // Unknown until it is answered: whoever asked may leave in between.
    seen.revision = None;
    let Some(put) = link.put(&sets.counts, key, revision, bytes).await? else { return Some(Step::Lost) };
    seen.revision = Some(put);
    seen.counted = counted;
    seen.granted = count.saturating_sub(1);
    Some(Step::Taken)
}

/// A part of a pause by chance, so that servers that lost together do not try together.
fn some_of(pause: Duration) -> Duration {
    let mut random = [128_u8];
    // Without randomness it is the half.
    let _no_randomness = getrandom::fill(&mut random);
    pause * u32::from(random.first().copied().unwrap_or(128)) / 256
}

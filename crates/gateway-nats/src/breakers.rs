//! The breakers of upstreams as all servers see them, and how many servers there are: both are small values that every server watches.
//! Failures in a row are counted by each server; that one opened, is tried and closes again is everyone's.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gateway::{Breaker, Permit};
use jetstream::Value;
use serde::{Deserialize, Serialize};

use crate::link::Link;

/// How often a server says that it is there.
pub(crate) const BEAT: Duration = Duration::from_secs(2);

/// After so long without a word a server is not counted. Clocks of servers have to agree better than that.
const GONE: Duration = Duration::from_secs(10);

/// So long the others wait when somebody else was faster to try an upstream.
const BESIDE_A_PROBE: Duration = Duration::from_secs(1);

/// How often what came of asking an upstream is put that others are faster than.
const TRIES: u32 = 3;

const BREAKER: &str = "breaker ";
const SERVER: &str = "server ";

/// What is known here of upstreams and of other servers.
pub(crate) struct States {
    /// This server's name among them.
    own: String,
    /// The revision of its last word to them.
    beat_at: AtomicU64,
    breakers: Mutex<BTreeMap<String, Known>>,
    servers: Mutex<Servers>,
}

/// The servers that said a word of late.
struct Servers {
    /// The others, by when they said it.
    others: HashMap<String, Instant>,
    /// How many there are, this one among them. It is counted whenever a word is heard, one's own included: while NATS is away none is,
    /// and the count of when it was there last stays.
    count: u32,
    /// Since when words are heard.
    since: Instant,
}

impl Servers {
    fn heard(&mut self, other: Option<(&str, Instant)>) {
        if let Some((name, at)) = other {
            self.others.insert(name.to_owned(), at);
        }
        self.others.retain(|_, at| at.elapsed() < GONE);
        let count = u32::try_from(self.others.len()).unwrap_or(u32::MAX).saturating_add(1);
        // After a time without NATS not all have come back at once: those that were there before still count for a while.
        self.count = if self.since.elapsed() < GONE { count.max(self.count) } else { count };
    }
}

/// A server's word that it is there.
#[derive(Serialize, Deserialize)]
struct Beat {
    /// When it was said, in milliseconds since 1970. NATS keeps it for two hours, and tells it to whoever begins to watch.
    at_ms: i64,
}

#[derive(Clone, Copy, Default)]
struct Known {
    breaker: Breaker,
    /// Of the value that all see; 0 where there is none.
    revision: u64,
}

impl States {
    pub(crate) fn new(own: String) -> Self {
        let servers = Servers { others: HashMap::new(), count: 1, since: Instant::now() };
        Self { own, beat_at: AtomicU64::new(0), breakers: Mutex::default(), servers: Mutex::new(servers) }
    }

    /// What is put is heard from now on, after a time when it was not. Servers that kept it in memory may have lost it, and begun their
    /// revisions anew: none that was seen before says anything.
    pub(crate) fn begin(&self) {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner).since = Instant::now();
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        breakers.values_mut().for_each(|known| known.revision = 0);
    }

    /// A value that was put, by us or by another, at some moment before `now_ms`.
    pub(crate) fn heard(&self, value: &Value, now_ms: i64) {
        if let Some(server) = value.key.strip_prefix(SERVER) {
            let Ok(beat) = serde_json::from_slice::<Beat>(&value.bytes) else { return };
            let age_ms = u64::try_from(now_ms.saturating_sub(beat.at_ms)).unwrap_or_default();
            let at = Instant::now().checked_sub(Duration::from_millis(age_ms));
            let other = at.filter(|_| server != self.own).map(|at| (server, at));
            self.servers.lock().unwrap_or_else(PoisonError::into_inner).heard(other);
        } else if let Some(upstream) = value.key.strip_prefix(BREAKER) {
            let Ok(breaker) = serde_json::from_slice::<Breaker>(&value.bytes) else { return };
            self.learn(upstream, Known { breaker, revision: value.revision }, None);
        }
    }

    /// How many servers there are, this one among them; while NATS is away, how many there were last.
    pub(crate) fn servers(&self) -> u32 {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// Says that this server is there.
    pub(crate) async fn beat(&self, link: &Link, now_ms: i64) {
        let Some(sets) = link.sets() else { return };
        let key = format!("{SERVER}{}", self.own);
        let Some(value) = link.get(&sets.states, &key).await else { return };
        let over = value.map_or(0, |value| value.revision);
        let Ok(bytes) = serde_json::to_vec(&Beat { at_ms: now_ms }) else { return };
        // Nobody else puts it; if it fails the next one does not.
        let Some(Some(revision)) = link.put(&sets.states, &key, over, bytes).await else { return };
        if revision < self.beat_at.swap(revision, Ordering::Relaxed) {
            // The servers lost what they had in memory, so quickly that nobody saw them away. Whoever watches waits for revisions that
            // come no more.
            link.begins_anew();
        }
    }

    /// Whether an upstream may be asked; one request of all servers may try it after a pause.
    pub(crate) async fn permit(&self, link: &Link, upstream: &str, now_ms: i64) -> Result<(), Duration> {
        let known = self.known(upstream);
        match known.breaker.permit(now_ms) {
            Permit::Go => return Ok(()),
            Permit::Wait { ms } => return Err(Duration::from_millis(ms)),
            Permit::Probe => {}
        }
        let probing = known.breaker.probing(now_ms);
        match self.put(link, upstream, known.revision, probing).await {
            Some(true) => Ok(()),
            Some(false) => Err(BESIDE_A_PROBE),
            // Alone it is this server's to decide.
            None => {
                self.learn(upstream, Known { breaker: probing, revision: known.revision }, None);
                Ok(())
            }
        }
    }

    /// What came of asking it.
    pub(crate) async fn record(&self, link: &Link, upstream: &str, is_well: bool, now_ms: i64) {
        let (before, after) = {
            let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
            let known = breakers.entry(upstream.to_owned()).or_default();
            let before = *known;
            known.breaker = if is_well { Breaker::default() } else { before.breaker.failed(now_ms) };
            (before, known.breaker)
        };
        // Nobody else has to know of a failure that opens nothing.
        if before.breaker.is_closed() && after.is_closed() {
            return;
        }
        let mut over = before.revision;
        for _ in 0..TRIES {
            if self.put(link, upstream, over, after).await != Some(false) {
                return;
            }
            let known = self.known(upstream);
            if known.breaker.is_closed() == after.is_closed() {
                return;
            }
            // What others put was of before this: an upstream that answers is closed, one that broke five times here is open.
            over = known.revision;
        }
    }

    pub(crate) fn left_alone(&self) -> Vec<String> {
        let breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        let open = breakers.iter().filter(|(_, known)| !known.breaker.is_closed());
        open.map(|(upstream, _)| upstream.clone()).collect()
    }

    /// Puts a breaker over the one that was seen. Whether it was put; what somebody else put instead is known then. `None` where the
    /// servers are away.
    async fn put(&self, link: &Link, upstream: &str, over: u64, breaker: Breaker) -> Option<bool> {
        let sets = link.sets()?;
        let key = format!("{BREAKER}{upstream}");
        let bytes = serde_json::to_vec(&breaker).ok()?;
        for at in [over, 0] {
            if let Some(revision) = link.put(&sets.states, &key, at, bytes.clone()).await? {
                self.learn(upstream, Known { breaker, revision }, Some(over));
                return Some(true);
            }
            if let Some(there) = link.get(&sets.states, &key).await? {
                let breaker = serde_json::from_slice(&there.bytes).unwrap_or_default();
                self.learn(upstream, Known { breaker, revision: there.revision }, Some(over));
                return Some(false);
            }
            // Forgotten by age, or with the memory of the servers: it is put over nothing.
        }
        Some(false)
    }

    fn known(&self, upstream: &str) -> Known {
        let breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        breakers.get(upstream).copied().unwrap_or_default()
    }

    /// Takes what is known from now on, unless something later is: what is watched may come after what was read. What came of a put over
    /// `instead_of` is taken at any revision, since servers that lost what they had begin theirs anew.
    fn learn(&self, upstream: &str, news: Known, instead_of: Option<u64>) {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = breakers.entry(upstream.to_owned()).or_default();
        if news.revision >= known.revision || instead_of == Some(known.revision) {
            *known = news;
        }
    }
}

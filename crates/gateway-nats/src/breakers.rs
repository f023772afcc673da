//! The breakers of upstreams as all servers see them, and how many servers there are: both are small values that every server watches.
//! Failures in a row are counted by each server; that one opened, is tried and closes again is everyone's.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gateway::{Breaker, Permit};
use jetstream::Value;

use crate::link::Link;

/// How often a server says that it is there.
pub(crate) const BEAT: Duration = Duration::from_secs(2);

/// After so long without a word a server is not counted.
const GONE: Duration = Duration::from_secs(10);

/// So long the others wait when somebody else was faster to try an upstream.
const BESIDE_A_PROBE: Duration = Duration::from_secs(1);

const BREAKER: &str = "breaker ";
const SERVER: &str = "server ";

/// What is known here of upstreams and of other servers.
pub(crate) struct States {
    /// This server's name among them.
    own: String,
    breakers: Mutex<BTreeMap<String, Known>>,
    servers: Mutex<HashMap<String, Instant>>,
}

#[derive(Clone, Copy, Default)]
struct Known {
    breaker: Breaker,
    /// Of the value that all see; 0 where there is none.
    revision: u64,
}

impl States {
    pub(crate) fn new(own: String) -> Self {
        Self { own, breakers: Mutex::default(), servers: Mutex::default() }
    }

    /// A value that was put, by us or by another.
    pub(crate) fn heard(&self, value: &Value) {
        if let Some(server) = value.key.strip_prefix(SERVER) {
            let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
            servers.insert(server.to_owned(), Instant::now());
        } else if let Some(upstream) = value.key.strip_prefix(BREAKER) {
            let Ok(breaker) = serde_json::from_slice::<Breaker>(&value.bytes) else { return };
            self.learn(upstream, breaker, value.revision);
        }
    }

    /// How many servers there are, this one among them.
    pub(crate) fn servers(&self) -> u32 {
        let servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let others = servers.iter().filter(|(name, at)| **name != self.own && at.elapsed() < GONE);
        u32::try_from(others.count()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Says that this server is there.
    pub(crate) async fn beat(&self, link: &Link) {
        let Some(sets) = link.sets() else { return };
        let key = format!("{SERVER}{}", self.own);
        let Some(value) = link.get(&sets.states, &key).await else { return };
        let over = value.map_or(0, |value| value.revision);
        // Nobody else puts it; if it fails the next one does not.
        let _next_time = link.put(&sets.states, &key, over, b"{}".to_vec()).await;
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
                self.learn(upstream, probing, known.revision);
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
        self.put(link, upstream, before.revision, after).await;
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
        if let Some(revision) = link.put(&sets.states, &key, over, bytes).await? {
            self.learn(upstream, breaker, revision);
            return Some(true);
        }
        if let Some(value) = link.get(&sets.states, &key).await? {
            self.heard(&value);
        } else {
            // Forgotten by age: the next one puts over nothing.
            self.forget_revision(upstream);
        }
        Some(false)
    }

    fn known(&self, upstream: &str) -> Known {
        let breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        breakers.get(upstream).copied().unwrap_or_default()
    }

    fn learn(&self, upstream: &str, breaker: Breaker, revision: u64) {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = breakers.entry(upstream.to_owned()).or_default();
        // What is watched may come after what was read.
        if revision >= known.revision {
            *known = Known { breaker, revision };
        }
    }

    fn forget_revision(&self, upstream: &str) {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = breakers.get_mut(upstream) {
            known.revision = 0;
        }
    }
}

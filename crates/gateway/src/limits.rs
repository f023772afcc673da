//! Limits per client (D-14): requests in a sliding window, streams at the same time, quotas of tokens and money.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::chat::ProviderError;
use crate::counters::{Counters, Rates, Spent};
use crate::tokens::{Known, Who};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

/// At most so many in any minute and in any hour, exactly: every moment of the last hour is kept. Time
/// comes in as a monotonic offset.
#[derive(Clone, Debug, Default)]
pub struct SlidingWindow {
    admitted: VecDeque<Duration>,
}

impl SlidingWindow {
    /// Admits a request at this moment, or says how long to wait. A refused one does not count.
    ///
    /// # Errors
    /// The wait until the next one would be admitted.
    pub fn admit(&mut self, now: Duration, per_minute: u32, per_hour: u32) -> Result<(), Duration> {
        self.forget(now);
        for (limit, window) in [(per_hour, HOUR), (per_minute, MINUTE)] {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            if limit == 0 {
                return Err(window);
            }
            // The one that has to leave the window before there is room again.
            let Some(index) = self.admitted.len().checked_sub(limit) else { continue };
            let Some(first) = self.admitted.get(index) else { continue };
            let leaves = *first + window;
            if leaves > now {
                return Err(leaves - now);
            }
        }
        self.admitted.push_back(now);
        Ok(())
    }

    /// Whether nothing of the last hour is in it.
    #[must_use]
    pub fn is_idle(&mut self, now: Duration) -> bool {
        self.forget(now);
        self.admitted.is_empty()
    }

    fn forget(&mut self, now: Duration) {
        while self.admitted.front().is_some_and(|moment| *moment + HOUR <= now) {
            self.admitted.pop_front();
        }
    }
}

/// All clients of late, and what each may.
#[derive(Clone)]
pub(crate) struct Clients {
    pub(crate) known: Arc<Known>,
    counters: Arc<dyn Counters>,
    streams: Streams,
    /// How many answers are being added to what their clients spent.
    spends: watch::Sender<u64>,
}

/// How many streams each client has open at this server.
type Streams = Arc<Mutex<HashMap<String, u32>>>;

/// A refusal with the wait to say in `retry-after`, and the limit for the metrics.
pub(crate) struct Refused {
    pub(crate) error: ProviderError,
    pub(crate) wait: Duration,
    pub(crate) limit: &'static str,
}

/// The right to one stream; dropping it gives the place back.
pub(crate) struct Place {
    client: String,
    streams: Streams,
}

impl Clients {
    pub(crate) fn new(known: Known, counters: Arc<dyn Counters>) -> Self {
        Self { known: Arc::new(known), counters, streams: Arc::default(), spends: watch::Sender::new(0) }
    }

    /// Admits one model request of a client. Streams are counted here, the others by all servers.
    pub(crate) async fn admit(&self, who: &Who) -> Result<Place, Refused> {
        let place = self.place(who)?;
        self.count(who).await?;
        who.quotas.check(&who.name, &*self.counters).await?;
        Ok(place)
    }

    /// Counts one request of a client.
    pub(crate) async fn count(&self, who: &Who) -> Result<(), Refused> {
        let (per_minute, per_hour) = (who.limits.requests_per_minute, who.limits.requests_per_hour);
        self.counters.take(&who.name, Rates { per_minute, per_hour }).await.map_err(|wait| {
            let message = format!("Too many requests: at most {per_minute} a minute and {per_hour} an hour.");
            Refused { error: too_many(message), wait, limit: "requests" }
        })
    }

    /// Whether what answers take counts.
    pub(crate) fn has_quotas(&self) -> bool {
        self.known.has_quotas()
    }

    /// Adds what a client's answer took. Nobody waits for it but a stop: [`Self::settled`].
    pub(crate) fn spend_soon(&self, who: Arc<Who>, spent: Spent) {
        // Without a runtime nobody is served any more.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (counters, spends) = (Arc::clone(&self.counters), self.spends.clone());
        spends.send_modify(|under_way| *under_way += 1);
        runtime.spawn(async move {
            who.quotas.spend(&who.name, spent, &*counters).await;
            spends.send_modify(|under_way| *under_way -= 1);
        });
    }

    /// Waits until all that answers took has been added, but not longer than is said.
    pub(crate) async fn settled(&self, patience: Duration) {
        let mut spends = self.spends.subscribe();
        let settled = spends.wait_for(|under_way| *under_way == 0);
        // What is added later than that is lost, as it is with a server that dies.
        let _settled_or_late = tokio::time::timeout(patience, settled).await;
    }

    fn place(&self, who: &Who) -> Result<Place, Refused> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let (client, most) = (&who.name, who.limits.concurrent_streams);
        let open = streams.entry(client.clone()).or_default();
        if *open >= most {
            let message = format!("Too many streams at the same time: at most {most}.");
            let wait = Duration::from_secs(1);
            return Err(Refused { error: too_many(message), wait, limit: "streams" });
        }
        *open += 1;
        Ok(Place { client: client.clone(), streams: Arc::clone(&self.streams) })
    }
}

pub(crate) fn too_many(message: String) -> ProviderError {
    ProviderError { status: 429, kind: "rate_limit_exceeded", message, param: None }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = streams.get_mut(&self.client) else { return };
        *open = open.saturating_sub(1);
        // Clients that are idle cost nothing.
        if *open == 0 {
            streams.remove(&self.client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_slides() {
        let mut window = SlidingWindow::default();
        // At second, result: the wait in seconds, 0 when admitted. Three a minute, five an hour.
        for (at_s, wait_s) in [
            (0, 0),
            (10, 0),
            (59, 0),
            (59, 1),
            (60, 0),
            (61, 9),
            (70, 0),
            (200, 3_400),
            (3_599, 1),
            (3_600, 0),
            (3_601, 9),
            (3_610, 0),
        ] {
            let admitted = window.admit(Duration::from_secs(at_s), 3, 5);
            let expected = if wait_s == 0 { Ok(()) } else { Err(Duration::from_secs(wait_s)) };
            assert_eq!(admitted, expected, "at {at_s} s");
        }
        assert_eq!(window.admitted.len(), 5, "what is older than an hour is forgotten");
        assert!(SlidingWindow::default().admit(Duration::ZERO, 0, 9).is_err());
    }

    #[tokio::test]
    async fn a_place_is_given_back_and_clients_are_apart() {
        let limits = crate::Limits { concurrent_streams: 1, ..crate::Limits::default() };
        let known = Known::new(limits, crate::Quotas::default(), &std::collections::BTreeMap::new(), false);
        let clients = Clients::new(known, Arc::new(crate::InOneProcess::default()));
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|client| clients.known.at(client.parse().unwrap()));
        let place = clients.admit(&one).await.ok().unwrap();
        assert!(clients.admit(&one).await.is_err());
        assert!(clients.admit(&other).await.is_ok());
        drop(place);
        assert!(clients.admit(&one).await.is_ok());
        assert!(clients.streams.lock().unwrap().is_empty());
    }
}

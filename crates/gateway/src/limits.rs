//! Limits per client (D-14): requests in a sliding window, streams at the same time.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::chat::ProviderError;

use crate::Limits;

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

    fn forget(&mut self, now: Duration) {
        while self.admitted.front().is_some_and(|moment| *moment + HOUR <= now) {
            self.admitted.pop_front();
        }
    }
}

#[derive(Default)]
struct Client {
    window: SlidingWindow,
    streams: u32,
}

/// All clients of late.
#[derive(Clone)]
pub(crate) struct Clients {
    started: Instant,
    limits: Limits,
    clients: Arc<Mutex<HashMap<IpAddr, Client>>>,
}

/// A refusal with the wait to say in `retry-after`.
pub(crate) struct Refused {
    pub(crate) error: ProviderError,
    pub(crate) wait: Duration,
}

/// The right to one stream; dropping it gives the place back.
pub(crate) struct Place {
    client: IpAddr,
    clients: Arc<Mutex<HashMap<IpAddr, Client>>>,
}

impl Clients {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { started: Instant::now(), limits, clients: Arc::default() }
    }

    /// Admits one model request of a client.
    pub(crate) fn admit(&self, client: IpAddr) -> Result<Place, Refused> {
        let now = self.started.elapsed();
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        // Clients that are idle and forgotten cost nothing.
        clients.retain(|_, known| {
            known.window.forget(now);
            known.streams > 0 || !known.window.admitted.is_empty()
        });
        let known = clients.entry(client).or_default();
        if known.streams >= self.limits.concurrent_streams {
            let message =
                format!("Too many streams at the same time: at most {}.", self.limits.concurrent_streams);
            return Err(Refused { error: too_many(message), wait: Duration::from_secs(1) });
        }
        let Limits { requests_per_minute, requests_per_hour, .. } = self.limits;
        if let Err(wait) = known.window.admit(now, requests_per_minute, requests_per_hour) {
            let message = format!(
                "Too many requests: at most {requests_per_minute} a minute and {requests_per_hour} an hour."
            );
            return Err(Refused { error: too_many(message), wait });
        }
        known.streams += 1;
        Ok(Place { client, clients: Arc::clone(&self.clients) })
    }
}

fn too_many(message: String) -> ProviderError {
    ProviderError { status: 429, kind: "rate_limit_exceeded", message, param: None }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = clients.get_mut(&self.client) {
            known.streams = known.streams.saturating_sub(1);
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

    #[test]
    fn a_place_is_given_back_and_clients_are_apart() {
        let limits = Limits { concurrent_streams: 1, ..Limits::default() };
        let clients = Clients::new(limits);
        let (one, other) = ("127.0.0.1".parse().unwrap(), "127.0.0.2".parse().unwrap());
        let place = clients.admit(one).ok().unwrap();
        assert!(clients.admit(one).is_err());
        assert!(clients.admit(other).is_ok());
        drop(place);
        assert!(clients.admit(one).is_ok());
    }
}

//! What is counted of clients and upstreams. One process counts in memory ([`InOneProcess`]); servers that share their counts bring
//! another [`Counters`] (`satchel-gateway-nats`).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::SlidingWindow;
use crate::breaker::{Breaker, Permit};

/// How many requests a client may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// In any minute.
    pub per_minute: u32,
    /// In any hour.
    pub per_hour: u32,
}

/// What was used of a quota.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Tokens, of requests and answers.
    pub tokens: u64,
    /// Millionths of a US dollar.
    pub micro_usd: u64,
}

impl Spent {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            micro_usd: self.micro_usd.saturating_add(other.micro_usd),
        }
    }
}

/// Whose counts they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Those of this process alone, as it is configured.
    Alone,
    /// Those of all servers together.
    Shared,
    /// They would be those of all servers, but what they share cannot be reached: this one goes on with its part.
    Away,
}

/// The counts that a gateway asks. Implementations decide within a second or so: a request waits for them.
#[async_trait]
pub trait Counters: Send + Sync {
    /// Takes one request out of what a client may ask, or says how long to wait. A refused one does not count.
    ///
    /// # Errors
    /// The wait until there may be room again.
    async fn take(&self, client: &str, rates: Rates) -> Result<(), Duration>;

    /// What was spent on an account: a client, a space, and a day (`2026-11-28`) or a month (`2026-11`).
    async fn spent(&self, account: &str) -> Spent;

    /// Adds to what was spent on an account.
    async fn spend(&self, account: &str, more: Spent);

    /// Whether an upstream may be asked now. Where it was left alone, one request of all may try it.
    ///
    /// # Errors
    /// The wait until somebody may try it.
    async fn permit(&self, upstream: &str) -> Result<(), Duration>;

    /// What came of asking an upstream: whether it answered with less than 500.
    async fn record(&self, upstream: &str, is_well: bool);

    /// The upstreams that are left alone, by their names.
    fn left_alone(&self) -> Vec<String>;

    /// Whose counts they are now.
    fn standing(&self) -> Standing;
}

/// Counts in the memory of one process; exact, and gone with it.
pub struct InOneProcess {
    started: Instant,
    clients: Mutex<Clients>,
    accounts: Mutex<Accounts>,
    breakers: Mutex<BTreeMap<String, Breaker>>,
}

#[derive(Default)]
struct Clients {
    windows: HashMap<String, SlidingWindow>,
    swept: Duration,
}

#[derive(Default)]
struct Accounts {
    spent: HashMap<String, Spent>,
    /// The latest period of each length: a day's name has more letters than a month's.
    latest: BTreeMap<usize, String>,
}

impl Accounts {
    /// Forgets accounts of days and months before this one's, when it is the first of a new one. A period is what an account ends in,
    /// and later ones sort after it.
    fn sweep(&mut self, account: &str) {
        let Some((_, period)) = account.rsplit_once(' ') else { return };
        let latest = self.latest.entry(period.len()).or_default();
        if period <= latest.as_str() {
            return;
        }
        period.clone_into(latest);
        self.spent.retain(|account, _| {
            let past = |(_, old): (&str, &str)| old.len() == period.len() && old < period;
            !account.rsplit_once(' ').is_some_and(past)
        });
    }
}

impl Default for InOneProcess {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            clients: Mutex::default(),
            accounts: Mutex::default(),
            breakers: Mutex::default(),
        }
    }
}

impl InOneProcess {
    /// How often clients that are idle are looked for.
    const SWEEP: Duration = Duration::from_secs(10);

    /// By a clock that nothing sets back.
    fn now_ms(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    fn change(&self, upstream: &str, change: impl FnOnce(Breaker) -> Breaker) {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        let breaker = breakers.entry(upstream.to_owned()).or_default();
        *breaker = change(*breaker);
    }
}

#[async_trait]
impl Counters for InOneProcess {
    async fn take(&self, client: &str, rates: Rates) -> Result<(), Duration> {
        let now = self.started.elapsed();
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_sub(clients.swept) >= Self::SWEEP {
            clients.swept = now;
            clients.windows.retain(|_, window| !window.is_idle(now));
        }
        let window = clients.windows.entry(client.to_owned()).or_default();
        window.admit(now, rates.per_minute, rates.per_hour)
    }

    async fn spent(&self, account: &str) -> Spent {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.spent.get(account).copied().unwrap_or_default()
    }

    async fn spend(&self, account: &str, more: Spent) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.sweep(account);
        let spent = accounts.spent.entry(account.to_owned()).or_default();
        *spent = spent.and(more);
    }

    async fn permit(&self, upstream: &str) -> Result<(), Duration> {
        let now_ms = self.now_ms();
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(breaker) = breakers.get_mut(upstream) else { return Ok(()) };
        match breaker.permit(now_ms) {
            Permit::Go => Ok(()),
            Permit::Probe => {
                *breaker = breaker.probing(now_ms);
                Ok(())
            }
            Permit::Wait { ms } => Err(Duration::from_millis(ms)),
        }
    }

    async fn record(&self, upstream: &str, is_well: bool) {
        let now_ms = self.now_ms();
        self.change(upstream, |breaker| if is_well { Breaker::default() } else { breaker.failed(now_ms) });
    }

    fn left_alone(&self) -> Vec<String> {
        let breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        breakers
            .iter()
            .filter(|(_, breaker)| !breaker.is_closed())
            .map(|(upstream, _)| upstream.clone())
            .collect()
    }

    fn standing(&self) -> Standing {
        Standing::Alone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_accounts_of_this_day_and_this_month_are_kept() {
        let counters = InOneProcess::default();
        let one = Spent { tokens: 1, micro_usd: 1 };
        for account in ["a 2026-11-28", "token b 2026-11-28", "a 2026-11", "a 2026-11-29", "b 2026-11-29"] {
            counters.spend(account, one).await;
        }
        let kept = |counters: &InOneProcess| {
            let mut kept: Vec<String> = counters.accounts.lock().unwrap().spent.keys().cloned().collect();
            kept.sort();
            kept
        };
        assert_eq!(kept(&counters), ["a 2026-11", "a 2026-11-29", "b 2026-11-29"]);
        for account in ["a 2026-12-01", "a 2026-12"] {
            counters.spend(account, one).await;
        }
        assert_eq!(kept(&counters), ["a 2026-12", "a 2026-12-01"]);
        assert_eq!(
            (counters.spent("a 2026-12").await, counters.spent("a 2026-11").await),
            (one, Spent::default())
        );
    }
}

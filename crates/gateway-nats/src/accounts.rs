//! What clients spent of their quotas. What is spent here is collected and added to the servers' value about once a second; what others
//! spent is read as often while the client is there.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gateway::Spent;

use crate::link::Link;

/// How old a sum may be that a request is held against, and how long what was spent waits to be added.
pub(crate) const FRESH: Duration = Duration::from_secs(1);

/// After so long an account that nobody asks for is forgotten here.
const IDLE: Duration = Duration::from_secs(600);

/// How often a put is tried that others are faster than; what is left waits for the next round.
const TRIES: u32 = 10;

/// The accounts that this server's clients have.
#[derive(Default)]
pub(crate) struct Accounts(Mutex<HashMap<String, Account>>);

#[derive(Clone, Copy, Default)]
struct Account {
    /// What all servers spent, when it was read last.
    there: Spent,
    /// What was spent here and is not part of that.
    here: Spent,
    read_at: Option<Instant>,
    used_at: Option<Instant>,
}

impl Accounts {
    /// What was spent on an account by all servers, as far as is known.
    pub(crate) async fn spent(&self, link: &Link, key: &str) -> Spent {
        let is_old = self.change(key, |account| account.read_at.is_none_or(|at| at.elapsed() >= FRESH));
        if is_old {
            // Others who ask meanwhile are content with what was read before.
            self.change(key, |account| account.read_at = Some(Instant::now()));
            if let Some(sets) = link.sets()
                && let Some(there) = link.get(&sets.accounts, key).await
            {
                let there = there.and_then(|value| serde_json::from_slice(&value.bytes).ok());
                self.change(key, |account| account.there = there.unwrap_or_default());
            }
        }
        self.change(key, |account| account.there.and(account.here))
    }

    /// Adds to an account.
    pub(crate) fn spend(&self, key: &str, more: Spent) {
        self.change(key, |account| account.here = account.here.and(more));
    }

    /// Adds what was spent here to the servers' values.
    pub(crate) async fn flush(&self, link: &Link) {
        let open: Vec<String> = {
            let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            accounts.retain(|_, account| {
                account.here != Spent::default() || account.used_at.is_some_and(|at| at.elapsed() < IDLE)
            });
            let open = accounts.iter().filter(|(_, account)| account.here != Spent::default());
            open.map(|(key, _)| key.clone()).collect()
        };
        for key in open {
            if self.add(link, &key).await.is_none() {
                return;
            }
        }
    }

    /// `None` where the servers are away. A put whose answer is lost may count twice: rather too much than too little.
    async fn add(&self, link: &Link, key: &str) -> Option<()> {
        let sets = link.sets()?;
        for _ in 0..TRIES {
            let value = link.get(&sets.accounts, key).await?;
            let there: Spent = value
                .as_ref()
                .and_then(|value| serde_json::from_slice(&value.bytes).ok())
                .unwrap_or_default();
            let ours = self.change(key, |account| account.here);
            let sum = there.and(ours);
            let bytes = serde_json::to_vec(&sum).ok()?;
            let over = value.map_or(0, |value| value.revision);
            if link.put(&sets.accounts, key, over, bytes).await?.is_some() {
                self.change(key, |account| {
                    account.there = sum;
                    account.here = Spent {
                        tokens: account.here.tokens.saturating_sub(ours.tokens),
                        micro_usd: account.here.micro_usd.saturating_sub(ours.micro_usd),
                    };
                });
                return Some(());
            }
        }
        Some(())
    }

    fn change<T>(&self, key: &str, change: impl FnOnce(&mut Account) -> T) -> T {
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let account = accounts.entry(key.to_owned()).or_default();
        account.used_at = Some(Instant::now());
        change(account)
    }
}

//! What an owner has spent, a value for each month. A value says the token of who put it: whoever had the owner before is refused,
//! by the revision that it has not seen or by the token that it reads then.

use std::cell::RefCell;
use std::rc::Rc;

use api::Sums;
use async_trait::async_trait;
use jetstream::Kv;
use llm::{Ledger, Reserved};
use protocol::{Failure, FailureKind};
use serde::{Deserialize, Serialize};
use store::StoreError;
use terminal::this_month;
use tokio::sync::Mutex;

/// How often a sum is put again that was not where it was thought to be.
const TRIES: u32 = 5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sum {
    token: u64,
    /// In millionths of a US dollar.
    micro_usd: u64,
}

/// The sums of one owner.
pub struct KvSums(Rc<Inner>);

struct Inner {
    sums: Kv,
    owner: String,
    token: u64,
    /// The month that was looked at last, and its sum.
    known: RefCell<(String, u64)>,
    /// One change at a time.
    changing: Mutex<()>,
}

impl KvSums {
    /// Opens the sums of an owner for a holder. This month's gets its token: from then on nobody else's is put over it.
    ///
    /// # Errors
    /// When NATS does not answer, or somebody with a larger token has the owner.
    pub async fn open(sums: Kv, owner: &str, token: u64) -> Result<Self, StoreError> {
        let month = this_month();
        let inner = Inner {
            sums,
            owner: owner.to_owned(),
            token,
            known: RefCell::new((month.clone(), 0)),
            changing: Mutex::default(),
        };
        let there = inner.read(&month).await?.1;
        if there == Sum::default() {
            return Ok(Self(Rc::new(inner)));
        }
        inner.change(&month, Ok::<_, StoreError>).await?;
        Ok(Self(Rc::new(inner)))
    }
}

impl Inner {
    fn key(&self, month: &str) -> String {
        format!("{}/{month}", self.owner)
    }

    async fn read(&self, month: &str) -> Result<(u64, Sum), StoreError> {
        let Some(there) = self.sums.get(&self.key(month)).await? else { return Ok((0, Sum::default())) };
        let sum = serde_json::from_slice(&there.bytes)
            .map_err(|error| StoreError::Damaged(format!("what {} spent in {month}: {error}", self.owner)))?;
        Ok((there.revision, sum))
    }

    /// Changes a month's sum.
    async fn change<E: From<StoreError>>(
        &self,
        month: &str,
        how: impl Fn(u64) -> Result<u64, E>,
    ) -> Result<(), E> {
        let _changing = self.changing.lock().await;
        for _ in 0..TRIES {
            let (revision, there) = self.read(month).await?;
            if there.token > self.token {
                let why = "somebody else has this owner since, and counts what they spend";
                return Err(StoreError::Unavailable(why.to_owned()).into());
            }
            let micro_usd = how(there.micro_usd)?;
            let sum = Sum { token: self.token, micro_usd };
            let text = serde_json::to_vec(&sum).map_err(|error| StoreError::Other(error.to_string()))?;
            if self.sums.put(&self.key(month), revision, text).await?.is_some() {
                self.known.replace((month.to_owned(), micro_usd));
                return Ok(());
            }
        }
        Err(StoreError::Conflict.into())
    }
}

/// What came of a change: refused by whoever asked, or not kept.
enum Refused {
    Asker(Failure),
    Kept(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Kept(error)
    }
}

#[async_trait(?Send)]
impl Ledger for KvSums {
    async fn reserve(
        &self,
        estimate_micro_usd: u64,
        allows: &dyn Fn(u64) -> Result<(), Failure>,
    ) -> Result<Reserved, Failure> {
        let month = this_month();
        let add = |spent: u64| {
            allows(spent).map_err(Refused::Asker)?;
            Ok(spent.saturating_add(estimate_micro_usd))
        };
        self.0.change(&month, add).await.map_err(|refused| match refused {
            Refused::Asker(failure) => failure,
            Refused::Kept(error) => Failure::new(FailureKind::Validation, error.to_string()),
        })?;
        Ok(Reserved { month, micro_usd: estimate_micro_usd })
    }

    fn settle(&self, reserved: Reserved, cost_micro_usd: u64) {
        let inner = Rc::clone(&self.0);
        // It may not wait. Where it is not put the sum stays too high, which is no reason to lose an answer.
        tokio::task::spawn_local(async move {
            let how = |spent: u64| {
                let left = spent.saturating_sub(reserved.micro_usd).saturating_add(cost_micro_usd);
                Ok::<_, StoreError>(left)
            };
            if let Err(error) = inner.change(&reserved.month, how).await {
                eprintln!("satchel: what {} spent is counted too high: {error}", inner.owner);
            }
        });
    }
}

impl Sums for KvSums {
    fn spent(&self) -> Option<u64> {
        let known = self.0.known.borrow();
        // Of a month that has just begun nothing is spent.
        Some(if known.0 == this_month() { known.1 } else { 0 })
    }
}

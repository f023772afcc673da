//! What a month has cost, on the device: one record per month. A count and the question whether it may grow are one
//! transaction, so that two tabs lose nothing of each other's, and cannot both take the last of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use async_trait::async_trait;
use leptos::task::spawn_local;
use llm::{Ledger, Reserved};
use protocol::Failure;
use wasm_bindgen::JsValue;
use web_sys::{IdbObjectStore, IdbTransactionMode};

use crate::clock;
use crate::log::idb::{IdbError, complete, finished, json_of, record};
use crate::one_store::OneStore;

/// The database.
const NAME: &str = "satchel-spending";

/// Its only store.
const STORE: &str = "months";

/// The months of this device, in millionths of a US dollar.
#[derive(Clone)]
pub struct Months(Rc<Inner>);

struct Inner {
    store: OneStore,
    /// Where they are while there is no database: gone with the page.
    memory: RefCell<BTreeMap<String, u64>>,
    /// Called with the month's sum whenever this tab changed it.
    changed: Changed,
}

/// Hears of a month and of its sum.
type Changed = Box<dyn Fn(&str, u64)>;

impl Months {
    /// The months; `changed` hears of the changes that this tab makes.
    #[must_use]
    pub fn new(changed: impl Fn(&str, u64) + 'static) -> Self {
        let inner = Inner {
            store: OneStore::new(NAME, STORE),
            memory: RefCell::default(),
            changed: Box::new(changed),
        };
        Self(Rc::new(inner))
    }

    /// What a month has cost.
    pub async fn read(&self, month: &str) -> u64 {
        let read = async {
            let (_, store) = self.0.store.begin(IdbTransactionMode::Readonly).await?;
            in_store(&store, month).await
        };
        read.await.unwrap_or_else(|_: IdbError| self.in_memory(month))
    }

    /// Begins a month anew.
    pub async fn reset(&self, month: &str) {
        let _ = self.change(month, &|_| Ok(0)).await;
    }

    /// Changes what a month has cost, in one transaction. Where nothing can be kept, it is counted for as long as the page
    /// lives.
    async fn change(&self, month: &str, how: &dyn Fn(u64) -> Result<u64, Failure>) -> Result<(), Failure> {
        let kept = async {
            let (transaction, store) = self.0.store.begin(IdbTransactionMode::Readwrite).await?;
            let next = match how(in_store(&store, month).await?) {
                Ok(next) => next,
                Err(failure) => return Ok::<_, IdbError>(Err(failure)),
            };
            let row = record(&[("id", JsValue::from_str(month))], &next.to_string());
            finished(&store.put(&row).map_err(|_| IdbError::Closed)?).await?;
            complete(&transaction).await?;
            Ok(Ok(next))
        };
        let next = match kept.await {
            Ok(next) => next?,
            Err(_) => {
                let next = how(self.in_memory(month))?;
                self.0.memory.borrow_mut().insert(month.to_owned(), next);
                next
            }
        };
        (self.0.changed)(month, next);
        Ok(())
    }

    fn in_memory(&self, month: &str) -> u64 {
        self.0.memory.borrow().get(month).copied().unwrap_or_default()
    }
}

async fn in_store(store: &IdbObjectStore, month: &str) -> Result<u64, IdbError> {
    let found = finished(&store.get(&month.into()).map_err(|_| IdbError::Closed)?).await?;
    Ok(json_of(&found).and_then(|text| text.parse().ok()).unwrap_or_default())
}

#[async_trait(?Send)]
impl Ledger for Months {
    async fn reserve(
        &self,
        estimate_micro_usd: u64,
        allows: &dyn Fn(u64) -> Result<(), Failure>,
    ) -> Result<Reserved, Failure> {
        let month = clock::civil_month();
        let how = |spent: u64| allows(spent).map(|()| spent.saturating_add(estimate_micro_usd));
        self.change(&month, &how).await?;
        Ok(Reserved { month, micro_usd: estimate_micro_usd })
    }

    fn settle(&self, reserved: Reserved, cost_micro_usd: u64) {
        let months = self.clone();
        spawn_local(async move {
            let how =
                |spent: u64| Ok(spent.saturating_sub(reserved.micro_usd).saturating_add(cost_micro_usd));
            let _ = months.change(&reserved.month, &how).await;
        });
    }
}

//! What a month has cost, on the device: one record per month. A count and the question whether it may grow are one
//! transaction, so that two tabs lose nothing of each other's, and cannot both take the last of it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use leptos::task::spawn_local;
use litemap::LiteMap;
use llm::{Ledger, Reserved};
use protocol::Failure;
use wasm_bindgen::JsValue;
use web::idb::Database;
use web::value::{object, text};

use crate::clock;

/// The database.
const NAME: &str = "satchel-spending";

/// Its only store.
const STORE: &str = "months";

/// The months of this device, in millionths of a US dollar.
#[derive(Clone)]
pub struct Months(Rc<Inner>);

struct Inner {
    database: Database,
    /// Where they are while there is no database: gone with the page.
    memory: RefCell<LiteMap<String, u64>>,
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
            database: Database::new(NAME, &[(STORE, &["id"])]),
            memory: RefCell::default(),
            changed: Box::new(changed),
        };
        Self(Rc::new(inner))
    }

    /// What a month has cost.
    pub fn read<'a>(&'a self, month: &'a str) -> LocalBoxFuture<'a, u64> {
        Box::pin(async move {
            let read = self.0.database.get(STORE, &month.into()).await;
            read.map_or_else(|_| self.in_memory(month), sum_of)
        })
    }

    /// Begins a month anew.
    pub fn reset<'a>(&'a self, month: &'a str) -> LocalBoxFuture<'a, ()> {
        Box::pin(async move {
            let _ = self.change(month, &|_| Ok(0)).await;
        })
    }

    /// Changes what a month has cost, in one transaction. Where nothing can be kept, it is counted for as long as the page
    /// lives.
    async fn change(&self, month: &str, how: &dyn Fn(u64) -> Result<u64, Failure>) -> Result<(), Failure> {
        let sum = Cell::new(0);
        let key = month.into();
        let kept = self.0.database.change(STORE, &key, |row| {
            sum.set(how(sum_of(row))?);
            Ok(object(&[("id", month.into()), ("json", sum.get().to_string().into())]).into())
        });
        let next = match kept.await {
            Ok(kept) => kept.map(|()| sum.get())?,
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

/// What a month's record says; nothing where there is none.
fn sum_of(row: Option<JsValue>) -> u64 {
    row.and_then(|row| text(&row, "json")?.parse().ok()).unwrap_or_default()
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

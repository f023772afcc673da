//! What is spent on models: this month's sum on the device.

mod ledger;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::clock;
pub use ledger::Months;
use web::channel::Channel;

/// Where tabs tell each other that a month's sum has changed.
const CHANNEL: &str = "satchel-spending";

/// How often it is looked whether another month has begun, in milliseconds.
const LOOK_MS: u64 = 60_000;

/// This month's sum. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Budget {
    /// The month, `2026-11`, and what it has cost so far, in millionths of a US dollar. What requests under way may cost is
    /// part of it.
    pub month: RwSignal<(String, u64)>,
    months: StoredValue<Months, LocalStorage>,
}

impl Budget {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Reads the month's sum, and again whenever another tab changed it.
    #[must_use]
    pub fn start() -> Self {
        let month = RwSignal::new((clock::civil_month(), 0));
        let budget = StoredValue::new_local(None::<Self>);
        let channel = Channel::open(CHANNEL, move |_| {
            if let Some(budget) = budget.get_value() {
                budget.refresh();
            }
        });
        let changed = move |of: &str, micro_usd| {
            if of == clock::civil_month() {
                month.set((of.to_owned(), micro_usd));
            }
            if let Some(channel) = &channel {
                channel.tell(of);
            }
        };
        let this = Self { month, months: StoredValue::new_local(Months::new(changed)) };
        budget.set_value(Some(this));
        this.refresh();
        // A page that stays open sees the next month begin.
        spawn_local(async move {
            loop {
                clock::sleep(LOOK_MS).await;
                if month.with_untracked(|(known, _)| *known != clock::civil_month()) {
                    this.refresh();
                }
            }
        });
        this
    }

    /// The months on the device.
    #[must_use]
    pub fn months(self) -> Months {
        self.months.get_value()
    }

    /// Looks again: another tab has spent, or another month has begun.
    pub fn refresh(self) {
        let months = self.months();
        spawn_local(async move {
            let month = clock::civil_month();
            let micro_usd = months.read(&month).await;
            self.month.set((month, micro_usd));
        });
    }

    /// Begins this month anew.
    pub fn reset(self) {
        let months = self.months();
        spawn_local(async move { months.reset(&clock::civil_month()).await });
    }
}

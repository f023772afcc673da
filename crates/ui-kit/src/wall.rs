//! The clock on the wall: what was upcoming becomes overdue, and "tomorrow" another day, although nobody did anything.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::clock;

/// How often the clock is looked at because time passes, in milliseconds.
const LOOK_MS: u64 = 30_000;

/// The clock on the wall. A handle: copies are the same clock.
#[derive(Clone, Copy)]
pub struct Wall {
    /// Now, where the person is (`2026-11-21T22:30`).
    pub now: RwSignal<String>,
}

impl Wall {
    /// Looks at the clock from now on, for as long as the page lives.
    #[must_use]
    pub fn start() -> Self {
        let wall = Self { now: RwSignal::new(clock::civil_now()) };
        spawn_local(async move {
            loop {
                clock::sleep(LOOK_MS).await;
                wall.look();
            }
        });
        wall
    }

    /// The clock of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Looks at the clock now, and says what it shows.
    pub fn look(self) -> String {
        let now = clock::civil_now();
        if self.now.with_untracked(|before| *before != now) {
            self.now.set(now.clone());
        }
        now
    }

    /// The day on the wall, for what says "Tomorrow": it changes at midnight and not before. It has to be read: a memo that
    /// nobody reads follows nothing.
    #[must_use]
    pub fn day(self) -> Memo<String> {
        crate::memo(move |_| self.now.with(|now| now.split('T').next().unwrap_or_default().to_owned()))
    }
}

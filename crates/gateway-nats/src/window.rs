//! A sliding window that servers share: how many requests were let through in each hundredth of its length. Pure; moments come in.
//!
//! A slot counts until its last moment has left the window. So there are never more requests in any window than are allowed, and room
//! comes back at most a hundredth of the window later than by the exact moments.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Into so many slots a window is cut.
const SLOTS: i64 = 100;

/// The requests of one window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Window {
    length_ms: i64,
    /// Slots that have requests, the oldest first: the slot's number since 1970, and how many.
    slots: Vec<(i64, u32)>,
}

impl Window {
    pub(crate) fn new(length: Duration) -> Self {
        let length_ms = i64::try_from(length.as_millis()).unwrap_or(i64::MAX).max(SLOTS);
        Self { length_ms, slots: Vec::new() }
    }

    /// How many of `limit` are left at this moment.
    pub(crate) fn room(&self, limit: u32, now_ms: i64) -> u32 {
        limit.saturating_sub(self.counted(now_ms))
    }

    /// Counts so many requests at this moment. They are in the latest slot that anybody has seen: a server whose clock is behind must
    /// not put them where they leave too soon.
    pub(crate) fn add(&mut self, count: u32, now_ms: i64) {
        self.slots.retain(|(slot, _)| self.length_ms > 0 && leaves_ms(*slot, self.length_ms) > now_ms);
        let slot = now_ms.div_euclid(self.slot_ms());
        match self.slots.last_mut() {
            Some((latest, counted)) if *latest >= slot => *counted = counted.saturating_add(count),
            _ => self.slots.push((slot, count)),
        }
    }

    /// The wait until there is room again; nothing where there is some, the whole window where nothing is allowed.
    pub(crate) fn wait(&self, limit: u32, now_ms: i64) -> Duration {
        if limit == 0 {
            return millis(self.length_ms);
        }
        let mut counted = self.counted(now_ms);
        for (slot, count) in &self.slots {
            if counted < limit {
                break;
            }
            let leaves_ms = leaves_ms(*slot, self.length_ms);
            if leaves_ms <= now_ms {
                continue;
            }
            counted = counted.saturating_sub(*count);
            if counted < limit {
                return millis(leaves_ms.saturating_sub(now_ms));
            }
        }
        Duration::ZERO
    }

    fn counted(&self, now_ms: i64) -> u32 {
        let inside = self.slots.iter().filter(|(slot, _)| leaves_ms(*slot, self.length_ms) > now_ms);
        inside.fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    fn slot_ms(&self) -> i64 {
        slot_ms(self.length_ms)
    }
}

fn slot_ms(length_ms: i64) -> i64 {
    (length_ms / SLOTS).max(1)
}

/// When the last moment of a slot has left the window.
fn leaves_ms(slot: i64, length_ms: i64) -> i64 {
    slot.saturating_add(1).saturating_mul(slot_ms(length_ms)).saturating_add(length_ms)
}

fn millis(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn it_slides() {
        let mut window = Window::new(MINUTE);
        window.add(2, 1_000_000);
        window.add(1, 1_030_000);
        assert_eq!((window.room(3, 1_030_000), window.room(4, 1_030_000)), (0, 1));
        // The slot of the first ends at 1,000,200.
        assert_eq!(window.wait(3, 1_030_000), Duration::from_millis(30_200));
        assert_eq!((window.room(3, 1_060_199), window.room(3, 1_060_200)), (0, 2));
        assert_eq!(window.wait(3, 1_060_200), Duration::ZERO);
        assert_eq!(window.wait(1, 1_060_200), Duration::from_millis(30_000));
        assert_eq!(window.wait(0, 1_060_200), MINUTE);
        // A clock that is behind by more than a window.
        window.add(1, 900_000);
        assert_eq!(window.room(9, 1_060_200), 7);
    }

    proptest! {
        /// Against the exact moments: never more than allowed, and never refused for longer than a hundredth of the window.
        #[test]
        fn it_is_the_exact_window_within_a_hundredth(gaps in prop::collection::vec(0_i64..4_000, 1..400), limit in 1_u32..30) {
            let mut window = Window::new(MINUTE);
            let mut now_ms = 1_700_000_000_000;
            let mut let_through: Vec<i64> = Vec::new();
            for gap in gaps {
                now_ms += gap;
                let within = |length_ms: i64| let_through.iter().filter(|at| **at > now_ms - length_ms).count();
                let (exact, longer) = (within(60_000), within(60_600));
                if window.room(limit, now_ms) > 0 {
                    prop_assert!(exact < limit as usize);
                    window.add(1, now_ms);
                    let_through.push(now_ms);
                } else {
                    prop_assert!(longer >= limit as usize);
                    let wait_ms = window.wait(limit, now_ms).as_millis() as i64;
                    prop_assert!(wait_ms > 0 && window.room(limit, now_ms + wait_ms) > 0);
                    prop_assert_eq!(window.room(limit, now_ms + wait_ms - 1), 0);
                }
            }
            prop_assert!(window.slots.len() <= SLOTS as usize + 2);
        }
    }
}

//! A circuit breaker for each upstream (D-15), as a value that servers can share: how often it failed in a row, until when it is left
//! alone, and who tries it after that. It reads no clock.

use serde::{Deserialize, Serialize};

/// Whether an upstream may be asked now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// Ask.
    Go,
    /// Ask, as the only one: what comes of it decides for all. Say so with [`Breaker::probing`] first.
    Probe,
    /// Not before so long.
    Wait {
        /// The rest of the pause, in milliseconds.
        ms: u64,
    },
}

/// The breaker of one upstream. Moments are milliseconds of any clock that all its users read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breaker {
    failures_in_a_row: u32,
    /// Until when it is left alone; `None` while closed.
    open_until_ms: Option<i64>,
    /// Until when somebody tries it.
    probe_until_ms: Option<i64>,
}

impl Breaker {
    /// So many failures in a row open it.
    pub const THRESHOLD: u32 = 5;
    /// So long it stays open, in milliseconds; then one request may try.
    pub const PAUSE_MS: i64 = 15_000;
    /// So long the one that tries has, in milliseconds; then another may.
    pub const PROBE_MS: i64 = 30_000;
    /// So long the others are told to wait while one tries, in milliseconds.
    const BESIDE_A_PROBE_MS: u64 = 1_000;

    /// May the upstream be asked at this moment?
    #[must_use]
    pub fn permit(&self, now_ms: i64) -> Permit {
        let Some(open_until_ms) = self.open_until_ms else { return Permit::Go };
        // A clock that was set back must not keep it open for longer than a pause.
        let left_ms = open_until_ms.saturating_sub(now_ms).min(Self::PAUSE_MS);
        match u64::try_from(left_ms) {
            Ok(ms) if ms > 0 => Permit::Wait { ms },
            _ if self.probe_until_ms.is_some_and(|until_ms| until_ms > now_ms) => {
                Permit::Wait { ms: Self::BESIDE_A_PROBE_MS }
            }
            _ => Permit::Probe,
        }
    }

    /// Whether it is closed: everyone may ask.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.open_until_ms.is_none()
    }

    /// The same with somebody who tries it from now on.
    #[must_use]
    pub fn probing(self, now_ms: i64) -> Self {
        Self { probe_until_ms: Some(now_ms.saturating_add(Self::PROBE_MS)), ..self }
    }

    /// The same after a failure: no connection, no answer in time, or a status of 500 and above.
    #[must_use]
    pub fn failed(self, now_ms: i64) -> Self {
        let failures_in_a_row = self.failures_in_a_row.saturating_add(1);
        let opens = failures_in_a_row >= Self::THRESHOLD;
        let open_until_ms = opens.then(|| now_ms.saturating_add(Self::PAUSE_MS));
        Self { failures_in_a_row, open_until_ms, probe_until_ms: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_is_tried_by_one_and_closes() {
        let mut breaker = Breaker::default();
        for _ in 1..Breaker::THRESHOLD {
            breaker = breaker.failed(100);
            assert_eq!(breaker.permit(100), Permit::Go);
        }
        breaker = breaker.failed(100);
        assert_eq!(breaker.permit(100), Permit::Wait { ms: 15_000 });
        assert_eq!(breaker.permit(15_099), Permit::Wait { ms: 1 });
        assert_eq!(breaker.permit(15_100), Permit::Probe);
        let tried = breaker.probing(15_100);
        assert_eq!(tried.permit(15_101), Permit::Wait { ms: 1_000 });
        // Whoever tried it is gone without a word.
        assert_eq!(tried.permit(15_100 + Breaker::PROBE_MS), Permit::Probe);
        assert_eq!(tried.failed(15_200).permit(15_201), Permit::Wait { ms: 14_999 });
        assert_eq!(tried.permit(-1_000_000), Permit::Wait { ms: 15_000 }, "a clock that was set back");
        assert!(Breaker::default().is_closed() && !tried.is_closed());
    }
}

//! A circuit breaker per endpoint (D-15): one that keeps breaking is left alone for a while, so that
//! every message does not wait for the same three failed attempts.

use protocol::FailureKind;

/// Whether an endpoint may be asked now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// Ask.
    Go,
    /// It broke too often in a row; not before that many milliseconds.
    Wait {
        /// The rest of the pause, in milliseconds.
        ms: u64,
    },
}

/// The breaker of one endpoint; a value, driven by what is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breaker {
    failures_in_a_row: u32,
    /// When it opened, in milliseconds since 1970; `None` while closed.
    opened_at_ms: Option<i64>,
}

impl Breaker {
    /// So many failures in a row open it.
    pub const THRESHOLD: u32 = 5;
    /// So long it stays open, in milliseconds; then one attempt may try.
    pub const PAUSE_MS: u64 = 15_000;

    /// May the endpoint be asked at this moment?
    #[must_use]
    pub fn permit(&self, now_ms: i64) -> Permit {
        let Some(opened_at_ms) = self.opened_at_ms else { return Permit::Go };
        // A clock set back must not keep it open: then the pause counts as over.
        let Ok(passed_ms) = u64::try_from(now_ms.saturating_sub(opened_at_ms)) else { return Permit::Go };
        match Self::PAUSE_MS.checked_sub(passed_ms) {
            None | Some(0) => Permit::Go,
            Some(ms) => Permit::Wait { ms },
        }
    }

    /// The endpoint answered properly.
    pub fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// An attempt failed. Only failures that speak against the endpoint count: a refused request, a
    /// used-up quota or too many requests say that it works.
    pub fn failed(&mut self, kind: FailureKind, now_ms: i64) {
        match kind {
            FailureKind::RetryableNetwork | FailureKind::Overloaded => {
                self.failures_in_a_row = self.failures_in_a_row.saturating_add(1);
                if self.failures_in_a_row >= Self::THRESHOLD {
                    self.opened_at_ms = Some(now_ms);
                }
            }
            FailureKind::RateLimited
            | FailureKind::Validation
            | FailureKind::PermissionDenied
            | FailureKind::ContextLimit
            | FailureKind::CostLimit => self.succeeded(),
            FailureKind::ToolNotFound | FailureKind::Cancelled => {}
        }
    }
}

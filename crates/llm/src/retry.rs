//! Whether to try again, and when (D-15). A pure function of what failed.

use protocol::{Failure, FailureKind};

/// The retry policy. The defaults are what both official SDKs do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetryPolicy {
    /// How often a request is made again after its first attempt.
    pub max_retries: u32,
    /// The first backoff, in milliseconds; it doubles with each attempt.
    pub base_ms: u64,
    /// The longest backoff, in milliseconds.
    pub cap_ms: u64,
    /// The longest wait the other side may ask for, in milliseconds; more than that is told to the
    /// person instead.
    pub longest_wait_ms: u64,
    /// A response that sends nothing for this long counts as cut, in milliseconds. Long, because a
    /// local model may still be loading.
    pub stall_ms: u64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { max_retries: 2, base_ms: 500, cap_ms: 8_000, longest_wait_ms: 60_000, stall_ms: 600_000 }
    }
}

/// What to do about a failed attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Wait that long, then try again.
    Retry {
        /// The wait in milliseconds.
        after_ms: u64,
    },
    /// Tell the person.
    GiveUp(Failure),
}

impl RetryPolicy {
    /// Decides about attempt number `attempt` (from 1), which ended in `failure`. `jitter` is from 0
    /// to 1 and takes up to a quarter off the backoff; a wait the other side asked for is kept exactly.
    #[must_use]
    pub fn decide(&self, attempt: u32, failure: &Failure, jitter: f64) -> Decision {
        if attempt > self.max_retries || !worth_retrying(failure.kind) {
            return Decision::GiveUp(failure.clone());
        }
        match failure.retry_after_ms {
            Some(asked_ms) if asked_ms > self.longest_wait_ms => {
                let mut told = failure.clone();
                told.message = format!("{} Try again in about {}.", told.message, in_words(asked_ms));
                Decision::GiveUp(told)
            }
            Some(asked_ms) => Decision::Retry { after_ms: asked_ms },
            None => {
                let doubled = self.base_ms.saturating_mul(1_u64 << (attempt - 1).min(32));
                let backoff = doubled.min(self.cap_ms) as f64;
                let after_ms = (backoff * (1.0 - 0.25 * jitter.clamp(0.0, 1.0))).round() as u64;
                Decision::Retry { after_ms }
            }
        }
    }
}

fn worth_retrying(kind: FailureKind) -> bool {
    match kind {
        FailureKind::RetryableNetwork | FailureKind::RateLimited | FailureKind::Overloaded => true,
        FailureKind::Validation
        | FailureKind::ToolNotFound
        | FailureKind::PermissionDenied
        | FailureKind::ContextLimit
        | FailureKind::CostLimit
        | FailureKind::Cancelled => false,
    }
}

/// A wait a person can read; always rounded up.
fn in_words(ms: u64) -> String {
    let seconds = ms.div_ceil(1_000);
    match seconds {
        0..=119 => format!("{seconds} seconds"),
        120..=7_199 => format!("{} minutes", seconds.div_ceil(60)),
        _ => format!("{} hours", seconds.div_ceil(3_600)),
    }
}

//! Sliding windows over the requests to models: calls a minute, tokens an hour (S0-59, D-14).
//!
//! Exact: what counts is every call of the last minute and every token of the last hour, and not a bucket that empties at
//! the full hour. Time comes in as milliseconds of a clock that only goes forward, so that no change of the clock on the wall
//! lets anything through, or keeps it out.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// One minute, in milliseconds.
const MINUTE_MS: u64 = 60_000;

/// One hour, in milliseconds.
const HOUR_MS: u64 = 3_600_000;

/// How much may be asked. None is as much as one likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rates {
    /// Requests in any minute.
    pub calls_per_minute: Option<u32>,
    /// Tokens in any hour, requests and answers together.
    pub tokens_per_hour: Option<u64>,
}

impl Default for Rates {
    /// What the documents say (S0-59).
    fn default() -> Self {
        Self { calls_per_minute: Some(60), tokens_per_hour: Some(100_000) }
    }
}

/// Why a request may not be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// It may in so many milliseconds, if nothing else is asked until then.
    Ms(u64),
    /// Never: it alone is more than is allowed in an hour, or nothing is allowed.
    Forever,
}

/// The windows (`ThrottleManager`, S0-59). A value: whoever holds it tells it what happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Throttle {
    /// The requests of the last hour: when, and how many tokens, as estimated until the answer said it.
    calls: VecDeque<(u64, u64)>,
    /// How many were forgotten because they are older; numbers the ones above.
    forgotten: u64,
}

/// A request that was let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admitted(u64);

impl Throttle {
    /// Lets a request of so many tokens through at this moment, or says when to come back. One that is not let through
    /// does not count. (`check_rate_limit` and `should_throttle`, S0-59.)
    ///
    /// # Errors
    /// How long to wait.
    pub fn admit(&mut self, now_ms: u64, tokens: u64, rates: Rates) -> Result<Admitted, Wait> {
        self.forget(now_ms);
        let mut wait_ms = 0;
        if let Some(limit) = rates.calls_per_minute {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            if limit == 0 {
                return Err(Wait::Forever);
            }
            // The one that has to leave the window before there is room for another.
            if let Some((at_ms, _)) = self.calls.len().checked_sub(limit).and_then(|at| self.calls.get(at)) {
                wait_ms = (at_ms + MINUTE_MS).saturating_sub(now_ms);
            }
        }
        if let Some(limit) = rates.tokens_per_hour {
            let Some(room) = limit.checked_sub(tokens) else { return Err(Wait::Forever) };
            let mut used: u64 = self.calls.iter().map(|(_, tokens)| tokens).sum();
            for (at_ms, tokens) in &self.calls {
                if used <= room {
                    break;
                }
                used -= tokens;
                wait_ms = wait_ms.max((at_ms + HOUR_MS).saturating_sub(now_ms));
            }
        }
        if wait_ms > 0 {
            return Err(Wait::Ms(wait_ms));
        }
        self.calls.push_back((now_ms, tokens));
        Ok(Admitted(self.forgotten + self.calls.len() as u64 - 1))
    }

    /// The tokens that a request had in the end (`record_call`, S0-59). One that is older than an hour no longer matters.
    pub fn record(&mut self, admitted: Admitted, tokens: u64) {
        let at = admitted.0.checked_sub(self.forgotten).and_then(|at| usize::try_from(at).ok());
        if let Some(call) = at.and_then(|at| self.calls.get_mut(at)) {
            call.1 = tokens;
        }
    }

    fn forget(&mut self, now_ms: u64) {
        while self.calls.front().is_some_and(|(at_ms, _)| at_ms + HOUR_MS <= now_ms) {
            self.calls.pop_front();
            self.forgotten += 1;
        }
    }
}

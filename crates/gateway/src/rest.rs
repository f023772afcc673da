//! An upstream that keeps breaking is left alone for a while (D-15), whichever client asks: nobody waits for the same failure
//! again, and what is busy gets time to recover.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::chat::ProviderError;
use llm::{Breaker, Permit};
use protocol::FailureKind;

use crate::limits::Refused;

/// The breakers of all upstreams, by their names.
pub(crate) struct Rests {
    started: Instant,
    breakers: Mutex<BTreeMap<String, Breaker>>,
}

impl Default for Rests {
    fn default() -> Self {
        Self { started: Instant::now(), breakers: Mutex::default() }
    }
}

impl Rests {
    /// Whether an upstream may be asked now.
    pub(crate) fn permit(&self, upstream: &str) -> Result<(), Refused> {
        let breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        match breakers.get(upstream).map_or(Permit::Go, |breaker| breaker.permit(self.now_ms())) {
            Permit::Go => Ok(()),
            Permit::Wait { ms } => {
                let seconds = ms.div_ceil(1_000);
                let message = format!(
                    "The upstream \"{upstream}\" failed several times in a row and is left alone for {seconds} more seconds."
                );
                let error = ProviderError { status: 503, kind: "upstream_left_alone", message, param: None };
                Err(Refused { error, wait: Duration::from_millis(ms) })
            }
        }
    }

    /// What an upstream answered: its status, or that it did not.
    pub(crate) fn record(&self, upstream: &str, status: u16) {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        let breaker = breakers.entry(upstream.to_owned()).or_default();
        // A refusal says that it works.
        if status < 500 {
            breaker.succeeded()
        } else {
            breaker.failed(FailureKind::Overloaded, self.now_ms())
        }
    }

    /// By a clock that nothing sets back.
    fn now_ms(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

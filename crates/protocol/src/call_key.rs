//! The idempotency key of a call.

use std::fmt;
use std::str::FromStr;

use crate::{CallId, RunId};

/// The idempotency key of a call that a model asked for: asking again under it never does the thing twice. As text, which is how
/// it travels and how a journal keeps it, it is `run:call`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallKey {
    run: RunId,
    call: CallId,
}

impl CallKey {
    /// The key of a call of a run. A run's id has no colon in it.
    #[must_use]
    pub fn new(run: &RunId, call: &CallId) -> Self {
        Self { run: run.clone(), call: call.clone() }
    }

    /// The run the call belongs to.
    #[must_use]
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// The call's id within its run.
    #[must_use]
    pub fn call(&self) -> &CallId {
        &self.call
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.run, self.call)
    }
}

/// A text is the key of no run's call: there are others, of calls by hand and of programs outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACallKey;

impl fmt::Display for NotACallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("This is not the key of a run's call.")
    }
}

impl std::error::Error for NotACallKey {}

impl FromStr for CallKey {
    type Err = NotACallKey;

    fn from_str(text: &str) -> Result<Self, NotACallKey> {
        // A model's id for a call may have colons in it.
        let (run, call) = text.split_once(':').ok_or(NotACallKey)?;
        Ok(Self { run: RunId(run.to_owned()), call: CallId(call.to_owned()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_is_written() {
        let (run, call) = (RunId("run_1".to_owned()), CallId("functions.list:0".to_owned()));
        let key = CallKey::new(&run, &call);
        assert_eq!(key.to_string(), "run_1:functions.list:0");
        let read: CallKey = key.to_string().parse().unwrap();
        assert_eq!((&read, read.run(), read.call()), (&key, &run, &call));
        assert_eq!("hand_5f".parse::<CallKey>(), Err(NotACallKey));
    }
}

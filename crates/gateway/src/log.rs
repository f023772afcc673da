//! One line per request: what was asked, how it ended, how long it took. No bodies, no query, no
//! headers: nothing a key or a conversation could stand in.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

/// A sink for lines of the log; cheap to clone.
#[derive(Clone)]
pub struct Log(Arc<dyn Fn(&str) + Send + Sync>);

impl Log {
    /// A log on standard error, one line for each request.
    #[must_use]
    pub fn stderr() -> Self {
        // A closed pipe is no reason to stop serving, so the result is dropped.
        Self(Arc::new(|line| drop(writeln!(std::io::stderr().lock(), "{line}"))))
    }

    /// Into a list, for tests.
    #[must_use]
    pub fn memory() -> (Self, Arc<Mutex<Vec<String>>>) {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&lines);
        let log = move |line: &str| kept.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
        (Self(Arc::new(log)), lines)
    }

    /// A log that drops every line.
    #[must_use]
    pub fn silent() -> Self {
        Self(Arc::new(|_| {}))
    }

    pub(crate) fn line(&self, line: &str) {
        (self.0)(line);
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Log")
    }
}

/// How requests are logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lines {
    /// The form of a line.
    pub format: LineFormat,
    /// How a client is named in lines of JSON.
    pub client: ClientName,
}

/// The form of a request's line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineFormat {
    /// No lines for requests.
    Off,
    /// `method=… path=… status=… head_ms=…`, when the answer's head is known.
    #[default]
    Text,
    /// A JSON object, when the answer has ended.
    Json,
}

/// How a client is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClientName {
    /// Not at all.
    Off,
    /// By a hash that is another one at each start: who is the same is seen, who it is is not.
    #[default]
    Hash,
    /// By the address.
    Address,
}

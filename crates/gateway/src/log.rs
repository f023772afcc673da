//! One line per request: what was asked, how it ended, how long it took. No bodies, no query, no
//! headers: nothing a key or a conversation could stand in.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

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

/// Writes the line once the head of the answer is known; a stream goes on after it.
pub(crate) async fn requests(State(log): State<Log>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    // A path is foreign text: one line, no control characters, not too long.
    let path: String = request.uri().path().chars().filter(|c| !c.is_control()).take(200).collect();
    let response = next.run(request).await;
    let (status, head_ms) = (response.status().as_u16(), started.elapsed().as_millis());
    log.line(&format!("method={method} path={path} status={status} head_ms={head_ms}"));
    response
}

//! An answer as it comes, in messages: one JSON body, or a stream of events. Bounded in bytes and in silence.

use std::rc::Rc;

use futures::StreamExt;
use futures::future::{Either, select};
use llm::{ByteStream, Frames, HttpResponse, Timer, TransportError};
use serde_json::Value;

use crate::{Limits, RemoteError};

/// The messages of one answer.
pub struct Reply {
    body: ByteStream,
    timer: Rc<dyn Timer>,
    limits: Limits,
    taken: usize,
    frames: Option<Frames>,
    /// Messages that came in one body (batches of 2025-03-26), the last one first.
    waiting: Vec<Value>,
    done: bool,
}

impl Reply {
    /// The answer whose head is here.
    pub fn new(response: HttpResponse, timer: Rc<dyn Timer>, limits: Limits) -> Self {
        let kind = header(&response.headers, "content-type").unwrap_or_default();
        let is_stream = kind.to_ascii_lowercase().starts_with("text/event-stream");
        Self {
            body: response.body,
            timer,
            limits,
            taken: 0,
            frames: is_stream.then(Frames::default),
            waiting: Vec::new(),
            done: false,
        }
    }

    /// The next message; none when the answer is over.
    ///
    /// # Errors
    /// [`RemoteError::TooMuch`], [`RemoteError::TooSlow`], [`RemoteError::Unreachable`] where it breaks off,
    /// [`RemoteError::NotMcp`] for what is no JSON.
    pub async fn next(&mut self) -> Result<Option<Value>, RemoteError> {
        loop {
            if let Some(message) = self.waiting.pop() {
                return Ok(Some(message));
            }
            if self.done {
                return Ok(None);
            }
            if self.frames.is_some() { self.take_event().await? } else { self.take_body().await? }
        }
    }

    /// Where a stream that broke off goes on, and after how many milliseconds. A place that no header can hold is none.
    pub fn resume_at(&self) -> Option<(String, u64)> {
        let frames = self.frames.as_ref()?;
        let id = frames.last_id().filter(|id| id.bytes().all(|byte| (0x20..0x7f).contains(&byte)))?;
        Some((id.to_owned(), frames.retry_ms().unwrap_or(1_000)))
    }

    async fn take_event(&mut self) -> Result<(), RemoteError> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        while let Some(data) = frames.next() {
            // The first event of a stream that can be resumed carries nothing but its id.
            if data.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            self.waiting = messages(data)?;
            if !self.waiting.is_empty() {
                return Ok(());
            }
        }
        match self.part().await? {
            Some(bytes) => {
                if let Some(frames) = &mut self.frames {
                    frames.push(&bytes);
                }
            }
            None => self.done = true,
        }
        Ok(())
    }

    async fn take_body(&mut self) -> Result<(), RemoteError> {
        let mut body = Vec::new();
        while let Some(bytes) = self.part().await? {
            body.extend_from_slice(&bytes);
        }
        self.done = true;
        if !body.iter().all(u8::is_ascii_whitespace) {
            self.waiting = messages(&body)?;
        }
        Ok(())
    }

    async fn part(&mut self) -> Result<Option<Vec<u8>>, RemoteError> {
        let part = within(&*self.timer, self.limits.quiet_ms, self.body.next()).await?;
        match part {
            None => Ok(None),
            Some(Err(error)) => Err(RemoteError::Unreachable(error)),
            Some(Ok(bytes)) => {
                self.taken = self.taken.saturating_add(bytes.len());
                if self.taken > self.limits.answer_bytes {
                    return Err(RemoteError::TooMuch("an answer that is too long"));
                }
                Ok(Some(bytes))
            }
        }
    }
}

/// What a future gives within so many milliseconds.
///
/// # Errors
/// [`RemoteError::TooSlow`].
pub async fn within<T>(
    timer: &dyn Timer,
    ms: u64,
    future: impl Future<Output = T>,
) -> Result<T, RemoteError> {
    match select(Box::pin(future), timer.sleep(ms)).await {
        Either::Left((done, _)) => Ok(done),
        Either::Right(((), _)) => Err(RemoteError::TooSlow),
    }
}

/// The value of a header.
pub fn header<'a>(headers: &'a llm::Headers, name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// Whether an answer broke off, and did not merely end.
pub fn is_cut(error: &RemoteError) -> bool {
    matches!(error, RemoteError::Unreachable(TransportError::Cut(_)))
}

/// The messages of a text, the last one first.
fn messages(text: &[u8]) -> Result<Vec<Value>, RemoteError> {
    let value: Value = serde_json::from_slice(text)
        .map_err(|_not_json| RemoteError::NotMcp("the answer is not JSON".into()))?;
    match value {
        Value::Array(mut batch) => {
            batch.reverse();
            Ok(batch)
        }
        one => Ok(vec![one]),
    }
}

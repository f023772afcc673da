//! An answer that comes as a stream of messages (Server-Sent Events).

use std::pin::Pin;
use std::task::{Context, Poll};

use futures::channel::mpsc::UnboundedReceiver;
use futures::future::LocalBoxFuture;
use futures::stream::{LocalBoxStream, Stream, StreamExt};

/// JSON-RPC messages on their way to one client. The adapter sends each as an event ([`Events::frame`]) and ends the
/// response when there are no more; dropping this is how it says that the client is gone.
pub struct Events(LocalBoxStream<'static, String>);

impl Events {
    pub(crate) fn new(messages: impl Stream<Item = String> + 'static) -> Self {
        Self(messages.boxed_local())
    }

    /// The next message; None at the end.
    pub async fn next(&mut self) -> Option<String> {
        self.0.next().await
    }

    /// A message as an event of a `text/event-stream`.
    #[must_use]
    pub fn frame(message: &str) -> String {
        // JSON text has no line breaks of its own.
        format!("event: message\ndata: {message}\n\n")
    }
}

impl Stream for Events {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<String>> {
        self.0.poll_next_unpin(context)
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Events")
    }
}

/// What is done with a call whose client has gone before its end.
type Abandon = Box<dyn FnOnce(LocalBoxFuture<'static, Option<String>>)>;

/// A call and what it says while it runs: first every notification, then the answer, then nothing.
pub(crate) struct Running {
    work: Option<LocalBoxFuture<'static, Option<String>>>,
    notices: UnboundedReceiver<String>,
    answer: Option<String>,
    abandon: Option<Abandon>,
}

impl Running {
    /// `work` gives the answer, or None where none is due.
    pub(crate) fn new(
        work: LocalBoxFuture<'static, Option<String>>,
        notices: UnboundedReceiver<String>,
        abandon: impl FnOnce(LocalBoxFuture<'static, Option<String>>) + 'static,
    ) -> Self {
        Self { work: Some(work), notices, answer: None, abandon: Some(Box::new(abandon)) }
    }

    /// Whether the answer was given, so that nothing more comes.
    pub(crate) fn is_over(&self) -> bool {
        self.work.is_none() && self.answer.is_none()
    }
}

impl Stream for Running {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<String>> {
        if let Poll::Ready(Some(notice)) = self.notices.poll_next_unpin(context) {
            return Poll::Ready(Some(notice));
        }
        if let Some(work) = &mut self.work {
            if let Poll::Ready(answer) = work.as_mut().poll(context) {
                self.work = None;
                self.answer = answer;
            }
            // It may have said something just now.
            if let Poll::Ready(Some(notice)) = self.notices.poll_next_unpin(context) {
                return Poll::Ready(Some(notice));
            }
            if self.work.is_some() {
                return Poll::Pending;
            }
        }
        // Who still holds the caller has nothing to say any longer.
        self.notices.close();
        Poll::Ready(self.answer.take())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let (Some(work), Some(abandon)) = (self.work.take(), self.abandon.take()) {
            abandon(work);
        }
    }
}

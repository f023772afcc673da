//! Streams out: bytes with what must live as long as they do.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures::{Stream, StreamExt};
use tokio::sync::watch;

use crate::limits::Place;

/// Turns true when running streams must end.
#[derive(Clone)]
pub(crate) struct Deadline(pub(crate) watch::Receiver<bool>);

impl Deadline {
    async fn passed(mut self) {
        // An error means that the server is gone, which is the same.
        drop(self.0.wait_for(|passed| *passed).await);
    }
}

/// A body over a stream: the place is given back when it ends, and at the deadline it is cut, as an
/// error, so that nobody takes it for complete.
pub(crate) fn body<S, E>(stream: S, place: Place, deadline: Deadline) -> Body
where
    S: Stream<Item = Result<Bytes, E>> + Send + 'static,
    E: std::error::Error + Send + Sync + 'static,
{
    let cut = futures::stream::once(deadline.passed()).map(|()| Err(Cut::Stopping));
    let stream = stream.map(|chunk| chunk.map_err(|error| Cut::Upstream(error.to_string())));
    // The end of the stream ends the body; the deadline's error does too, since hyper stops there.
    let ended = stream.map(Some).chain(futures::stream::iter([None]));
    let both = futures::stream::select(ended, cut.map(Some));
    let held = both.take_while(|item| std::future::ready(item.is_some())).filter_map(move |item| {
        let _held = &place;
        std::future::ready(item)
    });
    Body::from_stream(held)
}

#[derive(Debug, thiserror::Error)]
enum Cut {
    #[error("the upstream broke off: {0}")]
    Upstream(String),
    #[error("the gateway stops")]
    Stopping,
}

/// The built-in model's chunks, in real time: a short pause before each, as a stream has.
pub(crate) fn paced(chunks: Vec<String>) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    const PAUSE: Duration = Duration::from_millis(4);
    futures::stream::iter(chunks).then(|chunk| async move {
        tokio::time::sleep(PAUSE).await;
        Ok(Bytes::from(chunk))
    })
}

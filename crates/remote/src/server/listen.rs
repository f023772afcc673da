//! What a server with sessions says on its own (2025-11-25, basic/transports, "listening for messages from the
//! server"). A question to the person may come there, although it is about a call: so while a call is under way and
//! somebody is there to answer, it is listened to.

use std::convert::Infallible;
use std::pin::pin;
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::{Either, pending, select};

use super::Server;
use super::beside::Beside;
use super::handshake::Spoken;
use crate::reply::{Reply, within};
use crate::{Limits, RemoteError};

/// How long a call waits for the server to lend its ear, in milliseconds. Some say nothing before they have something
/// to say; others throw away what nobody listens to.
const OPEN_MS: u64 = 1_000;

impl Server {
    /// Does some work, and answers meanwhile what the server asks on its own.
    pub(super) async fn meanwhile<T>(
        &self,
        work: impl Future<Output = Result<T, RemoteError>>,
        beside: &Beside<'_>,
    ) -> Result<T, RemoteError> {
        let spoken = self.greeted().await?;
        if self.person.is_none() || spoken.session.is_none() || self.is_silent.get() {
            return work.await;
        }
        let (opened, is_open) = oneshot::channel();
        let work = async {
            // Whether it listens or never will: both are for the work to find out.
            drop(within(&*self.timer, OPEN_MS, is_open).await);
            work.await
        };
        match select(pin!(work), pin!(self.listen(&spoken, opened, beside))).await {
            Either::Left((done, _)) => done,
            Either::Right((never, _)) => match never {},
        }
    }

    /// Listens until it is dropped, and says when it begins to. A stream that ends goes on where it ended, if it can.
    async fn listen(&self, spoken: &Spoken, opened: oneshot::Sender<()>, beside: &Beside<'_>) -> Infallible {
        let mut opened = Some(opened);
        let mut at: Option<(String, u64)> = None;
        for _ in 0..=self.limits.resumes {
            let mut reply = match self.opened(spoken, at.as_ref().map(|(event, _)| event.as_str())).await {
                Ok(reply) => reply,
                Err(error) => {
                    // Without such a stream, it need not be asked for one before every call.
                    self.is_silent.set(error == RemoteError::Status(405));
                    break;
                }
            };
            // Nobody waits for it any more when it opens late, or again.
            if let Some(opened) = opened.take() {
                opened.send(()).ok();
            }
            while let Ok(Some(message)) = reply.next().await {
                // An answer the server does not take is its loss, and so is what it asks beyond the bound.
                drop(self.heard(&message, 0, Some(spoken), beside).await);
            }
            at = reply.resume_at().or(at);
            let Some((_, wait_ms)) = &at else { break };
            self.timer.sleep((*wait_ms).min(self.limits.start_ms)).await;
        }
        drop(opened);
        pending().await
    }

    /// The server's own stream, on from an event or from now on. As long as a call takes it may say nothing.
    async fn opened(&self, spoken: &Spoken, event: Option<&str>) -> Result<Reply, RemoteError> {
        let response = self.get(spoken, event).await?;
        if response.status != 200 {
            return Err(RemoteError::Status(response.status));
        }
        let limits = Limits { quiet_ms: self.limits.call_ms, ..self.limits };
        Ok(Reply::new(response, Rc::clone(&self.timer), limits))
    }
}

//! What a server with sessions says on its own (2025-11-25, basic/transports, "listening for messages from the
//! server"). A question to the person may come there, although it is about a call: so while a call is under way and
//! somebody is there to answer, it is listened to.

use std::convert::Infallible;
use std::pin::pin;
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::{Either, pending, select};

use super::Server;
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
        match select(pin!(work), pin!(self.listen(&spoken, opened))).await {
            Either::Left((done, _)) => done,
            Either::Right((never, _)) => match never {},
        }
    }

    /// Listens until it is dropped, and says when it begins to. A stream that ends goes on where it ended, if it can.
    async fn listen(&self, spoken: &Spoken, opened: oneshot::Sender<()>) -> Infallible {
        let mut opened = Some(opened);
        let mut event: Option<String> = None;
        for _ in 0..=self.limits.resumes {
            let mut reply = match self.opened(spoken, event.as_deref(), self.listening()).await {
                Ok(reply) => reply,
                Err(error) => {
                    // Without such a stream, it need not be asked for one before every call.
                    self.is_silent.set(error == RemoteError::Status(405));
                    break;
                }
            };
            // Nobody waits for it any more when it opens late, or again.
            let _ = opened.take().map(|opened| opened.send(()));
            while let Ok(Some(message)) = reply.next().await {
                // An answer the server does not take is its loss.
                drop(self.heard(&message, 0, Some(spoken), None).await);
            }
            let Some((last, wait_ms)) = reply.resume_at() else { break };
            event = Some(last);
            self.timer.sleep(wait_ms.min(self.limits.start_ms)).await;
        }
        drop(opened);
        pending().await
    }

    /// A stream of what may never be said is silent as long as a call takes.
    fn listening(&self) -> Limits {
        Limits { quiet_ms: self.limits.call_ms, ..self.limits }
    }

    /// A stream of the server's, on from an event or from now on.
    pub(super) async fn opened(
        &self,
        spoken: &Spoken,
        event: Option<&str>,
        limits: Limits,
    ) -> Result<Reply, RemoteError> {
        let response = self.get(spoken, event).await?;
        if response.status != 200 {
            return Err(RemoteError::Status(response.status));
        }
        Ok(Reply::new(response, Rc::clone(&self.timer), limits))
    }
}

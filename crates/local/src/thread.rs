//! A server on a thread of its own, and a handle to it for everybody else.

use std::thread;

use mcp::{Body, Headers, Host, HttpIn, HttpOut, Server};
use tokio::sync::{mpsc, oneshot};
use tokio::task::LocalSet;

/// How many events wait for a client that reads slowly, before the server waits too.
const EVENTS: usize = 16;

/// An answer on its way to a client.
pub(crate) struct Answer {
    pub status: u16,
    pub headers: Headers,
    pub body: Content,
}

/// What an answer holds.
pub(crate) enum Content {
    Whole(Vec<u8>),
    /// JSON-RPC messages. Dropping the receiver tells the server that the client is gone.
    Events(mpsc::Receiver<String>),
}

enum Job {
    Answer(HttpIn, oneshot::Sender<Answer>),
    /// Ends what only listens: it has no end of its own.
    EndStreams,
    /// Does what is to be done before the process ends.
    Close(oneshot::Sender<()>),
}

/// Why there is no server on a thread of its own.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system gave no thread, or no runtime for it.
    #[error("no thread for the server: {0}")]
    Thread(#[source] std::io::Error),
    /// The server could not be made: a folder that cannot be read, say.
    #[error("{0}")]
    Server(Box<dyn std::error::Error + Send + Sync>),
    /// The thread ended before it said anything.
    #[error("the server's thread ended")]
    Ended,
}

/// A way to a server that runs on another thread. Clones reach the same one.
#[derive(Clone)]
pub struct Handle {
    jobs: mpsc::UnboundedSender<Job>,
}

impl Handle {
    /// Starts a thread and makes a server on it. The thread ends with the last handle.
    ///
    /// # Errors
    /// [`StartError`]; nothing is left running then.
    pub async fn start<H, M, F, E>(make: M) -> Result<Self, StartError>
    where
        H: Host + 'static,
        M: FnOnce() -> F + Send + 'static,
        F: Future<Output = Result<Server<H>, E>>,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (jobs, mut waiting) = mpsc::unbounded_channel::<Job>();
        let (made, is_made) = oneshot::channel();
        let spawned = thread::Builder::new().name("tools".into()).spawn(move || {
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(made.send(Err(StartError::Thread(error)))),
            };
            let work = async move {
                let server = match make().await {
                    Ok(server) => server,
                    Err(why) => return drop(made.send(Err(StartError::Server(why.into())))),
                };
                if made.send(Ok(())).is_err() {
                    return;
                }
                let watching = tokio::task::spawn_local(crate::watch(server.clone()));
                while let Some(job) = waiting.recv().await {
                    let (request, reply) = match job {
                        Job::Answer(request, reply) => (request, reply),
                        Job::Close(closed) => {
                            server.host().close().await;
                            // Who asked may have gone.
                            closed.send(()).ok();
                            continue;
                        }
                        Job::EndStreams => {
                            server.end_streams();
                            continue;
                        }
                    };
                    let server = server.clone();
                    tokio::task::spawn_local(async move { answer(&server, request, reply).await });
                }
                watching.abort();
                server.end_streams();
            };
            LocalSet::new().block_on(&runtime, work);
        });
        spawned.map_err(StartError::Thread)?;
        is_made.await.unwrap_or(Err(StartError::Ended))?;
        Ok(Self { jobs })
    }

    /// The server's answer; None when its thread has ended.
    pub(crate) async fn answer(&self, request: HttpIn) -> Option<Answer> {
        let (reply, answer) = oneshot::channel();
        self.jobs.send(Job::Answer(request, reply)).ok()?;
        answer.await.ok()
    }

    /// Does what is to be done before the process ends: the second copy and the snapshot of what was written.
    pub async fn close(&self) {
        let (closed, is_closed) = oneshot::channel();
        if self.jobs.send(Job::Close(closed)).is_ok() {
            // A thread that has ended has nothing to do any more.
            drop(is_closed.await);
        }
    }

    /// Says to whoever listens that this is the end.
    pub(crate) fn end_streams(&self) {
        // A thread that has ended has said so already.
        drop(self.jobs.send(Job::EndStreams));
    }
}

async fn answer<H: Host + 'static>(server: &Server<H>, request: HttpIn, reply: oneshot::Sender<Answer>) {
    let HttpOut { status, headers, body } = server.handle(request).await;
    let mut events = match body {
        Body::Empty => return drop(reply.send(Answer { status, headers, body: Content::Whole(Vec::new()) })),
        Body::Full(bytes) => {
            return drop(reply.send(Answer { status, headers, body: Content::Whole(bytes) }));
        }
        Body::Events(events) => events,
    };
    let (sender, receiver) = mpsc::channel(EVENTS);
    if reply.send(Answer { status, headers, body: Content::Events(receiver) }).is_err() {
        return;
    }
    loop {
        tokio::select! {
            // The client is gone: dropping the events says so to the server.
            () = sender.closed() => return,
            message = events.next() => match message {
                Some(message) => if sender.send(message).await.is_err() { return },
                None => return,
            },
        }
    }
}

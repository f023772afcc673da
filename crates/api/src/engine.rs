//! The threads behind the server. Agent, tools and journals are for one thread; each owner lives on one, and is asked from everywhere.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use futures::future::{LocalBoxFuture, join_all};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{LocalSet, spawn_local};

use crate::cluster::Opens;
use crate::owner::{Common, Owner};
use crate::problem::{Code, Refusal};

/// The most threads there are. They wait for the disk and for models more than they work.
const MOST_THREADS: usize = 4;

/// How long a thread has to end. One that reads without a pause, or waits for a disk that does not answer, is ended with the process.
const CLOSING: Duration = Duration::from_secs(5);

/// Held while a server uses a folder.
const LOCK: &str = "api.lock";

/// The owners of a thread, by their places.
type Owners = Rc<RefCell<BTreeMap<usize, Rc<Owner>>>>;

enum Job {
    Do(Box<dyn FnOnce(&Owners) + Send>),
    /// Ends the thread. What runs is gone on with by the next process.
    Close,
}

/// A thread of owners.
struct Thread {
    jobs: mpsc::UnboundedSender<Job>,
    /// Resolves when it has ended, however that was. None once it was waited for.
    ended: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Thread {
    /// Ends it, after what is to be done before the process ends; false where it did not end in time.
    async fn close(&self) -> bool {
        // A thread that has ended has nothing to do any more.
        drop(self.jobs.send(Job::Close));
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        match ended {
            // One that broke off has said why: all that is sent is that it is over.
            Some(ended) => tokio::time::timeout(CLOSING, ended).await.is_ok(),
            None => true,
        }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another server uses the folder.
    #[error("{0}: another server uses this folder")]
    InUse(PathBuf),
    /// The folder cannot be used, or something in it cannot be read.
    #[error("cannot open {folder}: {reason}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The address cannot be had.
    #[error("cannot use {address}: {error}")]
    Address {
        /// The address that was asked for.
        address: std::net::SocketAddr,
        /// The system's error.
        error: std::io::Error,
    },
    /// The system gave no thread, or no runtime for it.
    #[error("no thread for the sessions: {0}")]
    Thread(std::io::Error),
}

/// A way to all owners. Clones reach the same ones.
#[derive(Clone)]
pub(crate) struct Engine {
    threads: Arc<[Thread]>,
    /// Held as long as anybody may ask; each thread holds it too, as long as it may write. None where nothing is kept in a folder.
    _lock: Option<Arc<File>>,
}

impl Engine {
    /// Starts threads for so many owners, who are opened one by one. The folder is kept from other servers where there is one.
    ///
    /// # Errors
    /// [`StartError`]; nothing is left running then.
    pub(crate) async fn start(folder: Option<&Path>, owners: usize) -> Result<Self, StartError> {
        let lock = folder.map(lock).transpose()?.map(Arc::new);
        let count = thread::available_parallelism().map_or(1, usize::from).clamp(1, MOST_THREADS);
        let mut threads = Vec::new();
        for _ in 0..count.min(owners).max(1) {
            match start_thread(lock.clone()).await {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    join_all(threads.iter().map(Thread::close)).await;
                    return Err(error);
                }
            }
        }
        Ok(Self { threads: threads.into(), _lock: lock })
    }

    /// Opens an owner, and goes on with what they have open.
    ///
    /// # Errors
    /// What is wrong with what is kept, in words.
    pub(crate) async fn open(&self, owner: usize, opens: Opens, common: Common) -> Result<(), String> {
        let (reply, answer) = oneshot::channel();
        let job = Job::Do(Box::new(move |owners: &Owners| {
            let owners = Rc::clone(owners);
            spawn_local(async move {
                let opened = async { Owner::open(opens().await?, &common).await };
                let opened = opened.await.map_err(|error| error.to_string());
                let opened = opened.map(|opened| drop(owners.borrow_mut().insert(owner, opened)));
                // Nobody waits for it where the server was given up meanwhile.
                drop(reply.send(opened));
            });
        }));
        let ended = || "its thread has ended".to_owned();
        self.thread(owner).and_then(|thread| thread.jobs.send(job).ok()).ok_or_else(ended)?;
        answer.await.unwrap_or_else(|_ended| Err(ended()))
    }

    /// Lets go of an owner that another process has. What still is asked of them is answered with `Stopping`.
    pub(crate) fn leave(&self, owner: usize) {
        let job = Job::Do(Box::new(move |owners: &Owners| {
            if let Some(owner) = owners.borrow_mut().remove(&owner) {
                owner.leave();
            }
        }));
        // A thread that has ended has none.
        drop(self.thread(owner).map(|thread| thread.jobs.send(job)));
    }

    fn thread(&self, owner: usize) -> Option<&Thread> {
        owner.checked_rem(self.threads.len()).and_then(|place| self.threads.get(place))
    }

    /// Asks an owner for something. It is done also when nobody waits for the answer any more.
    ///
    /// # Errors
    /// `Stopping`.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        owner: usize,
        what: impl FnOnce(Rc<Owner>) -> LocalBoxFuture<'static, T> + Send + 'static,
    ) -> Result<T, Refusal> {
        let stopping =
            || Refusal::new(Code::Stopping, "The server is stopping. Try again in a moment.").after(5);
        let (reply, answer) = oneshot::channel();
        let job = Job::Do(Box::new(move |owners: &Owners| {
            if let Some(owner) = owners.borrow().get(&owner) {
                let owner = Rc::clone(owner);
                let work = what(Rc::clone(&owner));
                spawn_local(async move {
                    let done = work.await;
                    // What was found of an owner that was given up meanwhile is no answer: their sessions look as if they were gone.
                    if !owner.is_left() {
                        drop(reply.send(done));
                    }
                });
            }
        }));
        self.thread(owner).and_then(|thread| thread.jobs.send(job).ok()).ok_or_else(stopping)?;
        answer.await.map_err(|_ended| stopping())
    }

    /// Ends the threads, after what is to be done before the process ends. Nothing is written any more then, unless one of them does
    /// not end in time, which is said.
    pub(crate) async fn close(&self) {
        let ended = join_all(self.threads.iter().map(Thread::close)).await;
        if ended.contains(&false) {
            eprintln!("satchel: a session was still at work; the next start goes on with it");
        }
    }
}

/// Keeps every other server out of a folder, which is made where it is missing.
fn lock(folder: &Path) -> Result<File, StartError> {
    let failed =
        |error: std::io::Error| StartError::Folder { folder: folder.to_owned(), reason: error.to_string() };
    fs::create_dir_all(folder).map_err(failed)?;
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(folder.join(LOCK))
        .map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(StartError::InUse(folder.to_owned())),
        Err(fs::TryLockError::Error(error)) => Err(failed(error)),
    }
}

async fn start_thread(lock: Option<Arc<File>>) -> Result<Thread, StartError> {
    let (jobs, mut waiting) = mpsc::unbounded_channel::<Job>();
    let (made, is_made) = oneshot::channel();
    let (ends, ended) = oneshot::channel::<()>();
    let spawned = thread::Builder::new().name("sessions".into()).spawn(move || {
        // Dropped after all else of this thread, the lock first: whoever hears of the end may open the folder.
        let _ends = ends;
        let _lock = lock;
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(made.send(Err(StartError::Thread(error)))),
        };
        let work = async move {
            let owners = Owners::default();
            if made.send(Ok(())).is_err() {
                return;
            }
            while let Some(job) = waiting.recv().await {
                match job {
                    Job::Do(job) => job(&owners),
                    Job::Close => break,
                }
            }
            let all: Vec<Rc<Owner>> = owners.borrow().values().cloned().collect();
            for owner in all {
                owner.close().await;
            }
        };
        LocalSet::new().block_on(&runtime, work);
    });
    drop(spawned.map_err(StartError::Thread)?);
    let broke = || StartError::Thread(std::io::Error::other("it ended before it began"));
    let thread = Thread { jobs, ended: Mutex::new(Some(ended)) };
    if let Err(error) = is_made.await.unwrap_or_else(|_ended| Err(broke())) {
        // It says so before it has let go of what it had.
        thread.close().await;
        return Err(error);
    }
    Ok(thread)
}

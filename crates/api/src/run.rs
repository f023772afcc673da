//! How a message is answered: the agent's driver over the session's journal, on the thread of its owner.
//!
//! Whoever asked may go, and the process may be killed: what was decided is in the journal, and the next process goes on. A tool's
//! call has a key that says its run and its place, so what was done is not done twice.

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent::{AgentState, Driver, Ending, Entry, EntryBody, Handle, Ids, Log, Ports, Show, Status};
use async_trait::async_trait;
use local::LocalServer;
use protocol::{CallId, CallKey, Failure, FailureKind, RunId, ToolCall, ToolResult, ToolSpec};
use terminal::{HereAbout, HereWithTools, Player, RandomIds, SystemClock, Todos};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc};

use crate::feed::{NO_TOOLS, NOT_STORED};
use crate::kept::Ask;
use crate::money::{Metered, Money};
use crate::options::NowMs;
use crate::problem::NOT_KEPT;
use crate::session::{Reply, Session};
use crate::wire::ErrorType;

/// What is told where something of this server broke off.
const BROKEN: &str =
    "Something in the server broke. Send the message again with the same key; it goes on where it was.";

/// How many runs there may be, over all threads.
pub(crate) struct Places {
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
}

impl Places {
    pub(crate) fn new(running: usize, waiting: usize) -> Self {
        let running = Arc::new(Semaphore::new(running.min(Semaphore::MAX_PERMITS)));
        Self { running, waiting: AtomicUsize::new(0), most_waiting: waiting }
    }

    /// Whether one more may wait.
    pub(crate) fn has_room(&self) -> bool {
        self.running.available_permits() > 0 || self.waiting.load(Ordering::Relaxed) < self.most_waiting
    }

    /// A place, when there is one; who waited longest comes first.
    async fn take(&self) -> Option<OwnedSemaphorePermit> {
        // Counted also where the wait is given up.
        let _waits = Waits::new(&self.waiting);
        // It is never closed.
        Arc::clone(&self.running).acquire_owned().await.ok()
    }
}

struct Waits<'a>(&'a AtomicUsize);

impl<'a> Waits<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a run needs of its owner.
#[derive(Clone)]
pub(crate) struct Means {
    pub server: LocalServer,
    pub player: Player,
    pub money: Rc<Money>,
    pub places: Arc<Places>,
    pub clock: NowMs,
    /// Whether sessions are kept on other machines, which are away for a moment now and then.
    pub is_elsewhere: bool,
}

/// Answers the message that a session has open, and then gives its place back.
pub(crate) async fn run(
    means: Means,
    session: Rc<Session>,
    (run_id, ask): (RunId, Ask),
    mut replies: mpsc::UnboundedReceiver<(CallId, Reply)>,
) {
    let _broke = BreakOffOnPanic(Rc::clone(&session), run_id.clone());
    let mut place = means.places.take().await;
    // The session is in memory: whoever began the run has seen to it.
    let Some(state) = session.feed().map(|feed| feed.state().clone()) else { return session.release() };
    let todos = Rc::new(Todos::over(means.server.clone()));
    let model = Metered::new(means.player.clone(), &means.money, &session, &means.clock);
    let awaiting = Rc::new(Notify::new());
    let log = Rc::new(SessionLog {
        session: Rc::clone(&session),
        money: Rc::clone(&means.money),
        player: means.player.clone(),
        clock: means.clock.clone(),
        is_elsewhere: means.is_elsewhere,
    });
    let (mut driver, handle) = Driver::new(Ports {
        model: Rc::new(model),
        toolbox: Rc::new(ToolsOrNone(Rc::clone(&todos))),
        checker: Rc::new(evidence::checked),
        log: Rc::clone(&log) as Rc<dyn Log>,
        clock: Rc::new(SystemClock),
        ids: Rc::new(RunIds(RefCell::new(run_id.0.strip_prefix("run_").map(str::to_owned)))),
        context_provider: match session.about.subject.clone() {
            Some(subject) => Rc::new(HereAbout { todos: Rc::clone(&todos), subject }),
            None => Rc::new(HereWithTools(Rc::clone(&todos))),
        },
        show: Rc::new(Progress { session: Rc::clone(&session), awaiting: Rc::clone(&awaiting) }),
    });
    let is_begun = session.feed().is_some_and(|feed| feed.run(&run_id).is_some());
    let work = async {
        match ask {
            _ if is_begun => driver.resume(state).await,
            Ask::Say { text } => driver.run_turn(state, text).await,
            Ask::Retry => driver.retry(state).await,
        }
    };
    let mut work = pin!(work);
    // What is decided before the run has come to ask is not heard: one that is picked up again asks again.
    let mut has_asked = false;
    loop {
        tokio::select! {
            _ = &mut work => break,
            () = awaiting.notified() => {
                // Whoever waits for a person leaves the place to others.
                if session.is_left_to_person() {
                    place = None;
                }
                has_asked = true;
                let calls = session.feed().map(|feed| feed.without_preview()).unwrap_or_default();
                for record in calls {
                    let preview = todos.preview(&record.call).await;
                    session.preview(record.call.id, preview, means.clock.now_ms()).await;
                }
            }
            Some((call_id, reply)) = replies.recv(), if has_asked => {
                if place.is_none() {
                    place = means.places.take().await;
                }
                decide(&handle, call_id, reply);
            }
        }
    }
    drop(place);
    let has_ended = session.feed().is_some_and(|feed| feed.run(&run_id) == Some(true));
    if has_ended {
        // Also where its end was there already, and only whoever wrote it did not know.
        session.settle(&run_id);
    } else {
        session.change(|feed| feed.break_off(run_id, ErrorType::StorageFailed, NOT_KEPT));
    }
    session.release();
}

/// A run that broke off in a defect of ours is no run: whoever reads along is told, and the next request about it begins it again.
struct BreakOffOnPanic(Rc<Session>, RunId);

impl Drop for BreakOffOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broke(self.1.clone(), BROKEN);
        }
    }
}

/// The tools, whose failure is told apart from a model's.
struct ToolsOrNone(Rc<Todos>);

#[async_trait(?Send)]
impl agent::Toolbox for ToolsOrNone {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        self.0.list().await.map_err(|failure| Failure {
            kind: FailureKind::RetryableNetwork,
            status: Some(NO_TOOLS),
            ..failure
        })
    }

    fn is_outdated(&self) -> bool {
        self.0.is_outdated()
    }

    async fn call(&self, call: &ToolCall, key: &CallKey) -> ToolResult {
        self.0.call(call, key).await
    }

    async fn estimate_impact(&self, call: &ToolCall) -> Option<u32> {
        self.0.estimate_impact(call).await
    }
}

fn decide(handle: &Handle, call_id: CallId, reply: Reply) {
    match reply {
        Reply::Answer(answers) => handle.answer(call_id, answers),
        Reply::Approve => handle.approve(call_id),
        Reply::Allow => handle.allow(call_id),
        Reply::Deny => handle.deny(call_id),
    }
}

/// The first new id of a run is its own; all others are random.
struct RunIds(RefCell<Option<String>>);

impl Ids for RunIds {
    fn new_id(&self) -> String {
        self.0.take().unwrap_or_else(|| RandomIds.new_id())
    }
}

/// The agent's log, which is the session's journal.
struct SessionLog {
    session: Rc<Session>,
    money: Rc<Money>,
    player: Player,
    clock: NowMs,
    is_elsewhere: bool,
}

#[async_trait(?Send)]
impl Log for SessionLog {
    async fn append(&self, _: &str, entry: &Entry) -> Result<(), Failure> {
        let session = &self.session;
        if let EntryBody::Ended { ending: Ending::Failed { failure }, .. } = &entry.body
            && (self.is_elsewhere, failure.status) == (true, Some(NOT_STORED))
        {
            // It could not be kept a moment ago, and can by now: servers elsewhere had chosen a leader. As an end it would stay for good,
            // under the same key too; without one it is gone on with.
            return Err(failure.clone());
        }
        let warnings = match entry.body {
            EntryBody::Ended { .. } => {
                let spent = session.spent_with(entry);
                self.money.warnings(&self.player, spent, session.about.spends_for())
            }
            _ => Vec::new(),
        };
        session.log(entry, warnings, self.player.price_of(0).is_some(), self.clock.now_ms()).await.map_err(
            |error| {
                eprintln!("satchel: session {}: {error}", session.id);
                Failure { status: Some(NOT_STORED), ..Failure::new(FailureKind::Validation, NOT_KEPT) }
            },
        )
    }
}

/// Hands on what the model is saying, and says when somebody is to decide.
struct Progress {
    session: Rc<Session>,
    awaiting: Rc<Notify>,
}

impl Show for Progress {
    fn show(&self, state: &AgentState) {
        self.session.change(|feed| feed.stream(state));
        if state.status == Status::AwaitingApproval {
            self.awaiting.notify_one();
        }
    }
}

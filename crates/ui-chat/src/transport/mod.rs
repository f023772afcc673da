//! The way to the tool server: a port to the worker, else a request by fetch, else the same server here.
//!
//! All three carry the same bytes, and every call that changes something has its idempotency key inside
//! them. So this module may try as often as it likes: what was done is answered again, not done again.
//!
//! A port is thirteen times as fast as fetch, but it neither wakes a worker nor keeps it, and it dies in
//! silence. Three things make up for it: a heartbeat while somebody looks or waits, a Web Lock that the
//! worker holds for as long as it lives (when we get it, the worker is gone), and a deadline. A worker that
//! hangs lives and says nothing: it is asked to greet, and while it does not, the page serves itself. But for the
//! call that it took up last: that may be what it hangs in, and the page would hang in it as well.

mod compiled;
mod fetch;
mod in_page;
mod port;
mod register;
mod silent;
mod way;

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, Shared, select};
use futures::lock::Mutex;
use mcp::Headers;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use crate::i18n;
use in_page::InPage;
use port::{Port, PortError};
use register::Workers;
pub use register::is_ours;
use way::{beat, find_a_way, go_back};
use web::clock::{sleep, within};

/// What page and worker agreed to say to each other. The worker has the same number; another one means
/// that one of the two is from another build, and it is the page that can be loaded again.
pub const TRANSPORT_VERSION: u32 = 4;

/// How long a call may take through one port before another way is tried.
const CALL_MS: u64 = 12_500;

/// How long an answer may take before the worker is asked whether it hears us at all.
const QUIET_MS: u64 = 2_000;

/// How long a request by fetch may take, when the ports are silent already.
const FETCH_MS: u64 = 3_000;

/// How long a call may take in this page while the worker hangs, perhaps in the middle of a write.
const INSTEAD_MS: u64 = 5_000;

/// How long to wait after a worker's death before it is woken again.
const REVIVE_MS: u64 = 20;

/// How often it is looked whether a newer worker takes over from one that has just died, before that one is woken.
const LOOKS: u32 = 50;

/// How long a woken worker may take to greet before it is asked again. A cold start takes some 15 ms, and a
/// busy machine more, but it goes on meanwhile; a message to a worker that is just being stopped, however,
/// is lost without a word.
const GREETING_MS: u64 = 600;

/// How often a worker is asked to greet.
const GREETINGS: u32 = 10;

/// How the tool server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not known yet.
    Starting,
    /// Through the service worker.
    Worker,
    /// In this page, and why not through the worker.
    InPage(Reason),
    /// The worker is from another build: this page must be loaded again before it can do anything.
    Reload,
    /// Not at all, and what was last tried. The next call tries again.
    Failed(String),
}

/// Why the page serves itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The browser has no service workers here: a private window, or no secure context.
    NoWorkers,
    /// The browser would not take the worker; its own words.
    NotTaken(String),
    /// It did not start in time. When it does, the page goes over to it.
    NotInTime,
    /// It hangs. When it answers again, the page goes back to it.
    Silent,
}

/// What is to be known of a call beside its bytes, should the worker hang in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The tool; empty for what is no tool's call.
    pub tool: String,
    /// The tool with what it is called with, in short.
    pub call: String,
    /// A model wants it. It may want the same in other words, again and again.
    pub is_a_models: bool,
    /// It was under way already when an earlier page ended: it may be what that page, or the worker, hung in.
    pub is_repeated: bool,
}

/// What came back through the transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportReply {
    /// The HTTP status.
    pub status: u16,
    /// The HTTP headers.
    pub headers: Headers,
    /// The body, as text.
    pub body: String,
}

/// Why nothing came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransportError {
    /// See [`Status::Reload`].
    Reload,
    /// Every way was tried; the last one's words.
    Unreachable(String),
    /// The worker took it up and hangs. Nobody knows what came of it, and it is not tried here: it may be what hangs.
    Unknown,
}

impl TransportError {
    /// What it is, for a person.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Reload => i18n::tools_of_another_build().to_owned(),
            Self::Unreachable(why) => i18n::tools_cannot_be_reached(why),
            Self::Unknown => i18n::tools_not_in_time().to_owned(),
        }
    }
}

impl std::fmt::Display for TransportError {
    /// For a model. The last way's words are in the person's language, and say nothing that a model could do.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Reload | Self::Unreachable(_) => "The tools cannot be reached.",
            Self::Unknown => "The tools did not answer in time.",
        })
    }
}

impl std::error::Error for TransportError {}

/// The transport of this page.
pub struct WorkerTransport(Rc<Inner>);

/// A change's listener.
type Listeners<T> = RefCell<Vec<Rc<dyn Fn(&T)>>>;

struct Inner {
    status: RefCell<Status>,
    on_status: Listeners<Status>,
    on_update: Listeners<()>,
    update_ready: Cell<bool>,
    workers: Option<Workers>,
    port: Mutex<Option<Rc<Port>>>,
    /// How often the worker was asked for a port in vain.
    silences: Cell<u32>,
    in_page: InPage,
    open_calls: Cell<u32>,
    started: RefCell<Option<Shared<LocalBoxFuture<'static, ()>>>>,
}

/// A call under way, counted as long as it is there: it may be given up in the middle.
struct OpenCall<'a>(&'a Cell<u32>);

impl<'a> OpenCall<'a> {
    fn count(open: &'a Cell<u32>) -> Self {
        open.set(open.get() + 1);
        Self(open)
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

impl WorkerTransport {
    /// Registers the worker and finds the best way to the server, in the background. Once per page.
    #[must_use]
    pub fn open() -> Rc<Self> {
        let inner = Rc::new(Inner {
            status: RefCell::new(Status::Starting),
            on_status: RefCell::default(),
            on_update: RefCell::default(),
            update_ready: Cell::new(false),
            workers: Workers::of_this_page(),
            port: Mutex::new(None),
            silences: Cell::new(0),
            in_page: InPage::default(),
            open_calls: Cell::new(0),
            started: RefCell::default(),
        });
        spawn_local(inner.start());
        spawn_local(beat(Rc::downgrade(&inner)));
        Rc::new(Self(inner))
    }

    /// Sends one request of the protocol and waits for its answer.
    ///
    /// # Errors
    /// See [`TransportError`]. An error of the protocol is an answer, not an error.
    pub async fn call(
        &self,
        headers: &Headers,
        body: String,
        about: &About,
    ) -> Result<TransportReply, TransportError> {
        let open = OpenCall::count(&self.0.open_calls);
        let answer = self.0.call(headers, &body, about).await;
        drop(open);
        match &answer {
            // A build apart: every way to the server says so with this status.
            Ok(reply) if reply.status == 409 => self.0.turn(Status::Reload),
            Ok(_) => return answer,
            Err(TransportError::Reload) => self.0.turn(Status::Reload),
            Err(TransportError::Unknown) => return answer,
            // The page serves itself, and may be able to do the next one.
            Err(TransportError::Unreachable(_)) if self.status() == Status::InPage(Reason::Silent) => {
                return answer;
            }
            Err(TransportError::Unreachable(why)) => self.0.turn(Status::Failed(why.clone())),
        }
        answer.and(Err(TransportError::Reload))
    }

    /// How the server is reached at the moment.
    #[must_use]
    pub fn status(&self) -> Status {
        self.0.status.borrow().clone()
    }

    /// Calls this at every change of [`WorkerTransport::status`].
    pub fn on_status(&self, listener: impl Fn(&Status) + 'static) {
        self.0.on_status.borrow_mut().push(Rc::new(listener));
    }

    /// Calls this when a newer version of the app waits to be used, now if it already does.
    pub fn on_update_ready(&self, listener: impl Fn() + 'static) {
        if self.0.update_ready.get() {
            listener();
        }
        self.0.on_update.borrow_mut().push(Rc::new(move |()| listener()));
    }

    /// Goes over to the waiting version: it takes control, and this page loads itself again. Calls that are under
    /// way have their answers first: a page that goes would not hear them.
    pub fn update_now(&self) {
        let inner = Rc::clone(&self.0);
        spawn_local(async move {
            let answered = async {
                while inner.open_calls.get() > 0 {
                    sleep(REVIVE_MS).await;
                }
            };
            let _ = within(CALL_MS, answered).await;
            let Some(workers) = &inner.workers else { return };
            // Said again until it is heard: a message to a worker that is just being stopped is lost.
            for _ in 0..GREETINGS {
                workers.activate_waiting();
                sleep(GREETING_MS).await;
            }
            // One that waits for long may have been stopped and not know any more that it was asked: it tells new pages.
            while workers.is_replaced() {
                workers.activate_waiting();
                sleep(way::HEARTBEAT_MS).await;
            }
        });
    }
}

impl Inner {
    fn turn(&self, status: Status) {
        if *self.status.borrow() == status {
            return;
        }
        self.status.replace(status.clone());
        tell(&self.on_status, &status);
    }

    /// The start that is under way or done; a new one where there was none, or the last one failed.
    fn start(self: &Rc<Self>) -> Shared<LocalBoxFuture<'static, ()>> {
        let failed = matches!(*self.status.borrow(), Status::Failed(_));
        let mut started = self.started.borrow_mut();
        match &*started {
            Some(start) if !failed || start.peek().is_none() => start.clone(),
            _ => {
                let start = find_a_way(Rc::downgrade(self)).boxed_local().shared();
                started.insert(start).clone()
            }
        }
    }

    async fn call(
        self: &Rc<Self>,
        headers: &Headers,
        body: &str,
        about: &About,
    ) -> Result<TransportReply, TransportError> {
        self.start().await;
        let status = self.status.borrow().clone();
        let is_silent = status == Status::InPage(Reason::Silent);
        match (status, &self.workers) {
            (Status::Reload, _) => Err(TransportError::Reload),
            (Status::Worker | Status::Starting | Status::Failed(_), Some(workers)) => {
                let taken_up = Rc::new(Cell::new(about.is_repeated));
                match self.by_worker(workers, headers, body, &taken_up).await {
                    Err(TransportError::Unreachable(_)) if about.is_repeated || taken_up.get() => {
                        silent::suspect(about);
                        self.do_without().await;
                        Err(TransportError::Unknown)
                    }
                    Err(TransportError::Unreachable(why)) => self.instead(headers, body, why).await,
                    answer => {
                        if answer.is_ok() {
                            self.turn(Status::Worker);
                        }
                        answer
                    }
                }
            }
            (_, Some(_)) if is_silent && (about.is_repeated || silent::is_suspect(about)) => {
                // What an earlier page may have hung in is shown before it is allowed, too: that is not tried here either.
                if about.is_repeated {
                    silent::suspect(about);
                }
                Err(TransportError::Unknown)
            }
            (_, _) => self.in_page.call(headers, body, CALL_MS).await.map_err(TransportError::Unreachable),
        }
    }

    /// In this page, because the worker hangs. Should it have done the call all the same, or do it later, the key
    /// gives the one answer.
    async fn instead(
        self: &Rc<Self>,
        headers: &Headers,
        body: &str,
        why: String,
    ) -> Result<TransportReply, TransportError> {
        let answer = self.in_page.call(headers, body, INSTEAD_MS).await;
        // A call that cannot be done here, because the worker holds the database, does not make the page helpless.
        if self.in_page.is_loaded() {
            self.is_silent();
        }
        answer.map_err(|_| TransportError::Unreachable(why))
    }

    /// The calls to come are served in this page, where that is possible.
    async fn do_without(self: &Rc<Self>) {
        if self.in_page.load(INSTEAD_MS).await {
            self.is_silent();
        }
    }

    /// The worker hangs, and the page serves itself until it greets again.
    fn is_silent(self: &Rc<Self>) {
        if *self.status.borrow() != Status::InPage(Reason::Silent) {
            silent::remember();
            self.turn(Status::InPage(Reason::Silent));
            spawn_local(go_back(Rc::downgrade(self)));
        }
    }

    /// Through the port; when it is silent for too long through a new one; then by fetch, unless the worker is at it.
    async fn by_worker(
        &self,
        workers: &Workers,
        headers: &Headers,
        body: &str,
        taken_up: &Rc<Cell<bool>>,
    ) -> Result<TransportReply, TransportError> {
        for _ in 0..2 {
            match within(CALL_MS, self.by_port(workers, headers, body, taken_up)).await {
                Some(Ok(reply)) => return Ok(reply),
                Some(Err(PortError::Reload)) => return Err(TransportError::Reload),
                Some(Err(PortError::Silent)) => break,
                // Unless somebody is at a new one already.
                None => drop(self.port.try_lock().and_then(|mut slot| slot.take())),
            }
        }
        if taken_up.get() || !workers.is_in_control() {
            return Err(TransportError::Unreachable(i18n::worker_silent().into()));
        }
        let headers = headers.clone().with("satchel-version", &TRANSPORT_VERSION.to_string());
        let answer = within(FETCH_MS, fetch::until_answered(&headers, body)).await;
        answer.unwrap_or_else(|| Err(i18n::no_answer_in_time().into())).map_err(TransportError::Unreachable)
    }

    /// Through the port, and through its successors for as long as the browser goes on stopping workers.
    async fn by_port(
        &self,
        workers: &Workers,
        headers: &Headers,
        body: &str,
        taken_up: &Rc<Cell<bool>>,
    ) -> Result<TransportReply, PortError> {
        loop {
            let port = self.port(workers).await?;
            match self.ask(workers, &port, headers, body, taken_up).await? {
                Some(reply) => return Ok(reply),
                None => sleep(REVIVE_MS).await,
            }
        }
    }

    /// The worker's answer through this port; None when the worker is gone. One that takes its time has to greet.
    async fn ask(
        &self,
        workers: &Workers,
        port: &Rc<Port>,
        headers: &Headers,
        body: &str,
        taken_up: &Rc<Cell<bool>>,
    ) -> Result<Option<TransportReply>, PortError> {
        let answer = pin!(port.ask(headers, body, taken_up));
        let answer = match select(answer, pin!(sleep(QUIET_MS))).await {
            Either::Left((reply, _)) => return Ok(reply),
            Either::Right(((), answer)) => answer,
        };
        match select(answer, pin!(self.other_port(workers, port))).await {
            Either::Left((reply, _)) => Ok(reply),
            // It hears us: the answer comes, or the call's deadline does.
            Either::Right((Ok(_), answer)) => Ok(answer.await),
            // It is at this call, and may be only slow: a device's largest import is one long piece of work.
            Either::Right((Err(PortError::Silent), answer)) if taken_up.get() => {
                within(FETCH_MS, answer).await.ok_or(PortError::Silent)
            }
            Either::Right((Err(error), _)) => Err(error),
        }
    }

    /// Whether the worker greets at once.
    async fn greets(&self, workers: &Workers) -> bool {
        let Some(worker) = workers.worker() else { return false };
        match Port::open(&worker, TRANSPORT_VERSION, GREETING_MS).await {
            Ok(port) => {
                self.port.lock().await.replace(Rc::new(port));
                true
            }
            // Another build greets as well.
            Err(error) => error == PortError::Reload,
        }
    }

    /// A living port.
    async fn port(&self, workers: &Workers) -> Result<Rc<Port>, PortError> {
        self.port_but(workers, |_| false).await
    }

    /// A living port that is not this one.
    async fn other_port(&self, workers: &Workers, old: &Rc<Port>) -> Result<Rc<Port>, PortError> {
        self.port_but(workers, |port| Rc::ptr_eq(port, old)).await
    }

    /// A living port; a new one in place of one that will not do. Calls that need a new one wait for the same.
    async fn port_but(
        &self,
        workers: &Workers,
        will_not_do: impl Fn(&Rc<Port>) -> bool,
    ) -> Result<Rc<Port>, PortError> {
        let silences = self.silences.get();
        let mut slot = self.port.lock().await;
        if let Some(port) = slot.as_ref().filter(|port| port.is_open() && !will_not_do(port)) {
            return Ok(Rc::clone(port));
        }
        // A worker that goes because a newer one is about to take over must not be woken: the newer one would wait for it.
        if slot.as_ref().is_some_and(|port| !port.is_open()) {
            for _ in 0..LOOKS {
                if !workers.is_replaced() {
                    break;
                }
                sleep(REVIVE_MS).await;
            }
        }
        // Who waited while another found the worker silent need not find out again.
        if self.silences.get() != silences {
            return Err(PortError::Silent);
        }
        for _ in 0..GREETINGS {
            let Some(worker) = workers.worker() else { break };
            match Port::open(&worker, TRANSPORT_VERSION, GREETING_MS).await {
                Ok(port) => return Ok(Rc::clone(slot.insert(Rc::new(port)))),
                Err(PortError::Silent) => {}
                Err(PortError::Reload) => return Err(PortError::Reload),
            }
        }
        *slot = None;
        self.silences.set(silences + 1);
        Err(PortError::Silent)
    }
}

fn tell<T>(listeners: &Listeners<T>, news: &T) {
    // A copy, so that a listener may add another.
    let listeners = listeners.borrow().clone();
    listeners.iter().for_each(|listener| listener(news));
}

/// A JavaScript error in words.
fn words(error: &JsValue) -> String {
    let text = web::value::text(error, "message");
    text.or_else(|| error.as_string()).unwrap_or_else(|| format!("{error:?}"))
}

#[cfg(test)]
mod tests {
    use super::TRANSPORT_VERSION;

    /// The two wasm modules link nothing of each other, so the number stands in both.
    #[test]
    fn page_and_worker_name_the_same_version() {
        let worker = include_str!("../../../../crates/worker/src/exports.rs");
        assert!(worker.contains(&format!("pub const TRANSPORT_VERSION: u32 = {TRANSPORT_VERSION};")));
    }
}

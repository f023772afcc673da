//! Other programs work on the data in this browser, because the person let them, and as far as they did.
//!
//! The gateway hands over what a program asks at its `/mcp` (and can do nothing else: see its `relay`). Here it is
//! decided: reading goes on to the worker, what would change something is refused, or shown to the person and asked
//! about. The pairing lasts as long as this page, and nothing of it is kept.

mod review;
mod section;
mod serve;
mod wire;
pub mod words;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::future::{AbortHandle, Abortable};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::ToolSpec;

use crate::clock;
use crate::external::ExternalCallers;
use crate::toolbox::Toolbox;
pub use review::Mode;
pub use section::{SETTINGS, relay_section};
use serve::Server;
use wire::{Event, Pairing, Unpaired};

/// Calls that are remembered for the person.
const MOST_SEEN: usize = 50;

/// Whether other programs reach this page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Not, as the person wants it.
    Off,
    /// Not yet.
    Connecting,
    /// They do.
    On,
    /// Not any more, or not at all.
    Ended(Why),
}

/// Why programs do not reach this page any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Another tab took over.
    Replaced,
    /// The gateway is gone.
    Gone,
    /// The page comes from a server that has no relay.
    NoGateway,
}

/// How a call ended, or that it has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The person is asked.
    Waiting,
    /// The worker is at it.
    Running,
    /// It was done.
    Done,
    /// It did not work.
    Failed,
    /// It would change something, and programs may only look.
    ReadOnly,
    /// The person said no.
    Denied,
    /// The person said nothing.
    NotInTime,
    /// The program did not wait.
    GivenUp,
}

impl Outcome {
    /// The word in `data-outcome`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::ReadOnly => "read-only",
            Self::Denied => "denied",
            Self::NotInTime => "not-in-time",
            Self::GivenUp => "given-up",
        }
    }
}

/// A call as the person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayedCall {
    id: u64,
    at_ms: i64,
    what: String,
    outcome: Outcome,
}

/// What is no news for the screen.
#[derive(Default)]
struct Inner {
    last_id: u64,
    stop: Option<AbortHandle>,
    /// The tools a model may be told of, once they are known, and whether those that remember were among them.
    tools: Option<(bool, Rc<Vec<ToolSpec>>)>,
}

/// The relay of this page. A handle: copies are the same relay.
#[derive(Clone, Copy)]
pub struct Relay {
    link: RwSignal<Link>,
    mode: RwSignal<Mode>,
    /// The token, until it was seen.
    token: RwSignal<Option<String>>,
    seen: RwSignal<Vec<RelayedCall>>,
    external: ExternalCallers,
    inner: StoredValue<Rc<RefCell<Inner>>, LocalStorage>,
}

impl Relay {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Off, as it always is at first.
    #[must_use]
    pub fn off(external: ExternalCallers) -> Self {
        Self {
            link: RwSignal::new(Link::Off),
            mode: RwSignal::new(Mode::Read),
            token: RwSignal::new(None),
            seen: RwSignal::new(Vec::new()),
            external,
            inner: StoredValue::new_local(Rc::default()),
        }
    }

    /// Whether other programs reach this page.
    #[must_use]
    pub fn is_on(self) -> bool {
        self.link.get() == Link::On
    }

    /// Lets other programs in, to look.
    pub fn start(self, toolbox: Rc<Toolbox>) {
        self.stop();
        self.link.set(Link::Connecting);
        self.mode.set(Mode::Read);
        let (handle, registration) = AbortHandle::new_pair();
        self.with_inner(|inner| inner.stop = Some(handle));
        spawn_local(async move {
            if let Ok(why) = Abortable::new(self.run(toolbox), registration).await {
                self.end(Link::Ended(why));
            }
        });
    }

    /// Lets nobody in any more; what is under way is given up.
    pub fn stop(self) {
        if let Some(stop) = self.with_inner(|inner| inner.stop.take()) {
            stop.abort();
        }
        self.end(Link::Off);
    }

    fn end(self, link: Link) {
        self.with_inner(|inner| inner.tools = None);
        self.token.set(None);
        self.link.set(link);
    }

    /// Hears and serves requests until the pairing ends. Dropping it ends the pairing and all requests.
    async fn run(self, toolbox: Rc<Toolbox>) -> Why {
        let Pairing { token, mut events, answers } = match wire::pair().await {
            Ok(pairing) => pairing,
            Err(Unpaired::NoGateway) => return Why::NoGateway,
            Err(Unpaired::Unreachable) => return Why::Gone,
        };
        self.token.set(Some(token));
        self.link.set(Link::On);
        let server = Server { relay: self, toolbox, answers, pairing: clock::random() };
        let mut running = FuturesUnordered::new();
        let mut handles: BTreeMap<u64, AbortHandle> = BTreeMap::new();
        loop {
            futures::select_biased! {
                event = events.next().fuse() => match event {
                    Some(Event::Request(request)) => {
                        let id = request.id;
                        let (handle, registration) = AbortHandle::new_pair();
                        handles.insert(id, handle);
                        let served = Abortable::new(server.serve(request), registration);
                        running.push(async move {
                            let _ = served.await;
                            id
                        });
                    }
                    Some(Event::Cancel { id, .. }) => {
                        if let Some(handle) = handles.get(&id) {
                            handle.abort();
                        }
                    }
                    Some(Event::Ended { .. }) => return Why::Replaced,
                    None => return Why::Gone,
                },
                id = running.select_next_some() => drop(handles.remove(&id)),
            }
        }
    }

    fn mode(self) -> Mode {
        self.mode.get_untracked()
    }

    /// The tools a model may be told of.
    async fn tools(self, toolbox: &Toolbox) -> Result<Rc<Vec<ToolSpec>>, String> {
        // The person may have switched the memory off or on since.
        let remembers = toolbox.remembers();
        if let Some((_, tools)) =
            self.with_inner(|inner| inner.tools.clone()).filter(|(had, _)| *had == remembers)
        {
            return Ok(tools);
        }
        let tools = Rc::new(toolbox.specs().await?);
        self.with_inner(|inner| inner.tools = Some((remembers, Rc::clone(&tools))));
        Ok(tools)
    }

    /// Shows a call to the person.
    fn see(self, what: &str, outcome: Outcome) -> RelayedCallHandle {
        let id = self.new_id();
        let seen = RelayedCall { id, at_ms: clock::now_ms(), what: what.to_owned(), outcome };
        self.seen.update(|all| {
            all.insert(0, seen);
            all.truncate(MOST_SEEN);
        });
        RelayedCallHandle { relay: self, id, is_over: false }
    }

    fn new_id(self) -> u64 {
        self.with_inner(|inner| {
            inner.last_id += 1;
            inner.last_id
        })
    }

    fn with_inner<T>(self, change: impl FnOnce(&mut Inner) -> T) -> T {
        self.inner.with_value(|inner| change(&mut inner.borrow_mut()))
    }
}

/// A call that is shown. One that is dropped before its end was given up.
struct RelayedCallHandle {
    relay: Relay,
    id: u64,
    is_over: bool,
}

impl RelayedCallHandle {
    fn becomes(&self, outcome: Outcome) {
        self.relay.seen.update(|all| {
            // It may be one of those that are forgotten.
            if let Some(seen) = all.iter_mut().find(|seen| seen.id == self.id) {
                seen.outcome = outcome;
            }
        });
    }

    fn ends(mut self, outcome: Outcome) {
        self.is_over = true;
        self.becomes(outcome);
    }
}

impl Drop for RelayedCallHandle {
    fn drop(&mut self) {
        if !self.is_over {
            self.becomes(Outcome::GivenUp);
        }
    }
}

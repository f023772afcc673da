//! Calls that run for a while: as a stream of what they say, with a way to end them and, in the older protocol versions, to answer
//! what they ask.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Poll;

use futures::FutureExt;
use futures::channel::{mpsc, oneshot};
use futures::future::LocalBoxFuture;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};

use super::{Server, accepted, event_answer, json_answer};
use crate::ask::Ask;
use crate::caller::{Caller, Cancel, Inner};
use crate::events::{Events, Running};
use crate::http::HttpOut;
use crate::rpc::{RpcError, code};

/// The calls of sessions that run, and what they have asked.
#[derive(Default)]
pub(super) struct Registry {
    calls: RefCell<Vec<Call>>,
    asked: RefCell<Vec<Asked>>,
    next: Cell<u64>,
}

struct Call {
    number: u64,
    session: String,
    id: Value,
    cancel: Cancel,
}

struct Asked {
    call: u64,
    session: String,
    id: String,
    answer: oneshot::Sender<Result<Value, RpcError>>,
}

impl Registry {
    /// Ends the call with this id of a session, if it runs (`notifications/cancelled`).
    pub(super) fn cancel(&self, session: &str, id: &Value) {
        let calls = self.calls.borrow();
        let found = calls.iter().find(|call| call.session == session && call.id == *id);
        if let Some(call) = found {
            call.cancel.set();
        }
    }

    /// Gives an answer to whoever asked. False when nobody did.
    pub(super) fn answered(&self, session: &str, id: &Value, answer: Result<Value, RpcError>) -> bool {
        let mut asked = self.asked.borrow_mut();
        let found = asked.iter().position(|asked| asked.session == session && *id == *asked.id);
        let Some(found) = found else { return false };
        asked.swap_remove(found).answer.send(answer).is_ok()
    }

    /// Nobody can answer any longer what calls of this session have asked: they hear that.
    pub(super) fn end_session(&self, session: &str) {
        self.asked.borrow_mut().retain(|asked| asked.session != session);
    }

    fn forget(&self, number: u64) {
        self.calls.borrow_mut().retain(|call| call.number != number);
        // Who waits for an answer hears that there will be none.
        self.asked.borrow_mut().retain(|asked| asked.call != number);
    }

    fn number(&self) -> u64 {
        self.next.set(self.next.get() + 1);
        self.next.get()
    }
}

/// A call's place in the registry, until it is over or nobody is left who waits for it.
struct Registered<H> {
    server: Server<H>,
    number: u64,
}

impl<H> Drop for Registered<H> {
    fn drop(&mut self) {
        self.server.0.running.forget(self.number);
    }
}

/// How a call is answered.
pub(super) struct Manner {
    /// The client reads streams, and the call may have something to say.
    pub streams: bool,
    /// A client that goes away gives the call up. (In the older protocol versions it may come back for the answer.)
    pub gone_is_cancelled: bool,
    /// The session and the request's id, where they can be named later.
    pub session: Option<(String, Value)>,
}

/// Runs a call. What is done at once is one object; so is everything for a client that reads no streams.
pub(super) async fn answer<H: 'static>(
    server: &Server<H>,
    mut who: Inner,
    manner: Manner,
    work: impl FnOnce(Caller) -> LocalBoxFuture<'static, (u16, Option<String>)>,
) -> HttpOut {
    let registry = &server.0.running;
    let number = registry.number();
    let cancel = who.cancel.clone();
    if let Some((session, id)) = manner.session.clone() {
        registry.calls.borrow_mut().push(Call { number, session, id, cancel: cancel.clone() });
    }
    let registered = Registered { server: server.clone(), number };
    if !manner.streams {
        let (status, answer) = work(Caller::new(who)).await;
        return answer.map_or_else(accepted, |answer| json_answer(status, answer));
    }
    let (notices, said) = mpsc::unbounded();
    if let Some((session, _)) = manner.session.filter(|_| !manner.gone_is_cancelled) {
        let (server, notices) = (server.clone(), notices.clone());
        who.peer = Some(Rc::new(move |ask| send(&server, number, &session, &notices, &ask)));
    }
    who.notices = Some(notices);
    let status = Rc::new(Cell::new(200));
    let found = Rc::clone(&status);
    let work = work(Caller::new(who)).map(move |(status, answer)| {
        found.set(status);
        drop(registered);
        answer
    });
    let left = server.clone();
    let mut running = Running::new(work.boxed_local(), said, move |work| {
        if manner.gone_is_cancelled {
            cancel.set();
        }
        left.0.running.asked.borrow_mut().retain(|asked| asked.call != number);
        if let Some(runtime) = &left.0.runtime {
            runtime.detach(work.map(drop).boxed_local());
        }
    });
    // What is known at once decides the HTTP status; a stream's is 200.
    let first = match futures::poll!(running.next()) {
        Poll::Ready(Some(answer)) if running.is_over() => return json_answer(status.get(), answer),
        Poll::Ready(None) => return accepted(),
        Poll::Ready(notice) => notice,
        Poll::Pending => None,
    };
    event_answer(Events::new(stream::iter(first).chain(running)))
}

/// Sends a request of ours on the call's stream; its answer comes by a POST of its own.
fn send<H: 'static>(
    server: &Server<H>,
    call: u64,
    session: &str,
    notices: &mpsc::UnboundedSender<String>,
    ask: &Ask,
) -> LocalBoxFuture<'static, Result<Value, RpcError>> {
    let registry = &server.0.running;
    let id = format!("satchel-{}", registry.number());
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": ask.method, "params": ask.params });
    let (answer, answered) = oneshot::channel();
    registry.asked.borrow_mut().push(Asked { call, session: session.to_owned(), id, answer });
    let is_sent = notices.unbounded_send(message.to_string()).is_ok();
    async move {
        let gone = || RpcError::new(code::INTERNAL, "The client that was asked is gone");
        if !is_sent {
            return Err(gone());
        }
        answered.await.unwrap_or_else(|_| Err(gone()))
    }
    .boxed_local()
}

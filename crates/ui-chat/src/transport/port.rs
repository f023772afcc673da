//! One port to one worker instance.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::channel::oneshot;
use js_sys::Array;
use litemap::LiteMap;
use mcp::Headers;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web::clock::within;
use web::lock::{Ask, Lock};
use web::{names, value};
use web_sys::{MessageChannel, MessageEvent, MessagePort, ServiceWorker};

use super::TransportReply;

/// For who makes an app: its worker is called otherwise, or another app's is in control of the page, from a folder above.
const NOT_CALLED_ALIKE: &str =
    "this worker is another app’s: it is not called (worker::app!) as the page is (ui::App::id)";

/// Why there is no port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PortError {
    /// The worker is from another build.
    Reload,
    /// There is no worker, or it does not greet.
    Silent,
}

/// What a worker says first, as text that pages of all versions read.
#[derive(Deserialize)]
#[serde(untagged)]
enum Greeting {
    Hello { hello: Hello },
    Reload { reload: bool },
}

#[derive(Deserialize)]
struct Hello {
    /// The Web Lock that this worker instance holds while it lives; none where the browser has no locks.
    lock: Option<String>,
}

/// A call, as the worker takes it.
#[derive(Serialize)]
struct Call<'a> {
    id: u64,
    /// As JSON.
    headers: String,
    body: &'a str,
    /// Whether to say when it is taken up.
    tell: bool,
}

/// Its answer, as the worker gives it.
#[derive(Deserialize)]
struct Answered {
    id: u64,
    status: u16,
    /// As JSON.
    headers: String,
    body: String,
}

/// An answer that is waited for. Dropping it tells its waiter that the worker is gone.
struct Awaited {
    answer: oneshot::Sender<TransportReply>,
    /// Whether the worker has said that it is at it.
    taken_up: Rc<Cell<bool>>,
}

/// The answers that are waited for, by the number of the call.
type Waiting = Rc<RefCell<LiteMap<u64, Awaited>>>;

/// Our end of a channel, and who listens at it. Closed when dropped, so that no message comes too late.
struct End {
    port: MessagePort,
    on_message: Closure<dyn FnMut(MessageEvent)>,
}

impl Drop for End {
    fn drop(&mut self) {
        self.port.set_onmessage(None);
        self.port.close();
    }
}

pub(super) struct Port {
    end: End,
    waiting: Waiting,
    is_open: Rc<Cell<bool>>,
    next_id: Cell<u64>,
    /// Granted when the worker dies; given up with the port.
    _death: Option<Lock>,
}

impl Port {
    /// Sends the worker one end of a new channel, which wakes it, and waits for its greeting.
    pub(super) async fn open(
        worker: &ServiceWorker,
        version: u32,
        greeting_ms: u64,
    ) -> Result<Self, PortError> {
        let channel = MessageChannel::new().map_err(|_| PortError::Silent)?;
        let waiting = Waiting::default();
        let (greet, greeting) = oneshot::channel();
        let on_message = listen(Rc::clone(&waiting), greet);
        let end = End { port: channel.port1(), on_message };
        end.port.set_onmessage(Some(end.on_message.as_ref().unchecked_ref()));

        let hello = value::object(&[("satchel", "port".into()), ("version", version.into())]);
        worker
            .post_message_with_transferable(&hello, &Array::of1(&channel.port2()))
            .map_err(|_| PortError::Silent)?;

        let frame = within(greeting_ms, greeting).await;
        let hello = match frame {
            Some(Ok(Greeting::Hello { hello })) => hello,
            Some(Ok(Greeting::Reload { reload: true })) => return Err(PortError::Reload),
            _ => return Err(PortError::Silent),
        };
        let is_open = Rc::new(Cell::new(true));
        let (open, lost) = (Rc::clone(&is_open), Rc::clone(&waiting));
        let on_death = move || {
            open.set(false);
            lost.borrow_mut().clear();
        };
        if hello.lock.as_ref().is_some_and(|lock| !names::is_ours(lock)) {
            web_sys::console::error_1(&NOT_CALLED_ALIKE.into());
            // What is said to it would be done to what another app keeps.
            return Err(PortError::Silent);
        }
        let death = hello.lock.map(|lock| Lock::ask(&lock, Ask::InTurn, on_death, || {}));
        Ok(Self { end, waiting, is_open, next_id: Cell::new(1), _death: death })
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open.get()
    }

    /// The worker's answer; None when it is gone. `taken_up` says from when on it is at it, for as long as it lives.
    pub(super) async fn ask(
        &self,
        headers: &Headers,
        body: &str,
        taken_up: &Rc<Cell<bool>>,
    ) -> Option<TransportReply> {
        if !self.is_open() {
            return None;
        }
        let id = self.next_id.get();
        self.next_id.set(id + 1);
        let (send, receive) = oneshot::channel();
        taken_up.set(false);
        let awaited = Awaited { answer: send, taken_up: Rc::clone(taken_up) };
        self.waiting.borrow_mut().insert(id, awaited);
        let call = Call { id, headers: serde_json::to_string(headers).ok()?, body, tell: true };
        self.end.port.post_message(&value::given(&call)).ok()?;
        let answer = receive.await.ok();
        // A worker that is gone hangs in nothing.
        taken_up.set(false);
        answer
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.waiting.borrow_mut().clear();
    }
}

/// An answer and whose it is.
fn reply(data: JsValue) -> Option<(u64, TransportReply)> {
    let Answered { id, status, headers, body } = value::taken(data)?;
    Some((id, TransportReply { status, headers: serde_json::from_str(&headers).ok()?, body }))
}

/// Brings each answer to the one who waits for it. Text is the greeting, and a number a call that is taken up.
fn listen(waiting: Waiting, greet: oneshot::Sender<Greeting>) -> Closure<dyn FnMut(MessageEvent)> {
    let mut greet = Some(greet);
    Closure::new(move |event: MessageEvent| {
        let data = event.data();
        if let Some(text) = data.as_string() {
            if let (Ok(greeting), Some(greet)) = (serde_json::from_str(&text), greet.take()) {
                let _ = greet.send(greeting);
            }
        } else if let Some(id) = data.as_f64() {
            if let Some(awaited) = waiting.borrow().get(&(id as u64)) {
                awaited.taken_up.set(true);
            }
        } else if let Some((id, reply)) = reply(data) {
            let awaited = waiting.borrow_mut().remove(&id);
            if let Some(awaited) = awaited {
                let _ = awaited.answer.send(reply);
            }
        }
    })
}

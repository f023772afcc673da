//! An answer that comes in pieces: what the script's `ReadableStream` pulls from.

use std::cell::RefCell;
use std::rc::Rc;

use futures::future::{AbortHandle, Abortable};
use js_sys::Promise;
use mcp::Events;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::calls::{self, Reply};

/// Events on their way out. A handle.
#[derive(Clone, Debug)]
pub(crate) struct Stream(Rc<RefCell<State>>);

#[derive(Debug)]
struct State {
    /// Away while a piece is waited for.
    events: Option<Events>,
    waiting: Option<AbortHandle>,
}

impl Stream {
    pub(crate) fn new(events: Events) -> Self {
        Self(Rc::new(RefCell::new(State { events: Some(events), waiting: None })))
    }

    /// The next piece; nothing at the end.
    async fn next(self) -> Option<String> {
        let mut events = self.0.borrow_mut().events.take()?;
        let (handle, registration) = AbortHandle::new_pair();
        self.0.borrow_mut().waiting = Some(handle);
        let next = Abortable::new(
            async move {
                let message = events.next().await;
                (events, message)
            },
            registration,
        );
        let (events, message) = next.await.ok()?;
        let mut state = self.0.borrow_mut();
        state.waiting = None;
        let message = message?;
        state.events = Some(events);
        Some(Events::frame(&message))
    }

    /// Nobody reads any longer: the server hears of it by the drop.
    fn cancel(&self) {
        let State { events, waiting } = &mut *self.0.borrow_mut();
        if let Some(waiting) = waiting.take() {
            waiting.abort();
        }
        drop(events.take());
    }
}

/// A stream, as the script holds it.
#[wasm_bindgen]
pub struct EventStream(Stream);

impl EventStream {
    pub(crate) fn new(stream: Stream) -> Self {
        Self(stream)
    }
}

#[wasm_bindgen]
impl EventStream {
    /// The next piece as text; undefined at the end, also when it ends in a panic.
    pub fn next(&self) -> Promise {
        let stream = self.0.clone();
        Promise::new(&mut |resolve, _reject| {
            let stream = stream.clone();
            let piece = async move { Reply::text(stream.next().await.unwrap_or_default()) };
            calls::owe(piece, move |reply| {
                let is_piece = reply.status == 200 && !reply.body.is_empty();
                let piece = if is_piece { JsValue::from(reply.body) } else { JsValue::UNDEFINED };
                let _ = resolve.call1(&JsValue::UNDEFINED, &piece);
            });
        })
    }

    /// The client is gone.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

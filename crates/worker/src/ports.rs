//! The pages' ports: frames of `{id, headers, body}` in, `{id, status, headers, body}` out. A frame is a plain object
//! whose fields are numbers and JSON texts, so that no text is wrapped in another one.
//!
//! The first frame out is the greeting, as text that pages of all versions read: `{"hello": {"version", "lock"}}`, or
//! `{"reload": true}` for a page of another version, which then is not served. `lock` is held for as long as this
//! instance lives.
//!
//! A frame with `tell` is told when it is taken up, by a frame that is its number alone: a page that hears no more of it knows
//! that it may be what this worker hangs in.

use std::cell::{Cell, RefCell};

use js_sys::Reflect;
use mcp::{Headers, HttpIn};
use serde_json::{Value, json};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{MessageEvent, MessagePort};

use crate::{TRANSPORT_VERSION, browser, calls};

struct Frame {
    id: f64,
    headers: Headers,
    body: String,
    /// Whether the page wants to know when it is taken up.
    tell: bool,
}

impl Frame {
    fn read(data: &JsValue) -> Option<Self> {
        let field = |name: &str| Reflect::get(data, &name.into()).ok();
        let headers = serde_json::from_str(&field("headers")?.as_string()?).ok()?;
        let tell = field("tell").is_some_and(|tell| tell.is_truthy());
        Some(Self { id: field("id")?.as_f64()?, headers, body: field("body")?.as_string()?, tell })
    }
}

/// A page's port, open until the page goes.
struct Session {
    port: MessagePort,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_close: Closure<dyn FnMut()>,
}

thread_local! {
    static SESSIONS: RefCell<Vec<(u64, Session)>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u64> = const { Cell::new(1) };
}

/// Greets the page and serves it.
pub(crate) fn open(version: u32, port: MessagePort) {
    if version != TRANSPORT_VERSION {
        greet(&port, &json!({ "reload": true }));
        return port.close();
    }
    let session = NEXT.get();
    NEXT.set(session + 1);
    let replies = port.clone();
    let on_message = Closure::new(move |event: MessageEvent| {
        // Only our own page has the other end, and it sends frames; anything else has no id to answer to.
        let Some(Frame { id, headers, body, tell }) = Frame::read(&event.data()) else { return };
        // A frame is one text: no streams here.
        let headers = headers.iter().filter(|(name, _)| *name != "accept").collect();
        let port = replies.clone();
        // Said before any of it is run: after that we may never come to it.
        if tell {
            let _ = port.post_message(&id.into());
        }
        calls::start(HttpIn::post(headers, body), move |reply| {
            let frame = reply.to_js("headers");
            // Setting a field of a plain object does not fail, and a page that is gone takes no message.
            let _ = Reflect::set(&frame, &"id".into(), &id.into());
            let _ = port.post_message(&frame);
        });
    });
    let on_close = Closure::new(move || drop_later(session));
    port.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // Not every browser says that the other end is gone; where it does not, a session stays until we go.
    let _ = port.add_event_listener_with_callback("close", on_close.as_ref().unchecked_ref());
    SESSIONS.with_borrow_mut(|sessions| {
        sessions.push((session, Session { port: port.clone(), _on_message: on_message, _on_close: on_close }))
    });
    spawn_local(async move {
        let lock = browser::hold_life_lock().await;
        greet(&port, &json!({ "hello": { "version": TRANSPORT_VERSION, "lock": lock } }));
    });
}

/// A closure may not drop itself while it runs.
fn drop_later(session: u64) {
    spawn_local(async move {
        let gone = SESSIONS.with_borrow_mut(|sessions| {
            let place = sessions.iter().position(|(number, _)| *number == session)?;
            Some(sessions.swap_remove(place))
        });
        if let Some((_, Session { port, .. })) = gone {
            port.set_onmessage(None);
            port.close();
        }
    });
}

fn greet(port: &MessagePort, greeting: &Value) {
    let _ = port.post_message(&greeting.to_string().into());
}

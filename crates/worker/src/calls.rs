//! The calls under way: each has somebody who waits, and gets an answer whatever happens.
//!
//! A panic ends the Rust of a call without a word: its promise would stay open for ever. So every answer
//! is owed here, and the panic hook pays them all.

use std::cell::{Cell, RefCell};
use std::panic::PanicHookInfo;

use js_sys::{Object, Reflect};
use mcp::{Body, Headers, HttpIn, HttpOut, RpcError};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use crate::stream::{EventStream, Stream};
use crate::{TRANSPORT_VERSION, browser, server};

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub status: u16,
    pub headers: Headers,
    pub body: String,
    /// The body as it comes, in place of the text.
    pub events: Option<Stream>,
}

impl Reply {
    /// An answer that the server itself could not give.
    fn error(status: u16, error: &RpcError) -> Self {
        let body = json!({ "jsonrpc": "2.0", "error": error }).to_string();
        let headers = Headers::new().with("content-type", "application/json");
        Self { status, headers, body, events: None }
    }

    /// A piece of a stream.
    pub(crate) fn text(body: String) -> Self {
        Self { status: 200, headers: Headers::new(), body, events: None }
    }

    /// As a plain object; the headers, as JSON, are the field of this name.
    pub(crate) fn to_js(&self, headers_field: &str) -> JsValue {
        let reply = Object::new();
        let headers = serde_json::to_string(&self.headers).unwrap_or_default();
        let fields: [(&str, JsValue); 3] = [
            ("status", self.status.into()),
            (headers_field, headers.into()),
            ("body", self.body.as_str().into()),
        ];
        for (name, value) in fields {
            // Setting a field of a new plain object does not fail.
            let _ = Reflect::set(&reply, &name.into(), &value);
        }
        if let Some(stream) = &self.events {
            let _ = Reflect::set(&reply, &"events".into(), &EventStream::new(stream.clone()).into());
        }
        reply.into()
    }
}

type Respond = Box<dyn FnOnce(Reply)>;

thread_local! {
    /// By the number of the call. A list, because few are under way at once.
    static OWED: RefCell<Vec<(u64, Respond)>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u64> = const { Cell::new(1) };
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// How many calls came since this instance started.
pub(crate) fn count() -> u64 {
    NEXT.get()
}

/// Answers a request, later, through `respond`.
pub(crate) fn start(request: HttpIn, respond: impl FnOnce(Reply) + 'static) {
    owe(answer(request), respond);
}

/// Runs an answer to its end and hands it over. If it breaks off in a panic, the panic is the answer.
pub(crate) fn owe(answer: impl Future<Output = Reply> + 'static, respond: impl FnOnce(Reply) + 'static) {
    if !IS_WATCHED.replace(true) {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            on_panic(panic);
            others(panic);
        }));
    }
    let call = NEXT.get();
    NEXT.set(call + 1);
    OWED.with_borrow_mut(|owed| owed.push((call, Box::new(respond))));
    spawn_local(async move {
        let reply = answer.await;
        let paid = OWED.with_borrow_mut(|owed| {
            let place = owed.iter().position(|(number, _)| *number == call)?;
            Some(owed.swap_remove(place))
        });
        if let Some((_, respond)) = paid {
            respond(reply);
        }
        server::tidy_up().await;
    });
}

async fn answer(request: HttpIn) -> Reply {
    // Foreign clients know nothing of a transport; our own page says which one it was built for.
    if request.headers.get("satchel-version").is_some_and(|version| version != TRANSPORT_VERSION.to_string())
    {
        return Reply::error(
            409,
            &RpcError::internal("Page and worker are of different versions: reload the page"),
        );
    }
    match server::handle(request).await {
        Ok(HttpOut { status, headers, body }) => match body {
            Body::Events(events) => {
                Reply { status, headers, body: String::new(), events: Some(Stream::new(events)) }
            }
            Body::Empty => Reply { status, headers, body: String::new(), events: None },
            Body::Full(bytes) => {
                Reply { status, headers, body: String::from_utf8(bytes).unwrap_or_default(), events: None }
            }
        },
        Err(why) => Reply::error(503, &RpcError::internal(format!("The tools cannot be opened: {why}"))),
    }
}

fn on_panic(panic: &PanicHookInfo<'_>) {
    browser::complain(&panic.to_string());
    // What the panic left behind is not to be trusted. The journal is: the next call opens it anew.
    server::abandon();
    let owed = OWED.with(|owed| owed.try_borrow_mut().map(|mut owed| std::mem::take(&mut *owed)));
    let reply = Reply::error(
        500,
        &RpcError::internal("The tool server broke off. What it had saved is saved: call again"),
    );
    owed.unwrap_or_default().into_iter().for_each(|(_, respond)| respond(reply.clone()));
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use futures::channel::oneshot;
    use mcp::Part;
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    use super::{Cell, Headers, HttpIn, Reply, owe, start};
    use crate::{App, Collect, Lost, Parts, Rest, collect, had, serve};

    wasm_bindgen_test_configure!(run_in_service_worker);

    /// No domains: what is tested asks none.
    fn serve_nothing() {
        serve(App {
            name: "test",
            title: "Test",
            domains: &[],
            tools: || Parts::here(&[]),
            protocol: || Part::here(Rest::here()),
            collect: || had(async { Ok::<fn() -> Collect, Lost>(|| collect as Collect) }),
        });
    }

    /// One answer breaks off in a panic: it and the others under way are answered, and the next call works.
    #[wasm_bindgen_test]
    async fn a_panic_is_an_answer() {
        serve_nothing();
        let (send, broken) = oneshot::channel();
        let (send_other, other) = oneshot::channel();
        let is_late = Rc::new(Cell::new(false));
        let late = Rc::clone(&is_late);
        let reply = || Reply::text(String::new());
        let slow = async move {
            futures::pending!();
            late.set(true);
            reply()
        };
        owe(slow, |reply| drop(send_other.send(reply)));
        owe(async { panic!("on purpose") }, |reply| drop(send.send(reply)));
        for reply in [broken.await.unwrap(), other.await.unwrap()] {
            assert_eq!(reply.status, 500);
            assert!(reply.body.contains("-32603"), "{}", reply.body);
        }
        assert!(!is_late.get());

        let (send, next) = oneshot::channel();
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let headers = Headers::new().with("content-type", "application/json");
        start(HttpIn::post(headers, ping), |reply| drop(send.send(reply)));
        assert_eq!(next.await.unwrap().body, r#"{"id":1,"jsonrpc":"2.0","result":{}}"#);
    }
}

//! Waiting for JavaScript: a one-shot signal, a promise, a timer.

use std::{
    cell::RefCell,
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;

/// A value that an event handler will bring. The first one counts.
pub(super) struct Signal<T> {
    state: Rc<RefCell<State<T>>>,
}

struct State<T> {
    value: Option<T>,
    /// Somebody came with a value, whether it was taken already or not.
    settled: bool,
    /// Nobody waits any more.
    abandoned: bool,
    waker: Option<Waker>,
}

impl<T> Clone for Signal<T> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone() }
    }
}

impl<T> Signal<T> {
    pub fn new() -> Self {
        let state = State { value: None, settled: false, abandoned: false, waker: None };
        Self { state: Rc::new(RefCell::new(state)) }
    }

    /// Brings the value; gives it back when it comes too late.
    pub fn send(&self, value: T) -> Result<(), T> {
        let waker = {
            let mut state = self.state.borrow_mut();
            if state.settled || state.abandoned {
                return Err(value);
            }
            state.settled = true;
            state.value = Some(value);
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
        Ok(())
    }

    /// Waits for the value.
    pub async fn wait(&self) -> T {
        let guard = Abandon(self);
        let value = poll_fn(|cx| {
            let mut state = self.state.borrow_mut();
            match state.value.take() {
                Some(value) => Poll::Ready(value),
                None => {
                    state.waker = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await;
        drop(guard);
        value
    }
}

/// Whoever waited is gone, or has its value.
struct Abandon<'a, T>(&'a Signal<T>);

impl<T> Drop for Abandon<'_, T> {
    fn drop(&mut self) {
        self.0.state.borrow_mut().abandoned = true;
    }
}

/// Calls a method by its name. A method that is not there is an error, as in JavaScript, and not a trap.
pub(super) fn call(target: &JsValue, method: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    let function: Function = Reflect::get(target, &method.into())?.dyn_into()?;
    Reflect::apply(&function, target, &arguments.iter().collect::<Array>())
}

/// Calls a method that returns a promise, and waits for it.
pub(super) async fn call_async(
    target: &JsValue,
    method: &str,
    arguments: &[JsValue],
) -> Result<JsValue, JsValue> {
    JsFuture::from(Promise::resolve(&call(target, method, arguments)?)).await
}

/// Runs something after some milliseconds, in a page as in a worker.
pub(super) fn after_ms(delay_ms: i32, work: impl FnOnce() + 'static) {
    let callback = Closure::once_into_js(work);
    // Without timers there is nothing to wait with: then it waits for ever, as it would anyway.
    drop(call(&js_sys::global(), "setTimeout", &[callback, delay_ms.into()]));
}

/// Done after some milliseconds; at once where there are none.
pub(super) async fn pause(ms: i32) {
    if ms > 0 {
        let over = Signal::new();
        let signal = over.clone();
        after_ms(ms, move || {
            signal.send(()).ok();
        });
        over.wait().await;
    }
}

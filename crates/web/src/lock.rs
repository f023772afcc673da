//! Web Locks: one tab has what all tabs share, such as a conversation to run. The browser gives a lock on when the tab that
//! has it closes or dies.
//!
//! `navigator.locks` is called by its name: web-sys has it only behind an unstable flag.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::channel::oneshot;
use js_sys::{Array, Object, Promise};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::AbortController;

use crate::{names, value};

/// How a lock is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// When it is free, however long that takes.
    InTurn,
    /// Now: whoever has it loses it.
    AtOnce,
}

/// A lock that was asked for. Dropping it gives it back, or takes the question back.
pub struct Lock {
    release: Rc<RefCell<Option<oneshot::Sender<()>>>>,
    asking: Option<AbortController>,
    held: Rc<Cell<bool>>,
}

impl Lock {
    /// Asks for a lock. `granted` is called when this tab has it, `lost` when another tab took it.
    /// Where the browser knows no locks, or gives none to this page, it is granted at once.
    pub fn ask(
        name: &str,
        ask: Ask,
        granted: impl FnOnce() + 'static,
        lost: impl FnOnce() + 'static,
    ) -> Self {
        let held = Rc::new(Cell::new(false));
        let release: Rc<RefCell<Option<oneshot::Sender<()>>>> = Rc::default();
        let Some(locks) = manager() else {
            held.set(true);
            granted();
            return Self { release, asking: None, held };
        };
        let (send, receive) = oneshot::channel::<()>();
        release.replace(Some(send));
        let granted = Rc::new(RefCell::new(Some(granted)));
        let grant = move || {
            let granted = granted.borrow_mut().take();
            if let Some(granted) = granted {
                granted();
            }
        };
        let is_held = Rc::clone(&held);
        let wanted = Rc::clone(&release);
        let is_granted = grant.clone();
        // Freed by being called: a question that is taken back may be answered all the same, a moment later.
        let callback = Closure::once_into_js(move |_lock: JsValue| -> Promise {
            if wanted.borrow().is_none() {
                return Promise::resolve(&JsValue::UNDEFINED);
            }
            is_held.set(true);
            is_granted();
            // The lock is held for as long as this promise is open.
            future_to_promise(async move {
                let _ = receive.await;
                Ok(JsValue::UNDEFINED)
            })
        });
        let options = Object::new();
        let asking = match ask {
            Ask::InTurn => AbortController::new().ok(),
            Ask::AtOnce => {
                value::set(&options, "steal", &JsValue::TRUE);
                None
            }
        };
        if let Some(asking) = &asking {
            value::set(&options, "signal", &asking.signal());
        }
        let asked = value::call(&locks, "request", &[names::of(name).into(), options.into(), callback]);
        let was_held = Rc::clone(&held);
        let released = Rc::clone(&release);
        spawn_local(async move {
            let has_ended = match asked.and_then(JsCast::dyn_into::<Promise>) {
                Ok(asked) => JsFuture::from(asked).await.is_ok(),
                Err(_) => false,
            };
            // It ends with an error when the question is taken back, the lock was taken, or there is none to be had: where a
            // person lets pages keep nothing, say. Then there is no other tab to mind either.
            if !has_ended && released.borrow_mut().take().is_some() {
                if was_held.replace(false) {
                    lost();
                } else {
                    was_held.set(true);
                    grant();
                }
            }
        });
        Self { release, asking, held }
    }
}

impl Lock {
    /// A lock in turn, waited for.
    pub async fn in_turn(name: &str) -> Self {
        let (send, granted) = oneshot::channel();
        let lock = Self::ask(name, Ask::InTurn, move || send.send(()).unwrap_or_default(), || {});
        let _ = granted.await;
        lock
    }

    /// Whether this tab has it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.held.get()
    }
}

/// Whether anybody has the lock of this name now, in whatever tab. Where the browser knows no locks nobody has one; where it
/// does not say, it is taken.
pub async fn is_taken(name: &str) -> bool {
    let Some(locks) = manager() else { return false };
    let Ok(answer) = value::called(&locks, "query", &[]).await else { return true };
    let name = names::of(name);
    let held = value::part(&answer, "held").and_then(|held| held.dyn_into::<Array>().ok());
    held.is_none_or(|held| {
        held.iter().any(|lock| value::text(&lock, "name").as_deref() == Some(name.as_str()))
    })
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = self.release.borrow_mut().take() {
            let _ = release.send(());
        }
        if let (false, Some(asking)) = (self.held.get(), &self.asking) {
            asking.abort();
        }
    }
}

fn manager() -> Option<JsValue> {
    let locks = value::part(&web_sys::window()?.navigator(), "locks")?;
    value::method(&locks, "request").map(|_| locks)
}

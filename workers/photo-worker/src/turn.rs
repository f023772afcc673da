//! A turn at decoding a picture that no decoder makes smaller while it decodes it: one at a time, over all workers of all tabs.
//!
//! Such a picture is in memory whole, up to 400 MB; each worker decodes one, and there are several. `navigator.locks` is called by its
//! name, because web-sys has it only behind an unstable flag.

use std::pin::pin;

use futures::channel::oneshot;
use futures::future::select;
use js_sys::{Function, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::scope::{member, pause};

/// What the turn is called: two apps of one origin are on one device, and have one between them.
const NAME: &str = "satchel-large-picture";

/// The longest that a turn is waited for, in milliseconds: whoever has it decodes for 30 seconds at most. Then it is gone on without one,
/// because the page gives a photo up after two minutes.
const LONGEST_MS: i32 = 60_000;

/// A turn, given back when it is dropped. Where the browser has no locks, or gives none in time, it is nobody's: then pictures are decoded
/// beside each other, as small ones are.
pub struct Turn {
    release: Option<Function>,
}

impl Turn {
    /// Waits for it.
    pub async fn take() -> Self {
        Self::named(NAME, LONGEST_MS).await
    }

    async fn named(name: &str, longest_ms: i32) -> Self {
        let nobodys = Self { release: None };
        let locks = member(&js_sys::global(), "navigator").and_then(|navigator| member(&navigator, "locks"));
        let Some(locks) = locks else { return nobodys };
        let request = member(&locks, "request").and_then(|request| request.dyn_into::<Function>().ok());
        let Some(request) = request else { return nobodys };
        let mut release = None;
        // The lock is held until this is resolved; one that comes too late finds it resolved.
        let held = Promise::new(&mut |resolve, _| release = Some(resolve));
        let turn = Self { release };
        let (is_granted, granted) = oneshot::channel::<()>();
        let on_grant = Closure::once_into_js(move |_: JsValue| -> Promise {
            // Whoever waited may have gone on.
            let _ = is_granted.send(());
            held
        });
        let Ok(asked) = request.call2(&locks, &name.into(), &on_grant) else { return turn };
        // It is settled before it is granted where the lock is refused: to a page without an origin.
        let refused = JsFuture::from(asked.unchecked_into::<Promise>());
        let patience = pin!(pause(longest_ms));
        select(granted, select(refused, patience)).await;
        turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            // It only resolves a promise.
            drop(release.call0(&JsValue::UNDEFINED));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails here has failed")]
mod tests {
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    use super::*;

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    /// One at a time; what is given back is had by the next, also what was asked for and not waited for.
    #[wasm_bindgen_test]
    async fn a_turn_is_had_by_one_at_a_time() {
        const NAME: &str = "a turn of this test's";
        let waits = |ms: i32| async move {
            let begin = js_sys::Date::now();
            let turn = Turn::named(NAME, ms).await;
            (turn, js_sys::Date::now() - begin)
        };
        let (first, took) = waits(5_000).await;
        assert!(took < 1_000.0, "{took}");
        let (late, took) = waits(200).await;
        assert!(took >= 150.0, "{took}");
        drop(first);
        drop(late);
        let (_again, took) = waits(5_000).await;
        assert!(took < 1_000.0, "{took}");
    }
}

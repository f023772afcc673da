//! Everything goes: to-dos, conversations, keys, settings, copies, the app's own files.
//!
//! A worker that still runs, or another tab, would write back what it holds in memory. So it is done by
//! the next page: this one leaves a note, sends the other tabs out and loads itself again without a
//! worker; that page deletes before it opens anything. The note is in the tab's own storage, where no
//! link from elsewhere can put it.
//!
//! A tab keeps texts of its own as well: what is being written, and what is not in the list yet. A tab that is sent out drops
//! them at once. One that was not there to hear it (discarded, or closed and opened again) finds at its next start that the
//! stamp of the last deletion is not the one it knows, and drops them then.

use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{Either, select};
use js_sys::{Array, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{BroadcastChannel, MessageEvent, Window};

use crate::installed::call;
use crate::{clock, storage};

/// The note, with what the next page is to do.
const NOTE: &str = "satchel.wipe";

/// The next page deletes.
const DELETE: &str = "delete";

/// The next page only says that another one did.
const GONE: &str = "gone";

/// Where the device keeps the stamp of the last deletion, and each tab the last one it has seen. A random name and no time:
/// when it was is nobody's business.
const STAMP: &str = "satchel.wiped";

/// Where a tab tells the others.
const CHANNEL: &str = "satchel-wipe";

/// What our databases, caches, folders and settings begin with.
const OURS: &str = "satchel";

/// How long a database may take to go, in milliseconds; it waits for connections to close.
const PATIENCE_MS: u64 = 8_000;

/// Deletes everything on this device: leaves the note, and loads the page again.
pub async fn wipe() {
    let Some(window) = web_sys::window() else { return };
    note(DELETE);
    if let Ok(channel) = BroadcastChannel::new(CHANNEL) {
        let _ = channel.post_message(&JsValue::TRUE);
    }
    // A worker outlives its registration while a tab is open, and may be taken up again.
    if let Some(worker) = part(&window.navigator(), "serviceWorker").and_then(|all| part(&all, "controller"))
        && let Ok(worker) = worker.dyn_into::<web_sys::ServiceWorker>()
    {
        let message = js_sys::Object::new();
        let _ = Reflect::set(&message, &"satchel".into(), &"forget".into());
        let _ = worker.post_message(&message);
    }
    unregister(&window).await;
    let _ = window.location().reload();
}

/// Leaves when another tab deletes everything.
pub fn listen() {
    let Ok(channel) = BroadcastChannel::new(CHANNEL) else { return };
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(|_: MessageEvent| {
        // The tab that deletes hears itself.
        if let Some(window) = web_sys::window()
            && noted().as_deref() != Some(DELETE)
        {
            note(GONE);
            let _ = window.location().reload();
        }
    });
    channel.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // For as long as the page lives.
    std::mem::forget(channel);
    listener.forget();
}

/// Whether another tab has deleted everything and this one was sent out: then it opens nothing, or it would
/// be in the way. Asked once; a reload opens a fresh app. What this tab kept goes with the note.
#[must_use]
pub fn leave_if_wiped() -> bool {
    let gone = noted().as_deref() == Some(GONE);
    if gone && let Some(tab) = storage::session() {
        clear(&tab);
    }
    gone
}

/// Deletes, if the page before this one was told to, or drops what this tab kept, if another one deleted everything since.
/// Before anything is opened.
pub async fn wipe_if_asked() {
    if let Some(window) = web_sys::window()
        && noted().as_deref() == Some(DELETE)
    {
        delete_everything(&window).await;
    }
    catch_up();
}

/// Drops what this tab kept from before a deletion that it did not hear of.
fn catch_up() {
    let (Some(device), Some(tab)) = (storage::local(), storage::session()) else { return };
    let stamp_in = |storage: &web_sys::Storage| storage.get_item(STAMP).ok().flatten();
    let (stamp, seen) = (stamp_in(&device), stamp_in(&tab));
    if let Some(stamp) = unseen(stamp, seen.as_deref()) {
        clear(&tab);
        let _ = tab.set_item(STAMP, &stamp);
    }
}

/// The stamp of the last deletion, where the tab has not seen it. One that has seen none is new, and keeps nothing yet, or is
/// from before. Without a stamp there was no deletion, whatever the tab has seen.
fn unseen(stamp: Option<String>, seen: Option<&str>) -> Option<String> {
    stamp.filter(|stamp| seen != Some(stamp.as_str()))
}

async fn delete_everything(window: &Window) {
    // Should the page before this one not have come that far.
    unregister(window).await;
    if let Some(caches) = part(window, "caches") {
        delete_named(&caches).await;
    }
    delete_databases(window).await;
    // Where the to-dos are once the browser could not open its databases any more.
    if let Some(buckets) = part(&window.navigator(), "storageBuckets") {
        delete_named(&buckets).await;
    }
    delete_files(window).await;
    if let Some(device) = storage::local() {
        clear(&device);
        let _ = device.set_item(STAMP, &clock::random());
    }
    if let Some(tab) = storage::session() {
        // The note among them: it is done.
        clear(&tab);
    }
}

async fn unregister(window: &Window) {
    let Some(workers) = part(&window.navigator(), "serviceWorker") else { return };
    let Some(asked) = call(&workers, "getRegistration", &JsValue::UNDEFINED) else { return };
    if let Ok(registration) = JsFuture::from(asked).await
        && let Some(going) = call(&registration, "unregister", &JsValue::UNDEFINED)
    {
        let _ = JsFuture::from(going).await;
    }
}

/// Deletes what is ours of things that are listed and deleted by name.
async fn delete_named(things: &JsValue) {
    let Some(asked) = call(things, "keys", &JsValue::UNDEFINED) else { return };
    let Ok(names) = JsFuture::from(asked).await else { return };
    for name in Array::from(&names).iter().filter_map(|name| name.as_string()) {
        if name.starts_with(OURS)
            && let Some(going) = call(things, "delete", &name.into())
        {
            let _ = JsFuture::from(going).await;
        }
    }
}

async fn delete_databases(window: &Window) {
    let Some(factory) = window.indexed_db().ok().flatten() else { return };
    // Firefox before 126 cannot list them: then at least those we know by name.
    let mut names: Vec<String> =
        ["satchel", "satchel-conversations", "satchel-keys", "satchel-spending"].map(str::to_owned).into();
    if let Some(asked) = call(&factory, "databases", &JsValue::UNDEFINED)
        && let Ok(list) = JsFuture::from(asked).await
    {
        names = Array::from(&list)
            .iter()
            .filter_map(|one| part(&one, "name")?.as_string())
            .filter(|name| name.starts_with(OURS))
            .collect();
    }
    for name in names {
        let Ok(request) = factory.delete_database(&name) else { continue };
        let (send, gone) = oneshot::channel::<()>();
        let send = Rc::new(RefCell::new(Some(send)));
        let done = Closure::<dyn FnMut()>::new(move || {
            if let Some(send) = send.borrow_mut().take() {
                let _ = send.send(());
            }
        });
        request.set_onsuccess(Some(done.as_ref().unchecked_ref()));
        request.set_onerror(Some(done.as_ref().unchecked_ref()));
        if let Either::Right(_) = select(gone, clock::sleep(PATIENCE_MS).boxed_local()).await {
            // It goes when the last connection to it closes.
            done.forget();
        }
    }
}

async fn delete_files(window: &Window) {
    let Some(manager) = part(&window.navigator(), "storage") else { return };
    let Some(asked) = call(&manager, "getDirectory", &JsValue::UNDEFINED) else { return };
    let Ok(root) = JsFuture::from(asked).await else { return };
    let Some(names) = part(&root, "keys").and_then(|keys| keys.dyn_into::<js_sys::Function>().ok()) else {
        return;
    };
    let Ok(names) = names.call0(&root) else { return };
    let mut ours = Vec::new();
    while let Some(asked) = call(&names, "next", &JsValue::UNDEFINED)
        && let Ok(next) = JsFuture::from(asked).await
        && let Some(name) = part(&next, "value").and_then(|name| name.as_string())
    {
        ours.push(name);
    }
    let options = js_sys::Object::new();
    let _ = Reflect::set(&options, &"recursive".into(), &JsValue::TRUE);
    for name in ours.iter().filter(|name| name.starts_with(OURS)) {
        let removed = part(&root, "removeEntry")
            .and_then(|remove| remove.dyn_into::<js_sys::Function>().ok())
            .and_then(|remove| remove.call2(&root, &name.as_str().into(), &options).ok())
            .and_then(|going| going.dyn_into::<js_sys::Promise>().ok());
        if let Some(going) = removed {
            let _ = JsFuture::from(going).await;
        }
    }
}

fn clear(storage: &web_sys::Storage) {
    let names: Vec<String> = (0..storage.length().unwrap_or(0))
        .filter_map(|at| storage.key(at).ok().flatten())
        .filter(|name| name.starts_with(OURS))
        .collect();
    for name in names {
        let _ = storage.remove_item(&name);
    }
}

fn note(what: &str) {
    if let Some(tab) = storage::session() {
        let _ = tab.set_item(NOTE, what);
    }
}

fn noted() -> Option<String> {
    storage::session()?.get_item(NOTE).ok().flatten()
}

fn part(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &name.into()).ok().filter(|part| !part.is_undefined() && !part.is_null())
}

#[cfg(test)]
mod tests {
    use super::unseen;

    #[test]
    fn a_tab_drops_what_is_from_before_a_deletion_it_has_not_seen() {
        // The stamp of the device, the one the tab has seen, whether what the tab keeps goes.
        let rows = [
            (None, None, false),
            (Some("b"), None, true),
            (Some("b"), Some("a"), true),
            (Some("b"), Some("b"), false),
            (None, Some("a"), false),
        ];
        for (stamp, seen, goes) in rows {
            let found = unseen(stamp.map(str::to_owned), seen);
            assert_eq!(found.as_deref(), stamp.filter(|_| goes), "{stamp:?}, {seen:?}");
        }
    }
}

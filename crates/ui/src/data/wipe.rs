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

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web::channel::{self, Channel};
use web::value::{self, called, part, text};
use web::{idb, names, page, storage};
use web_sys::Window;

use crate::clock;
use crate::transport::is_ours;

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

/// What the name of the cache begins with in which pictures wait that another app shared; `www/sw.js` names it.
const SHARED: &str = "satchel-shared";

/// The same of the cache that says what was told on this device (`www/sw.js`).
const NOTICES: &str = "satchel-notices";

/// Our databases, where the browser does not list them.
const DATABASES: [&str; 4] = ["satchel", "satchel-conversations", "satchel-keys", "satchel-spending"];

/// How long a database may take to go, in milliseconds; it waits for connections to close.
const PATIENCE_MS: u64 = 8_000;

/// Deletes everything on this device: leaves the note, and loads the page again.
pub async fn wipe() {
    let Some(window) = web_sys::window() else { return };
    note(DELETE);
    channel::tell(CHANNEL, true);
    // A worker outlives its registration while a tab is open, and may be taken up again.
    if let Some(worker) = part(&window.navigator(), "serviceWorker").and_then(|all| part(&all, "controller"))
        && let Ok(worker) = worker.dyn_into::<web_sys::ServiceWorker>()
        && is_ours(&worker)
    {
        let _ = worker.post_message(&value::object(&[("satchel", "forget".into())]));
    }
    web::notices::close_all().await;
    unregister(&window).await;
    // The page that comes back has nothing open: the address may be that of these settings.
    if let Ok(history) = window.history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some("./"));
    }
    page::reload();
}

/// Leaves when another tab deletes everything.
pub fn listen() {
    Channel::for_good(CHANNEL, |_| {
        // The tab that deletes hears itself.
        if noted().as_deref() != Some(DELETE) {
            note(GONE);
            page::reload();
        }
    });
}

/// Whether another tab has deleted everything and this one was sent out: then it opens nothing, or it would
/// be in the way. Asked once; a reload opens a fresh app. What this tab kept goes with the note.
#[must_use]
pub fn leave_if_wiped() -> bool {
    let gone = noted().as_deref() == Some(GONE);
    if gone {
        storage::session().clear();
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
    let tab = storage::session();
    if let Some(stamp) = unseen(storage::local().get(STAMP), tab.get(STAMP).as_deref()) {
        tab.clear();
        tab.set(STAMP, &stamp);
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
        // Of this folder alone: another app, or another copy of this one, has its own.
        let ours = crate::shell::caches();
        let others = [SHARED, NOTICES].map(|name| format!("{name} {}", page::home()));
        delete_named(&caches, |name| name.starts_with(&ours) || others.iter().any(|other| other == name))
            .await;
    }
    delete_databases(window).await;
    // Where the to-dos are once the browser could not open its databases any more.
    if let Some(buckets) = part(&window.navigator(), "storageBuckets") {
        delete_named(&buckets, names::is_ours).await;
    }
    delete_files(window).await;
    storage::local().clear();
    storage::local().set(STAMP, &clock::random());
    // The note among them: it is done.
    storage::session().clear();
}

async fn unregister(window: &Window) {
    let Some(workers) = part(&window.navigator(), "serviceWorker") else { return };
    // Where this app's is gone already, it may be that of an app in a folder above.
    if let Ok(registration) = called(&workers, "getRegistration", &[]).await
        && text(&registration, "scope") == Some(page::home())
    {
        let _ = called(&registration, "unregister", &[]).await;
    }
}

/// Deletes what is ours of things that are listed and deleted by name.
async fn delete_named(things: &JsValue, is_ours: impl Fn(&str) -> bool) {
    let Ok(names) = called(things, "keys", &[]).await else { return };
    for name in Array::from(&names).iter().filter_map(|name| name.as_string()) {
        if is_ours(&name) {
            let _ = called(things, "delete", &[name.into()]).await;
        }
    }
}

async fn delete_databases(window: &Window) {
    let Some(factory) = window.indexed_db().ok().flatten() else { return };
    // Firefox before 126 cannot list them: then at least those we know by name.
    let mut all = DATABASES.map(names::of).to_vec();
    if let Ok(list) = called(&factory, "databases", &[]).await {
        all = Array::from(&list)
            .iter()
            .filter_map(|one| text(&one, "name"))
            .filter(|name| names::is_ours(name))
            .collect();
    }
    for name in all {
        let Ok(request) = factory.delete_database(&name) else { continue };
        // One that takes longer goes when the last connection to it closes.
        let _ = clock::within(PATIENCE_MS, idb::finished(&request)).await;
    }
}

async fn delete_files(window: &Window) {
    let Some(manager) = part(&window.navigator(), "storage") else { return };
    let Ok(root) = called(&manager, "getDirectory", &[]).await else { return };
    let Ok(files) = value::call(&root, "keys", &[]) else { return };
    let mut ours = Vec::new();
    while let Ok(next) = called(&files, "next", &[]).await
        && let Some(name) = text(&next, "value")
    {
        // `satchel-` and the name of the database that they are beside.
        if name.strip_prefix("satchel-").is_some_and(names::is_ours) {
            ours.push(name);
        }
    }
    let all_of_it = value::object(&[("recursive", true.into())]);
    for name in ours {
        let _ = called(&root, "removeEntry", &[name.into(), all_of_it.clone().into()]).await;
    }
}

fn note(what: &str) {
    storage::session().set(NOTE, what);
}

fn noted() -> Option<String> {
    storage::session().get(NOTE)
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

//! Notices: what the worker tells at a time (docs/adr/0071-reminders.md), and whether the browser shows it.
//!
//! `Notification` and `periodicSync` are called by their names: they are missing where a browser has none.

use js_sys::{Array, Object};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::MessageEvent;

use crate::listener::Listener;
use crate::{clock, page, value};

/// How long the worker may take to answer, in milliseconds.
const PATIENCE_MS: u64 = 10_000;

/// Whether the browser shows notifications of this app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// The person allowed them.
    Granted,
    /// Nobody has asked.
    NotAsked,
    /// The person does not want them, or the browser has none.
    No,
}

/// Whether the browser shows notifications of this app.
#[must_use]
pub fn permission() -> Permission {
    let said = notification().and_then(|kind| value::text(&kind, "permission"));
    match said.as_deref() {
        Some("granted") => Permission::Granted,
        Some("default") => Permission::NotAsked,
        _ => Permission::No,
    }
}

/// Asks the person. Only while a press of theirs is handled: browsers refuse it otherwise.
pub async fn ask_permission() -> Permission {
    if let Some(kind) = notification() {
        let _ = value::called(&kind, "requestPermission", &[]).await;
    }
    permission()
}

fn notification() -> Option<JsValue> {
    value::part(&web_sys::window()?.into(), "Notification")
}

/// Asks the worker what is to be told: `message` names the resource that lists it. None where no worker is in control, or where it does not
/// answer. By fetch: a worker that another waits for would be kept by each message to it.
pub async fn ask(message: &Object) -> Option<JsValue> {
    value::part(&container()?, "controller")?;
    let window: JsValue = web_sys::window()?.into();
    let body = js_sys::JSON::stringify(message).ok()?;
    let headers = value::object(&[("content-type", "application/json".into())]);
    let init =
        value::object(&[("method", "POST".into()), ("headers", headers.into()), ("body", body.into())]);
    let address = format!("{}api/notices", page::home());
    let answered = async {
        let response = value::called(&window, "fetch", &[address.into(), init.into()]).await.ok()?;
        value::part(&response, "ok")?.is_truthy().then_some(())?;
        let text = value::called(&response, "text", &[]).await.ok()?.as_string()?;
        js_sys::JSON::parse(&text).ok().filter(JsValue::is_object)
    };
    clock::within(PATIENCE_MS, answered).await.flatten()
}

/// What the device knows of what was told, as the worker keeps it (`www/notices.js`): JSON, by tag. None where it knows nothing.
pub async fn known() -> Option<String> {
    let caches = value::part(&web_sys::window()?.into(), "caches")?;
    let home = page::home();
    let of = value::object(&[("cacheName", format!("satchel-notices {home}").into())]);
    let kept = value::called(&caches, "match", &[home.into(), of.into()]).await.ok()?;
    value::called(&kept, "text", &[]).await.ok()?.as_string()
}

/// Listens to what the worker says of itself, for as long as the page lives: its word, and where it sends the page.
pub fn listen(mut on_word: impl FnMut(&str, Option<String>) + 'static) {
    if let Some(container) =
        container().and_then(|container| container.dyn_into::<web_sys::EventTarget>().ok())
    {
        let on_message = move |event: MessageEvent| {
            if let Some(word) = value::text(&event.data(), "satchel") {
                on_word(&word, value::text(&event.data(), "to"));
            }
        };
        Listener::on(&container, "message", on_message).for_good();
    }
}

/// Has the browser wake the worker now and then to tell what a resource lists, where it does such things for this app.
pub async fn wake_for(resource: &str) {
    const EVERY_MS: f64 = 15.0 * 60_000.0;
    let Some(ready) = container().and_then(|container| value::part(&container, "ready")) else { return };
    let Ok(registration) = wasm_bindgen_futures::JsFuture::from(js_sys::Promise::resolve(&ready)).await
    else {
        return;
    };
    if let Some(sync) = value::part(&registration, "periodicSync") {
        let every = value::object(&[("minInterval", EVERY_MS.into())]);
        // Refused where the app is not installed, or hardly used: then it is told while a page is open.
        let _ = value::called(&sync, "register", &[resource.into(), every.into()]).await;
    }
}

/// Takes away what is shown.
pub async fn close_all() {
    let Some(registration) = container() else { return };
    let Ok(registration) = value::called(&registration, "getRegistration", &[]).await else { return };
    // Where this app's is gone already, it may be that of an app in a folder above.
    if value::text(&registration, "scope") != Some(page::home()) {
        return;
    }
    if let Ok(shown) = value::called(&registration, "getNotifications", &[]).await {
        for note in Array::from(&shown).iter() {
            let _ = value::call(&note, "close", &[]);
        }
    }
}

fn container() -> Option<JsValue> {
    value::part(&web_sys::window()?.navigator(), "serviceWorker")
}

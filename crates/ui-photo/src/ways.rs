//! The ways by which photos come into the pane beside its buttons: dropped, with whole folders; pasted; opened by the system; and
//! shared by another app, which waits until the person says so.

use js_sys::{Array, Function, Promise};
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::panel::Page;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web::listener::Listener;
use web::value::{call, called, method, part, text};
use web_sys::{ClipboardEvent, DataTransfer, Element, File, FileList, FilePropertyBag};

use crate::intake::{Intake, Walk};
use crate::words;

/// What the name of the cache begins with in which the worker's script has put what was shared.
const SHARED: &str = "satchel-shared";

/// The files of a list.
pub fn files(list: Option<FileList>) -> Vec<File> {
    list.map(|list| (0..list.length()).filter_map(|at| list.item(at)).collect()).unwrap_or_default()
}

/// Takes what was dropped: files, and the pictures in folders, however deep.
pub fn dropped(intake: Intake, given: Option<DataTransfer>) {
    let Some(given) = given else { return };
    let items = given.items();
    let (mut chosen, mut folders) = (Vec::new(), Vec::new());
    // All of them now: after the event nothing of it can be read.
    for item in (0..items.length()).filter_map(|at| items.get(at)).filter(|item| item.kind() == "file") {
        // What was made by a script has no entry.
        let entry = call(&item, "webkitGetAsEntry", &[]).ok().filter(JsValue::is_object);
        match entry.filter(is_folder) {
            Some(folder) => folders.push(folder),
            None => chosen.extend(item.get_as_file().ok().flatten()),
        }
    }
    intake.take(chosen);
    if !folders.is_empty() {
        spawn_local(read(intake.walk(), folders));
    }
}

fn is_folder(entry: &JsValue) -> bool {
    part(entry, "isDirectory").is_some_and(|is| is.is_truthy())
}

/// Reads folders and those in them, some files at a time: what is read waits until what was read before is done.
async fn read(walk: Walk, folders: Vec<JsValue>) {
    let mut folders = folders;
    while let Some(folder) = folders.pop() {
        let Ok(reader) = call(&folder, "createReader", &[]) else { continue };
        loop {
            if !walk.goes_on().await {
                return;
            }
            let entries = match asked(&reader, "readEntries").await {
                Ok(entries) => entries.unchecked_into::<Array>(),
                Err(_) => {
                    walk.lacks(&name(&folder), words::FOLDER_UNREADABLE);
                    break;
                }
            };
            // Until there are no more.
            if entries.length() == 0 {
                break;
            }
            let mut found = Vec::new();
            for entry in entries.iter() {
                if is_folder(&entry) {
                    // What nobody put there: thumbnails, versions.
                    if !name(&entry).starts_with('.') {
                        folders.push(entry);
                    }
                    continue;
                }
                match asked(&entry, "file").await {
                    Ok(file) => found.push(file.unchecked_into()),
                    Err(_) => walk.lacks(&name(&entry), words::FILE_UNREADABLE),
                }
            }
            walk.take(found);
        }
    }
}

fn name(entry: &JsValue) -> String {
    text(entry, "name").unwrap_or_default()
}

/// What a method of an older kind gives, which takes two functions: for what it gives, and for what went wrong.
async fn asked(of: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    let method = method(of, name).ok_or(JsValue::UNDEFINED)?;
    let answer = Promise::new(&mut |given: Function, failed: Function| {
        if let Err(error) = method.call2(of, &given, &failed) {
            drop(failed.call1(&JsValue::NULL, &error));
        }
    });
    JsFuture::from(answer).await
}

/// Takes pictures that are pasted while the pane is seen and nothing is written: the message field has a use of its own for them.
pub fn take_pasted(intake: Intake, pane: NodeRef<html::Section>) -> Option<Listener> {
    let pasted = move |event: ClipboardEvent| {
        let is_seen = pane.get_untracked().is_some_and(|pane| pane.offset_width() > 0);
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_field = target.is_some_and(|at| {
            at.closest("input, textarea, [contenteditable], dialog").is_ok_and(|field| field.is_some())
        });
        let found = files(event.clipboard_data().and_then(|given| given.files()));
        if is_seen && !is_field && !event.default_prevented() && !found.is_empty() {
            event.prevent_default();
            intake.take(found);
        }
    };
    Some(Listener::on(web::page::document()?.as_ref(), "paste", pasted))
}

/// Takes what the system opens with the installed app: only the system can put something there.
pub fn take_opened(intake: Intake) {
    let Some(queue) = web_sys::window().and_then(|window| part(&window, "launchQueue")) else { return };
    let opened = Closure::<dyn Fn(JsValue)>::new(move |launch: JsValue| {
        spawn_local(async move {
            let handles = part(&launch, "files").and_then(|files| files.dyn_into::<Array>().ok());
            let mut found = Vec::new();
            for handle in handles.iter().flat_map(Array::iter) {
                found.extend(called(&handle, "getFile", &[]).await.ok().map(JsCast::unchecked_into));
            }
            intake.take(found);
        });
    });
    drop(call(&queue, "setConsumer", &[opened.as_ref().clone()]));
    // As long as the page lives.
    opened.forget();
}

/// The cache in which shared pictures wait; none where nothing was shared. It is not made by the look.
async fn waiting() -> Option<JsValue> {
    let caches = part(web_sys::window()?.as_ref(), "caches")?;
    let name = JsValue::from(cache());
    let is_there = called(&caches, "has", std::slice::from_ref(&name)).await.ok()?.is_truthy();
    if is_there { called(&caches, "open", &[name]).await.ok() } else { None }
}

/// Its name.
fn cache() -> String {
    format!("{SHARED} {}", web::page::home())
}

/// The addresses of what waits there.
async fn addresses(cache: &JsValue) -> Vec<JsValue> {
    let keys = called(cache, "keys", &[]).await.ok().and_then(|keys| keys.dyn_into::<Array>().ok());
    keys.map(|keys| keys.iter().collect()).unwrap_or_default()
}

/// A picture that waits, as a file under its own name.
async fn shared_file(cache: &JsValue, address: &JsValue) -> Option<File> {
    let kept = called(cache, "match", std::slice::from_ref(address)).await.ok()?;
    let name = call(&part(&kept, "headers")?, "get", &["x-name".into()]).ok()?.as_string()?;
    let name = js_sys::decode_uri_component(&name).ok()?;
    let blob = called(&kept, "blob", &[]).await.ok()?;
    let about = FilePropertyBag::new();
    about.set_type(&text(&blob, "type").unwrap_or_default());
    File::new_with_blob_sequence_and_options(&Array::of1(&blob), &String::from(name), &about).ok()
}

/// What another app shared, and whether it comes in. Any page can send a form to the app, so that is for the person to say.
#[component]
pub fn Shared(page: Page, intake: Intake) -> impl IntoView {
    let count = RwSignal::new(0);
    // What has been said to come in waits until it is in: a page that is closed meanwhile asks again.
    let (is_coming, seen_coming) = (RwSignal::new(false), StoredValue::new(false));
    spawn_local(async move {
        if let Some(cache) = waiting().await {
            count.set(addresses(&cache).await.len());
        }
    });
    let discard = move || {
        count.set(0);
        spawn_local(async move {
            if let Some(caches) = web_sys::window().and_then(|window| part(&window, "caches")) {
                // What cannot be deleted now is asked about again.
                drop(called(&caches, "delete", &[cache().into()]).await);
            }
        });
    };
    let bring_in = move || {
        is_coming.set(true);
        spawn_local(async move {
            let Some(cache) = waiting().await else { return };
            let mut found = Vec::new();
            for address in addresses(&cache).await {
                found.extend(shared_file(&cache, &address).await);
            }
            if found.is_empty() {
                page.toasts.say(words::SHARED_GONE.to_owned());
                discard();
            }
            intake.take(found);
            seen_coming.set_value(true);
        });
    };
    ui_kit::effect(move |_| {
        let is_done = intake.progress.with(|progress| progress.left() == 0);
        if is_done && is_coming.get_untracked() && seen_coming.get_value() {
            discard();
        }
    });
    view! {
        <Show when=move || (count.get() > 0) && !is_coming.get()>
            <div class="notice" role="status" data-testid="photo-shared">
                <p>{move || words::shared(count.get())}</p>
                <button type="button" class="button" data-testid="photo-shared-take" on:click=move |_| bring_in()>
                    {words::BRING_IN}
                </button>
                <button type="button" class="button" data-testid="photo-shared-discard" on:click=move |_| discard()>
                    {words::DISCARD}
                </button>
            </div>
        </Show>
    }
}

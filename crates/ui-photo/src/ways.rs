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
use web_sys::{ClipboardEvent, DataTransfer, Element, File, FileList};

use crate::intake::{Intake, Walk};
use crate::shared::{self, Waits};
use crate::words;

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
        let Ok(reader) = call(&folder, "createReader", &[]) else {
            walk.lacks(&name(&folder), words::folder_unreadable());
            continue;
        };
        loop {
            if !walk.goes_on().await {
                return;
            }
            let entries = match asked(&reader, "readEntries").await {
                Ok(entries) => entries.unchecked_into::<Array>(),
                Err(_) => {
                    walk.lacks(&name(&folder), words::folder_unreadable());
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
                    Err(_) => walk.lacks(&name(&entry), words::file_unreadable()),
                }
            }
            walk.take(found).await;
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
                match called(&handle, "getFile", &[]).await {
                    Ok(file) => found.push(file.unchecked_into()),
                    Err(_) => intake.lacks(&name(&handle), words::file_unreadable()),
                }
            }
            intake.take(found);
        });
    });
    drop(call(&queue, "setConsumer", &[opened.as_ref().clone()]));
    // As long as the page lives.
    opened.forget();
}

/// What another app shared, and whether it comes in. Any page can send a form to the app, so that is for the person to say.
#[component]
pub fn Shared(page: Page, intake: Intake) -> impl IntoView {
    let waits = RwSignal::new(Vec::<String>::new());
    // What has been said to come in waits until it is in: what is not, however that came, is asked about again.
    let (is_coming, is_begun) = (RwSignal::new(false), StoredValue::new(false));
    let look = move || {
        spawn_local(async move {
            let found = shared::addresses().await;
            // The pane may be gone.
            drop(waits.try_set(found));
            let _is_gone = is_coming.try_set(false);
        });
    };
    look();
    let discard = move || {
        // What was told of, and not what came meanwhile.
        let told = waits.get_untracked();
        waits.set(Vec::new());
        spawn_local(async move {
            for address in told {
                shared::let_go(Some(address)).await;
            }
            look();
        });
    };
    let bring_in = move || {
        is_coming.set(true);
        is_begun.set_value(false);
        spawn_local(async move {
            let (mut found, mut is_gone) = (Vec::new(), true);
            for address in waits.get_untracked() {
                match shared::file(&address).await {
                    Waits::File(file) => found.push((file, address)),
                    Waits::Unreadable => {
                        is_gone = false;
                        intake.lacks(words::shared_file(), words::file_unreadable());
                    }
                    Waits::Nothing => {}
                }
            }
            if found.is_empty() {
                if is_gone {
                    page.toasts.say(words::shared_gone().to_owned());
                }
                return look();
            }
            intake.take_shared(found).await;
            let _is_gone = is_begun.try_set_value(true);
            if intake.progress.with_untracked(|progress| progress.left() == 0) {
                look();
            }
        });
    };
    ui_kit::effect(move |_| {
        let is_over = intake.progress.with(|progress| progress.left() == 0);
        if is_over && is_coming.get_untracked() && is_begun.get_value() {
            look();
        }
    });
    let left = intake.shared_left;
    view! {
        <Show when=move || !left.with(String::is_empty)>
            <div class="notice notice-bad" role="status" data-testid="photo-shared-left">
                <p>{move || left.with(|left| words::shared_left(left))}</p>
                <button type="button" class="button" on:click=move |_| left.set(String::new())>
                    {words::dismiss()}
                </button>
            </div>
        </Show>
        <Show when=move || waits.with(|waits| !waits.is_empty()) && !is_coming.get()>
            <div class="notice" role="status" data-testid="photo-shared">
                <p>{move || words::shared(waits.with(Vec::len))}</p>
                <button type="button" class="button" data-testid="photo-shared-take" on:click=move |_| bring_in()>
                    {words::bring_in()}
                </button>
                <button type="button" class="button" data-testid="photo-shared-discard" on:click=move |_| discard()>
                    {words::discard()}
                </button>
            </div>
        </Show>
    }
}

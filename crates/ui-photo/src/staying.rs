//! How photos come in that stay where they are (ADR 0068): what becomes of a folder's originals is chosen before the folder is, and its files are
//! read by its handle, some at a time. Start at [`FolderChooser`].

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::Icon;
use wasm_bindgen::{JsCast, JsValue};
use web::storage;
use web::value::{call, called, object, part, text};

use crate::folders::{Folders, PICKER, are_handles_there, written};
use crate::incoming::Chooser;
use crate::intake::{Intake, is_hidden};
use crate::words;

/// Where the browser keeps what the person chose for folders: [`LEAVE`], or nothing for a copy.
const CHOICE: &str = "satchel-photos-folders";

/// The originals stay where they are.
const LEAVE: &str = "leave";

/// The button that brings a folder in. Where the browser gives handles of folders it opens the choice of what becomes of the originals.
#[component]
pub fn FolderChooser(intake: Intake, folders: Folders) -> impl IntoView {
    if !are_handles_there() {
        return view! { <Chooser label=words::add_folder() testid="photo-add-folder" is_folder=true intake /> }
            .into_any();
    }
    let is_open = RwSignal::new(false);
    let is_left = RwSignal::new(storage::local().get(CHOICE).as_deref() == Some(LEAVE));
    let choose = move |leave: bool| {
        is_left.set(leave);
        if leave {
            // Without a storage it is asked about anew by the next page.
            storage::local().set(CHOICE, LEAVE);
        } else {
            storage::local().remove(CHOICE);
        }
    };
    let way = move |leave: bool, testid: &'static str, name: &'static str, means: &'static str| {
        view! {
            <label class="check">
                <input
                    type="radio"
                    name="photo-folder-way"
                    data-testid=testid
                    prop:checked=move || is_left.get() == leave
                    on:change=move |_| choose(leave)
                />
                <span>{name} " " <span class="hint">{means}</span></span>
            </label>
        }
    };
    view! {
        <button
            type="button"
            class="button"
            data-testid="photo-folder"
            aria-expanded=move || is_open.get().to_string()
            on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
        >
            {Icon::List.draw()}
            <span>{words::add_folder()}</span>
        </button>
        <Show when=move || is_open.get()>
            <div
                class="photo-folder-ways"
                role="group"
                aria-label=words::folder_ways()
                on:change=move |event| {
                    let field = event.target().and_then(|field| field.dyn_into::<web_sys::HtmlInputElement>().ok());
                    if field.is_some_and(|field| field.type_() == "file") {
                        is_open.set(false);
                    }
                }
            >
                {way(false, "photo-folder-copy", words::folder_copy(), words::folder_copy_means())}
                {way(true, "photo-folder-leave", words::folder_leave(), words::folder_leave_means())}
                <Show
                    when=move || is_left.get()
                    fallback=move || {
                        view! { <Chooser label=words::choose_folder() testid="photo-add-folder" is_folder=true intake /> }
                    }
                >
                    <button type="button" class="button" data-testid="photo-leave-folder" on:click=move |_| choose_folder(folders, intake, is_open)>
                        {Icon::List.draw()}
                        <span>{words::choose_folder()}</span>
                    </button>
                </Show>
            </div>
        </Show>
    }
    .into_any()
}

/// Has the person choose a folder, and brings its photos in without copying them. Called in the handler of a press: the browser asks for
/// nothing else.
fn choose_folder(folders: Folders, intake: Intake, is_open: RwSignal<bool>) {
    let Some(window) = web_sys::window() else { return };
    let how = object(&[("mode", "read".into()), ("id", "left-photos".into())]);
    let Ok(asked) = call(&window, PICKER, &[how.into()]) else { return };
    spawn_local(async move {
        // Whoever closes the browser's window wants none.
        let chosen = wasm_bindgen_futures::JsFuture::from(js_sys::Promise::from(asked)).await;
        let Ok(handle) = chosen else { return };
        // The choice is made, and the photos need the room.
        is_open.try_set(false);
        let name = text(&handle, "name").unwrap_or_default();
        match folders.keep(&handle, &name).await {
            Ok(key) => walk(intake, &key, handle).await,
            Err(_) => intake.lacks(&name, words::folder_not_kept()),
        }
    });
}

/// Brings in the photos of a folder and of those in it, some files at a time: what is read waits until what was read before is done.
async fn walk(intake: Intake, key: &str, handle: JsValue) {
    /// So many files are handed over at once.
    const FILES: usize = 100;
    let walk = intake.walk();
    let mut folders = vec![(Vec::<String>::new(), handle)];
    while let Some((path, folder)) = folders.pop() {
        let own = path.last().cloned().or_else(|| text(&folder, "name")).unwrap_or_default();
        let Ok(entries) = call(&folder, "values", &[]) else {
            walk.lacks(&own, words::folder_unreadable());
            continue;
        };
        let mut found = Vec::new();
        loop {
            let Ok(next) = called(&entries, "next", &[]).await else {
                walk.lacks(&own, words::folder_unreadable());
                break;
            };
            let Some(entry) = part(&next, "value") else { break };
            let name = text(&entry, "name").unwrap_or_default();
            if is_hidden(&name) {
                continue;
            }
            if text(&entry, "kind").as_deref() == Some("directory") {
                let mut path = path.clone();
                path.push(name);
                folders.push((path, entry));
                continue;
            }
            let file = called(&entry, "getFile", &[]).await.ok().and_then(|file| file.dyn_into().ok());
            match (file, written(key, &path, &name)) {
                (Some(file), Some(place)) => found.push((file, place)),
                _ => walk.lacks(&name, words::file_unreadable()),
            }
            if found.len() == FILES {
                if !walk.goes_on().await {
                    return;
                }
                walk.take_left(std::mem::take(&mut found)).await;
            }
        }
        if !walk.goes_on().await {
            return;
        }
        walk.take_left(found).await;
    }
}

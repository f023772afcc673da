//! Photos leave by the person's own press: what is written is asked of the tools, a worker writes it one by one, and the browser takes the zip
//! as a download, or the files are in the folder that the person chose (ADR 0066).

use std::collections::BTreeSet;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::{Value, json};
use ui_kit::panel::Page;
use wasm_bindgen::{JsCast, JsValue};
use web::lock::{Lock, is_taken};
use web::names;
use web::value::{self, called, object};
use web_sys::{Blob, HtmlAnchorElement, Url};

use crate::folders::{Folders, key_of};
use crate::pool::{DATABASE, Looker, Refusal};
use crate::{room, words};

/// A zip that is so old is nobody's any more, in milliseconds: the browser has long taken it.
const OLD_MS: f64 = 10.0 * 60.0 * 1_000.0;

/// About how large a small photo is, in bytes.
const SMALL_BYTES: u64 = 900_000;

/// Beside the files themselves a zip has their names, twice.
const PER_FILE: u64 = 400;

/// What the person wants to have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// The ids of the photos.
    pub images: Vec<String>,
    /// Small ones instead of originals.
    pub is_small: bool,
    /// With the places where they were taken.
    pub gps: bool,
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum State {
    /// Nobody asked for anything.
    #[default]
    Idle,
    /// So many of so many are written.
    Working { done: usize, total: usize },
    /// It is done.
    Done(Done),
    /// Why it went wrong, and what to do.
    Failed(String),
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    /// How many were written.
    pub written: usize,
    /// Which of the originals are small all the same: their places cannot be taken out of their files.
    pub made_small: Vec<String>,
    /// What was left out, and why.
    pub left_out: Vec<(String, String)>,
    /// Where the zip can be had again, and its name; none for a folder.
    pub zip: Option<(String, String)>,
    /// The person stopped it.
    pub is_stopped: bool,
}

/// An export. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Saving {
    /// How far it is.
    pub state: RwSignal<State>,
    is_stopped: RwSignal<bool>,
    page: Page,
    folders: Folders,
    /// The lock of the zip whose link stands: no other tab takes it away.
    lock: StoredValue<Option<Lock>, LocalStorage>,
}

/// What `photo_files` tells of a photo.
#[derive(Deserialize)]
struct ToFile {
    name: String,
    /// Where its file was left; empty for one that is kept here.
    #[serde(default)]
    path: String,
    bytes: u64,
    way: String,
}

/// What it tells of one that is not written.
#[derive(Deserialize)]
struct LeftOut {
    name: String,
    why: String,
}

impl Saving {
    /// Nothing is exported yet.
    pub fn new(page: Page, folders: Folders) -> Self {
        let (state, is_stopped) = (RwSignal::new(State::Idle), RwSignal::new(false));
        Self { state, is_stopped, page, folders, lock: StoredValue::new_local(None) }
    }

    /// Whether it is under way.
    pub fn is_working(self) -> bool {
        self.state.with(|state| matches!(state, State::Working { .. }))
    }

    /// Stops after the photo in hand.
    pub fn stop(self) {
        self.is_stopped.set(true);
    }

    /// What came of it was seen.
    pub fn dismiss(self) {
        self.let_go();
        self.state.set(State::Idle);
    }

    /// The link to the zip goes, and with it what keeps the zip.
    fn let_go(self) {
        let link = self.state.with_untracked(|state| match state {
            State::Done(Done { zip: Some((url, _)), .. }) => Some(url.clone()),
            _ => None,
        });
        if let Some(url) = link {
            // A download that has begun goes on.
            drop(Url::revoke_object_url(&url));
        }
        self.lock.set_value(None);
    }

    /// As a zip.
    pub fn as_zip(self, wanted: Wanted) {
        self.begin(wanted, None);
    }

    /// Into a folder that the person chooses. Called in the handler of a press: the browser asks for nothing else.
    pub fn into_folder(self, wanted: Wanted) {
        let Some(window) = web_sys::window() else { return };
        let how = object(&[("mode", "readwrite".into()), ("id", "photos".into())]);
        let Ok(asked) = value::call(&window, PICKER, &[how.into()]) else { return };
        spawn_local(async move {
            // Whoever closes the browser's window wants none.
            if let Ok(folder) = wasm_bindgen_futures::JsFuture::from(js_sys::Promise::from(asked)).await {
                self.begin(wanted, Some(folder));
            }
        });
    }

    fn begin(self, wanted: Wanted, folder: Option<JsValue>) {
        if self.state.with_untracked(|state| matches!(state, State::Working { .. })) {
            return;
        }
        self.let_go();
        self.is_stopped.set(false);
        self.say(State::Working { done: 0, total: wanted.images.len() });
        spawn_local(async move {
            let came = self.export(&wanted, folder).await;
            self.say(came.map_or_else(State::Failed, State::Done));
        });
    }

    /// The row of the chat in which it was begun may be gone.
    fn say(self, state: State) {
        drop(self.state.try_set(state));
    }

    async fn export(self, wanted: &Wanted, folder: Option<JsValue>) -> Result<Done, String> {
        clear_old().await;
        let size = if wanted.is_small { "small" } else { "originals" };
        let asked = json!({ "images": wanted.images, "size": size, "gps": wanted.gps });
        let mut answer = self.page.tools.read("photo_files", asked).await?;
        let items = answer.get_mut("items").map(Value::take).unwrap_or_default();
        let items: Vec<Value> = serde_json::from_value(items).unwrap_or_default();
        let left_out = answer.get_mut("left_out").map(Value::take).unwrap_or_default();
        let left_out: Vec<LeftOut> = serde_json::from_value(left_out).unwrap_or_default();
        let left_out =
            left_out.into_iter().map(|LeftOut { name, why }| (name, words::why_not(&why).to_owned()));
        let mut done = Done { left_out: left_out.collect(), ..Done::default() };
        if items.is_empty() {
            return Ok(done);
        }
        let files: Vec<ToFile> = items.iter().filter_map(|item| ToFile::deserialize(item).ok()).collect();
        // The browser asks once, and not at each photo.
        let keys: BTreeSet<&str> = files.iter().filter_map(|file| key_of(&file.path)).collect();
        if !keys.is_empty() && !self.folders.ask(keys.into_iter()).await {
            return Err(words::folder_not_allowed().to_owned());
        }
        if folder.is_none() {
            room_for(&files).await?;
        }
        let zip = match folder {
            None => Some(new_file().await.ok_or(words::no_private_files())?),
            Some(_) => None,
        };
        let lock = match &zip {
            Some((name, _)) => Some(Lock::in_turn(&lock_of(name)).await),
            None => None,
        };
        let into = zip.as_ref().map(|(_, handle)| handle.clone()).or(folder).unwrap_or_default();
        let written = self.write(into, &items, &files, &mut done, wanted.is_small).await;
        match (written, zip) {
            (Ok(()), Some((_, handle))) if !done.is_stopped && done.written > 0 => {
                done.zip = Some(self.handed_over(&handle).await.ok_or(words::not_handed_over())?);
                // As long as the link stands, or the row of the chat that it stands in.
                drop(self.lock.try_set_value(lock));
                Ok(done)
            }
            (written, zip) => {
                if let Some((name, _)) = zip {
                    // Half a zip is none.
                    done.written = 0;
                    done.made_small.clear();
                    remove(&name).await;
                }
                match written {
                    Ok(()) => Ok(done),
                    Err(why) => Err(words::with_written(why, done.written)),
                }
            }
        }
    }

    /// Has a worker write them, one by one.
    async fn write(
        self,
        into: JsValue,
        items: &[Value],
        files: &[ToFile],
        done: &mut Done,
        is_small: bool,
    ) -> Result<(), String> {
        let looker = Looker::begin().await?;
        let written = self.write_by(&looker, into, items, files, done, is_small).await;
        if written.is_err() || done.is_stopped {
            // Before it ends, and the half of a zip is removed: what a worker has open cannot be. One that broke lets go by itself.
            drop(looker.ask(&[("dropped", true.into())]).await);
        }
        written.map_err(|refusal| {
            if looker.is_broken() {
                words::export_broke().to_owned()
            } else {
                words::not_exported(&refusal.why)
            }
        })
    }

    async fn write_by(
        self,
        looker: &Looker,
        into: JsValue,
        items: &[Value],
        files: &[ToFile],
        done: &mut Done,
        is_small: bool,
    ) -> Result<(), Refusal> {
        looker.ask(&[("into", into)]).await?;
        for (at, item) in items.iter().enumerate() {
            if self.is_stopped.try_get_untracked().unwrap_or_default() {
                done.is_stopped = true;
                return Ok(());
            }
            self.say(State::Working { done: at, total: items.len() });
            let name = || files.get(at).map(|file| file.name.clone()).unwrap_or_default();
            let mut message = vec![("export", item.to_string().into())];
            if let Some(ToFile { path, .. }) = files.get(at).filter(|file| !file.path.is_empty()) {
                match self.folders.file(path).await {
                    Ok(file) => message.push(("original", file.into())),
                    Err(lack) => {
                        done.left_out.push((name(), lack.told().to_owned()));
                        continue;
                    }
                }
            }
            let answer = looker.ask(&message).await?;
            match answer.get("left_out").and_then(Value::as_str) {
                None => {
                    done.written += 1;
                    if !is_small && answer.get("small") == Some(&Value::Bool(true)) {
                        done.made_small.push(name());
                    }
                }
                Some(why) => done.left_out.push((name(), why.to_owned())),
            }
        }
        looker.ask(&[("ended", true.into())]).await?;
        Ok(())
    }

    /// Gives the zip to the browser as a download; says where it can be had again, and its name.
    async fn handed_over(self, handle: &JsValue) -> Option<(String, String)> {
        let file: Blob = called(handle, "getFile", &[]).await.ok()?.dyn_into().ok()?;
        // It is read from the disk as it is taken: nothing of it is in memory.
        let url = Url::create_object_url_with_blob(&file).ok()?;
        let day = self.page.wall.now.try_get_untracked().unwrap_or_default();
        let name = format!("photos-{}.zip", day.get(..10).unwrap_or("export"));
        let link = web_sys::window()?.document()?.create_element("a").ok()?;
        let link: HtmlAnchorElement = link.dyn_into().ok()?;
        link.set_href(&url);
        link.set_download(&name);
        link.click();
        Some((url, name))
    }
}

/// What browsers that can write into a folder have.
const PICKER: &str = "showDirectoryPicker";

/// Whether this browser can write into a folder that the person chooses.
pub fn has_folders() -> bool {
    web_sys::window().is_some_and(|window| value::method(&window, PICKER).is_some())
}

fn manager() -> Option<JsValue> {
    value::part(&web_sys::window()?.navigator(), "storage")
}

/// Says before it happens that there is no room for a zip.
async fn room_for(files: &[ToFile]) -> Result<(), String> {
    let needed: u64 = files.iter().map(|file| PER_FILE + needs(file)).sum();
    room::lacks(needed as f64).await.map_or(Ok(()), |room| Err(words::no_room_for_a_zip(room)))
}

fn needs(file: &ToFile) -> u64 {
    if file.way == "small" { file.bytes.min(SMALL_BYTES) } else { file.bytes }
}

/// The folder of the browser's own files that zips are made in. It is named as what is beside a database: who deletes everything deletes it.
async fn own_folder(is_made: bool) -> Option<JsValue> {
    let name = format!("satchel-{}-photo-exports", names::of(DATABASE));
    let root = called(&manager()?, "getDirectory", &[]).await.ok()?;
    let create = object(&[("create", is_made.into())]);
    called(&root, "getDirectoryHandle", &[name.into(), create.into()]).await.ok()
}

/// A new file of the browser's own: its name and its handle.
async fn new_file() -> Option<(String, JsValue)> {
    let folder = own_folder(true).await?;
    let name = format!("{}-{:06}.zip", js_sys::Date::now(), (js_sys::Math::random() * 1e6) as u32);
    let create = object(&[("create", true.into())]);
    let handle = called(&folder, "getFileHandle", &[name.as_str().into(), create.into()]).await.ok()?;
    Some((name, handle))
}

/// The name of the lock of a zip.
fn lock_of(zip: &str) -> String {
    format!("satchel-photo-zip {zip}")
}

/// Removes a zip. A worker that broke may still have it open for a moment; where that is longer, the next export removes it.
async fn remove(zip: &str) {
    const TIMES: usize = 10;
    const PAUSE_MS: u64 = 300;
    let folder = own_folder(false).await.unwrap_or_default();
    for _ in 0..TIMES {
        if called(&folder, "removeEntry", &[zip.into()]).await.is_ok() {
            return;
        }
        ui_kit::clock::sleep(PAUSE_MS).await;
    }
}

/// Removes the zips of earlier exports that the browser has taken by now: nobody has written to them for a while, and no link to them stands,
/// in whatever tab. One that is being written cannot be removed.
pub async fn clear_old() {
    let Some(folder) = own_folder(false).await else { return };
    let Ok(zips) = value::call(&folder, "values", &[]) else { return };
    let mut old = Vec::new();
    while let Ok(next) = called(&zips, "next", &[]).await {
        let Some(zip) = value::part(&next, "value") else { break };
        let Some(name) = value::text(&zip, "name") else { continue };
        // What is open cannot be had.
        let Ok(file) = called(&zip, "getFile", &[]).await else { continue };
        let written = value::number(&file, "lastModified").unwrap_or_default();
        if js_sys::Date::now() - written > OLD_MS && !is_taken(&lock_of(&name)).await {
            old.push(name);
        }
    }
    for name in old {
        drop(called(&folder, "removeEntry", &[name.into()]).await);
    }
}

//! Folders whose photos stay where they are (ADR 0068): their handles, which the browser keeps for this app, and whether it lets us read in
//! them now. Start at [`Folders`]; [`place`] is what a row says, [`view`] what is seen of it. How a folder is chosen and its photos come in is
//! [`crate::staying`].
//!
//! A file is found by a key that this browser made and by names one after the other, and it counts only with the bytes that the photo's id
//! is made of: no row, wherever it comes from, has anything else read out.

mod place;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use js_sys::Uint8Array;
use leptos::prelude::*;
use ui_kit::clock;
use wasm_bindgen::{JsCast, JsValue};
use web::idb::{Database, IdbError};
use web::value::{self, called, method, object, part, text};
use web_sys::{DomException, File};

use crate::library::Cell;
use crate::words;

use place::Place;
pub use place::written;
pub use view::{Allow, Full, LargeLack};

/// The database of the handles. `ui`'s `wipe` deletes it with all that are named so.
const DATABASE: &str = "satchel-folders";

/// Its only store: a key, the handle, its name, and when a photo was last in it.
const STORE: &str = "folders";

/// A folder in which no photo is any more is forgotten after this time, in milliseconds: so long a deletion can be taken back.
const FORGOTTEN_MS: f64 = 30.0 * 24.0 * 60.0 * 60.0 * 1_000.0;

/// So often it is noted that photos are in a folder, in milliseconds.
const NOTED_MS: f64 = 24.0 * 60.0 * 60.0 * 1_000.0;

/// What browsers have that give a page the handle of a folder.
pub const PICKER: &str = "showDirectoryPicker";

/// Why a photo's file cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The browser wants the person to allow it again.
    NotAllowed,
    /// The folder is none that this browser knows.
    Unknown,
    /// There is no such file any more.
    Gone,
    /// Other bytes are in its place.
    Changed,
    /// It is there and cannot be read.
    Unreadable,
}

impl Lack {
    /// By what the browser says.
    fn of(error: &JsValue) -> Self {
        match error.dyn_ref::<DomException>().map(DomException::name).as_deref() {
            Some("NotAllowedError" | "SecurityError") => Self::NotAllowed,
            // A folder may have the name of the file that was there, and a file that of the folder.
            Some("NotFoundError" | "TypeMismatchError") => Self::Gone,
            _ => Self::Unreadable,
        }
    }

    /// In a sentence for a person.
    pub fn told(self) -> &'static str {
        match self {
            Self::NotAllowed => words::folder_not_allowed(),
            Self::Unknown => words::folder_unknown(),
            Self::Gone => words::left_gone(),
            Self::Changed => words::left_changed(),
            Self::Unreadable => words::left_unreadable(),
        }
    }
}

/// A folder whose handle is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// What it is called, for a person.
    pub name: String,
    /// Whether the browser lets us read in it now.
    pub is_allowed: bool,
}

/// The folders whose photos stay where they are. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Folders {
    /// By their keys; none before they were read.
    pub all: RwSignal<Option<BTreeMap<String, Folder>>>,
    /// The handles by the same keys.
    handles: StoredValue<BTreeMap<String, JsValue>, LocalStorage>,
    database: StoredValue<std::rc::Rc<Database>, LocalStorage>,
}

/// Whether this browser gives a page the handle of a folder.
pub fn are_handles_there() -> bool {
    web_sys::window().is_some_and(|window| method(&window, PICKER).is_some())
}

/// Whether the browser lets us read in a folder now. One that has no such question has asked the person before it gave the handle.
async fn is_allowed(handle: &JsValue) -> bool {
    match called(handle, "queryPermission", &[for_reading()]).await {
        Ok(state) => state.as_string().as_deref() == Some("granted"),
        Err(_) => method(handle, "queryPermission").is_none(),
    }
}

fn for_reading() -> JsValue {
    object(&[("mode", "read".into())]).into()
}

impl Folders {
    /// None is read yet.
    pub fn new() -> Self {
        Self {
            all: RwSignal::new(None),
            handles: StoredValue::new_local(BTreeMap::new()),
            database: StoredValue::new_local(std::rc::Rc::new(Database::new(DATABASE, &[(STORE, &["key"])]))),
        }
    }

    /// Reads which folders there are, and in which of them we may read. Where the browser keeps nothing there are none.
    pub async fn read(self) {
        let database = self.database.get_value();
        let records = match are_handles_there() {
            true => database.all(STORE, None).await.unwrap_or_default(),
            // No database is made for what a browser never gives.
            false => Vec::new(),
        };
        let (mut all, mut handles) = (BTreeMap::new(), BTreeMap::new());
        for record in records {
            if let (Some(key), Some(handle)) = (text(&record, "key"), part(&record, "handle")) {
                let name = text(&record, "name").unwrap_or_default();
                all.insert(key.clone(), Folder { name, is_allowed: is_allowed(&handle).await });
                handles.insert(key, handle);
            }
        }
        // The page may be going.
        drop(self.handles.try_set_value(handles));
        if self.all.try_with_untracked(|known| known.as_ref() != Some(&all)) == Some(true) {
            self.all.set(Some(all));
        }
    }

    /// The handle of a key. Another tab may have added it after this one has read them.
    async fn handle(self, key: &str) -> Result<JsValue, Lack> {
        let known = || self.handles.with_value(|handles| handles.get(key).cloned());
        if known().is_none() {
            self.read().await;
        }
        known().ok_or(Lack::Unknown)
    }

    /// The file at a place, whatever is in it by now.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub async fn file(self, place: &str) -> Result<File, Lack> {
        let Place { key, folders, name } = Place::read(place).ok_or(Lack::Unknown)?;
        let mut folder = self.handle(key).await?;
        if !is_allowed(&folder).await {
            // It is said once for all of its photos.
            self.read().await;
            return Err(Lack::NotAllowed);
        }
        for within in folders {
            folder = called(&folder, "getDirectoryHandle", &[within.into()])
                .await
                .map_err(|error| Lack::of(&error))?;
        }
        let file =
            called(&folder, "getFileHandle", &[name.into()]).await.map_err(|error| Lack::of(&error))?;
        let file = called(&file, "getFile", &[]).await.map_err(|error| Lack::of(&error))?;
        file.dyn_into().map_err(|_no_file| Lack::Unreadable)
    }

    /// The file at a place, where it has the bytes of the photo with this id.
    ///
    /// # Errors
    /// Why it cannot be had; [`Lack::Changed`] for other bytes.
    pub async fn original(self, place: &str, id: &str) -> Result<File, Lack> {
        let file = self.file(place).await?;
        let bytes = called(&file, "arrayBuffer", &[]).await.map_err(|error| Lack::of(&error))?;
        let subtle = web_sys::window().and_then(|window| part(&part(&window, "crypto")?, "subtle"));
        let digest = called(&subtle.ok_or(Lack::Unreadable)?, "digest", &["SHA-256".into(), bytes])
            .await
            .map_err(|_no_digest| Lack::Unreadable)?;
        if id == id_of(&hex(&Uint8Array::new(&digest).to_vec())) { Ok(file) } else { Err(Lack::Changed) }
    }

    /// Whether work that needs this photo's original may begin: it is kept here, or the browser lets us read in its folder. What is in a folder
    /// that nobody knows is tried, and says so.
    pub fn may_read(self, cell: &Cell) -> bool {
        let Some(Place { key, .. }) = Place::read(&cell.left_at) else { return !cell.original.is_empty() };
        self.all
            .with(|all| all.as_ref().is_some_and(|all| all.get(key).is_none_or(|folder| folder.is_allowed)))
    }

    /// Where a photo's file was left, for a person: `Trip: sea/cat.jpg`; empty for one that is kept here.
    pub fn told(self, cell: &Cell) -> String {
        let Some(place) = Place::read(&cell.left_at) else { return String::new() };
        let name = self.all.with(|all| Some(all.as_ref()?.get(place.key)?.name.clone()));
        words::left_in(&name.unwrap_or_default(), &place.path())
    }

    /// The keys and names of the folders in which these photos are and in which the browser does not let us read now, and how many photos that
    /// concerns.
    pub fn closed<'a>(self, cells: impl Iterator<Item = &'a Cell>) -> (BTreeMap<String, String>, usize) {
        self.all.with(|all| {
            let Some(all) = all else { return (BTreeMap::new(), 0) };
            let (mut closed, mut count) = (BTreeMap::new(), 0);
            for place in cells.filter_map(|cell| Place::read(&cell.left_at)) {
                if let Some(folder) = all.get(place.key).filter(|folder| !folder.is_allowed) {
                    closed.insert(place.key.to_owned(), folder.name.clone());
                    count += 1;
                }
            }
            (closed, count)
        })
    }

    /// Asks the browser to let us read in these folders again; says whether it does, in all of them. Called after a press: for nothing else it
    /// asks the person.
    pub async fn ask(self, keys: impl Iterator<Item = &str>) -> bool {
        let mut is_allowed_everywhere = true;
        for key in keys {
            let Ok(handle) = self.handle(key).await else { continue };
            if !is_allowed(&handle).await {
                // Whoever closes the question does not want it; a press that was too long ago asks nobody.
                let told = called(&handle, "requestPermission", &[for_reading()]).await;
                is_allowed_everywhere &=
                    told.is_ok_and(|state| state.as_string().as_deref() == Some("granted"));
            }
        }
        self.read().await;
        is_allowed_everywhere
    }

    /// Keeps a folder's handle and says its key. The same folder has one key, however often it is chosen.
    ///
    /// # Errors
    /// What IndexedDB could not do.
    pub async fn keep(self, handle: &JsValue, name: &str) -> Result<String, IdbError> {
        self.read().await;
        for (key, known) in self.handles.get_value() {
            let is_same = called(&known, "isSameEntry", std::slice::from_ref(handle)).await;
            if is_same.is_ok_and(|is| is.is_truthy()) {
                // What was chosen anew may be read anew: the browser asked.
                self.put(&key, handle, name).await?;
                return Ok(key);
            }
        }
        let key = clock::random();
        self.put(&key, handle, name).await?;
        Ok(key)
    }

    async fn put(self, key: &str, handle: &JsValue, name: &str) -> Result<(), IdbError> {
        let record = object(&[
            ("key", key.into()),
            ("handle", handle.clone()),
            ("name", name.into()),
            ("seen_ms", js_sys::Date::now().into()),
        ]);
        self.database.get_value().write(|writing| writing.to(STORE)?.put(&record).map(drop)).await?;
        self.read().await;
        Ok(())
    }

    /// Notes in which folders photos are, and forgets those in which none has been for longer than a deletion can be taken back.
    pub async fn tidy(self, cells: Vec<Cell>) {
        if !are_handles_there() {
            return;
        }
        let used: BTreeSet<&str> =
            cells.iter().filter_map(|cell| Place::read(&cell.left_at)).map(|place| place.key).collect();
        let database = self.database.get_value();
        let now = js_sys::Date::now();
        for record in database.all(STORE, None).await.unwrap_or_default() {
            let Some(key) = text(&record, "key") else { continue };
            let age = now - value::number(&record, "seen_ms").unwrap_or_default();
            let is_used = used.contains(key.as_str());
            if is_used && age > NOTED_MS {
                value::set(&record, "seen_ms", &now.into());
                // Where that fails it is noted the next time.
                drop(database.write(|writing| writing.to(STORE)?.put(&record).map(drop)).await);
            } else if !is_used && age > FORGOTTEN_MS {
                drop(
                    database.write(|writing| writing.to(STORE)?.delete(&key.as_str().into()).map(drop)).await,
                );
            }
        }
    }
}

/// The key of the folder in which a file was left; none for what is no place.
pub fn key_of(place: &str) -> Option<&str> {
    Place::read(place).map(|place| place.key)
}

/// The id of the photo whose file has this hash: the rule is `photo_id` of the photo domain.
pub fn id_of(hash: &str) -> String {
    const DIGITS: usize = 20;
    format!("photo_{}", hash.get(..DIGITS).unwrap_or(hash))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_what_the_domain_makes_it() {
        assert_eq!(id_of(&hex(&[0xAB; 32])), "photo_abababababababababab");
    }
}

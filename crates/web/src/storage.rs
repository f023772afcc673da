//! The browser's small storages: texts by name, all of ours under names that begin with `satchel` ([`names`]). Where the person or the
//! browser allows no page to keep anything, nothing is found and nothing kept.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::names;

/// One of the two storages.
pub struct Storage(Option<web_sys::Storage>);

/// What this device keeps, shared by all tabs.
#[must_use]
pub fn local() -> Storage {
    Storage(web_sys::window().and_then(|window| window.local_storage().ok().flatten()))
}

/// Whether the browser speaks of this name when it says what another tab has changed; of none it means all of them.
#[must_use]
pub fn is_about(changed: Option<&str>, name: &str) -> bool {
    changed.is_none_or(|changed| changed == names::of(name))
}

/// What this tab keeps, for as long as it is there.
#[must_use]
pub fn session() -> Storage {
    Storage(web_sys::window().and_then(|window| window.session_storage().ok().flatten()))
}

impl Storage {
    /// Whether this page may keep anything here.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// The text under a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        self.look(name).flatten()
    }

    /// The same; the outer `None` where nothing can be read, which is not to have kept nothing.
    #[must_use]
    pub fn look(&self, name: &str) -> Option<Option<String>> {
        self.0.as_ref()?.get_item(&names::of(name)).ok()
    }

    /// What was kept as JSON; `None` where nothing readable is.
    #[must_use]
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(&self.get(name)?).ok()
    }

    /// Keeps a text. False where there is no room, or no storage.
    pub fn set(&self, name: &str, text: &str) -> bool {
        self.0.as_ref().is_some_and(|storage| storage.set_item(&names::of(name), text).is_ok())
    }

    /// Keeps a value as JSON. False where there is no room, or no storage.
    pub fn write(&self, name: &str, value: &impl Serialize) -> bool {
        serde_json::to_string(value).is_ok_and(|text| self.set(name, &text))
    }

    /// Forgets what is under a name.
    pub fn remove(&self, name: &str) {
        if let Some(storage) = &self.0 {
            let _ = storage.remove_item(&names::of(name));
        }
    }

    /// Forgets everything of this page's app.
    pub fn clear(&self) {
        let Some(storage) = &self.0 else { return };
        let names: Vec<String> =
            (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok().flatten()).collect();
        for name in names.iter().filter(|name| names::is_ours(name)) {
            let _ = storage.remove_item(name);
        }
    }
}

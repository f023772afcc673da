//! The browser's small storages: texts by name, all of ours under names that begin with `satchel`. None where the person or the
//! browser allows no page to keep anything.

use web_sys::Storage;

/// What this device keeps, shared by all tabs.
#[must_use]
pub fn local() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

/// What this tab keeps, for as long as it is there.
#[must_use]
pub fn session() -> Option<Storage> {
    web_sys::window()?.session_storage().ok().flatten()
}

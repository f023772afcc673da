//! The words of the commands, the palette and the sheet of shortcuts.

include!(concat!(env!("OUT_DIR"), "/commands.rs"));

/// A key's name on the sheet.
#[must_use]
pub fn key_name(key: &str, mac: bool) -> String {
    let name = match key {
        "Mod" if mac => "⌘",
        "Mod" => key_control(),
        "Escape" => key_escape(),
        "Delete" => key_delete(),
        other => other,
    };
    name.to_owned()
}

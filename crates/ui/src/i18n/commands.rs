//! The words of the commands, the palette and the sheet of shortcuts.

use ui_kit::words::{thing, things};

/// The palette.
pub const PALETTE: &str = "Commands";
/// What the palette's line asks for.
#[must_use]
pub fn palette_hint() -> String {
    format!("Find a command or a {}", thing())
}

/// The palette found nothing.
pub const PALETTE_NOTHING: &str = "Nothing found";
/// The sheet of shortcuts.
pub const SHORTCUTS: &str = "Keyboard shortcuts";
/// The switch of the sheet.
pub const SINGLE_KEYS: &str = "Single keys are shortcuts";
/// What the switch means.
pub const SINGLE_KEYS_HINT: &str = "They do nothing while you type. Switch them off if they get in the way of speech input or a screen reader.";

/// Looks for something.
#[must_use]
pub fn find_anything() -> String {
    format!("Search {} and commands", things())
}

/// Goes to the chat.
pub const GO_CHAT: &str = "Go to the chat";
/// Takes the last change back.
pub const UNDO_LAST: &str = "Undo the last change";
/// Does again what was taken back last.
pub const REDO_LAST: &str = "Redo what was undone";
/// Ends the run.
pub const STOP_RUN: &str = "Stop the answer";
/// Makes the last run again.
pub const RETRY_RUN: &str = "Try the last message again";
/// Shows the shortcuts.
pub const SHOW_SHORTCUTS: &str = "Show keyboard shortcuts";
/// Opens the settings.
pub const OPEN_SETTINGS: &str = "Open the settings";
pub const OPEN_DATA: &str = "Export, import and storage";

/// Opens a room of the settings. The word for them comes last, so that who types it finds the way to all of them first.
#[must_use]
pub fn in_settings(room: &str) -> String {
    format!("{room} in the settings")
}

/// Opens the history.
pub const OPEN_HISTORY: &str = "Show what was changed";
/// The theme of the system.
pub const THEME_SYSTEM: &str = "Theme: as the system";
/// The light theme.
pub const THEME_LIGHT: &str = "Theme: light";
/// The dark theme.
pub const THEME_DARK: &str = "Theme: dark";

/// A conversation in the palette.
#[must_use]
pub fn open_named(title: &str) -> String {
    format!("Open “{title}”")
}

/// How many entries the palette shows, for a screen reader.
#[must_use]
pub fn found(count: usize) -> String {
    match count {
        0 => PALETTE_NOTHING.to_owned(),
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    }
}

/// A key's name on the sheet.
#[must_use]
pub fn key_name(key: &str, mac: bool) -> String {
    match key {
        "Mod" if mac => "⌘".to_owned(),
        "Mod" => "Ctrl".to_owned(),
        "Escape" => "Esc".to_owned(),
        "Delete" => "Del".to_owned(),
        other => other.to_owned(),
    }
}

/// Stands between two keys that are pressed one after the other.
pub const THEN: &str = "then";

pub const OPEN_METRICS: &str = "Show the metrics of all conversations";

//! The words around the rooms of the settings: their list, the search, and by which other words a room is looked for.

use crate::settings::Section;

/// What the search asks for.
pub const SEARCH_SETTINGS: &str = "Search the settings";
/// The list of the rooms, for a screen reader.
pub const ROOMS: &str = "Rooms";
/// Goes back to the list on a narrow page.
pub const ALL_SETTINGS: &str = "All settings";
/// The search found nothing.
pub const NO_SETTINGS: &str = "No setting has these words.";

/// An endpoint of the person's own, as it is looked for.
pub const OWN_ENDPOINT: &str = "My own endpoint";
/// What it has.
pub const OWN_ENDPOINT_HAS: &str =
    "Provider, address, key, passphrase, window and tool calling of a model of your own";
/// The storage, as it is looked for.
pub const STORAGE_NAME: &str = "Storage on this device";
/// What is said of the storage.
pub const STORAGE_HAS: &str = "How much is used, and whether the browser may delete it";

/// How much the search found, for a screen reader.
#[must_use]
pub fn settings_found(count: usize) -> String {
    match count {
        0 => NO_SETTINGS.to_owned(),
        count => format!("{} found", crate::i18n::number(count)),
    }
}

/// Other words by which a room is looked for, in small letters.
#[must_use]
pub fn also_called(section: Section) -> &'static str {
    match section {
        Section::List | Section::Panel(_) => "",
        Section::Model => "ai provider endpoint api key offline",
        Section::Roles => "small cheap fast roles",
        Section::Answers => "plans check evidence citations",
        Section::Approvals => "approve permission permissions confirm confirmation ask before allow rules",
        Section::Senses => "speech microphone dictation read aloud photo image",
        Section::Privacy => "hide personal details leaves redact",
        Section::Spending => "spend cost costs money budget limit price prices tokens",
        Section::Data => "storage space delete wipe erase reset",
        Section::Files => "download upload backup json csv icalendar file",
        Section::Copies => "backup snapshot restore go back",
        Section::Servers => "mcp connections tools remote",
        Section::Programs => "mcp connections relay token editor desktop",
        Section::App => "appearance dark light mode install about",
    }
}

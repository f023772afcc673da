//! The words around the person's data: storage, files, copies, and deleting everything.

use serde_json::Value;
use ui_kit::words::{filled, thing, things};

pub const STORAGE: &str = "On this device";
pub const LOOKING_AT_STORAGE: &str = "Looking…";
pub const KEEP_FOR_GOOD: &str = "Ask the browser to keep it";
#[must_use]
pub fn export() -> &'static str {
    filled("Take your {many} with you")
}

pub const EXPORT_HINT: &str = "JSON holds everything and can be brought in again: of photos what is known of them, where they were taken \
among that, your stars, tags and albums, but not the pictures, no face, and no name you gave a person on them. iCalendar and CSV are for other \
programs. Your key and your conversations are in none of them.";
pub const NO_DOWNLOAD: &str = "The browser saved no file.";
#[must_use]
pub fn import() -> &'static str {
    filled("Bring {many} in")
}

pub const IMPORT_HINT: &str = "You see what a file would change before anything is changed. Files of Google Tasks, Apple Reminders, Microsoft To Do, \
Things, TickTick and Todoist are understood too.";
pub const IMPORT_FILE: &str = "A JSON, iCalendar or CSV file";
#[must_use]
pub fn import_replace() -> &'static str {
    filled("Replace everything: {many} that are not in the file are deleted")
}

pub const IMPORT_MEMORIES: &str = "What is remembered about you, which every conversation is told:";
pub const IMPORT_FOREIGN: &str = "No model takes these sentences for your words: they are told as words of a file, until you save them under Memory. A conversation that is told of them asks before it deletes or sends anything.";
pub const IMPORT_OWN: &str = "I have read these sentences, and they are my own words";
pub const IMPORT_OWN_PHOTOS: &str =
    "This file is mine: the tags, places and names of albums in it are my own words";
pub const IMPORT_CONFIRM: &str = "Bring them in";
pub const READING_FILE: &str = "Reading the file…";
pub const FILE_TOO_LARGE: &str = "This file is larger than 60 MB.";
pub const FILE_NOT_READ: &str = "This file could not be read. Choose it again.";
pub const FILE_OF_NO_KIND: &str = "This is no JSON, iCalendar or CSV file.";
pub const NOTHING_CHANGED: &str = "Nothing was changed.";
#[must_use]
pub fn perhaps_imported() -> &'static str {
    filled("It may have been brought in all the same: look at your {many}. What is there can be taken back.")
}

pub const COPIES: &str = "Copies on this device";
pub const COPIES_HINT: &str = "Before a large change a copy is taken by itself. The last ten are kept, as long as this browser keeps its data.";
pub const COPY_BY_HAND: &str = "Taken by hand";
pub const TAKE_A_COPY: &str = "Take a copy now";
pub const GO_BACK_TO_IT: &str = "Go back to it";
pub const ERASE: &str = "Delete everything";
#[must_use]
pub fn erase_hint() -> &'static str {
    filled(
        "Your {many}, conversations, what is remembered, keys, settings and copies go from this browser, for good.",
    )
}

pub const ERASE_OFFLINE: &str =
    "This needs the network: the app’s own files go as well, and are loaded again afterwards.";
pub const ERASE_BUTTON: &str = "Delete everything";
pub const ERASE_QUESTION: &str = "Delete everything on this device?";
#[must_use]
pub fn erase_what() -> &'static str {
    filled(
        "All {many} with their history, all conversations, what is remembered, saved keys, settings and copies are \
deleted, and other open tabs of {app} are closed. This cannot be undone; a file you took with you can be brought in.",
    )
}

pub const ERASE_SURE: &str = "I understand that nothing of it can be brought back";
pub const KEEP_ALL: &str = "Keep everything";

/// What there is, from the tool's answer.
#[must_use]
pub fn what_is_kept(answer: &Value) -> String {
    let number = |path: &str| answer.pointer(path).and_then(Value::as_u64).unwrap_or_default();
    let (open, done, revision) = (number("/counts/open"), number("/counts/done"), number("/rev"));
    // Of things that are neither open nor done there is one number, beside that of what is remembered.
    let (mut only, mut kinds) = (0, 0);
    for (name, count) in answer.get("counts").and_then(Value::as_object).into_iter().flatten() {
        if name != "memories" {
            kinds += 1;
            only = count.as_u64().unwrap_or_default();
        }
    }
    if kinds > 1 {
        only = 0;
    }
    let kept = match (open + done, only) {
        (0, 0) => filled("No {many} yet").to_owned(),
        (1, _) | (0, 1) => filled("One {one}").to_owned(),
        (0, all) => format!("{all} {}", things()),
        (all, _) => format!("{all} {} ({open} open, {done} done)", things()),
    };
    match revision {
        0 => format!("{kept}."),
        1 => format!("{kept}, one change in the history."),
        changes => format!("{kept}, {changes} changes in the history."),
    }
}

/// Whether the browser may take it away.
#[must_use]
pub fn kept_for_good(kept: Option<bool>, refused: bool) -> &'static str {
    match (kept, refused) {
        (Some(true), _) => "The browser keeps it until you delete it.",
        (Some(false), false) => "The browser may delete it when the device runs out of room.",
        (Some(false), true) => {
            "The browser would not promise to keep it. It does so for apps that are installed or used often; until \
             then take a file with you now and then."
        }
        (None, _) => "This browser does not say whether it may delete it. Take a file with you now and then.",
    }
}

/// A file was saved.
#[must_use]
pub fn exported(file_name: &str, what: &str) -> String {
    format!("Saved {what} as {file_name}.")
}

/// What a file would do: new, changed, as they were, gone.
#[must_use]
pub fn import_would(name: &str, counts: &[u64; 4]) -> String {
    let said = ["new", "changed", "as they are", "deleted"];
    let parts: Vec<String> = counts
        .iter()
        .zip(said)
        .filter(|(count, _)| **count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if parts.is_empty() {
        format!("{name}: nothing in it.")
    } else {
        format!("{name}: {}.", parts.join(", "))
    }
}

/// A line of a file that was not taken.
#[must_use]
pub fn rejected(line: u64, reason: &str) -> String {
    format!("Line {line}: {reason}")
}

/// The rest of a list.
#[must_use]
pub fn and_more(more: usize) -> String {
    format!("and {more} more")
}

/// What is in a copy, and when it was taken.
#[must_use]
pub fn copy_of(count: u64, ago: &str) -> String {
    match count {
        1 => format!("one {}, {ago}", thing()),
        count => format!("{count} {}, {ago}", things()),
    }
}

/// What going back to a copy would do.
#[must_use]
pub fn restore_would(total: u64) -> String {
    match total {
        0 => "Nothing would change.".to_owned(),
        1 => filled("One {one} would change.").to_owned(),
        total => format!("{total} {} would change.", things()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{import_would, what_is_kept};

    #[test]
    fn counts_are_said_in_words() {
        ui_kit::words::call(ui_kit::words::Names { app: "A", one: "note", many: "notes" });
        assert_eq!(what_is_kept(&json!({})), "No notes yet.");
        // Some are done or open, of others there is only a number.
        let answer = json!({"counts": {"open": 3, "done": 2}, "rev": 9});
        assert_eq!(what_is_kept(&answer), "5 notes (3 open, 2 done), 9 changes in the history.");
        let answer = json!({"counts": {"slips": 1, "memories": 3}, "rev": 1});
        assert_eq!(what_is_kept(&answer), "One note, one change in the history.");
        assert_eq!(super::erase_hint().split(',').next(), Some("Your notes"));
        assert_eq!(import_would("a.csv", &[2, 0, 1, 0]), "a.csv: 2 new, 1 as they are.");
        assert_eq!(import_would("a.csv", &[0; 4]), "a.csv: nothing in it.");
    }
}

//! The words about what was said and done before (conversations, runs in files), and about what needs a person's word
//! first.

use agent::{Difference, Ending, EntryBody};

use ui_kit::Kind;
use ui_kit::words::{app_name, filled, thing, things};

// Conversations.
pub const SEARCH: &str = "Search";
pub const SEARCH_CONVERSATIONS: &str = "Search conversations and messages";
pub const OPEN_RUN: &str = "Open a saved conversation";
pub const RENAME: &str = "Rename";
pub const TITLE: &str = "Title";
pub const PIN: &str = "Pin to the top";
pub const UNPIN: &str = "Unpin";
pub const SAVE_AS_FILE: &str = "Save as a file";
pub const RUN_FILE_HINT: &str = "The file holds what was said and what the tools answered, and no key. Opened here again, it can be replayed.";
pub const DELETE: &str = "Delete";
pub const SAVED_RUN: &str = "Saved conversation";
pub const FILE_UNREADABLE: &str = "This file could not be read: it is too large or no text.";
#[must_use]
pub fn run_file_too_new() -> &'static str {
    filled(
        "This conversation was saved by a newer version of {app}. Reload the page to update it, then open the file again.",
    )
}

pub const REPLAY: &str = "Replay";

// Approvals.
pub const APPROVE_AND: &str = "Approve, and don’t ask again";
pub const IN_THIS_CONVERSATION: &str = "in this conversation";
pub const FOR_GOOD: &str = "for good";

/// The button beside a conversation.
#[must_use]
pub fn more_about(title: &str) -> String {
    format!("More about {title}")
}

/// What a search came to, for a screen reader.
#[must_use]
pub fn conversations_found(count: usize) -> String {
    match count {
        1 => "1 conversation found".to_owned(),
        count => format!("{count} conversations found"),
    }
}

/// A search that found nothing.
#[must_use]
pub fn nothing_found(query: &str) -> String {
    format!("No conversation has “{query}” in it.")
}

/// A conversation is gone.
#[must_use]
pub fn conversation_deleted(title: &str) -> String {
    format!("Deleted “{title}”.")
}

/// A run's file name: the title as far as every file system takes it.
#[must_use]
pub fn run_file_name(title: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let words: String = title.chars().map(plain).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).take(8).collect();
    let name = if words.is_empty() { "conversation".to_owned() } else { words.join("-") };
    format!("satchel-{name}.json")
}

/// A file that is none of ours.
#[must_use]
pub fn no_run_file(why: &str) -> String {
    format!("This is no conversation saved by {} ({why}). Nothing was changed.", app_name())
}

/// Where a run is from.
#[must_use]
pub fn run_from(when: &str, app: &str) -> String {
    format!("A saved conversation, to read. Saved: {when}, by {} {app}.", app_name())
}

/// Where a replay left the record.
#[must_use]
pub fn difference(difference: &Difference) -> String {
    let said = |body: &Option<EntryBody>| body.as_ref().map_or("nothing", entry_name);
    let (recorded, replayed) = (said(&difference.recorded), said(&difference.replayed));
    let place = difference.at + 1;
    if recorded == replayed {
        format!(
            "The replay differs at step {place}: it came to {replayed} too, but to another than recorded."
        )
    } else {
        format!("The replay differs at step {place}: recorded is {recorded}, it came to {replayed}.")
    }
}

fn entry_name(body: &EntryBody) -> &'static str {
    match body {
        EntryBody::User { .. } => "a message",
        EntryBody::Retried { .. } => "a new attempt",
        EntryBody::Response { .. } => "an answer of the model",
        EntryBody::Decision { approved: true, .. } => "an approval",
        EntryBody::Decision { approved: false, .. } => "a refusal",
        EntryBody::ImpactEstimated { .. } => "a trial of a call",
        EntryBody::Result { .. } => "a tool’s answer",
        EntryBody::Resumed {} => "a return after a break",
        EntryBody::Compacted(_) => "older messages folded away",
        EntryBody::Doubted { .. } => "an answer sent back",
        EntryBody::Ended { ending: Ending::Complete { .. }, .. } => "an end with an answer",
        EntryBody::Ended { .. } => "an end without an answer",
    }
}

/// What a call that waits would do: to how many in all, and of which kind are those that are listed.
#[must_use]
pub fn would(kinds: impl IntoIterator<Item = Kind>, count: u32) -> String {
    let mut counts: Vec<(Kind, u32)> = Vec::new();
    for kind in kinds {
        match counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, many)) => *many += 1,
            None => counts.push((kind, 1)),
        }
    }
    let deed = |kind: Kind, count: u32| {
        let (one, many) = kind.noun.unwrap_or((thing(), things()));
        format!("{} {count} {}", kind.verb, if count == 1 { one } else { many })
    };
    let listed: u32 = counts.iter().map(|(_, many)| many).sum();
    match counts.as_slice() {
        [(kind, _)] => format!("This would {}:", deed(*kind, count)),
        [all @ .., (kind, many)] if listed == count => {
            let before: Vec<String> = all.iter().map(|(kind, many)| deed(*kind, *many)).collect();
            format!("This would {} and {}:", before.join(", "), deed(*kind, *many))
        }
        // What the others are is not known here; they are said to be there.
        _ => format!("This would {}:", deed(Kind::CHANGED, count)),
    }
}

/// The rest of what a call would do.
#[must_use]
pub fn show_all(rest: usize) -> String {
    format!("Show all ({rest} more)")
}

/// What is not listed.
#[must_use]
pub fn not_listed(more: usize) -> String {
    format!("… and {more} more")
}

// A message that is written or answered anew.
pub const EDIT_THE_MESSAGE: &str = "Edit the message";
pub const ANSWER_AGAIN: &str = "Answer again";
pub const VERSIONS: &str = "Versions of this message";
pub const VERSION_BEFORE: &str = "Previous version";
pub const VERSION_AFTER: &str = "Next version";
pub const AGAIN_HINT: &str =
    "The conversation goes on from this message. What followed it stays as another version.";
pub const VERSION_CANNOT_WAIT: &str = "This would wait for the network, and only what stands at the end can. Choose an answer now, or send it later.";
pub const NOT_SAID_ANEW: &str = "This could not be sent just now. What you wrote is kept: try again.";

/// Which of how many versions is on the screen, to be heard.
#[must_use]
pub fn version(at: usize, of: usize) -> String {
    format!("Version {at} of {of}")
}

/// The same, to be seen.
#[must_use]
pub fn version_short(at: usize, of: usize) -> String {
    format!("{at} / {of}")
}

/// What was changed since a message that is said anew.
#[must_use]
pub fn changed_since(count: usize) -> String {
    match count {
        1 => "Since this message something was changed. It stays as it is, unless you undo it first:"
            .to_owned(),
        _ => format!(
            "Since this message {count} things were changed. They stay as they are, unless you undo them first:"
        ),
    }
}

/// What is not named.
#[must_use]
pub fn and_more(count: usize) -> String {
    format!("and {count} more")
}

/// Sends it as things are.
#[must_use]
pub fn again_button(is_edit: bool, has_changes: bool) -> &'static str {
    match (is_edit, has_changes) {
        (true, false) => "Send",
        (true, true) => "Keep and send",
        (false, false) => ANSWER_AGAIN,
        (false, true) => "Keep and answer again",
    }
}

/// Undoes what was changed, and sends it then.
#[must_use]
pub fn take_back_button(is_edit: bool) -> &'static str {
    if is_edit { "Undo and send" } else { "Undo and answer again" }
}

#[cfg(test)]
mod tests {
    use agent::{Difference, EntryBody};

    use super::{difference, run_file_name, would};
    use ui_kit::Kind;

    #[test]
    fn a_file_name_suits_every_file_system() {
        let rows = [
            ("Add milk", "satchel-add-milk.json"),
            ("../../etc/passwd", "satchel-etc-passwd.json"),
            ("Käse & Brot?", "satchel-k-se-brot.json"),
            ("日本語", "satchel-conversation.json"),
            ("", "satchel-conversation.json"),
            ("a b c d e f g h i j", "satchel-a-b-c-d-e-f-g-h.json"),
        ];
        for (title, expected) in rows {
            assert_eq!(run_file_name(title), expected);
        }
    }

    #[test]
    fn what_would_happen_is_counted() {
        ui_kit::words::call(ui_kit::words::Names { app: "A", one: "to-do", many: "to-dos" });
        let done = Kind::of("completed", "Completed", "complete");
        let [added, deleted, changed] = [Kind::ADDED, Kind::DELETED, Kind::CHANGED];
        assert_eq!(would([deleted], 1), "This would delete 1 to-do:");
        assert_eq!(would([done, done], 12), "This would complete 12 to-dos:");
        assert_eq!(would([deleted, changed, changed], 3), "This would delete 1 to-do and change 2 to-dos:");
        assert_eq!(
            would([deleted, added, changed, added], 4),
            "This would delete 1 to-do, add 2 to-dos and change 1 to-do:"
        );
        // Of seven more nobody here knows what becomes.
        assert_eq!(would([deleted, changed, changed], 10), "This would change 10 to-dos:");
        assert_eq!(would([], 3), "This would change 3 to-dos:");
    }

    #[test]
    fn a_difference_is_said_in_words() {
        let resumed = || Some(EntryBody::Resumed {});
        let rows = [
            (
                resumed(),
                None,
                "The replay differs at step 3: recorded is a return after a break, it came to nothing.",
            ),
            (
                None,
                resumed(),
                "The replay differs at step 3: recorded is nothing, it came to a return after a break.",
            ),
            (
                resumed(),
                resumed(),
                "The replay differs at step 3: it came to a return after a break too, but to another than recorded.",
            ),
        ];
        for (recorded, replayed, expected) in rows {
            assert_eq!(difference(&Difference { at: 2, recorded, replayed }), expected);
        }
    }
}

//! The words about what was said and done before (conversations, runs in files), and about what needs a person's word
//! first.

use agent::{Difference, Ending, EntryBody};
use ui_kit::Kind;

use super::send;

include!(concat!(env!("OUT_DIR"), "/past.rs"));

/// A run's file name: the title as far as every file system takes it.
#[must_use]
pub fn run_file_name(title: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let words: String = title.chars().map(plain).collect();
    let words: Vec<&str> = words.split('-').filter(|word| !word.is_empty()).take(8).collect();
    let name = if words.is_empty() { "conversation".to_owned() } else { words.join("-") };
    format!("satchel-{name}.json")
}

/// Where a replay left the record.
#[must_use]
pub fn difference(difference: &Difference) -> String {
    let said = |body: &Option<EntryBody>| body.as_ref().map_or(entry_nothing(), entry_name);
    let (recorded, replayed) = (said(&difference.recorded), said(&difference.replayed));
    let place = (difference.at + 1).to_string();
    if recorded == replayed {
        replay_differs_within(&place, replayed)
    } else {
        replay_differs(&place, recorded, replayed)
    }
}

fn entry_name(body: &EntryBody) -> &'static str {
    match body {
        EntryBody::User { .. } => entry_message(),
        EntryBody::Retried { .. } => entry_attempt(),
        EntryBody::Response { .. } => entry_answer(),
        EntryBody::Decision { approved: true, .. } => entry_approval(),
        EntryBody::Decision { approved: false, .. } => entry_refusal(),
        EntryBody::ImpactEstimated { .. } => entry_trial(),
        EntryBody::Result { .. } => entry_result(),
        EntryBody::Resumed {} => entry_resumed(),
        EntryBody::Compacted(_) => entry_compacted(),
        EntryBody::Doubted { .. } => entry_doubted(),
        EntryBody::Ended { ending: Ending::Complete { .. }, .. } => entry_ended_with_answer(),
        EntryBody::Ended { .. } => entry_ended(),
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
    let deed = |kind: Kind, count: u32| (kind.would)(usize::try_from(count).unwrap_or(usize::MAX));
    let listed: u32 = counts.iter().map(|(_, many)| many).sum();
    match counts.as_slice() {
        [(kind, _)] => this_would(&deed(*kind, count)),
        [all @ .., (kind, many)] if listed == count => {
            let before: Vec<String> = all.iter().map(|(kind, many)| deed(*kind, *many)).collect();
            this_would(&deeds_and_last(&before.join(", "), &deed(*kind, *many)))
        }
        // What the others are is not known here; they are said to be there.
        _ => this_would(&deed(Kind::CHANGED, count)),
    }
}

// A message that is written or answered anew.

/// Which of how many versions is on the screen, to be seen.
#[must_use]
pub fn version_short(at: usize, of: usize) -> String {
    format!("{at} / {of}")
}

/// Sends it as things are.
#[must_use]
pub fn again_button(is_edit: bool, has_changes: bool) -> &'static str {
    match (is_edit, has_changes) {
        (true, false) => send(),
        (true, true) => keep_and_send(),
        (false, false) => answer_again(),
        (false, true) => keep_and_answer_again(),
    }
}

/// Undoes what was changed, and sends it then.
#[must_use]
pub fn take_back_button(is_edit: bool) -> &'static str {
    if is_edit { undo_and_send() } else { undo_and_answer_again() }
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
        let done = Kind {
            sign: "completed",
            name: || "completed",
            done: |_| "Completed".to_owned(),
            would: |count| format!("complete {count} to-dos"),
        };
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

//! What people ask for that no tool here does: one honest line each, with what there is instead.

use crate::lex::{Token, starts};

const ATTACH: &str = "I cannot attach anything to a to-do. I can add a note with a link: “add a note to the report: https://…”.";
/// For a list without a name.
pub const LISTS: &str = "A list is there as soon as a to-do is in it: “add sunscreen to my Holidays list”.";
const SHARE: &str = "Your to-dos stay on this device: I can neither share nor assign them, nor send anything. I can add a to-do that reminds you of it.";
const ALARM: &str = "I cannot ring or play anything. I can add a to-do with a time, for example “remind me to get up tomorrow at 7am”.";
const DO_IT: &str = "I cannot do that for you; I only keep to-dos. I can add it as one: say “add …”.";
const ARCHIVE: &str =
    "There is no archive: done to-dos stay until you say “clear completed”, and “show done” shows them.";
const EXPORT: &str = "I cannot export or import from here; the app's data settings can.";
const SKIP: &str = "I cannot leave one out of a repetition. “complete …” goes on to the next one, “move it to friday” changes this one.";
const CLOCK: &str = "I only know your to-dos, not that. Ask “what's due today?”.";

/// For a question about "3/4".
pub const TWO_WAYS: &str =
    "That date can be two days, depending on where you are from. Write the month as a word, like “3 april”.";

/// The openings, and what is said to them.
const ALL: &[(&str, &str)] = &[
    ("add|attach a|an|the photo|picture|file|image|attachment|document", ATTACH),
    ("attach", ATTACH),
    ("share", SHARE),
    ("assign", SHARE),
    ("send me", SHARE),
    ("email me", SHARE),
    ("set an|a alarm|timer", ALARM),
    ("wake me", ALARM),
    ("play", DO_IT),
    ("write me", DO_IT),
    ("translate", DO_IT),
    ("skip", SKIP),
    ("archive", ARCHIVE),
    ("export|import", EXPORT),
    ("backup my|all|the todos|list|lists|data|tasks", EXPORT),
    ("back up my|all|the todos|list|lists|data|tasks", EXPORT),
    ("who won", CLOCK),
    ("what's the weather", CLOCK),
    ("what is the weather", CLOCK),
];

/// The line for a clause that asks for one of these.
pub fn line(tokens: &[Token]) -> Option<&'static str> {
    // "How do I export?", "is there a way to back up my data?"
    let way = starts(tokens, "how|where|is|are|does|do").is_some();
    if way && tokens.iter().any(|t| t.of("export import backup exported imported backed")) {
        return Some(EXPORT);
    }
    let parts = starts(tokens, "attach").is_some()
        && tokens.iter().any(|t| t.of("subtask subtasks note notes tag tags step steps"));
    if parts {
        return None;
    }
    let found = ALL.iter().find(|(phrase, _)| starts(tokens, phrase).is_some());
    found.map(|(_, said)| *said)
}

//! The words of the conversation itself.

use protocol::{Routed, Why};

use super::money;

include!(concat!(env!("OUT_DIR"), "/strings.rs"));

/// What may stand before and behind one of these words.
pub const PLEASE_WORDS: [&str; 2] = ["please", "bitte"];
/// What allows a call that waits, when it is all that was typed, in any language the page speaks.
pub const YES_WORDS: [&str; 48] = [
    "yes", "y", "yep", "yeah", "yes do", "yes do it", "ok", "okay", "sure", "do", "do it", "do that",
    "go ahead", "approve", "approved", "confirm", "ja", "j", "jo", "jep", "jawohl", "klar", "ja klar",
    "na klar", "gern", "gerne", "ja gern", "ja gerne", "in ordnung", "einverstanden", "mach", "mach das",
    "mach es", "mach's", "ja mach", "ja mach das", "ja mach es", "tu das", "tu es", "los", "leg los",
    "nur zu", "erlauben", "erlaubt", "genehmigt", "bestätigen", "bestätige", "bestätigt",
];
/// What declines it.
pub const NO_WORDS: [&str; 42] = [
    "no", "n", "nope", "no don't", "no thanks", "don't", "dont", "do not", "don't do it", "cancel", "stop",
    "never mind", "nevermind", "deny", "refuse", "nein", "nö", "nee", "ne", "nicht", "nein danke",
    "lieber nicht", "besser nicht", "auf keinen fall", "lass es", "lass das", "lass", "nein lass es",
    "nein lass das", "mach das nicht", "mach es nicht", "tu das nicht", "tu es nicht", "abbrechen",
    "abbruch", "stopp", "halt", "nie", "niemals", "vergiss es", "ablehnen", "abgelehnt",
];

/// What may be said next: what the panels would say, at most three, or what is said when there is nothing else.
#[must_use]
pub fn follow_ups(mut texts: Vec<&'static str>, at_rest: Option<&'static str>) -> Vec<&'static str> {
    if texts.is_empty() {
        texts.push(at_rest.unwrap_or(what_can_you_do()));
    }
    texts.truncate(3);
    texts
}

/// A conversation's title from its first message: one short line.
#[must_use]
pub fn conversation_title(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let short: String = line.chars().take(LONGEST - 1).collect();
    format!("{}…", short.trim_end())
}

/// A tool at work, of those that are nobody's own. Others say their own title.
#[must_use]
pub fn doing(tool: &str, title: &str) -> String {
    match tool {
        "undo" => undoing().to_owned(),
        "redo" => redoing().to_owned(),
        "history" => looking_back().to_owned(),
        _ => format!("{title}…"),
    }
}

/// A tool that failed.
#[must_use]
pub fn did_not_work(title: &str, why: &str) -> String {
    if why.is_empty() { failed_tool(title) } else { failed_tool_because(title, why) }
}

/// The attempt is being made again.
#[must_use]
pub fn retrying(attempt: u32, after_ms: u64, why: &str) -> String {
    let seconds = after_ms.div_ceil(1_000).max(1).to_string();
    match attempt {
        // Nothing was tried yet: it waits for a limit of one's own.
        1 => going_on_in(why, &seconds),
        _ => trying_again_in(why, &seconds, &attempt.to_string()),
    }
}

/// The way to the tools is gone.
#[must_use]
pub fn tools_out_of_reach(why: &str) -> String {
    tools_gone(&sentence(why))
}

/// A run of a conversation that is not on the screen ended, for a screen reader.
#[must_use]
pub fn ended_elsewhere(title: &str, note: &str) -> String {
    if note.is_empty() { answered_elsewhere(title) } else { ended_elsewhere_with(title, note) }
}

fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

/// A model's name as a person reads it: what the page brings itself by what it is, others by their provider's name.
#[must_use]
pub fn model_named(model: &str) -> &str {
    match model {
        crate::settings::BUILT_IN => built_in_model(),
        "browser" => browsers_model(),
        model => model,
    }
}

/// Which model answered, and why.
#[must_use]
pub fn answered_by(model: &str, routed: Routed) -> String {
    let why = match routed.why {
        Why::Lookup => routed_lookup(),
        Why::Rewording => routed_rewording(),
        Why::SeveralParts => routed_several_parts(),
        Why::Anything => routed_anything(),
    };
    format!("{} · {why}", model_named(model))
}

/// What the conversation has cost.
#[must_use]
pub fn spent_here(spent: agent::Spent) -> String {
    cost_so_far(&money(spent.micro_usd), usize::try_from(spent.unpriced).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::{conversation_title, follow_ups};

    #[test]
    fn the_end_elsewhere_names_the_conversation_first() {
        assert_eq!(super::ended_elsewhere("Milk", "It stopped."), "“Milk”: It stopped.");
    }

    #[test]
    fn a_title_is_one_short_line() {
        let rows = [
            ("Add milk", "Add milk"),
            ("  Add\n milk  ", "Add milk"),
            ("", ""),
            (
                "Add a very long thing that goes on and on and on and will not end before sixty",
                "Add a very long thing that goes on and on and on and will n…",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(conversation_title(text), expected);
        }
        assert_eq!(conversation_title(&"ä".repeat(100)).chars().count(), 60);
    }

    #[test]
    fn there_is_always_something_to_say_next() {
        assert_eq!(follow_ups(vec![], None), ["What can you do?"]);
        assert_eq!(follow_ups(vec![], Some("a")), ["a"]);
        assert_eq!(follow_ups(vec!["a", "b", "c", "d"], Some("e")), ["a", "b", "c"]);
    }
}

//! The words, in English.

use protocol::{Routed, Why};
use ui_kit::Kind;
use ui_kit::words::{filled, thing, things};

use super::money;

/// The person.
pub const YOU: &str = "You";
/// What the chat and its transcript are called, for a screen reader.
pub const CONVERSATION: &str = "Conversation";
/// Puts the address of what is shown on the clipboard.
pub const COPY_LINK: &str = "Copy link";
/// It is there.
pub const LINK_COPIED: &str = "Link copied.";
/// It cannot be put there.
pub const NOT_COPIED: &str = "The browser did not let it be copied.";
/// Puts an answer on the clipboard.
pub const COPY: &str = "Copy";
/// It is there.
pub const COPIED: &str = "Copied.";
/// What the list of them is called.
pub const CONVERSATIONS: &str = "Conversations";
/// The command that begins a conversation, and the title of one without messages.
pub const NEW_CHAT: &str = "New conversation";
/// The command that takes the messages away, after a question.
pub const CLEAR_CHAT: &str = "Clear conversation";
pub const CLEAR_QUESTION: &str = "Clear this conversation?";
#[must_use]
pub fn clear_hint() -> &'static str {
    filled("Its messages are removed from this device. Your {many} stay as they are.")
}

pub const KEEP: &str = "Keep it";
pub const NO_CONVERSATIONS: &str = "What you talk about is kept here, on this device.";

// The chat.
pub const MESSAGE: &str = "Message";
/// What was typed, and Enter pressed, while the page was still opening.
#[must_use]
pub fn ready_to_send() -> &'static str {
    filled("{app} is open now. What you wrote was not sent yet.")
}

pub const MESSAGE_HINT: &str = "Say what to do…";
pub const ANSWER_HINT: &str = "Yes, no, or what to do instead…";
/// The same where a question waits that has choices of its own.
pub const CHOOSE_HINT: &str = "Choose above, or type an answer…";
/// What allows a call that waits, when it is all that was typed.
pub const YES_WORDS: [&str; 16] = [
    "yes", "y", "yep", "yeah", "yes do", "yes do it", "ok", "okay", "sure", "do", "do it", "do that",
    "go ahead", "approve", "approved", "confirm",
];
/// What declines it.
pub const NO_WORDS: [&str; 15] = [
    "no", "n", "nope", "no don't", "no thanks", "don't", "dont", "do not", "don't do it", "cancel", "stop",
    "never mind", "nevermind", "deny", "refuse",
];
pub const SEND: &str = "Send";
pub const STOP: &str = "Stop";
pub const JUMP: &str = "Latest";
/// What is said while a model has not answered yet.
pub const THINKING: &str = "Thinking…";
pub const SPOKEN_OPEN: &str = "Open:";
pub const SPOKEN_DONE: &str = "Done:";
pub const REASONING: &str = "Reasoning";
pub const SUGGESTIONS: &str = "Suggestions";
pub const ELSEWHERE: &str = "This conversation is open in another tab. You can follow it here.";
pub const OPEN_HERE: &str = "Continue here";

// Approvals.
pub const APPROVAL: &str = "Your approval is needed";
pub const APPROVE: &str = "Approve";
pub const DENY: &str = "Decline";
pub const LOOKING: &str = "Looking at what this would change…";
pub const NOTHING_WOULD_CHANGE: &str = "Nothing would change.";

// Settings.
/// What the settings and the way there are called.
pub const SETTINGS: &str = "Settings";
pub const OWN_INCOMPLETE: &str =
    "Your own model has no address or name yet. Open the settings and fill in both.";

// What went wrong.
/// The worker did not answer in time.
pub const TOOLS_NOT_THERE: &str = "The tools did not answer. Reload the page.";
/// The worker answered what this build cannot read.
pub const TOOLS_UNREADABLE: &str =
    "The tools answered in a way this page does not understand. Reload the page.";
pub const NO_STORAGE: &str = "This browser keeps nothing here (a private window?). You can talk, but the conversation ends with the page.";
pub const OTHER_TAB_WROTE: &str = "Another tab has gone on with this conversation. Reload to see it.";
/// The browser keeps nothing more.
pub const STORAGE_FULL: &str = "There is no room left on this device. Free some space and try again.";
#[must_use]
pub fn broke_here() -> &'static str {
    filled("{app} broke while it worked on this, so it was broken off. What was done is kept.")
}

#[must_use]
pub fn froze_here() -> &'static str {
    filled("{app} froze twice while it worked on this, so it was broken off. What was done is kept.")
}

pub const USE_BUILT_IN: &str = "Use the built-in model";
pub const LEAVE_IT: &str = "Leave it";
pub const STORAGE_CLOSED: &str = "The browser closed its storage. Reload the page.";

/// What may be said next: what the panels would say, at most three, or what is said when there is nothing else.
#[must_use]
pub fn follow_ups(mut texts: Vec<&'static str>, at_rest: Option<&'static str>) -> Vec<&'static str> {
    if texts.is_empty() {
        texts.push(at_rest.unwrap_or("What can you do?"));
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

/// What a tool did to so many things.
#[must_use]
pub fn happened(kind: Kind, count: usize) -> String {
    if count == 1 {
        return kind.done.to_owned();
    }
    let (_, many) = kind.noun.unwrap_or((thing(), things()));
    format!("{} {count} {many}", kind.done)
}

/// The rest of a list.
#[must_use]
pub fn show_more(more: usize) -> String {
    format!("Show {more} more")
}

/// A tool at work, of those that are nobody's own. Others say their own title.
#[must_use]
pub fn doing(tool: &str, title: &str) -> String {
    match tool {
        "undo" => "Undoing…".to_owned(),
        "redo" => "Doing it again…".to_owned(),
        "history" => "Looking at what has changed…".to_owned(),
        _ => format!("{title}…"),
    }
}

/// A tool that is done and says nothing about itself.
#[must_use]
pub fn did(title: &str) -> String {
    format!("{title}: done")
}

/// A tool that waits for the person.
#[must_use]
pub fn asks_to(title: &str) -> String {
    format!("{title}: needs your approval")
}

/// A tool the person declined.
#[must_use]
pub fn declined(title: &str) -> String {
    format!("{title}: you said no, nothing was changed")
}

/// A tool that failed.
#[must_use]
pub fn did_not_work(title: &str, why: &str) -> String {
    if why.is_empty() { format!("{title} did not work") } else { format!("{title} did not work: {why}") }
}

/// Why there is no preview.
#[must_use]
pub fn no_preview(why: &str) -> String {
    format!("What this would change can’t be said beforehand: {why}")
}

/// The attempt is being made again.
#[must_use]
pub fn retrying(attempt: u32, after_ms: u64, why: &str) -> String {
    let seconds = after_ms.div_ceil(1_000).max(1);
    match attempt {
        // Nothing was tried yet: it waits for a limit of one's own.
        1 => format!("{why} Going on in {seconds} s."),
        _ => format!("{why} Trying again in {seconds} s (attempt {attempt})."),
    }
}

/// The way to the tools is gone.
#[must_use]
pub fn tools_out_of_reach(why: &str) -> String {
    format!("{} {}", sentence(why), filled("Your {many} are safe on this device."))
}

/// A message is longer than is taken.
#[must_use]
pub fn message_too_long(length: usize, most: usize) -> String {
    let (length, most) = (super::number(length), super::number(most));
    format!("This is too long to send: {length} characters, and {most} are taken. Nothing was cut.")
}

/// A run of a conversation that is not on the screen ended, for a screen reader.
#[must_use]
pub fn ended_elsewhere(title: &str, note: &str) -> String {
    if note.is_empty() { format!("“{title}” has its answer.") } else { format!("“{title}”: {note}") }
}

/// The browser's storage failed.
#[must_use]
pub fn storage_failed(name: &str) -> String {
    format!("The browser’s storage failed ({name}). Reload the page; what was saved is safe.")
}

fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

pub const SPEND_WAY_OUT: &str = "Change it in Settings → Spending, or go on with the built-in model.";

/// A model's name as a person reads it: what the page brings itself by what it is, others by their provider's name.
#[must_use]
pub fn model_named(model: &str) -> &str {
    match model {
        "pocket" => "Built-in model",
        "browser" => "Browser’s model",
        model => model,
    }
}

/// Which model answered, and why.
#[must_use]
pub fn answered_by(model: &str, routed: Routed) -> String {
    let why = match routed.why {
        Why::Lookup => "a short question",
        Why::Rewording => "text put into other words",
        Why::SeveralParts => "more than one thing was asked",
        Why::Anything => "not one of the simple things",
    };
    format!("{} · {why}", model_named(model))
}

/// What the conversation has cost.
#[must_use]
pub fn spent_here(spent: agent::Spent) -> String {
    let cost = format!("It has cost {} so far", money(spent.micro_usd));
    match spent.unpriced {
        0 => format!("{cost}."),
        1 => format!("{cost}, and one answer whose price is not known."),
        unpriced => format!("{cost}, and {unpriced} answers whose price is not known."),
    }
}

/// A tool that a model's provider refuses.
#[must_use]
pub fn tool_left_out(title: &str, model: &str) -> String {
    format!("“{title}” is left out: the provider of {model} does not take it as it is described.")
}

#[cfg(test)]
mod tests {
    use super::{conversation_title, follow_ups, happened};
    use ui_kit::Kind;

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

    #[test]
    fn what_happened_is_counted_when_it_is_more_than_one() {
        ui_kit::words::call(ui_kit::words::Names { app: "A", one: "to-do", many: "to-dos" });
        assert_eq!(
            (happened(Kind::ADDED, 1), happened(Kind::ADDED, 3)),
            ("Added".into(), "Added 3 to-dos".into())
        );
    }
}

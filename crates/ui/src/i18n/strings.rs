//! The words, in English.

use crate::settings::{Choice, Theme};
use crate::status::ToolServer;
use crate::transcript::changes::Kind;
use crate::workspace::model::{Group, Priority};

/// The app.
pub const SATCHEL: &str = "Satchel";
/// The person.
pub const YOU: &str = "You";

// The page.
pub const SKIP: &str = "Skip to the message field";
pub const VIEWS: &str = "Views";
pub const CHAT: &str = "Chat";
pub const TODOS: &str = "To-dos";
pub const CONVERSATION: &str = "Conversation";
pub const CONVERSATIONS: &str = "Conversations";
pub const NEW_CHAT: &str = "New conversation";
pub const CLEAR_CHAT: &str = "Clear conversation";
pub const CLEAR_QUESTION: &str = "Clear this conversation?";
pub const CLEAR_HINT: &str = "Its messages are removed from this device. Your to-dos stay as they are.";
pub const KEEP: &str = "Keep it";
pub const NO_CONVERSATIONS: &str = "What you talk about is kept here, on this device.";
pub const CLOSE: &str = "Close";
pub const DISMISS: &str = "Dismiss";
pub const CANCEL: &str = "Cancel";
pub const SAVE: &str = "Save";
pub const UNDO: &str = "Undo";
pub const UNDONE: &str = "undone";
pub const TRY_AGAIN: &str = "Try again";
pub const RELOAD: &str = "Reload";

// The chat.
pub const MESSAGE: &str = "Message";
/// What was typed, and Enter pressed, while the page was still opening.
pub const READY_TO_SEND: &str = "Satchel is open now. What you wrote was not sent yet.";
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
pub const THINKING: &str = "Thinking…";
pub const SPOKEN_OPEN: &str = "Open:";
pub const SPOKEN_DONE: &str = "Done:";
pub const REASONING: &str = "Reasoning";
pub const SUGGESTIONS: &str = "Suggestions";
pub const WELCOME: &str = "What’s on your mind?";
pub const WELCOME_HINT: &str = "Tell me what you have to do. I add it, split it into parts, plan your week with it, find it and take it back. Your to-dos are kept on this device.";
pub const ELSEWHERE: &str = "This conversation is open in another tab. You can follow it here.";
pub const OPEN_HERE: &str = "Continue here";

// Approvals.
pub const APPROVAL: &str = "Your approval is needed";
pub const APPROVE: &str = "Approve";
pub const DENY: &str = "Decline";
pub const LOOKING: &str = "Looking at what this would change…";
pub const NOTHING_WOULD_CHANGE: &str = "Nothing would change.";
pub const BECOMES: &str = "becomes";
pub const NOTHING: &str = "none";

// The workspace.
pub const ADD_TODO: &str = "Add a to-do";
pub const ADD: &str = "Add";
pub const ADDING: &str = "Adding…";
pub const NOT_ADDED: &str = "Not added";
/// Nothing answered: it may be in the list or not.
pub const PERHAPS_ADDED: &str = "Perhaps added; trying again adds it once";
pub const NOT_ADDED_YET: &str = "Not in the list yet";
pub const DISCARD: &str = "Discard";
pub const ADD_DATE: &str = "Due date";
pub const EDIT: &str = "Edit";
pub const TODO: &str = "To-do";
pub const TITLE: &str = "Title";
pub const TITLE_MISSING: &str = "A to-do needs a title.";
pub const DROP_CHANGES: &str = "Discard what you changed?";
pub const KEEP_EDITING: &str = "Keep editing";
pub const DUE: &str = "Due";
pub const TIME: &str = "Time";
pub const PRIORITY: &str = "Priority";
pub const TAGS: &str = "Tags";
pub const LIST: &str = "List";
pub const REPEAT: &str = "Repeat";
pub const REPEATS: &str = "Repeats";
pub const NOTES: &str = "Notes";
pub const PART_OF: &str = "Part of";
/// A to-do whose title is not known here.
pub const ONE_TODO: &str = "a to-do";
/// The same, beside another one.
pub const ANOTHER_TODO: &str = "another to-do";
/// The list that needs no naming.
pub const DEFAULT_LIST: &str = "Inbox";
pub const NO_TODOS: &str = "Nothing to do";
pub const NO_TODOS_HINT: &str = "Add something above, or just say it in the chat.";
pub const LOADING_TODOS: &str = "Loading your to-dos";

// Settings.
pub const SETTINGS: &str = "Settings";
pub const MODEL: &str = "Model";
pub const WHO_ANSWERS: &str = "Who answers";
pub const BUILT_IN: &str = "Built in – works offline";
pub const OWN_MODEL: &str = "My own endpoint…";
pub const OWN_URL: &str = "Address (OpenAI-compatible, up to /v1)";
pub const OWN_NAME: &str = "Model";
pub const OWN_KEY: &str = "Key, if it needs one";
pub const OWN_INCOMPLETE: &str =
    "Your own model has no address or name yet. Open the settings and fill in both.";
pub const THEME: &str = "Theme";
pub const PRIVACY: &str = "What leaves this device";

// Status.
pub const ONLINE: &str = "Online";
pub const OFFLINE: &str = "Offline";
pub const STANDS_IN: &str =
    "The chosen model can’t be reached without a network, so the built-in one answers.";
pub const NO_WORKERS: &str = "This window allows no service worker, so the tools run in the page itself.";
pub const WORKER_NOT_TAKEN: &str =
    "The browser did not take the service worker, so the tools run in the page itself.";
pub const WORKER_NOT_IN_TIME: &str =
    "The service worker is still starting, so the tools run in the page itself for now.";
pub const WORKER_SILENT: &str =
    "The service worker does not answer, so the tools run in the page itself until it does.";
pub const RELOAD_NEEDED: &str = "Satchel was updated. Reload this page to go on; everything is kept.";

pub const UPDATE_READY: &str = "A newer version of Satchel is ready.";
pub const UPDATE: &str = "Use it";

// What went wrong.
pub const TOOLS_NOT_THERE: &str = "The tools did not answer. Reload the page.";
pub const TOOLS_UNREADABLE: &str =
    "The tools answered in a way this page does not understand. Reload the page.";
pub const LIST_UNREADABLE: &str = "The list of to-dos could not be read.";
pub const NO_STORAGE: &str = "This browser keeps nothing here (a private window?). You can talk, but the conversation ends with the page.";
pub const OTHER_TAB_WROTE: &str = "Another tab has gone on with this conversation. Reload to see it.";
pub const STORAGE_FULL: &str = "There is no room left on this device. Free some space and try again.";
pub const BROKE_HERE: &str =
    "Satchel broke while it worked on this, so it was broken off. What was done is kept.";
pub const FROZE_HERE: &str =
    "Satchel froze twice while it worked on this, so it was broken off. What was done is kept.";
pub const USE_BUILT_IN: &str = "Use the built-in model";
pub const NO_MODEL_ANSWER: &str = "Model not reached";
pub const LEAVE_IT: &str = "Leave it";
pub const STORAGE_CLOSED: &str = "The browser closed its storage. Reload the page.";

/// What may be said first.
pub const FIRST_WORDS: [&str; 5] = [
    "Add buy milk tomorrow and call the bank on Friday",
    "Add write essay with subtasks outline and draft",
    "What’s due this week?",
    "Create a grocery todo and then show me all my todos",
    "What can you do?",
];

/// From how many open to-dos on a plan says more than the list.
const WORTH_A_PLAN: usize = 4;

/// What may be said next, at most three.
#[must_use]
pub fn follow_ups(last_tool: Option<&str>, open: usize, overdue: usize, done: usize) -> Vec<&'static str> {
    let mut texts = Vec::new();
    match last_tool {
        Some("todo_create") => texts.extend(["Show my to-dos", "Undo that"]),
        Some("user_memory_save") => texts.extend(["What do you remember about me?", "Undo that"]),
        Some("user_memory_forget" | "user_memory_update") => texts.push("Undo that"),
        Some("todo_list") if open > 0 => texts.push("Mark the first one as done"),
        Some("todo_complete" | "todo_update" | "todo_reopen" | "todo_delete" | "todo_clear_completed") => {
            texts.extend(["Undo that", "What’s left?"]);
        }
        Some(_) | None => {}
    }
    if overdue > 0 {
        texts.push("What’s overdue?");
    }
    if done > 2 && last_tool != Some("todo_clear_completed") {
        texts.push("Clear what’s done");
    }
    if open >= WORTH_A_PLAN {
        texts.push("Plan my week");
    }
    if texts.is_empty() {
        texts.push(if open > 0 { "What’s due today?" } else { "What can you do?" });
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

/// How many to-dos are open.
#[must_use]
pub fn open_count(open: usize) -> String {
    match open {
        0 => String::new(),
        open => format!("{} open", super::number(open)),
    }
}

/// A group's name.
#[must_use]
pub fn group_name(group: Group) -> &'static str {
    match group {
        Group::Overdue => "Overdue",
        Group::Today => "Today",
        Group::Upcoming => "Upcoming",
        Group::NoDate => "No date",
        Group::Done => "Done",
    }
}

/// A group's word in `data-group`.
#[must_use]
pub fn group_word(group: Group) -> &'static str {
    match group {
        Group::Overdue => "overdue",
        Group::Today => "today",
        Group::Upcoming => "upcoming",
        Group::NoDate => "no-date",
        Group::Done => "done",
    }
}

/// A priority's name.
#[must_use]
pub fn priority_name(priority: Priority) -> &'static str {
    match priority {
        Priority::None => "None",
        Priority::Low => "Low",
        Priority::Medium => "Medium",
        Priority::High => "High",
        Priority::Urgent => "Urgent",
    }
}

/// A priority beside other things that are said of a to-do.
#[must_use]
pub fn priority_of(priority: Priority) -> String {
    format!("{} priority", priority_name(priority))
}

/// That a to-do is a part of another one, whose title may not be known here.
#[must_use]
pub fn part_of(whole: Option<&str>) -> String {
    whole.map_or_else(|| format!("part of {ANOTHER_TODO}"), |title| format!("part of “{title}”"))
}

/// What happened to a to-do, for a screen reader.
#[must_use]
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Added => "added",
        Kind::Deleted => "deleted",
        Kind::Completed => "completed",
        Kind::Reopened => "reopened",
        Kind::Changed => "changed",
        Kind::Corrected => "corrected",
        Kind::Remembered => "remembered",
        Kind::Forgotten => "forgotten",
    }
}

/// What a tool did to so many to-dos, or to so many things that are remembered.
#[must_use]
pub fn happened(kind: Kind, count: usize) -> String {
    let (verb, things) = match kind {
        Kind::Added => ("Added", "to-dos"),
        Kind::Deleted => ("Deleted", "to-dos"),
        Kind::Completed => ("Completed", "to-dos"),
        Kind::Reopened => ("Reopened", "to-dos"),
        Kind::Changed => ("Changed", "to-dos"),
        Kind::Remembered => ("Remembered", "things"),
        Kind::Corrected => ("Corrected", "things"),
        Kind::Forgotten => ("Forgot", "things"),
    };
    if count == 1 { verb.to_owned() } else { format!("{verb} {count} {things}") }
}

/// The rest of a list.
#[must_use]
pub fn show_more(more: usize) -> String {
    format!("Show {more} more")
}

/// The box of a to-do.
#[must_use]
pub fn mark_done(title: &str) -> String {
    format!("Done: {title}")
}

/// The bin of a to-do.
#[must_use]
pub fn delete_named(title: &str) -> String {
    format!("Delete {title}")
}

/// A tool at work. Tools of other kinds say their own title.
#[must_use]
pub fn doing(tool: &str, title: &str) -> String {
    match protocol::tool_name_now(tool) {
        "todo_create" => "Adding…".to_owned(),
        "todo_list" | "todo_get" => "Looking at your to-dos…".to_owned(),
        "todo_update" => "Changing…".to_owned(),
        "todo_complete" => "Checking off…".to_owned(),
        "todo_reopen" => "Reopening…".to_owned(),
        "todo_delete" | "todo_clear_completed" => "Deleting…".to_owned(),
        "undo" => "Undoing…".to_owned(),
        "redo" => "Doing it again…".to_owned(),
        "history" => "Looking at what has changed…".to_owned(),
        "user_memory_save" => "Remembering…".to_owned(),
        "user_memory_search" => "Looking at what is remembered…".to_owned(),
        "user_memory_update" => "Correcting what is remembered…".to_owned(),
        "user_memory_forget" => "Forgetting…".to_owned(),
        _ => format!("{title}…"),
    }
}

/// A tool that is done and says nothing about itself.
#[must_use]
pub fn did(title: &str) -> String {
    format!("{title}: done")
}

/// A list that was read.
#[must_use]
pub fn looked_at(shown: usize, total: u64) -> String {
    match (shown, total) {
        (_, 0) => "Looked at your to-dos: none found".to_owned(),
        (_, 1) => "Looked at your to-dos: 1 found".to_owned(),
        (shown, total) if (shown as u64) < total => {
            format!("Looked at your to-dos: {total} found, {shown} read")
        }
        (_, total) => format!("Looked at your to-dos: {total} found"),
    }
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
    format!("{} Your to-dos are safe on this device.", sentence(why))
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

/// The model in the header.
#[must_use]
pub fn model_name(choice: &Choice, stands_in: bool) -> String {
    match choice {
        Choice::BuiltIn if stands_in => "Built in, for now".to_owned(),
        Choice::BuiltIn => "Built in".to_owned(),
        Choice::Gateway { model, .. } => model.clone(),
        Choice::Browser => "Browser’s model".to_owned(),
        Choice::Own => "Own model".to_owned(),
    }
}

/// A model of the gateway in the menu.
#[must_use]
pub fn gateway_model(name: &str, upstream: &str) -> String {
    match upstream {
        // The same model that is in the page, run by the gateway.
        "pocket" => "Built in – run by this page’s server".to_owned(),
        upstream => format!("{name} – through {upstream}"),
    }
}

/// What a choice of model means.
#[must_use]
pub fn model_hint(choice: &Choice) -> &'static str {
    match choice {
        Choice::BuiltIn => "Understands plain sentences about your to-dos, at once and without a network.",
        Choice::Browser => {
            "The model your browser brings along. Small, and without a network once it is there."
        }
        Choice::Gateway { .. } => "Answers through the server this page came from.",
        Choice::Own => "Any server that speaks OpenAI’s chat completions: Ollama, llama.cpp, or a provider.",
    }
}

/// What leaves the device with a choice of model.
#[must_use]
pub fn what_leaves(choice: &Choice) -> &'static str {
    match choice {
        Choice::BuiltIn => "Nothing. The model, the tools and your to-dos are all here.",
        Choice::Browser => {
            "Nothing that Satchel sends. What you write goes to your browser’s own model; Chrome and Edge run it on \
             this device."
        }
        Choice::Gateway { .. } => {
            "What you write in the chat, and the to-dos that answering it needs, go to the model through the server \
             this page came from. Your list itself stays here."
        }
        Choice::Own => {
            "What you write in the chat, and the to-dos that answering it needs, go to the address above. Your list \
             itself stays here."
        }
    }
}

/// A theme in the menu.
#[must_use]
pub fn theme_name(theme: Theme) -> &'static str {
    match theme {
        Theme::System => "System",
        Theme::Light => "Light",
        Theme::Dark => "Dark",
    }
}

/// Where the tools run, in the header.
#[must_use]
pub fn worker_name(worker: &ToolServer) -> &'static str {
    match worker {
        ToolServer::Starting => "Starting",
        ToolServer::Worker => "On this device",
        ToolServer::InPage(_) => "In this page",
        ToolServer::Reload => "Reload",
        ToolServer::Failed(_) => "No tools",
    }
}

/// The same at length.
#[must_use]
pub fn worker_title(worker: &ToolServer) -> String {
    match worker {
        ToolServer::Starting => "The tools are starting.".to_owned(),
        ToolServer::Worker => "The tools run in this browser’s service worker.".to_owned(),
        ToolServer::InPage(why) | ToolServer::Failed(why) => why.clone(),
        ToolServer::Reload => RELOAD_NEEDED.to_owned(),
    }
}

fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

// For the browser's own agent.

pub const QUICK_ADD_TOOL: &str = "Adds one to-do to the person's list.";
pub const QUICK_ADD_TITLE: &str = "What there is to do, in one line.";

#[cfg(test)]
mod tests {
    use super::{conversation_title, follow_ups};

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
        for tool in [None, Some("todo_list"), Some("todo_create"), Some("todo_delete"), Some("other")] {
            for counts in [(0, 0, 0), (3, 1, 5)] {
                let texts = follow_ups(tool, counts.0, counts.1, counts.2);
                assert!((1..=3).contains(&texts.len()), "{tool:?} {counts:?}: {texts:?}");
            }
        }
        assert_eq!(follow_ups(Some("todo_list"), 0, 0, 0), ["What can you do?"]);
        assert_eq!(follow_ups(Some("todo_list"), 4, 0, 0), ["Mark the first one as done", "Plan my week"]);
    }
}

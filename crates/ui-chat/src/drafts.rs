//! What is being written, for each conversation, kept with the tab: it outlives a reload, an update and a crash.
//!
//! What was sent stands beside it until its entry is in the log: a page that ends in between finds it again.

use web::storage;

/// In front of a conversation's id, where what is being written in it is kept.
const DRAFT: &str = "satchel.draft.";

/// The same for what was sent and is not in the log yet.
const SENDING: &str = "satchel.sending.";

/// What was being written in a conversation.
#[must_use]
pub fn load(conversation: &str) -> String {
    get(DRAFT, conversation).unwrap_or_default()
}

/// Keeps what is being written; nothing is not kept.
pub fn keep(conversation: &str, text: &str) {
    put(DRAFT, conversation, text);
}

/// Whether something is kept of a conversation that nobody else knows of.
#[must_use]
pub fn is_kept(conversation: &str) -> bool {
    get(DRAFT, conversation).is_some() || get(SENDING, conversation).is_some()
}

/// This is being sent.
pub fn is_being_sent(conversation: &str, text: &str) {
    put(SENDING, conversation, text);
}

/// What was sent is in the log, or was not taken.
pub fn is_sent(conversation: &str) {
    put(SENDING, conversation, "");
}

/// What was sent and never said to be in the log.
#[must_use]
pub fn unsent(conversation: &str) -> Option<String> {
    get(SENDING, conversation)
}

/// Forgets what is kept of a conversation.
pub fn forget(conversation: &str) {
    put(DRAFT, conversation, "");
    put(SENDING, conversation, "");
}

fn get(what: &str, conversation: &str) -> Option<String> {
    storage::session().get(&format!("{what}{conversation}")).filter(|text| !text.is_empty())
}

fn put(what: &str, conversation: &str, text: &str) {
    let key = format!("{what}{conversation}");
    if text.is_empty() {
        storage::session().remove(&key);
    } else {
        // Where there is no room it stands in the field alone, as it did.
        storage::session().set(&key, text);
    }
}

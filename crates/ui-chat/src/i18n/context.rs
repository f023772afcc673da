//! The words around the model's window: how full it is, what was compacted.

pub const CONTEXT: &str = "What the model sees";
pub const CONTEXT_HINT: &str = "A model takes only so much at once. When a conversation outgrows that, its older messages are \
folded into a short summary for the model. You still see everything here, and what you ask it to remember is kept in your words.";
pub const CONTEXT_FOLD: &str = "Fold older messages now";
pub const CONTEXT_NEVER: &str = "Never fold";
pub const CONTEXT_NEVER_HINT: &str = "A conversation that is too long for the model then fails.";
pub const CONTEXT_SUMMARY: &str = "What it sees of them";
pub const CONTEXT_NOTHING: &str = "It sees the whole conversation.";

/// How much is compacted.
#[must_use]
pub fn context_compacted(count: usize) -> String {
    match count {
        0 => CONTEXT_NOTHING.to_owned(),
        1 => "It sees your first message only in short.".to_owned(),
        _ => format!("It sees your first {count} messages only in short."),
    }
}

/// The line in the conversation.
#[must_use]
pub fn compacted_here(has_summary: bool, before: u64, after: u64) -> String {
    let what = if has_summary {
        "Older messages are folded: the model sees them in short"
    } else {
        "Long results of older messages are shortened for the model"
    };
    format!("{what} ({} tokens became {})", tokens_in_short(before), tokens_in_short(after))
}

/// So many tokens, in thousands where they are.
#[must_use]
pub fn tokens_in_short(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..10_000 => format!("{}.{} k", tokens / 1_000, tokens % 1_000 / 100),
        _ => format!("{} k", tokens / 1_000),
    }
}

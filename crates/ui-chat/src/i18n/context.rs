//! The words around the model's window: how full it is, what was compacted.

use ui_kit::locale;

include!(concat!(env!("OUT_DIR"), "/context.rs"));

/// The line in the conversation.
#[must_use]
pub fn compacted_here(has_summary: bool, before: u64, after: u64) -> String {
    let (before, after) = (tokens_in_short(before), tokens_in_short(after));
    if has_summary { folded_here(&before, &after) } else { shortened_here(&before, &after) }
}

/// So many tokens, in thousands where they are.
#[must_use]
pub fn tokens_in_short(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..10_000 => tokens_in_thousands(&locale::tenths(tokens / 100)),
        _ => tokens_in_thousands(&locale::number(usize::try_from(tokens / 1_000).unwrap_or(usize::MAX))),
    }
}

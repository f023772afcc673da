//! The words around the model's window: how full it is, what was folded away.

use crate::host::Gauge;
use crate::i18n::{money, number};

pub const CONTEXT: &str = "What the model sees";
pub const CONTEXT_HINT: &str = "A model takes only so much at once. When a conversation outgrows that, its older messages are \
folded into a short summary for the model. You still see everything here, and what you ask it to remember is kept in your words.";
pub const CONTEXT_FOLD: &str = "Fold older messages now";
pub const CONTEXT_NEVER: &str = "Never fold";
pub const CONTEXT_NEVER_HINT: &str = "A conversation that is too long for the model then fails.";
pub const CONTEXT_SUMMARY: &str = "What it sees of them";
pub const CONTEXT_NOTHING: &str = "It sees the whole conversation.";
pub const OWN_WINDOW: &str = "Context window, in tokens";
pub const OWN_WINDOW_GUESS: &str = "Estimated";

/// How much an Ollama gives its model: what it said, or that it is assumed.
#[must_use]
pub fn ollama_window(said: Option<u64>, assumed: u64) -> String {
    let number = |tokens: u64| number(usize::try_from(tokens).unwrap_or(usize::MAX));
    match said {
        Some(tokens) => format!("Ollama gives this model {} tokens.", number(tokens)),
        None => format!(
            "Until Ollama says how much it gives this model, {} tokens are assumed: what is longer it cuts without a \
             word. Start it with OLLAMA_CONTEXT_LENGTH=32768 for more.",
            number(assumed)
        ),
    }
}

/// The mark at the message field.
#[must_use]
pub fn context_mark(gauge: &Gauge) -> String {
    let full = match gauge.limit {
        Some(limit) if limit > 0 => format!("{} %", (gauge.tokens * 100 / limit).min(999)),
        _ => short(gauge.tokens),
    };
    match gauge.spent.micro_usd {
        0 => full,
        micro_usd => format!("{full} · {}", money(micro_usd)),
    }
}

/// The same at length.
#[must_use]
pub fn context_full(gauge: &Gauge) -> String {
    let tokens = of(gauge.tokens);
    match gauge.limit {
        Some(limit) => {
            format!("The next message sends about {tokens} tokens. Folding begins at {}.", of(limit))
        }
        None => format!("The next message sends about {tokens} tokens. There is no limit."),
    }
}

/// What the conversation cost.
#[must_use]
pub fn context_used(gauge: &Gauge) -> String {
    let used = gauge.used;
    let cached = match used.cached_input_tokens {
        0 => String::new(),
        cached => format!(" ({} of them from the provider’s cache)", of(cached)),
    };
    format!("So far: {} tokens sent{cached}, {} answered.", of(used.input_tokens), of(used.output_tokens))
}

/// How much is folded away.
#[must_use]
pub fn context_folded(count: usize) -> String {
    match count {
        0 => CONTEXT_NOTHING.to_owned(),
        1 => "It sees your first message only in short.".to_owned(),
        _ => format!("It sees your first {count} messages only in short."),
    }
}

/// The line in the conversation.
#[must_use]
pub fn folded_here(has_summary: bool, before: u64, after: u64) -> String {
    let what = if has_summary {
        "Older messages are folded: the model sees them in short"
    } else {
        "Long results of older messages are shortened for the model"
    };
    format!("{what} ({} tokens became {})", short(before), short(after))
}

fn of(count: u64) -> String {
    number(usize::try_from(count).unwrap_or(usize::MAX))
}

fn short(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..10_000 => format!("{}.{} k", tokens / 1_000, tokens % 1_000 / 100),
        _ => format!("{} k", tokens / 1_000),
    }
}

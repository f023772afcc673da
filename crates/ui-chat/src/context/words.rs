//! Words for what context tells apart.

use crate::controller::Gauge;
use crate::i18n;

/// The mark at the message field.
#[must_use]
pub fn context_mark(gauge: &Gauge) -> String {
    let full = match gauge.limit {
        Some(limit) if limit > 0 => i18n::percent(&(gauge.tokens * 100 / limit).min(999).to_string()),
        _ => i18n::tokens_in_short(gauge.tokens),
    };
    match gauge.spent.micro_usd {
        0 => full,
        micro_usd => format!("{full} · {}", i18n::money(micro_usd)),
    }
}

/// The same at length.
#[must_use]
pub fn context_full(gauge: &Gauge) -> String {
    let tokens = of(gauge.tokens);
    match gauge.limit {
        Some(limit) => i18n::context_tokens(tokens, of(limit)),
        None => i18n::context_tokens_unlimited(tokens),
    }
}

/// What the conversation cost.
#[must_use]
pub fn context_used(gauge: &Gauge) -> String {
    let used = gauge.used;
    i18n::context_tokens_used(of(used.input_tokens), of(used.cached_input_tokens), of(used.output_tokens))
}

fn of(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

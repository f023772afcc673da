//! Words for what context tells apart.

use crate::controller::Gauge;
use crate::i18n;

/// The mark at the message field.
#[must_use]
pub fn context_mark(gauge: &Gauge) -> String {
    let full = match gauge.limit {
        Some(limit) if limit > 0 => format!("{} %", (gauge.tokens * 100 / limit).min(999)),
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

fn of(count: u64) -> String {
    i18n::number(usize::try_from(count).unwrap_or(usize::MAX))
}

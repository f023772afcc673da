//! The words around what models cost, and what may be asked of them.

use llm::Span;

use super::money;

include!(concat!(env!("OUT_DIR"), "/spend.rs"));

/// A limit is near.
#[must_use]
pub fn near_limit(span: Span, limit: u64) -> String {
    let (percent, limit) = (llm::WARN_FROM_PERCENT.to_string(), money(limit));
    match span {
        Span::Conversation => near_conversation_limit(&percent, &limit),
        Span::Month => near_month_limit(&percent, &limit),
    }
}

/// What this month has cost.
#[must_use]
pub fn spent_this_month(micro_usd: u64) -> String {
    spent_so_far(&money(micro_usd))
}

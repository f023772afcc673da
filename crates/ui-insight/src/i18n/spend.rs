//! The words around what models cost, and what may be asked of them.

use llm::Span;

use super::money;

pub const SPENDING: &str = "Spending";
pub const SPENDING_HINT: &str = "A request that would pass a limit is not sent. Costs are computed from prices on this device and \
may differ from the bill; the built-in model and servers on this machine cost nothing.";
pub const CONVERSATION_LIMIT: &str = "At most per conversation, in US dollars";
pub const MONTH_LIMIT: &str = "At most per month, in US dollars";
pub const NO_LIMIT: &str = "No limit";
pub const SPEND_RESET: &str = "Count from zero";
pub const SPEND_CHANGE: &str = "Change it";
pub const CALLS_PER_MINUTE: &str = "Requests a minute";
pub const TOKENS_PER_HOUR: &str = "Tokens an hour";
pub const RATES_HINT: &str =
    "For models that are not on this machine. What is over waits a few seconds, or is not sent.";
pub const PRICES: &str = "What each model costs";
pub const PRICE_INPUT: &str = "Sent, $ per million tokens";
pub const PRICE_CACHED: &str = "Sent again (cached)";
pub const PRICE_OUTPUT: &str = "Answered";

/// A limit is near.
#[must_use]
pub fn near_limit(span: Span, limit: u64) -> String {
    let limit = money(limit);
    let percent = llm::WARN_FROM_PERCENT;
    match span {
        Span::Conversation => {
            format!("More than {percent} % of this conversation’s limit of {limit} is spent.")
        }
        Span::Month => format!("More than {percent} % of this month’s limit of {limit} is spent."),
    }
}

/// What this month has cost.
#[must_use]
pub fn spent_this_month(micro_usd: u64) -> String {
    format!("This month so far: {}", money(micro_usd))
}

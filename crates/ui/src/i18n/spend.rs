//! The words around what models cost, what may be asked of them, and which of them answers.

use llm::Span;
use protocol::{Role, Routed, Why};

use super::money;

pub const SPENDING: &str = "Spending";
pub const SPENDING_HINT: &str = "A request that would pass a limit is not sent. Costs are computed from prices on this device and \
may differ from the bill; the built-in model and servers on this machine cost nothing.";
pub const CONVERSATION_LIMIT: &str = "At most per conversation, in US dollars";
pub const MONTH_LIMIT: &str = "At most per month, in US dollars";
pub const NO_LIMIT: &str = "No limit";
pub const SPEND_RESET: &str = "Count from zero";
pub const SPEND_CHANGE: &str = "Change it";
pub const SPEND_WAY_OUT: &str = "Change it in Settings → Model, or go on with the built-in model.";
pub const CALLS_PER_MINUTE: &str = "Requests a minute";
pub const TOKENS_PER_HOUR: &str = "Tokens an hour";
pub const RATES_HINT: &str =
    "For models that are not on this machine. What is over waits a few seconds, or is not sent.";
pub const PRICE_INPUT: &str = "Sent, $ per million tokens";
pub const PRICE_CACHED: &str = "Sent again (cached)";
pub const PRICE_OUTPUT: &str = "Answered";

pub const ROLES: &str = "A smaller model for simple messages";
pub const ROLES_HINT: &str = "Simple messages can go to a smaller or cheaper model. Everything else goes to the model chosen under “Who answers”.";
pub const ROLE_AS_CHOSEN: &str = "The same as for everything else";
pub const ROLE_OWN: &str = "Another model of my own server";
pub const ROLE_OWN_NAME: &str = "Its name there";

/// What a role is for.
#[must_use]
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Small => "For questions with a short answer",
        Role::Main => "For everything else",
        Role::Cheap => "For summaries and translations",
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
    format!("{model} · {why}")
}

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

//! What requests cost, and where a limit stops them: before they are made (S1-37, S4-33).
//!
//! Amounts are whole millionths of a US dollar, rounded up per request, so that no sum drifts. What a request will cost is an
//! estimate that errs to the dear side: a limit stops early rather than late.

mod prices;

use protocol::{Failure, FailureKind, Image, Message, ModelRequest, Usage};
use serde::{Deserialize, Serialize};

use crate::dialect::sends_thoughts;

pub use prices::{PRICES, PRICES_READ_ON, PriceRow, listed_price};

/// The tokens an answer is taken to have where the request sets no limit.
pub const ASSUMED_OUTPUT_TOKENS: u64 = 1_000;

/// From this part of a limit on, in percent, the person is warned (S4-33).
pub const WARN_FROM_PERCENT: u64 = 80;

/// The bytes of a token, low: English has about four, Russian five, Chinese three.
const BYTES_PER_TOKEN: u64 = 3;

/// What a model costs, in millionths of a US dollar per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Tokens of the request that the provider had not cached.
    pub input: u64,
    /// Tokens of the request that it had. (What writing to a cache costs more, at providers that charge for it, is not
    /// counted: no usage says it apart.)
    pub cached: u64,
    /// Tokens of the answer, reasoning included.
    pub output: u64,
}

impl Price {
    /// What runs on this device.
    pub const FREE: Self = Self { input: 0, cached: 0, output: 0 };

    /// What a request cost, in millionths of a US dollar, rounded up.
    #[must_use]
    pub fn cost_micro_usd(&self, usage: &Usage) -> u64 {
        // Some providers count what was cached apart from the rest; then there is more of it than of the whole.
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let parts = [
            (usage.input_tokens - cached, self.input),
            (cached, self.cached),
            (usage.output_tokens, self.output),
        ];
        let sum: u128 = parts.iter().map(|(tokens, price)| u128::from(*tokens) * u128::from(*price)).sum();
        u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }

    /// What a request will cost, about: its tokens by [`estimated_tokens`], and the longest answer it allows, else
    /// [`ASSUMED_OUTPUT_TOKENS`].
    #[must_use]
    pub fn estimate_micro_usd(&self, request: &ModelRequest) -> u64 {
        let output_tokens = request.max_output_tokens.map_or(ASSUMED_OUTPUT_TOKENS, u64::from);
        self.cost_micro_usd(&Usage {
            input_tokens: estimated_tokens(request),
            output_tokens,
            ..Usage::default()
        })
    }
}

/// How many tokens a request has, about, and rather too many than too few: by its bytes, since what it goes to is not known
/// here. (The agent's own estimate is taught by the provider's counts; this one has to do for the first request as well.)
#[must_use]
pub fn estimated_tokens(request: &ModelRequest) -> u64 {
    let with_thoughts = sends_thoughts(&request.model);
    let messages = request.messages.iter().map(|message| match &**message {
        Message::System { content } | Message::User { content, .. } | Message::Tool { content, .. } => {
            weight(content)
        }
        Message::Assistant { content, thought, tool_calls } => {
            let calls =
                tool_calls.iter().map(|call| weight(&call.name) + weight(&call.arguments.to_string()));
            let thought = if with_thoughts { weight(thought) } else { 0 };
            weight(content) + thought + calls.sum::<usize>()
        }
    });
    let tools =
        request.tools.iter().map(|tool| weight(&tool.description) + weight(&tool.input_schema.to_string()));
    let images = request.messages.iter().filter_map(|message| match &**message {
        Message::User { images, .. } => Some(images.iter().map(|image| tokens_of_image(image)).sum::<u64>()),
        _ => None,
    });
    tokens_in(messages.chain(tools).sum()) + images.sum::<u64>()
}

/// About what the most expensive provider makes of a picture: a token for 750 pixels.
fn tokens_of_image(image: &Image) -> u64 {
    u64::from(image.width).saturating_mul(u64::from(image.height)).div_ceil(750)
}

/// The bytes of a text; signs count twice, since most are a token of their own.
#[must_use]
pub(crate) fn weight(text: &str) -> usize {
    text.len() + text.bytes().filter(u8::is_ascii_punctuation).count()
}

/// How many tokens a text of this weight is, about and at most.
#[must_use]
pub(crate) fn tokens_in(weight: usize) -> u64 {
    u64::try_from(weight).unwrap_or(u64::MAX).div_ceil(BYTES_PER_TOKEN)
}

/// What the limit is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// One conversation.
    Conversation,
    /// One calendar month, where the person is.
    Month,
}

/// Whether a request that will cost `estimate` may be made when so much is spent; amounts in millionths of a US dollar.
/// What costs nothing always may.
///
/// # Errors
/// [`FailureKind::CostLimit`], with the limit, what is spent in its sentence.
pub fn within_limit(span: Span, limit: Option<u64>, spent: u64, estimate: u64) -> Result<(), Failure> {
    let Some(limit) = limit.filter(|limit| estimate > 0 && spent.saturating_add(estimate) > *limit) else {
        return Ok(());
    };
    let of = match span {
        Span::Conversation => "This conversation’s",
        Span::Month => "This month’s",
    };
    let message = format!(
        "{of} limit is {}: {} is spent, and the next request would cost up to {}. Nothing was sent.",
        dollars(limit),
        dollars(spent),
        dollars(estimate)
    );
    Err(Failure { is_own_limit: true, ..Failure::new(FailureKind::CostLimit, message) })
}

/// Whether so much of a limit is spent that the person is warned (S4-33).
#[must_use]
pub fn is_near_limit(limit: Option<u64>, spent: u64) -> bool {
    limit.is_some_and(|limit| {
        spent.saturating_mul(100) >= limit.saturating_mul(WARN_FROM_PERCENT) && spent > 0
    })
}

/// An amount as a sentence says it: `$2.00`, and with as many digits as a small one needs, `$0.0123`.
#[must_use]
pub fn dollars(micro_usd: u64) -> String {
    let (whole, part) = (micro_usd / 1_000_000, micro_usd % 1_000_000);
    let digits = format!("{part:06}");
    let shown = match micro_usd {
        0 => 2,
        1..10_000 => digits.trim_end_matches('0').len().max(2),
        10_000..1_000_000 => digits[..4].trim_end_matches('0').len().max(2),
        _ => 2,
    };
    format!("${whole}.{}", &digits[..shown])
}

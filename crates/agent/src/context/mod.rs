//! What becomes of a conversation that outgrows the model's window (D-10 to D-12): how large a request is, when that is too
//! large, and what then stands for what was said before.

mod compact;
mod prune;
mod summary;
mod tokens;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

pub(crate) use compact::{compact_now, compact_refused, compaction, measure};
pub use prune::{Pruning, TokenCounter, prune_conversation};
pub use summary::Summary;
pub(crate) use tokens::MeasuredTool;
pub use tokens::{Estimator, Measure};

/// How a conversation is kept within the model's window (`ContextWindowConfig`, S3-10). Without a limit nothing is ever
/// left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextPolicy {
    /// The model's window in tokens, as its provider says it; none when nobody knows.
    pub window_tokens: Option<u64>,
    /// The most tokens of a request (`maxTokens`); none for a share of the window. It comes before `max_messages` (S3-11).
    pub max_tokens: Option<u64>,
    /// The most messages of a request, the system's not counted (`maxMessages`).
    #[serde(deserialize_with = "countable_or_none")]
    pub max_messages: Option<usize>,
    /// The share of the window, in percent, from which older turns are compacted.
    pub trigger_percent: u8,
    /// The share of the limit, in percent, that is filled again after that: the rest is room for what comes.
    pub target_percent: u8,
    /// The last turns that stay whole, even over the limit (S3-18).
    #[serde(deserialize_with = "countable")]
    pub min_recent_turns: usize,
    /// What is done with what no longer fits.
    pub strategy: Strategy,
    /// A sentence of the person with one of these in it is a fact that is kept word for word. Lower case.
    pub pins: Arc<[String]>,
    /// Nothing is compacted, as the person wants it; a request that is too long then fails.
    pub never: bool,
}

/// What of a conversation the model sees only in short, and what it cost to say it all (D-10).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compaction {
    /// The first entry that it still sees as it was.
    pub from: u64,
    /// Results of calls before this entry are seen in short.
    pub results_from: u64,
    /// What stands for the entries before `from`.
    pub summary: Summary,
    /// The tokens of the request that was too large, about.
    pub tokens_before: u64,
    /// The tokens it has instead.
    pub tokens_after: u64,
    /// The person asked for it.
    #[serde(default)]
    pub asked: bool,
}

/// What is done with what no longer fits (S3-12, D-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "strategy", rename_all = "snake_case")]
pub enum Strategy {
    /// Tool results are shortened first, then older turns are summarised by rule, and facts are kept word for word.
    #[default]
    Summarise,
    /// The oldest turns go.
    OldestFirst,
    /// Turns from the middle go: the beginning and the end stay.
    MiddleOut,
    /// Only the last turns stay, however much room there is.
    RecentTurnsOnly {
        /// How many.
        #[serde(deserialize_with = "countable")]
        turns: usize,
    },
}

impl Default for ContextPolicy {
    fn default() -> Self {
        Self {
            window_tokens: None,
            max_tokens: None,
            max_messages: None,
            trigger_percent: 80,
            target_percent: 50,
            min_recent_turns: 3,
            strategy: Strategy::Summarise,
            pins: PINS.iter().map(|&word| word.to_owned()).collect(),
            never: false,
        }
    }
}

/// Words that ask to be remembered, or say what stays true of somebody.
const PINS: [&str; 22] = [
    "remember", "keep in mind", "don't forget", "don’t forget", "note that", "for the record", "my name is",
    "call me ", "i prefer", "i always", "i never", "i'm allergic", "i am allergic", "merk dir", "denk daran",
    "vergiss nicht", "запомни", "не забудь", "меня зовут", "记住", "記住", "别忘",
];

impl ContextPolicy {
    /// The most tokens a request may have; none where there is no limit.
    #[must_use]
    pub fn limit_tokens(&self) -> Option<u64> {
        let of_window = self.window_tokens.map(|window| share(window, self.trigger_percent));
        match (self.max_tokens, of_window) {
            (Some(most), Some(of_window)) => Some(most.min(of_window)),
            (limit, other) => limit.or(other),
        }
    }
}

fn share(tokens: u64, percent: u8) -> u64 {
    tokens.saturating_mul(u64::from(percent.min(100))) / 100
}

/// A number of things as it was saved. A page counts only to four thousand million: a limit that is never reached there is not
/// reached here either.
fn countable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    u64::deserialize(deserializer).map(at_most)
}

fn countable_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    Option::deserialize(deserializer).map(|number| number.map(at_most))
}

fn at_most(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

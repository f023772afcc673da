//! What the conversations of a device come to (S0-61): how long they are, what they ask of tools and models, how fast they
//! are answered, how content the person is, how much a compaction saves.
//!
//! A [`Tally`] takes one conversation after the other, so that never more than one is held.

use std::collections::BTreeMap;

use protocol::{RunId, Usage};
use serde::{Deserialize, Serialize};

use crate::{AgentConfig, AgentState, Ending, Entry, EntryBody, reduce};

/// What the person says of an answer. It is kept beside the log and no model sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rating {
    /// It helped.
    Good,
    /// It did not.
    Bad,
}

/// How a number is spread over what it was counted of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// How many were counted.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The median: as many are below as above.
    pub p50: u64,
    /// 95 % are no larger.
    pub p95: u64,
    /// The largest.
    pub most: u64,
}

impl Spread {
    /// The spread of some numbers; percentiles are the nearest rank.
    #[must_use]
    pub fn of(numbers: &[u64]) -> Self {
        let mut sorted = numbers.to_vec();
        order::sort(&mut sorted);
        let rank = |percent: usize| {
            let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
            sorted.get(at).copied().unwrap_or_default()
        };
        let sum = sorted.iter().fold(0_u64, |sum, number| sum.saturating_add(*number));
        Self {
            count: sorted.len(),
            mean: if sorted.is_empty() { 0.0 } else { sum as f64 / sorted.len() as f64 },
            p50: rank(50),
            p95: rank(95),
            most: sorted.last().copied().unwrap_or_default(),
        }
    }
}

/// How content the person is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Satisfaction {
    /// Answers that helped.
    pub good: usize,
    /// Answers that did not.
    pub bad: usize,
}

/// How often the router's choice stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Routing {
    /// Runs whose model a router chose.
    pub routed: usize,
    /// Of these, how many the person had another model try again.
    pub corrected: usize,
}

/// The metrics of S0-61.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    /// Messages of the person in a conversation.
    pub turns: Spread,
    /// Tool calls in a conversation.
    pub tool_calls: Spread,
    /// From a message to its answer, in milliseconds, over the turns that were answered. The time a person was waited for,
    /// or the page was gone, does not count.
    pub response_ms: Spread,
    /// Tokens sent and answered in a conversation, as the provider counts them.
    pub tokens: Spread,
    /// What the person said of the answers.
    pub satisfaction: Satisfaction,
    /// Model requests in a run.
    pub iterations: Spread,
    /// Of each compaction: the percentage of the request's tokens that was left.
    pub left_by_folds: Spread,
    /// What became of the router's choices (D-13).
    pub routing: Routing,
}

/// Adds up conversations.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    turns: Vec<u64>,
    tool_calls: Vec<u64>,
    response_ms: Vec<u64>,
    tokens: Vec<u64>,
    satisfaction: Satisfaction,
    iterations: Vec<u64>,
    left_by_folds: Vec<u64>,
    routing: Routing,
}

/// What one conversation adds.
#[derive(Default)]
struct One {
    turns: u64,
    tool_calls: u64,
    tokens: u64,
    /// What the runs of the open turn took.
    turn_ms: u64,
    /// Whether the open run began in the time that is asked for.
    counts: bool,
    /// The model that a router chose for the open run.
    routed_to: Option<String>,
    /// The one it chose for the run that is being tried again.
    routed_before: Option<String>,
}

impl Tally {
    /// Adds a conversation: its log, and what the person said of the answers. Runs that began before `since_ms` (Unix
    /// milliseconds) do not count, and a conversation that has no others does not either.
    pub fn add(&mut self, log: Vec<Entry>, ratings: &BTreeMap<RunId, Rating>, since_ms: i64) {
        let mut state = AgentState::new("", AgentConfig::new(""), []);
        let mut one = One::default();
        for entry in log {
            self.note(&mut one, &entry, ratings, since_ms);
            let ended = match &entry.body {
                EntryBody::Ended { ending, .. } => {
                    Some((entry.at_ms, matches!(ending, Ending::Complete { .. })))
                }
                _ => None,
            };
            reduce::apply(&mut state, entry.into());
            if let (Some((at_ms, is_answered)), Some(run), true) = (ended, &state.run, one.counts) {
                self.iterations.push(u64::from(run.steps));
                // Whoever was asked when the run ended was waited for until then.
                let waiting_ms = run.paused_since_ms.map_or(0, |since_ms| at_ms - since_ms);
                let took_ms = at_ms - run.started_ms - run.paused_ms - waiting_ms;
                one.turn_ms += u64::try_from(took_ms).unwrap_or_default();
                if is_answered {
                    self.response_ms.push(std::mem::take(&mut one.turn_ms));
                }
            }
        }
        if one.turns > 0 {
            self.turns.push(one.turns);
            self.tool_calls.push(one.tool_calls);
            self.tokens.push(one.tokens);
        }
    }

    fn note(&mut self, one: &mut One, entry: &Entry, ratings: &BTreeMap<RunId, Rating>, since_ms: i64) {
        let tokens = |usage: &Usage| usage.input_tokens.saturating_add(usage.output_tokens);
        let is_start = matches!(entry.body, EntryBody::User { .. } | EntryBody::Retried { .. });
        if is_start {
            one.counts = entry.at_ms >= since_ms;
        }
        if !one.counts {
            return;
        }
        if is_start {
            let before = one.routed_to.take();
            one.routed_before = before.filter(|_| matches!(entry.body, EntryBody::Retried { .. }));
            match ratings.get(&entry.run_id) {
                Some(Rating::Good) => self.satisfaction.good += 1,
                Some(Rating::Bad) => self.satisfaction.bad += 1,
                None => {}
            }
        }
        match &entry.body {
            EntryBody::User { .. } => {
                one.turns += 1;
                one.turn_ms = 0;
            }
            EntryBody::Response { calls, usage, model, routed, .. } => {
                self.route(one, model, routed.is_some());
                one.tool_calls += calls.len() as u64;
                one.tokens += tokens(usage);
            }
            EntryBody::Ended { partial: Some(partial), .. } => {
                self.route(one, &partial.model, false);
                one.tokens += tokens(&partial.usage);
            }
            EntryBody::Compacted(compaction) if compaction.tokens_before > 0 => {
                self.left_by_folds
                    .push(compaction.tokens_after.saturating_mul(100) / compaction.tokens_before);
            }
            EntryBody::Retried { .. }
            | EntryBody::Compacted(_)
            | EntryBody::Decision { .. }
            | EntryBody::ImpactEstimated { .. }
            | EntryBody::Result { .. }
            | EntryBody::Resumed {}
            | EntryBody::Doubted { .. }
            | EntryBody::Ended { .. } => {}
        }
    }

    /// A model was asked: did a router choose it, and does it stand in for one that was chosen before?
    fn route(&mut self, one: &mut One, model: &str, is_routed: bool) {
        if is_routed && one.routed_to.is_none() {
            self.routing.routed += 1;
            one.routed_to = Some(model.to_owned());
        }
        if one.routed_before.take().is_some_and(|before| before != model) {
            self.routing.corrected += 1;
        }
    }

    /// What it came to.
    #[must_use]
    pub fn metrics(&self) -> Metrics {
        Metrics {
            turns: Spread::of(&self.turns),
            tool_calls: Spread::of(&self.tool_calls),
            response_ms: Spread::of(&self.response_ms),
            tokens: Spread::of(&self.tokens),
            satisfaction: self.satisfaction,
            iterations: Spread::of(&self.iterations),
            left_by_folds: Spread::of(&self.left_by_folds),
            routing: self.routing,
        }
    }
}

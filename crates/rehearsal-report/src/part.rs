//! The numbers of a part of a batch: of the whole, of a scenario, of a tag.

use std::collections::BTreeMap;

use rehearsal::{Outcome, Status, Verdict};
use serde::Serialize;

use crate::stats::{self, Interval};

/// What came of a part of a batch, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The scenario's name, or the tag; empty for the whole.
    pub name: String,
    /// How many, by verdict.
    pub counts: Counts,
    /// How many of those that passed or failed passed; none where none did either.
    pub pass_rate: Option<Rate>,
    /// pass^k for k from 1 to the most repetitions of a scenario that passed or failed.
    pub pass_k: Vec<PassK>,
    /// Tokens.
    pub tokens: Tokens,
    /// US dollars.
    pub cost: Spent,
    /// Answers of models that agents took.
    pub steps: Amount,
    /// Calls of tools.
    pub tool_calls: Amount,
    /// Turns of both sides.
    pub turns: Amount,
    /// How long agents' turns took; none without a turn.
    pub latency: Option<Latency>,
    /// What was checked in conversations that passed or failed, what failed most first.
    pub checks: Vec<CheckCount>,
    /// How conversations ended, the most frequent first.
    pub statuses: Vec<StatusCount>,
}

/// How many conversations, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All jobs.
    pub jobs: u32,
    /// Those that were played: all but `not_played`.
    pub played: u32,
    /// All checks held.
    pub passed: u32,
    /// The assistant failed.
    pub failed: u32,
    /// The simulated client strayed: it says nothing about the assistant.
    pub client_error: u32,
    /// They could not be played.
    pub not_played: u32,
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        self.jobs += 1;
        self.played += u32::from(verdict != Verdict::NotPlayed);
        *match verdict {
            Verdict::Passed => &mut self.passed,
            Verdict::Failed => &mut self.failed,
            Verdict::ClientError => &mut self.client_error,
            Verdict::NotPlayed => &mut self.not_played,
        } += 1;
    }

    /// The counts of these conversations.
    pub(crate) fn of(outcomes: &[&Outcome]) -> Self {
        let mut counts = Self::default();
        for outcome in outcomes {
            counts.add(outcome.verdict);
        }
        counts
    }

    /// Adds the counts of others.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.jobs += other.jobs;
        self.played += other.played;
        self.passed += other.passed;
        self.failed += other.failed;
        self.client_error += other.client_error;
        self.not_played += other.not_played;
    }

    /// Those that say something about the assistant: passed or failed.
    #[must_use]
    pub fn decided(&self) -> u32 {
        self.passed + self.failed
    }
}

/// A pass rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// passed / (passed + failed), from 0 to 1.
    pub value: f64,
    /// Wilson's 95 % interval. It takes conversations as independent; repetitions of one scenario are less so than it says.
    pub interval: Interval,
}

/// The chance that `k` repetitions of a scenario all pass, as the mean over scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PassK {
    /// How many repetitions.
    pub k: u32,
    /// The unbiased estimate, from 0 to 1: the mean of C(c, k) / C(n, k), as tau²-bench has it.
    pub value: f64,
    /// Its 95 % interval: by the bootstrap over scenarios; of one scenario, the pass rate's interval to the power of `k`.
    pub interval: Interval,
    /// Over how many scenarios: those with at least `k` repetitions that passed or failed.
    pub scenarios: u32,
}

/// Tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tokens {
    /// What the assistant's models read.
    pub input: Amount,
    /// What they wrote.
    pub output: Amount,
    /// Both, of models that play the client, judge or play tools.
    pub other: Amount,
}

/// A number of things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Amount {
    /// In all conversations together.
    pub total: u64,
    /// In a conversation that was played; none where none was.
    pub mean: Option<f64>,
}

/// US dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Of all conversations whose cost is known; none where no cost is known.
    pub total_usd: Option<f64>,
    /// The mean of a conversation whose cost is known.
    pub mean_usd: Option<f64>,
    /// How many conversations took tokens that nobody knows the price of: the total is at least what stands there.
    pub unknown: u32,
}

/// How long agents' turns took, in milliseconds: percentiles by nearest rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// How many turns.
    pub turns: u64,
    /// Half of them took at most this long.
    pub p50_ms: u64,
    /// 90 % took at most this long.
    pub p90_ms: u64,
    /// 95 % took at most this long.
    pub p95_ms: u64,
    /// 99 % took at most this long.
    pub p99_ms: u64,
    /// The longest.
    pub max_ms: u64,
}

/// How often a check held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckCount {
    /// The check, in its words.
    pub check: String,
    /// How often it did not hold.
    pub failed: u32,
    /// How often it did.
    pub held: u32,
}

/// How often conversations ended so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StatusCount {
    /// How.
    pub status: Status,
    /// How often.
    pub count: u32,
}

impl Part {
    /// The numbers of these conversations.
    #[must_use]
    pub fn of(name: &str, outcomes: &[&Outcome]) -> Self {
        let mut counts = Counts::default();
        let mut by_scenario: BTreeMap<&str, Counts> = BTreeMap::new();
        for outcome in outcomes {
            counts.add(outcome.verdict);
            by_scenario.entry(&outcome.scenario).or_default().add(outcome.verdict);
        }
        let scenarios: Vec<Counts> = by_scenario.into_values().collect();
        let amount = |of: fn(&Outcome) -> u64| Amount {
            total: outcomes.iter().map(|outcome| of(outcome)).sum(),
            mean: mean(
                outcomes.iter().filter(|outcome| was_played(outcome)).map(|outcome| of(outcome) as f64),
            ),
        };
        Self {
            name: name.to_owned(),
            counts,
            pass_rate: rate(&counts),
            pass_k: pass_k(&scenarios),
            tokens: Tokens {
                input: amount(|outcome| outcome.cost.input_tokens),
                output: amount(|outcome| outcome.cost.output_tokens),
                other: amount(|outcome| outcome.cost.other_tokens),
            },
            cost: spent(outcomes),
            steps: amount(|outcome| u64::from(outcome.cost.steps)),
            tool_calls: amount(|outcome| u64::from(outcome.cost.tool_calls)),
            turns: amount(|outcome| u64::from(outcome.record.total_turns)),
            latency: latency(outcomes),
            checks: checks(outcomes),
            statuses: statuses(outcomes),
        }
    }
}

/// Whether it was played at all.
fn was_played(outcome: &Outcome) -> bool {
    outcome.verdict != Verdict::NotPlayed
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

/// The pass rate of these.
pub(crate) fn rate(counts: &Counts) -> Option<Rate> {
    let interval = stats::wilson(f64::from(counts.passed), counts.decided())?;
    Some(Rate { value: f64::from(counts.passed) / f64::from(counts.decided()), interval })
}

/// The most repetitions for which it is said how likely all of them pass: nobody reads more, and each costs as much as its number.
const MOST_K: u32 = 32;

fn pass_k(scenarios: &[Counts]) -> Vec<PassK> {
    let most = scenarios.iter().map(Counts::decided).max().unwrap_or(0).min(MOST_K);
    let at = |k: u32| {
        let able: Vec<&Counts> = scenarios.iter().filter(|counts| counts.decided() >= k).collect();
        let shares: Vec<f64> =
            able.iter().filter_map(|counts| stats::pass_k(counts.passed, counts.decided(), k)).collect();
        let (value, interval) = stats::mean_of(&shares)?;
        let interval = match able[..] {
            [one] => rate(one)?.interval.to_the(k),
            _ => interval,
        };
        Some(PassK { k, value, interval, scenarios: able.len() as u32 })
    };
    (1..=most).filter_map(at).collect()
}

fn spent(outcomes: &[&Outcome]) -> Spent {
    let known: Vec<f64> =
        outcomes.iter().filter_map(|outcome| outcome.cost.usd).filter(|usd| usd.is_finite()).collect();
    let unknown = outcomes.iter().filter(|outcome| {
        let cost = &outcome.cost;
        cost.usd.is_none() && (cost.input_tokens, cost.output_tokens, cost.other_tokens) != (0, 0, 0)
    });
    Spent {
        total_usd: (!known.is_empty()).then(|| known.iter().sum()),
        mean_usd: mean(known.iter().copied()),
        unknown: unknown.count() as u32,
    }
}

fn latency(outcomes: &[&Outcome]) -> Option<Latency> {
    let mut turns: Vec<u64> =
        outcomes.iter().flat_map(|outcome| outcome.cost.turn_ms.iter().copied()).collect();
    order::sort(&mut turns);
    let at = |q: f64| stats::percentile(&turns, q);
    Some(Latency {
        turns: turns.len() as u64,
        p50_ms: at(0.5)?,
        p90_ms: at(0.9)?,
        p95_ms: at(0.95)?,
        p99_ms: at(0.99)?,
        max_ms: at(1.0)?,
    })
}

fn checks(outcomes: &[&Outcome]) -> Vec<CheckCount> {
    let mut found: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let decided =
        outcomes.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Passed | Verdict::Failed));
    for result in decided.flat_map(|outcome| &outcome.checks) {
        let (failed, held) = found.entry(&result.check).or_default();
        *if result.passed { held } else { failed } += 1;
    }
    let mut counts: Vec<CheckCount> = found
        .into_iter()
        .map(|(check, (failed, held))| CheckCount { check: check.to_owned(), failed, held })
        .collect();
    order::sort_by_key(&mut counts, |count| std::cmp::Reverse(count.failed));
    counts
}

fn statuses(outcomes: &[&Outcome]) -> Vec<StatusCount> {
    let mut counts: Vec<StatusCount> = Vec::new();
    for outcome in outcomes {
        let status = outcome.record.status;
        match counts.iter_mut().find(|count| count.status == status) {
            Some(found) => found.count += 1,
            None => counts.push(StatusCount { status, count: 1 }),
        }
    }
    order::sort_by(&mut counts, |one, other| {
        other.count.cmp(&one.count).then_with(|| one.status.name().cmp(other.status.name()))
    });
    counts
}

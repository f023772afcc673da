//! A batch against an earlier one: which scenarios got worse, and whether chance would do the same.

use std::collections::BTreeMap;

use rehearsal::{Outcome, Verdict};
use serde::Serialize;

use crate::part::{Amount, Counts, Latency, Part, Rate, Spent};
use crate::stats;
use crate::text::{counted, p_value};

/// A batch against an earlier one, over the scenarios that stand in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Over all of them together.
    pub test: ExactTest,
    /// Those in which a conversation passed or failed in both, the worst change first.
    pub scenarios: Vec<ScenarioChange>,
    /// Jobs that passed before and fail now.
    pub broken: Vec<String>,
    /// Jobs that failed before and pass now.
    pub mended: Vec<String>,
    /// Scenarios that stand in both, and in one of the two no conversation passed or failed: nothing can be said of them.
    pub undecided: Vec<String>,
    /// Scenarios that are only here.
    pub new: Vec<String>,
    /// Scenarios that were only there.
    pub gone: Vec<String>,
    /// The earlier batch's numbers, of the scenarios that stand in both.
    pub before: Measures,
    /// This one's.
    pub now: Measures,
}

/// What became of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScenarioChange {
    /// Its name.
    pub scenario: String,
    /// Which way it went.
    pub trend: Trend,
    /// The earlier counts.
    pub before: Counts,
    /// These.
    pub now: Counts,
    /// The pass rate now less the earlier one, from -1 to 1.
    pub difference: f64,
    /// Whether chance would do the same. Of many scenarios, some have a small p by chance alone.
    pub test: ExactTest,
}

/// Which way something went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// It passes less often.
    Worse,
    /// As often as before.
    Same,
    /// It passes more often.
    Better,
}

/// An exact test of whether nothing has changed, both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExactTest {
    /// Which.
    pub kind: ExactTestKind,
    /// The chance of a difference at least as large where no scenario has changed.
    pub p: f64,
    /// Jobs that passed or failed in both.
    pub pairs: u32,
    /// Of those, that passed before and fail now.
    pub worse: u32,
    /// Of those, that failed before and pass now.
    pub better: u32,
}

/// Which test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExactTestKind {
    /// McNemar's, over the same jobs in both: at least half of those of the larger side stand in both.
    McNemar,
    /// Fisher's, of the numbers that passed: too few jobs stand in both.
    Fisher,
}

impl ExactTestKind {
    /// As it is called in a sentence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::McNemar => "McNemar's exact test",
            Self::Fisher => "Fisher's exact test",
        }
    }
}

/// What is compared as numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// How many conversations, by verdict.
    pub counts: Counts,
    /// The pass rate.
    pub pass_rate: Option<Rate>,
    /// How long agents' turns took.
    pub latency: Option<Latency>,
    /// US dollars.
    pub cost: Spent,
    /// Tokens that the assistant's models read.
    pub input_tokens: Amount,
    /// Tokens that they wrote.
    pub output_tokens: Amount,
    /// Answers of models that agents took.
    pub steps: Amount,
}

impl Comparison {
    /// These outcomes against earlier ones.
    #[must_use]
    pub fn of(now: &[&Outcome], before: &[&Outcome]) -> Self {
        let (mut here, mut there) = (by_scenario(now), by_scenario(before));
        let new = names(here.keys().filter(|name| !there.contains_key(*name)));
        let gone = names(there.keys().filter(|name| !here.contains_key(*name)));
        here.retain(|name, _| there.contains_key(name));
        there.retain(|name, _| here.contains_key(name));

        let (mut scenarios, mut undecided) = (Vec::new(), Vec::new());
        let (mut broken, mut mended) = (Vec::new(), Vec::new());
        let mut whole = Tally::default();
        for (name, outcomes) in &here {
            let earlier = there.get(name).map_or(&[][..], Vec::as_slice);
            let tally = Tally::of(outcomes, earlier);
            if tally.now.decided() == 0 || tally.before.decided() == 0 {
                undecided.push((*name).to_owned());
                continue;
            }
            whole.add(&tally);
            scenarios.push(tally.change(name));
            broken.extend(tally.broken);
            mended.extend(tally.mended);
        }
        order::sort_by(&mut scenarios, |one: &ScenarioChange, other: &ScenarioChange| {
            let place = |trend: Trend| match trend {
                Trend::Worse => 0,
                Trend::Same => 1,
                Trend::Better => 2,
            };
            place(one.trend)
                .cmp(&place(other.trend))
                .then_with(|| one.difference.total_cmp(&other.difference))
                .then_with(|| one.test.p.total_cmp(&other.test.p))
        });
        Self {
            test: whole.test(),
            scenarios,
            broken,
            mended,
            undecided,
            new,
            gone,
            before: Measures::of(&there),
            now: Measures::of(&here),
        }
    }

    /// The scenarios that went this way, in the order of [`scenarios`](Self::scenarios).
    pub fn went(&self, trend: Trend) -> impl Iterator<Item = &ScenarioChange> {
        self.scenarios.iter().filter(move |change| change.trend == trend)
    }

    /// What it comes to, in a sentence: `3 of 40 scenarios got worse and 1 got better, p = 0.04.` The p is that of
    /// [`test`](Self::test), over all conversations of these scenarios.
    #[must_use]
    pub fn sentence(&self) -> String {
        let all = self.scenarios.len() as u64;
        if all == 0 {
            return "No scenario was decided in both runs: there is nothing to compare.".to_owned();
        }
        let (worse, better) = (self.went(Trend::Worse).count(), self.went(Trend::Better).count());
        let p = p_value(self.test.p);
        match (worse, better) {
            (0, 0) => format!("None of {} got worse or better, {p}.", counted(all, "scenario")),
            (0, _) => format!("None of {} got worse and {better} got better, {p}.", counted(all, "scenario")),
            (_, 0) => format!("{worse} of {} got worse and none got better, {p}.", counted(all, "scenario")),
            _ => format!("{worse} of {} got worse and {better} got better, {p}.", counted(all, "scenario")),
        }
    }
}

impl Measures {
    fn of(outcomes: &BTreeMap<&str, Vec<&Outcome>>) -> Self {
        let all: Vec<&Outcome> = outcomes.values().flatten().copied().collect();
        let part = Part::of("", &all);
        Self {
            counts: part.counts,
            pass_rate: part.pass_rate,
            latency: part.latency,
            cost: part.cost,
            input_tokens: part.tokens.input,
            output_tokens: part.tokens.output,
            steps: part.steps,
        }
    }
}

/// What is counted of both sides.
#[derive(Default)]
struct Tally {
    before: Counts,
    now: Counts,
    pairs: u32,
    broken: Vec<String>,
    mended: Vec<String>,
}

impl Tally {
    fn of(now: &[&Outcome], before: &[&Outcome]) -> Self {
        let mut tally = Self { before: Counts::of(before), now: Counts::of(now), ..Self::default() };
        let earlier: BTreeMap<&str, bool> =
            before.iter().filter_map(|outcome| Some((outcome.job.as_str(), passed(outcome)?))).collect();
        for outcome in now {
            let (Some(now), Some(before)) = (passed(outcome), earlier.get(outcome.job.as_str())) else {
                continue;
            };
            tally.pairs += 1;
            match (before, now) {
                (true, false) => tally.broken.push(outcome.job.clone()),
                (false, true) => tally.mended.push(outcome.job.clone()),
                _ => {}
            }
        }
        tally
    }

    fn add(&mut self, other: &Self) {
        self.before.merge(&other.before);
        self.now.merge(&other.now);
        self.pairs += other.pairs;
        self.broken.extend(other.broken.iter().cloned());
        self.mended.extend(other.mended.iter().cloned());
    }

    fn test(&self) -> ExactTest {
        let (worse, better) = (self.broken.len() as u32, self.mended.len() as u32);
        let larger = self.before.decided().max(self.now.decided());
        let (kind, p) = if self.pairs > 0 && self.pairs >= larger.div_ceil(2) {
            (ExactTestKind::McNemar, stats::mcnemar(worse, better))
        } else {
            let (before, now) = (&self.before, &self.now);
            let p = stats::fisher(now.passed, now.decided(), before.passed, before.decided());
            (ExactTestKind::Fisher, p)
        };
        ExactTest { kind, p, pairs: self.pairs, worse, better }
    }

    fn change(&self, scenario: &str) -> ScenarioChange {
        let test = self.test();
        let share = |counts: &Counts| f64::from(counts.passed) / f64::from(counts.decided().max(1));
        let difference = share(&self.now) - share(&self.before);
        let way = match test.kind {
            ExactTestKind::McNemar => test.better.cmp(&test.worse),
            // As fractions, which are equal to the letter.
            ExactTestKind::Fisher => {
                let cross = |one: &Counts, other: &Counts| u64::from(one.passed) * u64::from(other.decided());
                cross(&self.now, &self.before).cmp(&cross(&self.before, &self.now))
            }
        };
        let trend = match way {
            std::cmp::Ordering::Less => Trend::Worse,
            std::cmp::Ordering::Equal => Trend::Same,
            std::cmp::Ordering::Greater => Trend::Better,
        };
        ScenarioChange {
            scenario: scenario.to_owned(),
            trend,
            before: self.before,
            now: self.now,
            difference,
            test,
        }
    }
}

/// Whether the assistant passed; none where the conversation says nothing about it.
fn passed(outcome: &Outcome) -> Option<bool> {
    match outcome.verdict {
        Verdict::Passed => Some(true),
        Verdict::Failed => Some(false),
        Verdict::ClientError | Verdict::NotPlayed => None,
    }
}

fn by_scenario<'a>(outcomes: &[&'a Outcome]) -> BTreeMap<&'a str, Vec<&'a Outcome>> {
    let mut scenarios: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        scenarios.entry(&outcome.scenario).or_default().push(outcome);
    }
    scenarios
}

fn names<'a>(names: impl Iterator<Item = &'a &'a str>) -> Vec<String> {
    names.map(|name| (*name).to_owned()).collect()
}

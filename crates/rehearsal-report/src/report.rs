//! The numbers of a batch, put together.

use std::collections::{BTreeMap, BTreeSet};

use rehearsal::{Models, Outcome};
use serde::Serialize;

use crate::comparison::Comparison;
use crate::part::Part;

/// What came of a batch of conversations, in numbers.
///
/// What a simulated client or a provider did wrong counts neither for nor against the assistant: pass rates are of those conversations
/// that passed or failed, and the others are counted apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Of all.
    pub whole: Part,
    /// Of each scenario, by name.
    pub scenarios: Vec<Part>,
    /// Of each tag, by name. A conversation with two tags counts in both.
    pub tags: Vec<Part>,
    /// How often the most repeated scenario was repeated.
    pub repetitions: u32,
    /// The models that played, each pair once.
    pub models: Vec<Models>,
    /// Against an earlier batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

impl Report {
    /// The numbers of these outcomes.
    #[must_use]
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        Self::made(&outcomes.into_iter().collect::<Vec<_>>(), None)
    }

    /// The numbers of these outcomes, and how they compare with earlier ones.
    #[must_use]
    pub fn against<'a, 'b>(
        outcomes: impl IntoIterator<Item = &'a Outcome>,
        earlier: impl IntoIterator<Item = &'b Outcome>,
    ) -> Self {
        let outcomes: Vec<&Outcome> = outcomes.into_iter().collect();
        let earlier: Vec<&Outcome> = earlier.into_iter().collect();
        Self::made(&outcomes, Some(Comparison::of(&outcomes, &earlier)))
    }

    fn made(outcomes: &[&Outcome], comparison: Option<Comparison>) -> Self {
        let mut scenarios: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
        let mut tags: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
        let mut models: Vec<Models> = Vec::new();
        for outcome in outcomes {
            scenarios.entry(&outcome.scenario).or_default().push(outcome);
            for tag in outcome.tags.iter().collect::<BTreeSet<_>>() {
                tags.entry(tag).or_default().push(outcome);
            }
            if !models.contains(&outcome.models) {
                models.push(outcome.models.clone());
            }
        }
        let parts = |groups: &BTreeMap<&str, Vec<&Outcome>>| {
            groups.iter().map(|(name, outcomes)| Part::of(name, outcomes)).collect()
        };
        Self {
            whole: Part::of("", outcomes),
            repetitions: scenarios.values().map(|outcomes| outcomes.len() as u32).max().unwrap_or(0),
            scenarios: parts(&scenarios),
            tags: parts(&tags),
            models,
            comparison,
        }
    }

    /// The scenarios in which something failed, the lowest pass rate first.
    #[must_use]
    pub fn worst(&self) -> Vec<&Part> {
        let mut worst: Vec<&Part> = self.scenarios.iter().filter(|part| part.counts.failed > 0).collect();
        let share = |part: &Part| part.pass_rate.map_or(0.0, |rate| rate.value);
        order::sort_by(&mut worst, |one, other| {
            share(one).total_cmp(&share(other)).then_with(|| other.counts.failed.cmp(&one.counts.failed))
        });
        worst
    }
}

//! Answers that are kept for five minutes (S4-31).

use super::{Found, Mapping, Query, Results};

/// How long an answer is kept, in milliseconds.
pub const FIVE_MINUTES_MS: i64 = 5 * 60 * 1_000;

/// So many answers are kept at most: the oldest goes first.
const MOST: usize = 32;

/// An answer: to what, by which tool elsewhere (none: by the demo catalogue), when, and what.
#[derive(Clone, Debug)]
struct Answered {
    query: Query,
    by: Option<Mapping>,
    at_ms: i64,
    results: Results,
}

impl Answered {
    fn is_to(&self, query: &Query, by: Option<&Mapping>) -> bool {
        self.query == *query && self.by.as_ref() == by
    }
}

/// What was asked lately and answered. Memory of one program: it is gone with it, and asked anew.
#[derive(Clone, Debug, Default)]
pub struct Recent {
    kept: Vec<Answered>,
}

impl Recent {
    /// The answer to the same query by the same source of at most five minutes ago, with when it was given, in milliseconds since 1970. A clock that was put
    /// back keeps none.
    #[must_use]
    pub fn get(&self, query: &Query, by: Option<&Mapping>, now_ms: i64) -> Option<(&Results, i64)> {
        let known = self.kept.iter().find(|known| known.is_to(query, by))?;
        is_fresh(known.at_ms, now_ms).then_some((&known.results, known.at_ms))
    }

    /// What has an id, of the answers of the last five minutes: the latest where several have it.
    #[must_use]
    pub fn found(&self, id: &str, now_ms: i64) -> Option<&Found> {
        let mut fresh = self.kept.iter().rev().filter(|known| is_fresh(known.at_ms, now_ms));
        fresh.find_map(|known| known.results.found.iter().find(|found| found.id == id))
    }

    /// Keeps an answer in place of the one before.
    pub fn put(&mut self, query: Query, by: Option<Mapping>, now_ms: i64, results: Results) {
        self.kept.retain(|known| !known.is_to(&query, by.as_ref()) && is_fresh(known.at_ms, now_ms));
        if self.kept.len() >= MOST {
            self.kept.remove(0);
        }
        self.kept.push(Answered { query, by, at_ms: now_ms, results });
    }
}

fn is_fresh(at_ms: i64, now_ms: i64) -> bool {
    (0..FIVE_MINUTES_MS).contains(&now_ms.saturating_sub(at_ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::What;

    #[test]
    fn answers_are_kept_for_five_minutes_and_no_longer() {
        let mut recent = Recent::default();
        let (paris, rome) =
            (Query { place: "Paris".into(), ..Query::new(What::Hotels) }, Query::new(What::Web));
        let results = Results { above_budget: 7, ..Results::default() };
        recent.put(paris.clone(), None, 1_000, results.clone());
        assert_eq!(recent.get(&paris, None, 1_000 + FIVE_MINUTES_MS - 1), Some((&results, 1_000)));
        assert_eq!(recent.get(&paris, None, 1_000 + FIVE_MINUTES_MS), None);
        assert_eq!(recent.get(&paris, None, 999), None, "a clock that was put back");
        assert_eq!(recent.get(&rome, None, 1_000), None);
        let stays = Mapping { source: "Stays".into(), ..Mapping::default() };
        assert_eq!(recent.get(&paris, Some(&stays), 1_000), None, "another one was asked");
        for number in 0..100 {
            recent.put(Query { nights: Some(number), ..rome.clone() }, None, 2_000, Results::default());
        }
        assert_eq!((recent.kept.len(), recent.get(&paris, None, 2_000)), (MOST, None));
    }
}

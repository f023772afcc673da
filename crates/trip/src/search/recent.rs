//! Answers that are kept for five minutes (S4-31).

use super::{Query, Results};

/// How long an answer is kept, in milliseconds.
pub const FIVE_MINUTES_MS: i64 = 5 * 60 * 1_000;

/// So many answers are kept at most: the oldest goes first.
const MOST: usize = 32;

/// What was asked lately and answered. Memory of one program: it is gone with it, and asked anew.
#[derive(Clone, Debug, Default)]
pub struct Recent {
    kept: Vec<(Query, i64, Results)>,
}

impl Recent {
    /// The answer to the same query of at most five minutes ago, with when it was given, in milliseconds since 1970. A clock that was put
    /// back keeps none.
    #[must_use]
    pub fn get(&self, query: &Query, now_ms: i64) -> Option<(&Results, i64)> {
        let (_, at_ms, results) = self.kept.iter().find(|(known, ..)| known == query)?;
        is_fresh(*at_ms, now_ms).then_some((results, *at_ms))
    }

    /// Keeps an answer in place of the one before.
    pub fn put(&mut self, query: Query, now_ms: i64, results: Results) {
        self.kept.retain(|(known, at_ms, _)| *known != query && is_fresh(*at_ms, now_ms));
        if self.kept.len() >= MOST {
            self.kept.remove(0);
        }
        self.kept.push((query, now_ms, results));
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
        recent.put(paris.clone(), 1_000, results.clone());
        assert_eq!(recent.get(&paris, 1_000 + FIVE_MINUTES_MS - 1), Some((&results, 1_000)));
        assert_eq!(recent.get(&paris, 1_000 + FIVE_MINUTES_MS), None);
        assert_eq!(recent.get(&paris, 999), None, "a clock that was put back");
        assert_eq!(recent.get(&rome, 1_000), None);
        for number in 0..100 {
            recent.put(Query { nights: Some(number), ..rome.clone() }, 2_000, Results::default());
        }
        assert_eq!((recent.kept.len(), recent.get(&paris, 2_000)), (MOST, None));
    }
}

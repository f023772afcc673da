//! How far it is with what comes in, and what could not be taken.

use crate::room::Room;

/// The most files that are named which could not be taken.
const MOST_NAMED: usize = 100;

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// How many came since it began.
    pub total: usize,
    /// How many of them are done with.
    pub done: usize,
    /// How many are new.
    pub new: usize,
    /// How many were there already.
    pub known: usize,
    /// What could not be taken, and why.
    pub failed: Vec<(String, String)>,
    /// How many could not be taken.
    pub failures: usize,
    /// How many of them were told before this began.
    pub failures_before: usize,
    /// How many were no pictures, and lay in a folder beside pictures.
    pub aside: usize,
    /// It needs more room than there is.
    pub room: Option<Room>,
    /// It waits for the person.
    pub is_paused: bool,
    /// For how long it has worked, in seconds.
    pub seconds: f64,
}

impl Progress {
    /// How many are still to be done.
    pub fn left(&self) -> usize {
        self.total.saturating_sub(self.done)
    }

    /// Begins anew. What could not be taken before stays until the person has seen it.
    pub fn reset(&mut self) {
        let failed = std::mem::take(&mut self.failed);
        let failures = self.failures;
        *self = Self { failed, failures, failures_before: failures, ..Self::default() };
    }

    /// Something could not be taken.
    pub fn lacks(&mut self, name: &str, why: &str) {
        self.failures += 1;
        if self.failed.len() < MOST_NAMED {
            self.failed.push((name.to_owned(), why.to_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn what_could_not_be_taken_outlives_an_import_and_is_named_up_to_a_hundred() {
        let mut progress = Progress { total: 200, done: 200, is_paused: true, ..Progress::default() };
        (0..150).for_each(|at| progress.lacks(&format!("{at}.jpg"), "why"));
        assert_eq!((progress.failures, progress.failed.len()), (150, 100));
        progress.reset();
        assert_eq!((progress.failures, progress.failures_before, progress.failed.len()), (150, 150, 100));
        assert_eq!((progress.left(), progress.is_paused), (0, false));
    }
}

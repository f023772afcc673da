//! What a person said, made free of contradictions: sets of faces that are one person's, and pairs of such sets that
//! are not.

use std::collections::BTreeSet;

use super::Said;

/// Disjoint sets of the numbers below a length: union-find.
pub(super) struct Sets(Vec<usize>);

impl Sets {
    pub(super) fn new(length: usize) -> Self {
        Self((0..length).collect())
    }

    /// The number that stands for the set, always the smallest in it.
    pub(super) fn of(&mut self, at: usize) -> usize {
        let mut root = at;
        while self.0[root] != root {
            // Halves the way for whoever asks next.
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    pub(super) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}

/// The constraints that hold.
pub(super) struct Constraints {
    /// For each face the smallest face that a person said is the same one's; itself when nothing was said.
    pub(super) same: Vec<usize>,
    /// Pairs of such smallest faces, the smaller first, that are different people's.
    different: BTreeSet<(usize, usize)>,
}

impl Constraints {
    /// Whether two faces are said to be two people's.
    pub(super) fn is_different(&self, one: usize, other: usize) -> bool {
        if self.different.is_empty() {
            // As a rule. Asked for each pair of thousands of faces.
            return false;
        }
        let (one, other) = (self.same[one], self.same[other]);
        self.different.contains(&(one.min(other), one.max(other)))
    }

    /// Of `faces` many, from what was said in this order; `place` gives the index of a face here, or nothing.
    pub(super) fn new(faces: usize, said: &[Said], place: impl Fn(usize) -> Option<usize>) -> Self {
        let mut sets = Sets::new(faces);
        let mut different: Vec<(usize, usize)> = Vec::new();
        // The latest first: what is said earlier holds only where it goes together with all that was said after it.
        for said in said.iter().rev() {
            let (Said::Same(one, other) | Said::Different(one, other)) = *said;
            let (Some(one), Some(other)) = (place(one), place(other)) else { continue };
            let (one, other) = (sets.of(one), sets.of(other));
            match said {
                Said::Different(..) if one != other => different.push((one, other)),
                Said::Same(..) => {
                    let apart = different.iter().any(|(a, b)| {
                        let (a, b) = (sets.of(*a), sets.of(*b));
                        (a, b) == (one, other) || (b, a) == (one, other)
                    });
                    if !apart {
                        sets.join(one, other);
                    }
                }
                Said::Different(..) => {}
            }
        }
        let same: Vec<usize> = (0..faces).map(|face| sets.of(face)).collect();
        let different = different
            .into_iter()
            .map(|(one, other)| (same[one].min(same[other]), same[one].max(same[other])))
            .collect();
        Self { same, different }
    }
}

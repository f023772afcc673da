//! Average-linkage clustering of faces in a fixed order, with pairs that may not be joined.
//!
//! A pair that may not be joined is infinitely far apart, and a mean with an infinite part is infinite: so whatever
//! two clusters contain keeps them apart. Distances between clusters then never shrink by joining (average linkage is
//! *reducible*), which allows two savings: sets of faces that are not connected by any distance up to the threshold
//! are clustered one by one, each with a matrix of its own; and within a set nearest-neighbour chains (Murtagh 1983)
//! find the same clusters as always joining the closest pair, in square time instead of cubic.

use super::said::{Constraints, Sets};
use super::{MIN_WIDTH, Sighting};
use crate::nets::Embedding;

/// For each face the first of its cluster, from how the faces look and from who is said to be somebody else. What is
/// said to be one person has no effect yet: a set of faces that look different would draw means apart that belong
/// together.
pub(super) fn clusters(faces: &[Sighting<'_>], known: &Constraints, threshold: f32) -> Vec<usize> {
    let is_compared: Vec<bool> = faces
        .iter()
        .map(|face| face.width >= MIN_WIDTH && face.embedding.iter().all(|number| number.is_finite()))
        .collect();
    let between = |one: usize, other: usize| {
        let may_be_one = is_compared[one]
            && is_compared[other]
            && faces[one].photo != faces[other].photo
            && !known.is_different(one, other);
        if may_be_one { distance(faces[one].embedding, faces[other].embedding) } else { f32::INFINITY }
    };

    // Faces that some chain of small distances connects. Only these can ever be joined.
    let mut near = Sets::new(faces.len());
    for one in 0..faces.len() {
        for other in 0..one {
            if near.of(one) != near.of(other) && between(one, other) <= threshold {
                near.join(one, other);
            }
        }
    }
    let mut connected: Vec<Vec<usize>> = vec![Vec::new(); faces.len()];
    for face in 0..faces.len() {
        connected[near.of(face)].push(face);
    }

    let mut cluster = vec![0; faces.len()];
    for members in connected {
        let mut matrix = Matrix::new(members.len(), |one, other| between(members[one], members[other]));
        for (at, first) in joined(&mut matrix, members.len(), threshold).into_iter().enumerate() {
            cluster[members[at]] = members[first];
        }
    }
    cluster
}

/// The Euclidean distance.
pub(super) fn distance(one: &Embedding, other: &Embedding) -> f32 {
    // Eight sums side by side: a compiler may not change the order of additions, and one sum after the other takes
    // five times as long.
    let mut sums = [0.0f32; 8];
    for (one, other) in one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0) {
        for at in 0..8 {
            sums[at] += (one[at] - other[at]) * (one[at] - other[at]);
        }
    }
    sums.iter().sum::<f32>().sqrt()
}

/// Distances between so many clusters: the half of a square below its diagonal.
struct Matrix(Vec<f32>);

impl Matrix {
    fn new(length: usize, distance: impl Fn(usize, usize) -> f32) -> Self {
        let mut numbers = Vec::with_capacity(length * length.saturating_sub(1) / 2);
        for one in 1..length {
            numbers.extend((0..one).map(|other| distance(one, other)));
        }
        Self(numbers)
    }

    fn place(one: usize, other: usize) -> usize {
        let (low, high) = (one.min(other), one.max(other));
        high * (high - 1) / 2 + low
    }

    fn get(&self, one: usize, other: usize) -> f32 {
        self.0[Self::place(one, other)]
    }

    fn set(&mut self, one: usize, other: usize, distance: f32) {
        self.0[Self::place(one, other)] = distance;
    }
}

/// Joins what is not farther apart than the threshold; for each of so many members the first of its cluster.
fn joined(distances: &mut Matrix, length: usize, threshold: f32) -> Vec<usize> {
    // How many faces each cluster has.
    let mut weights = vec![1.0f32; length];
    let mut into: Vec<usize> = (0..length).collect();
    // Those that may still be joined, in order.
    let mut open: Vec<usize> = (0..length).collect();
    let mut chain: Vec<usize> = Vec::new();
    while open.len() > 1 {
        let end = match chain.last() {
            Some(end) => *end,
            None => {
                chain.push(open[0]);
                open[0]
            }
        };
        // Where several are equally near the one before in the chain is taken, or else the chain would not end.
        let before = chain.len().checked_sub(2).map(|at| chain[at]);
        let mut nearest = before.map(|at| (distances.get(end, at), at));
        for other in open.iter().filter(|other| **other != end) {
            let distance = distances.get(end, *other);
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, *other));
            }
        }
        let Some((least, other)) = nearest else { break };
        if least <= threshold && before == Some(other) {
            chain.truncate(chain.len() - 2);
            let (kept, gone) = (end.min(other), end.max(other));
            open.retain(|at| *at != gone);
            for third in open.iter().filter(|third| **third != kept) {
                let (a, b) = (distances.get(kept, *third), distances.get(gone, *third));
                let mean = (weights[kept] * a + weights[gone] * b) / (weights[kept] + weights[gone]);
                distances.set(kept, *third, mean);
            }
            weights[kept] += weights[gone];
            into[gone] = kept;
        } else if least <= threshold {
            chain.push(other);
        } else {
            // No join brings anything nearer to it: it is done. So is the chain, which is this one alone: it would
            // have led here by a smaller distance.
            open.retain(|at| *at != end);
            chain.clear();
        }
    }
    // Each was joined into one that comes before it, so one step at a time from the front finds the first.
    for at in 0..length {
        into[at] = into[into[at]];
    }
    into
}

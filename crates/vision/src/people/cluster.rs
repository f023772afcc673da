//! Average-linkage clustering of faces in a fixed order, with pairs that may not be joined.
//!
//! A pair that may not be joined is infinitely far apart, and a mean with an infinite part is infinite: so whatever two clusters
//! contain keeps them apart. Distances between clusters then never shrink by joining (average linkage is *reducible*), which allows two
//! savings: sets of faces that are not connected by any distance up to the threshold are clustered one by one, each with a matrix of its
//! own; and within a set nearest-neighbour chains (Murtagh 1983) find the same clusters as always joining the closest pair, in square
//! time instead of cubic.

use super::said::{Constraints, Sets};
use super::{MIN_WIDTH, Sighting};
use crate::nets::Embedding;

/// What is clustered: the faces that a person said are one, or one face.
struct Unit {
    /// All of them, by their index.
    faces: Vec<usize>,
    /// Those that are compared: wide enough, and with an embedding of numbers.
    compared: Vec<usize>,
}

/// For each face a number below their count that those of one cluster have in common.
pub(super) fn clusters(faces: &[Sighting<'_>], known: &Constraints, threshold: f32) -> Vec<usize> {
    let mut units: Vec<Unit> = Vec::new();
    let mut unit_of = vec![0; faces.len()];
    for (at, face) in faces.iter().enumerate() {
        // The smallest of a set comes first, so its unit is there.
        let first = known.same[at];
        if first == at {
            unit_of[at] = units.len();
            units.push(Unit { faces: Vec::new(), compared: Vec::new() });
        }
        let unit = unit_of[first];
        unit_of[at] = unit;
        units[unit].faces.push(at);
        if face.width >= MIN_WIDTH && face.embedding.iter().all(|number| number.is_finite()) {
            units[unit].compared.push(at);
        }
    }
    let between = |one: usize, other: usize| distance_of(faces, known, &units[one], &units[other]);

    // Units that some chain of small distances connects. Only these can ever be joined.
    let mut near = Sets::new(units.len());
    for one in 0..units.len() {
        for other in 0..one {
            if near.of(one) != near.of(other) && between(one, other) <= threshold {
                near.join(one, other);
            }
        }
    }
    let mut connected: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    for unit in 0..units.len() {
        connected[near.of(unit)].push(unit);
    }

    let mut cluster = vec![0; faces.len()];
    for members in connected {
        let mut matrix = Matrix::new(members.len(), |one, other| between(members[one], members[other]));
        let weights = members.iter().map(|unit| units[*unit].compared.len().max(1) as f32).collect();
        for (at, root) in joined(&mut matrix, weights, threshold).into_iter().enumerate() {
            let name = units[members[root]].faces[0];
            for face in &units[members[at]].faces {
                cluster[*face] = name;
            }
        }
    }
    cluster
}

/// The mean distance between the faces of two units; infinite where they may not be joined or cannot be compared.
fn distance_of(faces: &[Sighting<'_>], known: &Constraints, one: &Unit, other: &Unit) -> f32 {
    let (first, second) = (one.faces[0].min(other.faces[0]), one.faces[0].max(other.faces[0]));
    let photo = |face: &usize| faces[*face].photo;
    let shared = || one.faces.iter().any(|a| other.faces.iter().any(|b| photo(a) == photo(b)));
    let pairs = one.compared.len() * other.compared.len();
    if pairs == 0 || shared() || known.different.contains(&(first, second)) {
        return f32::INFINITY;
    }
    let sum: f32 = one
        .compared
        .iter()
        .flat_map(|a| other.compared.iter().map(|b| distance(faces[*a].embedding, faces[*b].embedding)))
        .sum();
    sum / pairs as f32
}

/// The Euclidean distance.
pub(super) fn distance(one: &Embedding, other: &Embedding) -> f32 {
    // Eight sums side by side: a compiler may not change the order of additions, and one sum after the other takes five times as long.
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

/// Joins what is not farther apart than the threshold; for each member the one that its cluster is called by. `weights` are how many faces each
/// has.
fn joined(distances: &mut Matrix, mut weights: Vec<f32>, threshold: f32) -> Vec<usize> {
    let length = weights.len();
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
        if !(least <= threshold) {
            // Nothing comes nearer to it by other joins: it is done. So is the chain, which led to it by smaller and smaller distances.
            open.retain(|at| *at != end);
            chain.clear();
        } else if before == Some(other) {
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
        } else {
            chain.push(other);
        }
    }
    // A cluster is joined into one that came earlier, so one step from the front finds the first.
    for at in 0..length {
        into[at] = into[into[at]];
    }
    into
}

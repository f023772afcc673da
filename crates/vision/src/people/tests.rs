//! Groups of faces whose truth is known, and what a person says of them.

use super::said::Sets;
use super::*;

/// Numbers that look like chance and are the same every time (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }

    /// From −1 to 1.
    fn part(&mut self) -> f32 {
        self.next() as f32 / (1u64 << 30) as f32 - 1.0
    }
}

/// A face of a made-up person: two people are about 0.9 apart, two faces of one about `spread` × 9.
fn face(person: u64, spread: f32, numbers: &mut Numbers) -> Embedding {
    let mut of_person = Numbers(person.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    std::array::from_fn(|_| {
        of_person.next();
        0.098 * of_person.part() + spread * numbers.part()
    })
}

fn sightings<'a>(photos: &[u64], embeddings: &'a [Embedding]) -> Vec<Sighting<'a>> {
    photos
        .iter()
        .zip(embeddings)
        .map(|(photo, embedding)| Sighting { photo: *photo, width: 100.0, embedding })
        .collect()
}

/// A line of faces: where each is decides all distances.
fn on_a_line(places: &[f32]) -> Vec<Embedding> {
    places
        .iter()
        .map(|place| {
            let mut embedding = [0.0; 128];
            embedding[0] = *place;
            embedding
        })
        .collect()
}

#[test]
fn alike_are_one_and_singles_nobody() {
    let faces = on_a_line(&[0.0, 5.0, 0.3, 9.0, 5.2, 0.1]);
    let groups = group(&sightings(&[1, 2, 3, 4, 5, 6], &faces), &[]);
    assert_eq!(groups, [Some(0), Some(1), Some(0), None, Some(1), Some(0)]);
    assert_eq!(group(&[], &[]), []);
}

#[test]
fn two_faces_of_one_photo_are_two_people() {
    let faces = on_a_line(&[0.0, 0.01, 0.2, 0.21]);
    let groups = group(&sightings(&[1, 1, 2, 2], &faces), &[]);
    // 0.01 with 0.2 is the closest pair that may be joined, and then the others are left.
    assert_eq!(groups, [Some(0), Some(1), Some(1), Some(0)]);
}

#[test]
fn what_a_person_said_holds() {
    let faces = on_a_line(&[0.0, 0.1, 9.0, 0.2]);
    let photos = [1, 2, 1, 3];
    let seen = sightings(&photos, &faces);
    // Far apart, and on one photo.
    assert_eq!(group(&seen, &[Said::Same(0, 2)]), [Some(0); 4]);
    assert_eq!(group(&seen, &[Said::Different(1, 0)]), [None, Some(0), None, Some(0)]);
    // Nothing is joined to either side by way of a third.
    let apart = [Said::Different(0, 1), Said::Different(0, 3), Said::Different(1, 3)];
    assert_eq!(group(&seen, &apart), [None; 4]);
    // Too narrow to be compared, but said.
    let mut seen = seen;
    seen[1].width = 39.0;
    assert_eq!(group(&seen, &[]), [Some(0), None, None, Some(0)]);
    assert_eq!(group(&seen, &[Said::Same(1, 2)]), [Some(0), Some(1), Some(1), Some(0)]);
}

#[test]
fn one_word_joins_two_groups() {
    let faces = on_a_line(&[0.0, 0.1, 0.2, 3.0, 3.1, 3.2]);
    let one = Said::Same(0, 3);
    assert_eq!(group(&sightings(&[1, 2, 3, 4, 5, 6], &faces), &[one]), [Some(0); 6]);
    // The last is on a photo with one of the first group: it stays behind, and is like no other.
    let seen = sightings(&[1, 2, 3, 4, 5, 2], &faces);
    assert_eq!(group(&seen, &[one]), [Some(0), Some(0), Some(0), Some(0), Some(0), None]);
    // What was said to be somebody else's stays behind with those that were said to be like it.
    let other = [one, Said::Same(4, 5), Said::Different(0, 4)];
    let seen = sightings(&[1, 2, 3, 4, 5, 6], &faces);
    assert_eq!(group(&seen, &other), [Some(0), Some(0), Some(0), Some(0), Some(1), Some(1)]);
}

#[test]
fn what_is_said_holds_whatever_the_rest() {
    let mut numbers = Numbers(11);
    for _ in 0..200 {
        let count = 3 + numbers.below(20);
        let embeddings: Vec<Embedding> =
            (0..count).map(|_| face(numbers.below(4) as u64, 0.06, &mut numbers)).collect();
        let photos: Vec<u64> = (0..count).map(|_| numbers.below(count) as u64).collect();
        let seen = sightings(&photos, &embeddings);
        let said: Vec<Said> = (0..numbers.below(10))
            .map(|_| {
                let (one, other) = (numbers.below(count), numbers.below(count));
                if numbers.below(2) == 0 { Said::Same(one, other) } else { Said::Different(one, other) }
            })
            .collect();
        let groups = group_at(&seen, &said, 0.8);
        let known = said::Constraints::new(count, &said, Some);
        for one in 0..count {
            for other in 0..one {
                let is_same = known.same[one] == known.same[other];
                let together = groups[one].is_some() && groups[one] == groups[other];
                assert!(!is_same || together, "{said:?}: {one} and {other} are one");
                assert!(!together || !known.is_different(one, other), "{said:?}: {one} and {other} are two");
                // Two of one photo only by what was said of one of them.
                let by_word = [one, other]
                    .iter()
                    .all(|face| known.same.iter().filter(|same| **same == known.same[*face]).count() > 1);
                assert!(!together || photos[one] != photos[other] || by_word);
            }
        }
        let last = said.last().copied();
        match last {
            Some(Said::Same(one, other)) if one != other => assert_eq!(groups[one], groups[other]),
            Some(Said::Different(one, other)) if one != other => {
                assert!(groups[one].is_none() || groups[one] != groups[other]);
            }
            _ => {}
        }
    }
}

#[test]
fn of_contradictions_the_later_holds() {
    let faces = on_a_line(&[0.0, 3.0, 6.0]);
    let seen = sightings(&[1, 2, 3], &faces);
    let (same, different) = (Said::Same(0, 1), Said::Different(1, 0));
    assert_eq!(group(&seen, &[same, different]), [None; 3]);
    assert_eq!(group(&seen, &[different, same]), [Some(0), Some(0), None]);
    // By way of a third.
    let (ab, bc, ac) = (Said::Same(0, 1), Said::Same(1, 2), Said::Different(0, 2));
    assert_eq!(group(&seen, &[ab, bc, ac]), [None, Some(0), Some(0)]);
    assert_eq!(group(&seen, &[ac, ab, bc]), [Some(0), Some(0), Some(0)]);
    // What is about nothing.
    let nothing = [Said::Same(0, 0), Said::Different(1, 1), Said::Same(0, 99), Said::Different(7, 8)];
    assert_eq!(group(&seen, &nothing), [None; 3]);
}

#[test]
fn what_is_no_number_is_nobody() {
    let mut faces = on_a_line(&[0.0, 0.1, 0.2]);
    faces[1][5] = f32::NAN;
    faces[2][5] = f32::INFINITY;
    assert_eq!(group(&sightings(&[1, 2, 3], &faces), &[]), [None; 3]);
    let faces = on_a_line(&[0.0, 0.0]);
    let mut seen = sightings(&[1, 2], &faces);
    assert_eq!(group_at(&seen, &[], f32::NAN), [None; 2]);
    assert_eq!(group_at(&seen, &[], 0.0), [Some(0); 2]);
    seen[0].width = f32::NAN;
    assert_eq!(group(&seen, &[]), [None; 2]);
}

/// Average linkage as a textbook has it: always the closest pair, every mean from all pairs of faces.
fn by_the_book(seen: &[Sighting<'_>], threshold: f32) -> Vec<Option<usize>> {
    let mut clusters: Vec<Vec<usize>> = (0..seen.len()).map(|at| vec![at]).collect();
    loop {
        let mut closest: Option<(f64, usize, usize)> = None;
        for one in 0..clusters.len() {
            for other in 0..one {
                let pairs =
                    || clusters[one].iter().flat_map(|a| clusters[other].iter().map(move |b| (*a, *b)));
                if pairs().any(|(a, b)| seen[a].photo == seen[b].photo) {
                    continue;
                }
                let sum: f64 = pairs()
                    .map(|(a, b)| f64::from(cluster::distance(seen[a].embedding, seen[b].embedding)))
                    .sum();
                let mean = sum / pairs().count() as f64;
                if mean <= f64::from(threshold) && closest.is_none_or(|(least, ..)| mean < least) {
                    closest = Some((mean, one, other));
                }
            }
        }
        let Some((_, one, other)) = closest else { break };
        let gone = clusters.remove(one);
        clusters[other].extend(gone);
    }
    let mut names = vec![0; seen.len()];
    for cluster in &clusters {
        for face in cluster {
            names[*face] = cluster[0];
        }
    }
    numbered(&names)
}

#[test]
fn the_groups_are_those_of_the_textbook_in_any_order() {
    let mut numbers = Numbers(7);
    for round in 0..60 {
        let count = 4 + numbers.below(36);
        // A spread that mixes people up, so that there is something to decide.
        let spread = 0.05 + 0.02 * (round % 5) as f32;
        let embeddings: Vec<Embedding> =
            (0..count).map(|_| face(numbers.below(5) as u64, spread, &mut numbers)).collect();
        let photos: Vec<u64> = (0..count).map(|_| numbers.below(count / 2) as u64).collect();
        let seen = sightings(&photos, &embeddings);
        let expected = by_the_book(&seen, 0.8);
        assert_eq!(group_at(&seen, &[], 0.8), expected, "round {round}");
        let mut order: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            order.swap(at, numbers.below(at + 1));
        }
        let shuffled: Vec<Sighting<'_>> = order.iter().map(|at| seen[*at]).collect();
        let groups = group_at(&shuffled, &[], 0.8);
        for (one, a) in order.iter().enumerate() {
            for (other, b) in order.iter().enumerate().take(one) {
                let together = groups[one].is_some() && groups[one] == groups[other];
                assert_eq!(together, expected[*a].is_some() && expected[*a] == expected[*b]);
            }
        }
    }
}

#[test]
fn five_thousand_faces_are_grouped_in_seconds() {
    let mut numbers = Numbers(3);
    let people: Vec<u64> = (0..5000).map(|_| numbers.below(60) as u64).collect();
    let embeddings: Vec<Embedding> = people.iter().map(|person| face(*person, 0.045, &mut numbers)).collect();
    let photos: Vec<u64> = (0..5000).map(|at| at / 3).collect();
    let begin = std::time::Instant::now();
    let groups = group(&sightings(&photos, &embeddings), &[]);
    eprintln!("5,000 faces of 60 people: {:?}", begin.elapsed());
    // Cubic time would be many minutes; a busy machine is not.
    assert!(begin.elapsed().as_secs() < 60);
    let mut group_of = std::collections::BTreeMap::new();
    for (group, person) in groups.iter().zip(&people) {
        assert!(group.is_some());
        // Two of one person on one photo are two people's here, so a person may come to several groups; a group has
        // one person.
        assert_eq!(group_of.entry(group).or_insert(person), &person);
    }
}

#[test]
fn sets_are_called_by_their_smallest() {
    let mut sets = Sets::new(5);
    sets.join(4, 3);
    sets.join(3, 1);
    assert_eq!([0, 1, 2, 3, 4].map(|at| sets.of(at)), [0, 1, 2, 1, 1]);
}

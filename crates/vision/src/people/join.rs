//! From clusters of faces that look alike to people: what was said to be one person's is joined, and takes its
//! clusters along.

use std::collections::BTreeMap;

use super::Sighting;
use super::said::Constraints;

/// A person in the making.
struct Group {
    faces: Vec<usize>,
}

/// For each face the first of its person's, from the first of its cluster.
///
/// Faces that are said to be one come together, and with them all that look like any of them: of two clusters that
/// were said to be one person's by a single pair nothing stays behind. But for what was said to be somebody else's,
/// and for what is on a photo that the person is on already: such a face stays with the rest of its cluster.
pub(super) fn people(faces: &[Sighting<'_>], known: &Constraints, clusters: &[usize]) -> Vec<usize> {
    let mut by_cluster: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut by_person: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (face, cluster) in clusters.iter().enumerate() {
        by_cluster.entry(*cluster).or_default().push(face);
        by_person.entry(known.same[face]).or_default().push(face);
    }
    by_person.retain(|_, said| said.len() > 1);
    let is_said = |face: usize| by_person.contains_key(&known.same[face]);
    let mut group_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for (first, said) in &by_person {
        group_of.insert(*first, groups.len());
        groups.push(Group { faces: said.clone() });
    }
    let clash = |some: &[usize], others: &[usize]| {
        some.iter().any(|one| {
            others
                .iter()
                .any(|other| faces[*one].photo == faces[*other].photo || known.is_different(*one, *other))
        })
    };

    // Two that were said of by themselves and have faces in one cluster are one, unless something speaks against it.
    for members in by_cluster.values() {
        let mut here: Vec<usize> = Vec::new();
        for face in members.iter().filter(|face| is_said(**face)) {
            let Some(group) = group_of.get(&known.same[*face]).copied() else { continue };
            if here.contains(&group) {
                continue;
            }
            match here.iter().copied().find(|other| !clash(&groups[*other].faces, &groups[group].faces)) {
                Some(other) => {
                    let moved = std::mem::take(&mut groups[group].faces);
                    groups[other].faces.extend(moved);
                    group_of.values_mut().filter(|at| **at == group).for_each(|at| *at = other);
                }
                None => here.push(group),
            }
        }
    }
    // Then the others of each cluster, to the person who has most faces in it.
    for members in by_cluster.values() {
        let mut here: BTreeMap<usize, usize> = BTreeMap::new();
        for face in members.iter().filter(|face| is_said(**face)) {
            if let Some(group) = group_of.get(&known.same[*face]) {
                *here.entry(*group).or_default() += 1;
            }
        }
        let mut here: Vec<(usize, usize)> = here.into_iter().collect();
        order::sort_by_key(&mut here, |(group, count)| (std::cmp::Reverse(*count), *group));
        let mut left = Vec::new();
        for face in members.iter().copied().filter(|face| !is_said(*face)) {
            match here.iter().find(|(group, _)| !clash(&[face], &groups[*group].faces)) {
                Some((group, _)) => groups[*group].faces.push(face),
                None => left.push(face),
            }
        }
        groups.push(Group { faces: left });
    }

    let mut person = vec![0; faces.len()];
    for group in &groups {
        let first = group.faces.iter().copied().min().unwrap_or_default();
        for face in &group.faces {
            person[*face] = first;
        }
    }
    person
}

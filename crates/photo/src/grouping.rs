//! From groups of faces that were computed to the people that are kept: who was there stays who they are, with their name, and what
//! was said holds against what was computed, also where it was said while the computing went on.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use store::Stage;

use crate::model::Photo;
use crate::person::{FaceOf, Faces, Person};

/// The fewest faces that make a person whom nobody spoke of.
const LEAST: usize = 2;

/// What of a group is whose: how many faces of it were said to be theirs, how many were theirs at all.
#[derive(Clone, Copy, Default)]
struct Claim {
    said: usize,
    all: usize,
}

/// Keeps groups in place of those before; says how many people there are now.
///
/// A person goes on in the group in which most of the faces are that were said to be theirs, then most that were theirs. A group of
/// nobody is a new person. Who is in no group and of whom nothing was said is gone; of the others the faces stay that were said.
pub(crate) fn keep(stage: &mut Stage, groups: Vec<Vec<FaceOf>>) -> usize {
    let people = stage.all::<Person>();
    let groups = that_are_there(stage, groups);
    let said: HashMap<&FaceOf, usize> = order::gather(
        people.iter().enumerate().flat_map(|(at, person)| person.same.iter().map(move |face| (face, at))),
    );
    let before: HashMap<&FaceOf, usize> = order::gather(
        people.iter().enumerate().flat_map(|(at, person)| person.faces.iter().map(move |face| (face, at))),
    );
    let goes_on = matched(&people, &groups, &said, &before);
    let mut is_taken = vec![false; groups.len()];
    let mut count = 0;
    for (at, person) in people.iter().enumerate() {
        let group = goes_on.get(&at).copied();
        let found = group.and_then(|group| groups.get(group)).into_iter().flatten();
        let mut faces: Vec<FaceOf> = found
            .filter(|face| said.get(face).is_none_or(|of| *of == at) && !person.not.contains(face))
            .cloned()
            .collect();
        if let Some(group) = group {
            is_taken[group] = true;
        }
        faces.extend(person.same.iter().filter(|face| is_kept(stage, face)).cloned());
        // What lies in the bin was not grouped, and may come back.
        let in_bin = |face: &&FaceOf| is_kept(stage, face) && !is_here(stage, &face.photo);
        faces.extend(person.faces.iter().filter(in_bin).cloned());
        order::sort(&mut faces);
        faces.dedup();
        if faces.is_empty() && !person.is_said() {
            stage.delete::<Person>(&person.id);
            continue;
        }
        count += 1;
        let cover = person.cover.clone().filter(|face| faces.contains(face));
        let after = Person { faces, cover, ..Person::clone(person) };
        if after != **person {
            stage.put(after);
        }
    }
    let mut new: Vec<Vec<FaceOf>> = groups
        .into_iter()
        .zip(is_taken)
        .filter(|(_, is_taken)| !is_taken)
        .map(|(group, _)| group.into_iter().filter(|face| !said.contains_key(face)).collect())
        .collect();
    // The larger one has the smaller number.
    order::sort_by_key(&mut new, |group| (Reverse(group.len()), group.first().cloned()));
    for faces in new.into_iter().filter(|group| group.len() >= LEAST) {
        count += 1;
        add(stage, faces);
    }
    count
}

/// A new person of these faces.
pub(crate) fn add(stage: &mut Stage, mut faces: Vec<FaceOf>) -> Person {
    order::sort(&mut faces);
    let last = stage.all::<Person>().iter().map(|person| person.number).max();
    let number = last.unwrap_or_default().saturating_add(1);
    let person = Person { id: stage.new_id("person"), number, faces, ..Person::default() };
    stage.put(person.clone());
    person
}

/// The groups with the faces that there are, in order, and each face once.
fn that_are_there(stage: &Stage, groups: Vec<Vec<FaceOf>>) -> Vec<Vec<FaceOf>> {
    let mut seen = HashSet::new();
    let mut there = Vec::with_capacity(groups.len());
    for group in groups {
        let mut group: Vec<FaceOf> = group
            .into_iter()
            .filter(|face| is_kept(stage, face) && is_here(stage, &face.photo) && seen.insert(face.clone()))
            .collect();
        order::sort(&mut group);
        there.push(group);
    }
    there
}

/// Whether a face is kept: what was erased or deleted meanwhile does not come back.
pub(crate) fn is_kept(stage: &Stage, face: &FaceOf) -> bool {
    stage.get::<Faces>(&face.photo).is_some_and(|kept| (face.face as usize) < kept.faces.len())
}

fn is_here(stage: &Stage, photo: &str) -> bool {
    stage.get::<Photo>(photo).is_some_and(|photo| photo.is_here())
}

/// For people the group in which they go on, by their places in the lists: the strongest claim first, one group each.
fn matched(
    people: &[Rc<Person>],
    groups: &[Vec<FaceOf>],
    said: &HashMap<&FaceOf, usize>,
    before: &HashMap<&FaceOf, usize>,
) -> HashMap<usize, usize> {
    let mut claims: Vec<(usize, usize, Claim)> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let mut of_group: HashMap<usize, Claim> = HashMap::new();
        for face in group {
            if let Some(person) = said.get(face) {
                of_group.entry(*person).or_default().said += 1;
            }
            if let Some(person) = before.get(face) {
                of_group.entry(*person).or_default().all += 1;
            }
        }
        claims.extend(of_group.into_iter().map(|(person, claim)| (person, at, claim)));
    }
    order::sort_by_key(&mut claims, |(person, group, claim)| {
        let number = people.get(*person).map(|person| (person.name.is_empty(), person.number));
        (Reverse((claim.said, claim.all)), number, *person, *group)
    });
    let (mut goes_on, mut is_taken) = (HashMap::new(), HashSet::new());
    for (person, group, _) in claims {
        if !goes_on.contains_key(&person) && is_taken.insert(group) {
            goes_on.insert(person, group);
        }
    }
    goes_on
}

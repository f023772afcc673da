//! Grouping as rows keep faces: from what `photo_people_looks` gives to what `photo_people_groups` takes (`crates/photo`), in
//! the worker of the page and in a terminal alike.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{MIN_WIDTH, Said, Sighting, group, unpack};

/// Which face: one of a photo.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FaceOf {
    /// The photo's id.
    pub photo: String,
    /// Its place among the photo's faces, from 0.
    pub face: u32,
}

/// What people are grouped by.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Looks {
    /// The photos with faces.
    pub photos: Vec<Sighted>,
    /// What the person said of whose faces are whose.
    pub said: Vec<SaidOf>,
}

/// The faces of a photo.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Sighted {
    /// The photo's id.
    pub id: String,
    /// The [`super::pack`]ed embedding of each face, in order; empty for one that is too narrow to be compared.
    pub vectors: Vec<String>,
}

/// What was said of one person. Whom something was said of by itself is somebody else than all others of whom something was,
/// unless nothing but a face that is not theirs was said.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct SaidOf {
    /// Faces that are this person's.
    #[serde(default)]
    pub same: Vec<FaceOf>,
    /// Faces that are not.
    #[serde(default)]
    pub not: Vec<FaceOf>,
}

/// Who is who.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Groups {
    /// The faces of each person, two at least, in the order of the photos; a face that is like no other is in none.
    pub groups: Vec<Vec<FaceOf>>,
}

/// Groups all faces anew, by [`group`] and what was said. The same looks give the same groups.
#[must_use]
pub fn regroup(looks: &Looks) -> Groups {
    let mut named: Vec<(&str, u32)> = Vec::new();
    let mut places: HashMap<(&str, u32), usize> = HashMap::new();
    let mut embeddings = Vec::new();
    for (photo, sighted) in (0..).zip(&looks.photos) {
        for (face, vector) in (0..).zip(&sighted.vectors) {
            let embedding = unpack(vector);
            places.insert((&sighted.id, face), named.len());
            named.push((&sighted.id, face));
            embeddings.push((photo, embedding));
        }
    }
    let none = [0.0; 128];
    let faces: Vec<Sighting<'_>> = embeddings
        .iter()
        .map(|(photo, embedding)| Sighting {
            photo: *photo,
            width: if embedding.is_some() { MIN_WIDTH } else { 0.0 },
            embedding: embedding.as_ref().unwrap_or(&none),
        })
        .collect();
    let found = group(&faces, &constraints(looks, &places));
    let count = found.iter().flatten().max().map_or(0, |last| last + 1);
    let mut groups = vec![Vec::new(); count];
    for (face, person) in named.iter().zip(found) {
        if let Some(group) = person.and_then(|person| groups.get_mut(person)) {
            group.push(FaceOf { photo: face.0.to_owned(), face: face.1 });
        }
    }
    Groups { groups }
}

/// What was said, of pairs of faces.
fn constraints(looks: &Looks, places: &HashMap<(&str, u32), usize>) -> Vec<Said> {
    let place = |face: &FaceOf| places.get(&(face.photo.as_str(), face.face)).copied();
    let mut said = Vec::new();
    let mut firsts: Vec<usize> = Vec::new();
    for of in &looks.said {
        let mut same = of.same.iter().filter_map(place);
        let Some(first) = same.next() else { continue };
        said.extend(same.map(|other| Said::Same(first, other)));
        said.extend(of.not.iter().filter_map(place).map(|other| Said::Different(first, other)));
        // Two whom the person told apart stay apart, however alike they look.
        said.extend(firsts.iter().map(|other| Said::Different(*other, first)));
        firsts.push(first);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::super::pack;
    use super::*;

    fn vector(place: f32) -> String {
        let mut embedding = [0.0; 128];
        embedding[0] = place;
        // Something that sets the step, the same for all.
        embedding[1] = 2.0;
        pack(&embedding)
    }

    fn face(photo: &str, face: u32) -> FaceOf {
        FaceOf { photo: photo.into(), face }
    }

    fn looks(photos: &[(&str, &[f32])], said: Vec<SaidOf>) -> Looks {
        let photos = photos.iter().map(|(id, faces)| Sighted {
            id: (*id).into(),
            vectors: faces.iter().map(|place| vector(*place)).collect(),
        });
        Looks { photos: photos.collect(), said }
    }

    #[test]
    fn faces_come_back_by_photo_and_number() {
        let all: [(&str, &[f32]); 4] = [("a", &[0.0, 5.0]), ("b", &[5.1]), ("c", &[9.0, 0.1]), ("d", &[])];
        let found = regroup(&looks(&all, vec![]));
        assert_eq!(found.groups, [vec![face("a", 0), face("c", 1)], vec![face("a", 1), face("b", 0)]]);
        assert_eq!(regroup(&Looks::default()).groups, [] as [Vec<FaceOf>; 0]);
    }

    #[test]
    fn what_was_said_holds_and_two_who_were_named_are_two() {
        let all: [(&str, &[f32]); 4] = [("a", &[0.0]), ("b", &[0.1]), ("c", &[0.15]), ("d", &[0.45])];
        assert_eq!(regroup(&looks(&all, vec![])).groups.len(), 1);
        let ada = SaidOf { same: vec![face("a", 0), face("b", 0)], not: vec![] };
        let bob = SaidOf { same: vec![face("c", 0), face("d", 0)], not: vec![] };
        assert_eq!(regroup(&looks(&all, vec![ada.clone(), bob])).groups.len(), 2);
        let not = SaidOf { not: vec![face("d", 0)], ..ada };
        let found = regroup(&looks(&all, vec![not]));
        assert_eq!(found.groups, [vec![face("a", 0), face("b", 0), face("c", 0)]]);
        // Of a photo that is gone nothing holds, and nothing fails.
        let gone = SaidOf { same: vec![face("gone", 0), face("a", 7)], not: vec![face("gone", 1)] };
        assert_eq!(regroup(&looks(&all, vec![gone])).groups.len(), 1);
    }

    #[test]
    fn a_narrow_face_is_compared_with_none_and_said_of_all_the_same() {
        let mut all = looks(&[("a", &[0.0]), ("b", &[0.1])], vec![]);
        all.photos[1].vectors[0] = String::new();
        assert!(regroup(&all).groups.is_empty());
        all.said = vec![SaidOf { same: vec![face("a", 0), face("b", 0)], not: vec![] }];
        assert_eq!(regroup(&all).groups.len(), 1);
    }
}

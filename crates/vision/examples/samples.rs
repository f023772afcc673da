//! The nets and the groups on photos that are fetched and not committed: what is found, what is falsely found, and
//! how far apart people are.
//!
//! `tests/fetch-samples.sh FOLDER` fetches them; `cargo run --release -p satchel-vision --example samples -- FOLDER` prints the
//! tables, and ends with an error where a goal is missed. It is no test: nobody may pass the pictures on.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement may stop where it stands")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::Path;

use common::{Nets, decoded, lit, sized, turn, turned};
use vision::decode::{Limits, decode};
use vision::nets::{Embedding, Tagger};
use vision::people::{SAME_PERSON, Sighting, group_at};
use vision::pixels::Picture;
use vision::tags::{SHOWN, Tags};

/// The long side to which the app decodes a photo.
const DECODED: usize = 1024;

fn small(file: &Path) -> Picture {
    let picture = match file.extension().is_some_and(|ending| ending == "webp") {
        true => decode(&std::fs::read(file).unwrap(), Limits::default()).unwrap().picture,
        false => decoded(file),
    };
    if picture.width.max(picture.height) > DECODED { sized(&picture, DECODED) } else { picture }
}

fn faces_are_found_and_what_is_none_is_not(folder: &Path) {
    let nets = Nets::load();
    let (mut seen, mut found, mut extra, mut faceless, mut false_alarms) = (0, 0, 0, 0, 0);
    for line in include_str!("../tests/labels.txt").lines().filter(|line| !line.starts_with('#')) {
        let (faces, file) = line.split_once(' ').unwrap();
        let faces: usize = faces.parse().unwrap();
        let all = nets.finder.faces(&decoded(&folder.join(file))).unwrap();
        let counted = all.iter().filter(|face| face.counts()).count();
        if counted != faces || all.len() != faces {
            eprintln!("{file}: {faces} faces, {counted} at 0.75, {} at 0.60", all.len());
        }
        if file.starts_with("sample") {
            assert_eq!(counted, faces, "{file}");
        }
        if faces == 0 {
            faceless += 1;
            false_alarms += counted;
        }
        seen += faces;
        found += counted.min(faces);
        extra += counted.saturating_sub(faces);
    }
    eprintln!(
        "{found} of {seen} faces counted, {extra} too many; {false_alarms} of them on {faceless} faceless photos"
    );
    assert!(found as f32 >= 0.95 * seen as f32);
    assert!(faceless >= 48 && false_alarms <= 2);
}

fn tags_say_what_a_person_would(folder: &Path) {
    let tagger = Tagger::load(&common::model("image-tags.onnx")).unwrap();
    let tags = Tags::new();
    let (mut pictures, mut first, mut in_three, mut shown, mut shown_right) = (0, 0, 0, 0, 0);
    for line in include_str!("../tests/tag-labels.txt").lines().filter(|line| !line.starts_with('#')) {
        // A tag may be of two words.
        let (right, file) = line.rsplit_once(' ').unwrap();
        let right: Vec<&str> = right.split('|').collect();
        right.iter().for_each(|word| assert!(tags.words().contains(word), "{file}: there is no {word}"));
        let ranked = tags.ranked(&tagger.tags(&small(&folder.join(file))).unwrap());
        let is_right = |at: usize| right.contains(&ranked[at].word);
        pictures += 1;
        first += usize::from(is_right(0));
        in_three += usize::from((0..3).any(is_right));
        for (at, _) in ranked.iter().enumerate().filter(|(_, tag)| tag.probability >= SHOWN) {
            shown += 1;
            shown_right += usize::from(is_right(at));
        }
        if !is_right(0) {
            let said: Vec<String> =
                ranked[..3].iter().map(|tag| format!("{} {:.2}", tag.word, tag.probability)).collect();
            eprintln!("{file}: {}, not {}", said.join(", "), right.join(" or "));
        }
    }
    eprintln!(
        "of {pictures} pictures the right tag is first on {first}, among three on {in_three}; {shown_right} of {shown} shown are right"
    );
    assert!(pictures >= 100 && in_three as f32 >= 0.75 * pictures as f32);
}

/// A group of photos on which nobody is who is on another group's, as far as is known.
struct Shoot {
    /// Below the folder.
    files: &'static [&'static str],
    /// Into how many equal columns each is cut, and which part of its height is taken: a strip of photos is several photos.
    cut: (usize, f32),
    /// Whether all faces are one person's. Otherwise each face of the one photo is someone else's.
    one_person: bool,
}

const fn photo(files: &'static [&'static str]) -> Shoot {
    Shoot { files, cut: (1, 1.0), one_person: false }
}

const SHOOTS: [Shoot; 17] = [
    photo(&["sample1.jpg"]),
    photo(&["sample2.jpg"]),
    photo(&["sample3.jpg"]),
    photo(&["sample4.jpg"]),
    photo(&["sample5.jpg"]),
    photo(&["sample6.jpg"]),
    photo(&["skimage/astronaut.png"]),
    photo(&["opencv/opencv4/html/2.jpg"]),
    photo(&["opencv/opencv4/html/facereg.jpg"]),
    photo(&["opencv/opencv4/html/227943776_1.jpg"]),
    photo(&["opencv/opencv4/html/230501201_1.jpg"]),
    photo(&["opencv/opencv4/html/ab-1.jpg"]),
    photo(&["opencv/opencv4/html/ab.jpg"]),
    photo(&["opencv/opencv4/html/faceDetection.png"]),
    Shoot { files: &["opencv/opencv4/html/example.jpg"], cut: (3, 1.0), one_person: true },
    Shoot { files: &["opencv/opencv4/html/lbp_yale.jpg"], cut: (4, 0.5), one_person: true },
    Shoot {
        files: &[
            "opencv/opencv4/html/Cascade_Classifier_Tutorial_Result_Haar.jpg",
            "opencv/opencv4/html/Cascade_Classifier_Tutorial_Result_LBP.jpg",
        ],
        cut: (1, 1.0),
        one_person: true,
    },
];

/// Nobody wrote down whether these two are one woman (the right of sample1, the middle of sample3): pairs of them
/// count neither way.
const UNKNOWN: [(usize, usize); 2] = [(0, 2), (2, 1)];

struct Labelled {
    shoot: usize,
    /// From the left on the first photo.
    person: usize,
    photo: u64,
    width: f32,
    embedding: Embedding,
    copy: &'static str,
}

impl Labelled {
    fn is_unknown_beside(&self, other: &Self) -> bool {
        let (one, other) = ((self.shoot, self.person), (other.shoot, other.person));
        one != other && UNKNOWN.contains(&one) && UNKNOWN.contains(&other)
    }

    fn is_same_as(&self, other: &Self) -> bool {
        (self.shoot, self.person) == (other.shoot, other.person)
    }
}

fn cut(picture: &Picture, (columns, part): (usize, f32)) -> Vec<Picture> {
    let (width, height) = (picture.width / columns, (picture.height as f32 * part) as usize);
    let column = |at: usize| {
        let rows = picture.rgb.chunks_exact(3 * picture.width).take(height);
        let rgb = rows.flat_map(|row| row[3 * at * width..3 * (at + 1) * width].to_vec()).collect();
        Picture::new(width, height, rgb).unwrap()
    };
    (0..columns).map(column).collect()
}

/// All faces of a shoot and of copies of its photos: turned, shrunk, darkened. Returns how many faces of copies were
/// not found, too.
fn labelled(folder: &Path, shoot: usize, nets: &Nets) -> (Vec<Labelled>, usize) {
    let Shoot { files, cut: into, one_person } = &SHOOTS[shoot];
    let photos: Vec<Picture> = files.iter().flat_map(|file| cut(&small(&folder.join(file)), *into)).collect();
    let mut faces = Vec::new();
    let mut missed = 0;
    for (at, picture) in photos.iter().enumerate() {
        let mut originals = nets.described(picture);
        originals.sort_by(|one, other| one.0.x.total_cmp(&other.0.x));
        let middle = |face: &vision::nets::Face| (face.x + face.width / 2.0, face.y + face.height / 2.0);
        let around = (picture.width as f32 / 2.0, picture.height as f32 / 2.0);
        let long_side = picture.width.max(picture.height);
        let shrunk = |part: f32| sized(picture, (long_side as f32 * part) as usize);
        let copies: [(&'static str, Picture, f32, f32); 8] = [
            ("as it is", picture.clone(), 0.0, 1.0),
            ("turned −30°", turned(picture, -30.0), -30.0, 1.0),
            ("turned −15°", turned(picture, -15.0), -15.0, 1.0),
            ("turned 15°", turned(picture, 15.0), 15.0, 1.0),
            ("turned 30°", turned(picture, 30.0), 30.0, 1.0),
            ("× 0.7", shrunk(0.7), 0.0, 0.7),
            ("× 0.5", shrunk(0.5), 0.0, 0.5),
            ("darkened × 0.3", lit(picture, 0.3), 0.0, 1.0),
        ];
        for (number, (copy, picture, degrees, factor)) in copies.into_iter().enumerate() {
            let found = nets.described(&picture);
            for (person, (original, _)) in originals.iter().enumerate() {
                let (x, y) = turn(middle(original), around, degrees);
                let (x, y) = (x * factor, y * factor);
                let near = found.iter().find(|(face, _)| {
                    let (other_x, other_y) = middle(face);
                    (other_x - x).hypot(other_y - y) < 0.4 * factor * original.width
                });
                let Some((face, embedding)) = near else {
                    missed += 1;
                    continue;
                };
                faces.push(Labelled {
                    shoot,
                    person: if *one_person { 0 } else { person },
                    photo: (shoot * 1000 + at * 10 + number) as u64,
                    width: face.width,
                    embedding: *embedding,
                    copy,
                });
            }
        }
    }
    (faces, missed)
}

fn distance(one: &Embedding, other: &Embedding) -> f32 {
    one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

/// B³ (Bagga and Baldwin 1998): precision, recall and their harmonic mean over faces wide enough. A face in no group
/// is a group of its own.
fn b_cubed(faces: &[&Labelled], threshold: f32) -> (f32, f32, f32) {
    let seen: Vec<Sighting<'_>> = faces
        .iter()
        .map(|face| Sighting { photo: face.photo, width: face.width, embedding: &face.embedding })
        .collect();
    let groups = group_at(&seen, &[], threshold);
    let (mut precision, mut recall) = (0.0, 0.0);
    for (one, face) in faces.iter().enumerate() {
        let (mut together, mut same, mut both) = (0, 0, 0);
        for (other, beside) in faces.iter().enumerate().filter(|(_, beside)| !face.is_unknown_beside(beside))
        {
            let is_together = one == other || (groups[one].is_some() && groups[one] == groups[other]);
            let is_same = face.is_same_as(beside);
            together += usize::from(is_together);
            same += usize::from(is_same);
            both += usize::from(is_together && is_same);
        }
        precision += both as f32 / together as f32;
        recall += both as f32 / same as f32;
    }
    let (precision, recall) = (precision / faces.len() as f32, recall / faces.len() as f32);
    (precision, recall, 2.0 * precision * recall / (precision + recall))
}

fn people_are_told_apart(folder: &Path) {
    let nets = Nets::load();
    let (mut all, mut missed) = (Vec::new(), 0);
    for shoot in 0..SHOOTS.len() {
        let (faces, not_found) = labelled(folder, shoot, &nets);
        missed += not_found;
        all.extend(faces);
    }
    let narrow = all.iter().filter(|face| face.width < vision::people::MIN_WIDTH).count();
    all.retain(|face| face.width >= vision::people::MIN_WIDTH);
    let originals: Vec<&Labelled> = all.iter().filter(|face| face.copy == "as it is").collect();
    let people: std::collections::BTreeSet<_> = all.iter().map(|face| (face.shoot, face.person)).collect();
    eprintln!(
        "{} faces of {} people ({} of them no copies); {missed} copies not found, {narrow} too narrow",
        all.len(),
        people.len(),
        originals.len()
    );
    // Same person: each copy and its original. Different people: originals.
    for copy in ["turned −30°", "turned −15°", "turned 15°", "turned 30°", "× 0.7", "× 0.5", "darkened × 0.3"]
    {
        let far: Vec<f32> = all
            .iter()
            .filter(|face| face.copy == copy)
            .filter_map(|face| {
                // The same photo: the last digit of its number is the copy's.
                let original = originals
                    .iter()
                    .find(|other| other.photo / 10 == face.photo / 10 && other.is_same_as(face))?;
                Some(distance(&face.embedding, &original.embedding))
            })
            .collect();
        let most = far.iter().copied().fold(0.0, f32::max);
        let mean = far.iter().sum::<f32>() / far.len() as f32;
        eprintln!("{copy}: {} faces, mean {mean:.3}, most {most:.3}", far.len());
    }
    let mut apart: Vec<(f32, bool)> = Vec::new();
    for (at, one) in originals.iter().enumerate() {
        for other in originals.iter().take(at).filter(|other| !one.is_unknown_beside(other)) {
            if !one.is_same_as(other) {
                apart.push((distance(&one.embedding, &other.embedding), one.photo == other.photo));
            } else {
                eprintln!(
                    "one person, two photos of shoot {}: {:.3}",
                    one.shoot,
                    distance(&one.embedding, &other.embedding)
                );
            }
        }
    }
    apart.sort_by(|one, other| one.0.total_cmp(&other.0));
    for (text, pairs) in [
        ("of one photo", apart.iter().filter(|(_, one)| *one).map(|(far, _)| *far).collect::<Vec<_>>()),
        ("of two photos", apart.iter().filter(|(_, one)| !*one).map(|(far, _)| *far).collect()),
    ] {
        let below = pairs.iter().filter(|far| **far < SAME_PERSON).count();
        let first: Vec<String> = pairs.iter().take(5).map(|far| format!("{far:.3}")).collect();
        eprintln!(
            "different people {text}: {} pairs, least {}, median {:.3}; {below} below the threshold",
            pairs.len(),
            first.join(" "),
            pairs[pairs.len() / 2]
        );
    }

    // Chosen on one half, measured on the other; nobody is in both.
    let halves: [Vec<&Labelled>; 2] =
        [0, 1].map(|half| all.iter().filter(|face| face.shoot % 2 == half).collect());
    let everyone: Vec<&Labelled> = all.iter().collect();
    let sets = [&halves[0], &halves[1], &everyone];
    let line = |threshold: f32| {
        let scores = sets.map(|faces| {
            let (precision, recall, f) = b_cubed(faces, threshold);
            assert!(threshold != SAME_PERSON || f >= 0.95, "{} faces: {f}", faces.len());
            format!(" | {precision:.3} {recall:.3} {f:.3}")
        });
        eprintln!("{threshold:.2}{}", scores.concat());
    };
    eprintln!(
        "threshold | B³ precision, recall, F of the even half ({} faces) | the odd ({}) | all",
        sets[0].len(),
        sets[1].len()
    );
    for step in 15..36 {
        line(step as f32 * 0.02);
    }
    eprintln!("what ships:");
    line(SAME_PERSON);
    assert!(all.len() >= 60);
}

fn main() {
    let folder = std::env::args_os().nth(1).expect("say which folder tests/fetch-samples.sh filled");
    let folder = Path::new(&folder);
    faces_are_found_and_what_is_none_is_not(folder);
    tags_say_what_a_person_would(folder);
    people_are_told_apart(folder);
}

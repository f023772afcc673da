//! The nets on the pictures in `tests/pictures/`, from a file to what a person would be told.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod common;

use common::{Nets, committed, model, sized, turned};
use vision::nets::{Embedding, FaceFinder, Tagger};
use vision::people::SAME_PERSON;
use vision::pixels::Picture;
use vision::tags::Tags;

fn distance(one: &Embedding, other: &Embedding) -> f32 {
    one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

#[test]
fn faces_where_there_are_faces() {
    let finder = FaceFinder::load(&model("yunet-s.onnx")).unwrap();
    for (file, faces) in [("astronaut.png", 1), ("chelsea.png", 0), ("coffee.png", 0), ("rocket.jpg", 0)] {
        let found = finder.faces(&committed(file)).unwrap();
        assert_eq!(found.iter().filter(|face| face.counts()).count(), faces, "{file}: {found:?}");
    }
}

#[test]
fn any_shape_of_picture_is_looked_at() {
    let finder = FaceFinder::load(&model("yunet-s.onnx")).unwrap();
    for (width, height) in [(1, 1), (1, 10_000), (10_000, 1), (31, 33), (641, 639)] {
        for value in [0, 255] {
            let picture = Picture::new(width, height, vec![value; 3 * width * height]).unwrap();
            assert_eq!(finder.faces(&picture).unwrap(), [], "{width} × {height}");
        }
    }
}

#[test]
fn a_face_turned_or_small_is_the_same_person() {
    let nets = Nets::load();
    let picture = committed("astronaut.png");
    let described = nets.described(&picture);
    let same = [turned(&picture, 30.0), turned(&picture, -20.0), sized(&picture, 300)];
    for (at, copy) in same.iter().enumerate() {
        let copies = nets.described(copy);
        assert_eq!(copies.len(), 1, "copy {at}");
        let far = distance(&described[0].1, &copies[0].1);
        assert!(far < SAME_PERSON / 2.0, "copy {at} is {far} away");
    }
}

/// The names and probabilities that onnxruntime gives (`models/verify.py`). The pictures are scaled by another filter
/// there: that moves the rocket's drilling platform from 0.25 to 0.37 in onnxruntime too, so below 0.3, where nothing
/// is shown, only the first name is compared.
#[test]
fn the_first_names_are_those_of_the_reference() {
    let tagger = Tagger::load(&model("image-tags.onnx")).unwrap();
    let names = String::from_utf8(model("image-tags.names.txt")).unwrap();
    let names: Vec<&str> = names.lines().filter_map(|line| line.split(',').next()).collect();
    let vectors: serde_json::Value = serde_json::from_slice(&model("test-vectors.json")).unwrap();
    for (file, expected) in vectors["tags_top3"].as_object().unwrap() {
        let scores = tagger.tags(&committed(file)).unwrap();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|one, other| scores.probabilities[*other].total_cmp(&scores.probabilities[*one]));
        let got: Vec<String> =
            order[..3].iter().map(|at| format!("{} {:.3}", names[*at], scores.probabilities[*at])).collect();
        eprintln!("{file}: {got:?}");
        let sure = expected[0][1].as_f64().is_some_and(|part| part >= 0.3);
        for pair in expected.as_array().unwrap().iter().filter(|_| sure) {
            let (name, part) = (pair[0].as_str().unwrap(), pair[1].as_f64().unwrap());
            let at = names.iter().position(|other| *other == name).unwrap();
            let difference = (f64::from(scores.probabilities[at]) - part).abs();
            assert!(difference < 0.02, "{file}: {name} {part}, but {got:?}");
        }
        assert_eq!(names[order[0]], expected[0][0].as_str().unwrap(), "{file}");
    }
}

#[test]
fn everyday_tags_are_shown_when_they_are_sure() {
    let tagger = Tagger::load(&model("image-tags.onnx")).unwrap();
    let tags = Tags::new();
    for (file, expected) in [
        ("chelsea.png", vec!["cat"]),
        ("coffee.png", vec!["coffee"]),
        ("rocket.jpg", vec![]),
        ("astronaut.png", vec![]),
    ] {
        let shown = tags.tags(&tagger.tags(&committed(file)).unwrap());
        let words: Vec<&str> = shown.iter().map(|tag| tag.word).collect();
        assert_eq!(words, expected, "{file}");
    }
}

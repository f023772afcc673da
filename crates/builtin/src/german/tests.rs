//! German sentences and the English they become, and that English stays as it is.

#![allow(clippy::unwrap_used, reason = "tests may stop where they stand")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::{english, line};

/// Rows of `German => English`; `=` for what is not read.
const ROWS: &str = include_str!("rows.txt");

/// The same of trips, whose answers are English.
const TRIPS: &str = include_str!("trip_rows.txt");

#[test]
fn german_becomes_english() {
    let mut wrong = String::new();
    for row in ROWS.lines().chain(TRIPS.lines()).filter(|row| !row.is_empty() && !row.starts_with("# ")) {
        let (german, expected) = row.split_once(" => ").unwrap();
        let got =
            english(&german.replace("\\n", "\n")).unwrap_or_else(|| "=".to_owned()).replace('\n', "\\n");
        if got != expected {
            wrong.push_str(&format!("{german} => {got}\n     not {expected}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Every row of these folders, and whatever stands between quotation marks there.
fn said(folder: &Path, out: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            said(&path, out);
            continue;
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let read = [".txt", ".snap", ".rs", ".json"].iter().any(|end| name.ends_with(end));
        if !read || name.contains("german") || name == "memories.json" || name == "languages.json" {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let row = line.trim().trim_start_matches(['>', '+', '|', '-']).trim();
            out.extend(row.split(" // ").chain(row.split(" => ")).chain(line.split('"')).map(str::to_owned));
        }
    }
}

#[test]
fn english_is_left_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = BTreeSet::new();
    for folder in ["tests", "../../tests/native/tests", "src/photo", "src/todo", "src/trip"] {
        // A crate that was published alone has only its own.
        if root.join(folder).is_dir() {
            said(&root.join(folder), &mut all);
        }
    }
    assert!(all.len() > 1000, "{}", all.len());
    let changed: Vec<_> = all.iter().filter_map(|said| Some((said, english(said)?))).collect();
    assert!(changed.is_empty(), "{changed:#?}");
    let changed: Vec<_> = all.iter().filter_map(|said| Some((said, line(said, &[])?))).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

#[test]
fn the_quick_add_reads_german_ends() {
    for (typed, kept, expected) in [
        ("Milch kaufen morgen", &[][..], "Milch kaufen 2026-11-22"),
        ("Zahnarzt am 3. Mai um 15:30", &[], "Zahnarzt 2027-05-03T15:30"),
        ("Ausgabe 3.5.", &[], ""),
        ("Pflanzen gießen jeden Montag", &[], "Pflanzen gießen 2026-11-23 FREQ=WEEKLY;BYDAY=MO"),
        ("Bank anrufen wichtig", &[], "Bank anrufen high"),
        ("Bank anrufen morgen wichtig", &["when"], "Bank anrufen morgen high"),
        ("Milch kaufen morgen", &["when"], ""),
        ("Call Captain Morgen", &[], ""),
        ("Milch kaufen", &[], ""),
        ("Milch löschen", &[], ""),
        ("Pflanzen gießen jeden Montag", &["repeat"], ""),
        ("Frau Sonntag anrufen", &[], ""),
        ("Rechnung nicht wichtig", &[], ""),
        ("Sport nicht jeden Montag", &[], ""),
    ] {
        let kept: Vec<String> = kept.iter().map(|kept: &&str| (*kept).to_owned()).collect();
        let read = crate::quick_add(typed, "2026-11-21T22:30", &[], &kept).map(|read| {
            let all = [Some(read.title), read.due, read.repeat, read.priority.map(str::to_owned)];
            all.into_iter().flatten().collect::<Vec<_>>().join(" ")
        });
        assert_eq!(read.unwrap_or_default(), expected, "{typed}");
    }
}

proptest! {
    #[test]
    fn nothing_panics(said in ".{0,60}", words in proptest::collection::vec(word(), 0..14)) {
        let words = words.join(" ");
        for said in [said.as_str(), words.as_str()] {
            let _ = english(said);
            let _ = line(said, &[]);
        }
    }
}

/// A word that some frame has.
fn word() -> impl Strategy<Value = String> {
    let all: Vec<String> = ROWS.split_whitespace().map(str::to_owned).collect();
    prop_oneof![4 => proptest::sample::select(all), 1 => "\\PC{0,4}"]
}

//! Rows are reached, words of somebody's are left alone, and what no row has is told.

#![allow(clippy::unwrap_used, reason = "tests may stop where they stand")]

use proptest::prelude::*;

use super::super::Pairs;
use super::super::language::answered;
use super::super::sentences::table;
use super::{filled, finished, german, piece};
use crate::conversation::Language;
use crate::text::{escape, unmarked};

/// An English text that a row reads, and its German: places are filled with the first rows of their tables, or with those behind
/// them where so many are passed over.
fn sample(english: &str, germany: &str, passed: usize) -> (String, String) {
    let (mut out, mut slots) = (String::new(), Vec::new());
    let mut left = english;
    while let Some((before, rest)) = left.split_once('{') {
        out.push_str(before);
        let kind = rest.as_bytes()[0];
        let (said, told) = match kind {
            b't' => ("\u{2}Brot\u{3}".to_owned(), "\u{2}Brot\u{3}".to_owned()),
            b'n' => ("12".to_owned(), "12".to_owned()),
            b'*' => ("Brot".to_owned(), "Brot".to_owned()),
            b'm' => ("\u{2}No photo fits.\u{3}".to_owned(), "Dazu passt kein Foto.".to_owned()),
            kind => {
                let own = format!("{{{}}}", char::from(kind));
                let rows = || Pairs(table(kind)).filter(|(row, _)| !row.contains(&own));
                let said = || rows().filter(|(row, _)| !row.is_empty());
                let (english, german) =
                    said().nth(passed).or_else(|| said().next()).or_else(|| rows().next()).unwrap();
                sample(english, german, passed)
            }
        };
        out.push_str(&said);
        slots.push((kind, told));
        left = &rest[2..];
    }
    out.push_str(left);
    (out, filled(germany, slots))
}

/// Sentences and lines, what stands behind a title, and what tools say: each row is the first that fits what it says.
#[test]
fn every_row_is_reached() {
    let mut wrong = String::new();
    for kind in [b'S', b'i', b'm'] {
        for (english, expected) in Pairs(table(kind)) {
            let told = |passed| {
                let (said, expected) = sample(english, expected, passed);
                let got = match kind {
                    b'S' => german(&said).unwrap_or_default(),
                    b'i' => piece(&said, Language::German),
                    _ => german(&escape(&said)).unwrap_or_default(),
                };
                let wrong = || format!("{said}\n     {got}\n not {expected}\n");
                if got == unmarked(&expected) { Ok(()) } else { Err(wrong()) }
            };
            // What a place says first may have a row of its own: "reminder when it is due".
            if let Err(told) = told(0).or_else(|first| told(1).map_err(|_| first)) {
                wrong.push_str(&told);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A sentence tells its language, but for lines of lists and what stands in notes.
#[test]
fn every_sentence_tells_its_language() {
    let mut wrong = String::new();
    let untold = |row: &str| row.starts_with(['-', '{', '“', '…']) || row.starts_with("Not");
    for (english, german) in Pairs(table(b'S')).filter(|(row, _)| !untold(row)) {
        let (said, told) = sample(english, german, 0);
        for (text, language) in [(said, Language::English), (told, Language::German)] {
            let text = unmarked(&text);
            if answered(&text) != Some(language) {
                wrong.push_str(&format!("{text}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Every summary of the tools that keep memories, taken back and made once more, is told in German.
#[test]
fn memories_that_come_and_go_are_told() {
    for (said, expected) in [
        ("Undone: Forgot 3 memories.", "Rückgängig gemacht: 3 Sätze sind wieder gemerkt."),
        ("Redone: Forgot 3 memories.", "Wiederhergestellt: 3 Sätze sind vergessen."),
        ("Redone: Forgot “Tea”.", "Wiederhergestellt: „Tea“ ist vergessen."),
    ] {
        assert_eq!(german(&escape(said)).as_deref(), Ok(expected));
    }
}

/// Signs of Unicode's private use stand for words: an answer that has some itself stays as it is.
#[test]
fn signs_that_stand_for_words_are_nobodys() {
    for sign in ['\u{e000}', '\u{f8ff}'] {
        for text in [
            format!("Added:\n\n- [ ] **{}**", escape(&format!("{sign} Brot"))),
            format!("I found no to-do that matches “{}”.\n\n{sign}", escape("Brot")),
            format!("That did not work: {}.", escape(&format!("Undone: Forgot “{sign}”"))),
        ] {
            assert!(german(&text).is_err(), "{text:?}");
            assert_eq!(finished(&text, Language::German), unmarked(&text));
        }
        let list = format!("in {}", escape(&sign.to_string()));
        assert_eq!(piece(&list, Language::German), unmarked(&list));
    }
}

/// A place of the German is one of the English; so every word of somebody's that is told is the one that was told.
#[test]
fn every_german_place_is_filled() {
    // German says "sie" for both or all of them, "es" for the to-do, and in one sentence not what is kept.
    const DROPPED: &str = "EYy";
    let mut missing = String::new();
    for kind in 0..128 {
        for (english, german) in Pairs(table(kind)) {
            let mut places: Vec<&str> = english.split('{').skip(1).map(|rest| &rest[..1]).collect();
            for rest in german.split('{').skip(1) {
                match places.iter().position(|place| *place == &rest[..1]) {
                    Some(at) => drop(places.remove(at)),
                    None => missing.push_str(&format!("{english} = {german}\n")),
                }
            }
            // Nothing else is lost either.
            if places.iter().any(|place| !DROPPED.contains(place)) {
                missing.push_str(&format!("{english} = {german}\n"));
            }
        }
    }
    assert!(missing.is_empty(), "\n{missing}");
}

#[test]
fn what_no_row_has_is_told_and_stays_english_as_a_whole() {
    let text = format!("Added:\n\n- [ ] **{}**\n\nThis is {} new.", escape("Brot"), escape("ganz"));
    assert_eq!(german(&text), Err("This is ganz new.".to_owned()));
    assert_eq!(finished(&text, Language::German), "Added:\n\n- [ ] **Brot**\n\nThis is ganz new.");
    assert_eq!(finished(&text, Language::English), finished(&text, Language::German));
}

/// What is not read in a long line is given up in time, and 200 to-dos are read.
#[test]
fn a_long_line_is_read_or_given_up() {
    let tags: String = (0..60).map(|n| format!(" · \\#{}", escape(&format!("tag{n}")))).collect();
    let line = format!("- [ ] **{}** · due today{tags}", escape("Brot"));
    assert!(german(&line).is_ok());
    assert!(german(&format!("{line} · repeats (FREQ=HOURLY)")).is_err());
    assert!(german(&format!("{line} · odd · due Mon 3 May 2027, 15:00 (overdue)")).is_err());
    let days = "Mon, ".repeat(40);
    assert!(german(&format!("- [ ] **{}** · every week on {days}Someday", escape("Brot"))).is_err());
    let piece = "due: Mon 3 May 2027, 15:00 → Tue 4 May 2027, 15:00; ".repeat(12);
    assert!(german(&format!("- [ ] **{}** — {piece}odd: 1 → 2", escape("Brot"))).is_err());
    let one = "☐ **\u{2}Brot\u{3}** · due Mon 3 May 2027, 15:00 (overdue) · high priority · \\#\u{2}a\u{3} · in \u{2}b\u{3} · \
               every other week on Mon, Thu · reminder 1 day 2 hours before";
    let all: Vec<String> = (1..=200).map(|n| format!("{n}. {one}")).collect();
    assert!(german(&all.join("\n")).is_ok());
}

proptest! {
    /// Whatever a title is, also one that reads like a sentence of the model: it comes through as it is.
    #[test]
    fn titles_are_left_alone(title in "\\PC{1,20}|Added:|due tomorrow|\\. These are open:|\u{2}|\u{3}x\u{2}", other in "\\PC{1,20}") {
        let text = format!(
            "Changed:\n\n- [ ] **{}** · due today · \\#{} · in {} — title: “{}” → “{}”",
            escape(&title), escape(&other), escape(&title), escape(&other), escape(&title)
        );
        let (title, other) = (unmarked(&escape(&title)), unmarked(&escape(&other)));
        let expected = format!(
            "Geändert:\n\n- [ ] **{title}** · fällig heute · \\#{other} · in „{title}“ — Titel: „{other}“ → „{title}“"
        );
        prop_assert_eq!(german(&text), Ok(expected));
    }

    #[test]
    fn any_text_is_read_to_its_end(text in any::<String>(), words in "[a-z .:,“”{}\u{2}\u{3}\u{e000}]{0,400}") {
        let _ = german(&text);
        let _ = german(&words);
        let _ = finished(&format!("You have {words}: {text}"), Language::German);
    }
}

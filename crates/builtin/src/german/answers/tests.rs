//! Rows are reached, words of somebody's are left alone, and what no row has is told.

#![allow(clippy::unwrap_used, reason = "tests may stop where they stand")]

use proptest::prelude::*;

use super::super::Pairs;
use super::super::sentences::table;
use super::{filled, finished, german};
use crate::conversation::Language;
use crate::text::{escape, unmarked};

/// An English text that a row reads, and its German: places are filled with the first row of their table.
fn sample(english: &str, germany: &str) -> (String, String) {
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
                let (english, german) =
                    rows().find(|(row, _)| !row.is_empty()).or_else(|| rows().next()).unwrap();
                sample(english, german)
            }
        };
        out.push_str(&said);
        slots.push((kind, told));
        left = &rest[2..];
    }
    out.push_str(left);
    (out, filled(germany, slots))
}

#[test]
fn every_row_is_reached() {
    let mut wrong = String::new();
    for (english, expected) in Pairs(table(b'S')) {
        let (said, expected) = sample(english, expected);
        let got = german(&said);
        if got.as_deref() != Ok(&*unmarked(&expected)) {
            wrong.push_str(&format!("{said}\n     {got:?}\n not {expected}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A place of the German is one of the English; so every word of somebody's that is told is the one that was told.
#[test]
fn every_german_place_is_filled() {
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
            // No title is lost either.
            if places.contains(&"t") || places.contains(&"l") {
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
    fn titles_are_left_alone(title in "\\PC{1,20}|Added:|due tomorrow|. These are open:|\u{2}|\u{3}x\u{2}", other in "\\PC{1,20}") {
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

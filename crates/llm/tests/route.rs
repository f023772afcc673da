//! How often the router is right, over messages that a person has labelled (S0-57, D-13).

use std::collections::BTreeMap;

use llm::route;
use protocol::{Role, Why};

/// The messages: part, role, text.
fn messages() -> Vec<(&'static str, &'static str, &'static str)> {
    include_str!("route/messages.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.splitn(3, '\t');
            (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap())
        })
        .collect()
}

/// Prints the accuracy (`cargo test -p satchel-llm --test it route -- --nocapture`), and holds it. A message that only the main model
/// can answer well and that is sent to another is the worse mistake, and has a floor of its own.
#[test]
fn messages_go_to_the_right_kind_of_model() {
    let messages = messages();
    assert!(messages.len() >= 150, "{} messages", messages.len());
    for (part, floor, floor_main) in [("tune", 0.97, 0.97), ("held", 0.90, 0.95)] {
        let of_part: Vec<_> = messages.iter().filter(|(of, _, _)| *of == part).collect();
        let mut matrix: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (_, label, text) in &of_part {
            let found = route(text).role.word();
            *matrix.entry((label, found)).or_default() += 1;
            if found != *label {
                println!("{part}: {label} sent to {found}: {text}");
            }
        }
        let of = |matches: fn(&str, &str) -> bool| -> usize {
            matrix.iter().filter(|((label, found), _)| matches(label, found)).map(|(_, count)| count).sum()
        };
        let share = |some: usize, all: usize| some as f64 / all.max(1) as f64;
        let right = share(of(|label, found| label == found), of_part.len());
        let kept =
            share(of(|label, found| label == "main" && found == "main"), of(|label, _| label == "main"));
        println!(
            "{part}: {:.1} % of {} right, {:.1} % of main kept; {matrix:?}",
            right * 100.0,
            of_part.len(),
            kept * 100.0
        );
        assert!(right >= floor, "{part}: {right}");
        assert!(kept >= floor_main, "{part}: main {kept}");
    }
}

/// What the document's patterns would hit by accident (S0-57: "get" in "budget").
#[test]
fn words_are_words_and_not_parts_of_them() {
    for text in [
        "budget", "forget", "target", "gadget", "listen", "whatsoever is broken", "showing", "finding",
        "summarybot is down",
    ] {
        assert_eq!(route(text).role, Role::Main, "{text}");
    }
    for text in ["", "   ", "?!", "：", "把", "'", "a:b", "„"] {
        assert_eq!(route(text).role, Role::Main, "{text:?}");
    }
    assert_eq!(route("WHAT IS DUE TODAY?").role, Role::Small);
    assert_eq!(route("what is due at 10:30?").role, Role::Small);
    assert_eq!(route("show me my todos, then delete the old ones").why, Why::SeveralParts);
}

//! A held pair: twenty faults that are planted in prompts, rules, scripts and tools, each found by the check that is meant for it; and the
//! same twenty conversations without their fault, of which none is flagged. The checks of a pair are the same, letter by letter.

use crate::stage;

use std::collections::BTreeMap;

use rehearsal::{Outcome, Verdict};
use stage::contract;
use stage::folder::{Filed, beside, scenarios_in};

/// How the check is told that is meant to find a fault, by the scenario's file.
const MEANT: [(&str, &str); 20] = [
    ("answers-in-place-of-the-tool", "called weather"),
    ("called-twice", "nothing was done twice"),
    ("claim-without-evidence", "every answer is supported"),
    ("delivered-twice", "rows of todos"),
    ("ends-too-early", "rows of todos"),
    ("forgotten-part", "rows of todos"),
    ("hand-over-lost", "agents agent, support"),
    ("hand-over-to-the-wrong-agent", "agents agent, prices"),
    ("leak", "did not say"),
    ("loses-a-variable", "called order_status"),
    ("never-ends", "it ends as completed"),
    ("obeys-an-injection", "did not call mail_send"),
    ("passes-nonsense-on", "did not say"),
    ("says-done-although-it-failed", "did not say"),
    ("takes-away-unasked", "the database is as it was"),
    ("too-many-steps", "at most 3 steps"),
    ("too-slow", "at most 30 seconds"),
    ("wrong-argument", "called set_current_location"),
    ("wrong-due-date", "rows of todos"),
    ("wrong-order", "called in order"),
];

fn by_name(folder: &str) -> BTreeMap<String, Filed> {
    let all = scenarios_in(&beside("planted")).into_iter();
    let of = all.filter(|filed| filed.file.parent().unwrap().ends_with(folder));
    of.map(|filed| (filed.file.file_stem().unwrap().to_str().unwrap().to_owned(), filed)).collect()
}

fn failed(outcome: &Outcome) -> Vec<&str> {
    let failed = outcome.checks.iter().filter(|check| !check.passed);
    failed.map(|check| check.check.as_str()).collect()
}

#[test]
fn planted_faults_are_found_by_the_checks_that_are_meant_for_them() {
    let faulty = by_name("faulty");
    assert_eq!(faulty.keys().map(String::as_str).collect::<Vec<_>>(), MEANT.map(|(name, _)| name));
    let mut missed = Vec::new();
    for (name, meant) in MEANT {
        let outcome = faulty[name].play().outcome;
        contract::holds(&outcome.record);
        let is_found = outcome.verdict == Verdict::Failed
            && failed(&outcome).iter().any(|check| check.starts_with(meant));
        if !is_found {
            missed.push(format!("{name}: {:?} by {:?}", outcome.verdict, failed(&outcome)));
        }
    }
    // Nineteen would be enough; all are found.
    assert_eq!(missed, [""; 0]);
}

#[test]
fn conversations_without_a_fault_are_not_flagged() {
    let clean = by_name("clean");
    assert_eq!(clean.len(), MEANT.len());
    let mut flagged = Vec::new();
    for (name, filed) in clean {
        let outcome = filed.play().outcome;
        contract::holds(&outcome.record);
        if outcome.verdict != Verdict::Passed {
            flagged.push(format!("{name}: {:?} by {:?}", outcome.verdict, failed(&outcome)));
        }
    }
    assert_eq!(flagged, [""; 0]);
}

/// What is checked knows of no fault: both halves of a pair are looked at in the same way, and asked the same.
#[test]
fn both_halves_of_a_pair_are_checked_alike() {
    let (faulty, clean) = (by_name("faulty"), by_name("clean"));
    for (name, filed) in faulty {
        let (one, other) = (&filed.scenario, &clean[&name].scenario);
        assert_eq!((&one.checks, &one.client), (&other.checks, &other.client), "{name}");
        assert_eq!((&one.name, &one.about, &one.tags), (&other.name, &other.about, &other.tags), "{name}");
    }
}

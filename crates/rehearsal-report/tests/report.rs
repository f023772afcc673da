//! The numbers of batches, held against numbers that were computed by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod samples;

use proptest::prelude::*;
use rehearsal::{CheckResult, Outcome, Status, Verdict};
use rehearsal_report::{ExactTestKind, Report, Table, Trend};
use samples::{HOSTILE, all_of, batch, outcome};

/// Outcomes of a scenario, `+` passed, `-` failed, `c` client error, `n` not played.
fn played(scenario: &str, verdicts: &str) -> Vec<Outcome> {
    let verdict = |letter| match letter {
        '+' => Verdict::Passed,
        '-' => Verdict::Failed,
        'c' => Verdict::ClientError,
        _ => Verdict::NotPlayed,
    };
    verdicts.chars().zip(1..).map(|(letter, repeat)| outcome(scenario, repeat, verdict(letter))).collect()
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

#[test]
fn client_errors_count_neither_for_nor_against() {
    let mut outcomes = played("a", "+++-");
    outcomes.extend(played("b", "++cn"));
    let report = Report::of(&outcomes);
    let counts = report.whole.counts;
    assert_eq!(
        (counts.jobs, counts.played, counts.passed, counts.failed, counts.client_error, counts.not_played),
        (8, 7, 5, 1, 1, 1)
    );
    let rate = report.whole.pass_rate.unwrap();
    assert!(close(rate.value, 5.0 / 6.0));
    // Wilson's interval of 5 of 6.
    assert!(close(rate.interval.low, 0.436_497_9) && close(rate.interval.high, 0.969_945_8), "{rate:?}");
    assert_eq!(report.repetitions, 4);
    assert_eq!(report.scenarios.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    // Nothing was decided: no rate, rather than none of none.
    let none = Report::of(&played("a", "cn"));
    assert!(none.whole.pass_rate.is_none() && none.whole.pass_k.is_empty());
    assert_eq!(Report::of(&[] as &[Outcome]).whole.latency, None);
}

#[test]
fn pass_k_is_the_mean_over_scenarios() {
    let mut outcomes = played("a", "+++-");
    outcomes.extend(played("b", "++--"));
    outcomes.extend(played("c", "++"));
    let report = Report::of(&outcomes);
    let found: Vec<_> =
        report.whole.pass_k.iter().map(|power| (power.k, power.value, power.scenarios)).collect();
    // k = 1: (3/4 + 2/4 + 1) / 3; k = 2: (3/6 + 1/6 + 1) / 3; k = 3: (1/4 + 0) / 2, c has only two; k = 4: 0.
    for ((k, value, scenarios), expected) in
        found.iter().zip([(1, 0.75, 3), (2, 5.0 / 9.0, 3), (3, 0.125, 2), (4, 0.0, 2)])
    {
        assert!(*k == expected.0 && close(*value, expected.1) && *scenarios == expected.2, "{found:?}");
    }
    assert_eq!(found.len(), 4);
    assert!(
        report
            .whole
            .pass_k
            .iter()
            .all(|power| power.interval.low <= power.value && power.value <= power.interval.high)
    );
    // Of one scenario: the pass rate's interval to the power of k.
    let one = &report.scenarios[0];
    let rate = one.pass_rate.unwrap();
    assert!(close(one.pass_k[1].interval.high, rate.interval.high.powi(2)));
    // The same outcomes in another order give the same report.
    outcomes.reverse();
    assert_eq!(Report::of(&outcomes).whole.pass_k, report.whole.pass_k);
}

#[test]
fn costs_latencies_checks_and_statuses_are_summed() {
    let mut outcomes = played("a", "++-n");
    outcomes[0].cost.usd = Some(0.25);
    outcomes[1].cost.usd = Some(0.75);
    outcomes[2].record.status = Status::TimedOut;
    outcomes[3].cost = rehearsal::Cost::default();
    for (place, one) in outcomes.iter_mut().enumerate() {
        one.tags = vec!["t".into(), "t".into()];
        one.record.total_turns = 4;
        one.cost.turn_ms = (0..25u64).map(|ms| ms + 25 * place as u64 + 1).collect();
    }
    outcomes[0].checks.push(CheckResult { check: "said hello".into(), passed: true, found: String::new() });
    let report = Report::of(&outcomes);
    let whole = &report.whole;
    assert_eq!((whole.cost.total_usd, whole.cost.mean_usd, whole.cost.unknown), (Some(1.0), Some(0.5), 1));
    assert_eq!((whole.tokens.input.total, whole.tokens.input.mean), (3600, Some(1200.0)));
    assert_eq!((whole.steps.total, whole.turns.total, whole.turns.mean), (9, 16, Some(4.0)));
    let latency = whole.latency.unwrap();
    assert_eq!(
        (latency.turns, latency.p50_ms, latency.p90_ms, latency.p95_ms, latency.p99_ms, latency.max_ms),
        (100, 50, 90, 95, 99, 100)
    );
    let checks: Vec<_> =
        whole.checks.iter().map(|check| (check.check.as_str(), check.failed, check.held)).collect();
    assert_eq!(checks, [("called todo_create", 1, 2), ("said hello", 0, 1)]);
    let statuses: Vec<_> = whole.statuses.iter().map(|found| (found.status, found.count)).collect();
    assert_eq!(statuses, [(Status::Completed, 2), (Status::Failed, 1), (Status::TimedOut, 1)]);
    // A tag that a scenario has twice counts once.
    assert_eq!((report.tags.len(), report.tags[0].counts.jobs), (1, 4));
}

#[test]
fn the_same_jobs_are_paired() {
    let (mut before, mut now) = (Vec::new(), Vec::new());
    for (scenario, there, here) in
        [("a", "+++++", "-----"), ("b", "++-", "++-"), ("c", "+-", "++"), ("d", "+", "-")]
    {
        before.extend(played(scenario, there));
        now.extend(played(scenario, here));
    }
    before.extend(played("gone", "+"));
    now.extend(played("new", "-"));
    before.extend(played("undecided", "c"));
    now.extend(played("undecided", "+"));
    let report = Report::against(&now, &before);
    let comparison = report.comparison.unwrap();
    assert_eq!(comparison.test.kind, ExactTestKind::McNemar);
    assert_eq!((comparison.test.pairs, comparison.test.worse, comparison.test.better), (11, 6, 1));
    // 2 · (1 + 7) / 2^7.
    assert!(close(comparison.test.p, 0.125));
    let found: Vec<_> =
        comparison.scenarios.iter().map(|change| (change.scenario.as_str(), change.trend)).collect();
    // As much worse as one another: what chance does less easily stands first.
    assert_eq!(found, [("a", Trend::Worse), ("d", Trend::Worse), ("b", Trend::Same), ("c", Trend::Better)]);
    assert!(close(comparison.scenarios[0].test.p, 0.0625) && close(comparison.scenarios[1].test.p, 1.0));
    assert_eq!(comparison.sentence(), "2 of 4 scenarios got worse and 1 got better, p = 0.12.");
    assert_eq!(comparison.broken, ["a#1", "a#2", "a#3", "a#4", "a#5", "d#1"]);
    assert_eq!(comparison.mended, ["c#2"]);
    assert_eq!((comparison.new, comparison.gone), (vec!["new".to_owned()], vec!["gone".to_owned()]));
    assert_eq!(comparison.undecided, ["undecided"]);
}

#[test]
fn other_repetitions_are_compared_by_their_numbers() {
    let before = played("a", "+++++++++-");
    let mut now = played("a", "+---------");
    for one in &mut now {
        one.job = format!("a#{}", one.repeat + 100);
    }
    let report = Report::against(&now, &before);
    let test = report.comparison.as_ref().unwrap().test;
    // Fisher's exact test of 9 of 10 and 1 of 10: 2 · (1 + 100) / 184756.
    assert_eq!((test.kind, test.pairs), (ExactTestKind::Fisher, 0));
    assert!(close(test.p, 2.0 * 101.0 / 184_756.0), "{test:?}");
    assert_eq!(
        report.comparison.unwrap().sentence(),
        "1 of 1 scenario got worse and none got better, p = 0.0011."
    );
    let nothing = Report::against(&played("a", "+"), &played("b", "+")).comparison.unwrap();
    assert!(nothing.sentence().contains("nothing to compare"));
}

#[test]
fn the_table_is_short_and_plain() {
    let report = Report::against(&batch(true), &batch(false));
    let table = Table::of(&report).to_string();
    assert!(table.lines().count() <= 30, "{table}");
    assert!(table.contains("p < 0.001") && table.contains("25 passed, 13 failed"), "{table}");
    let hostile: Vec<Outcome> = HOSTILE.iter().map(|text| all_of(text, Verdict::Failed)).collect();
    let table = Table::of(&Report::against(&hostile, &hostile)).to_string();
    assert!(table.lines().count() <= 30, "{table}");
    assert!(table.chars().all(|letter| letter == '\n' || !letter.is_control()), "{table}");
    assert!(Table::of(&Report::of(&[] as &[Outcome])).to_string().contains("nothing passed or failed"));
}

#[test]
fn a_report_is_json() {
    let report = Report::against(&batch(true), &batch(false));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["whole"]["counts"]["passed"], 25);
    assert_eq!(json["comparison"]["test"]["kind"], "mc_nemar");
}

proptest! {
    #[test]
    fn parts_add_up_to_the_whole(scenarios in prop::collection::vec("[+\\-cn]{1,6}", 0..12)) {
        let outcomes: Vec<Outcome> =
            scenarios.iter().enumerate().flat_map(|(place, verdicts)| played(&format!("s{place}"), verdicts)).collect();
        let report = Report::of(&outcomes);
        let sum = |of: fn(&rehearsal_report::Counts) -> u32| report.scenarios.iter().map(|part| of(&part.counts)).sum::<u32>();
        prop_assert_eq!(sum(|counts| counts.jobs), report.whole.counts.jobs);
        prop_assert_eq!(sum(|counts| counts.passed), report.whole.counts.passed);
        prop_assert_eq!(sum(rehearsal_report::Counts::decided), report.whole.counts.decided());
        // Against itself nothing has changed.
        let comparison = Report::against(&outcomes, &outcomes).comparison.unwrap();
        prop_assert_eq!(comparison.test.p, 1.0);
        prop_assert!(comparison.scenarios.iter().all(|change| change.trend == Trend::Same));
        prop_assert!(Table::of(&report).to_string().lines().count() <= 30);
    }
}

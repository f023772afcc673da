//! The totals, and the comparison with an earlier run.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::comparison::{Comparison, ScenarioChange, Trend};
use crate::part::{Amount, Counts, Part, Spent};
use crate::report::Report;
use crate::text::{count, counted, duration, mean, one_line, p_value, percent, percent_number, usd};

/// The most names of a list.
const NAMES: usize = 50;

/// The most values of pass^k.
const POWERS: usize = 10;

/// The head of the page: how good, how dear, how long.
pub(super) fn totals(report: &Report) -> Markup {
    let whole = &report.whole;
    let counts = &whole.counts;
    html! {
        section aria-labelledby="totals" {
            h2 id="totals" { "Totals" }
            div.cards {
                section.card aria-label="Pass rate" {
                    h3 { "Pass rate" }
                    @match &whole.pass_rate {
                        Some(rate) => {
                            p.large.number { (percent(rate.value)) }
                            p.muted.small { "interval " (percent_number(rate.interval.low)) " to " (percent(rate.interval.high)) }
                        }
                        None => p.large { "–" },
                    }
                    ul.verdicts.small.number {
                        li.passed { (counts.passed) " passed" }
                        li.failed { (counts.failed) " failed" }
                        @if counts.client_error > 0 { li.client_error { (counted(u64::from(counts.client_error), "client error")) } }
                        @if counts.not_played > 0 { li.not_played { (counts.not_played) " not played" } }
                    }
                }
                (powers(whole))
                section.card aria-label="Cost" {
                    h3 { "Cost" }
                    p.large.number { (total_usd(&whole.cost)) }
                    @if let Some(mean) = whole.cost.mean_usd { p.muted.small { (usd(mean)) " a conversation" } }
                    @if whole.cost.unknown > 0 {
                        p.muted.small { (counted(u64::from(whole.cost.unknown), "conversation")) " of unknown price" }
                    }
                    p.small.number {
                        "Tokens: " (count(whole.tokens.input.total)) " read, " (count(whole.tokens.output.total)) " written"
                        @if whole.tokens.other.total > 0 { ", " (count(whole.tokens.other.total)) " by client, judge and tools" }
                    }
                }
                section.card aria-label="A conversation" {
                    h3 { "A conversation" }
                    p.large.number { (mean_of(&whole.turns)) " turns" }
                    p.small.number { (mean_of(&whole.steps)) " steps of models, " (mean_of(&whole.tool_calls)) " tool calls" }
                    @if let Some(latency) = &whole.latency {
                        p.small.number { "An agent's turn: " (duration(latency.p50_ms)) " (p50), " (duration(latency.p95_ms)) " (p95)" }
                    }
                }
            }
        }
    }
}

fn mean_of(amount: &Amount) -> String {
    amount.mean.map_or_else(|| "–".to_owned(), mean)
}

fn total_usd(cost: &Spent) -> String {
    match cost.total_usd {
        Some(total) if cost.unknown > 0 => format!("≥ {}", usd(total)),
        Some(total) => usd(total),
        None => "–".to_owned(),
    }
}

fn powers(whole: &Part) -> Markup {
    html! {
        @if !whole.pass_k.is_empty() {
            section.card aria-label="pass^k" {
                h3 { "pass" sup { "k" } }
                table {
                    caption { "All of k repetitions pass: mean over scenarios." }
                    thead { tr { th scope="col" { "k" } th scope="col" { "Chance" } th scope="col" { "Interval" } } }
                    tbody {
                        @for power in whole.pass_k.iter().take(POWERS) {
                            tr.number {
                                th scope="row" { (power.k) }
                                td { (percent(power.value)) }
                                td.muted { (percent_number(power.interval.low)) "–" (percent_number(power.interval.high)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How it stands to an earlier run. `places` says where in the page a job is.
pub(super) fn comparison(comparison: &Comparison, places: &BTreeMap<&str, usize>) -> Markup {
    let worse: Vec<_> = comparison.went(Trend::Worse).collect();
    let better: Vec<_> = comparison.went(Trend::Better).collect();
    html! {
        section aria-labelledby="comparison" {
            h2 id="comparison" { "Against the earlier run" }
            p.lead { (comparison.sentence()) }
            p.muted.small {
                "By " (comparison.test.kind.name()) " over all conversations of these scenarios"
                @if comparison.test.pairs > 0 {
                    "; of " (counted(u64::from(comparison.test.pairs), "job")) " that both runs decided, "
                    (comparison.test.worse) " pass no longer and " (comparison.test.better) " pass now"
                }
                ". The p of one scenario is its own: of many, some are small by chance."
            }
            div.panels {
                @if !worse.is_empty() { (changes("Got worse", &worse)) }
                @if !better.is_empty() { (changes("Got better", &better)) }
                (measures(comparison))
                @if !comparison.broken.is_empty() {
                    section.panel aria-label="Conversations that pass no longer" {
                        h3 { "Conversations that pass no longer" }
                        (jobs(&comparison.broken, places))
                    }
                }
                (names("Nothing decided in one of the runs", &comparison.undecided))
                (names("New scenarios", &comparison.new))
                (names("Scenarios that are gone", &comparison.gone))
            }
        }
    }
}

fn changes(title: &str, changes: &[&ScenarioChange]) -> Markup {
    let of = |counts: &Counts| format!("{} of {}", counts.passed, counts.decided());
    html! {
        section.panel aria-label=(title) {
            h3 { (title) }
            table {
                thead {
                    tr { th scope="col" { "Scenario" } th scope="col" { "Before" } th scope="col" { "Now" } th scope="col" { "Chance" } }
                }
                tbody {
                    @for change in changes.iter().take(NAMES) {
                        tr {
                            th scope="row" dir="auto" { (one_line(&change.scenario)) }
                            td.number { (of(&change.before)) }
                            td.number { (of(&change.now)) }
                            td.number.muted { (p_value(change.test.p)) }
                        }
                    }
                }
            }
            (more(changes.len()))
        }
    }
}

fn more(all: usize) -> Markup {
    html! {
        @if all > NAMES { p.muted.small { "And " (count((all - NAMES) as u64)) " more." } }
    }
}

fn jobs(jobs: &[String], places: &BTreeMap<&str, usize>) -> Markup {
    html! {
        ul.list.small {
            @for job in jobs.iter().take(NAMES) {
                li dir="auto" {
                    @match places.get(job.as_str()) {
                        Some(place) => a href=(format!("#talk-{place}")) { (one_line(job)) },
                        None => (one_line(job)),
                    }
                }
            }
        }
        (more(jobs.len()))
    }
}

fn names(title: &str, names: &[String]) -> Markup {
    html! {
        @if !names.is_empty() {
            section.panel aria-label=(title) {
                h3 { (title) }
                ul.list.small { @for name in names.iter().take(NAMES) { li dir="auto" { (one_line(name)) } } }
                (more(names.len()))
            }
        }
    }
}

fn measures(comparison: &Comparison) -> Markup {
    let (before, now) = (&comparison.before, &comparison.now);
    let mut rows: Vec<(&str, String, String, String)> = Vec::new();
    if let (Some(before), Some(now)) = (&before.pass_rate, &now.pass_rate) {
        let points = (now.value - before.value) * 100.0;
        rows.push(("Pass rate", percent(before.value), percent(now.value), format!("{points:+.1} points")));
    }
    if let (Some(before), Some(now)) = (&before.latency, &now.latency) {
        let latencies = [
            ("An agent's turn, p50", before.p50_ms, now.p50_ms),
            ("An agent's turn, p95", before.p95_ms, now.p95_ms),
        ];
        for (name, before, now) in latencies {
            rows.push((name, duration(before), duration(now), growth(before as f64, now as f64)));
        }
    }
    if let (Some(before), Some(now)) = (before.cost.mean_usd, now.cost.mean_usd) {
        rows.push(("Cost of a conversation", usd(before), usd(now), growth(before, now)));
    }
    let amounts = [
        ("Tokens read", &before.input_tokens, &now.input_tokens),
        ("Tokens written", &before.output_tokens, &now.output_tokens),
        ("Steps of models", &before.steps, &now.steps),
    ];
    for (name, before, now) in amounts {
        if let (Some(before), Some(now)) = (before.mean, now.mean) {
            rows.push((name, mean(before), mean(now), growth(before, now)));
        }
    }
    html! {
        @if !rows.is_empty() {
            section.panel aria-label="Measures" {
                h3 { "Measures" }
                table {
                    caption { "Means of a conversation, over the scenarios that both runs have." }
                    thead { tr { th scope="col" { "What" } th scope="col" { "Before" } th scope="col" { "Now" } th scope="col" { "Change" } } }
                    tbody {
                        @for (name, before, now, growth) in rows {
                            tr.number {
                                th scope="row" { (name) }
                                td { (before) }
                                td { (now) }
                                td.muted { (growth) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// By which part of what it was before it has grown.
fn growth(before: f64, now: f64) -> String {
    if before > 0.0 { format!("{:+.0} %", (now / before - 1.0) * 100.0) } else { "–".to_owned() }
}

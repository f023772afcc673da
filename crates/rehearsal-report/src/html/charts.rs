//! Pictures of the numbers: bars in tables, whose numbers stand beside them, and a histogram. All are SVG without a style of its own.

use maud::{Markup, html};
use rehearsal::Outcome;

use crate::part::{Latency, Part, Rate};
use crate::report::Report;
use crate::text::{counted, duration, one_line, percent, percent_number, usd};

/// The most rows of a table.
const ROWS: usize = 40;

/// Pass rates by scenario and by tag, cost and latency.
pub(super) fn all(report: &Report, outcomes: &[Outcome]) -> Markup {
    let mut scenarios: Vec<&Part> = report.scenarios.iter().collect();
    let share = |part: &Part| part.pass_rate.map_or(2.0, |rate| rate.value);
    order::sort_by(&mut scenarios, |one, other| share(one).total_cmp(&share(other)));
    let tags: Vec<&Part> = report.tags.iter().collect();
    html! {
        section aria-labelledby="figures" {
            h2 id="figures" { "Figures" }
            div.panels {
                @if !scenarios.is_empty() { (rates("Pass rate by scenario", "Scenario", "The lowest first.", &scenarios)) }
                @if !tags.is_empty() { (rates("Pass rate by tag", "Tag", "By name.", &tags)) }
                (costs(report))
                @if let Some(latency) = &report.whole.latency { (latencies(latency, outcomes)) }
                (failed_checks(&report.whole))
                (statuses(&report.whole))
            }
        }
    }
}

fn rates(title: &str, what: &str, order: &str, parts: &[&Part]) -> Markup {
    html! {
        section.panel aria-label=(title) {
            h3 { (title) }
            table.bars {
                caption { (order) " Lines: 95 % interval (Wilson)." }
                thead { tr { th scope="col" { (what) } th scope="col" { "Pass rate" } th scope="col" { "Passed of decided" } } }
                tbody {
                    @for part in parts.iter().take(ROWS) {
                        tr {
                            th scope="row" dir="auto" { (one_line(&part.name)) }
                            td { @if let Some(rate) = &part.pass_rate { (rate_bar(rate)) } @else { "–" } }
                            td.number {
                                (part.counts.passed) " of " (part.counts.decided())
                                @if let Some(rate) = &part.pass_rate {
                                    ", " (percent(rate.value)) " "
                                    span.muted { "(" (percent_number(rate.interval.low)) "–" (percent_number(rate.interval.high)) ")" }
                                }
                                (others(part))
                            }
                        }
                    }
                }
            }
            (more(parts.len()))
        }
    }
}

/// Those that say nothing about the assistant.
fn others(part: &Part) -> Markup {
    let counts = &part.counts;
    html! {
        @if counts.client_error > 0 {
            " " span.client_error { "+ " (counted(u64::from(counts.client_error), "client error")) }
        }
        @if counts.not_played > 0 { " " span.not_played { "+ " (counts.not_played) " not played" } }
    }
}

fn more(all: usize) -> Markup {
    html! {
        @if all > ROWS { p.muted.small { (counted((all - ROWS) as u64, "row")) " more." } }
    }
}

/// A share as a bar, its interval as a line.
fn rate_bar(rate: &Rate) -> Markup {
    let (low, high) = (rate.interval.low * 100.0, rate.interval.high * 100.0);
    let says = format!(
        "{}, interval {} to {}",
        percent(rate.value),
        percent_number(rate.interval.low),
        percent(rate.interval.high)
    );
    html! {
        svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=(says) {
            rect.track x="0" y="0" width="100" height="10" {}
            rect.value x="0" y="0" width=(number(rate.value * 100.0)) height="10" {}
            line.whisker x1=(number(low)) x2=(number(high)) y1="5" y2="5" {}
            line.whisker x1=(number(low)) x2=(number(low)) y1="2" y2="8" {}
            line.whisker x1=(number(high)) x2=(number(high)) y1="2" y2="8" {}
        }
    }
}

/// A number of an attribute.
fn number(value: f64) -> String {
    format!("{value:.2}")
}

fn costs(report: &Report) -> Markup {
    let mut known: Vec<(&str, f64)> =
        report.scenarios.iter().filter_map(|part| Some((part.name.as_str(), part.cost.mean_usd?))).collect();
    order::sort_by(&mut known, |one, other| other.1.total_cmp(&one.1));
    let most = known.first().map_or(0.0, |(_, cost)| *cost);
    html! {
        @if most > 0.0 {
            section.panel aria-label="Cost by scenario" {
                h3 { "Cost by scenario" }
                table.bars {
                    caption { "US dollars a conversation, where the price is known." }
                    thead { tr { th scope="col" { "Scenario" } th scope="col" { "Cost" } th scope="col" { "Mean" } } }
                    tbody {
                        @for (name, cost) in known.iter().take(ROWS) {
                            tr {
                                th scope="row" dir="auto" { (one_line(name)) }
                                td {
                                    svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=(usd(*cost)) {
                                        rect.track x="0" y="0" width="100" height="10" {}
                                        rect.value x="0" y="0" width=(number((cost / most * 100.0).max(0.0))) height="10" {}
                                    }
                                }
                                td.number { (usd(*cost)) }
                            }
                        }
                    }
                }
                (more(known.len()))
            }
        }
    }
}

fn latencies(latency: &Latency, outcomes: &[Outcome]) -> Markup {
    let turns: Vec<u64> = outcomes.iter().flat_map(|outcome| outcome.cost.turn_ms.iter().copied()).collect();
    let percentiles = [
        ("p50", latency.p50_ms),
        ("p90", latency.p90_ms),
        ("p95", latency.p95_ms),
        ("p99", latency.p99_ms),
        ("longest", latency.max_ms),
    ];
    html! {
        section.panel aria-label="How long agents' turns took" {
            h3 { "How long agents' turns took" }
            (histogram(&turns))
            dl.percentiles.small {
                @for (name, ms) in percentiles { div { dt { (name) } dd.number { (duration(ms)) } } }
                div { dt { "turns" } dd.number { (latency.turns) } }
            }
        }
    }
}

/// Where a column of the histogram begins, in milliseconds: 1, 2 and 5 of each power of ten.
fn edges(turns: &[u64]) -> Vec<u64> {
    const POWERS: u32 = 9;
    let all: Vec<u64> = std::iter::once(0)
        .chain((0..POWERS).flat_map(|power| [1, 2, 5].map(|n| n * 10u64.pow(power))))
        .collect();
    let (least, most) = (turns.iter().min().copied().unwrap_or(0), turns.iter().max().copied().unwrap_or(0));
    let last = all.iter().rposition(|edge| *edge <= most).unwrap_or(0);
    let first = all.iter().rposition(|edge| *edge <= least).unwrap_or(0).max(last.saturating_sub(8));
    all[first..=last].to_vec()
}

/// How many turns took how long. Turns that are shorter than the first edge stand in the first column.
fn columns(turns: &[u64]) -> Vec<(u64, u32)> {
    let mut columns: Vec<(u64, u32)> = edges(turns).into_iter().map(|edge| (edge, 0)).collect();
    for turn in turns {
        let place = columns.iter().rposition(|(edge, _)| edge <= turn).unwrap_or(0);
        columns[place].1 += 1;
    }
    columns
}

fn histogram(turns: &[u64]) -> Markup {
    let columns = columns(turns);
    let most = columns.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    const WIDE: usize = 52;
    const HIGH: f64 = 90.0;
    let width = columns.len().max(7) * WIDE;
    let left = (width - columns.len() * WIDE) / 2;
    let says = columns
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(edge, count)| format!("{} from {}", counted(u64::from(*count), "turn"), duration(*edge)))
        .collect::<Vec<_>>()
        .join(", ");
    html! {
        svg.chart viewBox=(format!("0 0 {width} 128")) role="img" aria-label=(format!("Histogram: {says}.")) {
            @for (place, (edge, count)) in columns.iter().enumerate() {
                @let x = left + place * WIDE;
                @let high = f64::from(*count) / f64::from(most) * HIGH;
                rect x=(x + 2) y=(number(16.0 + HIGH - high)) width=(WIDE - 4) height=(number(high)) {}
                @if *count > 0 { text x=(x + WIDE / 2) y=(number(12.0 + HIGH - high)) { (count) } }
                text.edge x=(x + WIDE / 2) y="121" { (short(*edge)) }
            }
            line x1="0" x2=(width) y1="106.5" y2="106.5" {}
        }
        p.muted.small { "Columns begin at the duration beneath them; each is about twice as wide as the one before." }
    }
}

/// A duration in few letters: `200 ms`, `2 s`, `5 ks`.
fn short(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms}ms"),
        1000..1_000_000 => format!("{}s", ms / 1000),
        _ => format!("{}ks", ms / 1_000_000),
    }
}

fn failed_checks(whole: &Part) -> Markup {
    let failed: Vec<_> = whole.checks.iter().filter(|check| check.failed > 0).collect();
    html! {
        @if !failed.is_empty() {
            section.panel aria-label="Checks that failed" {
                h3 { "Checks that failed" }
                table {
                    thead { tr { th scope="col" { "Check" } th scope="col" { "Failed" } } }
                    tbody {
                        @for check in failed.iter().take(ROWS) {
                            tr {
                                th scope="row" dir="auto" { (one_line(&check.check)) }
                                td.number { (check.failed) " of " (check.failed + check.held) }
                            }
                        }
                    }
                }
                (more(failed.len()))
            }
        }
    }
}

fn statuses(whole: &Part) -> Markup {
    html! {
        @if !whole.statuses.is_empty() {
            section.panel aria-label="How conversations ended" {
                h3 { "How conversations ended" }
                table {
                    thead { tr { th scope="col" { "Status" } th scope="col" { "Conversations" } } }
                    tbody {
                        @for found in &whole.statuses {
                            tr { th scope="row" { (found.status.name()) } td.number { (found.count) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_every_turn() {
        assert_eq!(
            columns(&[0, 120, 199, 200, 950, 1999]),
            [(2, 1), (5, 0), (10, 0), (20, 0), (50, 0), (100, 2), (200, 1), (500, 1), (1000, 1)]
        );
        assert_eq!(columns(&[]), [(0, 0)]);
        assert_eq!(columns(&[300, 300]), [(200, 2)]);
        // At most nine: the shortest stand together.
        let far = columns(&[1, u64::MAX]);
        assert_eq!((far.len(), far[0].1, far[8].1), (9, 1, 1));
    }
}

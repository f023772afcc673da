//! A batch in a few lines of plain text: what stands at the end in a terminal.

use std::fmt;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::comparison::{Comparison, Trend};
use crate::part::{Part, PassK, Rate};
use crate::report::Report;
use crate::text::{count, counted, duration, mean, one_line, percent, percent_number, usd};

/// The most scenarios, checks and changes that are named each.
const NAMED: usize = 5;

/// The most columns of a name.
const NAME: usize = 36;

/// The most values of pass^k.
const POWERS: usize = 8;

/// A summary in plain text: at most 30 lines, no colours, no control characters whatever scenarios are called.
///
/// It is written with [`Display`](fmt::Display), and ends with a line's end.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    report: &'a Report,
}

impl<'a> Table<'a> {
    /// The summary of this report.
    #[must_use]
    pub fn of(report: &'a Report) -> Self {
        Self { report }
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = &self.report.whole;
        let mut row = |name: &str, text: String| writeln!(f, "{name:<14}{text}");
        row("Conversations", verdicts(whole))?;
        row(
            "Pass rate",
            whole.pass_rate.as_ref().map_or_else(|| "nothing passed or failed".to_owned(), rate),
        )?;
        if whole.pass_k.len() > 1 {
            row("pass^k", powers(&whole.pass_k))?;
        }
        row("Ended", statuses(whole))?;
        row("Cost", cost(whole))?;
        row(
            "Each",
            [(&whole.turns, "turns"), (&whole.steps, "steps"), (&whole.tool_calls, "tool calls")]
                .map(|(amount, name)| format!("{} {name}", amount.mean.map_or("no".to_owned(), mean)))
                .join(", "),
        )?;
        if let Some(latency) = &whole.latency {
            let at = [
                ("p50", latency.p50_ms),
                ("p90", latency.p90_ms),
                ("p95", latency.p95_ms),
                ("p99", latency.p99_ms),
            ];
            row("Agent's turn", at.map(|(name, ms)| format!("{name} {}", duration(ms))).join(", "))?;
        }
        self.worst(f)?;
        self.checks(f)?;
        match &self.report.comparison {
            Some(comparison) => against(f, comparison),
            None => Ok(()),
        }
    }
}

impl Table<'_> {
    fn worst(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = self.report.worst();
        if worst.is_empty() {
            return Ok(());
        }
        writeln!(f, "Worst scenarios")?;
        for part in worst.iter().take(NAMED) {
            let rate = part.pass_rate.as_ref().map(rate).unwrap_or_default();
            let counts = &part.counts;
            writeln!(f, "  {} {:>3} of {:<3} {rate}", name(&part.name), counts.passed, counts.decided())?;
        }
        more(f, worst.len(), "scenario")
    }

    fn checks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failed: Vec<_> = self.report.whole.checks.iter().filter(|check| check.failed > 0).collect();
        if failed.is_empty() {
            return Ok(());
        }
        writeln!(f, "Checks that failed")?;
        for check in failed.iter().take(NAMED) {
            writeln!(f, "  {} {:>3} of {}", name(&check.check), check.failed, check.failed + check.held)?;
        }
        more(f, failed.len(), "check")
    }
}

fn against(f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
    writeln!(f, "Against the earlier run: {}", comparison.sentence())?;
    let worse: Vec<_> = comparison.went(Trend::Worse).collect();
    for change in worse.iter().take(NAMED) {
        let share = |counts: &crate::part::Counts| format!("{} of {}", counts.passed, counts.decided());
        writeln!(f, "  {} {} -> {}", name(&change.scenario), share(&change.before), share(&change.now))?;
    }
    more(f, worse.len(), "scenario")?;
    let (before, now) = (&comparison.before, &comparison.now);
    let mut changes: Vec<String> = Vec::new();
    if let (Some(before), Some(now)) = (&before.latency, &now.latency) {
        changes.push(format!("p50 {} -> {}", duration(before.p50_ms), duration(now.p50_ms)));
        changes.push(format!("p95 {} -> {}", duration(before.p95_ms), duration(now.p95_ms)));
    }
    if let (Some(before), Some(now)) = (before.cost.mean_usd, now.cost.mean_usd) {
        changes.push(format!("{} -> {} a conversation", usd(before), usd(now)));
    }
    if !changes.is_empty() {
        writeln!(f, "  {}", changes.join(", "))?;
    }
    Ok(())
}

fn more(f: &mut fmt::Formatter<'_>, all: usize, what: &str) -> fmt::Result {
    match all.saturating_sub(NAMED) {
        0 => Ok(()),
        rest => writeln!(f, "  and {}", counted(rest as u64, &format!("more {what}"))),
    }
}

fn verdicts(part: &Part) -> String {
    let counts = &part.counts;
    let mut text =
        format!("{}: {} passed, {} failed", count(u64::from(counts.jobs)), counts.passed, counts.failed);
    if counts.client_error > 0 {
        text += &format!(", {}", counted(u64::from(counts.client_error), "client error"));
    }
    if counts.not_played > 0 {
        text += &format!(", {} not played", counts.not_played);
    }
    text
}

/// `84.2 % (76.4 to 89.8)`.
fn rate(rate: &Rate) -> String {
    let Rate { value, interval } = rate;
    format!("{} ({} to {})", percent(*value), percent_number(interval.low), percent(interval.high))
}

fn powers(powers: &[PassK]) -> String {
    let text: Vec<String> =
        powers.iter().take(POWERS).map(|power| format!("{}: {}", power.k, percent(power.value))).collect();
    let rest = if powers.len() > POWERS { ", …" } else { "" };
    text.join(", ") + rest
}

fn statuses(part: &Part) -> String {
    let all = part.statuses.iter().map(|found| format!("{} {}", found.count, found.status.name()));
    all.collect::<Vec<_>>().join(", ")
}

fn cost(part: &Part) -> String {
    let cost = &part.cost;
    let at_least = if cost.unknown > 0 { "at least " } else { "" };
    let spent = match (cost.total_usd, cost.mean_usd) {
        (Some(total), Some(mean)) => format!("{at_least}{}, {} a conversation", usd(total), usd(mean)),
        _ => "no price known".to_owned(),
    };
    let tokens = &part.tokens;
    let others = match tokens.other.total {
        0 => String::new(),
        total => format!(", {} by others", count(total)),
    };
    format!(
        "{spent}; tokens: {} read, {} written{others}",
        count(tokens.input.total),
        count(tokens.output.total)
    )
}

/// A name on one line, as wide as a column.
fn name(name: &str) -> String {
    let mut text = one_line(name);
    if text.width() > NAME {
        let mut width = 0;
        text = text
            .chars()
            .take_while(|letter| {
                width += letter.width().unwrap_or(0);
                width < NAME
            })
            .collect::<String>()
            + "…";
    }
    let rest = NAME.saturating_sub(text.width());
    text + &" ".repeat(rest)
}

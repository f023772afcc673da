//! An itinerary in a terminal: its days one after the other, and what does not work of it.

use serde::Deserialize;
use serde_json::Value;
use trip::{Itinerary, Kind, Money, Segment, Status, When};

use super::look::{Ink, Look};

/// Where the words of a segment begin, in columns; its times stand before it.
const INDENT: usize = 17;

/// Narrower than this the times have a line of their own.
const NARROW: usize = 50;

/// An itinerary as `get_itinerary` answers.
#[derive(Debug, Deserialize)]
pub struct Whole {
    itinerary: Itinerary,
    segments: Vec<Segment>,
    #[serde(default)]
    costs: Vec<Money>,
    #[serde(default)]
    findings: Vec<Finding>,
    #[serde(default)]
    unknown: Vec<String>,
}

/// Something that does not work.
#[derive(Clone, Debug, Deserialize)]
pub struct Finding {
    severity: String,
    text: String,
    way_out: String,
}

impl Whole {
    /// What the tool answered.
    ///
    /// # Errors
    /// When it is no itinerary.
    pub fn of(answer: Value) -> serde_json::Result<Self> {
        serde_json::from_value(answer)
    }

    /// All of it for a person.
    pub fn text(&self, look: Look) -> String {
        let row = &self.itinerary;
        let heading = |words: &str| look.ink(Ink::Heading, &terminal::plain(words));
        let mut out = format!("{}\n", heading(&row.title));
        let names: Vec<&str> = row.travellers.iter().map(|traveller| &*traveller.name).collect();
        let sums: Vec<String> = self.costs.iter().map(Money::text).collect();
        for (what, words) in [
            ("", span(row.start.as_deref(), row.end.as_deref())),
            ("Goes to ", row.destinations.join(", ")),
            ("Travellers: ", names.join(", ")),
            ("Budget: ", row.budget.as_ref().map(Money::text).unwrap_or_default()),
            ("So far: ", sums.join(" and ")),
        ] {
            if !words.is_empty() {
                out.push_str(&look.wrapped("", 0, &format!("{what}{words}")));
            }
        }
        let mut day = None;
        for segment in &self.segments {
            let own = segment.start.as_ref().and_then(When::day);
            if day != Some(own) {
                day = Some(own);
                let words = own.map_or_else(
                    || "Without a day".to_owned(),
                    |own| own.strftime("%a %-d %b %Y").to_string(),
                );
                out.push_str(&format!("\n{}\n", heading(&words)));
            }
            out.push_str(&of_segment(segment, look));
        }
        if self.segments.is_empty() {
            out.push_str("\nNothing is on it yet.\n");
        }
        if !self.findings.is_empty() {
            out.push_str(&format!("\n{}\n", heading("What does not work")));
            out.push_str(&told(&self.findings, look));
        }
        if !self.unknown.is_empty() {
            out.push_str(&look.wrapped("\n", 0, &format!("Nobody said yet: {}", self.unknown.join(", "))));
        }
        out
    }
}

/// Findings, each with its way out.
pub fn told(findings: &[Finding], look: Look) -> String {
    let mut out = String::new();
    for finding in findings {
        let ink = if finding.severity == "error" { Ink::Error } else { Ink::Warning };
        let word = terminal::plain(&finding.severity);
        // The colour of the word takes no column.
        let first = format!("  {}: ", look.ink(ink, &word));
        let indent = 4;
        let text = format!("{word}: {}", finding.text);
        let lines = look.wrapped("  ", indent, &text);
        out.push_str(&lines.replacen(&format!("  {word}: "), &first, 1));
        out.push_str(&look.wrapped("    ", indent, &finding.way_out));
    }
    out
}

/// A day as a person reads it; nothing for what is none.
fn day_said(day: &str) -> Option<String> {
    When::new(day, "").day().map(|day| day.strftime("%-d %b %Y").to_string())
}

/// The days of an itinerary.
pub fn span(start: Option<&str>, end: Option<&str>) -> String {
    match (start.and_then(day_said), end.and_then(day_said)) {
        (Some(start), Some(end)) => format!("{start} to {end}"),
        (Some(start), None) => format!("from {start}"),
        (None, Some(end)) => format!("until {end}"),
        (None, None) => String::new(),
    }
}

fn of_segment(segment: &Segment, look: Look) -> String {
    let clock = |when: &Option<When>| {
        let civil = when.as_ref().filter(|when| !when.is_all_day())?.civil()?;
        Some(format!("{:02}:{:02}", civil.hour(), civil.minute()))
    };
    let times = match (clock(&segment.start), clock(&segment.end)) {
        (Some(start), Some(end)) => format!("{start} to {end}"),
        (Some(start), None) => start,
        _ => String::new(),
    };
    let words = words_of(segment);
    match look.width {
        Some(width) if width < NARROW => {
            let times = if times.is_empty() { String::new() } else { format!("  {times}\n") };
            format!("{times}{}", look.wrapped("    ", 4, &words))
        }
        _ => look.wrapped(&format!("  {times:<15}"), INDENT, &words),
    }
}

/// What a segment is, without its times.
fn words_of(segment: &Segment) -> String {
    let mut parts = Vec::new();
    let number = format!("{} {}", segment.carrier, segment.number);
    parts.push(match segment.mode {
        Some(mode) => mode.word().to_owned(),
        None => segment.kind.word().to_owned(),
    });
    let days = |when: &Option<When>| when.as_ref().and_then(When::day);
    if let (Some(first), Some(last)) = (days(&segment.start), days(&segment.end))
        && last > first
    {
        parts.push(format!("until {}", last.strftime("%a %-d %b %Y")));
    }
    parts.push(number.trim().to_owned());
    let place = segment.starts_at().map(|place| place.name.clone()).unwrap_or_default();
    if !matches!(segment.kind, Kind::Flight | Kind::Transfer) && !segment.title.contains(&place) {
        // Of a place that is called as the segment is, where that is.
        let rest = place.strip_prefix(&segment.title).unwrap_or(&place);
        parts.push(rest.trim_start_matches([',', ' ']).to_owned());
    }
    parts.push(segment.cost.as_ref().map(Money::text).unwrap_or_default());
    parts.push(match segment.status {
        Status::Booked => "booked by you".to_owned(),
        Status::Idea => "an idea".to_owned(),
        Status::Planned => String::new(),
    });
    if !segment.code.is_empty() {
        parts.push(format!("code {}", segment.code));
    }
    if !segment.source.is_empty() {
        parts.push(format!("from {}", segment.source));
    }
    parts.retain(|part| !part.is_empty());
    format!("{} ({})", segment.title, parts.join(", "))
}

//! A batch as one page of HTML that needs nothing else: no request leaves it, and what was said in conversations is data in it.
//!
//! Every text is escaped by `maud`, in attributes too, and goes through [`shown`] first. The only script and the only style are the two
//! files beside this one; the page's Content-Security-Policy names their hashes, so that nothing else runs even if an escape were missed.

mod charts;
mod numbers;
mod talk;

use std::collections::{BTreeMap, BTreeSet};

use base64ct::{Base64, Encoding};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rehearsal::{Outcome, Verdict};
use sha2::{Digest, Sha256};

use crate::report::Report;
use crate::text::{count, counted, one_line, shown};

const STYLE: &str = include_str!("page.css");

const SCRIPT: &str = include_str!("page.js");

/// How many conversations stand in a page if nothing else is said: a browser scrolls and searches them without a pause.
pub const FULL: usize = 500;

/// How many of those that failed are open at first.
const OPEN: usize = 3;

/// The most pairs of models that are named.
const MODELS: usize = 10;

/// A page to be written.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// Its title.
    pub title: &'a str,
    /// The numbers.
    pub report: &'a Report,
    /// The conversations.
    pub outcomes: &'a [Outcome],
    /// The most conversations that stand in it, those that failed first; of the others it says how many there are. Usually [`FULL`].
    pub most: usize,
}

impl Page<'_> {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let talks = chosen(self.outcomes, self.most);
        let places: BTreeMap<&str, usize> =
            talks.iter().enumerate().map(|(place, outcome)| (outcome.job.as_str(), place)).collect();
        let (style, script) = (lines(STYLE), lines(SCRIPT));
        let policy = format!(
            "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'",
            hash(&style),
            hash(&script)
        );
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (one_line(self.title)) }
                    style { (PreEscaped(&style)) }
                }
                body {
                    a.skip href="#conversations" { "Skip to the conversations" }
                    header.top {
                        h1 dir="auto" { (one_line(self.title)) }
                        (self.about())
                    }
                    main {
                        (numbers::totals(self.report))
                        @if let Some(comparison) = &self.report.comparison {
                            (numbers::comparison(comparison, &places))
                        }
                        (charts::all(self.report, self.outcomes))
                        (self.conversations(&talks))
                        footer { p { "All figures are of the outcomes in this run. Intervals are 95 %." } }
                    }
                    script { (PreEscaped(&script)) }
                }
            }
        }
        .into_string()
    }

    /// What was played, by whom and when.
    fn about(&self) -> Markup {
        let report = self.report;
        let first = self.outcomes.iter().map(|outcome| outcome.record.start_time.as_str()).min();
        let last = self.outcomes.iter().map(|outcome| outcome.record.end_time.as_str()).max();
        html! {
            p.muted {
                (counted(u64::from(report.whole.counts.jobs), "conversation")) ", "
                (counted(report.scenarios.len() as u64, "scenario")) ", "
                (counted(u64::from(report.repetitions), "repetition")) " at most"
                @if let (Some(first), Some(last)) = (first, last) {
                    ", from " (one_line(first)) " to " (one_line(last))
                }
                "."
            }
            @for models in report.models.iter().take(MODELS) {
                p.muted.small dir="auto" {
                    "Assistant: " (one_line(&models.assistant)) " · client: " (one_line(&models.client))
                }
            }
            @if report.models.len() > MODELS {
                p.muted.small { "And " (counted((report.models.len() - MODELS) as u64, "more pair")) " of models." }
            }
        }
    }

    fn conversations(&self, talks: &[&Outcome]) -> Markup {
        let left = self.outcomes.len() - talks.len();
        let tags: BTreeSet<String> =
            talks.iter().flat_map(|outcome| outcome.tags.iter().map(|tag| one_line(tag))).collect();
        html! {
            section aria-labelledby="conversations" {
                h2 id="conversations" tabindex="-1" { "Conversations" }
                @if left > 0 {
                    p.lead {
                        (count(talks.len() as u64)) " of " (counted(self.outcomes.len() as u64, "conversation"))
                        " stand here, those that failed first. " (left_out(self.outcomes, talks))
                        " left out; results.jsonl has them."
                    }
                }
                // Without the script there is nothing to filter with: it shows the form.
                form.panel.filter id="filter" hidden role="search" aria-label="Filter conversations" {
                    label {
                        "Verdict"
                        select name="verdict" {
                            option value="" { "All" }
                            @for verdict in [Verdict::Failed, Verdict::NotPlayed, Verdict::ClientError, Verdict::Passed] {
                                @if talks.iter().any(|outcome| outcome.verdict == verdict) {
                                    option value=(talk::class(verdict)) { (talk::name(verdict)) }
                                }
                            }
                        }
                    }
                    label {
                        "Tag"
                        select name="tag" {
                            option value="" { "All" }
                            @for tag in &tags { option value=(tag) { (tag) } }
                        }
                    }
                    label.grow {
                        "Text"
                        input name="text" type="search" autocomplete="off" spellcheck="false";
                    }
                    button type="reset" { "Reset" }
                    button type="button" id="open" { "Open all" }
                    button type="button" id="close" { "Close all" }
                    p.small.muted role="status" id="shown" {}
                }
                @if talks.is_empty() { p { "No conversation was played." } }
                @for (place, outcome) in talks.iter().enumerate() {
                    (talk::talk(outcome, place, place < OPEN && outcome.verdict == Verdict::Failed))
                }
            }
        }
    }
}

/// How many are left out, by verdict.
fn left_out(all: &[Outcome], talks: &[&Outcome]) -> String {
    let verdicts = [Verdict::Failed, Verdict::NotPlayed, Verdict::ClientError, Verdict::Passed];
    let parts = verdicts.map(|verdict| {
        let all = all.iter().filter(|outcome| outcome.verdict == verdict).count();
        let here = talks.iter().filter(|outcome| outcome.verdict == verdict).count();
        (all > here).then(|| format!("{} {}", count((all - here) as u64), talk::name(verdict).to_lowercase()))
    });
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let more_than_one = all.len() - talks.len() > 1;
    format!("{text} {}", if more_than_one { "are" } else { "is" })
}

/// The conversations that stand in the page: by verdict, and where there are too many, the first of each scenario before the second of
/// any, so that one scenario that always fails does not hide the others.
fn chosen(outcomes: &[Outcome], most: usize) -> Vec<&Outcome> {
    let rank = |outcome: &Outcome| match outcome.verdict {
        Verdict::Failed => 0u8,
        Verdict::NotPlayed => 1,
        Verdict::ClientError => 2,
        Verdict::Passed => 3,
    };
    let mut nth: BTreeMap<(u8, &str), usize> = BTreeMap::new();
    let mut ranked: Vec<(u8, usize, &Outcome)> = outcomes
        .iter()
        .map(|outcome| {
            let nth = nth.entry((rank(outcome), &outcome.scenario)).or_default();
            *nth += 1;
            (rank(outcome), *nth, outcome)
        })
        .collect();
    order::sort_by(&mut ranked, |one, other| (one.0, one.1).cmp(&(other.0, other.1)));
    ranked.truncate(most);
    order::sort_by(&mut ranked, |one, other| {
        (one.0, &one.2.scenario, one.2.repeat).cmp(&(other.0, &other.2.scenario, other.2.repeat))
    });
    ranked.into_iter().map(|(_, _, outcome)| outcome).collect()
}

/// The text with the line ends a browser makes of it before it takes the hash: a checkout on Windows may have others.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The hash by which a policy allows a script or a style.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", Base64::encode_string(&Sha256::digest(text.as_bytes())))
}

/// A text of more than one line, as much of it as a page can hold of one text.
fn long(text: &str) -> Markup {
    const MOST: usize = 20_000;
    let (start, rest) = crate::text::cut(text, MOST);
    html! {
        (shown(start))
        @if rest > 0 { "\n… " (counted(rest as u64, "letter")) " more: results.jsonl has them." }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn colours_have_the_contrast_of_wcag_aa() {
        let themes: Vec<&str> =
            STYLE.split(":root {").skip(1).take(2).map(|rest| rest.split('}').next().unwrap()).collect();
        for theme in themes {
            let colour = |name: &str| {
                let (_, rest) = theme.split_once(&format!("--{name}: ")).unwrap();
                rest.split(';').next().unwrap()
            };
            let contrast = |one: &str, other: &str| {
                let (one, other) = (luminance(colour(one)), luminance(colour(other)));
                (one.max(other) + 0.05) / (one.min(other) + 0.05)
            };
            for ground in ["ground", "surface", "raised", "agent"] {
                for text in ["text", "muted", "accent", "passed", "failed", "strayed", "unplayed"] {
                    assert!(contrast(text, ground) >= 4.5, "{text} on {ground}: {}", contrast(text, ground));
                }
            }
            // What is no text: 3 to 1.
            assert!(contrast("accent", "track") >= 3.0 && contrast("text", "accent") >= 1.0);
        }
    }

    #[test]
    fn the_script_and_the_style_cannot_end_their_elements() {
        assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.contains("</") && !STYLE.contains("url(") && !STYLE.contains("@import"));
    }
}

//! A conversation, readable as a chat, with what was found out about it.

use maud::{Markup, html};
use rehearsal::record::Call;
use rehearsal::{Judgement, Note, Outcome, Status, Turn, Verdict};
use serde_json::Value;

use super::long;
use crate::text::{count, counted, cut, duration, one_line, usd};

/// The most turns of a conversation that stand in the page.
const TURNS: usize = 200;

/// A verdict as attributes and classes have it.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::ClientError => "client_error",
        Verdict::NotPlayed => "not_played",
    }
}

/// A verdict as people read it.
pub(super) fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "Passed",
        Verdict::Failed => "Failed",
        Verdict::ClientError => "Client error",
        Verdict::NotPlayed => "Not played",
    }
}

/// The conversation, at its place in the page.
pub(super) fn talk(outcome: &Outcome, place: usize, is_open: bool) -> Markup {
    let tags: Vec<String> = outcome.tags.iter().map(|tag| one_line(tag)).collect();
    html! {
        article.talk data-verdict=(class(outcome.verdict)) data-tags=(Value::from(tags.as_slice()).to_string()) {
            details open[is_open] {
                summary {
                    span class=(format!("badge {}", class(outcome.verdict))) { (name(outcome.verdict)) }
                    h3 dir="auto" { (one_line(&outcome.job)) }
                    @if let Some(why) = why(outcome) { p.why dir="auto" { (why) } }
                }
                // A link to what is folded unfolds it.
                div.inside id=(format!("talk-{place}")) {
                    (facts(outcome))
                    @if !tags.is_empty() {
                        ul.tags aria-label="Tags" { @for tag in &tags { li dir="auto" { (tag) } } }
                    }
                    @if let Some(error) = &outcome.record.error {
                        h4 { "Error" }
                        p.found.failed dir="auto" {
                            (long(error))
                            @if let Some(kind) = &outcome.record.error_type { " (" (one_line(kind)) ")" }
                        }
                    }
                    (notes("Where the client strayed", &outcome.client_errors))
                    (checks(outcome))
                    h4 { "What was said" }
                    (chat(&outcome.record.conversation_history))
                    (notes("Notes", &outcome.notes))
                    @if let Some(judgement) = &outcome.judgement { (judge(judgement)) }
                }
            }
        }
    }
}

/// The first thing to know of one that did not pass.
fn why(outcome: &Outcome) -> Option<String> {
    const MOST: usize = 240;
    let strayed = outcome.client_errors.first().filter(|_| outcome.verdict == Verdict::ClientError);
    let failed = outcome.checks.iter().filter(|check| !check.passed);
    let why = match (outcome.verdict, strayed, failed.clone().next()) {
        (Verdict::Passed, ..) => return None,
        (_, Some(note), _) => note.what.clone(),
        (_, _, Some(check)) => {
            let more = match failed.count() - 1 {
                0 => String::new(),
                more => format!(" (and {} more)", counted(more as u64, "check")),
            };
            let found = if check.found.is_empty() { String::new() } else { format!(": {}", check.found) };
            format!("{}{found}{more}", check.check)
        }
        _ => outcome
            .record
            .error
            .clone()
            .unwrap_or_else(|| format!("It ended as {}.", outcome.record.status.name())),
    };
    let why = one_line(&why);
    Some(match cut(&why, MOST) {
        (_, 0) => why,
        (start, _) => format!("{start}…"),
    })
}

fn facts(outcome: &Outcome) -> Markup {
    let record = &outcome.record;
    let cost = &outcome.cost;
    let mut tokens = format!("{} read, {} written", count(cost.input_tokens), count(cost.output_tokens));
    if cost.other_tokens > 0 {
        tokens += &format!(", {} by others", count(cost.other_tokens));
    }
    let honoured = match outcome.seed.honoured {
        Some(true) => "",
        Some(false) => " (not honoured)",
        None => " (not known to be honoured)",
    };
    let mut facts = vec![
        ("Ended", record.status.name().to_owned()),
        ("Began", record.start_time.clone()),
        ("Took", duration((record.duration_seconds.max(0.0) * 1000.0) as u64)),
        ("Turns", count(u64::from(record.total_turns))),
        ("Steps", count(u64::from(cost.steps))),
        ("Tool calls", count(u64::from(cost.tool_calls))),
        ("Tokens", tokens),
        ("Cost", cost.usd.map_or_else(|| "unknown".to_owned(), usd)),
        ("Assistant", outcome.models.assistant.clone()),
        ("Client", outcome.models.client.clone()),
        ("Seed", format!("{}{honoured}", outcome.seed.value)),
        ("Session", record.session_id.clone()),
        ("Events", outcome.event_hash.clone()),
    ];
    facts.extend(outcome.state_hash.clone().map(|hash| ("State", hash)));
    html! {
        dl.facts {
            @for (name, value) in facts {
                div { dt { (name) } dd dir="auto" { (one_line(&value)) } }
            }
        }
    }
}

fn checks(outcome: &Outcome) -> Markup {
    let unfinished = outcome.record.status != Status::Completed && outcome.checks.is_empty();
    html! {
        @if !outcome.checks.is_empty() {
            h4 { "Checks" }
            ul.checks {
                @for check in &outcome.checks {
                    li dir="auto" {
                        @if check.passed {
                            span.mark.passed aria-hidden="true" { "✓ " } span.hidden { "Holds: " }
                        } @else {
                            span.mark.failed aria-hidden="true" { "✗ " } span.hidden { "Does not hold: " }
                        }
                        (one_line(&check.check))
                        @if !check.found.is_empty() { ": " span.found.muted { "found " (long(&check.found)) } }
                    }
                }
            }
        } @else if unfinished {
            h4 { "Checks" }
            p.small { "None was made: it ended as " (outcome.record.status.name()) "." }
        }
    }
}

fn notes(title: &str, notes: &[Note]) -> Markup {
    html! {
        @if !notes.is_empty() {
            h4 { (title) }
            ul.notes {
                @for note in notes {
                    li dir="auto" {
                        span.muted { @if note.turn == 0 { "Before the first turn: " } @else { "Turn " (note.turn) ": " } }
                        (long(&note.what)) " " code { (one_line(&note.kind)) }
                    }
                }
            }
        }
    }
}

fn judge(judgement: &Judgement) -> Markup {
    html! {
        section.judge aria-label="A model's judgement" {
            h4 { "A model's judgement, which does not count" }
            p.small {
                @match judgement.passed {
                    Some(true) => strong.passed { "It would pass it." },
                    Some(false) => strong.failed { "It would fail it." },
                    None => strong { "Its answer could not be read." },
                }
                " " span.muted { (one_line(&judgement.model)) }
            }
            p.found.small dir="auto" { (long(&judgement.reason)) }
        }
    }
}

fn chat(turns: &[Turn]) -> Markup {
    html! {
        @if turns.is_empty() { p.muted.small { "Nothing." } }
        ol.chat {
            @for turn in turns.iter().take(TURNS) { (said(turn)) }
        }
        @if turns.len() > TURNS {
            p.muted.small { (counted((turns.len() - TURNS) as u64, "turn")) " more: results.jsonl has them." }
        }
    }
}

fn said(turn: &Turn) -> Markup {
    // With tools, the agent's name follows (S2-27).
    let (side, who) = match turn.speaker.strip_prefix("agent") {
        Some(name) => ("turn agent", format!("Agent {}", name.trim_start_matches('_')).trim().to_owned()),
        None if turn.speaker == "client" => ("turn client", "Client".to_owned()),
        None => ("turn client", turn.speaker.clone()),
    };
    html! {
        li class=(side) {
            p.who dir="auto" { (one_line(&who)) " · " (turn.turn) " · " (clock(&turn.timestamp)) }
            @if !turn.content.is_empty() { p.words dir="auto" { (long(&turn.content)) } }
            @for (place, call) in turn.tool_calls.iter().enumerate() {
                (called(call, turn.tool_results.get(place)))
            }
            // Results whose call is not known: nothing is hidden.
            @for result in turn.tool_results.iter().skip(turn.tool_calls.len()) {
                details.call { summary { "A result without a call" } pre dir="auto" { (long(&written(result))) } }
            }
        }
    }
}

/// The time of day of a moment in ISO 8601, else the text as it is.
fn clock(moment: &str) -> String {
    let is_time = |time: &&str| time.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    let time = moment.split_once('T').and_then(|(_, time)| time.get(..8)).filter(is_time);
    one_line(time.unwrap_or(moment))
}

fn called(call: &Call, result: Option<&Value>) -> Markup {
    let failed = result.is_some_and(|result| result.get("error").is_some());
    html! {
        details.call {
            summary {
                code { (one_line(&call.function.name)) }
                @if failed { " " strong.failed { "failed" } }
            }
            p { "Arguments" }
            pre dir="auto" { (long(&spread(&call.function.arguments))) }
            p { "Result" }
            pre dir="auto" { @match result { Some(result) => (long(&written(result))), None => "None." } }
        }
    }
}

/// A value on several lines. A text that is JSON is read first: that is how tools answer.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => spread(text),
        value => serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()),
    }
}

/// JSON on several lines where that changes nothing but spaces and the order of fields, else the text as it is: a number of thirty
/// digits and a field that stands twice are what a reader looks for.
fn spread(text: &str) -> String {
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        order::sort(&mut letters);
        letters
    };
    match serde_json::from_str::<Value>(text) {
        Ok(value) if letters(&value.to_string()) == letters(text) => {
            serde_json::to_string_pretty(&value).unwrap_or_else(|_| text.to_owned())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_spread_where_nothing_is_lost() {
        assert_eq!(spread(r#"{"b":1,"a":["x"]}"#), "{\n  \"a\": [\n    \"x\"\n  ],\n  \"b\": 1\n}");
        for text in ["no JSON", r#"{"a":1,"a":2}"#, "123456789012345678901234567890", "1.0e3"] {
            assert_eq!(spread(text), text);
        }
    }

    #[test]
    fn clocks_are_read_and_nothing_else_is_cut() {
        assert_eq!(clock("2026-11-25T09:30:07.123Z"), "09:30:07");
        assert_eq!(clock("noon"), "noon");
        assert_eq!(clock("T12:3"), "T12:3");
        assert_eq!(clock("Täääää"), "Täääää");
    }
}

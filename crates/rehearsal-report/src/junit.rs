//! A batch as JUnit XML, as GitLab, Jenkins and actions of GitHub read it.
//!
//! What the assistant did wrong is a failure, what could not be played an error. A client that strayed and a provider that does not
//! serve this place are skipped: they are nobody's fault here.

use std::collections::BTreeMap;
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use rehearsal::{Outcome, Status, Verdict};

use crate::text::{counted, cut, one_line, shown};

/// The most letters of a conversation that stand beside its failure: services cut off files that are too large.
const MAX_LETTERS: usize = 20_000;

/// How test cases are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suites {
    /// A suite for each scenario, with its repetitions.
    #[default]
    PerScenario,
    /// One suite for all.
    One,
}

/// The outcomes as a JUnit file. Suites are in the order of their first outcome.
///
/// # Errors
///
/// None is known: it is written into memory, and what writes it says it can fail.
pub fn junit<'a>(
    name: &str,
    outcomes: impl IntoIterator<Item = &'a Outcome>,
    suites: Suites,
) -> io::Result<String> {
    let mut grouped: Vec<(&str, Vec<&Outcome>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for outcome in outcomes {
        let suite = match suites {
            Suites::PerScenario => outcome.scenario.as_str(),
            Suites::One => name,
        };
        let place = *places.entry(suite).or_insert(grouped.len());
        match grouped.get_mut(place) {
            Some((_, outcomes)) => outcomes.push(outcome),
            None => grouped.push((suite, vec![outcome])),
        }
    }

    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let all = grouped.iter().flat_map(|(_, outcomes)| outcomes.iter().copied());
    open(&mut xml, "testsuites", &totals(name, all))?;
    for (suite, outcomes) in &grouped {
        let mut attributes = totals(suite, outcomes.iter().copied());
        if let Some(start) = outcomes.iter().map(|outcome| &outcome.record.start_time).min() {
            attributes.push(("timestamp", start.clone()));
        }
        open(&mut xml, "testsuite", &attributes)?;
        for outcome in outcomes {
            case(&mut xml, outcome)?;
        }
        close(&mut xml, "testsuite")?;
    }
    close(&mut xml, "testsuites")?;
    Ok(String::from_utf8_lossy(&xml.into_inner()).into_owned())
}

type Attributes = Vec<(&'static str, String)>;

fn totals<'a>(name: &str, outcomes: impl Iterator<Item = &'a Outcome>) -> Attributes {
    let (mut tests, mut failures, mut errors, mut skipped, mut time) = (0u32, 0u32, 0u32, 0u32, 0.0);
    for outcome in outcomes {
        tests += 1;
        time += outcome.record.duration_seconds;
        match CaseKind::of(outcome) {
            CaseKind::Passed => {}
            CaseKind::Failure => failures += 1,
            CaseKind::Error => errors += 1,
            CaseKind::Skipped => skipped += 1,
        }
    }
    vec![
        ("name", name.to_owned()),
        ("tests", tests.to_string()),
        ("failures", failures.to_string()),
        ("errors", errors.to_string()),
        ("skipped", skipped.to_string()),
        ("time", seconds(time)),
    ]
}

fn seconds(time: f64) -> String {
    // Readers of JUnit want a number.
    format!("{:.3}", if time.is_finite() { time } else { 0.0 })
}

/// What JUnit has for a verdict.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CaseKind {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl CaseKind {
    fn of(outcome: &Outcome) -> Self {
        match outcome.verdict {
            Verdict::Passed => Self::Passed,
            Verdict::Failed => Self::Failure,
            Verdict::ClientError => Self::Skipped,
            Verdict::NotPlayed if outcome.record.status == Status::FailedApiBlocked => Self::Skipped,
            Verdict::NotPlayed => Self::Error,
        }
    }
}

fn case(xml: &mut Writer<Vec<u8>>, outcome: &Outcome) -> io::Result<()> {
    let attributes = vec![
        ("name", outcome.job.clone()),
        ("classname", outcome.scenario.clone()),
        ("time", seconds(outcome.record.duration_seconds)),
    ];
    open(xml, "testcase", &attributes)?;
    let (message, what) = reasons(outcome);
    match CaseKind::of(outcome) {
        CaseKind::Passed => {}
        CaseKind::Failure => {
            element(xml, "failure", &[("message", message), ("type", "check".into())], &what)?
        }
        CaseKind::Skipped => element(xml, "skipped", &[("message", message)], &what)?,
        CaseKind::Error => {
            let kind = outcome.record.error_type.clone().unwrap_or_else(|| "not_played".to_owned());
            element(xml, "error", &[("message", message), ("type", kind)], &what)?;
        }
    }
    if outcome.verdict != Verdict::Passed && !outcome.record.conversation_history.is_empty() {
        element(xml, "system-out", &[], &said(outcome))?;
    }
    close(xml, "testcase")
}

/// Why it did not pass: in a line, and all there is to say.
fn reasons(outcome: &Outcome) -> (String, String) {
    let record = &outcome.record;
    let mut reasons: Vec<String> = Vec::new();
    if outcome.verdict == Verdict::ClientError {
        reasons.extend(outcome.client_errors.iter().map(|note| {
            format!("the simulated client strayed in turn {}: {} ({})", note.turn, note.what, note.kind)
        }));
    }
    reasons.extend(outcome.checks.iter().filter(|check| !check.passed).map(
        |check| match check.found.as_str() {
            "" => format!("{} does not hold", check.check),
            found => format!("{}: found {found}", check.check),
        },
    ));
    reasons.extend(record.error.clone());
    if record.status != Status::Completed {
        reasons.push(format!("it ended as {}", record.status.name()));
    }
    let message = match reasons.as_slice() {
        [] => "it did not pass".to_owned(),
        [only] => only.clone(),
        [first, others @ ..] => format!("{first}, and {} more", others.len()),
    };
    reasons.extend(
        outcome.notes.iter().map(|note| format!("turn {}: {} ({})", note.turn, note.what, note.kind)),
    );
    reasons.push(format!(
        "{}, seed {}, assistant {}, client {}",
        counted(u64::from(record.total_turns), "turn"),
        outcome.seed.value,
        outcome.models.assistant,
        outcome.models.client
    ));
    (message, reasons.join("\n"))
}

/// What was said and called, for who has only this file.
fn said(outcome: &Outcome) -> String {
    let mut text = String::new();
    for turn in &outcome.record.conversation_history {
        text.push_str(&format!("{} {}: {}\n", turn.turn, turn.speaker, turn.content));
        for call in &turn.tool_calls {
            text.push_str(&format!("  {}({})\n", call.function.name, call.function.arguments));
        }
        for result in &turn.tool_results {
            let result = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
            text.push_str(&format!("  -> {result}\n"));
        }
    }
    match cut(&text, MAX_LETTERS) {
        (_, 0) => text,
        (start, rest) => format!("{start}\n{} left out", counted(rest as u64, "letter")),
    }
}

/// An element's start. Attributes are on one line: a reader of XML makes line ends in them spaces anyway.
fn open(xml: &mut Writer<Vec<u8>>, name: &str, attributes: &[(&'static str, String)]) -> io::Result<()> {
    let attributes: Vec<(&str, String)> =
        attributes.iter().map(|(name, value)| (*name, one_line(value))).collect();
    let start =
        BytesStart::new(name).with_attributes(attributes.iter().map(|(name, value)| (*name, value.as_str())));
    xml.write_event(Event::Start(start))
}

fn close(xml: &mut Writer<Vec<u8>>, name: &str) -> io::Result<()> {
    xml.write_event(Event::End(BytesEnd::new(name)))
}

fn element(
    xml: &mut Writer<Vec<u8>>,
    name: &str,
    attributes: &[(&'static str, String)],
    text: &str,
) -> io::Result<()> {
    open(xml, name, attributes)?;
    xml.write_event(Event::Text(BytesText::new(&shown(text))))?;
    close(xml, name)
}

//! The checker: what of an itinerary cannot work, and a way out of it. Pure: rows in, findings out (issue 16, “The checker”).
//!
//! Start at [`check`]. A rule is a function in a file for what it looks at; [`rule`] has the names. What a person may mean is never an
//! error, and what is not known is never a finding: a zone, a place, opening hours that cannot be read. Ideas are looked at by
//! themselves alone, since several of them may stand for one plan.

mod between;
mod borders;
mod closed;
mod dates;
mod home;
mod hours;
mod nights;
mod people;
mod rooms;
mod spending;
mod telling;
mod timeline;
mod travel;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::model::{Accepted, Itinerary, Segment};
use crate::profile::Profile;
use crate::words::words;
use timeline::{Row, Trip};

pub(crate) use timeline::{goes_far, has_zones};

/// Something that does not work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The rule's name, for programs: `overlap`. It never changes: [`crate::Accepted::rule`] is on disk.
    pub rule: &'static str,
    /// Whether it is saved.
    pub severity: Severity,
    /// Ids of the segments it is about, in the order of the itinerary; empty for what is of the itinerary as a whole.
    pub rows: Vec<String>,
    /// What is wrong, in a sentence for a person, without ids (D-04), with the assumptions it was reckoned with.
    pub text: String,
    /// What to do about it, in a sentence.
    pub way_out: String,
    /// The same as a call of a tool, where one call does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
}

/// A call that is a way out. Nobody makes it unasked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Call {
    /// The tool's name.
    pub tool: &'static str,
    /// What it is called with; ids in it are for the model.
    pub arguments: Value,
}

words! {
    /// How bad a finding is.
    Severity {
        /// It cannot be meant: a tool refuses to save it.
        Error = "error",
        /// It is saved, and travels with the itinerary.
        Warning = "warning",
    }
}

/// The names of the rules. They are on disk, in [`crate::Accepted::rule`].
pub mod rule {
    /// A date that no calendar has, or that cannot be read. An error.
    pub const IMPOSSIBLE_DATE: &str = "impossible-date";
    /// A time zone that the IANA database does not have. An error.
    pub const UNKNOWN_ZONE: &str = "unknown-zone";
    /// It ends at an earlier moment than it begins. An error.
    pub const END_BEFORE_START: &str = "end-before-start";
    /// One leaves a hotel before one comes. An error.
    pub const CHECK_OUT_BEFORE_CHECK_IN: &str = "check-out-before-check-in";
    /// A time that no clock shows, since clocks go forward over it.
    pub const CLOCKS_FORWARD: &str = "clocks-forward";
    /// A time that clocks show twice, since they are put back.
    pub const CLOCKS_BACK: &str = "clocks-back";
    /// It is before the trip's first or after its last day.
    pub const OUTSIDE_TRIP: &str = "outside-trip";
    /// Two things at once, for the same people.
    pub const OVERLAP: &str = "overlap";
    /// Too little time between two flights.
    pub const SHORT_CONNECTION: &str = "short-connection";
    /// Too little time to be at the airport before a flight.
    pub const LATE_FOR_FLIGHT: &str = "late-for-flight";
    /// Too little time between two other things.
    pub const NOT_ENOUGH_TIME: &str = "not-enough-time";
    /// Faster than one can go, within a row or between two.
    pub const IMPOSSIBLE_SPEED: &str = "impossible-speed";
    /// A flight that arrives where it left.
    pub const SAME_AIRPORT: &str = "same-airport";
    /// Before opening, after closing, or on a day on which it is closed.
    pub const CLOSED: &str = "closed";
    /// A night without a bed.
    pub const NIGHT_WITHOUT_BED: &str = "night-without-bed";
    /// Two beds in one night.
    pub const BED_TWICE: &str = "bed-twice";
    /// More people than the rooms hold.
    pub const TOO_MANY_PEOPLE: &str = "too-many-people";
    /// It costs more than the budget.
    pub const OVER_BUDGET: &str = "over-budget";
    /// Costs that are not counted against the budget, since they are in other currencies.
    pub const OTHER_CURRENCY: &str = "other-currency";
    /// A passport that ends before the trip does.
    pub const PASSPORT_ENDS: &str = "passport-ends";
    /// A passport that ends within six months of the trip's end.
    pub const PASSPORT_SIX_MONTHS: &str = "passport-six-months";
    /// A visa whose dates do not cover the stay.
    pub const VISA_DATES: &str = "visa-dates";
    /// A trip that sets out from home and does not come back.
    pub const NO_WAY_HOME: &str = "no-way-home";

    /// Those that cannot be meant: nothing with one of them is saved, and none can be accepted. All others are warnings.
    pub const ERRORS: [&str; 4] =
        [IMPOSSIBLE_DATE, UNKNOWN_ZONE, END_BEFORE_START, CHECK_OUT_BEFORE_CHECK_IN];

    /// All of them.
    pub const ALL: [&str; 23] = [
        IMPOSSIBLE_DATE, UNKNOWN_ZONE, END_BEFORE_START, CHECK_OUT_BEFORE_CHECK_IN, CLOCKS_FORWARD,
        CLOCKS_BACK, OUTSIDE_TRIP, OVERLAP, SHORT_CONNECTION, LATE_FOR_FLIGHT, NOT_ENOUGH_TIME,
        IMPOSSIBLE_SPEED, SAME_AIRPORT, CLOSED, NIGHT_WITHOUT_BED, BED_TWICE, TOO_MANY_PEOPLE, OVER_BUDGET,
        OTHER_CURRENCY, PASSPORT_ENDS, PASSPORT_SIX_MONTHS, VISA_DATES, NO_WAY_HOME,
    ];
}

/// What does not work on an itinerary with these segments, the worst first, then in the order of the itinerary. The order in which the
/// segments come in changes nothing.
///
/// A warning that the person accepted is left out: on any of its rows ([`Segment::accepts`]), or on the itinerary for what is of it as a
/// whole. What was accepted of two segments is not accepted of one of them and a third, nor a sum of a larger one ([`Accepted::of`]). An
/// error cannot be accepted.
///
/// `profile` is what is known of the travellers: it says how many there are where nobody is named ([`Itinerary::heads`]).
#[must_use]
pub fn check(itinerary: &Itinerary, profile: Option<&Profile>, segments: &[Segment]) -> Vec<Finding> {
    look(itinerary, profile, segments.iter())
}

/// [`check`] of rows wherever they are.
pub(crate) fn look<'a>(
    itinerary: &Itinerary,
    profile: Option<&Profile>,
    segments: impl IntoIterator<Item = &'a Segment>,
) -> Vec<Finding> {
    findings_of(&Trip::read(itinerary, profile, &segments.into_iter().collect::<Vec<_>>()))
}

fn findings_of(trip: &Trip<'_>) -> Vec<Finding> {
    let mut findings = Findings { itinerary: trip.itinerary, all: Vec::new() };
    dates::check(trip, &mut findings);
    between::check(trip, &mut findings);
    closed::check(trip, &mut findings);
    nights::check(trip, &mut findings);
    rooms::check(trip, &mut findings);
    people::check(trip, &mut findings);
    spending::check(trip, &mut findings);
    home::check(trip, &mut findings);
    order::sort_by(&mut findings.all, |(one, _), (other, _)| one.cmp(other));
    findings.all.into_iter().map(|(_, finding)| finding).collect()
}

/// Writes into acceptances that are new what they are of ([`Accepted::of`]): what is found now, with what was accepted of the rule before. `row`
/// is the segment that has them, none for the itinerary's own; `was` is what there was before the call.
///
/// # Errors
/// A sentence, for one of which nothing is found: it would hold for whatever is found later, which nobody has seen.
pub(crate) fn remember<'a>(
    (itinerary, profile): (&Itinerary, Option<&Profile>),
    segments: impl IntoIterator<Item = &'a Segment>,
    row: Option<&str>,
    was: &[Accepted],
    now: &mut [Accepted],
) -> Result<(), String> {
    let mut is_new = now.iter_mut().filter(|accepted| !was.contains(accepted)).peekable();
    if is_new.peek().is_none() {
        return Ok(());
    }
    let trip = Trip::read(itinerary, profile, &segments.into_iter().collect::<Vec<_>>());
    let found = findings_of(&trip);
    for accepted in is_new {
        let before = was.iter().find(|known| known.rule == accepted.rule);
        accepted.of = before.map(|known| known.of.clone()).unwrap_or_default();
        // What was accepted whatever is found stays so.
        if before.is_some_and(|known| known.of.is_empty()) {
            continue;
        }
        let is_of_it = |finding: &&Finding| {
            finding.rule == accepted.rule
                && match row {
                    Some(row) => finding.rows.iter().any(|id| id == row),
                    None => finding.rows.is_empty() || is_of_the_whole(finding.rule),
                }
        };
        let mut told = found.iter().filter(is_of_it).peekable();
        // What was accepted before is found no more, and may get another reason.
        if told.peek().is_none() && before.is_none() {
            return Err(nothing_to_accept(&accepted.rule, row, &found));
        }
        let of: Vec<String> = match row {
            Some(row) => {
                told.flat_map(|finding| finding.rows.iter()).filter(|id| *id != row).cloned().collect()
            }
            None if accepted.rule == rule::OVER_BUDGET => {
                // The larger sum has the smaller in it.
                accepted.of.clear();
                spending::sum(&trip).into_iter().collect()
            }
            None => Vec::new(),
        };
        accepted.of.extend(of);
        order::sort(&mut accepted.of);
        accepted.of.dedup();
    }
    Ok(())
}

/// Why a finding cannot be accepted of a segment, or of the itinerary, where it is not found.
fn nothing_to_accept(name: &str, row: Option<&str>, found: &[Finding]) -> String {
    let is_elsewhere = found.iter().any(|finding| finding.rule == name);
    let (of, elsewhere) = match row {
        Some(_) => ("this segment", "of another segment, or of the itinerary (update_itinerary)"),
        None => ("the itinerary as a whole", "of a segment (update_segment)"),
    };
    if is_elsewhere {
        format!("{name} is not found of {of} but {elsewhere}: accept it there.")
    } else {
        format!("{name} is not found of {of}: there is nothing to accept. Accept a finding once it is told.")
    }
}

/// Whether what a rule finds is the itinerary's to accept, though it names rows: its nights, its budget, its way home.
fn is_of_the_whole(name: &str) -> bool {
    [rule::NIGHT_WITHOUT_BED, rule::OTHER_CURRENCY, rule::NO_WAY_HOME].contains(&name)
}

/// What decides where a finding stands: errors first, then the first of its rows (what is of the whole comes last), then its rule.
type Place = (Severity, usize, usize, &'static str, String);

/// What was found so far.
struct Findings<'a> {
    itinerary: &'a Itinerary,
    all: Vec<(Place, Finding)>,
}

/// What a rule says of rows.
struct Said {
    rule: &'static str,
    text: String,
    way_out: String,
    call: Option<Call>,
}

impl Findings<'_> {
    fn error(&mut self, rows: &[&Row<'_>], said: Said) {
        self.add(Severity::Error, rows, said);
    }

    fn warn(&mut self, rows: &[&Row<'_>], said: Said) {
        let is_accepted = rows.iter().any(|row| match rows {
            [_] => row.segment.accepts(said.rule),
            // Of two rows the other one is what was accepted beside this one.
            rows => rows.iter().any(|other| {
                other.place != row.place && row.segment.accepts_beside(said.rule, &other.segment.id)
            }),
        }) || ((rows.is_empty() || is_of_the_whole(said.rule))
            && self.itinerary_accepts(said.rule));
        if !is_accepted {
            self.add(Severity::Warning, rows, said);
        }
    }

    fn itinerary_accepts(&self, name: &str) -> bool {
        self.itinerary.accepted.iter().any(|accepted| accepted.rule == name)
    }

    fn add(&mut self, severity: Severity, rows: &[&Row<'_>], said: Said) {
        let mut rows: Vec<&Row<'_>> = rows.to_vec();
        order::sort_by_key(&mut rows, |row| row.place);
        let place_of = |at: usize| rows.get(at).map_or(usize::MAX, |row| row.place);
        let place = (severity, place_of(0), place_of(1), said.rule, said.text.clone());
        let finding = Finding {
            rule: said.rule,
            severity,
            rows: rows.iter().map(|row| row.segment.id.clone()).collect(),
            text: said.text,
            way_out: said.way_out,
            call: said.call,
        };
        self.all.push((place, finding));
    }
}

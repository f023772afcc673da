//! `update_itinerary`: changes an itinerary's own fields, or all of its days at once.

use async_trait::async_trait;
use dates::calendar::days_between;
use dates::iso::read_day;
use domain::{Patch, quoted};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::args::{PlaceArg, sum, travellers};
use crate::assumed::Assumptions;
use crate::atlas::Atlas;
use crate::change::{NotMoved, Written, put, written};
use crate::check::remember;
use crate::create::only;
use crate::found::{open_itinerary, segment_said, segments_of};
use crate::model::{Accepted, Itinerary, Segment};
use crate::money::Money;
use crate::moving::{Shift, moved, whole};
use crate::profile::{Known, Profile};
use crate::update::accept;
use crate::{clean, days};

pub(crate) struct UpdateItinerary(pub &'static dyn Atlas);

/// Only the fields that change; null clears one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditArgs {
    /// The itinerary's id or title; to be given where there are several.
    itinerary: Option<String>,
    /// A new title.
    title: Option<String>,
    /// Its first day: 2026-06-15.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    start: Patch<String>,
    /// Its last day.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    end: Patch<String>,
    /// Moves the whole trip with all segments by so many days, negative for earlier; what is booked stays and is reported. Without start and
    /// end.
    move_days: Option<i64>,
    /// Where it sets out and comes back to.
    #[serde(default)]
    #[schemars(with = "Option<PlaceArg>")]
    home: Patch<PlaceArg>,
    /// All destinations, in place of those it has.
    destinations: Option<Vec<String>>,
    /// The currency sums are told in.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    currency: Patch<String>,
    /// What all of it may cost, in major units.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    budget: Patch<f64>,
    /// Names or ids of travellers who do not come along after all.
    remove_travelers: Option<Vec<String>>,
    /// Figures for the checker, of those that change; null is the usual one again.
    assumptions: Option<AssumptionsArg>,
    /// More about it; "" clears it.
    note: Option<String>,
    /// A finding about the whole itinerary that the person wants to be so, with why: it is not told again.
    accept: Option<Accepted>,
    /// The rule of a finding that is to be told again.
    accept_no_more: Option<String>,
}

/// What the checker is to reckon with.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct AssumptionsArg {
    /// Minutes between two flights within a country.
    #[schemars(with = "Option<u32>")]
    connection_domestic_min: Patch<u32>,
    /// Minutes between two flights of which one crosses a border.
    #[schemars(with = "Option<u32>")]
    connection_international_min: Patch<u32>,
    /// Minutes at the airport before a flight leaves.
    #[schemars(with = "Option<u32>")]
    before_flight_min: Patch<u32>,
    /// Minutes from landing until one has left the airport.
    #[schemars(with = "Option<u32>")]
    leave_airport_min: Patch<u32>,
    /// Kilometres an hour on foot.
    #[schemars(with = "Option<u32>")]
    walking_kmh: Patch<u32>,
    /// Kilometres an hour on the road.
    #[schemars(with = "Option<u32>")]
    driving_kmh: Patch<u32>,
    /// Kilometres an hour by rail.
    #[schemars(with = "Option<u32>")]
    rail_kmh: Patch<u32>,
    /// How many people a room holds of which nobody said.
    #[schemars(with = "Option<u32>")]
    room_sleeps: Patch<u32>,
}

impl AssumptionsArg {
    fn over(self, was: &Assumptions) -> Assumptions {
        Assumptions {
            connection_domestic_min: self.connection_domestic_min.over(was.connection_domestic_min),
            connection_international_min: self
                .connection_international_min
                .over(was.connection_international_min),
            before_flight_min: self.before_flight_min.over(was.before_flight_min),
            leave_airport_min: self.leave_airport_min.over(was.leave_airport_min),
            walking_kmh: self.walking_kmh.over(was.walking_kmh),
            driving_kmh: self.driving_kmh.over(was.driving_kmh),
            rail_kmh: self.rail_kmh.over(was.rail_kmh),
            room_sleeps: self.room_sleeps.over(was.room_sleeps),
        }
    }
}

/// The most days a trip is moved by at once: a hundred years.
const MOST_DAYS: i64 = 36_525;

#[async_trait(?Send)]
impl Tool<Stage> for UpdateItinerary {
    const NAME: &'static str = "update_itinerary";
    const TITLE: &'static str = "Change the itinerary";
    const DESCRIPTION: &'static str = "Changes the itinerary's own fields: title, days, home, destinations, currency, budget, what the checker reckons \
         with. With move_days the whole trip moves.";
    const HINTS: Hints = Hints { idempotent: false, ..Hints::SET };
    type Args = EditArgs;
    type Output = Written;

    async fn run(&self, args: EditArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let before = open_itinerary(stage, args.itinerary.as_deref())?;
        let mut after = Itinerary::clone(&before);
        if args.move_days.is_some() && (args.start.is_said() || args.end.is_said()) {
            return Err(ToolError::Rejected("Give either `move_days`, or `start` and `end`.".into()));
        }
        after.title = args.title.unwrap_or(after.title);
        after.start = args.start.over(after.start);
        after.end = args.end.over(after.end);
        after.home = match args.home {
            Patch::Set(home) => Some(home.resolve(self.0, None)),
            Patch::Clear => None,
            Patch::Keep => after.home,
        };
        after.destinations = args.destinations.unwrap_or(after.destinations);
        after.currency = args.currency.over_text(&before.currency);
        after.budget = match args.budget {
            Patch::Set(amount) => {
                let said = Some(&*after.currency).filter(|currency| !currency.is_empty());
                let budget = sum(amount, said, Some(&before))?;
                note_budget(stage, &before.id, Some(&budget));
                Some(budget)
            }
            Patch::Clear => {
                note_budget(stage, &before.id, None);
                None
            }
            Patch::Keep => after.budget,
        };
        if let Some(assumptions) = args.assumptions {
            after.assumptions = assumptions.over(&before.assumptions);
        }
        after.note = args.note.unwrap_or(after.note);
        accept(&mut after.accepted, args.accept, args.accept_no_more.as_deref())?;
        let rows = segments_of(stage, &before.id);
        let rows = rows.iter().map(|segment| &**segment);
        let now = Itinerary { accepted: before.accepted.clone(), ..after.clone() };
        let profile = stage.get::<Profile>(&before.id);
        remember((&now, profile.as_deref()), rows, None, &before.accepted, &mut after.accepted)
            .map_err(ToolError::Rejected)?;
        let gone = travellers(&before, args.remove_travelers.unwrap_or_default())?;
        after.travellers.retain(|traveller| !gone.contains(&traveller.id));
        clean::itinerary(&mut after).map_err(ToolError::Rejected)?;
        if before.title != after.title {
            only(stage, &after)?;
        }
        let mut not_moved = Vec::new();
        if let Some(days) = args.move_days.filter(|days| *days != 0) {
            not_moved = move_all(stage, &mut after, days)?;
        }
        if !gone.is_empty() {
            for segment in segments_of(stage, &before.id) {
                let mut without = Segment::clone(&segment);
                without.who.retain(|id| !gone.contains(id));
                // Nobody left would be everybody.
                if without.who.is_empty() && !segment.who.is_empty() {
                    return Err(ToolError::Rejected(format!(
                        "Nobody else takes part in {}: delete it, or say who takes part, first.",
                        segment_said(&segment)
                    )));
                }
                put(stage, &segment, without);
            }
        }
        let title = quoted(&after.title);
        // A trip without days moves by its segments alone.
        let is_same = *before == after
            && stage.changed::<Segment>().is_empty()
            && stage.changed::<Profile>().is_empty();
        let summary = match (is_same, args.move_days) {
            (true, Some(by)) if by != 0 => format!("Nothing of {title} was moved."),
            (true, _) => format!("{title} was like that already."),
            (false, Some(by)) if by != 0 => {
                let by_days = domain::counted(usize::try_from(by.unsigned_abs()).unwrap_or(0), "day", "days");
                let way = if by > 0 { "later" } else { "earlier" };
                let span = days::span(&after);
                let now = if span.is_empty() { String::new() } else { format!(": {span}") };
                format!("Moved {title} {by_days} {way}{now}.")
            }
            _ if before.title != after.title => format!("Renamed {} to {title}.", quoted(&before.title)),
            _ => format!("Changed {title}."),
        };
        if *before != after {
            after.updated_ms = stage.moment().at_ms;
            stage.put(after);
        }
        Ok(written(stage, &before.id, summary)?.but(not_moved))
    }
}

/// Has what was said of the budget be the one of the itinerary, where something was said: two sums would stand beside each other, and one
/// that is taken back would come back (S4-18). A sum has its own figures as the words it was taken from.
fn note_budget(stage: &mut Stage, itinerary: &str, budget: Option<&Money>) {
    let Some(profile) = stage.get::<Profile>(itinerary) else { return };
    let is_other = |known: &Known<Money>| Some(&known.value) != budget;
    if profile.budget.as_ref().is_some_and(is_other) {
        let budget = budget.map(|sum| Known { value: sum.clone(), confidence: 1.0, said: sum.text() });
        let updated_ms = stage.moment().at_ms;
        stage.put(Profile { budget, updated_ms, ..Profile::clone(&profile) });
    }
}

/// Moves the days of an itinerary and all its segments but those that are pinned.
fn move_all(stage: &mut Stage, itinerary: &mut Itinerary, days: i64) -> Result<Vec<NotMoved>, ToolError> {
    if days.unsigned_abs() > MOST_DAYS.unsigned_abs() {
        return Err(ToolError::Rejected(format!("move_days may be -{MOST_DAYS} to {MOST_DAYS}.")));
    }
    let by = Shift::days(days);
    for day in [&mut itinerary.start, &mut itinerary.end].into_iter().flatten() {
        let when = crate::model::When::new(day.clone(), "");
        let new = moved(&when, by);
        *day = new.ok_or_else(|| ToolError::Rejected("That is beyond the calendar.".into()))?.at;
    }
    let mut not_moved = Vec::new();
    for segment in segments_of(stage, &itinerary.id) {
        if segment.is_pinned() {
            if segment.start.is_some() || segment.end.is_some() {
                not_moved.push(NotMoved::of(&segment));
            }
            continue;
        }
        let after = whole(&segment, by).map_err(ToolError::Rejected)?;
        put(stage, &segment, after);
    }
    Ok(not_moved)
}

/// How many days later a trip begins that begins on a day, where both are known.
pub(crate) fn days_to(itinerary: &Itinerary, start: &str) -> Option<i64> {
    Some(days_between(read_day(itinerary.start.as_deref()?)?, read_day(start)?))
}

//! `update_segment`: changes fields of a segment. What hangs on it moves along where its times change.

use async_trait::async_trait;
use domain::{Patch, quoted};
use mcp::{Hints, Tool, ToolError};
use places::Zone;
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::args::{DependencyArg, PlaceArg, around, checked_zone, dependencies, sum, travellers};
use crate::atlas::Atlas;
use crate::change::{Written, put_along, written};
use crate::check::{remember, rule};
use crate::clean;
use crate::found::{open_itinerary, segment_to_change, segments_of};
use crate::model::{Accepted, Kind, Mode, Place, Segment, Status, When};
use crate::moving::Shift;
use crate::profile::Profile;
use crate::shift::held;

pub(crate) struct UpdateSegment(pub &'static dyn Atlas);

/// Which one, and only the fields that change; null clears one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UpdateArgs {
    /// The segment's id or title.
    segment: String,
    /// The itinerary, where the segment is given by its title.
    itinerary: Option<String>,
    /// A new title.
    title: Option<String>,
    /// When it begins: 2026-06-15T09:00, or a day.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    start: Patch<String>,
    /// When it ends.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    end: Patch<String>,
    /// The IANA time zone of the start.
    start_zone: Option<String>,
    /// The IANA time zone of the end.
    end_zone: Option<String>,
    /// Where a flight or a transfer sets out.
    #[serde(default)]
    #[schemars(with = "Option<PlaceArg>")]
    from: Patch<PlaceArg>,
    /// Where a flight or a transfer arrives.
    #[serde(default)]
    #[schemars(with = "Option<PlaceArg>")]
    to: Patch<PlaceArg>,
    /// Where anything else is.
    #[serde(default)]
    #[schemars(with = "Option<PlaceArg>")]
    place: Patch<PlaceArg>,
    /// What it costs in all, in major units.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    cost: Patch<f64>,
    /// The currency of the cost.
    currency: Option<String>,
    /// The confirmation code of the person's booking; null takes it away.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    code: Patch<String>,
    /// true only where the person says that they booked it themselves, false where they say that they did not.
    booked_by_you: Option<bool>,
    /// true for one of several possibilities, false for what is to be done.
    idea: Option<bool>,
    /// All links, in place of those it has.
    links: Option<Vec<String>>,
    /// When the place is open, in OpenStreetMap's words.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    opening: Patch<String>,
    /// How many people one room holds.
    #[serde(default)]
    #[schemars(with = "Option<u32>")]
    sleeps: Patch<u32>,
    /// How many rooms.
    #[serde(default)]
    #[schemars(with = "Option<u32>")]
    rooms: Patch<u32>,
    /// The airline, the railway.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    carrier: Patch<String>,
    /// The flight's or train's number.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    number: Patch<String>,
    /// How one goes.
    #[serde(default)]
    #[schemars(with = "Option<Mode>")]
    mode: Patch<Mode>,
    /// Names or ids of all travellers who take part; [] for everybody.
    who: Option<Vec<String>>,
    /// All that it hangs on, in place of what it has; [] for nothing.
    depends_on: Option<Vec<DependencyArg>>,
    /// More about it; "" clears it.
    note: Option<String>,
    /// true only where the person says that they changed the booking itself: then what is booked gets other times, too.
    booking_changed: Option<bool>,
    /// A finding that the person wants to be so, with why: it is not told again.
    accept: Option<Accepted>,
    /// The rule of a finding that is to be told again.
    accept_no_more: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for UpdateSegment {
    const NAME: &'static str = "update_segment";
    const TITLE: &'static str = "Change a segment";
    const DESCRIPTION: &'static str = "Changes a flight, a hotel or anything else on the itinerary: give only the fields that change. Where its times \
         change, what hangs on it moves along, but for what the person booked. It changes no booking.";
    const HINTS: Hints = Hints::SET;
    type Args = UpdateArgs;
    type Output = Written;

    async fn run(&self, args: UpdateArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let before = segment_to_change(stage, &args.segment, args.itinerary.as_deref())?;
        let itinerary = open_itinerary(stage, Some(&before.itinerary))?;
        let others = segments_of(stage, &itinerary.id);
        let mut after = Segment::clone(&before);
        if let Some(title) = args.title {
            after.title = title;
        }
        let here = around(self.0, &itinerary, &others, before.start.as_ref());
        let near = here.as_ref().and_then(Place::spot).filter(|_| before.kind != Kind::Flight);
        let place = |patch: Patch<PlaceArg>, was: Option<Place>| match patch {
            Patch::Keep => was,
            Patch::Clear => None,
            Patch::Set(place) => Some(place.resolve(self.0, near)),
        };
        let moves = (args.from.is_said() || args.place.is_said(), args.to.is_said() || args.place.is_said());
        after.from = place(args.from, after.from.take());
        after.to = place(args.to, after.to.take());
        after.place = place(args.place, after.place.take());
        let (starts_at, ends_at) = (zone_of(after.starts_at()), zone_of(after.ends_at()));
        after.start = time(self.0, args.start, args.start_zone, after.start.take(), (moves.0, starts_at))?;
        after.end = time(self.0, args.end, args.end_zone, after.end.take(), (moves.1, ends_at))?;
        after.cost = match args.cost {
            Patch::Keep if args.currency.is_some() => {
                return Err(ToolError::Rejected("Give the cost with its currency.".into()));
            }
            Patch::Keep => after.cost.take(),
            Patch::Clear => None,
            Patch::Set(amount) => {
                let was = before.cost.as_ref().map(|cost| cost.currency.clone());
                Some(sum(amount, args.currency.or(was).as_deref(), Some(&itinerary))?)
            }
        };
        after.code = args.code.over_text(&before.code);
        after.status = match (args.booked_by_you, args.idea, before.status) {
            (Some(true), Some(true), _) => {
                return Err(ToolError::Rejected(
                    "What the person booked is no idea: give one of the two.".into(),
                ));
            }
            (Some(true), _, _) => Status::Booked,
            (_, Some(true), _) => Status::Idea,
            (Some(false), _, Status::Booked) | (_, Some(false), Status::Idea) => Status::Planned,
            (_, _, was) => was,
        };
        after.links = args.links.unwrap_or(after.links);
        after.opening = args.opening.over_text(&before.opening);
        after.sleeps = args.sleeps.over(before.sleeps);
        after.rooms = args.rooms.over(before.rooms);
        after.carrier = args.carrier.over_text(&before.carrier);
        after.number = args.number.over_text(&before.number);
        after.mode = args.mode.over(before.mode);
        if let Some(who) = args.who {
            after.who = travellers(&itinerary, who)?;
        }
        if let Some(on) = args.depends_on {
            after.depends_on = dependencies(stage, &itinerary, &before.id, on)?;
        }
        after.note = args.note.unwrap_or(after.note);
        accept(&mut after.accepted, args.accept, args.accept_no_more.as_deref())?;
        // What is accepted is what is found of it as it is after this call.
        let now = Segment { accepted: before.accepted.clone(), ..after.clone() };
        let rest = others.iter().map(|segment| &**segment).filter(|segment| segment.id != before.id);
        let rows = rest.chain([&now]);
        let profile = stage.get::<Profile>(&itinerary.id);
        let whole = (&*itinerary, profile.as_deref());
        remember(whole, rows, Some(&before.id), &before.accepted, &mut after.accepted)
            .map_err(ToolError::Rejected)?;
        clean::segment(&mut after).map_err(ToolError::Rejected)?;
        if before.is_pinned()
            && after.is_pinned()
            && args.booking_changed != Some(true)
            && (is_moved(&before.start, &after.start) || is_moved(&before.end, &after.end))
        {
            return Err(held(&before));
        }
        let summary = match (*before == after, before.title == after.title) {
            (true, _) => format!("{} was like that already.", quoted(&before.title)),
            (false, true) => format!("Changed {}{}.", quoted(&after.title), what(&before, &after)),
            (false, false) => format!("Renamed {} to {}.", quoted(&before.title), quoted(&after.title)),
        };
        let not_moved = put_along(stage, &before, after)?;
        Ok(written(stage, &itinerary.id, summary)?.of(&before).but(not_moved))
    }
}

/// Takes a finding as one that is so on purpose, or no more.
///
/// # Errors
/// [`ToolError::Rejected`] for a word that is no rule, and for what cannot be meant.
pub(crate) fn accept(
    all: &mut Vec<Accepted>,
    accept: Option<Accepted>,
    no_more: Option<&str>,
) -> Result<(), ToolError> {
    if let Some(rule) = no_more {
        all.retain(|known| known.rule != rule);
    }
    let Some(accept) = accept else { return Ok(()) };
    if !rule::ALL.contains(&&*accept.rule) {
        return Err(ToolError::Rejected(format!(
            "{} is no rule: give the rule of a finding, such as {}.",
            clean::shown(&accept.rule),
            rule::OVERLAP
        )));
    }
    if rule::ERRORS.contains(&&*accept.rule) {
        return Err(ToolError::Rejected(format!(
            "{} cannot be accepted: it can only be put right.",
            accept.rule
        )));
    }
    all.retain(|known| known.rule != accept.rule);
    all.push(accept);
    Ok(())
}

/// Whether a time becomes another one. What was not known is told more exactly, which moves nothing: an end, a time of that day, a zone.
/// The same time on the clocks of another zone is another one.
fn is_moved(before: &Option<When>, after: &Option<When>) -> bool {
    let Some(before) = before else { return false };
    let moment = |when: &When| Some(Zone::named(&when.zone)?.instant(when.civil()?).utc());
    after.as_ref().is_none_or(|after| {
        let loses_time = before.civil().is_some() && after.civil().is_none();
        let is_elsewhere = moment(before).zip(moment(after)).is_some_and(|(one, other)| one != other);
        loses_time || is_elsewhere || !Shift::between(Some(before), Some(after)).is_none()
    })
}

fn zone_of(place: Option<&Place>) -> Option<String> {
    place.map(|place| place.zone.clone()).filter(|zone| !zone.is_empty())
}

/// A time after an update. Where the place changed its zone goes with it.
fn time(
    atlas: &dyn Atlas,
    at: Patch<String>,
    zone: Option<String>,
    was: Option<When>,
    (moves, of_place): (bool, Option<String>),
) -> Result<Option<When>, ToolError> {
    let Some(at) = at.over(was.as_ref().map(|was| was.at.clone())) else { return Ok(None) };
    let known = was.map(|was| was.zone).filter(|zone| !zone.is_empty());
    let usual = if moves { of_place.or(known) } else { known.or(of_place) };
    let zone = checked_zone(atlas, zone.or(usual).unwrap_or_default())?;
    Ok(Some(When { at, zone }))
}

/// What of a change is worth a word: that it is booked or not, and where it is now.
fn what(before: &Segment, after: &Segment) -> String {
    if before.status != after.status {
        return match after.status {
            Status::Booked => ": it is booked by you".into(),
            Status::Planned => ": it is planned".into(),
            Status::Idea => ": it is an idea".into(),
        };
    }
    if before.start != after.start || before.end != after.end {
        return format!(
            ": it is{}",
            if after.start.is_some() { crate::days::on(after) } else { " without a day".into() }
        );
    }
    String::new()
}

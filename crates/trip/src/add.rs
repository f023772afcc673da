//! What all tools that add a segment have in common. Adding is never called booking (S4-20): the sentence says that nothing was booked,
//! and a segment is “booked by you” only where the person says that they did.

use domain::quoted;
use mcp::ToolError;
use store::Stage;

use crate::args::{DependencyArg, PlaceArg, around, checked_zone, dependencies, sum, travellers};
use crate::change::{Written, written};
use crate::found::{itinerary_said, open_itinerary, segments_of};
use crate::model::{Kind, MAX_SEGMENTS, Mode, Place, Segment, Status, When};
use crate::search::{DEMO, Demo, Desk, SearchSource, is_demo, sourced};
use crate::{clean, days};

/// Makes the arguments of a tool that adds a segment: its own fields, then those that all have.
macro_rules! add_args {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            $($(#[$doc])* $field: $type,)*
            /// What it costs in all, in major units (3200.50).
            cost: Option<f64>,
            /// Three letters of ISO 4217; the itinerary's when left out.
            currency: Option<String>,
            /// The confirmation code of a booking the person made: it stays where it is when others move.
            code: Option<String>,
            /// true only where the person says that they booked it themselves.
            booked_by_you: Option<bool>,
            /// true for one of several possibilities.
            idea: Option<bool>,
            /// Addresses of pages about it.
            links: Option<Vec<String>>,
            /// More about it, such as why it was chosen.
            note: Option<String>,
            /// Names or ids of the travellers who take part; everybody when left out.
            who: Option<Vec<String>>,
            /// What it hangs on and moves with.
            depends_on: Option<Vec<$crate::args::DependencyArg>>,
            /// The id of a result of a search: it fills in what is left out here, for the days that are said.
            from_search: Option<String>,
            /// Where it came from, if from a search: as the result says.
            source: Option<String>,
            /// The itinerary's id or title; to be given where there are several.
            itinerary: Option<String>,
        }

        impl $name {
            /// What all of them have, taken out.
            fn common(&mut self) -> $crate::add::Common {
                $crate::add::Common {
                    cost: self.cost,
                    currency: self.currency.take(),
                    code: self.code.take(),
                    booked_by_you: self.booked_by_you,
                    idea: self.idea,
                    links: self.links.take(),
                    note: self.note.take(),
                    who: self.who.take(),
                    depends_on: self.depends_on.take(),
                    from_search: self.from_search.take(),
                    source: self.source.take(),
                    itinerary: self.itinerary.take(),
                }
            }
        }
    };
}

pub(crate) use add_args;

/// What all tools that add a segment take.
#[derive(Debug, Default)]
pub(crate) struct Common {
    pub cost: Option<f64>,
    pub currency: Option<String>,
    pub code: Option<String>,
    pub booked_by_you: Option<bool>,
    pub idea: Option<bool>,
    pub links: Option<Vec<String>>,
    pub note: Option<String>,
    pub who: Option<Vec<String>>,
    pub depends_on: Option<Vec<DependencyArg>>,
    pub from_search: Option<String>,
    pub source: Option<String>,
    pub itinerary: Option<String>,
}

/// What a segment is before its places are looked up.
#[derive(Debug)]
pub(crate) struct Plan {
    pub kind: Kind,
    /// What it is called; made of its places where it is empty.
    pub title: String,
    pub start: Option<String>,
    pub end: Option<String>,
    /// The zones of both; those of the places where they are none.
    pub zones: (Option<String>, Option<String>),
    pub from: Option<PlaceArg>,
    pub to: Option<PlaceArg>,
    pub place: Option<PlaceArg>,
    pub mode: Option<Mode>,
    pub carrier: Option<String>,
    pub number: Option<String>,
    pub opening: Option<String>,
    pub sleeps: Option<u32>,
    pub rooms: Option<u32>,
}

impl Plan {
    /// A plan of a kind, of which nothing is known yet.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            title: String::new(),
            start: None,
            end: None,
            zones: (None, None),
            from: None,
            to: None,
            place: None,
            mode: None,
            carrier: None,
            number: None,
            opening: None,
            sleeps: None,
            rooms: None,
        }
    }
}

/// Adds a segment and answers.
///
/// # Errors
/// [`ToolError::Rejected`] for what a row may not hold, and where there is no room. Then nothing is staged.
pub(crate) fn add(
    stage: &mut Stage,
    desk: &Desk,
    mut plan: Plan,
    mut common: Common,
) -> Result<Written, ToolError> {
    let atlas = desk.atlas;
    if common.from_search.is_none() && common.source.as_deref().is_some_and(is_demo) {
        return Err(ToolError::Rejected(
            "Only a result of the demo catalogue is of it: add it by its id (from_search), or leave `source` out.".into(),
        ));
    }
    // What ends is on the clock that was said of its start. A flight's end may be on any.
    let (start_zone, end_zone) = &mut plan.zones;
    *end_zone = end_zone.take().or_else(|| start_zone.clone().filter(|_| plan.kind != Kind::Flight));
    if let Some(id) = common.from_search.take() {
        fill(&mut plan, &mut common, desk, (&id, stage.moment().at_ms))?;
    }
    required(&plan)?;
    let itinerary = open_itinerary(stage, common.itinerary.as_deref())?;
    let others = segments_of(stage, &itinerary.id);
    if others.len() >= MAX_SEGMENTS {
        return Err(ToolError::Rejected(format!(
            "{} has {MAX_SEGMENTS} segments, and no more can be: delete some first.",
            itinerary_said(&itinerary)
        )));
    }
    let is_booked = common.booked_by_you == Some(true);
    let status = match (is_booked, common.idea) {
        (true, Some(true)) => {
            return Err(ToolError::Rejected(
                "What the person booked is no idea: give one of the two.".into(),
            ));
        }
        (true, _) => Status::Booked,
        (false, Some(true)) => Status::Idea,
        (false, _) => Status::Planned,
    };
    let start = plan.start.as_deref().map(|at| When::new(at, ""));
    let here = around(atlas, &itinerary, &others, start.as_ref());
    // A flight goes from anywhere to anywhere; everything else is where the trip is.
    let near = here.as_ref().and_then(Place::spot).filter(|_| plan.kind != Kind::Flight);
    let mut segment = Segment::new(stage.new_id("seg"), itinerary.id.clone(), plan.kind, plan.title);
    segment.status = status;
    segment.from = plan.from.map(|place| place.resolve(atlas, near));
    segment.to = plan.to.map(|place| place.resolve(atlas, near));
    segment.place = plan.place.map(|place| place.resolve(atlas, near));
    // The clock of a place that nobody knows is the one of where the trip is that day. A flight's may be any.
    let of_here = here.map(|here| here.zone).filter(|_| plan.kind != Kind::Flight);
    let zone = |said: Option<String>, place: Option<&Place>| {
        let of_place = place.map(|place| place.zone.clone()).filter(|zone| !zone.is_empty());
        checked_zone(atlas, said.or(of_place).or_else(|| of_here.clone()).unwrap_or_default())
    };
    let (start_zone, end_zone) = plan.zones;
    let start_zone = zone(start_zone, segment.starts_at())?;
    let end_zone = zone(end_zone, segment.ends_at())?;
    segment.start = plan.start.map(|at| When::new(at, start_zone));
    segment.end = plan.end.map(|at| When::new(at, end_zone));
    if segment.title.trim().is_empty() {
        segment.title = title(&segment);
    }
    segment.cost = match common.cost {
        Some(amount) => Some(sum(amount, common.currency.as_deref(), Some(&itinerary))?),
        None => None,
    };
    segment.code = common.code.unwrap_or_default();
    segment.links = common.links.unwrap_or_default();
    segment.opening = plan.opening.unwrap_or_default();
    (segment.sleeps, segment.rooms, segment.mode) = (plan.sleeps, plan.rooms, plan.mode);
    segment.carrier = plan.carrier.unwrap_or_default();
    segment.number = plan.number.unwrap_or_default();
    segment.who = travellers(&itinerary, common.who.unwrap_or_default())?;
    segment.depends_on = dependencies(stage, &itinerary, &segment.id, common.depends_on.unwrap_or_default())?;
    segment.note = common.note.unwrap_or_default();
    segment.source = common.source.unwrap_or_default();
    // What a search elsewhere found was written by strangers (D-17).
    segment.imported = !segment.source.is_empty() && segment.source != DEMO;
    if plan.kind == Kind::Hotel {
        segment.rank = days::CHECK_IN;
    }
    (segment.created_ms, segment.updated_ms) = (stage.moment().at_ms, stage.moment().at_ms);
    clean::segment(&mut segment).map_err(ToolError::Rejected)?;
    let (kind, source) = (segment.kind.word(), sourced(&segment));
    let what = format!("the {kind} {}{}{source}", quoted(&segment.title), days::on(&segment));
    let to = quoted(&itinerary.title);
    let summary = match segment.status {
        Status::Booked => format!("Added {what} to {to}, as booked by you; nothing was booked here."),
        Status::Idea => format!("Added {what} to {to} as an idea; nothing was booked."),
        Status::Planned => format!("Added {what} to {to}; nothing was booked."),
    };
    let id = segment.id.clone();
    stage.put(segment);
    Ok(written(stage, &itinerary.id, summary)?.about(&id))
}

/// Fills in what a search found where nothing else was said.
fn fill(
    plan: &mut Plan,
    common: &mut Common,
    desk: &Desk,
    (id, now_ms): (&str, i64),
) -> Result<(), ToolError> {
    let days = (plan.start.as_deref(), plan.end.as_deref());
    let invented =
        Demo.again(id, days, desk.atlas, &domain::utc_text(now_ms)).map_err(ToolError::Rejected)?;
    let Some(found) = invented.or_else(|| desk.found_elsewhere(id, days, now_ms)) else {
        return Err(ToolError::Rejected(
            "No result of a search has this id (from_search): search again, or say what to add field by field.".into(),
        ));
    };
    match (plan.kind, found.kind) {
        (Kind::Activity, Kind::Note) => plan.kind = Kind::Note,
        (wanted, is) if wanted == is => {}
        (_, is) => {
            let tool = if is == Kind::Note { Kind::Activity } else { is };
            return Err(ToolError::Rejected(format!(
                "This result is a {}: add_{} adds it.",
                is.word(),
                tool.word()
            )));
        }
    }
    // A day that was said has the time that was found on it, on the clock that it was found on.
    let filled = |said: &mut Option<String>, zone: &mut Option<String>, found: Option<When>| {
        if let Some(found) =
            found.filter(|found| said.as_ref().is_none_or(|said| found.at.starts_with(said.as_str())))
        {
            let is_said = zone.is_some() && said.as_ref() == Some(&found.at);
            if !(is_said || found.zone.is_empty()) {
                *zone = Some(found.zone);
            }
            *said = Some(found.at);
        }
    };
    filled(&mut plan.start, &mut plan.zones.0, found.start);
    filled(&mut plan.end, &mut plan.zones.1, found.end);
    if plan.title.trim().is_empty() {
        plan.title = found.title;
    }
    // A place that was said is the one that is meant; of the same one more is known by the search.
    let gap = |said: &mut Option<PlaceArg>, found: Option<Place>| {
        let is_same = |said: &PlaceArg| found.as_ref().is_some_and(|found| said.is_called(found));
        *said = said.take().filter(|said| !is_same(said)).or_else(|| found.map(PlaceArg::Known));
    };
    gap(&mut plan.from, found.from);
    gap(&mut plan.to, found.to);
    gap(&mut plan.place, found.place.filter(|_| found.kind != Kind::Note));
    plan.mode = plan.mode.or(found.mode);
    plan.sleeps = plan.sleeps.or(found.sleeps);
    plan.rooms = plan.rooms.or(found.rooms);
    let word = |said: &mut Option<String>, found: String| {
        if said.is_none() && !found.is_empty() {
            *said = Some(found);
        }
    };
    word(&mut plan.carrier, found.carrier);
    word(&mut plan.number, found.number);
    word(&mut plan.opening, found.opening);
    word(&mut common.note, found.why);
    if common.links.is_none() {
        // What is no address to a row is no reason to refuse the rest.
        common.links = Some(found.links.into_iter().filter(|link| clean::is_link(link)).collect());
    }
    common.source = Some(found.source);
    if let (None, Some(price)) = (common.cost, found.price) {
        (common.cost, common.currency) = (Some(price.major()), Some(price.currency));
    }
    Ok(())
}

/// Whether all is said that a segment of its kind cannot be without.
fn required(plan: &Plan) -> Result<(), ToolError> {
    let lacks: &[(bool, &str)] = match plan.kind {
        Kind::Hotel => {
            &[(plan.place.is_none(), "place"), (plan.start.is_none(), "start"), (plan.end.is_none(), "end")]
        }
        Kind::Flight => {
            &[(plan.from.is_none(), "from"), (plan.to.is_none(), "to"), (plan.start.is_none(), "start")]
        }
        Kind::Transfer => &[(plan.from.is_none(), "from"), (plan.to.is_none(), "to")],
        _ => &[(plan.title.trim().is_empty(), "title")],
    };
    let lacking: Vec<&str> = lacks.iter().filter(|(lacks, _)| *lacks).map(|(_, name)| *name).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let kind = plan.kind.word();
    Err(ToolError::Rejected(format!("A {kind} needs {}: ask for what nobody said.", lacking.join(" and "))))
}

/// What a segment is called by its places: `Berlin to Paris`, `Hotel Fabric`; an airport is by its letters.
fn title(segment: &Segment) -> String {
    let short = |place: &Place| {
        if place.iata.is_empty() { place.name.clone() } else { place.iata.clone() }
    };
    match (&segment.from, &segment.to, &segment.place) {
        (Some(from), Some(to), _) => format!("{} to {}", short(from), short(to)),
        (None, Some(to), _) => format!("To {}", short(to)),
        (Some(from), None, _) => format!("From {}", short(from)),
        (None, None, Some(place)) => place.name.clone(),
        (None, None, None) => String::new(),
    }
}

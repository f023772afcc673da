//! `itinerary_export` and `itinerary_import`: one itinerary as a file, and a calendar's events into one.

use std::rc::Rc;

use async_trait::async_trait;
use domain::{counted, quoted};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Stage, content_hash};

use super::facts::{Stamp, civil};
use super::read::{Draft, Why, read};
use super::write::write;
use crate::args::{PlaceArg, around};
use crate::atlas::Atlas;
use crate::change::{Written, written};
use crate::found::{itinerary, open_itinerary, segments_of};
use crate::model::{FROM_A_FILE, Itinerary, Kind, MAX_SEGMENTS, Place, Segment, Status, When};
use crate::moving::is_circle;
use crate::profile::Profile;
use crate::words::words;
use crate::{clean, days};

words! {
    /// What a file is.
    FileFormat {
        /// iCalendar, for calendars.
        Ics = "ics",
        /// The app's own, with all of it.
        Json = "json",
        /// For people.
        Text = "text",
    }
}

pub(crate) struct ItineraryExport;

/// Which one, and as what.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportArgs {
    /// ics for calendars, json with all of it, text for people.
    format: FileFormat,
    /// true only where the person asks for it: json also has days of birth, passports, visas, confirmation codes, and what the travellers
    /// want.
    private: Option<bool>,
    /// The itinerary's id or title; the current one when left out.
    itinerary: Option<String>,
}

/// A file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Exported {
    /// One sentence for a person.
    summary: String,
    /// What to call the file.
    name: String,
    /// What it is, for programs.
    mime: &'static str,
    /// What is in it.
    text: String,
    /// Words of it came in by a file or a search, and somebody else may have written them.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<&'static str>,
}

#[async_trait(?Send)]
impl Tool<Stage> for ItineraryExport {
    const NAME: &'static str = "itinerary_export";
    const TITLE: &'static str = "Export an itinerary";
    const DESCRIPTION: &'static str = "Writes one itinerary as a file: a calendar (ics), the app's own format (json) or text to read. It is handed to the person and sent \
         to nobody.";
    const HINTS: Hints = Hints::READ;
    type Args = ExportArgs;
    type Output = Exported;

    async fn run(&self, args: ExportArgs, stage: &mut Stage) -> Result<Exported, ToolError> {
        let row = itinerary(stage, args.itinerary.as_deref())?;
        let all = segments_of(stage, &row.id);
        let profile = stage.get::<Profile>(&row.id);
        let is_foreign = row.imported
            || all.iter().any(|segment| segment.imported)
            || (args.format == FileFormat::Json && profile.as_ref().is_some_and(|profile| profile.imported));
        let (mime, text) = match args.format {
            FileFormat::Ics => {
                let rows: Vec<Segment> = all.iter().map(|segment| Segment::clone(segment)).collect();
                ("text/calendar", write(&row, &rows))
            }
            FileFormat::Json => {
                let with_private = args.private == Some(true);
                ("application/json", crate::transfer::file_of(&row, profile.as_deref(), &all, with_private)?)
            }
            FileFormat::Text => ("text/plain", text(&row, &all)),
        };
        let count = counted(all.len(), "segment", "segments");
        Ok(Exported {
            summary: format!("{} with {count}, as {}.", quoted(&row.title), args.format.word()),
            name: format!(
                "{}.{}",
                file_name(&row.title),
                if mime == "text/plain" { "txt" } else { args.format.word() }
            ),
            mime,
            text,
            untrusted: is_foreign.then_some(FROM_A_FILE),
        })
    }
}

/// A title as a file's name: letters, digits and hyphens.
fn file_name(title: &str) -> String {
    let plain: String = title.chars().map(|it| if it.is_alphanumeric() { it } else { '-' }).collect();
    let parts: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    let name: String = parts.join("-").to_lowercase().chars().take(60).collect();
    if name.is_empty() { "itinerary".to_owned() } else { name }
}

/// An itinerary to read: a line for each segment under its day.
fn text(row: &Itinerary, all: &[Rc<Segment>]) -> String {
    let mut lines = vec![row.title.clone()];
    let span = days::span(row);
    if !span.is_empty() {
        lines.push(span);
    }
    let mut day = None;
    for segment in all {
        let own = segment.start.as_ref().and_then(When::day);
        if day != Some(own) {
            day = Some(own);
            lines.push(String::new());
            lines.push(own.map_or_else(|| "Without a day".to_owned(), days::day_said));
        }
        let clock = |when: &Option<When>| {
            let at = when.as_ref().filter(|when| !when.is_all_day())?.civil()?;
            Some(format!("{:02}:{:02}", at.hour(), at.minute()))
        };
        let mut parts: Vec<String> = vec![match (clock(&segment.start), clock(&segment.end)) {
            (Some(start), Some(end)) => format!("{start} to {end} {}", segment.title),
            (Some(start), None) => format!("{start} {}", segment.title),
            _ => segment.title.clone(),
        }];
        let last = segment.end.as_ref().and_then(When::day).filter(|last| own.is_some_and(|own| *last > own));
        parts.extend(last.map(|last| format!("until {}", days::day_said(last))));
        let place = segment.starts_at().map(|place| place.name.clone());
        parts.extend(place.filter(|name| !segment.title.contains(name.as_str())));
        if !segment.number.is_empty() {
            parts.push(format!("{} {}", segment.carrier, segment.number).trim().to_owned());
        }
        parts.extend(segment.cost.as_ref().map(crate::Money::text));
        parts.push(match segment.status {
            Status::Booked => "booked by you".to_owned(),
            Status::Idea => "an idea".to_owned(),
            Status::Planned => "planned".to_owned(),
        });
        if !segment.code.is_empty() {
            parts.push(format!("code {}", segment.code));
        }
        if segment.source == crate::search::DEMO {
            parts.push("from the demo catalogue".to_owned());
        }
        lines.push(format!("- {}", parts.join(", ")));
    }
    lines.push(String::new());
    lines.join("\n")
}

pub(crate) struct ItineraryImport(pub &'static dyn Atlas);

/// A calendar, and where its events go.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportArgs {
    /// What is in an iCalendar file (.ics), word for word.
    text: String,
    /// true takes events that are not in the days of the itinerary as well.
    all: Option<bool>,
    /// The itinerary's id or title; the current one when left out.
    itinerary: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for ItineraryImport {
    const NAME: &'static str = "itinerary_import";
    const TITLE: &'static str = "Import a calendar";
    const DESCRIPTION: &'static str = "Adds the events of an iCalendar file to the itinerary, each once however often the file comes. Events outside its days, cancelled \
         ones and repetitions are left out. Its words are somebody else's. It books nothing.";
    const HINTS: Hints = Hints::SET;
    type Args = ImportArgs;
    type Output = Written;

    async fn run(&self, args: ImportArgs, stage: &mut Stage) -> Result<Written, ToolError> {
        let row = open_itinerary(stage, args.itinerary.as_deref())?;
        let before = segments_of(stage, &row.id);
        let here = around(self.0, &row, &before, row.start.as_deref().map(|at| When::new(at, "")).as_ref());
        let zone = here.as_ref().map(|here| here.zone.clone()).unwrap_or_default();
        let reading = read(&args.text, &zone)
            .map_err(|error| ToolError::Rejected(format!("{error} Nothing was changed.")))?;
        let mut counts = Counts::default();
        for out in &reading.left_out {
            counts.say(out.why.said(), out.line);
        }
        let ids: Vec<String> = reading.drafts.iter().map(|draft| id(stage, &row.id, draft)).collect();
        let theirs: Vec<(String, String)> =
            reading.drafts.iter().map(|draft| draft.segment.id.clone()).zip(ids.iter().cloned()).collect();
        let mut coming: Vec<Segment> = Vec::new();
        for (draft, id) in reading.drafts.into_iter().zip(ids) {
            let line = draft.line;
            if stage.get::<Segment>(&id).is_some() {
                counts.known += 1;
                continue;
            }
            let is_outside = row.days().zip(draft.segment.start.as_ref().and_then(When::day)).is_some_and(
                |((first, last), day)| {
                    let end = draft.segment.end.as_ref().and_then(When::day).unwrap_or(day);
                    end < first || day > last
                },
            );
            if is_outside && args.all != Some(true) {
                counts.say("It is not in the days of the itinerary (all: true takes it).", line);
                continue;
            }
            if before.len() + coming.len() >= MAX_SEGMENTS {
                counts.say(&format!("{MAX_SEGMENTS} segments can be on an itinerary, and no more."), line);
                continue;
            }
            match self.segment(draft, id, (stage, &row, here.as_ref())) {
                Ok(segment) => coming.push(segment),
                Err(why) => counts.say(&why, line),
            }
        }
        connect(&mut coming, &theirs, &row, &before);
        let added = coming.len();
        for segment in coming {
            stage.put(segment);
        }
        let to = quoted(&row.title);
        let mut summary = match added {
            0 => format!("Nothing was added to {to}."),
            count => {
                let events = counted(count, "event", "events");
                format!("Added {events} to {to}; nothing was booked. Their words may be somebody else’s.")
            }
        };
        if counts.known > 0 {
            let known = counted(counts.known, "event is", "events are");
            summary = format!("{summary} {known} here already.");
        }
        let said = counts.text();
        if !said.is_empty() {
            summary = format!("{summary} {said}");
        }
        written(stage, &row.id, summary)
    }
}

impl ItineraryImport {
    /// A row of an event.
    fn segment(
        &self,
        draft: Draft,
        id: String,
        (stage, row, here): (&Stage, &Itinerary, Option<&Place>),
    ) -> Result<Segment, String> {
        let mut segment = draft.segment;
        let is_ours = !segment.itinerary.is_empty();
        segment.id = id;
        segment.itinerary.clone_from(&row.id);
        let near = here.and_then(Place::spot).filter(|_| segment.kind != Kind::Flight);
        for place in [&mut segment.from, &mut segment.to, &mut segment.place].into_iter().flatten() {
            cut(&mut place.name, 190);
            if !is_ours || place.spot().is_none() {
                *place = self.place(place.clone(), near);
            }
        }
        // What was in UTC is told on the clock of where it takes place.
        let zone_of =
            |place: Option<&Place>| place.map(|place| place.zone.clone()).filter(|zone| !zone.is_empty());
        let zones = (zone_of(segment.starts_at()), zone_of(segment.ends_at()));
        let of_here = here.map(|here| here.zone.clone()).unwrap_or_default();
        for (when, zone) in [(&mut segment.start, zones.0), (&mut segment.end, zones.1)] {
            let Some(when) = when else { continue };
            if when.zone.is_empty() {
                when.zone = zone.unwrap_or_else(|| of_here.clone());
            } else if let (true, Some(zone)) = (draft.was_utc && !is_ours, zone)
                && let Some(moment) = Stamp::of(when).and_then(|stamp| stamp.moment())
            {
                *when = Stamp::At(civil(moment, &zone), zone).when();
            }
        }
        let moment = |when: &Option<When>| when.as_ref().and_then(Stamp::of).and_then(|stamp| stamp.moment());
        if let (Some(start), Some(end)) = (moment(&segment.start), moment(&segment.end))
            && end < start
        {
            // What ends before it begins cannot be meant, and one event is no reason to refuse the file.
            segment.end = None;
        }
        if segment.kind == Kind::Hotel && segment.rank == 0 {
            segment.rank = days::CHECK_IN;
        }
        cut(&mut segment.title, 190);
        cut(&mut segment.note, 3_900);
        segment.imported = true;
        let now_ms = stage.moment().at_ms;
        (segment.created_ms, segment.updated_ms) = (now_ms, now_ms);
        clean::segment(&mut segment)?;
        Ok(segment)
    }

    /// A place of a file with its city, country and zone where those can be told. Its name stays as the file has it.
    fn place(&self, place: Place, near: Option<(f64, f64)>) -> Place {
        if place.spot().is_some() {
            return PlaceArg::Known(place).resolve(self.0, near);
        }
        // An airport's letters or a city may be anywhere in a line: “Berlin BER”, “31 Rue de la Folie Méricourt, 75011 Paris, France”.
        let code = place.name.split(|letter: char| !letter.is_ascii_alphanumeric());
        let airport = code
            .filter(|word| word.len() == 3 && word.bytes().all(|letter| letter.is_ascii_uppercase()))
            .find_map(|code| self.0.airport(code));
        if let Some(airport) = airport {
            return Place { name: place.name, ..airport };
        }
        let whole = PlaceArg::Name(place.name.clone()).resolve(self.0, near);
        if !whole.zone.is_empty() {
            return Place { name: place.name, ..whole };
        }
        let parts =
            place.name.split([',', '(']).map(|part| part.trim_matches(|it: char| !it.is_alphabetic()));
        let city = parts.filter(|part| part.chars().count() > 2).find_map(|part| {
            let found = self.0.find(part, near, 1).into_iter().next()?;
            (found.name == found.city).then_some(found)
        });
        match city {
            // The city's middle is not where it is.
            Some(city) => Place { name: place.name, lat: None, lon: None, ..city },
            None => place,
        }
    }
}

/// The id of an event here: its own where that is one of this itinerary, else one that is always the same for the event and the itinerary.
fn id(stage: &Stage, itinerary: &str, draft: &Draft) -> String {
    let own = &draft.segment.id;
    if stage.get::<Segment>(own).is_some_and(|known| known.itinerary == itinerary) {
        return own.clone();
    }
    let hash = content_hash(format!("{itinerary} {}", draft.uid).as_bytes());
    format!("seg_{}", hash.chars().filter(char::is_ascii_hexdigit).take(20).collect::<String>())
}

/// Takes over what rows of our own file hang on, where that is here or comes along, and who takes part.
fn connect(coming: &mut [Segment], theirs: &[(String, String)], row: &Itinerary, before: &[Rc<Segment>]) {
    let all: Vec<String> = coming
        .iter()
        .map(|segment| segment.id.clone())
        .chain(before.iter().map(|it| it.id.clone()))
        .collect();
    for segment in coming.iter_mut() {
        for dependency in &mut segment.depends_on {
            if let Some((_, id)) = theirs.iter().find(|(own, _)| *own == dependency.on) {
                dependency.on.clone_from(id);
            }
        }
        let own = segment.id.clone();
        segment.depends_on.retain(|dependency| all.contains(&dependency.on) && dependency.on != own);
        segment.who.retain(|who| row.travellers.iter().any(|traveller| traveller.id == *who));
    }
    let whole: Vec<Rc<Segment>> =
        coming.iter().map(|segment| Rc::new(segment.clone())).chain(before.iter().cloned()).collect();
    for segment in coming.iter_mut() {
        if is_circle(&whole, &segment.id, &segment.depends_on) {
            segment.depends_on.clear();
        }
    }
}

/// Cuts a text of somebody else's that is too long.
fn cut(text: &mut String, most: usize) {
    if text.chars().count() > most {
        *text = text.chars().take(most).chain(['…']).collect();
    }
}

/// What did not come along, by reason. No word of the file is told: it is somebody else's.
#[derive(Debug, Default)]
struct Counts {
    known: usize,
    reasons: Vec<(String, Vec<usize>)>,
}

impl Counts {
    fn say(&mut self, why: &str, line: usize) {
        match self.reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, lines)) => lines.push(line),
            None => self.reasons.push((why.to_owned(), vec![line])),
        }
    }

    fn text(&self) -> String {
        const TOLD: usize = 5;
        let sentence = |(why, lines): &(String, Vec<usize>)| {
            let comes = [Why::Repeats, Why::UnknownZone].iter().any(|it| it.said() == why);
            let told: Vec<String> = lines.iter().take(TOLD).map(ToString::to_string).collect();
            let more = if lines.len() > TOLD { " and others" } else { "" };
            let at = format!("line {}{more}", told.join(", "));
            let count = counted(lines.len(), "event", "events");
            if comes {
                format!("Of {count} ({at}): {why}")
            } else {
                format!("{count} left out ({at}): {why}")
            }
        };
        self.reasons.iter().map(sentence).collect::<Vec<_>>().join(" ")
    }
}

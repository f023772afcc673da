//! `itinerary_import`: a calendar's events into an itinerary. Whatever the file has is somebody else's (D-17): what it costs to read is
//! bounded, none of its words is told as ours, and it accepts, books and pins nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use async_trait::async_trait;
use dates::calendar::days_between;
use domain::{counted, quoted};
use jiff::civil::Date;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{Stage, content_hash};

use super::facts::{Stamp, civil, kept, summary};
use super::finding::Finder;
use super::fit::{add_lines, fit};
use super::read::{Draft, Why, read};
use crate::args::around;
use crate::atlas::Atlas;
use crate::change::{NotMoved, Written, put_moved, written};
use crate::check::{Finding, Severity, goes_far, look, rule};
use crate::found::{itinerary_said, open_itinerary, segments_of};
use crate::model::{FROM_A_FILE, Itinerary, Kind, MAX_SEGMENTS, Place, Segment, Status, When};
use crate::moving::{Links, Shift, along_with, whole};
use crate::{clean, days, private};

/// The most events of a file that are looked at as segments, whatever becomes of them.
const MAX_TRIED: usize = 2 * MAX_SEGMENTS;

/// The most events whose next turn is looked for.
const MAX_REPEATS: usize = 50;

/// Said of what a row may not hold. What it was is in the file's words.
const NO_ROW: &str =
    "It has something that a segment cannot have: a text that is too long, or a value that cannot be read.";

/// The same of a row that is here.
const NO_CHANGE: &str = "It has something now that a segment cannot have: what is here stays.";

pub(crate) struct ItineraryImport(pub &'static dyn Atlas);

/// A calendar, and where its events go.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportArgs {
    /// What is in an iCalendar file (.ics), word for word.
    text: String,
    /// true takes events that are not in the days of the itinerary as well, and all events where it has no days.
    all: Option<bool>,
    /// The itinerary's id or title; to be given where there are several.
    itinerary: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for ItineraryImport {
    const NAME: &'static str = "itinerary_import";
    const TITLE: &'static str = "Import a calendar";
    const DESCRIPTION: &'static str = "Adds the events of an iCalendar file to the itinerary, each once however often the file comes; what another program changed \
         of one since is changed here, but for what is booked. Events outside its days and cancelled ones are left out. Its words are somebody \
         else's. It books nothing.";
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
        let is_foreign = !(reading.drafts.is_empty() && reading.left_out.is_empty());
        let mut import = Import {
            stage,
            row: &row,
            before: &before,
            zone,
            finder: Finder::new(self.0, here.as_ref().and_then(Place::spot)),
            takes_all: args.all == Some(true),
            counts: Counts::default(),
            coming: Vec::new(),
            changed: Vec::new(),
            tried: 0,
            repeats: 0,
        };
        let mut notes: BTreeMap<usize, Vec<Why>> = BTreeMap::new();
        for out in &reading.left_out {
            if out.why.comes() {
                notes.entry(out.line).or_default().push(out.why);
            } else {
                import.counts.say(out.why.said(), false, out.line);
            }
        }
        let ids: Vec<String> = reading.drafts.iter().map(|draft| import.id(draft)).collect();
        if row.days().is_none() && !import.takes_all && ids.iter().any(|id| !import.is_here(id)) {
            let title = itinerary_said(&row);
            return Err(ToolError::Rejected(format!(
                "{title} has no first and last day, so that nobody can tell which events are of it: ask for the days (update_itinerary), or take \
                 every event (all: true). Nothing was changed."
            )));
        }
        let theirs: BTreeMap<String, String> =
            reading.drafts.iter().map(|draft| draft.segment.id.clone()).zip(ids.iter().cloned()).collect();
        for (draft, id) in reading.drafts.into_iter().zip(ids) {
            import.take(draft, id, &notes);
        }
        import.leave_out_what_cannot_be();
        connect(&mut import.coming, &theirs, &before);
        let (added, changed) = (import.coming.len(), import.changed.len());
        let mut summary = import.summary();
        let said = import.counts.text();
        let (coming, changes) = (import.coming, import.changed);
        for (segment, _) in coming {
            stage.put(segment);
        }
        let changes: Vec<Segment> = changes.into_iter().map(|(segment, _)| segment).collect();
        let not_moved = put_changes(stage, &row, &changes)?;
        if !said.is_empty() {
            summary = format!("{summary} {said}");
        }
        // What cannot be meant is told with titles, which are the file's, and an error is not marked.
        let written = written(stage, &row.id, summary).map_err(|error| match error {
            ToolError::Rejected(_) if added + changed > 0 => ToolError::Rejected(
                "Something of the file cannot be meant on this itinerary. Nothing was changed.".into(),
            ),
            error => error,
        })?;
        let mut written = written.but(not_moved);
        if is_foreign {
            written.untrusted = Some(FROM_A_FILE);
        }
        Ok(written)
    }
}

/// Stages what another program changed. What hangs on it moves along, once however much of it changed, unless the file says where that is. What
/// a booking holds is told.
fn put_changes(stage: &mut Stage, row: &Itinerary, changes: &[Segment]) -> Result<Vec<NotMoved>, ToolError> {
    let all = segments_of(stage, &row.id);
    let after = |before: &Rc<Segment>| changes.iter().find(|after| after.id == before.id);
    let roots: Vec<(&Segment, &Segment)> =
        all.iter().filter_map(|before| Some((&**before, after(before)?))).collect();
    let along = along_with(&all, &roots).map_err(ToolError::Rejected)?;
    let updated_ms = stage.moment().at_ms;
    for after in changes {
        stage.put(Segment { updated_ms, ..after.clone() });
    }
    Ok(put_moved(stage, &all, along))
}

/// An import that goes on.
struct Import<'a> {
    stage: &'a Stage,
    row: &'a Itinerary,
    before: &'a [Rc<Segment>],
    /// The zone of where the trip is; empty where that is not known.
    zone: String,
    finder: Finder<'a>,
    takes_all: bool,
    counts: Counts,
    /// New rows, with the lines they begin in.
    coming: Vec<(Segment, usize)>,
    /// Rows that are here and that another program changed, with the lines they begin in.
    changed: Vec<(Segment, usize)>,
    tried: usize,
    repeats: usize,
}

impl Import<'_> {
    /// The id of an event here: its own where that is one of this itinerary, else one that is always the same for the event and the itinerary.
    fn id(&self, draft: &Draft) -> String {
        let own = &draft.segment.id;
        if self.is_here(own) {
            return own.clone();
        }
        let hash = content_hash(format!("{} {}", self.row.id, draft.uid).as_bytes());
        format!("seg_{}", hash.chars().filter(char::is_ascii_hexdigit).take(20).collect::<String>())
    }

    /// Whether an id is a row's of this itinerary.
    fn is_here(&self, id: &str) -> bool {
        self.stage.get::<Segment>(id).is_some_and(|known| known.itinerary == self.row.id)
    }

    /// Takes an event, or says why not.
    fn take(&mut self, mut draft: Draft, id: String, notes: &BTreeMap<usize, Vec<Why>>) {
        let line = draft.line;
        if let Some(known) = self.stage.get::<Segment>(&id) {
            self.tried += 1;
            match self.change(draft, &known) {
                Some(_) if self.tried > MAX_TRIED => {
                    self.counts.say("There are more events than are looked at.", false, line);
                }
                Some(changed) => self.changed.push((changed, line)),
                None => self.counts.known += 1,
            }
            return;
        }
        let is_turned = self.turn(&mut draft);
        if self.is_outside(&draft.segment) && !self.takes_all {
            let why = match (draft.repeat.is_some(), self.row.days()) {
                (true, Some((first, _))) if first_day(&draft.segment).is_some_and(|day| day < first) => {
                    "It repeats and began before the itinerary does: which of its turns is meant is not told."
                }
                _ => "It is not in the days of the itinerary (all: true takes it).",
            };
            return self.counts.say(why, false, line);
        }
        if self.before.len() + self.coming.len() >= MAX_SEGMENTS {
            return self.counts.say(FULL, false, line);
        }
        self.tried += 1;
        if self.tried > MAX_TRIED {
            return self.counts.say("There are more events than are looked at.", false, line);
        }
        let had_who = !draft.segment.who.is_empty();
        let Some(segment) = self.segment(draft, id, None) else {
            return self.counts.say(NO_ROW, false, line);
        };
        if had_who && segment.who.is_empty() {
            self.counts.say("Who takes part is not on this itinerary, so it came as an idea.", true, line);
        }
        for why in notes.get(&line).into_iter().flatten() {
            let said = if *why == Why::Repeats && is_turned { TURNED } else { why.said() };
            self.counts.say(said, true, line);
        }
        self.coming.push((segment, line));
    }

    /// Whether it is before or after the days of the itinerary.
    fn is_outside(&self, segment: &Segment) -> bool {
        self.row.days().zip(first_day(segment)).is_some_and(|((first, last), day)| {
            let end = segment.end.as_ref().and_then(When::day).unwrap_or(day);
            end < first || day > last
        })
    }

    /// What repeats and began before the itinerary is taken on the first of its days on which it takes place again.
    fn turn(&mut self, draft: &mut Draft) -> bool {
        let (Some(repeat), Some((first, last))) = (&draft.repeat, self.row.days()) else { return false };
        let Some(start) = first_day(&draft.segment).filter(|start| *start < first) else { return false };
        // The days of a rule are those of the zone it was written in.
        if draft.was_utc || !self.is_outside(&draft.segment) || self.repeats >= MAX_REPEATS {
            return false;
        }
        self.repeats += 1;
        let next = repeat.first_after(start, first).filter(|next| *next <= last);
        let turned = next.and_then(|next| whole(&draft.segment, Shift::days(days_between(start, next))).ok());
        let Some(turned) = turned else { return false };
        draft.segment = turned;
        true
    }

    /// A row of an event; none for one that a row cannot hold. `here` is what is here of it.
    fn segment(&mut self, draft: Draft, id: String, here: Option<&Segment>) -> Option<Segment> {
        let mut segment = draft.segment;
        let is_ours = !segment.itinerary.is_empty();
        segment.id = id;
        segment.itinerary.clone_from(&self.row.id);
        // The file may say what it likes: that it is booked, or meant to be wrong, is the person's to say.
        let lines = kept(&segment);
        segment.title = summary(&segment);
        segment.source.clear();
        segment.code.clear();
        segment.accepted.clear();
        segment.came = draft.came;
        if segment.status == Status::Booked {
            segment.status = Status::Planned;
        }
        if !segment.who.is_empty() {
            let travellers = &self.row.travellers;
            segment.who.retain(|who| travellers.iter().any(|traveller| traveller.id == *who));
            if segment.who.is_empty() {
                // Nobody would be everybody.
                segment.status = Status::Idea;
            }
        }
        add_lines(&mut segment.note, &lines);
        fit(&mut segment);
        clean::segment(&mut segment).ok()?;
        self.locate(&mut segment, here);
        self.time(&mut segment, draft.was_utc && !is_ours);
        if segment.kind == Kind::Hotel && segment.rank == 0 {
            segment.rank = days::CHECK_IN;
        }
        segment.imported = true;
        let now_ms = self.stage.moment().at_ms;
        (segment.created_ms, segment.updated_ms) = (now_ms, now_ms);
        Some(segment)
    }

    /// A row that is here as it is after what another program changed of it in the file. None where nothing is changed.
    fn change(&mut self, draft: Draft, here: &Segment) -> Option<Segment> {
        if here.itinerary != self.row.id {
            return None;
        }
        let line = draft.line;
        let is_own = draft.is_of(&self.row.id) && draft.segment.id == here.id;
        let changed = if is_own {
            let mut changed = draft.over(here).filter(|changed| changed != here)?;
            // A calendar without codes takes none away.
            private::keep_codes(&mut changed, here);
            fit(&mut changed);
            if clean::segment(&mut changed).is_err() {
                self.counts.say(NO_CHANGE, true, line);
                return None;
            }
            self.locate(&mut changed, Some(here));
            self.time(&mut changed, false);
            changed.imported = true;
            changed
        } else if here.came == draft.came {
            // What is guessed of it (its zone, its place) goes by what is around it, which may be other things by now.
            return None;
        } else {
            // Of an itinerary elsewhere, or of a program that is not ours: what it was when it came is kept as a hash, and whether anything
            // was changed here since.
            let (id, now_ms) = (here.id.clone(), self.stage.moment().at_ms);
            let mut draft = draft;
            let _is_turned = self.turn(&mut draft);
            let Some(changed) = self.segment(draft, id, Some(here)) else {
                self.counts.say(NO_CHANGE, true, line);
                return None;
            };
            let changed = Segment {
                depends_on: here.depends_on.clone(),
                who: here.who.clone(),
                accepted: here.accepted.clone(),
                rank: here.rank,
                created_ms: here.created_ms,
                updated_ms: here.updated_ms,
                ..changed
            };
            if (Segment { came: here.came.clone(), ..changed.clone() }) == *here {
                return None;
            }
            if !here.imported || here.created_ms != here.updated_ms {
                self.counts.say(
                    "It is here otherwise, and was changed here: what is here stays.",
                    true,
                    line,
                );
                return None;
            }
            Segment { created_ms: now_ms, ..changed }
        };
        if here.is_pinned() {
            self.counts.say("It is here as booked: what the file changed of it was not taken.", true, line);
            return None;
        }
        Some(changed)
    }

    /// Looks up the places that the atlas may know more of; of a row that is here those that are others now.
    fn locate(&mut self, segment: &mut Segment, here: Option<&Segment>) {
        let kind = segment.kind;
        let known = here.map(|here| [here.from.as_ref(), here.to.as_ref(), here.place.as_ref()]);
        let places = [&mut segment.from, &mut segment.to, &mut segment.place];
        for (at, place) in places.into_iter().enumerate() {
            let Some(place) = place else { continue };
            let was = known.and_then(|known| known.get(at).copied().flatten());
            // Our own rows have been looked up, and so have those of a file that came before.
            let is_found = place.spot().is_some() && !place.zone.is_empty();
            match was {
                _ if is_found => {}
                Some(was) if was == place => {}
                Some(was) if *place == Place::named(&*was.name) => place.clone_from(was),
                _ => *place = self.finder.place(std::mem::take(place), kind),
            }
        }
    }

    /// Puts times on the clocks of where they take place.
    fn time(&self, segment: &mut Segment, was_utc: bool) {
        let zone_of =
            |place: Option<&Place>| place.map(|place| place.zone.clone()).filter(|zone| !zone.is_empty());
        let zones = (zone_of(segment.starts_at()), zone_of(segment.ends_at()));
        // A flight, and a long way, may begin or end on any clock: that of where the trip is would be a guess.
        let leads_out = segment.kind == Kind::Flight || goes_far(segment);
        let of_here = if leads_out { "" } else { &*self.zone };
        for (when, zone) in [(&mut segment.start, zones.0), (&mut segment.end, zones.1)] {
            let Some(when) = when else { continue };
            if when.zone.is_empty() {
                when.zone = zone.unwrap_or_else(|| of_here.to_owned());
            } else if let (true, Some(zone)) = (was_utc, zone)
                && let Some(moment) = Stamp::of(when).and_then(|stamp| stamp.moment())
            {
                *when = Stamp::At(civil(moment, &zone), zone).when();
            }
        }
    }

    /// Mends or leaves out what the checker would refuse the whole file for.
    fn leave_out_what_cannot_be(&mut self) {
        let errors = |mut found: Vec<Finding>| {
            found.retain(|finding| finding.severity == Severity::Error);
            found
        };
        let was = errors(look(self.row, None, self.before.iter().map(|row| &**row)));
        let is_known =
            |finding: &Finding| was.iter().any(|it| (it.rule, &it.rows) == (finding.rule, &finding.rows));
        for is_last in [false, true] {
            let others = self.before.iter().filter(|row| !self.changed.iter().any(|(it, _)| it.id == row.id));
            let rows = others.map(|row| &**row);
            let rows = rows.chain(self.changed.iter().chain(&self.coming).map(|(row, _)| row));
            let found = errors(look(self.row, None, rows));
            let new = found.iter().filter(|finding| !is_known(finding));
            let wrong: BTreeMap<String, &str> =
                new.flat_map(|finding| finding.rows.iter().map(|id| (id.clone(), finding.rule))).collect();
            if wrong.is_empty() {
                return;
            }
            // What ends before it begins has no end that can be meant.
            for (row, _) in &mut self.coming {
                let is_reversed = [rule::END_BEFORE_START, rule::CHECK_OUT_BEFORE_CHECK_IN]
                    .iter()
                    .any(|it| wrong.get(&row.id) == Some(it));
                if is_reversed && !is_last {
                    row.end = None;
                }
            }
            if is_last {
                let (stay, go): (Vec<_>, Vec<_>) = std::mem::take(&mut self.coming)
                    .into_iter()
                    .partition(|(row, _)| !wrong.contains_key(&row.id));
                self.coming = stay;
                for (_, line) in go {
                    self.counts.say("Its times cannot be meant.", false, line);
                }
            }
            let (stay, go): (Vec<_>, Vec<_>) = std::mem::take(&mut self.changed)
                .into_iter()
                .partition(|(row, _)| !wrong.contains_key(&row.id));
            self.changed = stay;
            for (_, line) in go {
                self.counts.known += 1;
                self.counts.say("Its times there cannot be meant: what is here stays.", true, line);
            }
        }
    }

    /// What was done, in sentences.
    fn summary(&self) -> String {
        let to = quoted(&self.row.title);
        let events = |count: usize| counted(count, "event", "events");
        let mut said = match (self.coming.len(), self.changed.len()) {
            (0, 0) => format!("Nothing was added to {to}."),
            (0, _) => String::new(),
            (count, _) => {
                format!(
                    "Added {} to {to}; nothing was booked. Their words may be somebody else’s.",
                    events(count)
                )
            }
        };
        if !self.changed.is_empty() {
            let changed = format!("Changed {} of {to} as the file has them now.", events(self.changed.len()));
            said = format!("{said} {changed}").trim_start().to_owned();
        }
        if self.counts.known > 0 {
            let known = counted(self.counts.known, "event is", "events are");
            said = format!("{said} {known} here already.");
        }
        if self.finder.is_exhausted() {
            said = format!("{said} There are more places than are looked up: some have their names alone.");
        }
        said
    }
}

/// Said of an event that repeats and was taken on a later day than its first.
const TURNED: &str = "It repeats; only its first time in the days of the itinerary was taken.";

/// Said where there is no room.
const FULL: &str = "200 segments can be on an itinerary, and no more.";
const _: () = assert!(MAX_SEGMENTS == 200);

fn first_day(segment: &Segment) -> Option<Date> {
    segment.start.as_ref().and_then(When::day)
}

/// Takes over what rows of our own file hang on, where that is here or comes along.
fn connect(coming: &mut [(Segment, usize)], theirs: &BTreeMap<String, String>, before: &[Rc<Segment>]) {
    let all: BTreeSet<String> =
        coming.iter().map(|(row, _)| row.id.clone()).chain(before.iter().map(|it| it.id.clone())).collect();
    for (segment, _) in coming.iter_mut() {
        for dependency in &mut segment.depends_on {
            if let Some(id) = theirs.get(&dependency.on) {
                dependency.on.clone_from(id);
            }
        }
        let own = segment.id.clone();
        segment.depends_on.retain(|dependency| all.contains(&dependency.on) && dependency.on != own);
    }
    let mut links = Links::of(all.iter().map(|id| &**id));
    for row in before {
        links.set(&row.id, &row.depends_on);
    }
    // Of a circle one link is cut: the last that closes it.
    for (segment, _) in coming.iter_mut() {
        let mut kept = Vec::new();
        for dependency in std::mem::take(&mut segment.depends_on) {
            kept.push(dependency);
            if !links.hang(&segment.id, &kept) {
                kept.pop();
            }
        }
        links.set(&segment.id, &kept);
        segment.depends_on = kept;
    }
}

/// What did not come along, or not as it is, by reason. Each reason is a sentence of ours: no word of the file is told.
#[derive(Debug, Default)]
struct Counts {
    known: usize,
    reasons: Vec<Reason>,
}

/// Events of one reason.
#[derive(Debug)]
struct Reason {
    why: &'static str,
    /// They are here or came all the same.
    comes: bool,
    count: usize,
    /// The first lines.
    lines: Vec<usize>,
}

impl Counts {
    /// So many lines are told of a reason.
    const TOLD: usize = 5;

    fn say(&mut self, why: &'static str, comes: bool, line: usize) {
        let known = self.reasons.iter().position(|known| known.why == why);
        let at = known.unwrap_or_else(|| {
            self.reasons.push(Reason { why, comes, count: 0, lines: Vec::new() });
            self.reasons.len() - 1
        });
        if let Some(reason) = self.reasons.get_mut(at) {
            reason.count += 1;
            if reason.lines.len() < Self::TOLD {
                reason.lines.push(line);
            }
        }
    }

    fn text(&self) -> String {
        let sentence = |reason: &Reason| {
            let told: Vec<String> = reason.lines.iter().map(ToString::to_string).collect();
            let more = if reason.count > Self::TOLD { " and others" } else { "" };
            let at = format!("line {}{more}", told.join(", "));
            let count = counted(reason.count, "event", "events");
            if reason.comes {
                format!("Of {count} ({at}): {}", reason.why)
            } else {
                format!("{count} left out ({at}): {}", reason.why)
            }
        };
        self.reasons.iter().map(sentence).collect::<Vec<_>>().join(" ")
    }
}

//! From a file to rows: what comes in is checked as a tool's arguments are, what hangs together is looked at with what is here, and what a
//! stranger may have written is marked (D-17). A file may be anybody's: nothing here takes longer than its rows and what an itinerary holds.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use domain::{ALTERED, Count, DomainChange, FileRows, Imported, Intake, Mode, refused_whole};
use mcp::ToolError;
use serde::de::IgnoredAny;
use store::{Changed, Record, Stage};

use super::ids::Ids;
use super::{FIELD, Row, Transfer, stranger};
use crate::model::{Itinerary, MAX_ITINERARIES, MAX_SEGMENTS, MAX_TRAVELLERS, Segment};
use crate::moving::Links;
use crate::profile::Profile;
use crate::{ID, clean, private, whole};

/// So many rows and refused lines are shown of an import that may be very large.
const SHOWN: usize = 100;

/// The most rows of a file that is read at all.
const MAX_ROWS: usize = MAX_ITINERARIES * (MAX_SEGMENTS + 2);

/// What is said where the itinerary of a row does not come in.
const NO_ITINERARY: &str = "Its itinerary is not in the file.";

/// What is said of a segment that the person booked, of which a stranger's file says something else.
const BOOKED: &str = "It is booked here: what the file says otherwise of it was not taken.";

/// Stages the itineraries of a file. A file that says nothing of them leaves them as they are.
///
/// # Errors
/// [`ToolError::Rejected`] where it has too many, or should replace what is there and has a row that cannot be read. Then nothing is
/// staged.
pub(super) fn import(stage: &mut Stage, text: &str, from: &Intake<'_>) -> Result<Imported, ToolError> {
    let Some(file) = FileRows::read(&Transfer, text, from)? else { return Ok(Imported::default()) };
    if file.rows.len() > MAX_ROWS {
        let why = format!("The file has {} rows of itineraries; {MAX_ROWS} can be kept.", file.rows.len());
        return Err(ToolError::Rejected(why));
    }
    let marks = file.marks(from);
    let mut importing = Importing {
        here: order::gather(stage.all::<Itinerary>().into_iter().map(|row| (row.id.clone(), row))),
        now_ms: stage.moment().at_ms,
        stage,
        ids: Ids::new(marks),
        marks,
        is_own: from.is_own,
        is_ours: file.is_ours,
        is_replacing: from.mode == Mode::Replace,
        taken: BTreeSet::new(),
        kept: BTreeSet::new(),
        profiled: BTreeSet::new(),
        rejected: Vec::new(),
        of_itineraries: Count::default(),
        of_segments: Count::default(),
        of_profiles: Count::default(),
        of_rows: Count::default(),
        alone: 0,
        struck: (0, 0),
    };
    let read = importing.read(&file.rows);
    importing.itineraries(read.itineraries);
    importing.segments(read.segments);
    importing.profiles(read.profiles);
    importing.done(file.is_as_written == Some(false))
}

/// The rows of a file with their lines.
#[derive(Default)]
struct Read {
    itineraries: Vec<(usize, Itinerary)>,
    segments: Vec<(usize, Segment)>,
    profiles: Vec<(usize, Profile)>,
}

struct Importing<'a> {
    stage: &'a mut Stage,
    /// The itineraries as they are before anything comes in.
    here: BTreeMap<String, Rc<Itinerary>>,
    now_ms: i64,
    ids: Ids,
    /// Words may be a stranger's.
    marks: bool,
    /// The person vouches for them.
    is_own: bool,
    /// It is this device's own copy of everything.
    is_ours: bool,
    is_replacing: bool,
    /// The itineraries, the segments and the profiles of the file, by their ids here.
    taken: BTreeSet<String>,
    kept: BTreeSet<String>,
    profiled: BTreeSet<String>,
    rejected: Vec<(usize, String)>,
    of_itineraries: Count,
    of_segments: Count,
    of_profiles: Count,
    /// What is none of the three.
    of_rows: Count,
    /// How many segments hang on less than the file says.
    alone: usize,
    /// How many segments name somebody who does not travel, and how many of them are ideas by it.
    struck: (usize, usize),
}

impl Importing<'_> {
    fn read(&mut self, rows: &[(usize, &str)]) -> Read {
        let mut read = Read::default();
        for &(line, row) in rows {
            match serde_json::from_str::<Row>(row) {
                Ok(Row::Itinerary(row)) => read.itineraries.push((line, *row)),
                Ok(Row::Segment(row)) => read.segments.push((line, *row)),
                Ok(Row::Profile(row)) => read.profiles.push((line, *row)),
                Err(_unread) => {
                    let kind = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(row);
                    let kind = kind.ok().and_then(|fields| fields.into_keys().next());
                    let count = match kind.as_deref() {
                        Some("itinerary") => &mut self.of_itineraries,
                        Some("segment") => &mut self.of_segments,
                        Some("profile") => &mut self.of_profiles,
                        _ => &mut self.of_rows,
                    };
                    count.rejected += 1;
                    self.rejected.push((line, "This is nothing of an itinerary.".to_owned()));
                }
            }
        }
        read
    }

    /// A moment of a file: none that is still to come.
    fn in_time(&self, ms: i64) -> i64 {
        if (0..=self.now_ms).contains(&ms) { ms } else { self.now_ms }
    }

    /// Whether a row is to be marked. One that is here, the same but for its mark, keeps the mark that it has.
    fn mark<T: Record + PartialEq>(&self, row: &mut T, mark: impl Fn(&mut T) -> &mut bool) {
        let says = *mark(row);
        if let (true, Some(here)) = (self.marks, self.stage.get::<T>(row.id())) {
            let mut here = T::clone(&here);
            *mark(row) = *mark(&mut here);
            if *row == here {
                return;
            }
        }
        *mark(row) = self.marks || (says && !self.is_own);
    }

    fn itineraries(&mut self, rows: Vec<(usize, Itinerary)>) {
        // What goes makes room for what comes: where all is replaced, only what the file has is counted.
        let mut room = MAX_ITINERARIES.saturating_sub(if self.is_replacing { 0 } else { self.here.len() });
        for (line, mut row) in rows {
            let checked = self.itinerary(&mut row);
            let is_new = self.is_replacing || !self.here.contains_key(&row.id);
            match checked {
                Ok(()) if is_new && room == 0 => {
                    self.of_itineraries.left_out += 1;
                    self.rejected
                        .push((line, format!("{MAX_ITINERARIES} itineraries can be kept, and no more.")));
                }
                Ok(()) => {
                    room -= usize::from(is_new);
                    self.taken.insert(row.id.clone());
                    self.of_itineraries.put(self.stage, row);
                }
                Err(why) => {
                    self.of_itineraries.rejected += 1;
                    self.rejected.push((line, why));
                }
            }
        }
    }

    fn itinerary(&self, row: &mut Itinerary) -> Result<(), String> {
        row.id = self.ids.of(self.stage, "itin", &row.id)?;
        if self.taken.contains(&row.id) {
            return Err("The file has this itinerary twice.".into());
        }
        let here = self.here.get(&row.id).map(|here| &**here);
        let mut travellers = BTreeSet::new();
        for traveller in &mut row.travellers {
            traveller.id = self.ids.of_traveller(&traveller.id, here)?;
            if !travellers.insert(traveller.id.clone()) {
                return Err("Two of its travellers have one id.".into());
            }
        }
        if self.marks {
            stranger::itinerary(row, here);
        }
        if let Some(here) = here.filter(|_| !self.is_ours) {
            private::keep_of_travellers(row, here);
        }
        clean::itinerary(row)?;
        if let Some(here) = here.filter(|_| self.marks && !self.is_replacing) {
            self.keep_booked(row, here)?;
        }
        row.created_ms = self.in_time(row.created_ms);
        row.updated_ms = self.in_time(row.updated_ms);
        row.archived_ms = row.archived_ms.map(|ms| self.in_time(ms));
        self.mark(row, |row| &mut row.imported);
        Ok(())
    }

    /// Keeps who takes part in what the person booked: left out of a stranger's list of travellers they would be taken out of it as well.
    fn keep_booked(&self, row: &mut Itinerary, here: &Itinerary) -> Result<(), String> {
        let booked =
            self.stage.filter::<Segment>(|segment| segment.itinerary == here.id && segment.is_pinned());
        for known in &here.travellers {
            let is_there = row.travellers.iter().any(|traveller| traveller.id == known.id);
            if !is_there && booked.iter().any(|segment| segment.who.contains(&known.id)) {
                row.travellers.push(known.clone());
            }
        }
        match row.travellers.len() > MAX_TRAVELLERS {
            true => Err(format!("At most {MAX_TRAVELLERS} travellers can be on an itinerary.")),
            false => Ok(()),
        }
    }

    fn segments(&mut self, rows: Vec<(usize, Segment)>) {
        let mut seen = BTreeSet::new();
        let mut groups: BTreeMap<String, Vec<(usize, Segment)>> = BTreeMap::new();
        for (line, mut row) in rows {
            let checked = self.segment(&mut row);
            let checked = checked.and_then(|taken| match seen.insert(row.id.clone()) {
                true => Ok(taken),
                false => Err("The file has this segment twice.".to_owned()),
            });
            match checked {
                Ok(false) => {
                    self.of_segments.left_out += 1;
                    self.rejected.push((line, BOOKED.to_owned()));
                }
                Ok(true) => groups.entry(row.itinerary.clone()).or_default().push((line, row)),
                Err(why) => self.reject_segment(line, why),
            }
        }
        for (itinerary, rows) in groups {
            self.group(&itinerary, rows);
        }
    }

    fn reject_segment(&mut self, line: usize, why: String) {
        self.of_segments.rejected += 1;
        self.rejected.push((line, why));
    }

    /// Whether a segment is taken: what the person booked is as they say, whoever else says more of it (S4-12, D-17).
    fn segment(&self, row: &mut Segment) -> Result<bool, String> {
        row.id = self.ids.of(self.stage, "seg", &row.id)?;
        row.itinerary = self.ids.of(self.stage, "itin", &row.itinerary)?;
        for on in row.depends_on.iter_mut().map(|dependency| &mut dependency.on) {
            *on = self.ids.of(self.stage, "seg", on)?;
        }
        let of = self.here.get(&row.itinerary).map(|here| &**here);
        for who in &mut row.who {
            *who = self.ids.of_traveller(who, of)?;
        }
        let here = self.stage.get::<Segment>(&row.id);
        if self.marks {
            stranger::segment(row, here.as_deref());
        }
        if let Some(here) = here.as_ref().filter(|_| !self.is_ours) {
            private::keep_codes(row, here);
        }
        clean::segment(row)?;
        row.created_ms = self.in_time(row.created_ms);
        row.updated_ms = self.in_time(row.updated_ms);
        let is_elsewhere = here.as_ref().is_some_and(|here| here.itinerary != row.itinerary);
        if is_elsewhere && !self.is_replacing {
            return Err("It is on another itinerary here.".into());
        }
        let booked = here.filter(|here| self.marks && !self.is_replacing && here.is_pinned());
        let Some(booked) = booked else { return Ok(true) };
        let (created_ms, updated_ms) = (booked.created_ms, booked.updated_ms);
        *row = Segment { imported: booked.imported, created_ms, updated_ms, ..row.clone() };
        Ok(*row == *booked)
    }

    /// The segments of one itinerary: as many as it has room for, each hanging on what is there.
    fn group(&mut self, itinerary: &str, rows: Vec<(usize, Segment)>) {
        let of = self.stage.get::<Itinerary>(itinerary);
        let Some(of) = of.filter(|_| !self.is_replacing || self.taken.contains(itinerary)) else {
            for (line, _) in rows {
                self.reject_segment(line, NO_ITINERARY.to_owned());
            }
            return;
        };
        let mut stored = match self.is_replacing {
            true => Vec::new(),
            false => self.stage.filter::<Segment>(|segment| segment.itinerary == itinerary),
        };
        let ids: BTreeSet<String> = order::gather(stored.iter().map(|segment| segment.id.clone()));
        let mut room = MAX_SEGMENTS.saturating_sub(stored.len());
        let mut coming = Vec::new();
        for (line, row) in rows {
            let is_new = !ids.contains(&row.id);
            if is_new && room == 0 {
                self.of_segments.left_out += 1;
                self.rejected
                    .push((line, format!("{MAX_SEGMENTS} segments can be on an itinerary, and no more.")));
                continue;
            }
            room -= usize::from(is_new);
            coming.push(row);
        }
        let names: Vec<String> = coming.iter().map(|row| row.id.clone()).collect();
        let new: BTreeSet<&str> = order::gather(names.iter().map(|id| &**id));
        stored.retain(|segment| !new.contains(&*segment.id));
        let mut links =
            Links::of(stored.iter().map(|segment| &*segment.id).chain(names.iter().map(|id| &**id)));
        for segment in &stored {
            links.set(&segment.id, &segment.depends_on);
        }
        for mut row in coming {
            let before = row.depends_on.len();
            row.depends_on.retain(|on| on.on != row.id && (ids.contains(&on.on) || new.contains(&*on.on)));
            if !links.hang(&row.id, &row.depends_on) {
                row.depends_on.clear();
            }
            self.alone += usize::from(row.depends_on.len() < before);
            let status = row.status;
            if whole::struck(&mut row, &of) {
                self.struck.0 += 1;
                self.struck.1 += usize::from(row.status != status);
            }
            self.mark(&mut row, |row| &mut row.imported);
            self.kept.insert(row.id.clone());
            self.of_segments.put(self.stage, row);
        }
    }

    fn profiles(&mut self, rows: Vec<(usize, Profile)>) {
        for (line, mut row) in rows {
            let checked = self.ids.of(self.stage, "itin", &row.id).and_then(|id| {
                row.id = id;
                clean::profile(&mut row)?;
                let is_there = self.stage.get::<Itinerary>(&row.id).is_some();
                if !is_there || (self.is_replacing && !self.taken.contains(&row.id)) {
                    return Err(NO_ITINERARY.to_owned());
                }
                match self.profiled.contains(&row.id) {
                    false => Ok(()),
                    true => Err("The file says twice what is known of these travellers.".to_owned()),
                }
            });
            match checked {
                Ok(()) => {
                    row.updated_ms = self.in_time(row.updated_ms);
                    self.mark(&mut row, |row| &mut row.imported);
                    self.profiled.insert(row.id.clone());
                    self.of_profiles.put(self.stage, row);
                }
                Err(why) => {
                    self.of_profiles.rejected += 1;
                    self.rejected.push((line, why));
                }
            }
        }
    }

    /// Takes away what a file that replaces everything does not have, and says what came of it.
    fn done(mut self, is_altered: bool) -> Result<Imported, ToolError> {
        if self.marks {
            self.rejected.iter_mut().for_each(|(_, why)| unquote(why));
        }
        order::sort(&mut self.rejected);
        if self.is_replacing {
            if let Some((line, why)) = self.rejected.first() {
                return Err(refused_whole(*line, why));
            }
            self.of_segments.removed = remove::<Segment>(self.stage, &self.kept);
            self.of_itineraries.removed = remove::<Itinerary>(self.stage, &self.taken);
            self.of_profiles.removed = remove::<Profile>(self.stage, &self.profiled);
        }
        let mut imported = Imported::of(&[
            (FIELD, self.of_itineraries),
            ("segments", self.of_segments),
            ("profiles", self.of_profiles),
            ("rows", self.of_rows),
        ]);
        // What is here already may hang together with what came: who is no traveller any more.
        let mended = whole::mend(self.stage);
        let mut notes = Vec::new();
        if self.alone > 0 {
            let hang = domain::counted(self.alone, "segment hangs", "segments hang");
            notes.push(format!(
                "{hang} on less than the file says: on what is not there, or on itself, nothing can hang."
            ));
        }
        if self.struck.0 > 0 {
            notes.push(whole::struck_said(self.struck.0, self.struck.1));
        }
        notes.extend(mended);
        changes(self.stage, &mut imported)?;
        if imported.marked > 0 {
            notes.push(
                "Words of itineraries may be somebody else’s: a conversation that is told of them asks before it deletes or sends anything."
                    .to_owned(),
            );
        }
        if is_altered {
            notes.push(ALTERED.to_owned());
        }
        imported.notes = notes;
        imported.reject("rows of itineraries", self.rejected, SHOWN);
        Ok(imported)
    }
}

/// Takes what is quoted out of a reason: nothing marks a row that does not come in, and the words may be a stranger's (D-17).
fn unquote(why: &mut String) {
    let quoted = why.split_once('“').and_then(|(before, rest)| Some((before, rest.rsplit_once('”')?.1)));
    if let Some((before, after)) = quoted {
        *why = format!("{before}“…”{after}");
    }
}

/// Deletes the rows of a table that are not among those that stay; says how many.
fn remove<T: Record>(stage: &mut Stage, stays: &BTreeSet<String>) -> usize {
    let gone = stage.filter::<T>(|row| !stays.contains(row.id()));
    for row in &gone {
        stage.delete::<T>(row.id());
    }
    gone.len()
}

/// How many rows change and come marked, and the first of them.
fn changes(stage: &Stage, imported: &mut Imported) -> Result<(), ToolError> {
    add(&stage.changed::<Itinerary>(), |row| row.imported, imported)?;
    add(&stage.changed::<Profile>(), |row| row.imported, imported)?;
    add(&stage.changed::<Segment>(), |row| row.imported, imported)
}

fn add<T: Record>(
    rows: &[Changed<T>],
    is_marked: fn(&T) -> bool,
    imported: &mut Imported,
) -> Result<(), ToolError> {
    imported.total += rows.len();
    imported.marked +=
        rows.iter().filter_map(|row| row.after.as_deref()).filter(|row| is_marked(row)).count();
    for row in rows.iter().take(SHOWN.saturating_sub(imported.changes.len())) {
        imported.changes.push(DomainChange::of(ID, row.before.as_deref(), row.after.as_deref())?);
    }
    Ok(())
}

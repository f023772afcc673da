//! Itineraries in the app's own file format: `itineraries`, a list in which each row says what it is, `{"segment": {…}}`. All of it
//! leaves; what comes in goes through the same checks as a tool's arguments, and is marked where somebody else may have written it (D-17).
//!
//! Start at [`import`].

mod ids;

use std::rc::Rc;

use domain::{ALTERED, DomainChange, Files, Imported, Intake, Mode, Rejected, in_words};
use mcp::ToolError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{Record, Stage, View, content_hash};

use self::ids::Ids;
use crate::model::{Itinerary, MAX_ITINERARIES, MAX_SEGMENTS, Segment};
use crate::moving::is_circle;
use crate::profile::Profile;
use crate::{ID, clean, days};

/// So many rows and refused lines are shown of an import that may be very large.
const SHOWN: usize = 100;

/// The most rows of a file that is read at all.
const MAX_ROWS: usize = MAX_ITINERARIES * (MAX_SEGMENTS + 2);

/// Itineraries in files. A handle without anything in it.
pub(crate) struct Transfer;

/// Their field in a file.
pub(crate) const FIELD: &str = "itineraries";

/// A row in a file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Row {
    Itinerary(Box<Itinerary>),
    Segment(Box<Segment>),
    Profile(Box<Profile>),
}

/// A row that is written.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Written<'a> {
    Itinerary(&'a Itinerary),
    Segment(&'a Segment),
    Profile(&'a Profile),
}

/// One itinerary as a file of the app's own format, which `data_import` takes.
///
/// # Errors
/// [`ToolError::Failed`] for a row that cannot be written as JSON.
pub(crate) fn file_of(
    itinerary: &Itinerary,
    profile: Option<&Profile>,
    segments: &[Rc<Segment>],
) -> Result<String, ToolError> {
    let mut rows = vec![Written::Itinerary(itinerary)];
    rows.extend(profile.map(Written::Profile));
    rows.extend(segments.iter().map(|segment| Written::Segment(segment)));
    let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| ToolError::Failed(error.to_string()))?;
    Ok(format!("{{\"satchel\":{},\"{FIELD}\":[\n{}\n]}}\n", domain::VERSION, lines.join(",\n")))
}

impl Files for Transfer {
    fn field(&self) -> &'static str {
        FIELD
    }

    /// Each itinerary with what is known of its travellers and its segments behind it, the oldest first.
    fn rows(&self, view: &View) -> Result<Vec<String>, ToolError> {
        let write = |row: &Written<'_>| {
            serde_json::to_string(row).map_err(|error| ToolError::Failed(error.to_string()))
        };
        let mut itineraries = view.all::<Itinerary>();
        order::sort_by(&mut itineraries, |one, other| {
            one.created_ms.cmp(&other.created_ms).then_with(|| one.id.cmp(&other.id))
        });
        let mut segments = view.all::<Segment>();
        days::sort(&mut segments);
        let mut rows = Vec::new();
        for itinerary in &itineraries {
            rows.push(write(&Written::Itinerary(itinerary))?);
            if let Some(profile) = view.get::<Profile>(&itinerary.id) {
                rows.push(write(&Written::Profile(&profile))?);
            }
            for segment in segments.iter().filter(|segment| segment.itinerary == itinerary.id) {
                rows.push(write(&Written::Segment(segment))?);
            }
        }
        Ok(rows)
    }

    fn import(&self, stage: &mut Stage, text: &str, intake: &Intake<'_>) -> Result<Imported, ToolError> {
        import(stage, text, intake)
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default)]
    epoch: String,
    itineraries_hash: Option<String>,
    #[serde(borrow)]
    itineraries: Option<Vec<&'a RawValue>>,
}

/// Whether a file says anything of itineraries.
#[derive(Deserialize)]
struct Has {
    itineraries: Option<serde::de::IgnoredAny>,
}

/// What a file has, read, with the line each begins in.
#[derive(Default)]
struct Read {
    itineraries: Vec<(usize, Itinerary)>,
    segments: Vec<(usize, Segment)>,
    profiles: Vec<(usize, Profile)>,
    /// What can be none of it: line and reason.
    rejected: Vec<(usize, String)>,
}

/// How many rows became what.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    new: usize,
    changed: usize,
    unchanged: usize,
    removed: usize,
}

impl Count {
    /// Puts a row if it is another one than before, and counts it.
    fn put<T: Record>(&mut self, stage: &mut Stage, after: T) {
        match stage.get::<T>(after.id()) {
            None => self.new += 1,
            Some(before) if *before == after => {
                self.unchanged += 1;
                return;
            }
            Some(_) => self.changed += 1,
        }
        stage.put(after);
    }

    fn said(self, what: &str, rejected: usize) -> String {
        let parts = [
            (self.new, "new"),
            (self.changed, "changed"),
            (self.removed, "removed"),
            (rejected, "not readable"),
        ];
        in_words(what, &parts)
    }
}

/// Stages the itineraries of a file. A file that says nothing of them leaves them as they are.
///
/// # Errors
/// [`ToolError::Rejected`] where it has too many, or should replace what is there and has a row that cannot be read. Then nothing is
/// staged.
fn import(stage: &mut Stage, text: &str, from: &Intake<'_>) -> Result<Imported, ToolError> {
    // A list is one of to-dos; a struct would be read from it by its places.
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('[') {
        return Ok(Imported::default());
    }
    let (epoch, hash, rows) = match serde_json::from_str(text) {
        Ok(Envelope { epoch, itineraries_hash, itineraries: Some(rows) }) => (epoch, itineraries_hash, rows),
        Ok(Envelope { itineraries: None, .. }) => return Ok(Imported::default()),
        // Where there are none there is nothing to be read. To pass over some would be to say that there are none.
        Err(_unread) if serde_json::from_str(text).is_ok_and(|Has { itineraries }| itineraries.is_none()) => {
            return Ok(Imported::default());
        }
        Err(_unread) => {
            return Err(ToolError::Rejected(
                "The itineraries of the file cannot be read. Nothing was changed.".into(),
            ));
        }
    };
    if rows.len() > MAX_ROWS {
        let why = format!("The file has {} rows of itineraries; {MAX_ROWS} can be kept.", rows.len());
        return Err(ToolError::Rejected(why));
    }
    let is = content_hash(rows.iter().map(|row| row.get()).collect::<Vec<_>>().join("\n").as_bytes());
    let is_as_written = hash.map(|expected| expected == is);
    // Anybody can make the hash. The epoch is in files of this device alone.
    let is_ours = is_as_written == Some(true) && !epoch.is_empty() && epoch == from.epoch;
    let marks = !(is_ours || from.is_own);
    let mut read = read(text, rows);
    let ids = Ids::new(marks);
    let (mut of_itineraries, mut of_segments) = (Count::default(), Count::default());
    let mut taken: Vec<String> = Vec::new();
    let now_ms = stage.moment().at_ms;
    let in_time = |ms: i64| if (0..=now_ms).contains(&ms) { ms } else { now_ms };
    let is_foreign = |says: bool| marks || (says && !from.is_own);
    // What goes makes room for what comes: where all is replaced, only what the file has is counted.
    let is_replacing = from.mode == Mode::Replace;
    let mut room =
        MAX_ITINERARIES.saturating_sub(if is_replacing { 0 } else { stage.all::<Itinerary>().len() });
    for (line, mut row) in std::mem::take(&mut read.itineraries) {
        let checked = ids.of(stage, "itin", &row.id).and_then(|id| {
            row.id = id;
            for traveller in &mut row.travellers {
                traveller.id = ids.of_traveller(&traveller.id)?;
            }
            clean::itinerary(&mut row)
        });
        let is_twice = taken.contains(&row.id);
        let is_new = is_replacing || stage.get::<Itinerary>(&row.id).is_none();
        match checked {
            Err(why) => read.rejected.push((line, why)),
            Ok(()) if is_twice => read.rejected.push((line, "The file has this itinerary twice.".into())),
            Ok(()) if is_new && room == 0 => {
                read.rejected
                    .push((line, format!("{MAX_ITINERARIES} itineraries can be kept, and no more.")));
            }
            Ok(()) => {
                room -= usize::from(is_new);
                row.imported = is_foreign(row.imported);
                row.created_ms = in_time(row.created_ms);
                row.updated_ms = in_time(row.updated_ms);
                row.archived_ms = row.archived_ms.map(in_time);
                taken.push(row.id.clone());
                of_itineraries.put(stage, row);
            }
        }
    }
    let (refused_itineraries, mut kept) = (read.rejected.len(), Vec::new());
    let mut coming: Vec<(usize, Segment)> = Vec::new();
    for (line, mut row) in std::mem::take(&mut read.segments) {
        let checked = ids.of(stage, "seg", &row.id).and_then(|id| {
            row.id = id;
            row.itinerary = ids.of(stage, "itin", &row.itinerary)?;
            for on in row.depends_on.iter_mut().map(|dependency| &mut dependency.on) {
                *on = ids.of(stage, "seg", on)?;
            }
            for who in &mut row.who {
                *who = ids.of_traveller(who)?;
            }
            clean::segment(&mut row)
        });
        if let Err(why) = checked {
            read.rejected.push((line, why));
        } else if coming.iter().any(|(_, other)| other.id == row.id) {
            read.rejected.push((line, "The file has this segment twice.".into()));
        } else {
            row.imported = is_foreign(row.imported);
            row.created_ms = in_time(row.created_ms);
            row.updated_ms = in_time(row.updated_ms);
            coming.push((line, row));
        }
    }
    // What hangs on nothing that is there, or on itself, hangs on nothing.
    let all: Vec<Rc<Segment>> = coming.iter().map(|(_, row)| Rc::new(row.clone())).collect();
    for (line, mut row) in coming {
        let mates = || all.iter().filter(|other| other.itinerary == row.itinerary);
        let mates: Vec<Rc<Segment>> = mates().cloned().collect();
        let is_mate = |on: &str| {
            mates.iter().any(|other| other.id == on)
                || (!is_replacing
                    && stage.get::<Segment>(on).is_some_and(|other| other.itinerary == row.itinerary))
        };
        let mut on = row.depends_on.clone();
        on.retain(|dependency| is_mate(&dependency.on));
        if is_circle(&mates, &row.id, &on) {
            on.clear();
        }
        row.depends_on = on;
        let count = stage.filter::<Segment>(|other| other.itinerary == row.itinerary).len();
        let before = stage.get::<Segment>(&row.id);
        let is_elsewhere = before.as_ref().is_some_and(|before| before.itinerary != row.itinerary);
        let why = match stage.get::<Itinerary>(&row.itinerary) {
            None => Some("Its itinerary is not in the file.".to_owned()),
            Some(_) if is_replacing && !taken.contains(&row.itinerary) => {
                Some("Its itinerary is not in the file.".to_owned())
            }
            Some(_) if before.is_none() && count >= MAX_SEGMENTS => {
                Some(format!("{MAX_SEGMENTS} segments can be on an itinerary, and no more."))
            }
            Some(_) if is_elsewhere => Some("It is on another itinerary here.".to_owned()),
            Some(_) => None,
        };
        match why {
            Some(why) => read.rejected.push((line, why)),
            None => {
                kept.push(row.id.clone());
                of_segments.put(stage, row);
            }
        }
    }
    let refused_segments = read.rejected.len() - refused_itineraries;
    for (line, mut row) in std::mem::take(&mut read.profiles) {
        let checked = ids.of(stage, "itin", &row.id).and_then(|id| {
            row.id = id;
            clean::profile(&mut row)
        });
        match checked {
            Err(why) => read.rejected.push((line, why)),
            Ok(()) if stage.get::<Itinerary>(&row.id).is_none() => {
                read.rejected.push((line, "Its itinerary is not in the file.".into()));
            }
            Ok(()) => {
                row.imported = is_foreign(row.imported);
                row.updated_ms = in_time(row.updated_ms);
                Count::default().put(stage, row);
            }
        }
    }
    order::sort(&mut read.rejected);
    if is_replacing {
        if let Some((line, why)) = read.rejected.first() {
            let why = format!(
                "Line {line}: {why} Nothing was changed: only a file that can be read as a whole may replace everything."
            );
            return Err(ToolError::Rejected(why));
        }
        remove(stage, &taken, &kept, (&mut of_itineraries, &mut of_segments));
    }
    report(
        stage,
        read.rejected,
        is_as_written,
        [of_itineraries.said(FIELD, refused_itineraries), of_segments.said("segments", refused_segments)],
        [of_itineraries, of_segments],
    )
}

/// Takes away what a file that replaces everything does not have.
fn remove(stage: &mut Stage, taken: &[String], kept: &[String], count: (&mut Count, &mut Count)) {
    for gone in stage.filter::<Segment>(|segment| !kept.contains(&segment.id)) {
        count.1.removed += 1;
        stage.delete::<Segment>(&gone.id);
    }
    for gone in stage.filter::<Itinerary>(|itinerary| !taken.contains(&itinerary.id)) {
        count.0.removed += 1;
        stage.delete::<Itinerary>(&gone.id);
    }
    for gone in stage.filter::<Profile>(|profile| !taken.contains(&profile.id)) {
        stage.delete::<Profile>(&gone.id);
    }
}

/// The rows of a file.
fn read(text: &str, rows: Vec<&RawValue>) -> Read {
    let mut found = Read::default();
    // Lines are counted once, from one row to the next.
    let (mut line, mut counted) = (1, 0);
    for row in rows {
        let offset = (row.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        line += text.get(counted..offset).unwrap_or_default().matches('\n').count();
        counted = offset;
        match serde_json::from_str::<Row>(row.get()) {
            Ok(Row::Itinerary(row)) => found.itineraries.push((line, *row)),
            Ok(Row::Segment(row)) => found.segments.push((line, *row)),
            Ok(Row::Profile(row)) => found.profiles.push((line, *row)),
            Err(_unread) => found.rejected.push((line, "This is nothing of an itinerary.".to_owned())),
        }
    }
    found
}

/// What the import does, in words and rows.
fn report(
    stage: &Stage,
    rejected: Vec<(usize, String)>,
    is_as_written: Option<bool>,
    said: [String; 2],
    counts: [Count; 2],
) -> Result<Imported, ToolError> {
    let (itineraries, segments, profiles) =
        (stage.changed::<Itinerary>(), stage.changed::<Segment>(), stage.changed::<Profile>());
    let marked = itineraries.iter().filter(|row| row.after.as_ref().is_some_and(|row| row.imported)).count()
        + segments.iter().filter(|row| row.after.as_ref().is_some_and(|row| row.imported)).count()
        + profiles.iter().filter(|row| row.after.as_ref().is_some_and(|row| row.imported)).count();
    let mut notes = Vec::new();
    if marked > 0 {
        notes.push(
            "Words of itineraries may be somebody else’s: a conversation that is told of them asks before it deletes or sends anything."
                .to_owned(),
        );
    }
    if is_as_written == Some(false) {
        notes.push(ALTERED.to_owned());
    }
    if rejected.len() > SHOWN {
        notes.push(format!(
            "{} rows of itineraries cannot be imported; the first {SHOWN} are listed.",
            rejected.len()
        ));
    }
    let mut changes = Vec::new();
    for row in itineraries.iter().take(SHOWN) {
        changes.push(DomainChange::of(ID, row.before.as_deref(), row.after.as_deref())?);
    }
    for row in segments.iter().take(SHOWN.saturating_sub(changes.len())) {
        changes.push(DomainChange::of(ID, row.before.as_deref(), row.after.as_deref())?);
    }
    let sum = |count: fn(&Count) -> usize| counts.iter().map(count).sum();
    let said: Vec<String> = said.into_iter().filter(|said| !said.is_empty()).collect();
    Ok(Imported {
        said: said.join("; "),
        new: sum(|count| count.new),
        changed: sum(|count| count.changed),
        unchanged: sum(|count| count.unchanged),
        removed: sum(|count| count.removed),
        rejected: rejected.into_iter().take(SHOWN).map(|(line, reason)| Rejected { line, reason }).collect(),
        notes,
        total: itineraries.len() + segments.len() + profiles.len(),
        marked,
        changes,
    })
}

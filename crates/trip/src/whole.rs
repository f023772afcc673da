//! What holds over several rows (ADR 0033): a segment has its itinerary, what it hangs on is on the same one and not on itself, who takes
//! part travels, and what is known of travellers is of an itinerary. Tools keep to it; what comes past them is looked at here: an undo by
//! [`check`], which refuses, a saved copy and a file by [`mend`].
//!
//! [`check`] looks at what this very stage makes or cuts: faults that are there already stop nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use domain::{counted, quoted};
use store::{Changed, Stage};

use crate::found::{itinerary_said, segment_said, segments_of};
use crate::model::{Itinerary, MAX_ITINERARIES, MAX_SEGMENTS, Segment, Status};
use crate::moving::Links;
use crate::profile::Profile;

/// The itineraries whose segments or travellers a stage changes.
fn touched(stage: &Stage) -> BTreeSet<String> {
    let segments = stage.changed::<Segment>().into_iter();
    let segments = segments.flat_map(|row| [row.before, row.after]).flatten();
    let mut ids: BTreeSet<String> = order::gather(segments.map(|segment| segment.itinerary.clone()));
    ids.extend(
        stage.changed::<Itinerary>().into_iter().filter_map(|row| row.after).map(|row| row.id.clone()),
    );
    ids
}

/// The itineraries that a stage deletes.
fn gone(stage: &Stage) -> Vec<Rc<Itinerary>> {
    let changed = stage.changed::<Itinerary>().into_iter();
    changed.filter(|row| row.after.is_none()).filter_map(|row| row.before).collect()
}

/// The segments that a stage puts on an itinerary on which they were not.
fn arrived(stage: &Stage) -> Vec<Rc<Segment>> {
    let is_new = |row: &Changed<Segment>| {
        let (before, after) = (row.before.as_ref(), row.after.as_ref());
        before.map(|before| &before.itinerary) != after.map(|after| &after.itinerary)
    };
    stage.changed::<Segment>().into_iter().filter(is_new).filter_map(|row| row.after).collect()
}

/// The segments that a stage leaves without their itinerary: their own is deleted, or they come to one that is not there.
fn orphans(stage: &Stage) -> Vec<Rc<Segment>> {
    let gone: BTreeSet<String> = order::gather(gone(stage).iter().map(|itinerary| itinerary.id.clone()));
    let mut orphans = match gone.is_empty() {
        true => Vec::new(),
        false => stage.filter::<Segment>(|segment| gone.contains(&segment.itinerary)),
    };
    orphans.extend(arrived(stage).into_iter().filter(|segment| {
        !gone.contains(&segment.itinerary) && stage.get::<Itinerary>(&segment.itinerary).is_none()
    }));
    orphans
}

/// What is known of travellers of an itinerary that is not there, and that a stage leaves so.
fn orphan_profiles(stage: &Stage) -> Vec<Rc<Profile>> {
    let new = stage.changed::<Profile>().into_iter().filter(|row| row.before.is_none());
    let mut all: Vec<Rc<Profile>> = new.filter_map(|row| row.after).collect();
    for itinerary in gone(stage) {
        all.extend(stage.get::<Profile>(&itinerary.id).filter(|profile| !all.contains(profile)));
    }
    all.retain(|profile| stage.get::<Itinerary>(&profile.id).is_none());
    all
}

/// Takes out what segments hang on where `is_there` says that it is not: of a segment, the segments of its itinerary and an id. Says of
/// how many.
fn let_go(stage: &mut Stage, is_there: impl Fn(&Segment, &BTreeSet<&str>, &str) -> bool) -> usize {
    let mut count = 0;
    for itinerary in touched(stage) {
        let all = segments_of(stage, &itinerary);
        let ids: BTreeSet<&str> = order::gather(all.iter().map(|segment| &*segment.id));
        for segment in &all {
            let mut after = Segment::clone(segment);
            after.depends_on.retain(|dependency| is_there(segment, &ids, &dependency.on));
            if after != **segment {
                stage.put(after);
                count += 1;
            }
        }
    }
    count
}

/// Frees the segments of an itinerary that hang on themselves, over others: of a circle one that the stage changes, where it changes one.
fn cut_circles(stage: &mut Stage, itinerary: &str) -> usize {
    let mut all = segments_of(stage, itinerary);
    let changed = stage.changed::<Segment>().into_iter().filter_map(|row| row.after);
    let changed: BTreeSet<String> = order::gather(changed.map(|segment| segment.id.clone()));
    order::sort_by_key(&mut all, |segment| changed.contains(&segment.id));
    let mut links = Links::of(all.iter().map(|segment| &*segment.id));
    let mut count = 0;
    for segment in &all {
        if !links.hang(&segment.id, &segment.depends_on) {
            stage.put(Segment { depends_on: Vec::new(), ..Segment::clone(segment) });
            count += 1;
        }
    }
    count
}

/// Takes out of the segments of an itinerary who does not travel on it. Says of how many, and how many of these are ideas by it.
fn strike(stage: &mut Stage, itinerary: &str) -> (usize, usize) {
    let Some(row) = stage.get::<Itinerary>(itinerary) else { return (0, 0) };
    let (mut count, mut ideas) = (0, 0);
    for segment in segments_of(stage, itinerary) {
        let mut after = Segment::clone(&segment);
        if struck(&mut after, &row) {
            count += 1;
            ideas += usize::from(after.status != segment.status);
            stage.put(after);
        }
    }
    (count, ideas)
}

/// Takes out of a segment who does not travel on its itinerary; says whether anybody was. Where nobody is left it would be everybody's:
/// it becomes an idea instead, unless a booking holds it.
pub(crate) fn struck(segment: &mut Segment, itinerary: &Itinerary) -> bool {
    let before = segment.who.len();
    segment.who.retain(|who| itinerary.travellers.iter().any(|traveller| traveller.id == *who));
    if segment.who.len() == before {
        return false;
    }
    if segment.who.is_empty() && !segment.is_pinned() {
        segment.status = Status::Idea;
    }
    true
}

/// What [`struck`] did, in words.
pub(crate) fn struck_said(count: usize, ideas: usize) -> String {
    let named = counted(count, "segment named", "segments named");
    let mut said =
        format!("{named} travellers who are not on the itinerary; these names were left out there.");
    if ideas > 0 {
        let are = counted(ideas, "of them is an idea", "of them are ideas");
        said = format!("{said} {are} now, since nobody is left: say who takes part.");
    }
    said
}

/// [`domain::Domain::check`].
pub(crate) fn check(stage: &mut Stage) -> Result<(), String> {
    homes(stage)?;
    let rows = stage.changed::<Segment>();
    let itineraries = stage.changed::<Itinerary>();
    // What a deletion took away whole comes back as it may be: nobody is kept from that by what was wrong with it.
    let is_back = |itinerary: &str| {
        itineraries
            .iter()
            .any(|row| row.before.is_none() && row.after.as_ref().is_some_and(|after| after.id == itinerary))
    };
    // Whoever takes an addition back does not have to take back first what was hung on it.
    let left: BTreeSet<String> = {
        let before = rows.iter().filter_map(|row| row.before.as_ref().map(|before| (before, &row.after)));
        let left = before
            .filter(|(before, after)| after.as_ref().is_none_or(|after| after.itinerary != before.itinerary));
        order::gather(left.map(|(before, _)| before.id.clone()))
    };
    let made: BTreeMap<&str, &Changed<Segment>> =
        order::gather(rows.iter().filter_map(|row| Some((&*row.after.as_ref()?.id, row))));
    let is_made = |segment: &Segment, on: &str| {
        made.get(&*segment.id).is_some_and(|row| {
            let before = row.before.iter().flat_map(|before| &before.depends_on);
            !before.into_iter().any(|dependency| dependency.on == on)
        })
    };
    let_go(stage, |segment, ids, on| {
        let is_looked_at = left.contains(on) || is_made(segment, on);
        !is_looked_at || (on != segment.id && ids.contains(on))
    });
    for id in touched(stage) {
        if is_back(&id) {
            cut_circles(stage, &id);
            strike(stage, &id);
            continue;
        }
        links(stage, &id, &made, &is_made)?;
        let row = itineraries.iter().find(|row| row.after.as_ref().is_some_and(|after| after.id == id));
        takers(stage, &id, row, &made)?;
    }
    let is_new = itineraries.iter().any(|row| row.before.is_none());
    if is_new && stage.all::<Itinerary>().len() > MAX_ITINERARIES {
        return Err(format!("There would be more than {MAX_ITINERARIES} itineraries: delete one first."));
    }
    Ok(())
}

/// Whether all that a stage puts or leaves has its itinerary. What was known of the travellers of a deleted one goes with it.
fn homes(stage: &mut Stage) -> Result<(), String> {
    if let Some(orphan) = orphans(stage).first() {
        let title = segment_said(orphan);
        let deleted = gone(stage).into_iter().find(|itinerary| itinerary.id == orphan.itinerary);
        return Err(match deleted {
            Some(itinerary) => format!(
                "{} has segments by now, such as {title}. Delete the itinerary instead: that takes them along.",
                itinerary_said(&itinerary)
            ),
            None => {
                format!("{title} would be on an itinerary that is not there any more. Bring that back first.")
            }
        });
    }
    let gone = gone(stage);
    for profile in orphan_profiles(stage) {
        if !gone.iter().any(|itinerary| itinerary.id == profile.id) {
            return Err("What is known of travellers would be of an itinerary that is not there any more. Bring that back first."
                .to_owned());
        }
        stage.delete::<Profile>(&profile.id);
    }
    Ok(())
}

/// Whether what the stage newly hangs on something makes a circle, and whether what comes to an itinerary has room there.
fn links(
    stage: &Stage,
    itinerary: &str,
    made: &BTreeMap<&str, &Changed<Segment>>,
    is_made: &impl Fn(&Segment, &str) -> bool,
) -> Result<(), String> {
    let all = segments_of(stage, itinerary);
    let mut links = Links::of(all.iter().map(|segment| &*segment.id));
    for segment in &all {
        links.set(&segment.id, &segment.depends_on);
    }
    for segment in all.iter().filter(|segment| made.contains_key(&*segment.id)) {
        let is_new = segment.depends_on.iter().any(|dependency| is_made(segment, &dependency.on));
        if is_new && !links.hang(&segment.id, &segment.depends_on) {
            return Err(format!(
                "{} would hang on itself: take out what hangs on it first.",
                segment_said(segment)
            ));
        }
    }
    let has_come = arrived(stage).iter().any(|segment| segment.itinerary == itinerary);
    if has_come && all.len() > MAX_SEGMENTS {
        return Err(format!("An itinerary would have more than {MAX_SEGMENTS} segments: delete some first."));
    }
    Ok(())
}

/// Whether everybody travels who takes part: those whom the stage names anew, and those whom it takes off the itinerary.
fn takers(
    stage: &Stage,
    itinerary: &str,
    changed: Option<&Changed<Itinerary>>,
    made: &BTreeMap<&str, &Changed<Segment>>,
) -> Result<(), String> {
    let Some(row) = stage.get::<Itinerary>(itinerary) else { return Ok(()) };
    let travels = |id: &str| row.travellers.iter().any(|traveller| traveller.id == id);
    let before = changed.and_then(|changed| changed.before.as_ref());
    for segment in segments_of(stage, itinerary) {
        let was = made.get(&*segment.id).map(|row| row.before.as_ref());
        for who in segment.who.iter().filter(|who| !travels(who)) {
            let taken =
                before.and_then(|before| before.travellers.iter().find(|traveller| traveller.id == *who));
            if let Some(taken) = taken {
                return Err(format!(
                    "{} takes part in {} by now: say who takes part there first.",
                    if row.imported { "A traveller".to_owned() } else { quoted(&taken.name) },
                    segment_said(&segment)
                ));
            }
            let is_named_anew = was.is_some_and(|was| was.is_none_or(|was| !was.who.contains(who)));
            if is_named_anew {
                return Err(format!(
                    "Somebody would take part in {} who is not on the itinerary any more. Add them again first.",
                    segment_said(&segment)
                ));
            }
        }
    }
    Ok(())
}

/// [`domain::Domain::mend`].
pub(crate) fn mend(stage: &mut Stage) -> Option<String> {
    let mut said = Vec::new();
    let orphans = orphans(stage);
    let lost: BTreeSet<&String> = order::gather(orphans.iter().map(|orphan| &orphan.itinerary));
    for id in lost {
        let now_ms = stage.moment().at_ms;
        let title = crate::create::unused(stage, "Found again");
        stage.put(Itinerary {
            id: id.clone(),
            title,
            created_ms: now_ms,
            updated_ms: now_ms,
            ..Itinerary::default()
        });
    }
    if !orphans.is_empty() {
        let count = counted(orphans.len(), "segment is", "segments are");
        said.push(format!("{count} on “Found again”, because the itinerary is not there."));
    }
    let profiles = orphan_profiles(stage);
    for profile in &profiles {
        stage.delete::<Profile>(&profile.id);
    }
    if !profiles.is_empty() && gone(stage).is_empty() {
        said.push("What was known of travellers of an itinerary that is not there was left out.".to_owned());
    }
    let freed = let_go(stage, |segment, ids, on| on != segment.id && ids.contains(on));
    if freed > 0 {
        let hang = counted(freed, "segment hangs", "segments hang");
        said.push(format!("{hang} no more on what is not there."));
    }
    let (mut cut, mut struck) = (0, (0, 0));
    for itinerary in touched(stage) {
        cut += cut_circles(stage, &itinerary);
        let (count, ideas) = strike(stage, &itinerary);
        struck = (struck.0 + count, struck.1 + ideas);
    }
    if cut > 0 {
        let stand =
            counted(cut, "segment that hung on itself stands", "segments that hung on themselves stand");
        said.push(format!("{stand} alone."));
    }
    if struck.0 > 0 {
        said.push(struck_said(struck.0, struck.1));
    }
    (!said.is_empty()).then(|| said.join(" "))
}

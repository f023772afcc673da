//! What holds over several rows: a segment has its itinerary, what it hangs on is on the same one and not on itself (ADR 0033). Tools keep
//! to it; what comes past them (an undo, a file, a saved copy) is looked at here.

use std::rc::Rc;

use domain::quoted;
use store::Stage;

use crate::found::segments_of;
use crate::model::{Itinerary, MAX_ITINERARIES, MAX_SEGMENTS, Segment};
use crate::moving::is_circle;
use crate::profile::Profile;

/// The itineraries whose segments a stage changes, each once.
fn touched(stage: &Stage) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for row in stage.changed::<Segment>() {
        for segment in row.before.iter().chain(&row.after) {
            if !ids.contains(&segment.itinerary) {
                ids.push(segment.itinerary.clone());
            }
        }
    }
    ids
}

/// Takes out what segments hang on and is gone. Whoever takes an addition back does not have to take back first what was hung on it.
fn let_go(stage: &mut Stage) -> usize {
    let mut count = 0;
    for itinerary in touched(stage) {
        let all = segments_of(stage, &itinerary);
        for segment in &all {
            let is_there = |on: &str| on != segment.id && all.iter().any(|other| other.id == on);
            if segment.depends_on.iter().all(|dependency| is_there(&dependency.on)) {
                continue;
            }
            let mut after = Segment::clone(segment);
            after.depends_on.retain(|dependency| is_there(&dependency.on));
            stage.put(after);
            count += 1;
        }
    }
    count
}

/// The itineraries that a stage deletes.
fn gone(stage: &Stage) -> Vec<Rc<Itinerary>> {
    let changed = stage.changed::<Itinerary>().into_iter();
    changed.filter(|row| row.after.is_none()).filter_map(|row| row.before).collect()
}

/// Takes away what is known of travellers of an itinerary that is not there.
fn forget(stage: &mut Stage) {
    for itinerary in gone(stage) {
        if stage.get::<Profile>(&itinerary.id).is_some() {
            stage.delete::<Profile>(&itinerary.id);
        }
    }
}

/// Segments of an itinerary that a stage touches and that is not there.
fn orphans(stage: &Stage) -> Vec<Rc<Segment>> {
    let mut ids = touched(stage);
    ids.extend(gone(stage).iter().map(|itinerary| itinerary.id.clone()));
    ids.retain(|id| stage.get::<Itinerary>(id).is_none());
    if ids.is_empty() {
        return Vec::new();
    }
    stage.filter::<Segment>(|segment| ids.contains(&segment.itinerary))
}

/// [`domain::Domain::check`].
pub(crate) fn check(stage: &mut Stage) -> Result<(), String> {
    if let Some(orphan) = orphans(stage).first() {
        let title = quoted(&orphan.title);
        let deleted = gone(stage).into_iter().find(|itinerary| itinerary.id == orphan.itinerary);
        return Err(match deleted {
            Some(itinerary) => format!(
                "{} has segments by now, such as {title}. Delete the itinerary instead: that takes them along.",
                quoted(&itinerary.title)
            ),
            None => {
                format!("{title} would be on an itinerary that is not there any more. Bring that back first.")
            }
        });
    }
    forget(stage);
    let_go(stage);
    for itinerary in touched(stage) {
        let all = segments_of(stage, &itinerary);
        if let Some(circle) = all.iter().find(|segment| is_circle(&all, &segment.id, &segment.depends_on)) {
            return Err(format!(
                "{} would hang on itself: take out what hangs on it first.",
                quoted(&circle.title)
            ));
        }
        if all.len() > MAX_SEGMENTS {
            return Err(format!(
                "An itinerary would have more than {MAX_SEGMENTS} segments: delete some first."
            ));
        }
    }
    let is_new = stage.changed::<Itinerary>().iter().any(|row| row.before.is_none());
    if is_new && stage.all::<Itinerary>().len() > MAX_ITINERARIES {
        return Err(format!("There would be more than {MAX_ITINERARIES} itineraries: delete one first."));
    }
    Ok(())
}

/// [`domain::Domain::mend`].
pub(crate) fn mend(stage: &mut Stage) -> Option<String> {
    let mut said = Vec::new();
    let orphans = orphans(stage);
    let mut lost: Vec<String> = Vec::new();
    for orphan in &orphans {
        if !lost.contains(&orphan.itinerary) {
            lost.push(orphan.itinerary.clone());
        }
    }
    for id in &lost {
        let now_ms = stage.moment().at_ms;
        let title = "Found again".to_owned();
        stage.put(Itinerary {
            id: id.clone(),
            title,
            created_ms: now_ms,
            updated_ms: now_ms,
            ..Itinerary::default()
        });
    }
    if !orphans.is_empty() {
        let count = domain::counted(orphans.len(), "segment is", "segments are");
        said.push(format!("{count} on “Found again”, because the itinerary is not there."));
    }
    forget(stage);
    let mut freed = let_go(stage);
    for itinerary in touched(stage) {
        // Each round lets one go, so that a circle is cut once.
        loop {
            let all = segments_of(stage, &itinerary);
            let circle = all.iter().find(|segment| is_circle(&all, &segment.id, &segment.depends_on));
            let Some(circle) = circle else { break };
            stage.put(Segment { depends_on: Vec::new(), ..Segment::clone(circle) });
            freed += 1;
        }
    }
    if freed > 0 {
        said.push(match freed {
            1 => "1 segment stands alone, because what it hangs on is not there.".to_owned(),
            count => format!("{count} segments stand alone, because what they hang on is not there."),
        });
    }
    (!said.is_empty()).then(|| said.join(" "))
}

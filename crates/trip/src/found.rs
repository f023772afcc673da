//! Which itinerary and which segment a call means: by id, or by what a person calls it.

use std::rc::Rc;

use domain::quoted;
use mcp::{ToolError, one_line};
use store::Stage;

use crate::days;
use crate::model::{Itinerary, Segment};
use crate::profile::Profile;

/// What a refusal calls a segment. Nothing marks a refusal: words that somebody else may have written are not in it (D-17).
pub(crate) fn segment_said(segment: &Segment) -> String {
    match segment.imported {
        true => format!("the {} from a file{}", segment.kind.word(), days::on(segment)),
        false => quoted(&segment.title),
    }
}

/// What a refusal calls an itinerary, as [`segment_said`].
pub(crate) fn itinerary_said(itinerary: &Itinerary) -> String {
    let span = days::span(itinerary);
    match (itinerary.imported, span.is_empty()) {
        (false, _) => quoted(&itinerary.title),
        (true, true) => "an itinerary from a file".to_owned(),
        (true, false) => format!("an itinerary from a file ({span})"),
    }
}

/// So many names are told where one could be meant.
const TOLD: usize = 5;

/// The itinerary a call is about: the one that is named, else the current one.
///
/// # Errors
/// [`ToolError::Rejected`] where there is none, or several could be meant.
pub(crate) fn itinerary(stage: &Stage, named: Option<&str>) -> Result<Rc<Itinerary>, ToolError> {
    let Some(named) = named.map(one_line).filter(|named| !named.is_empty()) else {
        let all = stage.all::<Itinerary>();
        return current(&all, &stage.all::<Segment>(), &stage.all::<Profile>()).ok_or_else(|| {
            ToolError::Rejected(if all.is_empty() {
                "There is no itinerary yet: itinerary_create makes one.".into()
            } else {
                "All itineraries are archived: say which one is meant, or make one with itinerary_create."
                    .into()
            })
        });
    };
    if let Some(found) = stage.get::<Itinerary>(&named) {
        return Ok(found);
    }
    let found = by_title(stage.all::<Itinerary>(), &named, |itinerary| &itinerary.title);
    match found.as_slice() {
        [one] => Ok(Rc::clone(one)),
        [] => Err(ToolError::Rejected(format!(
            "There is no itinerary {}; itinerary_list shows those there are.",
            quoted(&named)
        ))),
        several => Err(ToolError::Rejected(format!(
            "{} could be {}: give the id that itinerary_list shows.",
            quoted(&named),
            or(several.iter().map(|itinerary| itinerary_said(itinerary)))
        ))),
    }
}

/// The itinerary a call changes. Which one was worked on last may be another one a moment later: where several are open, none is meant that
/// is not named.
///
/// # Errors
/// As [`itinerary`], and where several could be meant.
pub(crate) fn meant(stage: &Stage, named: Option<&str>) -> Result<Rc<Itinerary>, ToolError> {
    if named.is_none_or(|named| one_line(named).is_empty()) {
        let open = open(stage);
        if open.len() > 1 {
            return Err(ToolError::Rejected(format!(
                "Which itinerary is meant: {}? Give it as `itinerary`.",
                or(open.iter().map(|itinerary| itinerary_said(itinerary)))
            )));
        }
    }
    itinerary(stage, named)
}

/// The itineraries that are not put away.
fn open(stage: &Stage) -> Vec<Rc<Itinerary>> {
    stage.filter::<Itinerary>(|itinerary| itinerary.archived_ms.is_none())
}

/// The itinerary a call writes into.
///
/// # Errors
/// As [`meant`], and where it is put away.
pub(crate) fn open_itinerary(stage: &Stage, named: Option<&str>) -> Result<Rc<Itinerary>, ToolError> {
    let found = meant(stage, named)?;
    match found.archived_ms {
        None => Ok(found),
        Some(_) => Err(ToolError::Rejected(format!(
            "{} is archived: bring it back with itinerary_archive (archived: false) to change it.",
            itinerary_said(&found)
        ))),
    }
}

/// The itinerary that was worked on last, of those that are not put away.
pub(crate) fn current(
    all: &[Rc<Itinerary>],
    segments: &[Rc<Segment>],
    profiles: &[Rc<Profile>],
) -> Option<Rc<Itinerary>> {
    let touched = |itinerary: &Itinerary| {
        let of_it = segments.iter().filter(|segment| segment.itinerary == itinerary.id);
        let known = profiles.iter().filter(|profile| profile.id == itinerary.id);
        let stamps = of_it.map(|segment| segment.updated_ms).chain(known.map(|profile| profile.updated_ms));
        stamps.fold(itinerary.updated_ms, i64::max)
    };
    let open = all.iter().filter(|itinerary| itinerary.archived_ms.is_none());
    // Of two of the same moment the later in the table, so that it is always the same one.
    open.max_by_key(|itinerary| touched(itinerary)).cloned()
}

/// The segments of an itinerary, in a person's order.
pub(crate) fn segments_of(stage: &Stage, itinerary: &str) -> Vec<Rc<Segment>> {
    let mut all = stage.filter::<Segment>(|segment| segment.itinerary == itinerary);
    days::sort(&mut all);
    all
}

/// The segment with an id, wherever it is; else the one of an itinerary that is called so.
///
/// # Errors
/// [`ToolError::Rejected`] where there is none, or several could be meant.
pub(crate) fn segment(stage: &Stage, named: &str, itinerary: Option<&str>) -> Result<Rc<Segment>, ToolError> {
    let named = one_line(named);
    if let Some(found) = stage.get::<Segment>(&named) {
        return Ok(found);
    }
    let of = self::itinerary(stage, itinerary)?;
    let found = by_title(segments_of(stage, &of.id), &named, |segment| &segment.title);
    one_of(&found, &named, &itinerary_said(&of))
}

/// The segment that a call changes: as [`segment`], and where several itineraries are open and none is named, the only one on any of them
/// that is called so.
///
/// # Errors
/// As [`segment`].
pub(crate) fn segment_to_change(
    stage: &Stage,
    named: &str,
    itinerary: Option<&str>,
) -> Result<Rc<Segment>, ToolError> {
    let open = open(stage);
    if itinerary.is_some_and(|itinerary| !one_line(itinerary).is_empty()) || open.len() < 2 {
        return segment(stage, named, itinerary);
    }
    let named = one_line(named);
    if let Some(found) = stage.get::<Segment>(&named) {
        return Ok(found);
    }
    let all: Vec<Rc<Segment>> = open.iter().flat_map(|itinerary| segments_of(stage, &itinerary.id)).collect();
    let found = by_title(all, &named, |segment| &segment.title);
    let of = |segment: &Segment| open.iter().find(|itinerary| itinerary.id == segment.itinerary);
    match found.as_slice() {
        [one] => Ok(Rc::clone(one)),
        [first, rest @ ..] if rest.iter().any(|other| other.itinerary != first.itinerary) => {
            let told = |segment: &Rc<Segment>| {
                let on = of(segment).map(|of| itinerary_said(of)).unwrap_or_default();
                format!("{} of {on}", dated(segment))
            };
            Err(ToolError::Rejected(format!(
                "{} could be {}: give its id, or the itinerary as `itinerary`.",
                quoted(&named),
                or(found.iter().map(told))
            )))
        }
        [first, ..] => {
            let of = of(first).map(|of| itinerary_said(of)).unwrap_or_default();
            one_of(&found, &named, &of)
        }
        [] => Err(ToolError::Rejected(format!(
            "There is no {} on any itinerary; get_itinerary shows what there is.",
            quoted(&named)
        ))),
    }
}

/// A segment with its day.
fn dated(segment: &Segment) -> String {
    let said = segment_said(segment);
    if segment.imported { said } else { format!("{said}{}", days::on(segment)) }
}

fn one_of(found: &[Rc<Segment>], named: &str, of: &str) -> Result<Rc<Segment>, ToolError> {
    match found {
        [one] => Ok(Rc::clone(one)),
        [] => Err(ToolError::Rejected(format!(
            "There is no {} on {}; get_itinerary shows what there is.",
            quoted(named),
            of
        ))),
        several => Err(ToolError::Rejected(format!(
            "{} could be {}: give the id that get_itinerary shows.",
            quoted(named),
            or(several.iter().map(|segment| dated(segment)))
        ))),
    }
}

/// What is called so in any case of letters; where nothing is, what has the words in its title.
pub(crate) fn by_title<T>(all: Vec<Rc<T>>, named: &str, title: impl Fn(&T) -> &String) -> Vec<Rc<T>> {
    let wanted = named.to_lowercase();
    if wanted.is_empty() {
        return Vec::new();
    }
    let whole: Vec<Rc<T>> = all.iter().filter(|one| title(one).to_lowercase() == wanted).cloned().collect();
    if !whole.is_empty() {
        return whole;
    }
    all.into_iter().filter(|one| title(one).to_lowercase().contains(&wanted)).collect()
}

/// `“A”, “B” or “C”`, and how many more.
fn or(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(TOLD);
    let mut told: Vec<String> = names.take(TOLD).collect();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    match told.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => told.concat(),
    }
}

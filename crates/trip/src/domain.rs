//! Trips as a domain of the tool server.

use std::rc::Rc;

use domain::{ContextBlock, Domain, Files, GoesUp, Subject, counted, quoted};
use mcp::Registry;
use store::{Record, Schema, Stage, View};

use crate::atlas::Atlas;
use crate::checking::found;
use crate::found::{by_title, current};
use crate::model::{Itinerary, Segment, Status, When};
use crate::preferences::said;
use crate::profile::Profile;
use crate::search::sourced;
use crate::transfer::Transfer;
use crate::{ID, days, whole};

/// The trip assistant.
pub struct Trips {
    /// What knows places: [`crate::atlas::Packed`] natively.
    pub atlas: &'static dyn Atlas,
}

/// The most findings and segments that a model is told at the start of a run.
const MOST_TOLD: usize = 5;

/// The most bookings that a model is told at the start of a run.
const MOST_BOOKED: usize = 12;

impl Domain for Trips {
    fn id(&self) -> &'static str {
        ID
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("itinerary", "itineraries")
    }

    fn schema(&self, schema: Schema) -> Schema {
        schema.table::<Itinerary>().table::<Segment>().table::<Profile>()
    }

    fn tools(&self) -> Registry<Stage> {
        crate::tools(self.atlas)
    }

    fn instructions(&self) -> &'static str {
        "Trips: itinerary_create begins one, get_itinerary shows it; adding to an itinerary books nothing."
    }

    fn check(&self, stage: &mut Stage) -> Result<(), String> {
        whole::check(stage)
    }

    fn mend(&self, stage: &mut Stage) -> Option<String> {
        whole::mend(stage)
    }

    /// A segment and what is known of travellers are no itineraries.
    fn counts_as(&self, table: &str) -> bool {
        table == Itinerary::TABLE
    }

    fn counts(&self, view: &View) -> Vec<(&'static str, usize)> {
        let all = view.all::<Itinerary>();
        let archived = all.iter().filter(|itinerary| itinerary.archived_ms.is_some()).count();
        vec![("itineraries", all.len()), ("archived", archived), ("segments", view.all::<Segment>().len())]
    }

    /// A copy has all of the other one: nothing is lost by making it.
    fn uncopied(&self) -> &'static [&'static str] {
        &["itinerary_duplicate"]
    }

    fn is_idle(&self, view: &View) -> bool {
        view.all::<Itinerary>().is_empty()
    }

    /// The current itinerary in short with what does not work of it and what nobody said, and the titles of the others.
    fn context(&self, view: &View) -> Vec<ContextBlock> {
        let (all, segments) = (view.all::<Itinerary>(), view.all::<Segment>());
        let row = current(&all, &segments, &view.all::<Profile>());
        row.map(|row| told(view, &row, CURRENT)).into_iter().collect()
    }

    /// An itinerary: all that is said in a conversation of its own is about it (S4-02).
    fn subjects(&self, view: &View, named: &str) -> Vec<Subject> {
        let of = |row: Rc<Itinerary>| Subject {
            table: Itinerary::TABLE,
            id: row.id.clone(),
            title: row.title.clone(),
        };
        match view.get::<Itinerary>(named) {
            Some(row) => vec![of(row)],
            None => by_title(view.all::<Itinerary>(), named, |row| &row.title).into_iter().map(of).collect(),
        }
    }

    fn context_about(&self, view: &View, subject: &str) -> Vec<ContextBlock> {
        view.get::<Itinerary>(subject).map(|row| told(view, &row, ABOUT)).into_iter().collect()
    }

    fn goes_up(&self) -> &'static [GoesUp] {
        &[
            GoesUp {
                field: "itineraryUpdated",
                about: "Whether anything of an itinerary, its segments or its travellers changed.",
                table: None,
            },
            GoesUp {
                field: "segmentsModified",
                about: "The ids of the segments that were added, changed or deleted.",
                table: Some(Segment::TABLE),
            },
        ]
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(&Transfer)
    }
}

/// What leads to the itinerary that was worked on last.
const CURRENT: &str = "The itinerary worked on last when this message was sent, in short (get_itinerary has all of it). Where there are others \
     name the one that a call changes. Never fill in what nobody said: ask. Nothing here is booked by adding it:";

/// What leads to the itinerary that a conversation is about.
const ABOUT: &str = "This conversation is about this itinerary, here in short as it was when this message was sent (get_itinerary has all of it). \
     Give its title as `itinerary` in every call, unless the person names another one. Never fill in what nobody said: ask. Nothing \
     here is booked by adding it:";

/// An itinerary in short with what does not work of it and what nobody said, and the titles of the others.
fn told(view: &View, row: &Itinerary, lead: &'static str) -> ContextBlock {
    let (all, mut segments) = (view.all::<Itinerary>(), view.all::<Segment>());
    segments.retain(|segment| segment.itinerary == row.id);
    days::sort(&mut segments);
    let profile = view.get::<Profile>(&row.id);
    let is_foreign = segments.iter().any(|segment| segment.imported)
        || all.iter().any(|itinerary| itinerary.imported)
        || profile.as_ref().is_some_and(|profile| profile.imported);
    let others = all.iter().filter(|other| other.id != row.id && other.archived_ms.is_none());
    let others: Vec<String> = others.map(|other| quoted(&other.title)).collect();
    let mut lines = about(row, profile.as_deref(), &segments);
    lines.extend(findings(row, profile.as_deref(), &segments));
    let unknown = profile.as_deref().cloned().unwrap_or_default().missing_of(row);
    if !unknown.is_empty() {
        let unknown: Vec<&str> = unknown.into_iter().map(said).collect();
        lines.push(format!("- Nobody said yet: {}", unknown.join(", ")));
    }
    if !others.is_empty() {
        let more = others.len().saturating_sub(MOST_TOLD);
        let told: Vec<String> = others.into_iter().take(MOST_TOLD).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        lines.push(format!("- Other itineraries: {}{more}", told.join(", ")));
    }
    ContextBlock {
        name: "trip",
        title: "Trip",
        lead,
        text: lines.join("\n"),
        outside: is_foreign,
        stable: false,
    }
}

/// An itinerary in a few lines.
fn about(row: &Itinerary, profile: Option<&Profile>, segments: &[Rc<Segment>]) -> Vec<String> {
    let mut lines = vec![format!("- {}", quoted(&row.title))];
    let span = days::span(row);
    if !span.is_empty() {
        lines.push(format!("- Days: {span}"));
    }
    if !row.destinations.is_empty() {
        lines.push(format!("- Goes to {}", row.destinations.join(", ")));
    }
    let names: Vec<&str> = row.travellers.iter().map(|traveller| &*traveller.name).collect();
    if !names.is_empty() {
        lines.push(format!("- Travellers: {}", names.join(", ")));
    } else if let Some(known) = profile.and_then(|profile| profile.travelers.as_ref()) {
        lines.push(format!("- Travellers: {}, none by name", known.value));
    }
    lines.extend(row.budget.as_ref().map(|budget| format!("- Budget: {}", budget.text())));
    let booked = segments.iter().filter(|segment| segment.is_pinned()).count();
    let ideas = segments.iter().filter(|segment| segment.status == Status::Idea).count();
    if !segments.is_empty() {
        let all = counted(segments.len(), "segment", "segments");
        lines.push(format!("- {all}, of these {booked} booked by the person and {ideas} ideas"));
    }
    // From the first day on: nobody says here which day it is.
    let has_day =
        |segment: &&Rc<Segment>| segment.start.as_ref().is_some_and(|start: &When| start.day().is_some());
    // What is booked is told whatever else there is: it is what a long conversation must not lose (S4-24).
    let (mut booked, mut planned, mut left_out) = (MOST_BOOKED, MOST_TOLD, 0);
    for segment in segments.iter().filter(has_day) {
        let room = if segment.is_pinned() { &mut booked } else { &mut planned };
        let Some(left) = room.checked_sub(1) else {
            left_out += 1;
            continue;
        };
        *room = left;
        let (kind, source) = (segment.kind.word(), sourced(segment));
        let by_them = if segment.is_pinned() { ", booked by the person" } else { "" };
        lines.push(format!("- {kind} {}{}{by_them}{source}", quoted(&segment.title), days::on(segment)));
    }
    if left_out > 0 {
        lines.push(format!("- and {left_out} more"));
    }
    lines
}

/// What does not work of it, in a few lines.
fn findings(row: &Itinerary, profile: Option<&Profile>, segments: &[Rc<Segment>]) -> Vec<String> {
    let found = found(row, profile, segments);
    let mut lines: Vec<String> = found
        .iter()
        .take(MOST_TOLD)
        .map(|finding| format!("- {}: {} {}", finding.severity.word(), finding.text, finding.way_out))
        .collect();
    if let Some(more @ 1..) = found.len().checked_sub(MOST_TOLD) {
        lines.push(format!(
            "- and {} (check_itinerary tells them)",
            counted(more, "finding more", "findings more")
        ));
    }
    lines
}

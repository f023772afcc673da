//! `itinerary_export`: one itinerary as a file.

use std::rc::Rc;

use async_trait::async_trait;
use domain::{counted, quoted};
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use super::write::write;
use crate::days;
use crate::found::{itinerary, segments_of};
use crate::model::{FROM_A_FILE, Itinerary, Segment, Status, When};
use crate::private::public;
use crate::profile::Profile;
use crate::search::source_said;
use crate::words::words;

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
    /// true only where the person asks for it: confirmation codes are in it, and in json days of birth, passports, visas and what the
    /// travellers want.
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
        let mut all = segments_of(stage, &row.id);
        let with_private = args.private == Some(true);
        if !with_private {
            all = all.iter().map(|segment| Rc::new(public(segment))).collect();
        }
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
        parts.extend(source_said(segment));
        lines.push(format!("- {}", parts.join(", ")));
    }
    lines.push(String::new());
    lines.join("\n")
}

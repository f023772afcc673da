//! TickTick's backup as CSV: a legend of a few lines, then the header, then a record for each to-do and note.
//!
//! `"Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Reminder","Repeat","Priority",
//! "Status",...,"taskId","parentId"`. Times are in UTC, also those of a day, which is its midnight in the to-do's zone. A checklist is in the
//! content, an item a line: `▫` is open, `▪` is done.

use std::collections::BTreeMap;

use dates::calendar::minutes_later;
use dates::due::Due;
use dates::remind::{Remind, read_duration};
use dates::rule::Rule;
use store::Moment;

use super::columns::{Columns, Record};
use super::foreign::{Reading, instant, priority, stamp};
use super::ics::beginning;
use super::{Draft, Drafts};

/// The columns by which such a file is known.
pub(super) const HEADER: &[&str] = &["folder name", "list name", "title", "status"];

/// The columns that are read, and those that say nothing of a to-do itself.
const READ: &[&str] = &[
    "list name", "title", "kind", "projectkind", "tags", "content", "is check list", "start date",
    "due date", "reminder", "repeat", "priority", "status", "created time", "completed time", "order",
    "timezone", "is all day", "is floating", "column order", "view mode", "taskid", "parentid",
];

const PRIORITIES: &[(&str, &str)] = &[("1", "low"), ("3", "medium"), ("5", "high")];

const OPEN: char = '▫';
const DONE: char = '▪';

/// Half a day, in minutes.
const HALF_A_DAY: i64 = 720;

/// Reads the records after the header.
pub(super) fn read(columns: &Columns, records: &[Record], here: &Moment) -> Drafts {
    let mut reading = Reading::default();
    // Its ids are counted anew in each backup, so that they only say what is a part of what.
    let mut ids: BTreeMap<&str, String> = BTreeMap::new();
    let mut parents: Vec<(usize, &str)> = Vec::new();
    for (line, cells) in records {
        let cell = |name| columns.cell(cells, name);
        if cell("kind").eq_ignore_ascii_case("note") || cell("projectkind").eq_ignore_ascii_case("note") {
            reading.leave_out(1, "note was", "notes were");
            continue;
        }
        // 2 is one that is done and was put away.
        let is_done = match cell("status") {
            "0" | "" => false,
            "1" | "2" => true,
            "-1" => {
                reading.leave_out(1, "cancelled to-do was", "cancelled to-dos were");
                continue;
            }
            _ => {
                reading.reject(*line, "Its status is none of 0, 1 and 2.");
                continue;
            }
        };
        let (list, title, created) = (cell("list name"), cell("title"), cell("created time"));
        let id = reading.id(&format!("ticktick\n{list}\n{title}\n{created}"));
        let mut draft = Draft::named_here(*line, &id, title);
        draft.in_list(list);
        draft.say("created", &stamp(created).unwrap_or_default());
        draft.say("priority", priority(PRIORITIES, cell("priority")));
        for tag in cell("tags").split(',') {
            draft.tag(tag);
        }
        let is_checklist = ["y", "true"].iter().any(|yes| cell("is check list").eq_ignore_ascii_case(yes))
            || cell("kind").eq_ignore_ascii_case("checklist");
        let (notes, items) =
            if is_checklist { checklist(cell("content")) } else { (cell("content"), Vec::new()) };
        draft.say("notes", notes);
        plan(&mut reading, &mut draft, &cell, here);
        if is_done {
            draft.done(stamp(cell("completed time")));
        }
        if !cell("parentid").is_empty() {
            parents.push((reading.drafts().len(), cell("parentid")));
        }
        if !cell("taskid").is_empty() {
            ids.insert(cell("taskid"), id.clone());
        }
        reading.push(draft);
        reading.parts(*line, &id, list, &items);
    }
    for (at, parent) in parents {
        if let Some(draft) = reading.drafts().get_mut(at) {
            draft.say("parent", ids.get(parent).map_or(parent, String::as_str));
        }
    }
    reading.note(columns.left_out(records, READ, &[]));
    reading.finish()
}

/// Says when it is due, when to remind of it, and how it repeats.
fn plan<'a>(
    reading: &mut Reading,
    draft: &mut Draft,
    cell: &impl Fn(&'static str) -> &'a str,
    here: &Moment,
) {
    let is_day = cell("is all day").eq_ignore_ascii_case("true");
    let mut read = |text: &str| {
        if !is_day {
            return Some(Due::At(reading.local(instant(text)?, here)?));
        }
        // The midnight that is nearest: the zone may have been an hour further away on that day than it is today.
        let hours = i64::from(here.offset_s.div_euclid(60)) + HALF_A_DAY;
        Some(Due::Day(minutes_later(instant(text)?, hours)?.date()))
    };
    let (start, end) = (cell("start date"), cell("due date"));
    let begins = read(start);
    let due = if start == end || end.is_empty() { begins } else { read(end) };
    let said = if end.is_empty() { start } else { end };
    reading.plan(draft, &due.map_or_else(|| said.to_owned(), |due| due.to_string()), "");
    let is_longer = begins.is_some() && due.is_some() && begins != due;
    reading.leave_out(usize::from(is_longer), "start date was", "start dates were");
    // `-PT30M` and the like, counted from the start, and a day's from its midnight.
    let reminders =
        cell("reminder").split([',', ';', '\n']).map(|it| it.trim().trim_start_matches("TRIGGER:"));
    let reminders: Vec<&str> = reminders.filter(|it| !it.is_empty()).collect();
    let mut moments = reminders
        .iter()
        .filter_map(|reminder| minutes_later(beginning(begins.or(due)?), read_duration(reminder)?));
    if let Some(moment) = moments.next() {
        draft.say("remind", &Remind::of(moment, due).to_string());
    }
    let kept = usize::from(draft.given.contains_key("remind"));
    reading.leave_out(reminders.len() - kept, "reminder was", "reminders were");
    let repeat = cell("repeat");
    let rule = repeat.strip_prefix("RRULE:").unwrap_or(repeat);
    if rule.parse::<Rule>().is_ok() {
        draft.say("repeat", rule);
    } else {
        reading.words(draft, repeat);
    }
}

/// The words before a checklist, and its items: what each says, and whether it is done.
fn checklist(content: &str) -> (&str, Vec<(&str, bool)>) {
    let Some(at) = content.find([OPEN, DONE]) else { return (content, Vec::new()) };
    let (before, mut rest) = content.split_at(at);
    let mut items = Vec::new();
    while let Some(mark) = rest.chars().next() {
        let item = rest.get(mark.len_utf8()..).unwrap_or_default();
        let end = item.find([OPEN, DONE]).unwrap_or(item.len());
        let (text, after) = item.split_at(end);
        items.push((text.trim(), mark == DONE));
        rest = after;
    }
    (before.trim(), items)
}

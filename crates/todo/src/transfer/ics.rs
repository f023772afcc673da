//! iCalendar (RFC 5545): a `VTODO` for each to-do.
//!
//! A due time is written as a floating time, which is what it is: the time on the wall where the person
//! is. `TZID` would need the zone's whole description beside it. What RFC 5545 has no property for has an
//! `X-SATCHEL-` one.
//!
//! Apple Reminders writes a calendar for each list, whose name is `X-WR-CALNAME`, and the order in it is `X-APPLE-SORT-ORDER`.

use std::collections::BTreeSet;

use dates::calendar::{minutes_between, minutes_later};
use dates::due::Due;
use dates::icalendar::{Property, compact, escaped, push_line, split_unescaped, spread, unescaped, unfolded};
use dates::iso::read_moment;
use dates::remind::{Remind, duration_text, read_duration};
use jiff::civil::{DateTime, Time};
use serde_json::Value;
use store::Moment;

use super::foreign::{priority, said_moved};
use super::{Draft, Drafts, Origin};
use crate::change::counted;
use crate::model::{Priority, Status, Todo};

/// So many zones are named where times are on the clocks of others.
const SHOWN_ZONES: usize = 5;

pub(super) fn write(todos: &[&Todo], origin: &Origin) -> String {
    let mut text = String::new();
    for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Satchel//Satchel//EN"] {
        push_line(&mut text, line);
    }
    for todo in todos {
        write_todo(&mut text, todo, origin);
    }
    push_line(&mut text, "END:VCALENDAR");
    text
}

fn write_todo(text: &mut String, todo: &Todo, origin: &Origin) {
    let mut line = |name: &str, value: &str| push_line(text, &format!("{name}:{value}"));
    line("BEGIN", "VTODO");
    line("UID", &escaped(&todo.id));
    line("DTSTAMP", &compact(&origin.now));
    for (name, stamp) in [("CREATED", &todo.created), ("LAST-MODIFIED", &todo.updated)] {
        if is_stamp(stamp) {
            line(name, &compact(stamp));
        }
    }
    line("SUMMARY", &escaped(&todo.title));
    if !todo.notes.is_empty() {
        line("DESCRIPTION", &escaped(&todo.notes));
    }
    if let Some(due) = todo.due {
        let (kind, value) = match due {
            Due::Day(_) => (";VALUE=DATE", compact(&due.to_string())),
            Due::At(_) => ("", format!("{}00", compact(&due.to_string()))),
        };
        if let Some(repeat) = &todo.repeat {
            // What recurs needs a start; the due date may be the same (RFC 5545, 3.6.2 and 3.8.2.3).
            line(&format!("DTSTART{kind}"), &value);
            line("RRULE", &repeat.to_string());
        }
        line(&format!("DUE{kind}"), &value);
    }
    let priority = match todo.priority {
        Priority::None => None,
        Priority::Urgent => Some("1"),
        Priority::High => Some("3"),
        Priority::Medium => Some("5"),
        Priority::Low => Some("9"),
    };
    if let Some(priority) = priority {
        line("PRIORITY", priority);
    }
    if !todo.tags.is_empty() {
        line("CATEGORIES", &todo.tags.iter().map(|tag| escaped(tag)).collect::<Vec<_>>().join(","));
    }
    line("STATUS", if todo.status == Status::Done { "COMPLETED" } else { "NEEDS-ACTION" });
    if let Some(completed) = todo.completed.as_ref().filter(|stamp| is_stamp(stamp)) {
        line("COMPLETED", &compact(completed));
    }
    if let Some(parent) = &todo.parent {
        line("RELATED-TO", &escaped(parent));
    }
    line("X-SATCHEL-LIST", &escaped(&todo.list));
    line("X-SATCHEL-ORDER", &todo.order.to_string());
    if let Some(zone) = &todo.zone {
        line("X-SATCHEL-ZONE", &escaped(zone));
    }
    if let Some(remind) = todo.remind {
        // A day is due from its beginning in a calendar, and the morning is hours after that (RFC 5545, 3.8.6.3). A time without what it
        // is before would have to be in UTC, of which a zone's rules say which it is: the clock of now has to do.
        let trigger = match (remind.moment(todo.due), todo.due) {
            (Some(moment), Some(due)) => {
                Some((";RELATED=END", duration_text(minutes_between(beginning(due), moment))))
            }
            (Some(moment), None) => minutes_later(moment, -i64::from(origin.offset_s.div_euclid(60)))
                .map(|utc| (";VALUE=DATE-TIME", format!("{}00Z", compact(&Due::At(utc).to_string())))),
            (None, _) => None,
        };
        line("X-SATCHEL-REMIND", &remind.to_string());
        if let Some((kind, trigger)) = trigger {
            line("BEGIN", "VALARM");
            line("ACTION", "DISPLAY");
            line("DESCRIPTION", &escaped(&todo.title));
            line(&format!("TRIGGER{kind}"), &trigger);
            line("END", "VALARM");
        }
    }
    line("END", "VTODO");
}

/// What a calendar counts from: the beginning of a day.
pub(super) fn beginning(due: Due) -> DateTime {
    match due {
        Due::Day(day) => day.to_datetime(Time::midnight()),
        Due::At(time) => time,
    }
}

fn is_stamp(stamp: &str) -> bool {
    spread(&compact(stamp)).is_some_and(|spread| spread == stamp)
}

/// What a calendar says of all that is in it.
#[derive(Default)]
struct Calendar {
    /// Which one of the file it is.
    number: usize,
    /// What it is called.
    name: String,
    /// It is of Apple Reminders.
    is_apple: bool,
}

impl Calendar {
    /// Takes a property over.
    fn set(&mut self, property: &Property<'_>) {
        match property.name.as_str() {
            "X-WR-CALNAME" => self.name = unescaped(property.value).trim().to_owned(),
            "PRODID" => self.is_apple = property.value.contains("//Apple "),
            _ => {}
        }
    }
}

/// What of a to-do could not be taken over as the file says it, and what is only known at its end.
#[derive(Default)]
struct Amiss {
    /// Its place in the file: the calendar, and what that says of its order.
    place: (usize, i64),
    /// The calendar is of Apple Reminders.
    is_apple: bool,
    /// A page that belongs to it.
    url: Option<String>,
    /// An alarm comes at a place.
    at_place: bool,
    /// A time was moved from UTC to the person's clock.
    moved: bool,
    /// A time is on the clock of another zone.
    elsewhere: Option<String>,
    /// Days are left out of its rule, or added to it.
    exceptions: bool,
    /// The first alarm that says when: whether it counts from the start, and what it says.
    alarm: Option<(bool, String)>,
    /// The alarm that is being read, the same way; None inside where it reminds of no time.
    reading: Option<Option<(bool, String)>>,
    /// The alarm was an hour from the to-do's time, and was put on it.
    hour_off: bool,
    /// It is one turn of a repeating to-do, which is another than the rule says.
    one_turn: bool,
}

/// Reads the to-dos of a calendar for a person who is in a zone: a time in UTC is shown on their clock.
pub(super) fn read(text: &str, here: &Moment) -> Result<Drafts, String> {
    let mut found = Drafts::default();
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut draft: Option<Draft> = None;
    let mut others = 0;
    let mut amiss: Vec<Amiss> = Vec::new();
    let mut is_first = true;
    let mut calendar = Calendar::default();
    for (number, line) in unfolded(text) {
        if line.trim().is_empty() {
            continue;
        }
        let property = Property::parse(&line);
        if std::mem::take(&mut is_first)
            && !property
                .as_ref()
                .is_some_and(|it| it.name == "BEGIN" && it.value.trim().eq_ignore_ascii_case("VCALENDAR"))
        {
            return Err(format!(
                "Line {number}: this is no iCalendar file; it must begin with BEGIN:VCALENDAR."
            ));
        }
        let property = property
            .ok_or_else(|| format!("Line {number}: there is no colon in {}.", crate::text::shown(&line)))?;
        match property.name.as_str() {
            "BEGIN" => {
                let name = property.value.trim().to_ascii_uppercase();
                if open.len() == 1 && name == "VTODO" {
                    let mut begun = Draft { line: number, ..Draft::default() };
                    // Until its own property says a list.
                    begun.in_list(&calendar.name);
                    draft = Some(begun);
                    let place = (calendar.number, 0);
                    amiss.push(Amiss { place, is_apple: calendar.is_apple, ..Amiss::default() });
                } else if open.is_empty() {
                    calendar = Calendar { number: calendar.number + 1, ..Calendar::default() };
                } else if open.len() == 1 && name != "VTIMEZONE" {
                    others += 1;
                }
                open.push((number, name));
            }
            "END" => {
                let name = property.value.trim().to_ascii_uppercase();
                let (begun, expected) =
                    open.pop().ok_or_else(|| format!("Line {number}: nothing is open to end."))?;
                if name != expected {
                    return Err(format!(
                        "Line {number}: END:{name}, but {expected} of line {begun} is still open."
                    ));
                }
                if name == "VALARM"
                    && let Some(amiss) = amiss.last_mut()
                    && let Some(alarm) = amiss.reading.take().flatten()
                {
                    amiss.alarm.get_or_insert(alarm);
                }
                if open.len() == 1 {
                    found.drafts.extend(draft.take());
                }
            }
            _ if open.len() == 1 => calendar.set(&property),
            // What belongs to the to-do itself, and not to an alarm inside it.
            _ if open.len() == 2 => {
                if let (Some(draft), Some(amiss)) = (&mut draft, amiss.last_mut()) {
                    set(draft, &property, here, amiss);
                }
            }
            name if open.len() == 3 && open[2].1 == "VALARM" && draft.is_some() => {
                if let Some(amiss) = amiss.last_mut() {
                    in_alarm(amiss, name, &property);
                }
            }
            _ => {}
        }
    }
    if is_first {
        return Err("Line 1: the file is empty.".into());
    }
    if let Some((begun, name)) = open.pop() {
        return Err(format!("Line {begun}: {name} begins and never ends."));
    }
    for (draft, amiss) in found.drafts.iter_mut().zip(&mut amiss) {
        // Our own property says it better, as long as it says the same: another program moves and removes alarms.
        let alarm = amiss.alarm.take().and_then(|said| alarm(draft, &said, amiss, here));
        let own = draft.given.remove("remind");
        let own = own.as_ref().and_then(Value::as_str).and_then(|own| own.parse::<Remind>().ok());
        let due = draft.given.get("due").or(draft.given.get("start")).and_then(Value::as_str);
        let moment = |remind: Option<Remind>| remind?.moment(due.and_then(|due| due.parse::<Due>().ok()));
        // Without a date its alarm is in UTC, by the offset of the day on which it was written.
        let is_floating = due.is_none() && alarm.is_some() && matches!(own, Some(Remind::At(_)));
        let remind = if is_floating || moment(own) == moment(alarm) { own.or(alarm) } else { alarm };
        if let Some(remind) = remind {
            draft.say("remind", &remind.to_string());
        }
        // A start without an end is when it is due.
        let start = draft.given.remove("start");
        if let Some(start) = start.filter(|_| !draft.given.contains_key("due")) {
            draft.given.insert("due".into(), start);
        }
        if let Some(url) = &amiss.url {
            draft.note(url);
        }
    }
    let turns = drop_turns(&mut found.drafts, &mut amiss);
    if others > 0 {
        let left_out = counted(others, "entry that is no to-do was", "entries that are no to-dos were");
        found.notes.push(format!("{left_out} left out."));
    }
    if turns > 0 {
        let one = "change of a single turn of a repeating to-do was";
        let left_out = counted(turns, one, "changes of single turns of repeating to-dos were");
        found.notes.push(format!("{left_out} left out: only the rule is taken over."));
    }
    let count = |is_so: fn(&Amiss) -> bool| amiss.iter().filter(|amiss| is_so(amiss)).count();
    let exceptions = count(|amiss| amiss.exceptions);
    if exceptions > 0 {
        let repeat = counted(exceptions, "to-do repeats", "to-dos repeat");
        found.notes.push(format!("{repeat} without the single days that the file leaves out or adds."));
    }
    let at_places = count(|amiss| amiss.at_place);
    if at_places > 0 {
        let reminders = counted(at_places, "reminder at a place was", "reminders at places were");
        found.notes.push(format!("{reminders} left out."));
    }
    let hours_off = count(|amiss| amiss.hour_off);
    if hours_off > 0 {
        let reminders = counted(
            hours_off, "reminder an hour from its time was", "reminders an hour from their time were",
        );
        found.notes.push(format!("{reminders} put on it."));
    }
    found.notes.extend(said_moved(count(|amiss| amiss.moved)));
    let zones: BTreeSet<&str> = amiss.iter().filter_map(|amiss| amiss.elsewhere.as_deref()).collect();
    if !zones.is_empty() {
        let times = counted(count(|amiss| amiss.elsewhere.is_some()), "time is", "times are");
        let zones = zones.into_iter().take(SHOWN_ZONES).collect::<Vec<_>>().join(", ");
        found.notes.push(format!(
            "{times} on the clock of another time zone ({zones}) and stayed as written there, not moved to yours."
        ));
    }
    Ok(found)
}

/// Leaves out what changes a single turn of a to-do that is in the file itself; says how many. The others are in the order that the
/// file gives them.
fn drop_turns(drafts: &mut Vec<Draft>, amiss: &mut Vec<Amiss>) -> usize {
    let mut all: Vec<(Draft, Amiss)> =
        std::mem::take(drafts).into_iter().zip(std::mem::take(amiss)).collect();
    order::sort_by_key(&mut all, |(_, amiss)| amiss.place);
    let id = |draft: &Draft| draft.given.get("id").and_then(Value::as_str).map(str::to_owned);
    let whole: BTreeSet<String> =
        all.iter().filter(|(_, amiss)| !amiss.one_turn).filter_map(|(draft, _)| id(draft)).collect();
    let before = all.len();
    let is_kept =
        |(draft, amiss): &(Draft, Amiss)| !amiss.one_turn || !id(draft).is_some_and(|id| whole.contains(&id));
    (*drafts, *amiss) = all.into_iter().filter(is_kept).unzip();
    before - drafts.len()
}

/// Takes a property over, and notes what of it could not be.
fn set(draft: &mut Draft, property: &Property<'_>, here: &Moment, amiss: &mut Amiss) {
    let value = property.value;
    match property.name.as_str() {
        "UID" => draft.say("id", &unescaped(value)),
        "SUMMARY" => draft.say("title", &unescaped(value)),
        "DESCRIPTION" => draft.say("notes", &unescaped(value)),
        "X-SATCHEL-LIST" => draft.say("list", &unescaped(value)),
        "X-SATCHEL-REMIND" => draft.say("remind", value.trim()),
        "X-SATCHEL-ZONE" => draft.say("zone", &unescaped(value)),
        "X-SATCHEL-ORDER" => {
            if let Ok(order) = serde_json::from_str::<f64>(value.trim()) {
                draft.given.insert("order".into(), order.into());
            }
        }
        "RELATED-TO"
            if property.parameter("RELTYPE").is_none_or(|kind| kind.eq_ignore_ascii_case("PARENT")) =>
        {
            draft.say("parent", &unescaped(value));
        }
        "RRULE" => draft.say("repeat", value.trim()),
        "EXDATE" | "RDATE" | "EXRULE" => amiss.exceptions = true,
        "RECURRENCE-ID" => amiss.one_turn = true,
        "STATUS" => {
            let is_over =
                ["COMPLETED", "CANCELLED"].iter().any(|word| value.trim().eq_ignore_ascii_case(word));
            draft.say("status", if is_over { "done" } else { "open" });
        }
        "PERCENT-COMPLETE" if value.trim() == "100" => is_done(draft),
        "PRIORITY" => {
            // Apple has three: its 1 is no more than high.
            let table = if amiss.is_apple { &PRIORITIES[2..] } else { PRIORITIES };
            let priority = priority(table, value.trim());
            draft.say("priority", if priority.is_empty() { "none" } else { priority });
        }
        "CATEGORIES" => split_unescaped(value).iter().for_each(|word| draft.tag(word)),
        "URL" => amiss.url = Some(value.trim().to_owned()).filter(|url| !url.is_empty()),
        "X-APPLE-SORT-ORDER" => amiss.place.1 = value.trim().parse().unwrap_or_default(),
        "CREATED" | "LAST-MODIFIED" | "COMPLETED" => {
            let field = match property.name.as_str() {
                "CREATED" => "created",
                "COMPLETED" => "completed",
                _ => "updated",
            };
            if field == "completed" {
                is_done(draft);
            }
            if let Some(stamp) = spread(value.trim()).filter(|stamp| stamp.ends_with('Z')) {
                draft.say(field, &stamp);
            }
        }
        "DUE" | "DTSTART" => {
            let field = if property.name == "DUE" { "due" } else { "start" };
            let Some(spread) = spread(value.trim()) else {
                // Refused with the words that every wrong date gets.
                draft.say(field, value.trim());
                return;
            };
            let Some(utc) = spread.strip_suffix('Z') else {
                draft.say(field, &spread);
                if let Some(zone) = property.parameter("TZID") {
                    draft.say("zone", zone);
                    // A day is the same day everywhere. Some write the zone of the database with a slash before it.
                    let is_here = zone.trim_start_matches('/').eq_ignore_ascii_case(&here.zone);
                    if spread.contains('T') && !is_here {
                        amiss.elsewhere =
                            Some(zone.chars().filter(|letter| !letter.is_control()).take(64).collect());
                    }
                }
                return;
            };
            draft.say(field, &moved(utc, here.offset_s).unwrap_or_else(|| utc.to_owned()));
            amiss.moved = true;
        }
        _ => {}
    }
}

/// Without a status, what was completed is done.
fn is_done(draft: &mut Draft) {
    draft.given.entry("status").or_insert_with(|| "done".into());
}

/// The words of a priority: 1 is the highest, 9 the lowest (RFC 5545, 3.8.1.9).
const PRIORITIES: &[(&str, &str)] = &[
    ("1", "urgent"),
    ("2", "urgent"),
    ("1", "high"),
    ("2", "high"),
    ("3", "high"),
    ("4", "high"),
    ("5", "medium"),
    ("6", "low"),
    ("7", "low"),
    ("8", "low"),
    ("9", "low"),
];

/// A property of an alarm: when it comes, unless it comes at a place, or is one that others use to say that there is none.
fn in_alarm(amiss: &mut Amiss, name: &str, property: &Property<'_>) {
    const NEVER: &str = "19760401T005545Z";
    let value = property.value.trim();
    let is_at_place = name.ends_with("PROXIMITY");
    amiss.at_place |= is_at_place;
    let is_none = name == "ACTION" && value.eq_ignore_ascii_case("NONE")
        || is_at_place
        || name == "TRIGGER" && value == NEVER;
    if is_none {
        amiss.reading = Some(None);
    } else if name == "TRIGGER" && amiss.reading.is_none() {
        let of_start = !property.parameter("RELATED").is_some_and(|of| of.eq_ignore_ascii_case("END"));
        amiss.reading = Some(Some((of_start, value.to_owned())));
    }
}

/// What an alarm comes to: a moment, or so long from a to-do's start or end, whichever it has.
fn alarm(
    draft: &Draft,
    (of_start, trigger): &(bool, String),
    amiss: &mut Amiss,
    here: &Moment,
) -> Option<Remind> {
    let given = |field: &str| draft.given.get(field).and_then(Value::as_str)?.parse::<Due>().ok();
    let (start, due) = (given("start"), given("due"));
    let moment = match read_duration(trigger) {
        Some(minutes) => {
            let from = if *of_start { start.or(due) } else { due.or(start) };
            minutes_later(beginning(from?), minutes)?
        }
        None => {
            let spread = spread(trigger)?;
            match spread.strip_suffix('Z') {
                Some(utc) => {
                    let moment = read_moment(&moved(utc, here.offset_s)?)?;
                    // Apple's are in UTC and come when it is due, unless somebody asked for more. With the offset of today that is an
                    // hour off in the other half of the year.
                    let when_due = due.or(start).filter(|due| matches!(due, Due::At(_))).map(beginning);
                    let hour_off =
                        when_due.filter(|at| amiss.is_apple && minutes_between(moment, *at).abs() == 60);
                    amiss.hour_off = hour_off.is_some();
                    hour_off.unwrap_or(moment)
                }
                None => read_moment(&spread)?,
            }
        }
    };
    Some(Remind::of(moment, due.or(start)))
}

/// A time in UTC on the person's clock.
fn moved(utc: &str, offset_s: i32) -> Option<String> {
    let Ok(Due::At(time)) = utc.parse::<Due>() else { return None };
    Some(Due::At(minutes_later(time, i64::from(offset_s.div_euclid(60)))?).to_string())
}

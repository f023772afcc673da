//! Outlook's export of tasks as CSV, which is how Microsoft To Do's leave it.
//!
//! `"Subject","Start Date","Due Date","Reminder On/Off","Reminder Date","Reminder Time","Date Completed","% Complete",...,"Categories",
//! ...,"Notes","Priority",...,"Status"`. Dates are in digits as the country of its Windows writes them, which the file does not name.

use dates::iso::day_text;
use dates::remind::{MORNING, Remind};
use store::Moment;

use super::columns::{Columns, Record};
use super::foreign::{Reading, clock, date, is_month_first, priority};
use super::{Draft, Drafts};
use crate::change::counted;
use crate::when::civil_now;

/// The columns by which such a file is known.
pub(super) const HEADER: &[&str] = &["subject", "due date", "% complete"];

const DATES: [&str; 4] = ["start date", "due date", "reminder date", "date completed"];

/// The other columns that are read.
const OTHERS: [&str; 8] = [
    "subject", "reminder on/off", "reminder time", "% complete", "categories", "notes", "priority", "status",
];

/// What Outlook writes where nobody said anything.
const EMPTY: [&str; 5] = ["0", "false", "normal", "none", "unspecified"];

/// "Normal" is what nobody has said.
const PRIORITIES: &[(&str, &str)] = &[("low", "low"), ("high", "high")];

/// Reads the records after the header.
pub(super) fn read(columns: &Columns, records: &[Record], here: &Moment) -> Drafts {
    let mut reading = Reading::default();
    let cells = |(_, cells): &Record| DATES.map(|name| columns.cell(cells, name).to_owned());
    let all: Vec<String> = records.iter().flat_map(cells).collect();
    let decided = is_month_first(all.iter().map(String::as_str));
    let today = civil_now(here).date();
    // The names of the columns are English, and most who write English dates with slashes in Outlook have the month first.
    let read = |text: &str| date(text, decided.unwrap_or(true), today);
    let two_ways = all.iter().filter(|text| read(text).is_some_and(|(_, is_two_ways)| is_two_ways)).count();
    if decided.is_none() && two_ways > 0 {
        let dates = counted(
            two_ways,
            "date that can be read in two ways was",
            "dates that can be read in two ways were",
        );
        reading.note(Some(format!("{dates} read as month/day/year: look whether that is so.")));
    }
    // A date that is none is told from no date by its words.
    let day = |text: &str| read(text).map_or_else(|| text.to_owned(), |(day, _)| day_text(day));
    for (_, cells) in records.iter().filter(|(_, cells)| is_done(columns, cells)) {
        reading.expect(&said(columns, cells));
    }
    for (line, cells) in records {
        let cell = |name| said_in(columns, cells, name);
        let (subject, start, due) = (cell("subject"), cell("start date"), cell("due date"));
        let is_done = is_done(columns, cells);
        let id = reading.id_of(&said(columns, cells), is_done);
        let mut draft = Draft::named_here(*line, &id, subject);
        draft.say("notes", cell("notes"));
        let has_both = !due.is_empty() && !start.is_empty() && start != due;
        reading.leave_out(usize::from(has_both), "start date was", "start dates were");
        reading.plan(&mut draft, &day(if due.is_empty() { start } else { due }), "");
        draft.say("priority", priority(PRIORITIES, cell("priority")));
        for category in cell("categories").split([';', ',']) {
            draft.tag(category);
        }
        if cell("reminder on/off").eq_ignore_ascii_case("true") {
            match read(cell("reminder date")) {
                Some((day, _)) => {
                    let moment = day.to_datetime(clock(cell("reminder time")).unwrap_or(MORNING));
                    draft.say("remind", &Remind::of(moment, draft.due()).to_string());
                }
                None => reading.leave_out(1, "reminder without a date was", "reminders without dates were"),
            }
        }
        if is_done {
            // At noon in UTC it is that day almost everywhere.
            draft.done(read(cell("date completed")).map(|(day, _)| format!("{}T12:00:00Z", day_text(day))));
        }
        reading.push(draft);
    }
    let known: Vec<&str> = DATES.into_iter().chain(OTHERS).collect();
    reading.note(columns.left_out(records, &known, &EMPTY));
    reading.finish()
}

/// What a record says in a column; nothing where it says "None".
fn said_in<'a>(columns: &Columns, cells: &'a [String], name: &str) -> &'a str {
    Some(columns.cell(cells, name)).filter(|it| !it.eq_ignore_ascii_case("none")).unwrap_or_default()
}

/// What a record's id is made of.
fn said(columns: &Columns, cells: &[String]) -> String {
    let [subject, start, due] =
        ["subject", "start date", "due date"].map(|name| said_in(columns, cells, name));
    format!("outlook\n{subject}\n{start}\n{due}")
}

/// Whether a record is of a to-do that is done.
fn is_done(columns: &Columns, cells: &[String]) -> bool {
    let cell = |name| said_in(columns, cells, name);
    !cell("date completed").is_empty()
        || cell("status").eq_ignore_ascii_case("completed")
        || matches!(cell("% complete").trim_end_matches('%'), "100" | "1")
}

//! Comma-separated values (RFC 4180): one header line, one to-do a record.
//!
//! A cell that a spreadsheet would run as a formula begins with an apostrophe, which is taken away again
//! when the file is read.

use serde_json::Value;
use store::Moment;

use super::columns::{Columns, Record};
use super::foreign::said_in_words;
use super::{Draft, Drafts, outlook, ticktick, todoist};
use crate::Due;
use crate::model::Todo;

/// The columns we write, by the names of a to-do's fields.
const COLUMNS: [&str; 16] = [
    "title", "status", "due", "priority", "tags", "list", "notes", "repeat", "remind", "zone", "parent",
    "order", "created", "updated", "completed", "id",
];

pub(super) fn write(todos: &[&Todo]) -> String {
    let mut text = COLUMNS.join(",");
    text.push_str("\r\n");
    for todo in todos {
        let fields = serde_json::to_value(todo).unwrap_or_default();
        for (place, column) in COLUMNS.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            push_cell(&mut text, &cell(&fields[column]));
        }
        text.push_str("\r\n");
    }
    text
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(tags) => tags.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn push_cell(text: &mut String, cell: &str) {
    let guarded = if is_formula(cell) { format!("'{cell}") } else { cell.to_owned() };
    if guarded.contains(['"', ',', '\n', '\r', ';', '\t']) || guarded.trim() != guarded {
        text.push('"');
        text.push_str(&guarded.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(&guarded);
    }
}

/// Whether a spreadsheet would compute it, now or after one apostrophe is taken away.
fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest) => rest,
        _ => cell,
    }
}

/// How the records of another program's file are read, after the header.
type Reader = fn(&Columns, &[Record], &Moment) -> Drafts;

/// The programs whose files are read in ways of their own: the columns by which each is known, and its reader.
const PROGRAMS: [(&[&str], Reader); 3] =
    [(todoist::HEADER, todoist::read), (ticktick::HEADER, ticktick::read), (outlook::HEADER, outlook::read)];

/// So many records may stand before another program's header.
const MOST_BEFORE: usize = 8;

/// Reads records by the names in the first line, or as the program does whose header it is. Unknown columns are left out.
///
/// # Errors
/// The line and what is wrong there, where the file is no table of to-dos.
pub(super) fn read(text: &str, here: &Moment) -> Result<Drafts, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = records(text)?;
    let program = records.iter().take(MOST_BEFORE).enumerate().find_map(|(at, (_, header))| {
        let columns = Columns::of(header);
        let (_, reader) = PROGRAMS.iter().find(|(names, _)| columns.have(names))?;
        Some((at, header.len(), columns, reader))
    });
    if let Some((at, width, columns, reader)) = program {
        return Ok(foreign(records.split_off(at + 1), width, |records| reader(&columns, records, here)));
    }
    let mut records = records.into_iter();
    let (_, header) =
        records.next().ok_or("Line 1: the file is empty; its first line must name the columns.")?;
    let fields = fields(&header);
    if !fields.contains(&Some("title")) {
        return Err("Line 1: there is no column called title. What can be read: a table whose first line names its columns, and the \
             files of Todoist, TickTick, and Outlook with Microsoft To Do."
            .into());
    }
    let mut found = Drafts::default();
    let unknown: Vec<&str> = header
        .iter()
        .zip(&fields)
        .filter(|(_, field)| field.is_none())
        .map(|(name, _)| name.trim())
        .collect();
    if !unknown.is_empty() {
        found.notes.push(format!("Columns that are not known were left out: {}.", unknown.join(", ")));
    }
    // Our own column says a date as we do. In another program's, what is no such date is kept where a person reads it.
    let is_ours = |at: usize| header[at].trim().eq_ignore_ascii_case("due");
    let mut in_words = 0;
    for (line, cells) in records {
        if cells.len() > fields.len() {
            found.rejected.push((line, too_many(&cells, fields.len())));
            continue;
        }
        let mut draft = Draft { line, ..Draft::default() };
        let mut date = None;
        for (at, (field, cell)) in fields.iter().zip(&cells).enumerate() {
            let Some(field) = field else { continue };
            let cell = unguarded(cell);
            if *field == "due"
                && !is_ours(at)
                && !cell.trim().is_empty()
                && cell.trim().parse::<Due>().is_err()
            {
                date = Some(cell.trim());
                continue;
            }
            set(&mut draft, field, cell);
        }
        if let Some(date) = date {
            draft.note(date);
            in_words += 1;
        }
        found.drafts.push(draft);
    }
    found.notes.extend(said_in_words(in_words));
    Ok(found)
}

/// Reads another program's records, but for those with more in them than the header names.
fn foreign(records: Vec<Record>, width: usize, read: impl Fn(&[Record]) -> Drafts) -> Drafts {
    let plain = |(line, cells): Record| (line, cells.iter().map(|cell| unguarded(cell).to_owned()).collect());
    let is_sound = |(_, cells): &Record| cells.iter().skip(width).all(|cell| cell.trim().is_empty());
    let (sound, odd): (Vec<Record>, Vec<Record>) = records.into_iter().map(plain).partition(is_sound);
    let mut found = read(&sound);
    found.rejected.extend(odd.into_iter().map(|(line, cells)| (line, too_many(&cells, width))));
    found
}

fn too_many(cells: &[String], width: usize) -> String {
    format!("It has {} cells, and the first line names {width}.", cells.len())
}

fn set(draft: &mut Draft, field: &str, cell: &str) {
    let text = cell.trim();
    let value = match field {
        // A column that is there says that the field is empty, but for what a to-do cannot be without.
        "title" | "notes" => cell.into(),
        "tags" => Value::from(text.split([' ', ',', ';']).filter(|tag| !tag.is_empty()).collect::<Vec<_>>()),
        "status" => match text.to_lowercase().as_str() {
            "done" | "completed" | "complete" | "x" | "true" | "yes" | "1" => "done".into(),
            "" | "open" | "needs-action" | "todo" | "false" | "no" | "0" => "open".into(),
            other => other.into(),
        },
        "priority" if text.is_empty() => "none".into(),
        "priority" => text.to_lowercase().into(),
        "order" => match serde_json::from_str::<f64>(text) {
            Ok(order) => order.into(),
            Err(_) => return,
        },
        "id" | "list" | "created" | "updated" if text.is_empty() => return,
        _ if text.is_empty() => Value::Null,
        _ => text.into(),
    };
    draft.given.insert(field.to_owned(), value);
}

/// The field each column is for, by its name in this program or in others. A field is in one column: the one that is called
/// as we call it, or the first of those that mean the same.
fn fields(header: &[String]) -> Vec<Option<&'static str>> {
    let names: Vec<String> = header.iter().map(|name| name.trim().to_lowercase()).collect();
    let mut fields: Vec<Option<&str>> =
        names.iter().map(|name| COLUMNS.into_iter().find(|column| column == name)).collect();
    for (meaning, called) in OTHERS {
        let place = called.iter().find_map(|called| names.iter().position(|name| name == called));
        if let Some(place) = place
            && !fields.contains(&Some(meaning))
            && fields[place].is_none()
        {
            fields[place] = Some(meaning);
        }
    }
    fields
}

/// What other programs call the columns, the plainest word first. (A content is the notes where there is a title.)
const OTHERS: [(&str, &[&str]); 6] = [
    (
        "title",
        &["summary", "task", "task name", "name", "subject", "to-do", "todo", "to do", "item", "content"],
    ),
    ("notes", &["description", "note", "details", "body", "comments", "content"]),
    ("due", &["due date", "due_date", "deadline", "due on", "date"]),
    ("tags", &["labels", "categories", "tag", "label", "category"]),
    ("list", &["project", "folder", "list name", "section", "section/column"]),
    ("id", &["uid"]),
];

/// The records and the line each begins at. Empty ones are left out.
fn records(text: &str) -> Result<Vec<Record>, String> {
    let separator = separator(text);
    let (mut records, mut cells, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut line, mut start) = (1, 1);
    let mut letters = text.chars().peekable();
    let mut opened = None;
    let mut was_quoted = false;
    while let Some(letter) = letters.next() {
        line += usize::from(letter == '\n');
        match letter {
            '"' if opened.is_some() => {
                if letters.next_if_eq(&'"').is_some() {
                    cell.push('"');
                } else {
                    opened = None;
                }
            }
            _ if opened.is_some() => cell.push(letter),
            '"' if cell.is_empty() && !was_quoted => {
                opened = Some(line);
                was_quoted = true;
            }
            '"' => {
                return Err(format!(
                    "Line {line}: a quotation mark stands inside a cell that has none around it."
                ));
            }
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                cells.push(std::mem::take(&mut cell));
                let record = std::mem::take(&mut cells);
                if record.iter().any(|cell| !cell.trim().is_empty()) {
                    records.push((start, record));
                }
                (start, was_quoted) = (line, false);
            }
            letter if letter == separator => {
                cells.push(std::mem::take(&mut cell));
                was_quoted = false;
            }
            letter => cell.push(letter),
        }
    }
    if let Some(line) = opened {
        return Err(format!("Line {line}: a cell begins with a quotation mark and never ends."));
    }
    cells.push(cell);
    if cells.iter().any(|cell| !cell.trim().is_empty()) {
        records.push((start, cells));
    }
    Ok(records)
}

/// Spreadsheets of half the world write semicolons, because their decimal sign is the comma.
fn separator(text: &str) -> char {
    let header = text.lines().next().unwrap_or_default();
    let count = |separator: char| header.matches(separator).count();
    if count('\t') > count(',') && count('\t') > count(';') {
        '\t'
    } else if count(';') > count(',') {
        ';'
    } else {
        ','
    }
}

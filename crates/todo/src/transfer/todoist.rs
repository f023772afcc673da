//! Todoist's CSV: a row has a type, and its place says what it belongs to.
//!
//! `TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,...,DEADLINE,...`: a `task` is a to-do, deeper ones are parts of the
//! last one that is less deep; a `section` is a heading; a `note` is a comment on the task above it.

use serde_json::Value;
use store::Moment;

use super::columns::{Columns, Record};
use super::foreign::{Reading, priority};
use super::{Draft, Drafts};

/// The columns by which such a file is known.
pub(super) const HEADER: &[&str] = &["type", "content", "indent"];

/// Theirs are counted from the highest; the lowest is what nobody has said.
const PRIORITIES: &[(&str, &str)] = &[("1", "urgent"), ("2", "high"), ("3", "medium")];

/// Said, and not left out: it is a part of what ids were made of since the first version.
const LOWEST: &str = "none";

/// Reads the records after the header.
pub(super) fn read(columns: &Columns, records: &[Record], _: &Moment) -> Drafts {
    let mut reading = Reading::default();
    let mut section = "";
    // The ids of the tasks that the next one may be a part of, each one deeper than the one before.
    let mut above: Vec<(u32, String)> = Vec::new();
    let mut is_below_task = false;
    for (line, cells) in records {
        let cell = |name| columns.cell(cells, name);
        let content = cell("content");
        match cell("type").to_lowercase().as_str() {
            "section" => {
                section = content;
                above.clear();
                is_below_task = false;
            }
            "note" => match reading.drafts().last_mut().filter(|_| is_below_task) {
                Some(draft) => draft.note(content),
                // It is on the project or a section.
                None => {
                    let (one, many) = ("comment that is on no task was", "comments that are on no task were");
                    reading.leave_out(1, one, many);
                }
            },
            "task" => {
                let mut draft = Draft { line: *line, is_named_here: true, ..Draft::default() };
                draft.given.insert("title".into(), content.into());
                draft.say("notes", cell("description"));
                reading.plan(&mut draft, cell("date"), cell("deadline"));
                draft.say("list", section);
                let priority = priority(PRIORITIES, cell("priority"));
                draft.say("priority", if priority.is_empty() { LOWEST } else { priority });
                let depth = cell("indent").parse().unwrap_or(1);
                above.retain(|(other, _)| *other < depth);
                if let Some((_, parent)) = above.last() {
                    draft.say("parent", parent);
                }
                let id = reading.id(&Value::Object(draft.given.clone()).to_string());
                draft.say("id", &id);
                above.push((depth, id));
                reading.push(draft);
                is_below_task = true;
            }
            _ => {}
        }
    }
    reading.finish()
}

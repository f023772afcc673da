//! From what a file says to to-dos: what is new, what changes, and what is refused and why.
//!
//! Everything is staged as one change. Who imports the same file twice changes nothing the second time:
//! a to-do is known by its id (`UID` in iCalendar), and one without an id gets one made from what it says.

use std::collections::BTreeMap;
use std::rc::Rc;

use domain::{DomainChange, Imported, Intake, Mode, Rejected, in_words};
use mcp::ToolError;
use serde_json::{Map, Value, json};
use store::Stage;

use super::{Draft, Drafts, csv, ics, json, made_up};
use crate::change::counted;
use crate::create::{starting, zone_of};
use crate::family::stands_alone;
use crate::model::{INBOX, Status, Todo, UNTRUSTED};
use crate::text;
use domain::utc_text;

/// So many to-dos and refused lines are shown of an import that may be very large.
const SHOWN: usize = 100;
/// The most to-dos of one file.
const MAX_TODOS: usize = 100_000;

/// The most ancestors of a to-do.
const MAX_DEPTH: usize = 200;

/// Stages what a file has.
///
/// # Errors
/// [`ToolError::Rejected`] with the line and what is wrong there, when the file cannot be read as a whole,
/// or when it should replace everything and a part of it cannot be imported. Then nothing is staged.
pub(super) fn import(stage: &mut Stage, text: &str, intake: &Intake<'_>) -> Result<Imported, ToolError> {
    let mode = intake.mode;
    let found = match intake.format {
        "csv" => csv::read(text, stage.moment()),
        "ics" => ics::read(text, stage.moment()),
        _ => json::read(text, stage.moment()),
    };
    let Drafts { drafts, mut rejected, mut notes, whole, is_own_copy } =
        found.map_err(ToolError::Rejected)?;
    if drafts.len() > MAX_TODOS {
        let why =
            format!("The file has {} to-dos; at most {MAX_TODOS} can be imported at once.", drafts.len());
        return Err(ToolError::Rejected(why));
    }
    let known = stage.all::<Todo>();
    let mut importer = Importer::new(stage, &known, whole, is_own_copy);
    let mut made: Vec<(usize, Todo)> = Vec::with_capacity(drafts.len());
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for draft in drafts {
        let line = draft.line;
        match importer.make(draft) {
            Err(why) => rejected.push((line, why)),
            Ok(todo) => match lines.get(&todo.id) {
                Some(first) => {
                    rejected.push((line, format!("The file has a to-do of the same id in line {first}.")));
                }
                None => {
                    lines.insert(todo.id.clone(), line);
                    made.push((line, todo));
                }
            },
        }
    }
    order::sort(&mut rejected);
    if mode == Mode::Replace
        && let Some((line, why)) = rejected.first()
    {
        let why = format!(
            "Line {line}: {why} Nothing was changed: only a file that can be read as a whole may replace everything."
        );
        return Err(ToolError::Rejected(why));
    }
    let Importer { known: by_id, done_before, .. } = importer;
    if done_before > 0 {
        let stay = counted(
            done_before,
            "to-do of the file is done already, and stays",
            "to-dos of the file are done already, and stay",
        );
        notes.push(format!("{stay} so. To do the same again, reopen them or add them anew."));
    }
    let removed: Vec<&Rc<Todo>> = match mode {
        Mode::Add => Vec::new(),
        Mode::Replace => known.iter().filter(|todo| !lines.contains_key(&todo.id)).collect(),
    };
    let lost = adopt(&mut made, &known, mode);
    if lost > 0 {
        notes.push(stands_alone(lost));
    }
    let mut staging = Staging { stage, total: 0, changes: Vec::new() };
    let (mut new, mut changed, mut unchanged) = (0, 0, 0);
    for (_, todo) in made {
        match by_id.get(todo.id.as_str()) {
            None => new += 1,
            Some(before) if ***before == todo => {
                unchanged += 1;
                continue;
            }
            Some(_) => changed += 1,
        }
        let before = by_id.get(todo.id.as_str()).map(|before| &***before);
        staging.put(before, todo)?;
    }
    for todo in &removed {
        staging.delete(todo)?;
    }
    let Staging { total, changes, .. } = staging;
    let removed = removed.len();
    let count = rejected.len();
    if count > SHOWN {
        notes.push(format!("{count} parts of the file cannot be imported; the first {SHOWN} are listed."));
    }
    let rejected: Vec<Rejected> =
        rejected.into_iter().take(SHOWN).map(|(line, reason)| Rejected { line, reason }).collect();
    let parts = [(new, "new"), (changed, "changed"), (removed, "removed"), (count, "not readable")];
    let said = in_words("to-dos", &parts);
    // Whoever vouches for a file changes nothing of its to-dos.
    let marked = 0;
    Ok(Imported { said, new, changed, unchanged, removed, rejected, notes, total, marked, changes })
}

/// What is staged, and the beginning of it for the answer.
struct Staging<'a> {
    stage: &'a mut Stage,
    total: usize,
    changes: Vec<DomainChange>,
}

impl Staging<'_> {
    fn put(&mut self, before: Option<&Todo>, after: Todo) -> Result<(), ToolError> {
        self.show(before, Some(&after))?;
        self.stage.put(after);
        Ok(())
    }

    fn delete(&mut self, todo: &Todo) -> Result<(), ToolError> {
        self.stage.delete::<Todo>(&todo.id);
        self.show(Some(todo), None)
    }

    fn show(&mut self, before: Option<&Todo>, after: Option<&Todo>) -> Result<(), ToolError> {
        self.total += 1;
        if self.changes.len() < SHOWN {
            self.changes.push(DomainChange::of(crate::domain::ID, before, after)?);
        }
        Ok(())
    }
}

/// What is there already, and what new to-dos are made with.
struct Importer<'a, 's> {
    known: BTreeMap<&'a str, &'a Rc<Todo>>,
    stage: &'s Stage,
    now: String,
    last_order: f64,
    whole: bool,
    is_own_copy: bool,
    /// How often the file said exactly this, without an id.
    said: BTreeMap<String, usize>,
    /// How many to-dos without an id, of which the file does not say whether they are done, are there and done.
    done_before: usize,
    /// How a list is written, by its name in lower case, and by each name that is there: two that are there already stay two.
    lists: BTreeMap<String, String>,
}

impl<'a, 's> Importer<'a, 's> {
    fn new(stage: &'s Stage, known: &'a [Rc<Todo>], whole: bool, is_own_copy: bool) -> Self {
        let last_order = known.iter().map(|todo| todo.order).fold(0.0, f64::max).floor();
        let now = utc_text(stage.moment().at_ms);
        let mut lists = BTreeMap::new();
        for name in std::iter::once(INBOX).chain(known.iter().map(|todo| todo.list.as_str())) {
            if lists.get(name).is_none_or(|known: &String| known != name) {
                lists.entry(name.to_lowercase()).or_insert_with(|| name.to_owned());
                lists.insert(name.to_owned(), name.to_owned());
            }
        }
        let known = order::gather(known.iter().map(|todo| (todo.id.as_str(), todo)));
        let (said, done_before) = (BTreeMap::new(), 0);
        Self { known, stage, now, last_order, whole, is_own_copy, said, done_before, lists }
    }

    /// The to-do that a draft says, with everything checked that a tool checks too.
    fn make(&mut self, draft: Draft) -> Result<Todo, String> {
        let Draft { mut given, is_named_here, is_due_by_today, .. } = draft;
        let has_no_id =
            is_named_here || given.get("id").and_then(Value::as_str).unwrap_or_default().is_empty();
        let id = self.id(&given)?;
        given.insert("id".into(), id.as_str().into());
        let known = self.known.get(id.as_str()).copied();
        let is_done = known.is_some_and(|known| known.status == Status::Done);
        self.done_before += usize::from(has_no_id && is_done && !given.contains_key("status"));
        let title = given.get("title").and_then(Value::as_str).unwrap_or_default();
        if title.trim().is_empty() {
            return Err("It has no title.".into());
        }
        let stamped = given.contains_key("updated");
        if !self.is_own_copy {
            // Nobody says of their own file that it is not from outside.
            given.remove(UNTRUSTED.0);
        }
        if is_due_by_today && known.is_some() {
            // The same file on another day does not move it.
            given.remove("due");
            given.remove("remind");
        }
        let mut fields = match known.filter(|_| !self.whole) {
            Some(known) => fields_of(known)?,
            None => self.blank(known),
        };
        fields.extend(given);
        // Read as text, the way the store does, so that this code is linked once.
        let todo: Todo = serde_json::from_str(&Value::Object(fields).to_string())
            .map_err(|error| sentence(&error.to_string()))?;
        let todo = self.checked(todo)?;
        let Some(known) = known else {
            return Ok(Todo { imported: todo.imported || !self.is_own_copy, ..todo });
        };
        // Only a file that says so changes when a to-do was changed last, and only its own copy says where it is from.
        let mut as_known = todo.clone();
        if !stamped {
            as_known.updated.clone_from(&known.updated);
        }
        if !self.is_own_copy {
            as_known.imported = known.imported;
        }
        if as_known == **known {
            return Ok(as_known);
        }
        let updated = if stamped { todo.updated.clone() } else { self.now.clone() };
        Ok(Todo { updated, imported: todo.imported || !self.is_own_copy, ..todo })
    }

    /// What no file needs to say: of a to-do that is there, what it has.
    fn blank(&mut self, known: Option<&Rc<Todo>>) -> Map<String, Value> {
        let blank = match known {
            Some(known) => {
                json!({ "status": "open", "order": known.order, "created": known.created, "updated": known.updated })
            }
            None => {
                self.last_order += 1.0;
                json!({ "status": "open", "order": self.last_order, "created": self.now, "updated": self.now })
            }
        };
        match blank {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }

    /// The id a file says, or one made from everything else it says: the same the next time.
    fn id(&mut self, given: &Map<String, Value>) -> Result<String, String> {
        let said = given.get("id").and_then(Value::as_str).unwrap_or_default();
        if said.is_empty() {
            let text = Value::Object(given.clone()).to_string();
            let count = self.said.entry(text.clone()).or_default();
            *count += 1;
            return Ok(made_up(&format!("{count} {text}")));
        }
        let is_plain = |letter: char| letter.is_ascii_graphic() && !matches!(letter, '/' | '"' | '\\');
        Ok(if said.len() <= 128 && said.chars().all(is_plain) { said.to_owned() } else { made_up(said) })
    }

    /// A list's name as it is written already. One's own copy says it as it was.
    fn list(&mut self, name: &str) -> Result<String, String> {
        if name.trim().is_empty() {
            return Ok(INBOX.into());
        }
        let name = text::list_name(name)?;
        if self.is_own_copy {
            return Ok(name);
        }
        if let Some(known) = self.lists.get(&name) {
            return Ok(known.clone());
        }
        Ok(self.lists.entry(name.to_lowercase()).or_insert(name).clone())
    }

    fn checked(&mut self, todo: Todo) -> Result<Todo, String> {
        let is_done = todo.status == Status::Done;
        let due = starting(todo.due, todo.repeat.as_ref(), self.stage).map_err(|error| error.to_string())?;
        Ok(Todo {
            title: text::title(&todo.title)?,
            notes: text::notes(&todo.notes)?,
            tags: text::tags(&todo.tags)?,
            list: self.list(&todo.list)?,
            zone: zone_of(due, self.stage)
                .map(|here| todo.zone.filter(|zone| zone.len() <= 64).unwrap_or(here)),
            completed: is_done.then(|| todo.completed.unwrap_or_else(|| todo.updated.clone())),
            due,
            remind: todo.remind.filter(|remind| remind.moment(due).is_some()),
            ..todo
        })
    }
}

fn fields_of(todo: &Todo) -> Result<Map<String, Value>, String> {
    match serde_json::to_value(todo).map_err(|error| error.to_string())? {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Map::new()),
    }
}

/// A reader's message without the place in a line that nobody has seen.
fn sentence(error: &str) -> String {
    let why = error.split(" at line ").next().unwrap_or_default();
    let mut letters = why.chars();
    let first: String = letters.next().map(|first| first.to_ascii_uppercase()).into_iter().collect();
    let why = format!("{first}{}", letters.as_str());
    if why.ends_with('.') { why } else { format!("{why}.") }
}

/// Puts on its own what has a parent that is not there, or is a part of itself. Says how many.
fn adopt(made: &mut [(usize, Todo)], known: &[Rc<Todo>], mode: Mode) -> usize {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut parents: Vec<Option<String>> = Vec::new();
    let kept = known.iter().filter(|_| mode == Mode::Add).map(|todo| &**todo);
    for todo in kept.chain(made.iter().map(|(_, todo)| todo)) {
        // What the file says of a to-do comes later, and counts.
        places.insert(todo.id.clone(), parents.len());
        parents.push(todo.parent.clone());
    }
    let mut lost = 0;
    for (_, todo) in made {
        let mut above = todo.parent.as_ref();
        // Nobody nests that deep: who has so many ancestors is above a circle.
        let mut steps = 0;
        let is_sound = loop {
            let Some(id) = above else { break true };
            let Some(place) = places.get(id) else { break false };
            steps += 1;
            if steps > MAX_DEPTH || *id == todo.id {
                break false;
            }
            above = parents[*place].as_ref();
        };
        if !is_sound {
            todo.parent = None;
            if let Some(place) = places.get(&todo.id) {
                parents[*place] = None;
            }
            lost += 1;
        }
    }
    lost
}

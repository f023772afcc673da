//! What the conversation so far has shown: to-dos by id, what was touched, what was listed.
//!
//! Everything comes from messages. Tool results give the to-dos; the answers' own list lines give the
//! order a person saw, whichever model wrote them.

use crate::todo::deeds::{Deed, Deeds};
use crate::todo::rows::{Todo, changes};
use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::DateTime;
use protocol::tool_name_now;
use serde_json::Value;

use crate::conversation::{Language, Turn};
use crate::german::finished;
use crate::todo::shown::{Item, Sight};

/// What a turn touched and showed.
#[derive(Clone, Debug, Default)]
struct Trace {
    touched: Vec<String>,
    /// The lists shown: of each line the to-dos that it can be, which is one unless the line says too little.
    shown: Vec<Vec<Vec<String>>>,
    /// The to-dos of lists that stood beside what was asked for.
    aside: Vec<String>,
}

/// What heads a list that was not asked for.
const ASIDES: [&str; 2] = ["Overdue besides:", "Overdue before that:"];

/// Everything known.
#[derive(Clone, Debug, Default)]
pub struct Known {
    todos: BTreeMap<String, Todo>,
    gone: BTreeSet<String>,
    traces: Vec<Trace>,
    writes: Vec<(String, Vec<Todo>)>,
    /// The changes that were taken back, by their to-dos.
    undone: Vec<Vec<String>>,
    /// How many changes of this conversation stand.
    standing: usize,
    /// The ids in the order in which this turn's results had them.
    order: Vec<String>,
    /// What was done in this conversation and not taken back.
    deeds: Deeds,
    /// What the person said, a message a turn.
    said: Vec<String>,
    /// Now, to read the days in what was shown.
    now: Option<DateTime>,
}

/// What a pronoun stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Focus {
    /// Nothing was spoken of.
    Nothing,
    /// These; several where one was asked for means "ask".
    These(Vec<Todo>),
}

impl Focus {
    /// Whether anything of it is still to be done.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::These(todos) if todos.iter().any(|todo| !todo.done))
    }
}

impl Known {
    /// Knows nothing yet but the time.
    pub fn at(now: Option<DateTime>) -> Self {
        Self { now, ..Self::default() }
    }

    /// Opens the next turn.
    pub fn open_turn(&mut self) {
        self.traces.push(Trace::default());
        self.order.clear();
    }

    /// Takes in a tool's result.
    pub fn absorb(&mut self, tool: &str, result: &Value) {
        let tool = tool_name_now(tool);
        let items = result.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for todo in items.iter().chain(result.get("todo")).filter_map(Todo::read) {
            self.put(todo);
        }
        let all = changes(result);
        self.deeds.absorb(tool == "undo", &all);
        let ids: Vec<String> =
            all.iter().filter_map(|c| Some(c.after.as_ref().or(c.before.as_ref())?.id.clone())).collect();
        if tool == "redo" {
            let (again, still): (Vec<_>, Vec<_>) =
                self.undone.drain(..).partition(|todos| todos.iter().any(|id| ids.contains(id)));
            self.undone = still;
            self.standing += again.len().max(usize::from(!all.is_empty()));
        } else if tool != "undo" && !all.is_empty() {
            self.standing += 1;
        }
        if tool == "undo" {
            let undone =
                result.get("undone").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            for tool in undone.iter().filter_map(|call| call.get("tool")?.as_str()) {
                let fits = |(was, todos): &(String, Vec<Todo>)| {
                    was == tool && todos.iter().any(|t| ids.contains(&t.id))
                };
                if let Some(at) = self.writes.iter().rposition(fits) {
                    let (_, todos) = self.writes.remove(at);
                    self.undone.push(todos.into_iter().map(|todo| todo.id).collect());
                    self.standing = self.standing.saturating_sub(1);
                }
            }
        } else if !all.is_empty() {
            let todos = all.iter().filter_map(|c| c.before.clone().or_else(|| c.after.clone())).collect();
            self.writes.push((tool.to_owned(), todos));
        }
        for change in all {
            let main = change.before.is_some() || tool != "todo_complete";
            let id = change.after.as_ref().or(change.before.as_ref()).map(|t| t.id.clone());
            match (change.before, change.after) {
                (_, Some(after)) => self.put(after),
                (Some(before), None) => {
                    self.order.push(before.id.clone());
                    self.gone.insert(before.id.clone());
                    self.todos.insert(before.id.clone(), before);
                }
                (None, None) => {}
            }
            if let (Some(id), true, Some(trace)) = (id, main, self.traces.last_mut())
                && !trace.touched.contains(&id)
            {
                trace.touched.push(id);
            }
        }
    }

    fn put(&mut self, todo: Todo) {
        self.order.retain(|id| *id != todo.id);
        self.order.push(todo.id.clone());
        self.gone.remove(&todo.id);
        self.todos.insert(todo.id.clone(), todo);
    }

    /// Takes in a whole finished turn.
    pub fn absorb_turn(&mut self, turn: &Turn) {
        self.open_turn();
        self.said.push(turn.typed.as_ref().unwrap_or(&turn.said).clone());
        for done in &turn.calls {
            if let (false, Some(Ok(value))) =
                (done.is_error, done.result.as_deref().map(serde_json::from_str))
            {
                self.absorb(&done.call.name, &value);
            }
        }
        self.told(&turn.answer, turn.language);
    }

    /// Takes in what this turn has told so far: "when is it, and can you move it".
    pub fn told(&mut self, answer: &str, language: Language) {
        let (shown, aside) = self.read_lists(answer, language);
        if let Some(trace) = self.traces.last_mut() {
            (trace.shown, trace.aside) = (shown, aside);
        }
    }

    /// The lists in an answer: runs of list lines that name known to-dos. And the to-dos of those that stand beside
    /// another one: "Overdue besides".
    fn read_lists(&self, answer: &str, language: Language) -> (Vec<Vec<Vec<String>>>, Vec<String>) {
        let todos: Vec<&Todo> = self.todos.values().collect();
        let touched = self.traces.last().map(|trace| trace.touched.as_slice()).unwrap_or_default();
        let (gone, order, now) = (&self.gone, &self.order, self.now);
        let sight = Sight { todos: &todos, gone, touched, order, now, language };
        let mut blocks: Vec<Vec<Vec<String>>> = Vec::new();
        let mut open = false;
        let mut beside = false;
        let mut aside: Vec<String> = Vec::new();
        // Once: each of them is looked for in a whole table.
        let asides = ASIDES.map(|aside| finished(aside, language));
        for line in answer.lines() {
            let Some(item) = Item::read(line) else {
                open = open && line.trim().is_empty();
                if !line.trim().is_empty() {
                    beside = !blocks.is_empty() && asides.iter().any(|aside| aside == line.trim());
                }
                continue;
            };
            if beside {
                aside.extend(sight.meant_by(&item, &[]));
                continue;
            }
            // A list that begins anew is another one.
            if !open || line.trim_start().starts_with("1.") {
                blocks.push(Vec::new());
                open = true;
            }
            if let Some(block) = blocks.last_mut() {
                let ids = sight.meant_by(&item, block);
                block.extend((!ids.is_empty()).then_some(ids));
            }
        }
        blocks.retain(|block| !block.is_empty());
        (blocks, aside)
    }

    fn all(&self, ids: &[String]) -> Vec<Todo> {
        ids.iter().filter_map(|id| self.todos.get(id)).cloned().collect()
    }

    /// The to-dos that are known and not deleted.
    pub fn alive(&self) -> impl Iterator<Item = &Todo> {
        self.todos.values().filter(|todo| !self.gone.contains(&todo.id))
    }

    /// Whether a to-do was deleted in this conversation.
    pub fn is_gone(&self, id: &str) -> bool {
        self.gone.contains(id)
    }

    /// Names of the lists seen.
    pub fn lists(&self) -> BTreeSet<String> {
        order::gather(self.alive().map(|todo| todo.list.clone()).filter(|list| !list.is_empty()))
    }

    /// What was done in this conversation and not taken back.
    pub fn deeds(&self) -> &Deeds {
        &self.deeds
    }

    /// What the person said so far, a message a turn.
    pub fn said(&self) -> &[String] {
        &self.said
    }

    /// A to-do as it was seen last.
    pub fn todo(&self, id: &str) -> Option<&Todo> {
        self.todos.get(id)
    }

    /// What the last turn touched and is there yet.
    pub fn touched(&self) -> Vec<Todo> {
        let mut all = self.traces.last().map(|trace| self.all(&trace.touched)).unwrap_or_default();
        all.retain(|todo| !self.gone.contains(&todo.id));
        all
    }

    /// How many changes of this conversation stand, those made once more too; `None` where it made none at all.
    pub fn standing(&self) -> Option<usize> {
        (self.standing > 0 || !self.undone.is_empty()).then_some(self.standing)
    }

    /// How many of the last changes were about so many to-dos together.
    pub fn changes_about(&self, todos: i64) -> Option<i64> {
        let mut about = 0;
        for (changes, (tool, all)) in (1..).zip(self.writes.iter().rev()) {
            // A repetition's next one came by itself.
            let own =
                all.iter().filter(|todo| tool != "todo_complete" || !todo.done && !self.came_next(all, todo));
            about += i64::try_from(own.count()).ok()?;
            if about >= todos {
                return (about == todos).then_some(changes);
            }
        }
        None
    }

    /// Whether a to-do came as the next one of another's repetition.
    fn came_next(&self, all: &[Todo], todo: &Todo) -> bool {
        todo.repeat.is_some()
            && all.iter().any(|t| t.id != todo.id && t.title == todo.title && t.repeat == todo.repeat)
    }

    /// The changes made in this conversation and not taken back, oldest first: the tool and the to-dos.
    pub fn writes(&self) -> &[(String, Vec<Todo>)] {
        &self.writes
    }

    /// The to-dos of the last changes, so many of them, as they were before.
    pub fn before(&self, changes: i64) -> Vec<Todo> {
        let count = usize::try_from(changes).unwrap_or_default();
        let mut last: Vec<Todo> = Vec::new();
        for todo in self.writes.iter().rev().take(count).rev().flat_map(|(_, todos)| todos) {
            if !last.iter().any(|known| known.id == todo.id) {
                last.push(todo.clone());
            }
        }
        last
    }

    /// Whether the last change was the completion of these and no others, one of which repeats.
    pub fn just_completed_repeating(&self, todos: &[Todo]) -> bool {
        let Some((tool, done)) = self.writes.last() else { return false };
        let was = |todo: &Todo| todos.iter().any(|t| t.id == todo.id);
        // A repetition's next one is in the change too.
        tool == "todo_complete"
            && done.iter().any(|todo| was(todo) && todo.repeat.is_some())
            && todos.iter().all(|todo| done.iter().any(|d| d.id == todo.id))
            && done.iter().all(|todo| was(todo) || !todo.done && todo.repeat.is_some())
    }

    /// What "it" stands for: what the latest turn about to-dos touched, else what it showed.
    pub fn it(&self) -> Focus {
        for trace in self.traces.iter().rev() {
            let mut last = trace.shown.last().map(|lines| lines.concat()).unwrap_or_default();
            // With another list beside it nobody knows which is meant.
            last.extend(trace.aside.iter().cloned());
            let ids = if trace.touched.is_empty() { last } else { trace.touched.clone() };
            let found = self.all(&ids);
            // A to-do that came with its subtasks is meant as a whole.
            if let Some(whole) = found.iter().find(|whole| {
                found.len() > 1
                    && found
                        .iter()
                        .all(|todo| todo.id == whole.id || todo.parent.as_deref() == Some(&whole.id))
            }) {
                return Focus::These(vec![whole.clone()]);
            }
            if !found.is_empty() {
                return Focus::These(found);
            }
        }
        Focus::Nothing
    }

    /// What "them" stands for: several touched, else the list last shown, else what was touched.
    pub fn them(&self) -> Focus {
        for trace in self.traces.iter().rev() {
            let last = trace.shown.last().map(|lines| lines.concat()).unwrap_or_default();
            let ids = match trace.touched.len() {
                0 => last,
                1 if last.len() > 1 => last,
                _ => trace.touched.clone(),
            };
            let found = self.all(&ids);
            if !found.is_empty() {
                return Focus::These(found);
            }
        }
        Focus::Nothing
    }

    /// The to-do added last.
    pub fn newest(&self) -> Option<Todo> {
        let added = self.deeds.of(Some(Deed::Add));
        added.iter().rev().filter(|id| !self.gone.contains(**id)).find_map(|id| self.todos.get(*id)).cloned()
    }

    /// The list a place refers to: the latest with several lines, else the latest with one. Of each line the
    /// to-dos that it can be.
    pub fn shown(&self) -> Vec<Vec<Todo>> {
        let blocks = || self.traces.iter().rev().flat_map(|trace| trace.shown.iter().rev());
        let lines = blocks().find(|block| block.len() > 1).or_else(|| blocks().next());
        lines.map(|lines| lines.iter().map(|ids| self.all(ids)).collect()).unwrap_or_default()
    }
}

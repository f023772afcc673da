//! What the conversation so far has shown: to-dos by id, what was touched, what was listed.
//!
//! Everything comes from messages. Tool results give the to-dos; the answers' own list lines give the
//! order a person saw, whichever model wrote them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use protocol::{Message, ToolCall, unfence};
use serde_json::Value;

/// A to-do as the tools tell it; only what answers need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Todo {
    /// For the tools, never for the person (S1-16).
    pub id: String,
    /// The title.
    pub title: String,
    /// The notes.
    pub notes: String,
    /// Whether it is done.
    pub done: bool,
    /// When it is due.
    pub due: Option<String>,
    /// The priority's word; `none` is none.
    pub priority: String,
    /// The tags.
    pub tags: Vec<String>,
    /// The list it is in.
    pub list: String,
    /// The repetition's rule.
    pub repeat: Option<String>,
    /// When it was completed, in UTC.
    pub completed: Option<String>,
}

impl Todo {
    /// Reads a to-do; `None` when there is no id or title.
    pub fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            id: text("id")?,
            title: text("title")?,
            notes: text("notes").unwrap_or_default(),
            done: text("status").as_deref() == Some("done"),
            due: text("due"),
            priority: text("priority").unwrap_or_else(|| "none".into()),
            tags: value
                .get("tags")
                .and_then(Value::as_array)
                .map(|tags| tags.iter().filter_map(Value::as_str).map(str::to_owned).collect())
                .unwrap_or_default(),
            list: text("list").unwrap_or_default(),
            repeat: text("repeat"),
            completed: text("completed"),
        })
    }

    /// Whether its priority says that it matters.
    pub fn is_important(&self) -> bool {
        matches!(self.priority.as_str(), "high" | "urgent")
    }
}

/// One change of a write: before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// How it was; nothing when it is new.
    pub before: Option<Todo>,
    /// How it is; nothing when it is gone.
    pub after: Option<Todo>,
}

/// The changes a write's result tells.
pub fn changes(result: &Value) -> Vec<Change> {
    let side = |change: &Value, key: &str| change.get(key).and_then(Todo::read);
    let list = result.get("changes").and_then(Value::as_array);
    list.map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .map(|change| Change { before: side(change, "before"), after: side(change, "after") })
        .filter(|change| change.before.is_some() || change.after.is_some())
        .collect()
}

/// A call of this conversation with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The call.
    pub call: ToolCall,
    /// Its result's text, out of its fence; `None` while it has none.
    pub result: Option<String>,
    /// Whether it refused or failed.
    pub is_error: bool,
}

/// A user message up to the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// What the person said.
    pub said: String,
    /// The calls made, in order.
    pub calls: VecDeque<Done>,
    /// How many responses asked for them.
    pub rounds: usize,
    /// The last thing the model said.
    pub answer: String,
}

impl Turn {
    /// How many changes it made since it last took some back.
    pub fn wrote(&self) -> i64 {
        let mut count = 0;
        for done in self.calls.iter().filter(|done| !done.is_error) {
            let result = done.result.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
            if result.is_some_and(|result| !changes(&result).is_empty()) {
                let undo = matches!(done.call.name.as_str(), "todo_undo" | "todo_redo");
                count = if undo { 0 } else { count + 1 };
            }
        }
        count
    }

    /// Whether its last two changes are one wish: a to-do and the subtasks it came with.
    pub fn added_with_parts(&self) -> bool {
        let mut made = self.calls.iter().rev().filter(|done| !done.is_error);
        let (Some(parts), Some(whole)) = (made.next(), made.next()) else { return false };
        let created = [parts, whole].iter().all(|done| done.call.name == "todo_create");
        let arguments = &parts.call.arguments;
        let first = arguments.get("items").and_then(|items| items.get(0)).unwrap_or(arguments);
        let parent = first.get("parent").and_then(Value::as_str);
        let result = whole.result.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let made = result.as_ref().map(changes).unwrap_or_default();
        created
            && made
                .iter()
                .filter_map(|change| change.after.as_ref())
                .any(|todo| Some(todo.id.as_str()) == parent)
    }
}

/// The conversation's turns, oldest first.
pub fn turns(messages: &[Arc<Message>]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for message in messages {
        match &**message {
            Message::System { .. } => {}
            Message::User { content, .. } => turns.push(Turn { said: content.clone(), ..Turn::default() }),
            Message::Assistant { content, tool_calls, .. } => {
                if let Some(turn) = turns.last_mut() {
                    if !content.is_empty() {
                        turn.answer.clone_from(content);
                    }
                    let open = |call: &ToolCall| Done { call: call.clone(), result: None, is_error: false };
                    turn.rounds += usize::from(!tool_calls.is_empty());
                    turn.calls.extend(tool_calls.iter().map(open));
                }
            }
            Message::Tool { call_id, content, is_error, .. } => {
                let open = turns.last_mut().and_then(|turn| {
                    turn.calls.iter_mut().find(|done| done.call.id == *call_id && done.result.is_none())
                });
                if let Some(done) = open {
                    done.result = Some(unfence(content).to_owned());
                    done.is_error = *is_error;
                }
            }
        }
    }
    turns
}

/// What a turn touched and showed.
#[derive(Clone, Debug, Default)]
struct Trace {
    touched: Vec<String>,
    shown: Vec<Vec<String>>,
}

/// Everything known.
#[derive(Clone, Debug, Default)]
pub struct Known {
    todos: BTreeMap<String, Todo>,
    gone: BTreeSet<String>,
    created: Vec<String>,
    traces: Vec<Trace>,
    writes: Vec<(String, Vec<Todo>)>,
}

/// What a pronoun stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Focus {
    /// Nothing was spoken of.
    Nothing,
    /// These; several where one was asked for means "ask".
    These(Vec<Todo>),
}

impl Known {
    /// Opens the next turn.
    pub fn open_turn(&mut self) {
        self.traces.push(Trace::default());
    }

    /// Takes in a tool's result.
    pub fn absorb(&mut self, tool: &str, result: &Value) {
        let items = result.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for todo in items.iter().chain(result.get("todo")).filter_map(Todo::read) {
            self.put(todo);
        }
        let all = changes(result);
        if tool == "todo_undo" {
            let undone =
                result.get("undone").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            for tool in undone.iter().filter_map(|call| call.get("tool")?.as_str()) {
                let id = |c: &Change| c.after.as_ref().or(c.before.as_ref()).map(|t| t.id.clone());
                let ids: Vec<String> = all.iter().filter_map(id).collect();
                let fits = |(was, todos): &(String, Vec<Todo>)| {
                    was == tool && todos.iter().any(|t| ids.contains(&t.id))
                };
                if let Some(at) = self.writes.iter().rposition(fits) {
                    self.writes.remove(at);
                }
            }
        } else if !all.is_empty() {
            let todos = all.iter().filter_map(|c| c.before.clone().or_else(|| c.after.clone())).collect();
            self.writes.push((tool.to_owned(), todos));
        }
        for change in all {
            let main = change.before.is_some() || tool != "todo_complete";
            let id = change.after.as_ref().or(change.before.as_ref()).map(|t| t.id.clone());
            if let (None, Some(after)) = (&change.before, &change.after)
                && tool == "todo_create"
            {
                self.created.push(after.id.clone());
            }
            match (change.before, change.after) {
                (_, Some(after)) => self.put(after),
                (Some(before), None) => {
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
        self.gone.remove(&todo.id);
        self.todos.insert(todo.id.clone(), todo);
    }

    /// Takes in a whole finished turn.
    pub fn absorb_turn(&mut self, turn: &Turn) {
        self.open_turn();
        for done in &turn.calls {
            if let (false, Some(Ok(value))) =
                (done.is_error, done.result.as_deref().map(serde_json::from_str))
            {
                self.absorb(&done.call.name, &value);
            }
        }
        let shown = self.read_lists(&turn.answer);
        if let Some(trace) = self.traces.last_mut() {
            trace.shown = shown;
        }
    }

    /// The lists in an answer: runs of list lines that name known to-dos.
    fn read_lists(&self, answer: &str) -> Vec<Vec<String>> {
        let mut blocks: Vec<Vec<String>> = Vec::new();
        let mut open = false;
        for line in answer.lines() {
            let Some(item) = list_item(line) else {
                open = open && line.trim().is_empty();
                continue;
            };
            // A list that begins anew is another one.
            if !open || line.trim_start().starts_with("1.") {
                blocks.push(Vec::new());
                open = true;
            }
            if let Some(block) = blocks.last_mut()
                && let Some(id) = self.on_line(item, block)
            {
                block.push(id);
            }
        }
        blocks.retain(|block| !block.is_empty());
        blocks
    }

    /// The to-do a line shows: the longest title in it, not the same one twice in a list.
    fn on_line(&self, item: &str, block: &[String]) -> Option<String> {
        let bold = bold(item);
        let plain = unescape(bold.unwrap_or(item));
        self.todos
            .values()
            .filter(|todo| !block.contains(&todo.id))
            .filter(|todo| if bold.is_some() { plain == todo.title } else { plain.contains(&todo.title) })
            .max_by_key(|todo| (todo.title.len(), !self.gone.contains(&todo.id)))
            .map(|todo| todo.id.clone())
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
        self.alive().map(|todo| todo.list.clone()).filter(|list| !list.is_empty()).collect()
    }

    /// The to-dos created in this conversation that still exist.
    pub fn created(&self) -> Vec<Todo> {
        self.all(&self.created).into_iter().filter(|todo| !self.gone.contains(&todo.id)).collect()
    }

    /// What the last turn touched and is there yet.
    pub fn touched(&self) -> Vec<Todo> {
        let mut all = self.traces.last().map(|trace| self.all(&trace.touched)).unwrap_or_default();
        all.retain(|todo| !self.gone.contains(&todo.id));
        all
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
            let last = trace.shown.last().cloned().unwrap_or_default();
            let ids = if trace.touched.is_empty() { last } else { trace.touched.clone() };
            let found = self.all(&ids);
            if !found.is_empty() {
                return Focus::These(found);
            }
        }
        Focus::Nothing
    }

    /// What "them" stands for: several touched, else the list last shown, else what was touched.
    pub fn them(&self) -> Focus {
        for trace in self.traces.iter().rev() {
            let last = trace.shown.last().cloned().unwrap_or_default();
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

    /// The to-dos added last.
    pub fn newest(&self) -> Option<Todo> {
        self.created().pop()
    }

    /// The list a place refers to: the latest with several lines, else the latest with one.
    pub fn shown(&self) -> Vec<Todo> {
        let blocks = || self.traces.iter().rev().flat_map(|trace| trace.shown.iter().rev());
        let ids = blocks().find(|block| block.len() > 1).or_else(|| blocks().next());
        ids.map(|ids| self.all(ids)).unwrap_or_default()
    }
}

/// The text of a list line: `1. …`, `- …`, `* …`, with or without a box.
pub fn list_item(line: &str) -> Option<&str> {
    let line = line.trim();
    let item =
        ["- ", "* ", "• ", "– ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).or_else(|| {
            let digits = line.chars().take_while(char::is_ascii_digit).count();
            let rest = line.get(digits..).filter(|_| (1..=3).contains(&digits))?;
            [". ", ") "].iter().find_map(|mark| rest.strip_prefix(mark))
        })?;
    let item = item.trim_start();
    let boxes = ["[ ] ", "[x] ", "[X] ", "☐ ", "☑ "];
    Some(boxes.iter().find_map(|mark| item.strip_prefix(mark)).map_or(item, str::trim_start))
}

/// What stands between the first `**` and the next one; an escaped star is no part of either.
fn bold(item: &str) -> Option<&str> {
    let mut marks = Vec::new();
    let mut chars = item.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '*' if chars.next_if(|(_, next)| *next == '*').is_some() => marks.push(at),
            _ => {}
        }
    }
    item.get(marks.first()? + 2..*marks.get(1)?)
}

/// Undoes [`crate::answer::escape`].
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            other => out.push(other),
        }
    }
    out
}

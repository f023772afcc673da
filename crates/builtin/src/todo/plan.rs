//! A turn carried out, clause by clause: what is known of the to-dos, and how it grows with every result.

use crate::todo::attrs::Attrs;
use crate::todo::groups::Group;
use crate::todo::intent::{Filter, Intent, Place, Target};
use crate::todo::rows::{Change, Todo, changes};
use dates::calendar::{Span, later_day, later_moment};
use dates::iso::{day_text, local_day, read_day, read_time};
use dates::when;
use jiff::civil::Date;
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use crate::conversation::Done;
use crate::results::{declined, ids, unreadable};
use crate::run::{self, Call, Caller, Outcome, Stop};
use crate::todo::answer;
use crate::todo::known::Known;

/// Why a run stopped before its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// These calls have to be made first.
    Calls(Vec<Call>),
    /// The person has to say more.
    Ask {
        /// The question, with what it is about.
        text: String,
        /// What it waits for.
        wants: Box<Wants>,
    },
    /// It cannot go on; the sentence says why.
    Fail(String),
    /// It cannot go on, as no to-do has that name.
    Missed(String),
}

/// The end of a turn's run.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// These calls have to be made.
    Calls(Vec<Call>),
    /// The answer; with a question when the person has to say more about the clause at that index.
    Answer {
        /// The whole text.
        text: String,
        /// The open question.
        asked: Option<(usize, Box<Wants>)>,
    },
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Calls(calls) => Self::Calls(calls),
            Stop::Fail(text) => Self::Fail(text),
        }
    }
}

/// A step's result or the reason to stop.
pub type Step<T> = Result<T, Halt>;

/// Which to-dos a command can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// Open ones before done ones.
    Open,
    /// Done ones before open ones.
    Done,
}

/// A turn being carried out.
pub struct Run<'r> {
    /// Its calls and what is said, whatever it is about.
    pub run: run::Run<'r>,
    /// What the conversation knows, this turn's results included.
    pub known: Known,
    /// The to-dos of a complete look in this turn.
    pub looked: Option<Vec<Todo>>,
    /// The ids of the to-dos that this turn has seen.
    pub fresh: BTreeSet<String>,
    /// How many to-dos the look did not reach.
    pub unseen: usize,
    /// What was searched for ahead in this turn.
    pub pages: Vec<(String, Vec<Todo>)>,
    /// The message without its question mark, where it ends with one.
    pub question: String,
}

impl<'r> Deref for Run<'r> {
    type Target = run::Run<'r>;

    fn deref(&self) -> &Self::Target {
        &self.run
    }
}

impl DerefMut for Run<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.run
    }
}

/// How many to-dos a look at all of them asks for at a time: a page has to fit into the conversation.
const PAGE: i64 = 100;
/// How many where even that was too long.
const SMALL_PAGE: i64 = 20;
/// How many pages a command about all of them reads.
const PAGES: usize = 5;
/// How many candidates a question shows.
const CANDIDATES: usize = 8;

impl<'r> Run<'r> {
    /// Calls one tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Step<Value> {
        self.call_all(vec![(tool.to_owned(), arguments)]).map(|mut all| all.pop().unwrap_or(Value::Null))
    }

    /// Calls tools that do not wait for each other.
    pub fn call_all(&mut self, calls: Vec<Call>) -> Step<Vec<Value>> {
        let (outcomes, missing) = self.run.gather(calls)?;
        let mut results = Vec::new();
        let mut failed = None;
        for outcome in outcomes {
            match outcome {
                Outcome::Beside(tool, value) => self.known.absorb(&tool, &value),
                Outcome::Value(tool, value) => {
                    self.known.absorb(&tool, &value);
                    self.see(&value);
                    self.refresh(&tool, &value);
                    results.push(value);
                }
                Outcome::Failed(text, done) => failed = failed.or_else(|| Some(text + &self.spared(&done))),
            }
        }
        // A failure beside calls still to be made: what was done is told, nothing more is tried.
        match failed {
            Some(text) => {
                let changed: Vec<Change> = results.iter().flat_map(changes).collect();
                if !changed.is_empty() {
                    let changed = format!("Changed:\n\n{}", answer::changed(&changed, self.now));
                    self.run.said.push(changed);
                }
                Err(Halt::Fail(text))
            }
            None if missing.is_empty() => Ok(results),
            None => Err(Halt::Calls(missing)),
        }
    }

    /// Takes down which to-dos a result tells as they are.
    fn see(&mut self, result: &Value) {
        let changed = changes(result).into_iter().filter_map(|change| change.after);
        let one = result.get("todo").and_then(Todo::read);
        self.fresh.extend(items(result).chain(one).chain(changed).map(|todo| todo.id));
    }

    /// The to-dos that a declined call would have changed: they are what is spoken of.
    fn spared(&self, done: &Done) -> String {
        let named: Vec<&str> = if declined(done) { ids(&done.call.arguments).collect() } else { Vec::new() };
        let todos: Vec<Todo> =
            self.known.alive().filter(|todo| named.contains(&todo.id.as_str())).cloned().collect();
        if todos.is_empty() { String::new() } else { format!("\n\n{}", answer::tasks(&todos, self.now)) }
    }

    /// Keeps this turn's look true after a write.
    fn refresh(&mut self, tool: &str, result: &Value) {
        if tool == "todo_list" {
            return;
        }
        for change in changes(result) {
            let id =
                change.before.as_ref().or(change.after.as_ref()).map(|t| t.id.clone()).unwrap_or_default();
            // A search does not know whether a new one fits; a complete look has every one.
            let pages = self.pages.iter_mut().map(|(_, found)| (found, false));
            for (todos, complete) in pages.chain(self.looked.iter_mut().map(|looked| (looked, true))) {
                match (todos.iter().position(|t| t.id == id), &change.after) {
                    (Some(at), Some(after)) => todos[at] = after.clone(),
                    (Some(at), None) => {
                        todos.remove(at);
                    }
                    (None, Some(after)) if complete => todos.push(after.clone()),
                    (None, _) => {}
                }
            }
        }
    }

    /// The to-dos a filter selects, page after page; with the total.
    pub fn list(&mut self, filter: &Filter, everything: bool) -> Step<(Vec<Todo>, usize)> {
        let mut arguments = arguments(filter);
        let dated = filter.done_from.is_some() || filter.done_to.is_some();
        let local =
            filter.undated || filter.untagged || filter.repeating || filter.important || filter.last || dated;
        if everything || local || filter.limit.is_none() {
            arguments.insert("limit".into(), json!(if everything || local { PAGE } else { 50 }));
        }
        let (mut todos, mut total, mut complete) = (Vec::new(), 0, true);
        for at in 0..PAGES {
            let page = self.page(&arguments)?;
            todos.extend(items(&page));
            total = self.total(&page, todos.len());
            // The newest changes come first: before the first day there is nothing more to find.
            let over = dated && self.before(&page, filter.done_from.as_deref());
            match page.get("next_cursor").filter(|c| !c.is_null() && (everything || local) && !over) {
                Some(cursor) => {
                    arguments.insert("cursor".into(), cursor.clone());
                    complete = at + 1 < PAGES;
                }
                None => break,
            }
        }
        self.unseen = if local && !complete { total.saturating_sub(todos.len()) } else { 0 };
        if local {
            todos.retain(|t| {
                (!filter.undated || t.due.is_none() && t.parent.is_none())
                    && (!filter.untagged || t.tags.is_empty())
                    && (!filter.repeating || t.repeat.is_some())
                    && (!filter.important || t.is_important())
                    && (!dated || self.done_within(t.completed.as_deref(), filter))
                    && (!filter.last || filter.sort != Some("due") || t.due.is_some())
            });
            total = todos.len();
            if filter.last {
                todos.reverse();
                let limit = filter.limit.and_then(|n| usize::try_from(n).ok());
                todos.truncate(limit.unwrap_or(todos.len()));
            }
        }
        Ok((todos, total))
    }

    /// The day a moment in UTC is on where the person is.
    pub fn day_of(&self, utc: &str) -> Option<String> {
        local_day(utc, self.offset?).map(day_text)
    }

    /// Whether a to-do was completed within the days of a filter.
    fn done_within(&self, completed: Option<&str>, filter: &Filter) -> bool {
        completed.and_then(|utc| self.day_of(utc)).is_some_and(|day| {
            filter.done_from.as_ref().is_none_or(|from| day >= *from)
                && filter.done_to.as_ref().is_none_or(|to| day <= *to)
        })
    }

    /// Whether the last to-do of a page was changed before a day, and with it all that follow.
    fn before(&self, page: &Value, from: Option<&str>) -> bool {
        let last = page.get("items").and_then(Value::as_array).and_then(|items| items.last());
        let changed = last.and_then(|todo| todo.get("updated")?.as_str());
        changed.and_then(|utc| self.day_of(utc)).zip(from).is_some_and(|(day, from)| day.as_str() < from)
    }

    /// One page; a smaller one when it was too long to be passed on.
    pub fn page(&mut self, arguments: &Map<String, Value>) -> Step<Value> {
        let page = self.call("todo_list", Value::Object(arguments.clone()))?;
        if page.is_object() {
            return Ok(page);
        }
        let mut fewer = arguments.clone();
        fewer.insert("limit".into(), json!(SMALL_PAGE));
        let page = self.call("todo_list", Value::Object(fewer))?;
        if page.is_object() { Ok(page) } else { Err(Halt::Fail(unreadable(&self.words))) }
    }

    /// Every to-do, looked up once in a turn. Where there are more than are read, the open ones come first, for it
    /// is they that are mostly meant.
    pub fn look(&mut self) -> Step<Vec<Todo>> {
        if let Some(looked) = &self.looked {
            return Ok(looked.clone());
        }
        let every = |status| Filter { status: Some(status), ..Filter::default() };
        let mut arguments = arguments(&every("all"));
        arguments.insert("limit".into(), json!(PAGE));
        let page = self.page(&arguments)?;
        let mut todos: Vec<Todo> = items(&page).collect();
        let (mut total, mut pages) = (self.total(&page, todos.len()), PAGES - 1);
        if total > todos.len() {
            for status in ["open", "done"] {
                let (found, _) = self.pages_of(&every(status), &mut pages)?;
                todos.extend(found);
            }
            // The first page had some of them already.
            let mut known = BTreeSet::new();
            todos.retain(|todo| known.insert(todo.id.clone()));
            total = total.max(todos.len());
        }
        self.unseen = total - todos.len();
        self.looked = Some(todos.clone());
        Ok(todos)
    }

    /// The pages of a filter, as many as are left to be read; with whether that is all.
    fn pages_of(&mut self, filter: &Filter, left: &mut usize) -> Step<(Vec<Todo>, bool)> {
        let mut arguments = arguments(filter);
        arguments.insert("limit".into(), json!(PAGE));
        let mut todos = Vec::new();
        while *left > 0 {
            *left -= 1;
            let page = self.page(&arguments)?;
            todos.extend(items(&page));
            match page.get("next_cursor").filter(|cursor| !cursor.is_null()) {
                Some(cursor) => arguments.insert("cursor".into(), cursor.clone()),
                None => return Ok((todos, true)),
            };
        }
        Ok((todos, false))
    }

    /// How many to-dos a page says there are on all pages.
    fn total(&self, page: &Value, shown: usize) -> usize {
        page.get("total").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(shown)
    }
}

impl Caller for Run<'_> {
    fn offers(&self, tool: &str) -> bool {
        self.run.offers(tool)
    }

    fn call(&mut self, tool: &str, arguments: Value) -> run::Step<Value> {
        Run::call(self, tool, arguments).map_err(|halt| match halt {
            Halt::Calls(calls) => Stop::Calls(calls),
            Halt::Fail(text) | Halt::Missed(text) | Halt::Ask { text, .. } => Stop::Fail(text),
        })
    }

    fn say(&mut self, text: String) {
        self.run.say(text);
    }
}

/// A question with its candidates, numbered.
pub fn ask_which(question: &str, todos: Vec<Todo>, now: Option<DateTime>) -> Halt {
    let more = todos.len().saturating_sub(CANDIDATES);
    let shown: Vec<Todo> = todos.into_iter().take(CANDIDATES).collect();
    let mut text = format!("{question}\n\n{}", answer::numbered(&shown, now));
    if more > 0 {
        text.push_str(&format!("\n\n… and {more} more; say more of the title."));
    }
    Halt::Ask { text, wants: Box::new(Wants::Which { of: shown, part: None }) }
}

/// What stands at these places of a list; `None` when one is beyond it.
pub fn pick<T: PartialEq + Clone>(places: &[Place], shown: &[T]) -> Option<Vec<T>> {
    let mut picked: Vec<T> = Vec::new();
    for place in places {
        let at = match *place {
            Place::Top(n) => n.checked_sub(1)?,
            Place::Bottom(n) => shown.len().checked_sub(n)?,
        };
        let line = shown.get(at)?;
        if !picked.contains(line) {
            picked.push(line.clone());
        }
    }
    Some(picked)
}

/// The to-dos of a page.
pub fn items(page: &Value) -> impl Iterator<Item = Todo> + '_ {
    page.get("items")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .filter_map(Todo::read)
}

/// A filter as the arguments of `todo_list`.
pub fn arguments(filter: &Filter) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            out.insert(key.to_owned(), value);
        }
    };
    put("status", filter.status.filter(|s| *s != "open").map(|s| json!(s)));
    put("list", filter.list.as_ref().map(|v| json!(v)));
    put("tag", filter.tag.as_ref().map(|v| json!(v)));
    put("priority", filter.priority.map(|v| json!(v)));
    put("text", filter.text.as_ref().map(|v| json!(v)));
    put("due_from", filter.due_from.as_ref().map(|v| json!(v)));
    put("due_to", filter.due_to.as_ref().map(|v| json!(v)));
    put("overdue", filter.overdue.then_some(Value::Bool(true)));
    put("sort", filter.sort.map(|v| json!(v)));
    put("limit", filter.limit.map(|v| json!(v)));
    out
}

/// A due value moved by a span, seen from what it is now.
pub fn later(due: Option<&str>, span: Span, now: DateTime) -> String {
    let (day, clock) = due.and_then(|d| d.split_once('T')).map_or((due, None), |(d, t)| (Some(d), Some(t)));
    let base = day.and_then(read_day).unwrap_or(now.date());
    let time = clock.and_then(read_time);
    if span.minutes != 0 {
        let start = time
            .map_or_else(|| if due.is_some() { base.at(9, 0, 0, 0) } else { now }, |t| base.to_datetime(t));
        let end = later_moment(start, span).unwrap_or(start);
        return when::When::new(
            Some(end.date()),
            jiff::civil::Time::new(end.hour(), end.minute(), 0, 0).ok(),
        )
        .due(now);
    }
    when::When::new(Some(later_day(base, span).unwrap_or(base)), time).due(now)
}

/// Says something and no more.
pub fn say(run: &mut Run, text: &str) -> Step<usize> {
    run.run.said.push(text.to_owned());
    Ok(0)
}

/// What a question waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wants {
    /// What to be reminded of at a time.
    Reminder(Attrs),
    /// One or some of these.
    Which {
        /// The candidates.
        of: Vec<Todo>,
        /// The part of a longer enumeration that fits several.
        part: Option<String>,
    },
    /// A new to-do's title; what was already said about it.
    Title(Attrs),
    /// A date; whether to put off to it.
    When(Target, bool),
    /// Another title.
    Name(Target),
    /// The titles of subtasks.
    Parts(Target),
    /// Whether all of a list or of a tag are meant.
    All(Group),
    /// Yes or no to this.
    Confirm(Intent),
    /// The same for a command that was guessed.
    Of(Box<Intent>, Box<Wants>),
    /// One of two days: "3/4".
    Day(Date, Date),
}

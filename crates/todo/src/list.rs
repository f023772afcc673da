//! `todo_list`: finds to-dos.

use std::cmp::Ordering;
use std::rc::Rc;

use async_trait::async_trait;
use dates::due::Due;
use jiff::civil::DateTime;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::index::{DONE, Rows, TodoIndex, day_key};
use crate::model::{Priority, Status, Todo};
use crate::when::civil_now;

pub(crate) struct TodoList;

/// Filters (all must hold), order and page.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// Which ones; open when left out.
    status: Option<Which>,
    /// Only in this list.
    list: Option<String>,
    /// Only with this tag.
    tag: Option<String>,
    /// Only with this priority.
    priority: Option<Priority>,
    /// Only with all of these words in title, notes or tags.
    text: Option<String>,
    /// Only due on or after this day or time.
    due_from: Option<String>,
    /// Only due on or before this day or time.
    due_to: Option<String>,
    /// Only open ones whose due day or time is over.
    #[serde(default)]
    overdue: bool,
    /// The order; due when left out. created and updated: newest first.
    sort: Option<Sort>,
    /// How many at most, 1 to 200; 50 when left out.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
    /// next_cursor of the page before.
    cursor: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Which {
    Open,
    Done,
    All,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Sort {
    #[default]
    Due,
    Created,
    Updated,
    Priority,
    Title,
    Order,
}

/// A page of to-dos.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// The to-dos.
    pub items: Vec<Todo>,
    /// How many there are on all pages together.
    pub total: usize,
    /// Give it as `cursor` for the next page; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for TodoList {
    const NAME: &'static str = "todo_list";
    const TITLE: &'static str = "List to-dos";
    const DESCRIPTION: &'static str =
        "Lists to-dos, open ones unless `status` says otherwise. Also the way to find ids.";
    const SHOWN_BY: &'static str = "ui://todos/list.html";
    const HINTS: Hints = Hints::READ;
    type Args = Args;
    type Output = Page;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Page, ToolError> {
        page(&args, stage).map_err(ToolError::Rejected)
    }
}

impl Page {
    /// The open ones of some to-dos, by due date: what the resource `todo://list` shows.
    #[must_use]
    pub fn of_open(mut todos: Vec<Rc<Todo>>) -> Self {
        todos.retain(|todo| todo.status == Status::Open);
        let found = sorted(todos, Sort::Due);
        let items: Vec<Todo> = found.iter().map(|(_, todo)| (**todo).clone()).collect();
        Self { total: items.len(), items, next_cursor: None }
    }
}

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

fn page(args: &Args, stage: &Stage) -> Result<Page, String> {
    let limit = args.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(format!("limit is {limit}; it may be 1 to {MAX_LIMIT}. Use next_cursor for more."));
    }
    let sort = args.sort.unwrap_or_default();
    let after = args.cursor.as_deref().map(|cursor| Place::from_cursor(cursor, sort)).transpose()?;
    let filter = Filter::new(args, civil_now(stage.moment()))?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if sort == Sort::Due
        && let Some(status) = filter.status
        && let Some(page) = stage
            .index::<Todo, _>(|index, rows| filter.sorted_page(status, after.as_ref(), limit, index, rows))
    {
        return Ok(page);
    }
    let mut found = sorted(stage.filter::<Todo>(|todo| filter.lets_through(todo)), sort);
    let total = found.len();
    // A cursor is a place in the order, not a number of rows: what is added or removed between two pages
    // shifts nothing.
    if let Some(after) = after {
        found.retain(|(place, _)| place.compare(&after) == Ordering::Greater);
    }
    let next_cursor = match found.get(limit.saturating_sub(1)) {
        Some((last, _)) if found.len() > limit => Some(last.to_cursor(sort)),
        _ => None,
    };
    let items = found.iter().take(limit).map(|(_, todo)| (**todo).clone()).collect();
    Ok(Page { items, total, next_cursor })
}

fn sorted(todos: Vec<Rc<Todo>>, sort: Sort) -> Vec<(Place, Rc<Todo>)> {
    let mut placed: Vec<_> = todos.into_iter().map(|todo| (Place::of(&todo, sort), todo)).collect();
    order::sort_by(&mut placed, |(left, _), (right, _)| left.compare(right));
    placed
}

/// The filters of a call, parsed once.
#[derive(Default)]
pub(crate) struct Filter {
    status: Option<Status>,
    list: Option<String>,
    tag: Option<String>,
    priority: Option<Priority>,
    words: Vec<String>,
    due_from: Option<Due>,
    due_to: Option<Due>,
    overdue_at: Option<DateTime>,
}

impl Filter {
    fn new(args: &Args, now: DateTime) -> Result<Self, String> {
        let day = |text: &Option<String>| text.as_deref().map(str::parse::<Due>).transpose();
        let status = match args.status {
            None | Some(Which::Open) => Some(Status::Open),
            Some(Which::Done) => Some(Status::Done),
            Some(Which::All) => None,
        };
        Ok(Self {
            list: args.list.as_deref().map(|name| name.trim().to_lowercase()),
            tag: args.tag.as_deref().map(|tag| tag.trim().trim_start_matches('#').to_lowercase()),
            words: args
                .text
                .as_deref()
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_lowercase)
                .collect(),
            status,
            priority: args.priority,
            due_from: day(&args.due_from)?,
            due_to: day(&args.due_to)?,
            overdue_at: args.overdue.then_some(now),
        })
    }

    /// What a screen shows: to-dos, open or done, with all of these words, in this list, with this tag; empty for any.
    pub(crate) fn of_screen(text: &str, list: &str, tag: &str) -> Self {
        let some = |name: &str| (!name.is_empty()).then(|| name.to_lowercase());
        Self {
            list: some(list),
            tag: some(tag),
            words: text.split_whitespace().map(str::to_lowercase).collect(),
            ..Self::default()
        }
    }

    /// A page by due date from what is kept sorted: only what can be meant is looked at.
    fn sorted_page(
        &self,
        status: Status,
        after: Option<&Place>,
        limit: usize,
        index: &mut TodoIndex,
        rows: Rows<'_>,
    ) -> Page {
        let among = match (&self.list, &self.tag) {
            (Some(list), _) => index.in_list(list, rows),
            (None, Some(tag)) => index.with_tag(tag, rows),
            (None, None) => Some(index.by_due(rows)),
        };
        let Some(among) = among else { return Page { items: Vec::new(), total: 0, next_cursor: None } };
        let start = if status == Status::Done { DONE } else { 0 };
        let from = self.due_from.map_or(start, |from| start + day_key(from));
        let last_day =
            [self.due_to, self.overdue_at.map(Due::At)].into_iter().flatten().min_by_key(|due| due.date());
        let until = last_day.map_or(start + DONE, |last| start + day_key(last) + (1 << 11));
        let candidates = among.range(from, until);
        let is_narrow = self.priority.is_some()
            || (self.list.is_some() && self.tag.is_some())
            || self.due_from.is_some()
            || last_day.is_some()
            || !self.words.is_empty();
        let kept: Option<Vec<&Rc<Todo>>> = is_narrow.then(|| {
            candidates.iter().map(|(_, todo)| todo).filter(|todo| self.lets_through(todo)).collect()
        });
        let total = kept.as_ref().map_or(candidates.len(), Vec::len);
        let at = |place: usize| kept.as_ref().map_or_else(|| &candidates[place].1, |kept| kept[place]);
        let is_shown =
            |todo: &Todo, after: &Place| Place::of(todo, Sort::Due).compare(after) != Ordering::Greater;
        let first = match after {
            None => 0,
            Some(after) => match &kept {
                None => candidates.partition_point(|(_, todo)| is_shown(todo, after)),
                Some(kept) => kept.partition_point(|todo| is_shown(todo, after)),
            },
        };
        let end = total.min(first.saturating_add(limit));
        let items: Vec<Todo> = (first..end).map(|place| (**at(place)).clone()).collect();
        let next_cursor = match items.last() {
            Some(last) if end < total => Some(Place::of(last, Sort::Due).to_cursor(Sort::Due)),
            _ => None,
        };
        Page { items, total, next_cursor }
    }

    pub(crate) fn lets_through(&self, todo: &Todo) -> bool {
        let due_fits = |test: &dyn Fn(Due) -> bool| todo.due.is_some_and(test);
        self.status.is_none_or(|status| todo.status == status)
            && self.priority.is_none_or(|priority| todo.priority == priority)
            && self.list.as_ref().is_none_or(|list| todo.list.to_lowercase() == *list)
            && self.tag.as_ref().is_none_or(|tag| todo.tags.iter().any(|own| own.to_lowercase() == *tag))
            && self.due_from.is_none_or(|from| due_fits(&|due| !due.is_before(from)))
            && self.due_to.is_none_or(|to| due_fits(&|due| !to.is_before(due)))
            && self
                .overdue_at
                .is_none_or(|now| todo.status == Status::Open && due_fits(&|due| due.is_past(now)))
            && self.says_all_words(todo)
    }

    fn says_all_words(&self, todo: &Todo) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let text = [&todo.title, &todo.notes].into_iter().chain(&todo.tags);
        let text: Vec<String> = text.map(|part| part.to_lowercase()).collect();
        self.words.iter().all(|word| text.iter().any(|part| part.contains(word.as_str())))
    }
}

/// A to-do's place in an order: compared field by field, so that equal keys still have one order.
struct Place {
    rank: i64,
    key: String,
    order: f64,
    id: String,
}

/// After every date: what has none comes last.
const NO_DATE: &str = "~";

impl Place {
    fn of(todo: &Todo, sort: Sort) -> Self {
        let due = || todo.due.map_or_else(|| NO_DATE.to_owned(), |due| due.to_string());
        let (rank, key) = match sort {
            Sort::Due => (0, due()),
            Sort::Created => (0, newest_first(&todo.created)),
            Sort::Updated => (0, newest_first(&todo.updated)),
            Sort::Priority => (-(todo.priority as i64), due()),
            Sort::Title => (0, todo.title.to_lowercase()),
            Sort::Order => (0, String::new()),
        };
        Self { rank, key, order: todo.order, id: todo.id.clone() }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_rank = self.rank.cmp(&other.rank).then_with(|| self.key.cmp(&other.key));
        by_rank.then_with(|| self.order.total_cmp(&other.order)).then_with(|| self.id.cmp(&other.id))
    }

    /// The place as hexadecimal digits. The bits of `order` go over, so that they come back the same.
    fn to_cursor(&self, sort: Sort) -> String {
        let text =
            format!("{}\n{}\n{}\n{}\n{}", sort as u8, self.rank, self.order.to_bits(), self.id, self.key);
        text.bytes().map(|byte| format!("{byte:02x}")).collect()
    }

    fn from_cursor(cursor: &str, sort: Sort) -> Result<Self, String> {
        let mut bytes = Vec::new();
        for pair in cursor.as_bytes().chunks(2) {
            let byte = std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
            bytes.push(byte.ok_or_else(bad_cursor)?);
        }
        let text = String::from_utf8(bytes).map_err(|_not_text| bad_cursor())?;
        let mut parts = text.splitn(5, '\n');
        let mut part = || parts.next().ok_or_else(bad_cursor);
        if part()? != (sort as u8).to_string() {
            return Err(bad_cursor());
        }
        Ok(Self {
            rank: part()?.parse().map_err(|_no_number| bad_cursor())?,
            order: f64::from_bits(part()?.parse().map_err(|_no_number| bad_cursor())?),
            id: part()?.to_owned(),
            key: part()?.to_owned(),
        })
    }
}

fn bad_cursor() -> String {
    "The cursor is not from a list with this order. Call todo_list without `cursor` to start over.".into()
}

/// Turns the digits of a timestamp around, so that later ones come first.
fn newest_first(timestamp: &str) -> String {
    let turn = |letter: char| {
        letter.to_digit(10).and_then(|digit| char::from_digit(9 - digit, 10)).unwrap_or(letter)
    };
    timestamp.chars().map(turn).collect()
}

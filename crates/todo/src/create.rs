//! `todo_create`: adds one to-do, or many at once.

use async_trait::async_trait;
use dates::due::Due;
use dates::remind::Remind;
use dates::rule::Rule;
use domain::utc_text;
use litemap::LiteMap;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Changes, Changing, quoted, some_todos};
use crate::model::{INBOX, Priority, Status, Todo};
use crate::target::{MAX_PER_CALL, existing};
use crate::text;
use crate::when::civil_now;

pub(crate) struct TodoCreate;

/// One to-do in the arguments themselves, or many in `items`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// What there is to do, in one line. Leave out when `items` is given.
    title: Option<String>,
    /// More about it.
    notes: Option<String>,
    /// A day like 2026-11-22, or a time where the person is like 2026-11-22T15:00.
    due: Option<String>,
    /// How much it matters.
    priority: Option<Priority>,
    /// Single words, without #.
    tags: Option<Vec<String>>,
    /// The list it goes to; Inbox when left out.
    list: Option<String>,
    /// The id of the to-do it is a part of.
    parent: Option<String>,
    /// An RFC 5545 rule like FREQ=WEEKLY;BYDAY=TU. Without a due date it starts on the next day that fits.
    repeat: Option<String>,
    /// When to remind: a time like 2026-11-22T15:00, or before it is due: -PT30M, PT0S.
    remind: Option<String>,
    /// Several to-dos at once, 1 to 100, instead of the other fields.
    // They are read as what they stand in: one reader is in the worker, and not two.
    #[schemars(length(min = 1, max = 100), with = "Option<Vec<NewTodo>>")]
    items: Option<Vec<Args>>,
}

/// One to-do to add.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "what the schema says of an item")]
struct NewTodo {
    /// What there is to do, in one line.
    title: String,
    /// More about it.
    notes: Option<String>,
    /// A day or a time, as above.
    due: Option<String>,
    /// How much it matters.
    priority: Option<Priority>,
    /// Single words, without #.
    tags: Option<Vec<String>>,
    /// The list it goes to; Inbox when left out.
    list: Option<String>,
    /// The id of the to-do it is a part of.
    parent: Option<String>,
    /// An RFC 5545 rule, as above.
    repeat: Option<String>,
    /// When to remind, as above.
    remind: Option<String>,
}

impl Args {
    /// Each to-do by itself.
    fn items(mut self) -> Result<Vec<Self>, String> {
        match (&self.title, self.items.take()) {
            (Some(_), Some(items)) if !items.is_empty() => {
                Err("Give either one to-do by `title` or several in `items`, not both.".into())
            }
            (Some(_), _) => Ok(vec![self]),
            (None, Some(items)) if items.len() > MAX_PER_CALL => Err(format!(
                "These are {} to-dos; one call takes at most {MAX_PER_CALL}. Make several calls.",
                items.len()
            )),
            (None, Some(items)) if !items.is_empty() => {
                // Fields beside `items` would be lost without a word.
                let Self { notes, due, priority, tags, list, parent, repeat, remind, .. } = self;
                let beside = notes.or(due).or(list).or(parent).or(repeat).or(remind).is_some()
                    || priority.is_some()
                    || tags.is_some();
                if beside {
                    Err("With `items`, put every other field into the items.".into())
                } else {
                    Ok(items)
                }
            }
            (None, _) => Err("Say what to add: give `title`, or several to-dos in `items`.".into()),
        }
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for TodoCreate {
    const NAME: &'static str = "todo_create";
    const TITLE: &'static str = "Add to-dos";
    const DESCRIPTION: &'static str = "Adds a to-do, or several at once with `items`. Give only what the person said; \
         dates are theirs, in their time zone. To change an existing to-do use todo_update.";
    const HINTS: Hints = Hints::ADD;
    type Args = Args;
    type Output = Changes;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Changes, ToolError> {
        let items = args.items().map_err(ToolError::Rejected)?;
        let many = items.len() > 1;
        let mut known = Known::new(stage);
        let mut changing = Changing::new(stage);
        for (place, item) in items.into_iter().enumerate() {
            let todo = known.make(item, changing.stage).map_err(|error| match error {
                ToolError::Rejected(why) if many => ToolError::Rejected(format!("items[{place}]: {why}")),
                error => error,
            })?;
            changing.add(todo);
        }
        let added = changing.changes().iter().filter_map(|change| change.after.as_ref());
        let summary = match added.clone().collect::<Vec<_>>().as_slice() {
            [Todo { title, due: Some(due), .. }] => format!("Added {}, due {due}.", quoted(title)),
            _ => format!("Added {}.", some_todos(added.map(|todo| todo.title.as_str()))),
        };
        Ok(changing.done(summary))
    }
}

/// What is known about the to-dos that are there already, read once for a whole call.
struct Known {
    last_order: f64,
    lists: Lists,
}

impl Known {
    fn new(stage: &Stage) -> Self {
        let known = stage.snapshot::<Todo, _>(|index, rows, on_their_way| {
            let last_order = index.last_order(rows);
            let last_order = on_their_way.iter().map(|todo| todo.order).fold(last_order, f64::max);
            let lists = index.list_names(rows).chain(on_their_way.iter().map(|todo| todo.list.as_str()));
            (last_order, Lists::of(lists))
        });
        let (last_order, lists) = known.unwrap_or_else(|| {
            let todos = stage.all::<Todo>();
            let last_order = todos.iter().map(|todo| todo.order).fold(0.0, f64::max);
            (last_order, Lists::of(todos.iter().map(|todo| todo.list.as_str())))
        });
        Self { last_order: last_order.floor(), lists }
    }

    fn make(&mut self, item: Args, stage: &Stage) -> Result<Todo, ToolError> {
        let Args { title, notes, due, priority, tags, list, parent, repeat, remind, items } = item;
        let moment = stage.moment();
        let Some(title) = title.filter(|_| items.is_none()) else {
            return Err(ToolError::Rejected("Give it a `title`, and no `items` of its own.".into()));
        };
        let title = text::title(&title).map_err(ToolError::Rejected)?;
        let notes = text::notes(&notes.unwrap_or_default()).map_err(ToolError::Rejected)?;
        let tags = text::tags(&tags.unwrap_or_default()).map_err(ToolError::Rejected)?;
        let list = self.lists.known(list.as_deref()).map_err(ToolError::Rejected)?;
        if let Some(parent) = &parent {
            existing(stage, parent)?;
        }
        let due = due.map(|due| due.parse::<Due>()).transpose().map_err(ToolError::Rejected)?;
        let repeat = repeat.map(|rule| rule.parse::<Rule>()).transpose().map_err(ToolError::Rejected)?;
        let due = starting(due, repeat.as_ref(), stage)?;
        let remind =
            remind.map(|remind| remind.parse::<Remind>()).transpose().map_err(ToolError::Rejected)?;
        let remind = before_due(remind, due)?;
        self.last_order += 1.0;
        Ok(Todo {
            id: stage.new_id("todo"),
            title,
            notes,
            status: Status::Open,
            zone: zone_of(due, stage),
            due,
            priority: priority.unwrap_or_default(),
            tags,
            list,
            parent,
            repeat,
            remind,
            order: self.last_order,
            created: utc_text(moment.at_ms),
            updated: utc_text(moment.at_ms),
            completed: None,
            imported: false,
            unknown: None,
        })
    }
}

/// The zone a due time was said in; a day has none.
pub(crate) fn zone_of(due: Option<Due>, stage: &Stage) -> Option<String> {
    match due {
        Some(Due::At(_)) => Some(stage.moment().zone.clone()),
        Some(Due::Day(_)) | None => None,
    }
}

/// A reminder as it was said, where there is what it is before.
pub(crate) fn before_due(remind: Option<Remind>, due: Option<Due>) -> Result<Option<Remind>, ToolError> {
    match (remind, due) {
        (Some(Remind::Before(_)), None) => {
            let why =
                "A reminder before it is due needs `due`; or give the reminder a time like 2026-11-22T15:00.";
            Err(ToolError::Rejected(why.to_owned()))
        }
        (remind, _) => Ok(remind),
    }
}

/// The due of a to-do with this rule: its own, else the first day from today that the rule falls on.
pub(crate) fn starting(
    due: Option<Due>,
    repeat: Option<&Rule>,
    stage: &Stage,
) -> Result<Option<Due>, ToolError> {
    let Some(repeat) = repeat else { return Ok(due) };
    let today = civil_now(stage.moment()).date();
    let first = match due {
        Some(due) => repeat.date_after(due.date()).map(|_| due),
        None => repeat.first(today).map(Due::Day),
    };
    first.map(Some).ok_or_else(|| {
        ToolError::Rejected(format!("The rule {repeat} never comes to a date; give one that does, or none."))
    })
}

/// Lists by name whatever its case, so that `groceries` goes where `Groceries` is.
pub(crate) struct Lists {
    by_lower: LiteMap<String, String>,
}

impl Lists {
    pub fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut by_lower = LiteMap::new();
        by_lower.insert(INBOX.to_lowercase(), INBOX.to_owned());
        for name in names {
            by_lower.entry(name.to_lowercase()).or_insert_with(|| name.to_owned());
        }
        Self { by_lower }
    }

    /// The list of this name as it is written already; a new one is written as said from now on.
    pub fn known(&mut self, name: Option<&str>) -> Result<String, String> {
        let Some(name) = name else { return Ok(INBOX.to_owned()) };
        let name = text::list_name(name)?;
        Ok(self.by_lower.entry(name.to_lowercase()).or_insert(name).clone())
    }
}

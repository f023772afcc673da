//! `todo_update`: changes fields of to-dos.

use std::rc::Rc;

use async_trait::async_trait;
use dates::due::Due;
use dates::remind::Remind;
use dates::rule::Rule;
use domain::Patch;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use store::Stage;

use crate::change::{Changes, Changing, TodoChange, quoted, some_todos};
use crate::create::{Lists, before_due, starting, zone_of};
use crate::family::is_within;
use crate::model::{Priority, Todo};
use crate::place;
use crate::target::{existing, targets};
use crate::text;

pub(crate) struct TodoUpdate;

/// Which ones, and only the fields that change.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The to-do's id.
    id: Option<String>,
    /// Several ids instead, at most 100.
    ids: Option<Vec<String>>,
    /// A new title; only for a single to-do.
    title: Option<String>,
    /// New notes; "" clears them.
    notes: Option<String>,
    /// A day like 2026-11-22 or a time like 2026-11-22T15:00; null clears it, and the repeat rule with it.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    due: Patch<String>,
    /// How much it matters.
    priority: Option<Priority>,
    /// All tags, in place of those it has; [] clears them.
    tags: Option<Vec<String>>,
    /// Tags to add to those it has.
    add_tags: Option<Vec<String>>,
    /// Tags to take away.
    remove_tags: Option<Vec<String>>,
    /// The list to move it to.
    list: Option<String>,
    /// The id of the to-do it becomes a part of; null makes it stand alone.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    parent: Patch<String>,
    /// An RFC 5545 rule like FREQ=WEEKLY;BYDAY=TU; null ends the repeating.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    repeat: Patch<String>,
    /// When to remind: a time like 2026-11-22T15:00, or before it is due: -PT30M, PT0S; null for never.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    remind: Patch<String>,
    /// Its place among the others: between the numbers of its neighbours.
    order: Option<f64>,
    /// The id of the to-do it goes right behind; only for a single to-do, and among those of the same date and priority.
    after: Option<String>,
}

#[async_trait(?Send)]
impl Tool<Stage> for TodoUpdate {
    const NAME: &'static str = "todo_update";
    const TITLE: &'static str = "Change to-dos";
    const DESCRIPTION: &'static str = "Changes to-dos: give the id and only the fields that change. To mark one as done use \
         todo_complete.";
    const HINTS: Hints = Hints::SET;
    type Args = Args;
    type Output = Changes;

    async fn run(&self, mut args: Args, stage: &mut Stage) -> Result<Changes, ToolError> {
        let named = targets(stage, args.id.take(), args.ids.take())?;
        let unsaid = args.repeat == Patch::Keep;
        let edit = Edit::new(args, &named, stage).map_err(ToolError::Rejected)?;
        let mut changing = Changing::new(stage);
        for todo in &named {
            let mut after = edit.apply(todo, changing.stage)?;
            if let Some(before) = &edit.after {
                after.order = place::behind(&mut changing, before, &after)?;
            }
            changing.replace(todo, after);
        }
        let changed: Vec<&Todo> =
            changing.changes().iter().filter_map(|change| change.after.as_ref()).collect();
        // What has no date any more repeats no more, which nobody said.
        let ends = |change: &&TodoChange| match (&change.before, &change.after) {
            (Some(before), Some(after)) => before.repeat.is_some() && after.repeat.is_none(),
            _ => false,
        };
        let ended = changing.changes().iter().filter(ends).count();
        let ended = match (ended, unsaid) {
            (0, _) | (_, false) => String::new(),
            (_, true) if changed.len() == 1 => " It repeats no more.".to_owned(),
            (ended, true) => format!(" {ended} of them repeat no more."),
        };
        let summary = match (changed.as_slice(), named.as_slice()) {
            ([], [todo]) => format!("{} was like that already.", quoted(&todo.title)),
            ([], _) => "They were like that already.".to_owned(),
            ([todo], [before]) if todo.title != before.title => {
                format!("Renamed {} to {}.", quoted(&before.title), quoted(&todo.title))
            }
            (changed, _) => {
                format!("Changed {}.", some_todos(changed.iter().map(|todo| todo.title.as_str())))
            }
        };
        Ok(changing.done(summary + &ended))
    }
}

/// Checked and parsed arguments.
struct Edit {
    title: Option<String>,
    notes: Option<String>,
    due: Patch<Due>,
    priority: Option<Priority>,
    tags: Option<Vec<String>>,
    add_tags: Vec<String>,
    remove_tags: Vec<String>,
    list: Option<String>,
    parent: Patch<String>,
    repeat: Patch<Rule>,
    remind: Patch<Remind>,
    order: Option<f64>,
    after: Option<String>,
}

impl Edit {
    fn new(args: Args, named: &[Rc<Todo>], stage: &Stage) -> Result<Self, String> {
        if args.title.is_some() && named.len() > 1 {
            return Err("A title goes to a single to-do: give one `id`.".into());
        }
        if args.after.is_some() && (named.len() > 1 || args.order.is_some()) {
            return Err("One to-do goes behind another: give one `id`, and no `order`.".into());
        }
        let list = match args.list {
            None => None,
            Some(name) => {
                let known = stage.index::<Todo, _>(|index, rows| Lists::of(index.list_names(rows)));
                let mut lists = known
                    .unwrap_or_else(|| Lists::of(stage.all::<Todo>().iter().map(|todo| todo.list.as_str())));
                let known = lists.known(Some(&name))?;
                // Those that are in it have it spelt anew, so that a list gets its capitals.
                Some(if named.iter().all(|todo| todo.list == known) {
                    text::list_name(&name)?
                } else {
                    known
                })
            }
        };
        Ok(Self {
            title: args.title.as_deref().map(text::title).transpose()?,
            notes: args.notes.as_deref().map(text::notes).transpose()?,
            due: parsed(args.due)?,
            priority: args.priority,
            tags: args.tags.as_deref().map(text::tags).transpose()?,
            add_tags: text::tags(&args.add_tags.unwrap_or_default())?,
            remove_tags: text::tags(&args.remove_tags.unwrap_or_default())?,
            list,
            parent: args.parent,
            repeat: parsed(args.repeat)?,
            remind: parsed(args.remind)?,
            order: args.order,
            after: args.after,
        })
    }

    fn apply(&self, todo: &Todo, stage: &Stage) -> Result<Todo, ToolError> {
        let repeat = match &self.repeat {
            Patch::Set(rule) => Some(rule.clone()),
            Patch::Clear => None,
            // What has no date cannot come back.
            Patch::Keep if self.due == Patch::Clear => None,
            Patch::Keep => todo.repeat.clone(),
        };
        let (due, zone) = match self.due {
            Patch::Set(due) => (Some(due), zone_of(Some(due), stage)),
            Patch::Clear => (None, None),
            Patch::Keep => (todo.due, todo.zone.clone()),
        };
        let due = starting(due, repeat.as_ref(), stage)?;
        let remind = match self.remind {
            Patch::Set(remind) => Some(remind),
            Patch::Clear => None,
            // What is not due any more has nothing before it.
            Patch::Keep => todo.remind.filter(|remind| due.is_some() || matches!(remind, Remind::At(_))),
        };
        let remind = before_due(remind, due)?;
        let mut tags = self.tags.clone().unwrap_or_else(|| todo.tags.clone());
        // A tag that is taken off and added in one call is there as it was added: so it gets capitals.
        tags.retain(|tag| !text::contains(&self.remove_tags, tag));
        tags.extend(self.add_tags.iter().cloned());
        let tags = text::tags(&tags).map_err(ToolError::Rejected)?;
        let parent = match &self.parent {
            Patch::Set(parent) => Some(self.parent_of(todo, parent, stage)?),
            Patch::Clear => None,
            Patch::Keep => todo.parent.clone(),
        };
        Ok(Todo {
            title: self.title.clone().unwrap_or_else(|| todo.title.clone()),
            notes: self.notes.clone().unwrap_or_else(|| todo.notes.clone()),
            due,
            zone,
            priority: self.priority.unwrap_or(todo.priority),
            tags,
            list: self.list.clone().unwrap_or_else(|| todo.list.clone()),
            parent,
            repeat,
            remind,
            order: self.order.unwrap_or(todo.order),
            ..todo.clone()
        })
    }

    /// The new parent, if that makes no circle. Parents that were staged by this call count.
    fn parent_of(&self, todo: &Todo, parent: &str, stage: &Stage) -> Result<String, ToolError> {
        existing(stage, parent)?;
        if is_within(stage, parent, &todo.id) {
            let why = format!("{} cannot become a part of itself or of its own parts.", quoted(&todo.title));
            return Err(ToolError::Rejected(why));
        }
        Ok(parent.to_owned())
    }
}

fn parsed<T: std::str::FromStr<Err = String>>(patch: Patch<String>) -> Result<Patch<T>, String> {
    Ok(match patch {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(text) => Patch::Set(text.parse()?),
    })
}

//! To-dos as a domain of the tool server.

use domain::{ContextBlock, Domain, DomainChange, Files, Prompts, Resources, changes_in};
use mcp::{Registry, ToolError};
use serde::Deserialize;
use store::{Op, Schema, Stage, View};

use crate::model::{Status, Todo};
use crate::prompts::TodoPrompts;
use crate::resources::TodoResources;
use crate::transfer::TodoFiles;
use crate::{Page, family};

/// The word for this domain in tagged changes.
pub(crate) const ID: &str = "todo";

/// The most open to-dos that a model is told about at the start of a run.
const MOST_TOLD: usize = 50;

/// The to-do assistant.
pub struct Todos;

impl Domain for Todos {
    fn id(&self) -> &'static str {
        ID
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("to-do", "to-dos")
    }

    fn schema(&self, schema: Schema) -> Schema {
        schema.table::<Todo>()
    }

    fn tools(&self) -> Registry<Stage> {
        crate::tools()
    }

    fn instructions(&self) -> &'static str {
        "To-dos: find their ids with todo_list."
    }

    fn changes(&self, ops: &[&Op]) -> Result<Vec<DomainChange>, ToolError> {
        #[derive(Deserialize)]
        struct Placed {
            #[serde(default)]
            order: f64,
        }
        let changes = changes_in(ID, &self.schema(Schema::new()), ops)?;
        // Read once for each row, and not at each comparison.
        let placed = changes.into_iter().map(|change| {
            let row = change.after.as_ref().or(change.before.as_ref());
            let place = row.and_then(|row| row.parse::<Placed>().ok()).map_or(0.0, |placed| placed.order);
            // As whole numbers they have an order.
            let bits = place.to_bits() as i64;
            (bits ^ ((bits >> 63) as u64 >> 1) as i64, change)
        });
        let mut placed: Vec<(i64, DomainChange)> = placed.collect();
        order::sort_by_key(&mut placed, |(place, _)| *place);
        Ok(placed.into_iter().map(|(_, change)| change).collect())
    }

    fn check(&self, stage: &mut Stage) -> Result<(), String> {
        family::check(stage)
    }

    fn mend(&self, stage: &mut Stage) -> Option<String> {
        match family::mend(stage) {
            0 => None,
            count => Some(family::stands_alone(count)),
        }
    }

    fn counts(&self, view: &View) -> Vec<(&'static str, usize)> {
        let todos = view.all::<Todo>();
        let open = todos.iter().filter(|todo| todo.status == Status::Open).count();
        vec![("todos", todos.len()), ("open", open), ("done", todos.len() - open)]
    }

    fn context(&self, view: &View) -> Vec<ContextBlock> {
        let open = Page::of_open(view.all::<Todo>());
        if open.items.is_empty() {
            return Vec::new();
        }
        let told = &open.items[..open.items.len().min(MOST_TOLD)];
        let mut lines: Vec<String> = told
            .iter()
            .map(|todo| match todo.due {
                Some(due) => format!("- {} (due {due})", todo.title),
                None => format!("- {}", todo.title),
            })
            .collect();
        let more = open.total - told.len();
        if more > 0 {
            lines.push(format!("- and {more} more"));
        }
        vec![ContextBlock {
            name: "open_todos",
            title: "Open to-dos",
            lead: "Open to-dos when this message was sent, in short (use the tools for more):",
            text: lines.join("\n"),
            outside: told.iter().any(|todo| todo.imported),
            stable: false,
        }]
    }

    fn resources(&self) -> Option<&dyn Resources> {
        Some(&TodoResources)
    }

    fn prompts(&self) -> Option<&dyn Prompts> {
        Some(&TodoPrompts)
    }

    fn files(&self) -> Option<&dyn Files> {
        Some(&TodoFiles)
    }
}

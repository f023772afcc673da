//! `data_window`: a stretch of the app's list by its place in it, for a screen that shows what is in view.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Stage;

use crate::index::{Key, SCREEN_DONE, SCREEN_NO_DATE, screen_day_after, screen_due};
use crate::list::Filter;
use crate::model::Todo;
use crate::when::{Due, civil_now};

/// The most rows of one answer.
const MAX_LIMIT: u32 = 500;

pub(crate) struct DataWindow;

/// Which stretch, and filters (all must hold).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// The place of the first row, from 0.
    from: usize,
    /// How many rows at most, 1 to 500.
    #[schemars(range(min = 1, max = 500))]
    limit: u32,
    /// Only in this list.
    list: Option<String>,
    /// Only with this tag.
    tag: Option<String>,
    /// Only with all of these words in title, notes or tags.
    text: Option<String>,
}

/// A stretch of the list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Window {
    /// The revision it shows.
    rev: u64,
    /// How many rows the list has.
    total: usize,
    /// How many rows each group has, in the order they stand.
    counts: Counts,
    /// The place of the first row.
    from: usize,
    #[schemars(with = "Vec<serde_json::Value>")]
    items: Vec<Todo>,
}

/// The groups in the order they stand.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
struct Counts {
    overdue: usize,
    today: usize,
    upcoming: usize,
    no_date: usize,
    done: usize,
}

impl Counts {
    /// From how many rows stand before a key.
    fn new(now: Due, total: usize, before: impl Fn(u64) -> usize) -> Self {
        let ends = [screen_due(now), screen_day_after(now), SCREEN_NO_DATE, SCREEN_DONE].map(before);
        Self {
            overdue: ends[0],
            today: ends[1] - ends[0],
            upcoming: ends[2] - ends[1],
            no_date: ends[3] - ends[2],
            done: total - ends[3],
        }
    }
}

#[async_trait(?Send)]
impl Tool<Stage> for DataWindow {
    const NAME: &'static str = "data_window";
    const TITLE: &'static str = "Read a stretch of the list";
    const DESCRIPTION: &'static str =
        "Gives the rows from a place on, as the app's list shows them, and how many there are.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = Args;
    type Output = Window;

    async fn run(&self, args: Args, stage: &mut Stage) -> Result<Window, ToolError> {
        let Args { from, limit, list, tag, text } = args;
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(ToolError::Rejected(format!("limit is {limit}; it may be 1 to {MAX_LIMIT}.")));
        }
        let is_filtered = list.is_some() || tag.is_some() || text.is_some();
        let filter = Filter::of_names(list.as_deref(), tag.as_deref(), text.as_deref());
        let now = Due::At(civil_now(stage.moment()));
        let rev = stage.rev();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let found = stage.index::<Todo, _>(|index, rows| {
            let screen = index.screen(rows);
            let rows = screen.rows();
            let kept: Vec<(Key, &Todo)> = if is_filtered {
                rows.iter()
                    .filter(|(_, todo)| filter.lets_through(todo))
                    .map(|(key, todo)| (*key, &**todo))
                    .collect()
            } else {
                Vec::new()
            };
            let (total, counts) = if is_filtered {
                let before = |key: u64| kept.partition_point(|(found, _)| found.0 < key);
                (kept.len(), Counts::new(now, kept.len(), before))
            } else {
                (rows.len(), Counts::new(now, rows.len(), |key| screen.place(key)))
            };
            let places = from.min(total)..from.saturating_add(limit).min(total);
            let items = places
                .map(|place| if is_filtered { kept[place].1.clone() } else { (*rows[place].1).clone() });
            Window { rev, total, counts, from, items: items.collect() }
        });
        // A stage that has just begun has no rows of its own.
        found.ok_or_else(|| ToolError::Failed("The list cannot be read.".into()))
    }
}

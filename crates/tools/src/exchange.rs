//! `data_export` and `data_import`: to-dos as files; the app's own format has the memories beside them. For the app's screens only.

use async_trait::async_trait;
use mcp::{Hints, Tool, ToolError};
use memory::Memory;
use memory::exchange::Intake;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Journal;
use todo::exchange::{ALTERED, Beside, Format, Imported, Mode, Origin, import};
use todo::{Todo, utc_text};

use crate::desk::Desk;

pub(crate) struct DataExport;
pub(crate) struct DataImport;

/// In which format.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportArgs {
    /// json, ics or csv.
    format: String,
}

/// A file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct File {
    format: &'static str,
    file_name: String,
    media_type: &'static str,
    text: String,
    /// How many to-dos it has.
    count: usize,
}

/// A file, and what becomes of what it does not have.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportArgs {
    /// json, ics or csv.
    format: String,
    /// The file's text.
    text: String,
    /// Whether to-dos that the file does not have stay (add) or go (replace).
    #[serde(default)]
    mode: Mode,
    /// The person says that the memories in it are their own words: they are not marked as coming from a file.
    #[serde(default)]
    own_memories: bool,
}

#[async_trait(?Send)]
impl<J: Journal> Tool<Desk<J>> for DataExport {
    const NAME: &'static str = "data_export";
    const TITLE: &'static str = "Export to-dos";
    const DESCRIPTION: &'static str = "Gives all to-dos as a file: json (lossless, and what is remembered with them), ics (iCalendar) or csv.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    type Args = ExportArgs;
    type Output = File;

    async fn run(&self, args: ExportArgs, cx: &mut Desk<J>) -> Result<File, ToolError> {
        let format = Format::parse(&args.format).map_err(ToolError::Rejected)?;
        let mut todos = cx.db.view().all::<Todo>();
        todos.sort_by(|one, other| one.order.total_cmp(&other.order).then_with(|| one.id.cmp(&other.id)));
        let todos: Vec<&Todo> = todos.iter().map(|todo| &**todo).collect();
        let memories = memory::exchange::rows(cx.db.view().all::<Memory>()).map_err(ToolError::Failed)?;
        let beside = [Beside { field: memory::exchange::FIELD, rows: memories }];
        let manifest = cx.db.manifest();
        let now = utc_text(cx.call.moment.at_ms);
        let day = now.split('T').next().unwrap_or_default();
        Ok(File {
            format: format.extension(),
            file_name: format!("satchel-{day}.{}", format.extension()),
            media_type: format.media_type(),
            count: todos.len(),
            text: format
                .write(
                    &todos,
                    &beside,
                    &Origin { rev: manifest.rev, epoch: manifest.epoch, now: now.clone() },
                )
                .map_err(ToolError::Failed)?,
        })
    }
}

#[async_trait(?Send)]
impl<J: Journal> Tool<Desk<J>> for DataImport {
    const NAME: &'static str = "data_import";
    const TITLE: &'static str = "Import to-dos";
    const DESCRIPTION: &'static str = "Takes to-dos, and from json what is remembered, over from a file, as one change. With mode replace, what is not in it is deleted.";
    const HINTS: Hints = Hints::DELETE;
    const APP_ONLY: bool = true;
    type Args = ImportArgs;
    type Output = Imported;

    async fn run(&self, args: ImportArgs, cx: &mut Desk<J>) -> Result<Imported, ToolError> {
        let format = Format::parse(&args.format).map_err(ToolError::Rejected)?;
        let mut stage = cx.db.stage(&cx.call);
        let mut imported = import(&mut stage, format, &args.text, args.mode)?;
        if format == Format::Json {
            let epoch = cx.db.manifest().epoch;
            let replace = args.mode == Mode::Replace;
            let intake = Intake { replace, epoch: &epoch, is_own: args.own_memories };
            let memories = memory::exchange::import(&mut stage, &args.text, &intake)?;
            if !memories.counts.is_empty() {
                imported.summary = match imported.total {
                    0 => format!("Imported memories: {}.", memories.counts),
                    _ => format!("{} Memories: {}.", imported.summary, memories.counts),
                };
                imported.notes.push(format!("Memories: {}.", memories.counts));
            }
            if memories.is_altered && !imported.notes.iter().any(|note| note == ALTERED) {
                imported.notes.push(ALTERED.into());
            }
            imported.total += memories.changes.len();
            for change in &memories.changes {
                let row =
                    serde_json::to_value(change).map_err(|error| ToolError::Failed(error.to_string()))?;
                imported.memories.push(row);
            }
        }
        cx.hand_in(stage)?;
        Ok(imported)
    }
}

//! `data_export` and `data_import`: everything as a file of the app's own format, or one domain in a format of its own. For the
//! app's screens only.

use async_trait::async_trait;
use domain::{
    DomainChange, Files, Format, Imported, Intake, Mode, Origin, Rejected, Rows, VERSION, utc_text,
};
use mcp::{Hints, Limits, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Journal, content_hash};

use crate::domains::{Guards, in_words_with};
use crate::journal_context::JournalContext;
use crate::parts::AllFiles;

/// The most bytes of a file: one of 100,000 to-dos has that many.
const MAX_FILE: usize = 64 * 1024 * 1024;

pub(crate) struct DataExport {
    pub files: AllFiles,
}

pub(crate) struct DataImport {
    pub files: AllFiles,
    pub guards: Guards,
}

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
    /// What it has, in words: `5 to-dos and 2 memories`.
    summary: String,
}

/// A file, and what becomes of what it does not have.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportArgs {
    /// json, ics or csv.
    format: String,
    /// The file's text.
    text: String,
    /// Whether what the file does not have stays (add) or goes (replace).
    #[serde(default)]
    mode: Mode,
    /// The person says that what is in it are their own words: it is not marked as coming from a file.
    #[serde(default, alias = "own_memories")]
    is_own: bool,
}

/// What an import does.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// One sentence for a person.
    summary: String,
    /// How many rows are added.
    new: usize,
    /// How many are changed.
    changed: usize,
    /// How many are there already, the same.
    unchanged: usize,
    /// How many are deleted because the file does not have them.
    removed: usize,
    /// What cannot be imported: the first 100.
    rejected: Vec<Rejected>,
    /// What a person should know, in sentences.
    notes: Vec<String>,
    /// How many rows change in all.
    total: usize,
    /// How many of them have words that may be somebody else's and are marked so.
    marked: usize,
    /// The first of them, of each domain.
    changes: Vec<DomainChange>,
}

/// Everything in the app's own format: an envelope, and a field of rows for each domain. What is read is what was written,
/// byte for byte.
fn envelope(domains: &[Rows], origin: &Origin) -> String {
    let mut head = json!({
        "satchel": VERSION,
        "rev": origin.rev,
        "epoch": origin.epoch,
        "exported": origin.now,
        "count": domains.iter().map(|domain| domain.rows.len()).sum::<usize>(),
    });
    for Rows { hash_field, rows, .. } in domains {
        head[hash_field] = content_hash(rows.join("\n").as_bytes()).into();
    }
    let mut text = head.to_string();
    text.pop();
    for Rows { field, rows, .. } in domains {
        text.push_str(&format!(",\"{field}\":["));
        for (place, row) in rows.iter().enumerate() {
            text.push_str(if place == 0 { "\n" } else { ",\n" });
            text.push_str(row);
        }
        text.push_str(if rows.is_empty() { "]" } else { "\n]" });
    }
    text.push_str("}\n");
    text
}

/// A domain's files, and its place among the domains.
type Placed = (usize, &'static dyn Files);

/// Those of the domains that are written to files of a format, and that format.
fn files_in(all: &AllFiles, format: &str) -> Result<(Format, Vec<Placed>), ToolError> {
    let files = all.iter().enumerate().filter_map(|(place, files)| Some((place, (*files)?)));
    let files: Vec<_> = files.collect();
    if format == Format::JSON.name {
        return Ok((Format::JSON, files));
    }
    let formats = || files.iter().flat_map(|(_, files)| files.formats());
    let known = formats().find(|known| known.name == format).copied();
    let Some(known) = known else {
        let names: Vec<&str> = formats().map(|known| known.name).collect();
        let why = match names.split_last() {
            None => "The format must be json.".to_owned(),
            Some((last, [])) => format!("The format must be json or {last}."),
            Some((last, names)) => format!("The format must be json, {} or {last}.", names.join(", ")),
        };
        return Err(ToolError::Rejected(why));
    };
    let knows = |(_, files): &(usize, &dyn Files)| files.formats().contains(&known);
    Ok((known, files.into_iter().filter(knows).take(1).collect()))
}

/// A domain's files, with all that writes and reads them.
async fn here(files: &'static dyn Files) -> Result<&'static dyn Files, ToolError> {
    match files.later() {
        Some(later) => later.await.map_err(|lost| ToolError::Failed(lost.to_string())),
        None => Ok(files),
    }
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataExport {
    const NAME: &'static str = "data_export";
    const TITLE: &'static str = "Export";
    const DESCRIPTION: &'static str = "Gives everything as a file: json (lossless), or one domain in a format of its own, such as ics (iCalendar) or csv.";
    const HINTS: Hints = Hints::READ;
    const APP_ONLY: bool = true;
    const LIMITS: Limits = Limits { is_task: true, ..Limits::DEFAULT };
    type Args = ExportArgs;
    type Output = File;

    async fn run(&self, args: ExportArgs, cx: &mut JournalContext<J>) -> Result<File, ToolError> {
        let domains = cx.domains.all;
        let (format, files) = files_in(&self.files, &args.format)?;
        let (view, manifest) = (cx.db.view(), cx.db.manifest());
        let now = utc_text(cx.call.moment.at_ms);
        let day = now.split('T').next().unwrap_or_default();
        let file_name = format!("satchel-{day}.{}", format.name);
        let origin = Origin {
            rev: manifest.rev,
            epoch: manifest.epoch,
            now: now.clone(),
            offset_s: cx.call.moment.offset_s,
        };
        let mut counts = vec![0; domains.len()];
        let mut all = Vec::new();
        for (place, files) in &files {
            // A file of one domain has all that its first count counts.
            counts[*place] = domains[*place].counts(&view).first().map_or(0, |(_, count)| *count);
            if format == Format::JSON {
                // Where there is nothing to write, nothing is fetched for it: that may need a network.
                let rows = match domains[*place].is_idle(&view) {
                    true => Vec::new(),
                    false => here(*files).await?.rows(&view)?,
                };
                all.push(Rows { field: files.field(), hash_field: files.hash_field(), rows });
            }
        }
        let text = match files.as_slice() {
            [(_, files)] if format != Format::JSON => files.write(&view, format.name, &origin)?,
            _ => envelope(&all, &origin),
        };
        let without =
            |at: usize| files.iter().find(|(place, _)| *place == at).map_or("", |(_, files)| files.without());
        let summary = in_words_with(domains, &counts, without);
        Ok(File { format: format.name, file_name, media_type: format.media_type, text, summary })
    }
}

#[async_trait(?Send)]
impl<J: Journal> Tool<JournalContext<J>> for DataImport {
    const NAME: &'static str = "data_import";
    const TITLE: &'static str = "Import";
    const DESCRIPTION: &'static str =
        "Takes over what a file has, as one change. With mode replace, what is not in it is deleted.";
    const HINTS: Hints = Hints::DELETE;
    const APP_ONLY: bool = true;
    const LIMITS: Limits = Limits { max_body_bytes: MAX_FILE, is_task: true };
    type Args = ImportArgs;
    type Output = Report;

    async fn run(&self, args: ImportArgs, cx: &mut JournalContext<J>) -> Result<Report, ToolError> {
        let (format, files) = files_in(&self.files, &args.format)?;
        let epoch = cx.db.manifest().epoch;
        let intake = Intake { format: format.name, mode: args.mode, epoch: &epoch, is_own: args.is_own };
        let mut stage = cx.db.stage(&cx.call);
        let mut report = Report {
            summary: String::new(),
            new: 0,
            changed: 0,
            unchanged: 0,
            removed: 0,
            rejected: Vec::new(),
            notes: Vec::new(),
            total: 0,
            marked: 0,
            changes: Vec::new(),
        };
        for (_, files) in files {
            // A file that does not speak of a domain leaves it as it is, and nothing is fetched to find that out.
            let is_meant = files.later().is_none() || args.text.contains(&format!("\"{}\"", files.field()));
            if is_meant {
                report.add(here(files).await?.import(&mut stage, &args.text, &intake)?);
            }
        }
        if report.summary.is_empty() {
            report.summary = "Imported nothing: everything in the file is here already.".to_owned();
        }
        cx.is_bulk = args.mode == Mode::Replace;
        cx.hand_in(stage, &self.guards)?;
        Ok(report)
    }
}

impl Report {
    fn add(&mut self, imported: Imported) {
        let Imported { said, new, changed, unchanged, removed, rejected, notes, total, marked, changes } =
            imported;
        if !said.is_empty() {
            self.summary = match self.summary.as_str() {
                "" => format!("Imported {said}."),
                before => {
                    let mut letters = said.chars();
                    let first: String =
                        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().collect();
                    format!("{before} {first}{}.", letters.as_str())
                }
            };
        }
        self.marked += marked;
        self.new += new;
        self.changed += changed;
        self.unchanged += unchanged;
        self.removed += removed;
        self.total += total;
        self.rejected.extend(rejected);
        self.changes.extend(changes);
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

//! The seam between the tool server and what it serves: a domain is what one assistant brings (to-dos, photos, trips).
//!
//! Start at [`Domain`]. A host hands the tool server its list of domains; the server names none of them. Everything that
//! is about the journal as a whole (undo, history, saved copies, preview, exactly-once) comes with the server, and a
//! domain gets it for nothing. What a domain may bring besides (resources, prompts, files) are traits of their own.
#![doc = include_str!("../README.md")]

mod bare;
mod change;
mod files;
pub mod from_a_file;
mod guard;
mod patch;
mod resources;
pub mod rows;

use dates::calendar::utc;
use dates::iso::day_text;
use mcp::{Registry, ToolError};
use schemars::JsonSchema;
use serde::Serialize;
use store::{Op, Schema, Stage, View};

pub use bare::{Apart, Bare, Later, LoadedContext};
pub use change::{Changes, DomainChange, changes_in};
pub use files::{
    ALTERED, Count, FileRows, Files, Format, Imported, Intake, LoadedFiles, Mode, Origin, Rejected, Rows,
    VERSION, in_words, refused_whole,
};
pub use from_a_file::FROM_A_FILE;
pub use guard::Guard;
pub use patch::Patch;
pub use resources::{Prompts, Resources};

/// What one assistant brings to the tool server.
pub trait Domain {
    /// A word that tells it from the others, for programs; it is in tagged changes and never changes.
    fn id(&self) -> &'static str;

    /// What one of its things is called, and several: `("to-do", "to-dos")`.
    fn noun(&self) -> (&'static str, &'static str);

    /// Its tables.
    fn schema(&self, schema: Schema) -> Schema;

    /// Its tools, in the order in which a model reads them. A tool reads and writes through the stage it is given.
    fn tools(&self) -> Registry<Stage>;

    /// A sentence or two for MCP's `instructions`: what it is, and how to begin.
    fn instructions(&self) -> &'static str;

    /// Its rows among staged or committed ops, as they were and as they are, in a person's order.
    ///
    /// # Errors
    /// [`ToolError::Failed`] for a row that cannot be read.
    fn changes(&self, ops: &[&Op]) -> Result<Vec<DomainChange>, ToolError> {
        changes_in(self.id(), &self.schema(Schema::new()), ops)
    }

    /// Looks at what a stage would do that came past its tools (an undo, a redo, a file): what holds over several rows is
    /// the domain's to say (ADR 0033).
    ///
    /// # Errors
    /// What would be wrong, in a sentence for a person.
    fn check(&self, _stage: &mut Stage) -> Result<(), String> {
        Ok(())
    }

    /// Puts right what [`Domain::check`] would refuse, for what has to come back whatever it is like: a saved copy. Says
    /// what it changed, in a sentence for a person; nothing when it changed nothing.
    fn mend(&self, _stage: &mut Stage) -> Option<String> {
        None
    }

    /// Takes out of an undo or a redo what neither has a say in (a switch that is the person's alone), so that the rest of it is
    /// done. Says so, in a sentence for a person; nothing where there was no such thing.
    fn hold_back(&self, _stage: &mut Stage) -> Option<String> {
        None
    }

    /// Whose words a row has that are not to be told now, in whatever the history, an undo or a saved copy says of it: `people on
    /// photos`. That there was a change of them is all that is said. None for a row that may be told. An op with neither row is
    /// one of which the id alone is known.
    fn untold(&self, _op: &Op, _view: &View) -> Option<&'static str> {
        None
    }

    /// Whether the rows of a table are what [`Domain::noun`] counts, and not what is kept of them besides.
    fn counts_as(&self, _table: &str) -> bool {
        true
    }

    /// How many rows there are, by words for programs: `[("todos", 12), ("open", 5)]`; the first is all of them.
    fn counts(&self, view: &View) -> Vec<(&'static str, usize)>;

    /// Whether there is nothing of it yet. Then a model is offered its first tool only, whose answer says how there comes to be
    /// something: a request carries no tools for things that the person does not have (ADR 0064).
    fn is_idle(&self, _view: &View) -> bool {
        false
    }

    /// Its tools whose changes say what a program found out by itself and nothing that a person did, or turn what no undo has a say
    /// in ([`Domain::hold_back`]): an undo passes over them
    /// ([`store::Db::with_upkeep_tools`]).
    fn upkeep(&self) -> &'static [&'static str] {
        &[]
    }

    /// Its tools before which no saved copy is taken, however many rows they change, beside those of [`Domain::upkeep`]: they
    /// add, or what they delete is to be gone for good.
    fn uncopied(&self) -> &'static [&'static str] {
        &[]
    }

    /// What a model is told of it at the start of each run, in short.
    fn context(&self, _view: &View) -> Vec<ContextBlock> {
        Vec::new()
    }

    /// What a conversation may be about (S4-02): its things that a person means by an id or a title. The one with the id, else what is
    /// called so, else what has the words in its title; none where nothing is, several where a person has to say which.
    fn subjects(&self, _view: &View, _named: &str) -> Vec<Subject> {
        Vec::new()
    }

    /// What a model is told of it in a conversation that is about one of its [`Domain::subjects`], given by its id.
    fn context_about(&self, view: &View, _subject: &str) -> Vec<ContextBlock> {
        self.context(view)
    }

    /// What of its answers goes up to whoever sent the message, beside the words of the model (S4-15).
    fn goes_up(&self) -> &'static [GoesUp] {
        &[]
    }

    /// What is said to a caller for whom this domain is switched off (`_meta["dev.satchel/without"]`): nothing of it is told
    /// and nothing changed. None for a domain that nobody can switch off.
    fn when_off(&self) -> Option<&'static str> {
        None
    }

    /// The same, where what tells it is in a part of the program that comes when it is wanted ([`Apart::TELLS`]): then
    /// [`Domain::context`] and [`Domain::context_about`] say nothing. None where all of it is here, or there is nothing to tell.
    fn context_later(&self, _view: &View, _subject: Option<&str>) -> Option<LoadedContext> {
        None
    }

    /// What it shows as MCP resources.
    fn resources(&self) -> Option<&dyn Resources> {
        None
    }

    /// What a person often asks of it, as MCP prompts.
    fn prompts(&self) -> Option<&dyn Prompts> {
        None
    }

    /// What of its rows a person can have erased for good, beyond undo ([`store::Db::erase`], ADR 0062).
    fn erasures(&self) -> &'static [Erasure] {
        &[]
    }

    /// How it is written to files and read from them.
    fn files(&self) -> Option<&dyn Files> {
        None
    }
}

/// Something that a person can have erased for good: out of the tables, and out of all that was kept of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// A word that tells it from the others, for programs: `people`. It never changes.
    pub id: &'static str,
    /// What a person calls it: "People and faces".
    pub title: &'static str,
    /// The tables whose rows it erases, all of them. What other tables hold stays, so a row elsewhere that is named by one of
    /// these is the domain's to bear.
    pub tables: &'static [&'static str],
}

/// A thing that a conversation is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Subject {
    /// Its table.
    pub table: &'static str,
    /// Names it in calls; never shown to a person.
    pub id: String,
    /// What a person calls it.
    pub title: String,
}

/// A field of a domain's answers that is told of all calls of a message together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoesUp {
    /// The field's name, in a tool's answer and in what is told of a message: `segmentsModified`.
    pub field: &'static str,
    /// What it says, for who reads the description of an interface.
    pub about: &'static str,
    /// The table whose rows' ids it lists; none for one that says whether anything of the domain changed. Answers that have no such field
    /// say it by the rows that changed (an undo has those of all domains).
    pub table: Option<&'static str>,
}

/// Something that a model is told at the start of a run. It is data: whoever puts it into a prompt fences it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContextBlock {
    /// The name of its fence: `open_todos`.
    pub name: &'static str,
    /// What a person calls it: "Open to-dos".
    pub title: &'static str,
    /// A sentence that leads to it, in the app's own words.
    pub lead: &'static str,
    /// What is told.
    pub text: String,
    /// Strangers may have written some of it (D-17).
    pub outside: bool,
    /// It changes seldom: it stands before everything else, where providers keep it.
    pub stable: bool,
}

/// A title in quotation marks, cut where a sentence could not bear it.
#[must_use]
pub fn quoted(title: &str) -> String {
    const MOST: usize = 80;
    if title.chars().count() <= MOST {
        return format!("“{title}”");
    }
    let start: String = title.chars().take(MOST).collect();
    format!("“{}…”", start.trim_end())
}

/// `1 to-do`, or `2 to-dos`.
#[must_use]
pub fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// A moment as rows and files keep it: `2026-11-21T10:00:00Z`. A clock outside of what a calendar holds is a broken one: it
/// shows 1970.
#[must_use]
pub fn utc_text(at_ms: i64) -> String {
    let time = utc(at_ms);
    format!("{}T{:02}:{:02}:{:02}Z", day_text(time.date()), time.hour(), time.minute(), time.second())
}

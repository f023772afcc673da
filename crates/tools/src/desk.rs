//! What the tools work on that look back or look at the whole: the database itself.
//!
//! The domains' tools see a stage and nothing else. These need the journal, the saved copies or the
//! report; they still write nothing themselves: what they stage, and the copy they make, is put away by the
//! server when the call is no preview.

use std::rc::Rc;

use litemap::LiteMap;
use mcp::ToolError;
use memory::Memory;
use store::{Call, Copied, Db, Journal, Op, Record, Stage, StoreError};

/// The names of the tools for people, by the names they are called by.
pub(crate) type Titles = Rc<LiteMap<String, String>>;

/// One call's place at the database.
pub(crate) struct Desk<J> {
    pub db: Rc<Db<J>>,
    pub call: Call,
    pub titles: Titles,
    /// Nothing of what is remembered about the person is told or touched.
    pub no_memory: bool,
    /// What is to be committed; nothing unless a tool hands something in.
    stage: Option<Stage>,
    /// A copy of the tables that is to be put aside.
    pub copied: Option<Copied>,
}

impl<J: Journal> Desk<J> {
    pub fn new(db: Rc<Db<J>>, call: Call, titles: Titles, no_memory: bool) -> Self {
        Self { db, call, titles, no_memory, stage: None, copied: None }
    }

    /// Takes a stage to be committed, once the domain has nothing against it: what was put together out of the journal, a
    /// copy or a file came past the domain's tools, which see to what holds over several rows.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] with what would be wrong.
    pub fn hand_in(&mut self, mut stage: Stage) -> Result<&Stage, ToolError> {
        todo::check(&mut stage).map_err(ToolError::Rejected)?;
        Ok(self.stage.insert(stage))
    }

    /// What was staged, and the copy that was made.
    pub fn leave(self) -> (Stage, Option<Copied>) {
        let Self { db, call, stage, copied, .. } = self;
        (stage.unwrap_or_else(|| db.stage(&call)), copied)
    }
}

/// To a model that is told nothing of what is remembered.
pub(crate) const MEMORY_IS_OFF: &str = "Remembering is switched off: nothing that is remembered is told or changed here. It is all \
     in the app, under Memory and in the history.";

/// Whether a row is something remembered.
pub(crate) fn is_memory(op: &Op) -> bool {
    op.table == Memory::TABLE
}

/// What the store cannot do is nothing that a model could put right.
pub(crate) fn failed(error: StoreError) -> ToolError {
    ToolError::Failed(error.to_string())
}

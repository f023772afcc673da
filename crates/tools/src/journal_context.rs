//! What the tools work on that look back or look at the whole: the database itself.
//!
//! The domains' tools see a stage and nothing else. These need the journal, the saved copies or the
//! report; they still write nothing themselves: what they stage, and the copy they make, is put away by the
//! server when the call is no preview.

use std::rc::Rc;

use litemap::LiteMap;
use mcp::ToolError;
use store::{Call, Copied, Db, Journal, Op, Stage, StoreError};

use crate::domains::{Assembled, Guards};

/// The names of the tools for people, by the names they are called by.
pub(crate) type Titles = Rc<LiteMap<String, String>>;

/// One call's place at the database.
pub(crate) struct JournalContext<J> {
    pub db: Rc<Db<J>>,
    pub domains: Rc<Assembled>,
    pub call: Call,
    pub titles: Titles,
    /// The domains that are switched off for the caller: nothing of them is told or touched.
    pub without: Vec<String>,
    /// What is to be committed; nothing unless a tool hands something in.
    stage: Option<Stage>,
    /// A copy of the tables that is to be put aside.
    pub copied: Option<Copied>,
    /// However few rows it changes, everything is copied before.
    pub is_bulk: bool,
}

/// What a tool of the whole journal leaves behind.
pub(crate) struct Left {
    pub stage: Stage,
    pub copied: Option<Copied>,
    pub is_bulk: bool,
}

impl<J: Journal> JournalContext<J> {
    pub fn new(
        db: Rc<Db<J>>,
        domains: Rc<Assembled>,
        call: Call,
        titles: Titles,
        without: Vec<String>,
    ) -> Self {
        Self { db, domains, call, titles, without, stage: None, copied: None, is_bulk: false }
    }

    /// Takes a stage to be committed, once the domains have nothing against it: what was put together out of the journal, a
    /// copy or a file came past their tools, which see to what holds over several rows.
    ///
    /// # Errors
    /// [`ToolError::Rejected`] with what would be wrong.
    pub fn hand_in(&mut self, mut stage: Stage, guards: &Guards) -> Result<&Stage, ToolError> {
        for guard in guards.of(self.domains.all) {
            guard.check(&mut stage).map_err(ToolError::Rejected)?;
        }
        Ok(self.stage.insert(stage))
    }

    /// What a person calls a tool, by the name it was called by.
    pub fn title<'a>(&'a self, tool: &'a str) -> &'a str {
        self.titles.get(tool).map_or(tool, String::as_str)
    }

    /// What was staged, and the copy that was made.
    pub fn leave(self) -> Left {
        let Self { db, call, stage, copied, is_bulk, .. } = self;
        Left { stage: stage.unwrap_or_else(|| db.stage(&call)), copied, is_bulk }
    }

    /// What is said where a row is of a domain that is switched off for the caller.
    pub fn when_off(&self, op: &Op) -> Option<&'static str> {
        self.table_when_off(&op.table)
    }

    /// The same of a table.
    pub fn table_when_off(&self, table: &str) -> Option<&'static str> {
        let domain = self.domains.of_table(table)?;
        domain.when_off().filter(|_| self.without.iter().any(|without| without == domain.id()))
    }

    /// Whether nothing is told of a row.
    pub fn is_hidden(&self, op: &Op) -> bool {
        self.when_off(op).is_some()
    }
}

/// What the store cannot do is nothing that a model could put right.
pub(crate) fn failed(error: StoreError) -> ToolError {
    ToolError::Failed(error.to_string())
}

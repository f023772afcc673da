//! A domain without what few calls ask for.

use mcp::{Registry, ToolError};
use store::{Op, Schema, Stage, View};

use crate::{ContextBlock, Domain, DomainChange, Erasure};

/// A domain as calls of its tools need it: without resources, prompts and files, which a program that is loaded often has in
/// a part of its own. Everything else is the domain's.
pub struct Bare<D>(pub D);

impl<D: Domain> Domain for Bare<D> {
    fn id(&self) -> &'static str {
        self.0.id()
    }

    fn noun(&self) -> (&'static str, &'static str) {
        self.0.noun()
    }

    fn schema(&self, schema: Schema) -> Schema {
        self.0.schema(schema)
    }

    fn tools(&self) -> Registry<Stage> {
        self.0.tools()
    }

    fn instructions(&self) -> &'static str {
        self.0.instructions()
    }

    fn changes(&self, ops: &[&Op]) -> Result<Vec<DomainChange>, ToolError> {
        self.0.changes(ops)
    }

    fn check(&self, stage: &mut Stage) -> Result<(), String> {
        self.0.check(stage)
    }

    fn mend(&self, stage: &mut Stage) -> Option<String> {
        self.0.mend(stage)
    }

    fn hold_back(&self, stage: &mut Stage) -> Option<String> {
        self.0.hold_back(stage)
    }

    fn untold(&self, op: &Op, view: &View) -> Option<&'static str> {
        self.0.untold(op, view)
    }

    fn counts_as(&self, table: &str) -> bool {
        self.0.counts_as(table)
    }

    fn counts(&self, view: &View) -> Vec<(&'static str, usize)> {
        self.0.counts(view)
    }

    fn context(&self, view: &View) -> Vec<ContextBlock> {
        self.0.context(view)
    }

    fn is_idle(&self, view: &View) -> bool {
        self.0.is_idle(view)
    }

    fn erasures(&self) -> &'static [Erasure] {
        self.0.erasures()
    }

    fn upkeep(&self) -> &'static [&'static str] {
        self.0.upkeep()
    }

    fn uncopied(&self) -> &'static [&'static str] {
        self.0.uncopied()
    }

    fn when_off(&self) -> Option<&'static str> {
        self.0.when_off()
    }
}

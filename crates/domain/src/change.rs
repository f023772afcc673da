//! One row before and after, tagged: nobody has to guess which table it is of.

use std::borrow::Cow;

use mcp::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Json, Op, Record, Schema};

/// One row before and after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DomainChange {
    /// Whose row it is: a domain's id.
    pub domain: Cow<'static, str>,
    /// Its table.
    pub table: String,
    /// Its id.
    pub id: String,
    /// What a person calls it.
    pub label: String,
    /// As it was; null when it is new.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub before: Option<Json>,
    /// As it is now; null when it was deleted.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub after: Option<Json>,
}

impl DomainChange {
    /// A row before and after; one of them is there.
    ///
    /// # Errors
    /// [`ToolError::Failed`] for a row that cannot be written as JSON.
    pub fn of<T: Record>(
        domain: &'static str,
        before: Option<&T>,
        after: Option<&T>,
    ) -> Result<Self, ToolError> {
        let row = after.or(before);
        let json = |row: Option<&T>| row.map(Json::of).transpose().map_err(ToolError::Failed);
        Ok(Self {
            domain: domain.into(),
            table: T::TABLE.to_owned(),
            id: row.map(|row| row.id().to_owned()).unwrap_or_default(),
            label: row.map(|row| row.label().to_owned()).unwrap_or_default(),
            before: json(before)?,
            after: json(after)?,
        })
    }
}

/// What a tool that writes answers, where it has nothing more to say: a sentence, and each row before and after.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Changes {
    /// One sentence for a person.
    pub summary: String,
    /// Every row that changed.
    pub changes: Vec<DomainChange>,
}

impl Changes {
    /// The answer of a tool that changed one row.
    ///
    /// # Errors
    /// [`ToolError::Failed`] for a row that cannot be written as JSON.
    pub fn of<T: Record>(
        domain: &'static str,
        summary: String,
        before: Option<&T>,
        after: Option<&T>,
    ) -> Result<Self, ToolError> {
        Ok(Self { summary, changes: vec![DomainChange::of(domain, before, after)?] })
    }
}

/// The rows of a schema's tables among some ops, as today's types write them.
///
/// # Errors
/// [`ToolError::Failed`] for a row that cannot be read.
pub fn changes_in(
    domain: &'static str,
    schema: &Schema,
    ops: &[&Op],
) -> Result<Vec<DomainChange>, ToolError> {
    let mut changes = Vec::new();
    for op in ops.iter().filter(|op| schema.has(&op.table)) {
        let read = |row: &Option<Json>| {
            let row = row.as_ref().map(|row| schema.read(&op.table, &op.id, row)).transpose();
            row.map_err(|why| ToolError::Failed(format!("A row of {} cannot be read: {why}", op.table)))
        };
        let (before, after) = (read(&op.before)?, read(&op.after)?);
        let label = after.as_ref().or(before.as_ref()).map(|row| row.label.clone()).unwrap_or_default();
        changes.push(DomainChange {
            domain: domain.into(),
            table: op.table.clone(),
            id: op.id.clone(),
            label,
            before: before.map(|row| row.json),
            after: after.map(|row| row.json),
        });
    }
    Ok(changes)
}

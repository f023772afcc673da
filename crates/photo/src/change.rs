//! What a tool that writes answers: a sentence, and the photos and albums before and after.

use domain::{Changes, DomainChange};
use mcp::ToolError;
use store::Stage;

use crate::ID;
use crate::model::{Album, Photo};

/// The most rows that an answer shows as they were and are. A change of thousands is in the journal; nobody reads it in a
/// conversation.
const SHOWN: usize = 50;

/// The answer of a tool whose change is staged.
///
/// # Errors
/// [`ToolError::Failed`] for a row that cannot be written as JSON.
pub(crate) fn changed(stage: &Stage, summary: String) -> Result<Changes, ToolError> {
    let photos = stage.changed::<Photo>();
    let mut changes = Vec::new();
    for change in stage.changed::<Album>() {
        changes.push(DomainChange::of(ID, change.before.as_deref(), change.after.as_deref())?);
    }
    for change in photos.iter().take(SHOWN.saturating_sub(changes.len())) {
        changes.push(DomainChange::of(ID, change.before.as_deref(), change.after.as_deref())?);
    }
    Ok(Changes { summary, changes })
}

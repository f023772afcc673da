//! Words for what data tells apart.

use super::{Format, MemoryLine, bytes};
use crate::i18n;

/// How much room is used.
#[must_use]
pub fn storage_used(used: Option<u64>, quota: Option<u64>) -> String {
    match (used, quota) {
        (Some(used), Some(quota)) => i18n::storage_used_of(&bytes(used), &bytes(quota)),
        (Some(used), None) => i18n::storage_used_only(&bytes(used)),
        (None, _) => i18n::storage_used_unknown().to_owned(),
    }
}

/// A format of files.
#[must_use]
pub fn format_name(format: Format) -> &'static str {
    match format {
        Format::Json => "JSON",
        Format::Ics => "iCalendar",
        Format::Csv => "CSV",
    }
}

/// A memory that a file brings, changes or takes away, whole.
#[must_use]
pub fn import_memory(line: &MemoryLine) -> String {
    let place = if line.is_first { "first" } else { "among" };
    match (&line.before, &line.after) {
        (None, Some(after)) => i18n::import_memory_new(after, place),
        (Some(before), Some(after)) if before == after => i18n::import_memory_otherwise(after, place),
        (Some(before), Some(after)) => i18n::import_memory_instead(before, after, place),
        (before, None) => i18n::import_memory_gone(before.as_deref().unwrap_or_default()),
    }
}

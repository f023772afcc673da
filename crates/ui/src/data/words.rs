//! Words for what data tells apart.

use super::{Format, MemoryLine, bytes};

/// How much room is used.
#[must_use]
pub fn storage_used(used: Option<u64>, quota: Option<u64>) -> String {
    match (used, quota) {
        (Some(used), Some(quota)) => {
            format!(
                "Uses {} of the {} this browser allows, the app itself included.",
                bytes(used),
                bytes(quota)
            )
        }
        (Some(used), None) => format!("Uses {}.", bytes(used)),
        (None, _) => "This browser does not say how much is used.".to_owned(),
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
    let first = if line.is_first { " (told first)" } else { "" };
    match (&line.before, &line.after) {
        (None, Some(after)) => format!("New: {after}{first}"),
        (Some(before), Some(after)) if before == after => format!("Otherwise than it was: {after}{first}"),
        (Some(before), Some(after)) => format!("Instead of “{before}”: {after}{first}"),
        (before, None) => format!("Forgotten: {}", before.as_deref().unwrap_or_default()),
    }
}

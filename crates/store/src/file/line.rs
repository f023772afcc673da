//! One line of a file: a JSON object with its checksum in front, so that a line that is not as it was
//! written is noticed.

use serde::{Deserialize, Serialize};

use crate::{StoreError, hash::checksum};

/// What every line begins with; sixteen hexadecimal digits follow. Inside a JSON string its quotes are
/// escaped, so it also tells where a line begins whose line break was lost.
pub(super) const BEGIN: &str = "{\"sum\":\"";
/// What stands between the digits and what they are the checksum of: the rest of the line.
const AFTER_SUM: &str = "\",";

/// Adds an object to a text, as a line.
pub(super) fn write(lines: &mut String, object: &impl Serialize) -> Result<(), StoreError> {
    let json = serde_json::to_string(object).map_err(|error| StoreError::Other(error.to_string()))?;
    // A row is kept in the words of whoever wrote it. A line break in JSON is never inside a string, and a space
    // means the same.
    let json = json.replace('\n', " ");
    let rest = json.get(1..).unwrap_or_default();
    lines.push_str(&format!("{BEGIN}{:016x}{AFTER_SUM}", checksum(rest.as_bytes())));
    lines.push_str(rest);
    lines.push('\n');
    Ok(())
}

/// Adds a line that says which entry was there and has nothing else of it: its checksum fits nothing.
pub(super) fn write_blank(lines: &mut String, object: &impl Serialize) -> Result<(), StoreError> {
    let json = serde_json::to_string(object).map_err(|error| StoreError::Other(error.to_string()))?;
    let rest = json.get(1..).unwrap_or_default();
    lines.push_str(&format!("{BEGIN}{:016x}{AFTER_SUM}{rest}\n", !checksum(rest.as_bytes())));
    Ok(())
}

/// Reads a line, given without its line break. `Err` says what is wrong with it.
pub(super) fn read<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    let text = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    let after_begin = text.strip_prefix(BEGIN).ok_or("it does not begin with a checksum")?;
    let (sum, rest) = after_begin.split_once(AFTER_SUM).ok_or("it ends inside its checksum")?;
    if sum != format!("{:016x}", checksum(rest.as_bytes())) {
        return Err("the checksum does not fit".to_owned());
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}

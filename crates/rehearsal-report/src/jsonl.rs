//! A file of outcomes, one as JSON on each line: written while a batch is played, and read back when it is played on.

use std::collections::BTreeMap;

use rehearsal::Outcome;

/// What a file of outcomes holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The outcomes, in the file's order.
    pub outcomes: Vec<Outcome>,
    /// A last line that was not written to its end. It is left out.
    pub torn: Option<TornLine>,
    /// How many bytes of the file are whole lines: cut to this length, it can be written on. 0 of an empty file.
    pub whole_bytes: usize,
}

/// A last line without its end: who wrote it was killed on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TornLine {
    /// Its number, from 1.
    pub line: usize,
    /// How many bytes of it there are.
    pub bytes: usize,
}

/// Why a file of outcomes cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A line that ends as it should is no outcome. Someone wrote into the file, or the file is another one.
    #[error("line {line} is not an outcome: {source}")]
    Broken {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A job stands there twice: two batches were written into one file, and counting both would count it double.
    #[error(
        "line {line} is the outcome of {job}, which line {first} is already: each job may stand there once"
    )]
    Twice {
        /// The number of its second line, from 1.
        line: usize,
        /// The number of its first line.
        first: usize,
        /// The job.
        job: String,
    },
}

/// A line of an outcome, with the line's end.
///
/// # Errors
///
/// When it cannot be JSON, which no outcome of ours is known to do.
pub fn line(outcome: &Outcome) -> Result<String, serde_json::Error> {
    serde_json::to_string(outcome).map(|line| line + "\n")
}

/// Reads lines back. Empty lines are passed over. The bytes may be no UTF-8 where a letter was torn.
///
/// A last line without an end is whole where it is an outcome, and torn where it is not. A number with a fraction may come back with
/// another last bit: `serde_json` reads those quickly rather than exactly.
///
/// # Errors
///
/// When a line is broken that is not the torn last one, or a job stands there twice.
pub fn read(bytes: impl AsRef<[u8]>) -> Result<Lines, ReadError> {
    let mut lines = Lines::default();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (place, bytes) in bytes.as_ref().split_inclusive(|byte| *byte == b'\n').enumerate() {
        let line = place + 1;
        if bytes.trim_ascii().is_empty() {
            lines.whole_bytes += bytes.len();
            continue;
        }
        let outcome: Outcome = match serde_json::from_slice(bytes) {
            Ok(outcome) => outcome,
            // Only the last line can have no end.
            Err(_) if !bytes.ends_with(b"\n") => {
                lines.torn = Some(TornLine { line, bytes: bytes.len() });
                break;
            }
            Err(source) => return Err(ReadError::Broken { line, source }),
        };
        if let Some(first) = seen.insert(outcome.job.clone(), line) {
            return Err(ReadError::Twice { line, first, job: outcome.job });
        }
        lines.outcomes.push(outcome);
        lines.whole_bytes += bytes.len();
    }
    Ok(lines)
}

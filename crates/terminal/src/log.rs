//! A conversation as a file of lines, an entry each: appended to and synced before anything is acted on (D-09).

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use agent::{Entry, Log, Spent};
use async_trait::async_trait;
use protocol::{Failure, FailureKind};
use thiserror::Error;

/// How the name of a conversation's file ends.
const ENDING: &str = ".jsonl";

/// Where one conversation is kept.
pub struct FileLog {
    path: PathBuf,
    id: String,
    /// None before the first entry: a chat in which nothing was said leaves no file.
    file: RefCell<Option<File>>,
}

/// What is known of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// When something was last said or done in it, in Unix milliseconds; none where nothing was.
    pub last_ms: Option<i64>,
    /// What it cost, in millionths of a US dollar.
    pub micro_usd: u64,
}

/// Why a conversation cannot be gone on with.
#[derive(Debug, Error)]
pub enum LogError {
    /// Another process has it.
    #[error("{path}: another terminal has it open")]
    InUse {
        /// The conversation's file.
        path: PathBuf,
    },
    /// A line of it is no entry, or is missing.
    #[error("{path}: line {line} is {what}")]
    Damaged {
        /// The conversation's file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with the line, to go after "is".
        what: String,
    },
    /// The system said no.
    #[error("{path}: {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

impl FileLog {
    /// A new conversation in this folder, or its last one with its entries. A line that a crash cut off is dropped:
    /// nothing was acted on before the whole line was there.
    ///
    /// # Errors
    /// When the folder cannot be read, when another process has the conversation, or when a line of it is damaged.
    pub fn open(folder: &Path, resume: bool) -> Result<(Self, Vec<Entry>), LogError> {
        let last = if resume { last_in(folder).map_err(at(folder))? } else { None };
        let Some(path) = last else {
            // Names in the order of time, so that the last one is the last.
            let id = format!("{:013}-{}", local::now_ms(), local::random());
            let path = folder.join(format!("{id}{ENDING}"));
            return Ok((Self { path, id, file: RefCell::default() }, Vec::new()));
        };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let id = name.trim_end_matches(ENDING).to_owned();
        let mut file = OpenOptions::new().read(true).write(true).open(&path).map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path }),
            Err(TryLockError::Error(error)) => return Err(LogError::Io { path, error }),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(at(&path))?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let damaged =
            |line: usize, what: String| LogError::Damaged { path: path.clone(), line: line + 1, what };
        let mut entries: Vec<Entry> = Vec::new();
        for (line, json) in text[..whole].split(|byte| *byte == b'\n').enumerate() {
            if json.is_empty() {
                continue;
            }
            let entry: Entry =
                serde_json::from_slice(json).map_err(|error| damaged(line, format!("damaged: {error}")))?;
            if entry.seq != entries.len() as u64 {
                return Err(damaged(entries.len(), "missing".to_owned()));
            }
            entries.push(entry);
        }
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(at(&path))?;
        Ok((Self { path, id, file: RefCell::new(Some(file)) }, entries))
    }

    /// What is known of the conversations in a folder, the first first, without opening them: whoever has one open is not disturbed. What
    /// cannot be read of one is passed over.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be read.
    pub fn all_in(folder: &Path) -> Result<Vec<Kept>, LogError> {
        let mut all = Vec::new();
        for path in logs_in(folder).map_err(at(folder))? {
            let text = fs::read(&path).map_err(at(&path))?;
            let mut kept = Kept { last_ms: None, micro_usd: 0 };
            for line in text.split_inclusive(|byte| *byte == b'\n') {
                let Ok(entry) = serde_json::from_slice::<Entry>(line) else { continue };
                kept.last_ms = Some(entry.at_ms);
                kept.micro_usd =
                    kept.micro_usd.saturating_add(Spent::of_entries(std::iter::once(&entry)).micro_usd);
            }
            all.push(kept);
        }
        Ok(all)
    }

    /// The conversation's id, which is the name of its file.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    fn write(&self, entry: &Entry) -> io::Result<()> {
        let mut slot = self.file.borrow_mut();
        let file = match &mut *slot {
            Some(file) => file,
            slot => {
                fs::create_dir_all(self.path.parent().unwrap_or(Path::new("")))?;
                let file = OpenOptions::new().append(true).create_new(true).open(&self.path)?;
                file.try_lock()?;
                slot.insert(file)
            }
        };
        let before = file.metadata()?.len();
        let line = format!("{}\n", serde_json::to_string(entry)?);
        if let Err(error) = file.write_all(line.as_bytes()).and_then(|()| file.sync_data()) {
            // It is offered again: no half of it may stand in front of it.
            file.set_len(before)?;
            file.seek(SeekFrom::End(0))?;
            return Err(error);
        }
        Ok(())
    }
}

/// What the system said, with the place it was about.
fn at(path: &Path) -> impl FnOnce(io::Error) -> LogError {
    let path = path.to_owned();
    |error| LogError::Io { path, error }
}

fn last_in(folder: &Path) -> io::Result<Option<PathBuf>> {
    Ok(logs_in(folder)?.pop())
}

/// The files of conversations in a folder, in the order of time.
fn logs_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let is_ours = |path: &PathBuf| path.to_str().is_some_and(|path| path.ends_with(ENDING));
    let mut paths: Vec<PathBuf> =
        listed.filter_map(|entry| Some(entry.ok()?.path())).filter(is_ours).collect();
    paths.sort();
    Ok(paths)
}

#[async_trait(?Send)]
impl Log for FileLog {
    async fn append(&self, _: &str, entry: &Entry) -> Result<(), Failure> {
        self.write(entry).map_err(|error| {
            let path = self.path.display();
            Failure::new(FailureKind::Validation, format!("{path} could not be written: {error}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use agent::{Context, EntryBody};
    use protocol::{RunId, StopReason, Usage};

    use super::*;

    fn entry(seq: u64, at_ms: i64, body: EntryBody) -> Entry {
        Entry { seq, at_ms, run_id: RunId("run_1".to_owned()), body }
    }

    /// Also while somebody has it open, and where a crash cut its last line off.
    #[tokio::test]
    async fn what_is_known_of_conversations_is_told_without_opening_them() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(FileLog::all_in(&folder.path().join("none")).unwrap(), []);
        let (log, _) = FileLog::open(folder.path(), false).unwrap();
        let user = EntryBody::User {
            text: "Go".to_owned(),
            images: Vec::new(),
            boundary: "b".to_owned(),
            context: Context::default(),
        };
        log.append("", &entry(0, 1_000, user)).await.unwrap();
        let response = EntryBody::Response {
            step: 1,
            model: "m".to_owned(),
            routed: None,
            text: "Well.".to_owned(),
            thought: String::new(),
            calls: Vec::new(),
            usage: Usage { cost_micro_usd: Some(700), ..Usage::default() },
            stop: StopReason::Stop,
            started_ms: 1,
            span_id: "s".to_owned(),
            sent: None,
            confidence: None,
            retries: Vec::new(),
        };
        log.append("", &entry(1, 2_000, response)).await.unwrap();
        let known = [Kept { last_ms: Some(2_000), micro_usd: 700 }];
        assert_eq!(FileLog::all_in(folder.path()).unwrap(), known);
        let path = folder.path().join(format!("{}{ENDING}", log.id()));
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"seq\":2,\"at_ms\":3000,");
        fs::write(&path, text).unwrap();
        assert_eq!(FileLog::all_in(folder.path()).unwrap(), known);
    }
}

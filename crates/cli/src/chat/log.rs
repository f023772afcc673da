//! A conversation as a file of lines, an entry each: appended to and synced before anything is acted on (D-09).

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use agent::{Entry, Log};
use anyhow::{Context, bail};
use async_trait::async_trait;
use protocol::{Failure, FailureKind};

/// How the name of a conversation's file ends.
const ENDING: &str = ".jsonl";

/// Where one conversation is kept.
pub struct FileLog {
    path: PathBuf,
    id: String,
    /// None before the first entry: a chat in which nothing was said leaves no file.
    file: RefCell<Option<File>>,
}

impl FileLog {
    /// A new conversation in this folder, or its last one with its entries. A line that a crash cut off is dropped:
    /// nothing was acted on before the whole line was there.
    ///
    /// # Errors
    /// When the folder cannot be read, when another terminal has the conversation, or when a line of it is damaged.
    pub fn open(folder: &Path, resume: bool) -> anyhow::Result<(Self, Vec<Entry>)> {
        let last = if resume { last_in(folder)? } else { None };
        let Some(path) = last else {
            // Names in the order of time, so that the last one is the last.
            let id = format!("{:013}-{}", local::now_ms(), local::random());
            let path = folder.join(format!("{id}{ENDING}"));
            return Ok((Self { path, id, file: RefCell::default() }, Vec::new()));
        };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let id = name.trim_end_matches(ENDING).to_owned();
        let said = || format!("cannot go on with {}", path.display());
        let mut file = OpenOptions::new().read(true).write(true).open(&path).with_context(said)?;
        lock(&file).with_context(said)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).with_context(said)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let mut entries: Vec<Entry> = Vec::new();
        for (at, line) in text[..whole].split(|byte| *byte == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let entry: Entry = serde_json::from_slice(line)
                .with_context(|| format!("line {} is damaged", at + 1))
                .with_context(said)?;
            if entry.seq != entries.len() as u64 {
                bail!("{}: line {} is missing", said(), entries.len() + 1);
            }
            entries.push(entry);
        }
        file.set_len(whole as u64).with_context(said)?;
        file.seek(SeekFrom::End(0)).with_context(said)?;
        Ok((Self { path, id, file: RefCell::new(Some(file)) }, entries))
    }

    /// The conversation's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    fn write(&self, entry: &Entry) -> anyhow::Result<()> {
        let mut slot = self.file.borrow_mut();
        let file = match &mut *slot {
            Some(file) => file,
            slot => {
                fs::create_dir_all(self.path.parent().unwrap_or(Path::new("")))?;
                let file = OpenOptions::new().append(true).create_new(true).open(&self.path)?;
                lock(&file)?;
                slot.insert(file)
            }
        };
        let before = file.metadata()?.len();
        let line = format!("{}\n", serde_json::to_string(entry)?);
        if let Err(error) = file.write_all(line.as_bytes()).and_then(|()| file.sync_data()) {
            // It is offered again: no half of it may stand in front of it.
            file.set_len(before)?;
            return Err(error.into());
        }
        Ok(())
    }
}

/// One terminal at a time.
fn lock(file: &File) -> anyhow::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => bail!("another terminal has it open"),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

fn last_in(folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", folder.display())),
    };
    let is_ours = |path: &PathBuf| path.to_str().is_some_and(|path| path.ends_with(ENDING));
    Ok(listed.filter_map(|entry| Some(entry.ok()?.path())).filter(is_ours).max())
}

#[async_trait(?Send)]
impl Log for FileLog {
    async fn append(&self, _: &str, entry: &Entry) -> Result<(), Failure> {
        self.write(entry).map_err(|error| {
            let path = self.path.display();
            Failure::new(FailureKind::Validation, format!("{path} could not be written: {error:#}"))
        })
    }
}

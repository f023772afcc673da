//! What each month has cost, in a file: its lock makes a count and the question whether it may grow one thing, whatever other
//! terminals do meanwhile.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use jiff::Zoned;
use llm::{Ledger, Reserved};
use protocol::{Failure, FailureKind};

/// The name of the file with the sums, in the folder that is given.
const NAME: &str = "spending.json";

/// The months in a folder, in millionths of a US dollar, by their names (`2026-11`).
pub struct Months(PathBuf);

impl Months {
    /// The months in this folder. Nothing is written before something is spent.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self(folder.join(NAME))
    }

    /// What this month has cost so far, what may yet come of open requests included; none where it cannot be read.
    #[must_use]
    pub fn spent(&self) -> Option<u64> {
        let read_file = || {
            let mut file = match OpenOptions::new().read(true).open(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
                opened => opened?,
            };
            file.lock_shared()?;
            let mut text = String::new();
            file.read_to_string(&mut text).map(|_bytes| text)
        };
        let text: io::Result<String> = read_file();
        text.ok().map(|text| read(&text).get(&this_month()).copied().unwrap_or_default())
    }

    /// Changes what a month has cost, alone.
    fn change(&self, month: &str, how: impl FnOnce(u64) -> Result<u64, Failure>) -> Result<(), Failure> {
        let failed = |error: io::Error| {
            let message = format!("{} could not be written: {error}", self.0.display());
            Failure::new(FailureKind::Validation, message)
        };
        let open = || {
            fs::create_dir_all(self.0.parent().unwrap_or(Path::new("")))?;
            let file =
                OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.0)?;
            file.lock()?;
            Ok(file)
        };
        let mut file = open().map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        // What is no count any more is no reason to stop for good.
        let mut months = read(&text);
        let next = how(months.get(month).copied().unwrap_or_default())?;
        months.insert(month.to_owned(), next);
        let text = serde_json::to_string(&months).map_err(|error| failed(error.into()))?;
        let mut write = || {
            // In this order, so that there is a count at any moment: who is ended in between leaves the end of the old one
            // behind the new one, which is not read.
            file.seek(SeekFrom::Start(0))?;
            file.write_all(text.as_bytes())?;
            file.set_len(text.len() as u64)?;
            file.sync_data()
        };
        write().map_err(failed)
    }
}

/// The name of this month where this machine is: `2026-11`.
#[must_use]
pub fn this_month() -> String {
    Zoned::now().strftime("%Y-%m").to_string()
}

/// The counts at the beginning of a text.
fn read(text: &str) -> BTreeMap<String, u64> {
    let first = serde_json::Deserializer::from_str(text).into_iter().next();
    first.and_then(Result::ok).unwrap_or_default()
}

#[async_trait(?Send)]
impl Ledger for Months {
    async fn reserve(
        &self,
        estimate_micro_usd: u64,
        allows: &dyn Fn(u64) -> Result<(), Failure>,
    ) -> Result<Reserved, Failure> {
        let month = this_month();
        self.change(&month, |spent| allows(spent).map(|()| spent.saturating_add(estimate_micro_usd)))?;
        Ok(Reserved { month, micro_usd: estimate_micro_usd })
    }

    fn settle(&self, reserved: Reserved, cost_micro_usd: u64) {
        let how = |spent: u64| Ok(spent.saturating_sub(reserved.micro_usd).saturating_add(cost_micro_usd));
        // The answer is there; a count that stays too high is no reason to lose it.
        drop(self.change(&reserved.month, how));
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn what_an_ended_program_left_behind_a_count_is_not_read() {
        let counts = |text| read(text).get("2026-11").copied();
        assert_eq!(counts(r#"{"2026-11":100}"#), Some(100));
        assert_eq!(counts(r#"{"2026-11":99}}"#), Some(99));
        assert_eq!(counts(r#"{"2026-11":7}99,"2026-12":4}"#), Some(7));
        assert_eq!(counts(""), None);
        assert_eq!(counts("no count"), None);
    }
}

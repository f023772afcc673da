//! The folder of a batch: what was asked for, what came of it, and who is at work in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use rehearsal::Verdict;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::messages::{ModelNames, Played, WebhookSetUp};

/// What was asked for.
const ASKED: &str = "job.json";

/// The outcomes, a line each.
pub const RESULTS: &str = "results.jsonl";

/// The spans, an export request of OTLP on a line for each conversation.
const TRACES: &str = "traces.jsonl";

/// The conversations as the app opens them.
const RUNS: &str = "runs";

/// Whoever is at work holds it.
const LOCK: &str = "lock";

/// How long results may wait until the disk has them for sure.
const SYNCED_WITHIN: Duration = Duration::from_secs(2);

/// What was asked for: a batch that is gone on with is the same one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The version of this file.
    pub version: u32,
    /// What tells its traces from those of other batches.
    pub batch: String,
    pub paths: Vec<PathBuf>,
    pub repeat: u32,
    pub models: ModelNames,
    pub config: PathBuf,
    pub webhook: Option<WebhookSetUp>,
    pub memory_mb: u64,
    pub grace_sec: f64,
    /// Where others play it; none where this machine does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<AskedQueue>,
    /// The hash of each file by its path.
    pub files: BTreeMap<String, String>,
}

/// The queue of a batch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskedQueue {
    /// The servers; none where a password was in the address, which is nobody's who reads the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<String>,
    pub name: String,
}

/// What is there already.
#[derive(Debug, Default)]
pub struct Done {
    pub jobs: BTreeSet<String>,
    pub verdicts: BTreeMap<(String, Verdict), u32>,
}

/// The folder of a batch that this process has for itself.
pub struct Folder {
    path: PathBuf,
    results: File,
    traces: File,
    is_synced: bool,
    synced: Instant,
    /// Open as long as this is: the system gives it back when this process ends, however it does.
    _lock: File,
}

/// A line of the results, as far as it is of interest here.
#[derive(Deserialize)]
struct Line {
    job: String,
    scenario: String,
    verdict: Verdict,
}

impl Folder {
    /// A new one.
    ///
    /// # Errors
    /// When results are there already, another process is at work there, or nothing can be written there.
    pub fn create(path: &Path, asked: &Asked) -> anyhow::Result<Self> {
        fs::create_dir_all(path.join(RUNS)).with_context(|| format!("cannot make {}", path.display()))?;
        let lock = locked(path)?;
        if path.join(ASKED).exists() || path.join(RESULTS).exists() {
            bail!(
                "{} holds a batch already: go on with it by --resume {}, or name another folder",
                path.display(),
                path.display()
            );
        }
        let text = serde_json::to_string_pretty(asked)?;
        let new = path.join("job.json.new");
        fs::write(&new, text).and_then(|()| fs::rename(&new, path.join(ASKED))).context("job.json")?;
        Self::open(path, lock)
    }

    /// One that is gone on with.
    ///
    /// # Errors
    /// When no batch is there, it is one that this version does not know, or another process is at work on it.
    pub fn resume(path: &Path) -> anyhow::Result<(Self, Asked, Done)> {
        let asked = path.join(ASKED);
        let text = fs::read_to_string(&asked)
            .with_context(|| format!("no batch to go on with: cannot read {}", asked.display()))?;
        let asked: Asked =
            serde_json::from_str(&text).with_context(|| format!("cannot read {}", asked.display()))?;
        if asked.version != 1 {
            bail!("{} is of another version of satchel", path.display());
        }
        let lock = locked(path)?;
        fs::create_dir_all(path.join(RUNS)).with_context(|| format!("cannot write {}", path.display()))?;
        let done = cut(&path.join(RESULTS))?;
        weed(&path.join(TRACES), &done.jobs)?;
        Ok((Self::open(path, lock)?, asked, done))
    }

    fn open(path: &Path, lock: File) -> anyhow::Result<Self> {
        let append = |name| {
            let file = File::options().create(true).append(true).open(path.join(name));
            file.with_context(|| format!("cannot write {}", path.join(name).display()))
        };
        Ok(Self {
            path: path.to_path_buf(),
            results: append(RESULTS)?,
            traces: append(TRACES)?,
            is_synced: true,
            synced: Instant::now(),
            _lock: lock,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps what came of a conversation. The line of the results is the last thing that is written: what is done is what has one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, played: &Played) -> anyhow::Result<()> {
        for (agent, file) in &played.run_files {
            let name = match played.run_files.len() {
                1 => format!("{}.run.json", file_name(&played.job)),
                _ => format!("{}.{}.run.json", file_name(&played.job), file_name(agent)),
            };
            let path = self.path.join(RUNS).join(name);
            fs::write(&path, file).with_context(|| format!("cannot write {}", path.display()))?;
        }
        if !played.trace.is_empty() {
            self.traces.write_all(format!("{}\n", played.trace).as_bytes()).context(TRACES)?;
        }
        self.results.write_all(format!("{}\n", played.outcome).as_bytes()).context(RESULTS)?;
        self.is_synced = false;
        if self.synced.elapsed() > SYNCED_WITHIN {
            self.sync()?;
        }
        Ok(())
    }

    /// Waits until the disk has all of it.
    ///
    /// # Errors
    /// When it has not.
    pub fn sync(&mut self) -> anyhow::Result<()> {
        if !self.is_synced {
            self.traces.sync_data().context(TRACES)?;
            self.results.sync_data().context(RESULTS)?;
            self.is_synced = true;
        }
        self.synced = Instant::now();
        Ok(())
    }

    /// Writes a file whole, in place of one that is there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let (new, path) = (self.path.join(format!("{name}.new")), self.path.join(name));
        fs::write(&new, text)
            .and_then(|()| fs::rename(&new, &path))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

fn locked(folder: &Path) -> anyhow::Result<File> {
    let path = folder.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!("another process is at work in {}: wait for it, or name another folder", folder.display())
        }
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

/// What the results hold. A last line that was not written to its end is cut off.
fn cut(path: &Path) -> anyhow::Result<Done> {
    let mut done = Done::default();
    if !path.exists() {
        return Ok(done);
    }
    let file = File::options().read(true).write(true).open(path).context(RESULTS)?;
    let mut reader = BufReader::new(file);
    let (mut whole, mut line, mut number) = (0, Vec::new(), 0);
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).context(RESULTS)?;
        number += 1;
        if length == 0 || !line.ends_with(b"\n") {
            break;
        }
        let Line { job, scenario, verdict } = serde_json::from_slice(&line)
            .with_context(|| format!("{}:{number}: this is no result", path.display()))?;
        if !done.jobs.insert(job.clone()) {
            bail!("{}:{number}: {job} has a result already", path.display());
        }
        *done.verdicts.entry((scenario, verdict)).or_default() += 1;
        whole += length as u64;
    }
    reader.into_inner().set_len(whole).context(RESULTS)?;
    Ok(done)
}

/// Keeps the traces of what is done alone: what was going on is played again, and traced again.
fn weed(path: &Path, done: &BTreeSet<String>) -> anyhow::Result<()> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Request {
        resource_spans: Vec<Spans>,
    }
    #[derive(Deserialize)]
    struct Spans {
        resource: Resource,
    }
    #[derive(Deserialize)]
    struct Resource {
        attributes: Vec<Attribute>,
    }
    #[derive(Deserialize)]
    struct Attribute {
        key: String,
        value: serde_json::Value,
    }
    let of = |line: &[u8]| {
        let request: Request = serde_json::from_slice(line).ok()?;
        let attributes = request.resource_spans.into_iter().flat_map(|spans| spans.resource.attributes);
        let mut jobs = attributes.filter(|attribute| attribute.key == "satchel.rehearsal.job");
        Some(jobs.next()?.value["stringValue"].as_str()?.to_owned())
    };
    if !path.exists() {
        return Ok(());
    }
    // Only the last few lines can be of what is not done, and each stands there once: most often nothing is to be written anew.
    let mut reader = BufReader::new(File::open(path).context(TRACES)?);
    let (mut line, mut seen, mut is_clean) = (Vec::new(), BTreeSet::new(), true);
    let new = path.with_extension("new");
    let mut kept = File::create(&new).context(TRACES)?;
    let mut buffer = Vec::new();
    while {
        line.clear();
        reader.read_until(b'\n', &mut line).context(TRACES)? > 0
    } {
        match of(&line).filter(|_| line.ends_with(b"\n")) {
            Some(job) if done.contains(&job) && seen.insert(job.clone()) => buffer.extend_from_slice(&line),
            _ => is_clean = false,
        }
        if buffer.len() > 1 << 20 {
            kept.write_all(&buffer).context(TRACES)?;
            buffer.clear();
        }
    }
    kept.write_all(&buffer).context(TRACES)?;
    drop(kept);
    if is_clean { fs::remove_file(&new) } else { fs::rename(&new, path) }.context(TRACES)
}

/// A name for a file: a scenario's name is data, and may be any text.
pub fn file_name(name: &str) -> String {
    const LONGEST: usize = 80;
    let is_plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
    let plain: String = name
        .chars()
        .map(|letter| {
            if is_plain(letter) {
                letter
            } else if letter == '#' {
                '.'
            } else {
                '_'
            }
        })
        .take(LONGEST)
        .collect();
    let (base, repeat) = name.rsplit_once('#').unwrap_or((name, ""));
    // What was changed is told apart by its hash, where names that differ would come to the same.
    let is_same = base.chars().all(is_plain) && repeat.chars().all(is_plain) && name.len() <= LONGEST;
    if is_same && !plain.starts_with('.') {
        return plain;
    }
    let hash: String = Sha256::digest(name).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{hash}", plain.trim_start_matches('.'))
}

/// The hash of a text.
pub fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_lead_nowhere_and_are_told_apart() {
        assert_eq!(file_name("groceries#1"), "groceries.1");
        for name in
            ["../../etc/passwd#1", "a b#1", "Ä#1", ".hidden#1", "a#b#1", &"x".repeat(300), "con:#1", ""]
        {
            let made = file_name(name);
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            assert!(
                made.chars().all(is_plain) && !made.starts_with('.') && made.len() < 100,
                "{name}: {made}"
            );
        }
        assert_ne!(file_name("A#1"), file_name("a#1"));
        assert_ne!(file_name("a b#1"), file_name("a_b#1"));
        assert_ne!(file_name(&format!("{}1", "x".repeat(90))), file_name(&format!("{}2", "x".repeat(90))));
    }
}

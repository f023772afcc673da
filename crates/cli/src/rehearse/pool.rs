//! Worker processes as the parent sees them: asked, waited for, and replaced when they die.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::messages::{LONGEST_LINE, RECORD, Reply, Request, SetUp};

/// The name of the command that a worker is.
pub const COMMAND: &str = "rehearse-worker";

/// How long a worker may take to begin.
const BEGINS_WITHIN: Duration = Duration::from_secs(60);

/// How much of what a worker wrote to its errors is kept, in bytes.
const KEPT: usize = 4_096;

/// What Rust's runtime says before it ends a process.
const WHY: [&str; 2] = ["memory allocation of", "overflowed its stack"];

/// A worker.
pub struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    errors: Errors,
    /// The batch that it was set up for.
    batch: String,
}

/// The end of what a worker wrote to its errors.
type Errors = Rc<RefCell<VecDeque<u8>>>;

/// Why a worker gave no answer. It is gone then.
#[derive(Debug)]
pub enum Lost {
    /// It ended.
    Died(String),
    /// It did not answer in time.
    Hung(Duration),
    /// What it answered is no answer.
    Nonsense(String),
}

impl Lost {
    /// As an outcome calls it.
    pub fn error_type(&self) -> &'static str {
        match self {
            Self::Hung(_) => "worker_hung",
            Self::Died(_) | Self::Nonsense(_) => "worker_died",
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Died(how) => write!(f, "the process that played it ended: {how}"),
            Self::Hung(limit) => write!(
                f,
                "the process that played it did not answer within {} s and was ended",
                limit.as_secs_f64()
            ),
            Self::Nonsense(why) => {
                write!(f, "the process that played it answered what is no answer and was ended: {why}")
            }
        }
    }
}

impl Worker {
    /// Starts one.
    ///
    /// # Errors
    /// When it does not start, or cannot work with what it is told.
    pub async fn start(set_up: &SetUp) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("this program does not know where it is")?;
        let mut command = Command::new(program);
        command
            .arg(COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // Ctrl-C is for the parent, which ends them.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().context("a worker does not start")?;
        let (Some(requests), Some(answers), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            bail!("a worker has no pipes");
        };
        let kept = Errors::default();
        tokio::task::spawn_local(keep(errors, Rc::clone(&kept)));
        let mut worker = Self {
            child,
            requests,
            answers: BufReader::new(answers),
            errors: kept,
            batch: set_up.batch.clone(),
        };
        let line = serde_json::to_string(set_up)?;
        match worker.exchange(&line, BEGINS_WITHIN).await {
            Ok(Reply::Ready) => Ok(worker),
            Ok(Reply::NotReady(why)) => bail!(why),
            Ok(_) => bail!("a worker began with an answer to nothing"),
            Err(lost) => bail!("a worker does not begin: {lost}"),
        }
    }

    /// Whether it was set up for this.
    pub fn is_of(&self, set_up: &SetUp) -> bool {
        self.batch == set_up.batch
    }

    /// The worker, where it has not ended since: what ended it then is no fault of what it is asked next.
    pub fn living(mut self) -> Option<Self> {
        matches!(self.child.try_wait(), Ok(None)).then_some(self)
    }

    /// Asks for something.
    ///
    /// # Errors
    /// When there is no answer; the worker is of no more use then.
    pub async fn ask(&mut self, request: &Request, within: Duration) -> Result<Reply, Lost> {
        let line = serde_json::to_string(request).map_err(|error| Lost::Nonsense(error.to_string()))?;
        self.exchange(&line, within).await
    }

    async fn exchange(&mut self, line: &str, within: Duration) -> Result<Reply, Lost> {
        let work = async {
            let line = format!("{line}\n");
            if self.requests.write_all(line.as_bytes()).await.is_err() {
                return Ok(None);
            }
            let mut answer = Vec::new();
            loop {
                answer.clear();
                let read = (&mut self.answers).take(LONGEST_LINE).read_until(b'\n', &mut answer).await;
                if read.is_err() || answer.is_empty() {
                    return Ok(None);
                }
                let Ok(text) = std::str::from_utf8(&answer) else {
                    return Err(Lost::Nonsense("it is no text".to_owned()));
                };
                // What a library printed.
                let Some(json) = text.strip_prefix(RECORD) else { continue };
                let reply = serde_json::from_str(json);
                return reply.map(Some).map_err(|error| Lost::Nonsense(error.to_string()));
            }
        };
        match tokio::time::timeout(within, work).await {
            Ok(Ok(Some(reply))) => Ok(reply),
            Ok(Ok(None)) => Err(Lost::Died(self.how_it_ended().await)),
            Ok(Err(lost)) => Err(lost),
            Err(_late) => Err(Lost::Hung(within)),
        }
    }

    /// How it ended, in a few words.
    async fn how_it_ended(&mut self) -> String {
        let ended = tokio::time::timeout(Duration::from_secs(5), self.child.wait()).await;
        // What it wrote last is on its way.
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        let how = match ended {
            Ok(Ok(status)) => status.to_string(),
            Ok(Err(error)) => error.to_string(),
            Err(_late) => "its output was closed".to_owned(),
        };
        let kept: Vec<u8> = self.errors.borrow().iter().copied().collect();
        let text = String::from_utf8_lossy(&kept).into_owned();
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        // What the runtime says of why, before what it says of where to find more.
        let why = WHY.iter().find_map(|why| lines().find(|line| line.contains(why)));
        let said = why.or_else(|| lines().next_back());
        match said {
            Some(said) => format!("{how}; {}", said.chars().take(300).collect::<String>()),
            None => how,
        }
    }
}

/// Reads what a worker writes to its errors, and keeps the end of it.
async fn keep(mut errors: impl AsyncRead + Unpin, kept: Errors) {
    let mut some = [0; 1_024];
    while let Ok(count) = errors.read(&mut some).await
        && count > 0
    {
        let mut kept = kept.borrow_mut();
        kept.extend(some.iter().take(count));
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}

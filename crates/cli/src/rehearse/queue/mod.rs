//! Batches that workers on other machines play, over a work queue of NATS JetStream (docs/rehearsal.md, ADR 0081).
//!
//! Whoever has the scenarios puts jobs and waits for their ends ([`wait`]); workers take them ([`work`]). Both say what they mean in JSON.

mod parent;
mod status;
mod worker;

use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use jetstream::work::{Work, WorkOptions};
use jetstream::{Kv, KvOptions, Options, Space};
use rehearsal::queue::Job;
use serde::{Deserialize, Serialize};

use super::play::Terms;

pub use parent::wait;
pub use status::{StatusOptions, status};
pub use worker::{WorkerOptions, work};

/// The queue where none is named.
pub const NAME: &str = "rehearsals";

/// The version of what parents and workers tell each other.
const VERSION: u32 = 1;

/// How often a worker says that it is there.
const BEAT: Duration = Duration::from_secs(3);

/// Sets how long a job is held, in milliseconds, where a test opens the queue: ten seconds are long for one.
const HOLD: &str = "SATCHEL_REHEARSE_HOLD_MS";

/// Where a queue is.
#[derive(Args, Clone, Debug)]
pub struct At {
    /// Servers of NATS: nats://HOST:4222, several with commas between. A password belongs into the variable, where no other program sees it
    #[arg(long, value_name = "SERVERS", env = "SATCHEL_NATS", hide_env_values = true)]
    pub queue: String,
    /// The queue's name
    #[arg(long, value_name = "NAME", default_value = NAME)]
    pub queue_name: String,
    /// On how many servers the queue keeps what is in it: 1, 3 or 5; who opens it first says so
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub replicas: usize,
}

impl At {
    async fn space(&self) -> anyhow::Result<Space> {
        let options = Options { replicas: self.replicas, ..Options::new(&self.queue_name) };
        Space::without_journals(&self.queue, options).await.context("the queue")
    }

    /// Opens it, and makes it where it is not there.
    ///
    /// # Errors
    /// When no server answers, or the name cannot be one.
    pub async fn open(&self) -> anyhow::Result<Work> {
        open(&self.space().await?).await
    }
}

async fn open(space: &Space) -> anyhow::Result<Work> {
    let mut options = WorkOptions::default();
    if let Some(hold) = std::env::var(HOLD).ok().and_then(|text| text.parse().ok()) {
        options.hold = Duration::from_millis(hold);
    }
    Work::open(space, "jobs", options).await.context("the queue")
}

/// The workers that are there, by name: who is not heard of for three beats is forgotten.
async fn workers(space: &Space) -> anyhow::Result<Kv> {
    let options = KvOptions { forget_after: Some(3 * BEAT), in_memory: true };
    Kv::open(space, "workers", options).await.context("the queue")
}

/// What is said of a batch. Keys are not in it: workers have their own, and their own configuration file.
#[derive(Debug, Serialize, Deserialize)]
struct Said {
    version: u32,
    terms: Terms,
}

/// The end of a job.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ended {
    Played(Box<super::messages::Played>),
    /// It was set aside, for these reasons: one for each attempt.
    Aside(Vec<String>),
}

/// What a worker says of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Beat {
    host: String,
    process: u32,
    version: String,
    /// How many it plays at once.
    parallel: usize,
    /// How many it has played since it began.
    played: u64,
    /// What it plays now.
    holds: Vec<Holds>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Holds {
    batch: String,
    job: String,
}

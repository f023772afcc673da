//! A batch at work on this machine: jobs from a queue to worker processes, and what came of them into the folder.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use rehearsal::queue::{Held, Job, Queue, QueueError, Taken};

use super::folder::Folder;
use super::messages::Played;
use super::otlp::Exporter;
use super::play::{Place, Workers};
use super::progress::Progress;

/// How long a job is held, in milliseconds; it is held on while it is played.
const HOLD_MS: u64 = 30_000;

/// How often it is looked whether progress is to be shown.
const SHOWN: Duration = Duration::from_millis(250);

/// Where outcomes go: the folder, the collector, and what is shown.
pub struct Results {
    pub folder: RefCell<Folder>,
    pub progress: RefCell<Progress>,
    pub exporter: RefCell<Option<Exporter>>,
}

impl Results {
    /// Keeps what came of a conversation.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, scenario: &str, played: &Played) -> anyhow::Result<()> {
        self.folder.borrow_mut().keep(played)?;
        if let Some(exporter) = &mut *self.exporter.borrow_mut() {
            exporter.send(&played.trace);
        }
        self.progress.borrow_mut().done(scenario, played.verdict);
        Ok(())
    }

    /// Shows how far it is while something is done.
    ///
    /// # Errors
    /// What was done could not be done.
    pub async fn shown(&self, work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
        let shown = async {
            loop {
                tokio::time::sleep(SHOWN).await;
                self.progress.borrow_mut().tick();
            }
        };
        tokio::select! {
            done = work => done,
            () = shown => Ok(()),
        }
    }
}

/// A batch at work.
pub struct Batch<'a> {
    pub workers: &'a Workers,
    pub queue: &'a dyn Queue,
    pub results: &'a Results,
}

impl Batch<'_> {
    /// Plays until the queue is over.
    ///
    /// # Errors
    /// When results cannot be kept, or no worker starts any more.
    pub async fn play(&self) -> anyhow::Result<()> {
        // The first that cannot go on ends all.
        let work = futures::future::try_join_all(self.workers.places.iter().map(|place| self.work(place)));
        self.results.shown(async { work.await.map(drop) }).await
    }

    async fn work(&self, place: &Place) -> anyhow::Result<()> {
        loop {
            match self.queue.take(HOLD_MS).await? {
                Taken::Over => return Ok(()),
                Taken::Later => tokio::time::sleep(Duration::from_millis(50)).await,
                Taken::Held(held) => self.play_one(place, *held).await?,
            }
        }
    }

    async fn play_one(&self, place: &Place, held: Held) -> anyhow::Result<()> {
        let Held { job, receipt, .. } = held;
        let held_on = async {
            loop {
                tokio::time::sleep(Duration::from_millis(HOLD_MS / 3)).await;
                // A hold that is lost for good is found out below.
                drop(self.queue.extend(&receipt, HOLD_MS).await);
            }
        };
        let played = tokio::select! {
            played = place.play(&self.workers.terms, &job) => played?,
            () = held_on => return Ok(()),
        };
        match self.queue.extend(&receipt, HOLD_MS).await {
            Ok(()) => {}
            // Somebody else has it, and says what came of it: it stands in the results once.
            Err(QueueError::NotHeld) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        self.results.keep(scenario_name(&job), &played)?;
        match self.queue.done(&receipt).await {
            Ok(()) | Err(QueueError::NotHeld) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The scenario that a job is of, by its name.
pub fn scenario_name(job: &Job) -> &str {
    job.id.rsplit_once('#').map_or(job.id.as_str(), |(name, _)| name)
}

/// The jobs of scenarios, in order: each scenario once before any is repeated.
pub fn jobs<'a>(scenarios: &'a [Rc<Planned>], repeat: u32) -> impl Iterator<Item = Job> + 'a {
    (1..=repeat).flat_map(move |repeat| scenarios.iter().map(move |planned| planned.job(repeat)))
}

/// A scenario that is to be played.
pub struct Planned {
    pub name: String,
    pub job: Job,
}

impl Planned {
    fn job(&self, repeat: u32) -> Job {
        Job { id: rehearsal::job_name(&self.name, repeat), repeat, ..self.job.clone() }
    }
}

//! Conversations played by worker processes, each in a place of its own: whatever happens to a process, its conversation has an outcome.

use std::cell::RefCell;
use std::time::Duration;

use anyhow::Context as _;
use futures::future::join_all;
use rehearsal::queue::Job;
use rehearsal::{Models, Outcome, Scenario};
use serde::{Deserialize, Serialize};

use super::found::File;
use super::messages::{Head, ModelNames, Played, Reply, Request, SetUp};
use super::pool::{Lost, Worker};

/// How long may be taken to read a file.
const READ_WITHIN: Duration = Duration::from_secs(10);

/// What all conversations of a batch are played by.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Terms {
    pub set_up: SetUp,
    /// How long one may take beyond its scenario's own limit.
    pub grace: Duration,
}

/// A place for a worker: where one conversation is played at a time.
#[derive(Default)]
pub struct Place(RefCell<Option<Worker>>);

impl Place {
    /// Asks the worker of this place, which is started where it is not there, or is one of another batch.
    async fn ask(
        &self,
        set_up: &SetUp,
        request: &Request,
        within: Duration,
    ) -> anyhow::Result<Result<Reply, Lost>> {
        // It is taken out meanwhile: whoever is dropped on the way leaves nothing half asked behind.
        let there = self.0.borrow_mut().take().filter(|worker| worker.is_of(set_up));
        let mut worker = match there.and_then(Worker::living) {
            Some(worker) => worker,
            None => Worker::start(set_up).await?,
        };
        let answer = worker.ask(request, within).await;
        // One that is lost is ended as it is dropped.
        if answer.is_ok() {
            self.0.replace(Some(worker));
        }
        Ok(answer)
    }

    /// Plays a job. What takes the worker down is an outcome as well.
    ///
    /// # Errors
    /// When no worker starts, or the job is none.
    pub async fn play(&self, terms: &Terms, job: &Job) -> anyhow::Result<Played> {
        let scenario = scenario_of(job)?;
        let own = scenario.timeout_sec.clamp(0.0, 1e8);
        let judged =
            if scenario.judge.is_some() && terms.set_up.models.judge.is_some() { 120.0 } else { 0.0 };
        let limit = Duration::from_secs_f64(own + judged) + terms.grace;
        let lost = match self.ask(&terms.set_up, &Request::Play(job.clone()), limit).await? {
            Ok(Reply::Played(played)) if played.job == job.id => return Ok(*played),
            Ok(_) => {
                // What it says is of no use any more.
                self.0.take();
                Lost::Nonsense("it is of another conversation".to_owned())
            }
            Err(lost) => lost,
        };
        not_played(job, &terms.set_up.models, lost.error_type(), &lost.to_string())
    }

    async fn read(&self, set_up: &SetUp, file: &File) -> anyhow::Result<Result<Vec<Head>, String>> {
        let mut why = String::new();
        // What takes down whoever looks whether it can be played is played, and takes down its own run.
        for is_checked in [true, false] {
            let request = Request::Read { file: file.name.clone(), text: file.text.clone(), is_checked };
            match self.ask(set_up, &request, READ_WITHIN).await? {
                Ok(Reply::Read(heads)) => return Ok(heads),
                Ok(_) => why = "it answered what was not asked".to_owned(),
                Err(lost) => why = lost.to_string(),
            }
        }
        Ok(Err(format!("{}: it cannot be read: {why}", file.name)))
    }
}

/// What comes of a job that could not be played, for this reason.
///
/// # Errors
/// When the job is none.
pub fn not_played(job: &Job, names: &ModelNames, error_type: &str, error: &str) -> anyhow::Result<Played> {
    let named = |name: &Option<String>, other: &str| name.clone().unwrap_or_else(|| other.to_owned());
    let models =
        Models { assistant: named(&names.assistant, "built-in"), client: named(&names.client, "unknown") };
    let outcome = Outcome::not_played(&scenario_of(job)?, job.repeat, error_type, error, models);
    Ok(Played {
        job: outcome.job.clone(),
        verdict: outcome.verdict,
        outcome: serde_json::to_string(&outcome)?,
        run_files: Default::default(),
        trace: String::new(),
    })
}

fn scenario_of(job: &Job) -> anyhow::Result<Scenario> {
    serde_json::from_str(&job.scenario).with_context(|| format!("{}: no scenario", job.id))
}

/// Workers that are there, each with a place of its own.
pub struct Workers {
    pub terms: Terms,
    pub places: Vec<Place>,
}

impl Workers {
    /// So many, of which the first is started: what is wrong with the models it says before anything is done.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(terms: Terms, count: usize) -> anyhow::Result<Self> {
        let first = Worker::start(&terms.set_up).await?;
        let places = std::iter::once(Some(first)).chain(std::iter::repeat_with(|| None));
        let places = places.take(count.max(1)).map(|worker| Place(RefCell::new(worker))).collect();
        Ok(Self { terms, places })
    }

    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Reads files: the scenarios of each, or what is wrong with it.
    ///
    /// # Errors
    /// When no worker starts any more.
    pub async fn read(&self, files: &[File]) -> anyhow::Result<Vec<Result<Vec<Head>, String>>> {
        let next = RefCell::new(files.iter().enumerate());
        let read = RefCell::new(Vec::new());
        let work = self.places.iter().map(async |place| -> anyhow::Result<()> {
            loop {
                let Some((at, file)) = next.borrow_mut().next() else { return Ok(()) };
                let heads = place.read(&self.terms.set_up, file).await?;
                read.borrow_mut().push((at, heads));
            }
        });
        join_all(work).await.into_iter().collect::<anyhow::Result<()>>()?;
        let mut read = read.into_inner();
        read.sort_by_key(|(at, _)| *at);
        Ok(read.into_iter().map(|(_, heads)| heads).collect())
    }
}

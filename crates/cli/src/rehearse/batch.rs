//! A batch at work: jobs from a queue to worker processes, and what came of them into the folder.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Context as _;
use futures::future::join_all;
use rehearsal::queue::{Held, Job, Queue, QueueError, Taken};
use rehearsal::{Models, Outcome, Scenario};

use super::folder::Folder;
use super::found::File;
use super::messages::{Head, ModelNames, Played, Reply, Request, SetUp};
use super::otlp::Exporter;
use super::pool::{Lost, Worker};
use super::progress::Progress;

/// How long a job is held, in milliseconds; it is held on while it is played.
const HOLD_MS: u64 = 30_000;

/// How long may be taken to read a file.
const READ_WITHIN: Duration = Duration::from_secs(10);

/// How often it is looked whether progress is to be shown.
const SHOWN: Duration = Duration::from_millis(250);

/// Workers that are there, each with a place of its own.
pub struct Workers {
    set_up: SetUp,
    places: Vec<RefCell<Option<Worker>>>,
}

impl Workers {
    /// So many, of which the first is started: what is wrong with the models it says before anything is done.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(set_up: SetUp, count: usize) -> anyhow::Result<Self> {
        let first = Worker::start(&set_up).await?;
        let places = std::iter::once(Some(first)).chain(std::iter::repeat_with(|| None));
        Ok(Self { set_up, places: places.take(count.max(1)).map(RefCell::new).collect() })
    }

    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Asks the worker of a place, which is started where it is not there.
    async fn ask(
        &self,
        place: &RefCell<Option<Worker>>,
        request: &Request,
        within: Duration,
    ) -> anyhow::Result<Result<Reply, Lost>> {
        // It is taken out meanwhile: whoever is dropped on the way leaves nothing half asked behind.
        let there = place.borrow_mut().take();
        let mut worker = match there.and_then(Worker::living) {
            Some(worker) => worker,
            None => Worker::start(&self.set_up).await?,
        };
        let answer = worker.ask(request, within).await;
        // One that is lost is ended as it is dropped.
        if answer.is_ok() {
            place.replace(Some(worker));
        }
        Ok(answer)
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
                let heads = self.read_one(place, file).await?;
                read.borrow_mut().push((at, heads));
            }
        });
        join_all(work).await.into_iter().collect::<anyhow::Result<()>>()?;
        let mut read = read.into_inner();
        read.sort_by_key(|(at, _)| *at);
        Ok(read.into_iter().map(|(_, heads)| heads).collect())
    }

    async fn read_one(
        &self,
        place: &RefCell<Option<Worker>>,
        file: &File,
    ) -> anyhow::Result<Result<Vec<Head>, String>> {
        let mut why = String::new();
        // What takes down whoever looks whether it can be played is played, and takes down its own run.
        for is_checked in [true, false] {
            let request = Request::Read { file: file.name.clone(), text: file.text.clone(), is_checked };
            match self.ask(place, &request, READ_WITHIN).await? {
                Ok(Reply::Read(heads)) => return Ok(heads),
                Ok(_) => why = "it answered what was not asked".to_owned(),
                Err(lost) => why = lost.to_string(),
            }
        }
        Ok(Err(format!("{}: it cannot be read: {why}", file.name)))
    }
}

/// A batch at work.
pub struct Batch<'a> {
    pub workers: &'a Workers,
    pub queue: &'a dyn Queue,
    pub folder: RefCell<Folder>,
    pub progress: RefCell<Progress>,
    pub exporter: RefCell<Option<Exporter>>,
    /// How long it may take beyond a scenario's own limit.
    pub grace: Duration,
    pub names: ModelNames,
}

impl Batch<'_> {
    /// Plays until the queue is over.
    ///
    /// # Errors
    /// When results cannot be kept, or no worker starts any more.
    pub async fn play(&self) -> anyhow::Result<()> {
        let work = self.workers.places.iter().map(|place| self.work(place));
        let shown = async {
            loop {
                tokio::time::sleep(SHOWN).await;
                self.progress.borrow_mut().tick();
            }
        };
        tokio::select! {
            // The first that cannot go on ends all.
            played = futures::future::try_join_all(work) => played.map(drop),
            () = shown => Ok(()),
        }
    }

    async fn work(&self, place: &RefCell<Option<Worker>>) -> anyhow::Result<()> {
        loop {
            match self.queue.take(HOLD_MS).await? {
                Taken::Over => return Ok(()),
                Taken::Later => tokio::time::sleep(Duration::from_millis(50)).await,
                Taken::Held(held) => self.play_one(place, *held).await?,
            }
        }
    }

    async fn play_one(&self, place: &RefCell<Option<Worker>>, held: Held) -> anyhow::Result<()> {
        let Held { job, receipt, .. } = held;
        let scenario: Scenario =
            serde_json::from_str(&job.scenario).with_context(|| format!("{}: no scenario", job.id))?;
        let own = scenario.timeout_sec.clamp(0.0, 1e8);
        let judged = if scenario.judge.is_some() && self.names.judge.is_some() { 120.0 } else { 0.0 };
        let limit = Duration::from_secs_f64(own + judged) + self.grace;
        let request = Request::Play(job.clone());
        let held_on = async {
            loop {
                tokio::time::sleep(Duration::from_millis(HOLD_MS / 3)).await;
                // A hold that is lost for good is found out below.
                drop(self.queue.extend(&receipt, HOLD_MS).await);
            }
        };
        let answered = tokio::select! {
            answered = self.workers.ask(place, &request, limit) => answered?,
            () = held_on => return Ok(()),
        };
        let played = match answered {
            Ok(Reply::Played(played)) if played.job == job.id => *played,
            Ok(_) => {
                // What it says is of no use any more.
                place.take();
                self.lost(&scenario, &job, &Lost::Nonsense("it is of another conversation".to_owned()))?
            }
            Err(lost) => self.lost(&scenario, &job, &lost)?,
        };
        match self.queue.extend(&receipt, HOLD_MS).await {
            Ok(()) => {}
            // Somebody else has it, and says what came of it: it stands in the results once.
            Err(QueueError::NotHeld) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        self.folder.borrow_mut().keep(&played)?;
        if let Some(exporter) = &mut *self.exporter.borrow_mut() {
            exporter.send(&played.trace);
        }
        self.progress.borrow_mut().done(&scenario.name, played.verdict);
        match self.queue.done(&receipt).await {
            Ok(()) | Err(QueueError::NotHeld) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn lost(&self, scenario: &Scenario, job: &Job, lost: &Lost) -> anyhow::Result<Played> {
        let named = |name: &Option<String>, other: &str| name.clone().unwrap_or_else(|| other.to_owned());
        let models = Models {
            assistant: named(&self.names.assistant, "built-in"),
            client: named(&self.names.client, "unknown"),
        };
        let outcome = Outcome::not_played(scenario, job.repeat, lost.error_type(), &lost.to_string(), models);
        Ok(Played {
            job: outcome.job.clone(),
            verdict: outcome.verdict,
            outcome: serde_json::to_string(&outcome)?,
            run_files: Default::default(),
            trace: String::new(),
        })
    }
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

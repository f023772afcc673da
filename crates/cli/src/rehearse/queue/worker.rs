//! A worker of a queue: takes jobs, plays them in processes of its own, and ends them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use futures::future::join_all;
use jetstream::Kv;
use jetstream::work::{End, Held, Work};
use tokio::sync::watch;

use super::{At, BEAT, Beat, Ended, Holds, Said, Terms, VERSION, open, workers};
use crate::rehearse::play::Place;

/// How often a job is tried before it is set aside.
const ATTEMPTS: usize = 3;

/// How long the servers wait for a job before they say that there is none.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long is waited where they do not answer.
const AGAIN: Duration = Duration::from_secs(1);

/// How long a worker rests that could not play what it was given, and at most: it would else have all jobs fail before others, who can and
/// are busy with it, take them.
const REST: Duration = Duration::from_secs(1);
const LONGEST_REST: Duration = Duration::from_secs(60);

/// The most batches whose terms are kept in mind.
const MOST_KNOWN: usize = 64;

#[derive(Args, Debug)]
pub struct WorkerOptions {
    #[command(flatten)]
    at: At,
    /// How many conversations are played at once [default: as many as there are cores]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    parallel: Option<u32>,
    /// The configuration file with the models; it may be missing
    #[arg(long, default_value = "satchel.toml")]
    config: PathBuf,
}

/// Plays what is in a queue until it is stopped.
///
/// # Errors
/// When the queue cannot be opened.
pub async fn work(options: WorkerOptions) -> anyhow::Result<()> {
    let mut signals = crate::Signals::new()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let parallel = options.parallel.map_or(cores, |count| count as usize);
    let config = std::path::absolute(&options.config).context("--config is no path")?;
    let (stop, stops) = watch::channel(false);
    let opened = async {
        let space = options.at.space().await?;
        Ok::<_, anyhow::Error>((open(&space).await?, workers(&space).await?))
    };
    let (queue, seen) = tokio::select! {
        opened = opened => opened?,
        () = signals.next() => return Ok(()),
    };
    let me = Me {
        name: format!("{}-{}-{}", host(), std::process::id(), local::random()),
        queue,
        seen,
        config,
        parallel,
        stops,
        known: RefCell::default(),
        holds: RefCell::default(),
        played: Cell::default(),
        is_away: Cell::default(),
        in_vain: Cell::default(),
    };
    eprintln!("{parallel} at once, from the queue {} at {}", options.at.queue_name, shown(&options.at.queue));
    let places: Vec<Place> = std::iter::repeat_with(Place::default).take(parallel).collect();
    let slots = join_all(places.iter().map(|place| me.slot(place)));
    let stopped = async {
        signals.next().await;
        // Those who wait for it are there as long as this is.
        stop.send_replace(true);
        std::future::pending().await
    };
    tokio::select! {
        _ = slots => {}
        () = me.beats() => {}
        () = stopped => {}
    }
    me.leaves().await;
    eprintln!("Stopped after {} conversations.", me.played.get());
    Ok(())
}

/// Servers without the passwords in their addresses.
fn shown(servers: &str) -> String {
    let one = |one: &str| match one.rsplit_once('@') {
        Some((_, host)) => host.to_owned(),
        None => one.to_owned(),
    };
    servers.split(',').map(one).collect::<Vec<_>>().join(",")
}

fn host() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_else(|_| "unknown".to_owned());
    name
}

/// What is said of a batch whose job was taken.
enum Batch {
    /// It was read before.
    Known(Rc<Terms>),
    /// As it is said.
    New(Vec<u8>),
    /// Nobody waits for it.
    Erased,
}

/// This worker.
struct Me {
    name: String,
    queue: Work,
    seen: Kv,
    config: PathBuf,
    parallel: usize,
    stops: watch::Receiver<bool>,
    /// The terms of batches, by name.
    known: RefCell<BTreeMap<String, Rc<Terms>>>,
    holds: RefCell<Vec<Holds>>,
    played: Cell<u64>,
    /// Whether it was said that the servers do not answer.
    is_away: Cell<bool>,
    /// How many jobs in a row could not be played here.
    in_vain: Cell<u32>,
}

impl Me {
    fn is_stopped(&self) -> bool {
        *self.stops.borrow()
    }

    /// Comes when this is to stop.
    async fn stopped(&self) {
        let mut stops = self.stops.clone();
        // Who sends it is there as long as this is.
        drop(stops.wait_for(|is_stopped| *is_stopped).await);
    }

    /// Plays one after another. A request for a job is waited for also when this is to stop: what comes of it would be nobody's.
    async fn slot(&self, place: &Place) {
        while !self.is_stopped() {
            if let Some(again) = self.in_vain.get().checked_sub(1) {
                tokio::select! {
                    () = tokio::time::sleep(LONGEST_REST.min(REST * 2_u32.saturating_pow(again))) => {}
                    () = self.stopped() => continue,
                }
            }
            let done = match self.queue.take(PATIENCE).await {
                // Nobody is in its way.
                Ok(None) => {
                    self.in_vain.set(0);
                    Ok(())
                }
                Ok(Some(held)) if self.is_stopped() => held.give_back().await.map_err(Into::into),
                Ok(Some(held)) => self.hold(place, &held).await,
                Err(error) => Err(error.into()),
            };
            match done {
                Ok(()) => self.is_away.set(false),
                Err(error) => {
                    if !self.is_away.replace(true) {
                        eprintln!("Note: {error:#}. It is tried again.");
                    }
                    tokio::select! {
                        () = tokio::time::sleep(AGAIN) => {}
                        () = self.stopped() => {}
                    }
                }
            }
        }
    }

    async fn hold(&self, place: &Place, held: &Held) -> anyhow::Result<()> {
        let holds = Holds { batch: held.batch.clone(), job: held.id.clone() };
        self.holds.borrow_mut().push(holds.clone());
        let held_on = async {
            loop {
                tokio::time::sleep(self.queue.hold() / 3).await;
                // A hold that is lost is somebody else's, and the end tells.
                drop(held.extend().await);
            }
        };
        let done = tokio::select! {
            done = self.end(place, held) => done,
            () = held_on => Ok(()),
            () = self.stopped() => held.give_back().await.map_err(Into::into),
        };
        let mut all = self.holds.borrow_mut();
        if let Some(at) = all.iter().position(|one| *one == holds) {
            all.swap_remove(at);
        }
        done
    }

    /// Plays a job and ends it.
    async fn end(&self, place: &Place, held: &Held) -> anyhow::Result<()> {
        if held.attempt > 1 {
            // Whoever had it may have died between its end and the acknowledgement.
            if self.queue.is_ended(&held.batch, &held.id).await? {
                return Ok(held.done().await?);
            }
            let failures = held.failures().await?;
            if failures.len() >= ATTEMPTS {
                let numbered = failures.iter().enumerate();
                let reasons = numbered.map(|(at, why)| format!("{}. {why}", at + 1)).collect();
                return self.keep(held, &Ended::Aside(reasons)).await;
            }
        }
        let in_vain = self.in_vain.get();
        // Where the servers cannot say, nobody has tried it.
        let said = self.said(&held.batch).await?;
        match self.play(place, held, said).await {
            Ok(Some(ended)) => {
                self.in_vain.set(0);
                self.keep(held, &ended).await?;
                self.played.set(self.played.get() + 1);
                Ok(())
            }
            // Its batch was erased: nobody waits for it.
            Ok(None) => Ok(held.done().await?),
            Err(error) => {
                eprintln!("Note: {} was not played: {error:#}", held.id);
                // Once for all that failed at the same time.
                if self.in_vain.get() == in_vain {
                    self.in_vain.set(in_vain.saturating_add(1));
                }
                Ok(held.failed(&format!("{}: {error:#}", host())).await?)
            }
        }
    }

    /// Ends a job. The first end stands, whoever's it is; so it is done in either case.
    async fn keep(&self, held: &Held, ended: &Ended) -> anyhow::Result<()> {
        let is_aside = matches!(ended, Ended::Aside(_));
        let end = End { id: held.id.clone(), is_aside, bytes: serde_json::to_vec(ended)?.into() };
        while let Err(error) = self.queue.end(&held.batch, end.clone()).await {
            if !self.is_away.replace(true) {
                eprintln!("Note: {error}. It is tried again.");
            }
            tokio::time::sleep(AGAIN).await;
        }
        Ok(held.done().await?)
    }

    async fn play(&self, place: &Place, held: &Held, said: Batch) -> anyhow::Result<Option<Ended>> {
        let terms = match said {
            Batch::Known(terms) => terms,
            Batch::New(said) => self.terms(&held.batch, &said)?,
            Batch::Erased => return Ok(None),
        };
        let job = serde_json::from_slice(&held.bytes).context("it is no job that this version knows")?;
        Ok(Some(Ended::Played(Box::new(place.play(&terms, &job).await?))))
    }

    /// What is said of a batch.
    async fn said(&self, batch: &str) -> anyhow::Result<Batch> {
        if let Some(terms) = self.known.borrow().get(batch) {
            return Ok(Batch::Known(Rc::clone(terms)));
        }
        Ok(self.queue.said(batch).await?.map_or(Batch::Erased, |said| Batch::New(said.to_vec())))
    }

    fn terms(&self, batch: &str, said: &[u8]) -> anyhow::Result<Rc<Terms>> {
        let Said { version, mut terms } =
            serde_json::from_slice(said).context("the batch is none that this version knows")?;
        if version != VERSION {
            bail!("the batch is of another version of satchel");
        }
        terms.set_up.config = self.config.clone();
        let terms = Rc::new(terms);
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(batch.to_owned(), Rc::clone(&terms));
        Ok(terms)
    }

    /// Says again and again that it is there. Where that cannot be said, it is not seen, and works nevertheless.
    async fn beats(&self) {
        loop {
            let beat = Beat {
                host: host(),
                process: std::process::id(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                parallel: self.parallel,
                played: self.played.get(),
                holds: self.holds.borrow().clone(),
            };
            if let Ok(bytes) = serde_json::to_vec(&beat) {
                drop(self.say(bytes).await);
            }
            tokio::time::sleep(BEAT).await;
        }
    }

    /// Takes its word away: it is not seen any more.
    async fn leaves(&self) {
        drop(tokio::time::timeout(AGAIN, self.say(Vec::new())).await);
    }

    async fn say(&self, bytes: Vec<u8>) -> anyhow::Result<()> {
        let over = self.seen.get(&self.name).await?.map_or(0, |value| value.revision);
        self.seen.put(&self.name, over, bytes).await?;
        Ok(())
    }
}

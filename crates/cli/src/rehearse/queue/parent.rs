//! Whoever has the scenarios: puts jobs, and takes in what came of them.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, bail};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use jetstream::work::{End, Work};
use store::StoreError;

use super::{Ended, Job, Said, Terms, VERSION};
use crate::rehearse::batch::{Results, scenario_name};
use crate::rehearse::play::not_played;

/// How many jobs are put before the first of them is answered.
const PUT_AT_ONCE: usize = 32;

/// How often a job is put that the servers do not answer, a second apart.
const TRIES: u32 = 30;

/// After how long without an end it is looked whether jobs are missing: a queue may be lost with its servers' disks.
const QUIET: Duration = Duration::from_secs(20);

/// The outcome's name for a job that was set aside.
const SET_ASIDE: &str = "set_aside";

/// Puts jobs and waits until each has its end, which is kept.
///
/// # Errors
/// When results cannot be kept, or the queue takes no jobs. A server that is gone is waited for.
pub async fn wait(work: &Work, terms: &Terms, jobs: Vec<Job>, results: &Results) -> anyhow::Result<()> {
    let batch = &terms.set_up.batch;
    let said = serde_json::to_vec(&Said { version: VERSION, terms: terms.clone() })?;
    work.begin(batch, said).await.context("the queue")?;
    let mut left: BTreeMap<String, Job> = jobs.iter().map(|job| (job.id.clone(), job.clone())).collect();
    // What others have played meanwhile is taken in below.
    let ended = work.ended(batch).await.context("the queue")?;
    let put = put(work, batch, jobs.into_iter().filter(|job| !ended.contains(&job.id)));
    let taken = take_in(work, terms, &mut left, results);
    results.shown(async { futures::future::try_join(put, taken).await.map(drop) }).await
}

async fn put(work: &Work, batch: &str, jobs: impl Iterator<Item = Job>) -> anyhow::Result<()> {
    // They are sent in order, whichever is answered first.
    stream::iter(jobs.map(Ok)).try_for_each_concurrent(PUT_AT_ONCE, |job| put_one(work, batch, job)).await
}

async fn put_one(work: &Work, batch: &str, job: Job) -> anyhow::Result<()> {
    let bytes = serde_json::to_vec(&job)?;
    let mut tries = 0;
    loop {
        tries += 1;
        match work.put(batch, &job.id, bytes.clone()).await {
            Ok(_) => return Ok(()),
            Err(error) if tries == TRIES || error == StoreError::Quota => {
                bail!("{} cannot be put into the queue: {error}", job.id)
            }
            Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
        }
    }
}

async fn take_in(
    work: &Work,
    terms: &Terms,
    left: &mut BTreeMap<String, Job>,
    results: &Results,
) -> anyhow::Result<()> {
    let batch = &terms.set_up.batch;
    let said = serde_json::to_vec(&Said { version: VERSION, terms: terms.clone() })?;
    let mut ends = Box::pin(work.ends(batch).await.context("the queue")?);
    let mut is_told = false;
    while !left.is_empty() {
        match tokio::time::timeout(QUIET, ends.next()).await {
            Ok(Some(Ok(end))) => {
                is_told = false;
                let Some(job) = left.remove(&end.id) else { continue };
                take_one(&job, &end, terms, results)?;
            }
            Ok(Some(Err(error))) => {
                if !std::mem::replace(&mut is_told, true) {
                    eprintln!("Note: {error}. It is waited for.");
                }
            }
            end => {
                match end {
                    // A reader that has given up.
                    Ok(_) => tokio::time::sleep(Duration::from_secs(1)).await,
                    // Where the servers do not answer, later is early enough.
                    Err(_quiet) => drop(put_missing(work, batch, &said, left).await),
                }
                // From the first one again: one that could not be read is not given once more, and a reader whose queue was lost waits
                // for places behind those that there are now. What is known is passed over.
                if let Ok(again) = work.ends(batch).await {
                    ends.set(again);
                }
            }
        }
    }
    Ok(())
}

/// Keeps what came of a job.
fn take_one(job: &Job, end: &End, terms: &Terms, results: &Results) -> anyhow::Result<()> {
    let name = scenario_name(job);
    let ended = serde_json::from_slice(&end.bytes)
        .with_context(|| format!("{}: what came of it cannot be read", job.id))?;
    match ended {
        Ended::Played(played) => results.keep(name, &played),
        Ended::Aside(reasons) => {
            let error = format!("it was set aside after {} attempts: {}", reasons.len(), reasons.join("; "));
            results.keep(name, &not_played(job, &terms.set_up.models, SET_ASIDE, &error)?)
        }
    }
}

async fn put_missing(
    work: &Work,
    batch: &str,
    said: &[u8],
    left: &BTreeMap<String, Job>,
) -> anyhow::Result<()> {
    work.make_again().await?;
    // Without it a worker takes what it is given for jobs of a batch that was erased.
    work.begin(batch, said.to_vec()).await?;
    // In this order: a job that ends between the two is in one of them.
    let (waiting, ended) = (work.left(batch).await?, work.ended(batch).await?);
    let is_missing = |job: &&Job| !waiting.contains(&job.id) && !ended.contains(&job.id);
    put(work, batch, left.values().filter(is_missing).cloned()).await
}

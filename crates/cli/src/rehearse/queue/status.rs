//! How far a queue's batches are, and who plays them.

use std::collections::BTreeMap;

use clap::Args;
use jetstream::work::{Counts, Work};
use serde_json::json;

use super::{At, Beat, workers};

#[derive(Args, Debug)]
pub struct StatusOptions {
    #[command(flatten)]
    at: At,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Prints it.
///
/// # Errors
/// When no server answers.
pub async fn status(options: StatusOptions) -> anyhow::Result<()> {
    let space = options.at.space().await?;
    let (mut counts, mut seen) = (Counts::default(), BTreeMap::new());
    if let Some(work) = Work::find(&space, "jobs").await? {
        counts = work.counts().await?;
        for value in workers(&space).await?.all().await? {
            // One that has left, or of a version that says other things.
            let Ok(beat) = serde_json::from_slice::<Beat>(&value.bytes) else { continue };
            seen.insert(value.key, beat);
        }
    }
    let batches = batches(&counts, &seen);
    if options.json {
        let workers: Vec<_> = seen.iter().map(|(name, beat)| json!({"name": name, "is": beat})).collect();
        println!("{}", json!({"batches": batches, "workers": workers}));
    } else {
        print!("{}", table(&batches, &seen));
    }
    Ok(())
}

/// A batch, in jobs.
#[derive(Debug, PartialEq, Eq, serde::Serialize)]
struct Batch {
    batch: String,
    waiting: u64,
    held: u64,
    done: u64,
    aside: u64,
}

/// What is held is what workers said a beat ago: the servers count it for all batches together, and with what was given back.
fn batches(counts: &Counts, seen: &BTreeMap<String, Beat>) -> Vec<Batch> {
    let of = |(name, counts): (&String, &jetstream::work::BatchCounts)| {
        let all = seen.values().flat_map(|beat| &beat.holds);
        let held = (all.filter(|holds| holds.batch == *name).count() as u64).min(counts.left);
        Batch {
            batch: name.clone(),
            waiting: counts.left - held,
            held,
            done: counts.ended.saturating_sub(counts.aside),
            aside: counts.aside,
        }
    };
    counts.batches.iter().map(of).collect()
}

fn table(batches: &[Batch], seen: &BTreeMap<String, Beat>) -> String {
    let mut text = format!("{:32} {:>8} {:>6} {:>8} {:>6}\n", "batch", "waiting", "held", "done", "aside");
    for Batch { batch, waiting, held, done, aside } in batches {
        text.push_str(&format!("{batch:32} {waiting:>8} {held:>6} {done:>8} {aside:>6}\n"));
    }
    let mut total = 0;
    for Beat { host, process, parallel, played, holds, .. } in seen.values() {
        total += parallel;
        let jobs: Vec<&str> = holds.iter().map(|holds| holds.job.as_str()).collect();
        // What controls a terminal is not written to one.
        let jobs: String = jobs.join(", ").chars().filter(|letter| !letter.is_control()).collect();
        text.push_str(&format!("{host} {process}: {parallel} at once, {played} played; plays {jobs}\n"));
    }
    text.push_str(&format!("{} workers, {total} at once\n", seen.len()));
    text
}

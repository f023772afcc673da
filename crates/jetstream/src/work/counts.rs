//! How far a queue is, as its servers count.

use std::collections::BTreeMap;

use async_nats::jetstream::stream::Stream;
use futures::TryStreamExt;
use store::StoreError;

use super::{WORKERS, Work};
use crate::wire;

/// How far a queue is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The batches that something is there of, by name.
    pub batches: BTreeMap<String, BatchCounts>,
    /// Jobs that are held now, of all batches; the servers count those that failed or were given back until they are taken again.
    pub held: u64,
}

/// How far a batch is, in jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchCounts {
    /// Those that wait or are held.
    pub left: u64,
    /// Those that have an end, set aside or not.
    pub ended: u64,
    /// Those of them that were set aside.
    pub aside: u64,
}

impl Work {
    /// How far all is. The counts are of different moments: a job may be counted as left and as ended.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn counts(&self) -> Result<Counts, StoreError> {
        let mut batches: BTreeMap<String, BatchCounts> = BTreeMap::new();
        let jobs = subjects(&self.jobs, &format!("{}.>", self.jobs_root)).await?;
        for batch in jobs.iter().filter_map(|subject| nth(subject, &self.jobs_root, 0)) {
            batches.entry(batch.to_owned()).or_default().left += 1;
        }
        for kind in ["batch", "end", "aside"] {
            for subject in subjects(&self.ends, &format!("{}.{kind}.>", self.ends_root)).await? {
                let Some(batch) = nth(&subject, &self.ends_root, 1) else { continue };
                let counts = batches.entry(batch.to_owned()).or_default();
                counts.ended += u64::from(kind == "end");
                counts.aside += u64::from(kind == "aside");
            }
        }
        let held = self.jobs.consumer_info(WORKERS).await.map_err(wire::failed("the queue"))?.num_ack_pending;
        Ok(Counts { batches, held: held as u64 })
    }
}

/// A part of a subject after its root.
fn nth<'a>(subject: &'a str, root: &str, nth: usize) -> Option<&'a str> {
    subject.strip_prefix(root)?.strip_prefix('.')?.split('.').nth(nth)
}

/// The subjects of a stream's messages, where they match.
pub(super) async fn subjects(stream: &Stream, filter: &str) -> Result<Vec<String>, StoreError> {
    let subjects = stream.info_with_subjects(filter).await.map_err(wire::failed("the queue"))?;
    let subjects = subjects.map_ok(|(subject, _count)| subject).try_collect().await;
    subjects.map_err(wire::failed("the queue"))
}

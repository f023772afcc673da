//! A work queue: jobs of batches, which workers on any machine take, hold while they work, and end with a result that stands once.
//!
//! Jobs are in a stream that forgets them as they are acknowledged; what came of them, and what is said of batches, is in a second one.
//! An acknowledgement does not tell who gives it: whoever held a job too long may still end it. So what counts is the end alone, which is the
//! first message of its subject or none (`Nats-Expected-Last-Subject-Sequence: 0`). Start at [`Work::take`].

mod counts;
mod held;
mod whole;

use std::collections::BTreeSet;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::pull::OrderedConfig;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, DeliverPolicy, pull};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use futures::StreamExt;
use store::StoreError;

use crate::space::{Space, check_name};
use crate::wire::{self, Sent};

pub use counts::{BatchCounts, Counts};
pub use held::Held;

/// The consumer that all workers share.
const WORKERS: &str = "workers";

/// How many jobs may be held at once, by all workers together.
const MOST_HELD: i64 = 100_000;

/// Says that an end is no result: the job was set aside.
const ASIDE: &str = "Satchel-Aside";

/// How a queue is kept. Who opens it first says so for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkOptions {
    /// How long a job is held that nobody extends; then it is given again.
    pub hold: Duration,
    /// After how long all is forgotten that nobody has erased.
    pub forget_after: Duration,
}

impl Default for WorkOptions {
    /// Holds of ten seconds, and what was left behind goes after 30 days.
    fn default() -> Self {
        Self { hold: Duration::from_secs(10), forget_after: Duration::from_secs(30 * 24 * 60 * 60) }
    }
}

/// The end of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The job.
    pub id: String,
    /// Whether it was set aside.
    pub is_aside: bool,
    /// What came of it, in its worker's words.
    pub bytes: Bytes,
}

/// A queue in a [`Space`]. A clone is the same queue.
#[derive(Clone)]
pub struct Work {
    space: Space,
    jobs: Stream,
    ends: Stream,
    consumer: Consumer<pull::Config>,
    /// How all of it is made.
    configs: [stream::Config; 2],
    workers: pull::Config,
    /// What the subjects of jobs begin with.
    jobs_root: String,
    /// What all others begin with.
    ends_root: String,
}

impl Work {
    /// Opens a queue by its name (letters, digits, `-` and `_`); it is made where it is not there.
    ///
    /// # Errors
    /// `Other` for a name that cannot be one; as every request else.
    pub async fn open(space: &Space, name: &str, options: WorkOptions) -> Result<Self, StoreError> {
        check_name("a queue", name)?;
        let jobs_root = format!("satchel-work.{}.{name}", space.name());
        let ends_root = format!("satchel-ends.{}.{name}", space.name());
        let config = |kind: &str, root: &str, retention| stream::Config {
            name: format!("SATCHEL_{kind}-{}-{name}", space.name()),
            subjects: vec![format!("{root}.>")],
            retention,
            max_age: options.forget_after,
            storage: StorageType::File,
            num_replicas: space.replicas(),
            discard: DiscardPolicy::New,
            // What a follower has may be old: a leader answers.
            allow_direct: false,
            ..stream::Config::default()
        };
        let configs = [
            config("WORK", &jobs_root, RetentionPolicy::WorkQueue),
            config("ENDS", &ends_root, RetentionPolicy::Limits),
        ];
        let jobs = space.made("the queue", configs[0].clone()).await?;
        let ends = space.made("the queue", configs[1].clone()).await?;
        let workers = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: options.hold,
            max_ack_pending: MOST_HELD,
            ..pull::Config::default()
        };
        let consumer = jobs.get_or_create_consumer(WORKERS, workers.clone()).await;
        let consumer = consumer.map_err(wire::failed("the queue"))?;
        Ok(Self { space: space.clone(), jobs, ends, consumer, configs, workers, jobs_root, ends_root })
    }

    /// Makes what is gone of the queue, with nothing in it: servers may lose their disks. Who takes jobs has them again then.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn make_again(&self) -> Result<(), StoreError> {
        for config in &self.configs {
            let made = self.space.context.get_or_create_stream(config.clone()).await;
            made.map_err(wire::failed("the queue"))?;
        }
        let made = self.jobs.get_or_create_consumer(WORKERS, self.workers.clone()).await;
        made.map(drop).map_err(wire::failed("the queue"))
    }

    /// The queue of a name where somebody has opened it; nothing is made.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn find(space: &Space, name: &str) -> Result<Option<Self>, StoreError> {
        use async_nats::jetstream::context::GetStreamErrorKind::JetStream;
        check_name("a queue", name)?;
        match space.context.get_stream(format!("SATCHEL_ENDS-{}-{name}", space.name())).await {
            Ok(_) => Self::open(space, name, WorkOptions::default()).await.map(Some),
            Err(error) => match error.kind() {
                JetStream(why) if why.error_code() == ErrorCode::STREAM_NOT_FOUND => Ok(None),
                _ => Err(wire::failed("the queue")(error)),
            },
        }
    }

    /// How long a job is held that nobody extends.
    #[must_use]
    pub fn hold(&self) -> Duration {
        self.consumer.cached_info().config.ack_wait
    }

    /// Says what workers need for all jobs of a batch (letters, digits, `-` and `_`). What was said first stands.
    ///
    /// # Errors
    /// `Other` for a name that cannot be one; as every request else.
    pub async fn begin(&self, batch: &str, bytes: impl Into<Bytes>) -> Result<(), StoreError> {
        check_name("a batch", batch)?;
        let subject = format!("{}.batch.{batch}.said", self.ends_root);
        self.keep(batch, &subject, &self.space.new_id(), HeaderMap::new(), bytes.into()).await.map(drop)
    }

    /// What was said of a batch; `None` for one that was never begun, or is erased.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn said(&self, batch: &str) -> Result<Option<Bytes>, StoreError> {
        check_name("a batch", batch)?;
        self.kept(&format!("{}.batch.{batch}.said", self.ends_root)).await
    }

    /// Puts a job. Whether it is there now because of this: one that waits or is held is there once, however often it is put.
    ///
    /// # Errors
    /// `Quota` without room; as every request else. Whether it was put is seen when it is put again.
    pub async fn put(&self, batch: &str, id: &str, bytes: impl Into<Bytes>) -> Result<bool, StoreError> {
        check_name("a batch", batch)?;
        let (subject, message) =
            (format!("{}.{batch}.{}", self.jobs_root, key(id)), format!("{batch} {}", key(id)));
        let sent = self.keep(batch, &subject, &message, HeaderMap::new(), bytes.into()).await?;
        Ok(matches!(sent, Sent::At(_)))
    }

    /// The jobs of a batch that wait or are held.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn left(&self, batch: &str) -> Result<BTreeSet<String>, StoreError> {
        check_name("a batch", batch)?;
        let subjects = counts::subjects(&self.jobs, &format!("{}.{batch}.>", self.jobs_root)).await?;
        Ok(subjects.iter().filter_map(|subject| id(subject)).collect())
    }

    /// The jobs of a batch that have an end.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn ended(&self, batch: &str) -> Result<BTreeSet<String>, StoreError> {
        check_name("a batch", batch)?;
        let subjects = counts::subjects(&self.ends, &format!("{}.end.{batch}.>", self.ends_root)).await?;
        Ok(subjects.iter().filter_map(|subject| id(subject)).collect())
    }

    /// Whether a job has an end.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn is_ended(&self, batch: &str, id: &str) -> Result<bool, StoreError> {
        check_name("a batch", batch)?;
        let subject = format!("{}.end.{batch}.{}", self.ends_root, key(id));
        Ok(!counts::subjects(&self.ends, &subject).await?.is_empty())
    }

    /// Takes the next job, of whatever batch, and holds it; `None` where there is none for so long.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn take(&self, patience: Duration) -> Result<Option<Held>, StoreError> {
        // The servers end it; where they are gone nobody would.
        const MORE: Duration = Duration::from_secs(2);
        let asked = async {
            let batch = self.consumer.batch().max_messages(1).expires(patience).messages();
            let mut batch = batch.await.map_err(wire::failed("the queue"))?;
            batch.next().await.transpose().map_err(wire::failed("the queue"))
        };
        let Ok(message) = tokio::time::timeout(patience + MORE, asked).await else {
            return Err(wire::silent("the queue"));
        };
        match message? {
            Some(message) => Held::of(self, message).await.map(Some),
            None => Ok(None),
        }
    }

    /// Ends a job. Whether this is its end now: one that has an end already keeps it.
    ///
    /// # Errors
    /// `Quota` without room; as every request else. Whether it has its end is seen when it is ended again.
    pub async fn end(&self, batch: &str, end: End) -> Result<bool, StoreError> {
        check_name("a batch", batch)?;
        let subject = format!("{}.end.{batch}.{}", self.ends_root, key(&end.id));
        let mut headers = HeaderMap::new();
        if end.is_aside {
            headers.insert(ASIDE, "1");
        }
        // An id of its own: the job's would have the server take another's end for this one.
        let sent = self.keep(batch, &subject, &self.space.new_id(), headers, end.bytes).await?;
        let is_ours = matches!(sent, Sent::At(_) | Sent::Before(_));
        if is_ours && end.is_aside {
            let subject = format!("{}.aside.{batch}.{}", self.ends_root, key(&end.id));
            self.keep(batch, &subject, &self.space.new_id(), HeaderMap::new(), Bytes::new()).await?;
        }
        Ok(is_ours)
    }

    /// All ends of a batch that there are, and then each as it comes. It does not end: where the servers are gone it says so, and goes on
    /// when they are back.
    ///
    /// # Errors
    /// When it cannot be begun.
    pub async fn ends(
        &self,
        batch: &str,
    ) -> Result<impl futures::Stream<Item = Result<End, StoreError>> + use<>, StoreError> {
        check_name("a batch", batch)?;
        let config = OrderedConfig {
            filter_subject: format!("{}.end.{batch}.>", self.ends_root),
            deliver_policy: DeliverPolicy::All,
            ..OrderedConfig::default()
        };
        let consumer = self.ends.create_consumer(config).await.map_err(wire::failed("the ends"))?;
        let messages = consumer.messages().await.map_err(wire::failed("the ends"))?;
        let work = self.clone();
        Ok(messages.filter_map(move |message| {
            let work = work.clone();
            async move {
                let message = match message {
                    Ok(message) => message,
                    Err(error) => return Some(Err(wire::failed("the ends")(error))),
                };
                let headers = message.headers.clone().unwrap_or_default();
                let (id, is_aside) = (id(&message.subject)?, headers.get(ASIDE).is_some());
                let bytes = work.whole(&headers, message.payload.clone()).await;
                Some(bytes.map(|bytes| End { id, is_aside, bytes }))
            }
        }))
    }

    /// Erases a batch: what waits of it is never given, and nothing of it is left.
    ///
    /// # Errors
    /// When the servers do not answer; it is erased when it is erased again.
    pub async fn erase(&self, batch: &str) -> Result<(), StoreError> {
        check_name("a batch", batch)?;
        let purge = async |stream: &Stream, filter: String| {
            stream.purge().filter(filter).await.map(drop).map_err(wire::failed("the queue"))
        };
        purge(&self.jobs, format!("{}.{batch}.>", self.jobs_root)).await?;
        purge(&self.ends, format!("{}.*.{batch}.>", self.ends_root)).await
    }
}

/// A job's id as a part of a subject.
fn key(id: &str) -> String {
    URL_SAFE_NO_PAD.encode(id)
}

/// The id that a subject ends in; `None` for one that is none of ours.
fn id(subject: &str) -> Option<String> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(subject.rsplit('.').next()?).ok()?).ok()
}

//! A job that a worker holds.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::stream::RawMessageErrorKind;
use async_nats::jetstream::{AckKind, Message};
use bytes::Bytes;
use store::StoreError;

use super::{Work, id, key};
use crate::wire;

/// After how long a job is given again that failed: what it failed at may be over then.
const AGAIN: Duration = Duration::from_millis(500);

/// What is said of an attempt that nobody is to blame for.
const GIVEN_BACK: &str = "Satchel-Given-Back";

/// A job that was taken. It is held until the hold is over, it is done, or given back; dropping it does nothing.
pub struct Held {
    /// Its batch.
    pub batch: String,
    /// Its name in the batch.
    pub id: String,
    /// How often it was given, this time included: from 1.
    pub attempt: u64,
    /// What it is.
    pub bytes: Bytes,
    work: Work,
    message: Message,
}

impl Held {
    pub(super) async fn of(work: &Work, message: Message) -> Result<Self, StoreError> {
        let rest = message.subject.strip_prefix(&work.jobs_root).and_then(|rest| rest.strip_prefix('.'));
        let named = rest.and_then(|rest| Some((rest.split_once('.')?.0.to_owned(), id(rest)?)));
        let Some((batch, id)) = named else {
            let why = format!("{} is of somebody else: the subjects of a queue are its own", message.subject);
            return Err(StoreError::Damaged(why));
        };
        let delivered = message.info().map_err(wire::failed("the queue"))?.delivered;
        let headers = message.headers.clone().unwrap_or_default();
        let bytes = work.whole(&headers, message.payload.clone()).await?;
        let attempt = u64::try_from(delivered).unwrap_or(1);
        Ok(Self { batch, id, attempt, bytes, work: work.clone(), message })
    }

    /// Holds it for the whole time from now on. Whether somebody else has it meanwhile nobody can say: its end tells.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn extend(&self) -> Result<(), StoreError> {
        self.message.ack_with(AckKind::Progress).await.map_err(wire::failed("the hold"))
    }

    /// It is never given again. It has its end before this is called.
    ///
    /// # Errors
    /// When nobody answers; it may be given again then.
    pub async fn done(&self) -> Result<(), StoreError> {
        self.message.double_ack().await.map_err(wire::failed("the hold"))
    }

    /// It was not done, for this reason, which counts against it. It is given again.
    ///
    /// # Errors
    /// When nobody answers; it is given again when the hold is over.
    pub async fn failed(&self, why: &str) -> Result<(), StoreError> {
        self.note(HeaderMap::new(), why).await?;
        self.message.ack_with(AckKind::Nak(Some(AGAIN))).await.map_err(wire::failed("the hold"))
    }

    /// It was not done, and is not to blame: whoever held it leaves. It is given again at once.
    ///
    /// # Errors
    /// As [`Self::failed`].
    pub async fn give_back(&self) -> Result<(), StoreError> {
        let mut headers = HeaderMap::new();
        headers.insert(GIVEN_BACK, "1");
        self.note(headers, "").await?;
        self.message.double_ack_with(AckKind::Nak(None)).await.map_err(wire::failed("the hold"))
    }

    /// Why earlier attempts failed, in order. An attempt of which nobody said anything is one whose worker died.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn failures(&self) -> Result<Vec<String>, StoreError> {
        let mut failures = Vec::new();
        for attempt in 1..self.attempt {
            match self.work.ends.get_last_raw_message_by_subject(&self.noted(attempt)).await {
                Ok(note) if note.headers.get(GIVEN_BACK).is_some() => {}
                Ok(note) => failures.push(String::from_utf8_lossy(&note.payload).into_owned()),
                Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => {
                    failures.push("its worker died, or was not heard of while it held it".to_owned());
                }
                Err(error) => return Err(wire::failed("the notes")(error)),
            }
        }
        Ok(failures)
    }

    async fn note(&self, headers: HeaderMap, why: &str) -> Result<(), StoreError> {
        let (subject, new_id) = (self.noted(self.attempt), self.work.space.new_id());
        let why = Bytes::from(why.to_owned());
        self.work.keep(&self.batch, &subject, &new_id, headers, why).await.map(drop)
    }

    fn noted(&self, attempt: u64) -> String {
        format!("{}.note.{}.{}.{attempt}", self.work.ends_root, self.batch, key(&self.id))
    }
}

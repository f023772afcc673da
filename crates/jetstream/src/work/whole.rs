//! Bytes that may be longer than a message: what does not fit lies beside it in parts.

use async_nats::HeaderMap;
use async_nats::jetstream::stream::RawMessageErrorKind;
use bytes::{Bytes, BytesMut};
use store::StoreError;

use super::Work;
use crate::wire::{self, Sent};

/// What the parts of a message are called, and how many they are.
const PARTS: &str = "Satchel-Parts";

impl Work {
    /// Sends a message that is the first of its subject. Where it is not, its parts go.
    pub(super) async fn keep(
        &self,
        batch: &str,
        subject: &str,
        id: &str,
        mut headers: HeaderMap,
        bytes: Bytes,
    ) -> Result<Sent, StoreError> {
        let context = &self.space.context;
        let room = self.space.room();
        if bytes.len() <= room {
            return told(wire::publish(context, subject, id, 0, &headers, bytes).await?);
        }
        let name = self.space.new_id().replace('.', "-");
        let root = format!("{}.part.{batch}.{name}", self.ends_root);
        let (mut rest, mut count) = (bytes, 0_usize);
        while !rest.is_empty() {
            count += 1;
            let part = rest.split_to(room.min(rest.len()));
            let (subject, id) = (format!("{root}.{count}"), format!("{name} {count}"));
            told(wire::publish(context, &subject, &id, 0, &HeaderMap::new(), part).await?)?;
        }
        headers.insert(PARTS, format!("{name}/{count}").as_str());
        let sent = told(wire::publish(context, subject, id, 0, &headers, Bytes::new()).await?)?;
        if sent == Sent::Crossed {
            let purged = self.ends.purge().filter(format!("{root}.>")).await;
            purged.map_err(wire::failed("the queue"))?;
        }
        Ok(sent)
    }

    /// What was kept on a subject, whole.
    pub(super) async fn kept(&self, subject: &str) -> Result<Option<Bytes>, StoreError> {
        match self.ends.get_last_raw_message_by_subject(subject).await {
            Ok(there) => self.whole(&there.headers, there.payload).await.map(Some),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(wire::failed("the queue")(error)),
        }
    }

    /// A message's bytes with those of its parts.
    pub(super) async fn whole(&self, headers: &HeaderMap, bytes: Bytes) -> Result<Bytes, StoreError> {
        let Some(parts) = headers.get(PARTS) else { return Ok(bytes) };
        let (name, count) = parts.as_str().split_once('/').unwrap_or_default();
        let batch_and_name = format!("{}.part.*.{name}", self.ends_root);
        let mut whole = BytesMut::new();
        for number in 1..=count.parse().unwrap_or(0_usize) {
            let part = self.ends.get_last_raw_message_by_subject(&format!("{batch_and_name}.{number}")).await;
            whole.extend_from_slice(&part.map_err(wire::failed("a part of a message"))?.payload);
        }
        Ok(whole.freeze())
    }
}

/// What came of a message, where there is somebody who takes it.
fn told(sent: Sent) -> Result<Sent, StoreError> {
    if sent == Sent::Nowhere { Err(wire::silent("the queue")) } else { Ok(sent) }
}

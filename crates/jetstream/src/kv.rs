//! Values by key, each put only over what its writer has seen: leases, counters, states that servers share.
//!
//! A stream of our own with the last message of each subject, since the client's keys and values want a server of 2.10.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::consumer::pull::OrderedConfig;
use async_nats::jetstream::stream::{self, PurgeErrorKind, RawMessageErrorKind, StorageType, Stream};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use store::StoreError;

use crate::space::{Space, check_name};
use crate::wire::{self, Sent};

/// How a set of values is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KvOptions {
    /// After how long a value is forgotten that nobody has put again; never without.
    pub forget_after: Option<Duration>,
    /// Whether they are in the servers' memory only: quicker, and gone when all of them are restarted.
    pub in_memory: bool,
}

/// A value as it is in a [`Kv`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its key.
    pub key: String,
    /// Its place among everything that was ever put in this set: it grows with each put, of whatever key.
    pub revision: u64,
    /// Its bytes; empty for one that was taken away.
    pub bytes: Bytes,
}

/// A set of values in a [`Space`]. A clone is the same set.
#[derive(Clone)]
pub struct Kv {
    space: Space,
    stream: Stream,
    config: stream::Config,
    root: String,
}

impl Kv {
    /// Opens a set by its name (letters, digits, `-` and `_`); it is made where it is not there. The options are those it was made with.
    ///
    /// # Errors
    /// `Other` for a name that cannot be one; as every request else.
    pub async fn open(space: &Space, name: &str, options: KvOptions) -> Result<Self, StoreError> {
        check_name("a set of values", name)?;
        let root = format!("satchel-kv.{}.{name}", space.name());
        let config = stream::Config {
            name: format!("SATCHEL_KV-{}-{name}", space.name()),
            subjects: vec![format!("{root}.>")],
            max_messages_per_subject: 1,
            max_age: options.forget_after.unwrap_or_default(),
            storage: if options.in_memory { StorageType::Memory } else { StorageType::File },
            num_replicas: space.replicas(),
            // What a follower has may be old: a leader answers.
            allow_direct: false,
            ..stream::Config::default()
        };
        let stream = space.made("the values", config.clone()).await?;
        Ok(Self { space: space.clone(), stream, config, root })
    }

    /// Makes the set again, with nothing in it: it was in the memory of servers that were restarted, or somebody deleted it.
    async fn make_again(&self) -> Result<(), StoreError> {
        let made = self.space.context.get_or_create_stream(self.config.clone()).await;
        made.map(drop).map_err(wire::failed("the values"))
    }

    /// The value of a key; `None` where there is none.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn get(&self, key: &str) -> Result<Option<Value>, StoreError> {
        let subject = self.subject(key);
        match wire::asked(|| self.stream.get_last_raw_message_by_subject(&subject)).await {
            Ok(there) => {
                Ok(Some(Value { key: key.to_owned(), revision: there.sequence, bytes: there.payload }))
            }
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) if wire::is_gone(&error.kind()) => self.make_again().await.map(|()| None),
            Err(error) => Err(wire::failed("the values")(error)),
        }
    }

    /// Puts a value over the one at revision `over` (0: there is none), and gives its revision; `None` where somebody else was faster.
    ///
    /// # Errors
    /// When the servers do not answer; whether it was put is seen when it is read.
    pub async fn put(
        &self,
        key: &str,
        over: u64,
        bytes: impl Into<Bytes>,
    ) -> Result<Option<u64>, StoreError> {
        let (id, subject, none) = (self.space.new_id(), self.subject(key), HeaderMap::new());
        let bytes = bytes.into();
        let mut sent = wire::publish(&self.space.context, &subject, &id, over, &none, bytes.clone()).await?;
        if sent == Sent::Nowhere {
            self.make_again().await?;
            sent = wire::publish(&self.space.context, &subject, &id, over, &none, bytes).await?;
        }
        match sent {
            Sent::At(revision) | Sent::Before(revision) => Ok(Some(revision)),
            Sent::Crossed => Ok(None),
            Sent::Nowhere => Err(wire::silent("the values")),
        }
    }

    /// Takes away the value of a key, as far as it is not newer than this revision.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn take_away(&self, key: &str, revision: u64) -> Result<(), StoreError> {
        let taken = self.stream.purge().sequence(revision.saturating_add(1)).filter(self.subject(key)).await;
        match taken {
            Ok(_) => Ok(()),
            Err(error) if is_gone(&error.kind()) => Ok(()),
            Err(error) => Err(wire::failed("the values")(error)),
        }
    }

    /// All values there are now, in no order; what comes or goes meanwhile may be missing.
    ///
    /// # Errors
    /// When the servers do not answer.
    pub async fn all(&self) -> Result<Vec<Value>, StoreError> {
        let filter = format!("{}.>", self.root);
        let subjects = self.stream.info_with_subjects(filter).await.map_err(wire::failed("the values"))?;
        let subjects: Vec<(String, usize)> =
            subjects.try_collect().await.map_err(wire::failed("the values"))?;
        let mut values = Vec::new();
        for (subject, _count) in subjects {
            let Some(key) = key(&self.root, &subject) else { continue };
            values.extend(self.get(&key).await?);
        }
        Ok(values)
    }

    /// All values there are, and then each as it is put, in order of their revisions. It does not end: where the servers are gone it says
    /// so, and goes on when they are back.
    ///
    /// # Errors
    /// When it cannot be begun.
    pub async fn watch(
        &self,
    ) -> Result<impl futures::Stream<Item = Result<Value, StoreError>> + Send + use<>, StoreError> {
        let config = OrderedConfig {
            filter_subject: format!("{}.>", self.root),
            deliver_policy: DeliverPolicy::LastPerSubject,
            ..OrderedConfig::default()
        };
        let consumer = self.stream.create_consumer(config).await.map_err(wire::failed("the values"))?;
        let messages = consumer.messages().await.map_err(wire::failed("the values"))?;
        let root = self.root.clone();
        Ok(messages.filter_map(move |message| {
            let value = match message {
                Ok(message) => value(&root, &message).map(Ok),
                Err(error) => Some(Err(wire::failed("the values")(error))),
            };
            async move { value }
        }))
    }

    fn subject(&self, key: &str) -> String {
        format!("{}.{}", self.root, URL_SAFE_NO_PAD.encode(key))
    }
}

/// Whether there is no such set any more.
fn is_gone(error: &PurgeErrorKind) -> bool {
    matches!(error, PurgeErrorKind::JetStream(why) if why.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

/// A message as a value; `None` for one that is none of ours.
fn value(root: &str, message: &async_nats::jetstream::Message) -> Option<Value> {
    let key = key(root, &message.subject)?;
    Some(Value { key, revision: message.info().ok()?.stream_sequence, bytes: message.payload.clone() })
}

/// The key that a subject ends in.
fn key(root: &str, subject: &str) -> Option<String> {
    let key = subject.strip_prefix(root)?.strip_prefix('.')?;
    String::from_utf8(URL_SAFE_NO_PAD.decode(key).ok()?).ok()
}

//! Messages as journals write and read them.

use std::fmt::Display;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, DeliverPolicy, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{RawMessageError, RawMessageErrorKind, Stream};
use async_nats::jetstream::{Context, ErrorCode};
use bytes::Bytes;
use futures::StreamExt;
use store::StoreError;
use tokio::time::Instant;

/// How often a message is sent again whose answer was lost. It has an id: the server keeps one of them.
const TRIES: u32 = 4;

/// How long servers may take to choose a leader, who then reads its log.
pub const UNTIL_A_LEADER: Duration = Duration::from_secs(12);

/// How many messages are asked for one by one before a consumer is made for them: in a cluster making one takes as long as some dozens.
const FEW: usize = 32;

/// How many a consumer gives at once.
const BATCH: usize = 64;

/// How many of one that reads for several journals.
const TOGETHER: usize = 512;

/// How long the next message of many may take.
const PATIENCE: Duration = Duration::from_secs(10);

const KIND: &str = "Satchel-Kind";
const GROUP: &str = "Satchel-Group";
const PART: &str = "Satchel-Part";
const FIRST: &str = "Satchel-First";
const TOKEN: &str = "Satchel-Token";

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Entries that were appended.
    Append,
    /// All entries there are, as an erasure has left them: the first of a generation.
    Base,
    /// An erasure begins: nothing more comes to this generation.
    Seal,
    /// Somebody holds the journal from here on.
    Hold,
}

impl Kind {
    const ALL: [(Self, &str); 4] =
        [(Self::Append, "append"), (Self::Base, "base"), (Self::Seal, "seal"), (Self::Hold, "hold")];

    fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }
}

/// A message of a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its place in the stream.
    pub seq: u64,
    /// The generation, which its subject ends in.
    pub generation: u64,
    /// What it is.
    pub head: Head,
    /// Its bytes: a part of the group's.
    pub body: Bytes,
}

/// What a message says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// What it is.
    pub kind: Kind,
    /// Names all messages of one append.
    pub group: String,
    /// Which of them it is, from 1.
    pub part: usize,
    /// How many they are.
    pub parts: usize,
    /// The revision of the first entry; 0 where there is none.
    pub first: u64,
    /// The token of whoever wrote it; 0 for somebody without one.
    pub token: u64,
}

impl Head {
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(KIND, self.kind.word());
        headers.insert(GROUP, self.group.as_str());
        headers.insert(PART, format!("{}/{}", self.part, self.parts).as_str());
        headers.insert(FIRST, self.first.to_string().as_str());
        headers.insert(TOKEN, self.token.to_string().as_str());
        headers
    }

    /// `None` where it is no message of a journal.
    fn read(headers: &HeaderMap) -> Option<Self> {
        let text = |name| headers.get(name).map(async_nats::HeaderValue::as_str);
        let word = text(KIND)?;
        let (part, parts) = text(PART)?.split_once('/')?;
        Some(Self {
            kind: Kind::ALL.into_iter().find(|(_, known)| *known == word)?.0,
            group: text(GROUP)?.to_owned(),
            part: part.parse().ok()?,
            parts: parts.parse().ok()?,
            first: text(FIRST)?.parse().ok()?,
            token: text(TOKEN)?.parse().ok()?,
        })
    }
}

/// What came of a message that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It is there, at this place.
    At(u64),
    /// A message of this id was there before, at this place.
    Before(u64),
    /// Another message is the last one, not the one that was expected.
    Crossed,
    /// Nobody takes messages of this subject: the stream is gone, or has no leader yet.
    Nowhere,
}

/// Sends a message that has to follow the one at `after` on its subject, and says what came of it. Where the answer is lost it is sent again.
pub async fn send(
    context: &Context,
    subject: &str,
    id: &str,
    after: u64,
    head: &Head,
    body: Bytes,
) -> Result<Sent, StoreError> {
    publish(context, subject, id, after, &head.headers(), body).await
}

/// The same for a message with any headers.
pub async fn publish(
    context: &Context,
    subject: &str,
    id: &str,
    after: u64,
    headers: &HeaderMap,
    body: Bytes,
) -> Result<Sent, StoreError> {
    let (mut tries, until) = (0, Instant::now() + UNTIL_A_LEADER);
    loop {
        tries += 1;
        let message = PublishMessage::build()
            .headers(headers.clone())
            .payload(body.clone())
            .message_id(id)
            .expected_last_subject_sequence(after);
        let answer = match context.send_publish(subject.to_owned(), message).await {
            Ok(answer) => answer.await,
            Err(error) => Err(error),
        };
        let error = match answer {
            Ok(ack) if ack.duplicate => return Ok(Sent::Before(ack.sequence)),
            Ok(ack) => return Ok(Sent::At(ack.sequence)),
            Err(error) => error,
        };
        match error.kind() {
            PublishErrorKind::WrongLastSequence => return Ok(Sent::Crossed),
            PublishErrorKind::StreamNotFound if tries >= TRIES => return Ok(Sent::Nowhere),
            PublishErrorKind::StreamNotFound => {}
            PublishErrorKind::Other if is_full(&error) => return Err(StoreError::Quota),
            PublishErrorKind::Other if passes(&error) && Instant::now() < until => {}
            PublishErrorKind::TimedOut | PublishErrorKind::BrokenPipe if Instant::now() < until => {}
            PublishErrorKind::TimedOut | PublishErrorKind::BrokenPipe => return Err(silent("the journal")),
            _ => return Err(failed("the journal")(error)),
        }
        tokio::time::sleep(pause(tries)).await;
    }
}

/// How long it is until something is asked again.
pub fn pause(tries: u32) -> Duration {
    Duration::from_millis(100 << tries.min(3))
}

/// Whether there is no room left: on the server's disk, in the account, or of what the stream may take.
pub fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    // 10077: the stream's own limit, which the client has no name for.
    code(error).is_some_and(|code| {
        code == ErrorCode::INSUFFICIENT_RESOURCES
            || code == ErrorCode::STORAGE_RESOURCES_EXCEEDED
            || code == ErrorCode::STREAM_STORE_FAILED
            || code.0 == 10_077
    })
}

/// Whether there is no such stream any more.
pub fn is_gone(error: &RawMessageErrorKind) -> bool {
    matches!(error, RawMessageErrorKind::JetStream(why) if why.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

/// The same, of anything that was asked of it.
pub fn is_no_stream(error: &(dyn std::error::Error + 'static)) -> bool {
    code(error) == Some(ErrorCode::STREAM_NOT_FOUND)
}

/// Whether what a server says is so for a moment only: a message like this one is on its way through the cluster (10164 of its subject,
/// 10158 of its id), its leader is new and has not read its log yet (10163), there are too many requests just now (10167), or nobody
/// leads (10008).
fn passes(error: &(dyn std::error::Error + 'static)) -> bool {
    code(error).is_some_and(is_for_a_moment)
}

fn is_for_a_moment(code: ErrorCode) -> bool {
    matches!(code.0, 10_164 | 10_158 | 10_163 | 10_167 | 10_008)
}

/// Asks a stream for a message, again where that is refused for a moment, or nobody hears it while a leader is chosen.
pub async fn asked<T, F: Future<Output = Result<T, RawMessageError>>>(
    ask: impl Fn() -> F,
) -> Result<T, RawMessageError> {
    let (mut tries, until) = (0, Instant::now() + UNTIL_A_LEADER / 2);
    loop {
        tries += 1;
        match ask().await {
            Err(error) if error.kind() == RawMessageErrorKind::Other && Instant::now() < until => {}
            // The client has it in the kind, and not as the source.
            Err(error)
                if matches!(error.kind(), RawMessageErrorKind::JetStream(why) if is_for_a_moment(why.error_code()))
                    && Instant::now() < until => {}
            done => return done,
        }
        tokio::time::sleep(pause(tries)).await;
    }
}

/// What a server says is wrong.
fn code(error: &(dyn std::error::Error + 'static)) -> Option<ErrorCode> {
    let mut error = Some(error);
    while let Some(here) = error {
        if let Some(why) = here.downcast_ref::<async_nats::jetstream::Error>() {
            return Some(why.error_code());
        }
        error = here.source();
    }
    None
}

/// The last message on subjects; `None` where there is none, `Emptied` where the stream is gone.
pub async fn last(stream: &Stream<()>, subjects: &str) -> Result<Option<Message>, StoreError> {
    match asked(|| stream.get_last_raw_message_by_subject(subjects)).await {
        Ok(found) => Ok(Some(message(found.sequence, &found.subject, &found.headers, found.payload)?)),
        Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) if is_gone(&error.kind()) => Err(StoreError::Emptied),
        Err(error) => Err(failed("the journal")(error)),
    }
}

/// The messages on subjects from one place to another, both included, in order.
pub async fn stretch(
    stream: &Stream<()>,
    subjects: &str,
    from: u64,
    to: u64,
) -> Result<Vec<Message>, StoreError> {
    let mut found = Vec::new();
    let mut at = from;
    while at <= to && found.len() < FEW {
        match next(stream, subjects, at).await {
            Ok(next) if next.sequence > to => return Ok(found),
            Ok(next) => {
                at = next.sequence + 1;
                found.push(message(next.sequence, &next.subject, &next.headers, next.payload)?);
            }
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return Ok(found),
            Err(error) => return Err(failed("the journal")(error)),
        }
    }
    if at > to {
        return Ok(found);
    }
    // What is not there any more when the consumer comes to it is never given: it must know where to end.
    let Some(end) = last(stream, subjects).await?.map(|last| last.seq.min(to)) else { return Ok(found) };
    if at > end {
        return Ok(found);
    }
    let consumer = reader(stream, vec![subjects.to_owned()], at).await?;
    let read = many(&consumer, to, end, &mut found).await;
    // A server has only so many.
    drop(stream.delete_consumer(&consumer.cached_info().name).await);
    read?;
    // It may be at a server that is behind the leader, and have given all that there is there.
    let at = found.last().map_or(at, |last| last.seq + 1);
    match next(stream, subjects, at).await {
        Ok(next) if next.sequence <= end => Err(silent("the journal")),
        Err(error) if error.kind() != RawMessageErrorKind::NoMessageFound => {
            Err(failed("the journal")(error))
        }
        Ok(_) | Err(_) => Ok(found),
    }
}

/// The first message on subjects from a place on, as the leader has it.
async fn next(stream: &Stream<()>, subjects: &str, at: u64) -> Result<StreamMessage, RawMessageError> {
    asked(|| stream.raw_message_builder().sequence(at).next_by_subject(subjects).send()).await
}

/// All messages on any of these subjects, in order, with their subjects, by one consumer. What comes while they are read may be missing.
pub async fn all_on(
    stream: &Stream<()>,
    subjects: Vec<String>,
) -> Result<Vec<(String, Message)>, StoreError> {
    let consumer = reader(stream, subjects, 1).await?;
    let read = so_many(&consumer).await;
    drop(stream.delete_consumer(&consumer.cached_info().name).await);
    read
}

/// Takes as many as a consumer had to give when it was made.
async fn so_many(consumer: &Consumer<pull::Config>) -> Result<Vec<(String, Message)>, StoreError> {
    let mut left = consumer.cached_info().num_pending;
    let (mut found, mut expected) = (Vec::new(), 1);
    while left > 0 {
        let batch = consumer.batch().max_messages(TOGETHER).expires(PATIENCE).messages();
        let mut batch = batch.await.map_err(failed("the journal"))?;
        let before = left;
        while let Some(next) = batch.next().await {
            let next = next.map_err(failed("the journal"))?;
            let info = next.info().map_err(failed("the journal"))?;
            if info.consumer_sequence != expected {
                return Err(silent("the journal"));
            }
            expected += 1;
            // What was taken away since the consumer was made is never given.
            left = info.pending.min(left - 1);
            let headers = next.headers.clone().unwrap_or_default();
            let message = message(info.stream_sequence, &next.subject, &headers, next.payload.clone())?;
            found.push((next.subject.to_string(), message));
            if left == 0 {
                break;
            }
        }
        if left == before {
            return Err(silent("the journal"));
        }
    }
    Ok(found)
}

/// A consumer for one reading.
async fn reader(
    stream: &Stream<()>,
    filter_subjects: Vec<String>,
    start_sequence: u64,
) -> Result<Consumer<pull::Config>, StoreError> {
    let config = pull::Config {
        filter_subjects,
        deliver_policy: DeliverPolicy::ByStartSequence { start_sequence },
        ack_policy: AckPolicy::None,
        memory_storage: true,
        // It lives for one reading: the servers need not agree on where it is.
        num_replicas: 1,
        // For one that nobody takes away, because its program ended.
        inactive_threshold: PATIENCE,
        ..pull::Config::default()
    };
    let (mut tries, until) = (0, Instant::now() + UNTIL_A_LEADER / 2);
    loop {
        tries += 1;
        match stream.create_consumer(config.clone()).await {
            Ok(consumer) => return Ok(consumer),
            Err(_) if Instant::now() < until => tokio::time::sleep(pause(tries)).await,
            Err(error) => return Err(failed("the journal")(error)),
        }
    }
}

/// Takes what a consumer gives, up to one place, or to the end of what there is at another.
async fn many(
    consumer: &Consumer<pull::Config>,
    to: u64,
    end: u64,
    found: &mut Vec<Message>,
) -> Result<(), StoreError> {
    let mut expected = 1;
    loop {
        let batch = consumer.batch().max_messages(BATCH).expires(PATIENCE).messages();
        let mut batch = batch.await.map_err(failed("the journal"))?;
        let mut is_silent = true;
        while let Some(next) = batch.next().await {
            is_silent = false;
            let next = next.map_err(failed("the journal"))?;
            let info = next.info().map_err(failed("the journal"))?;
            let (seq, pending) = (info.stream_sequence, info.pending);
            // What was sent and lost is not sent again: a list with holes would pass for a journal.
            if info.consumer_sequence != expected {
                return Err(silent("the journal"));
            }
            expected += 1;
            if seq <= to {
                let headers = next.headers.clone().unwrap_or_default();
                found.push(message(seq, &next.subject, &headers, next.payload.clone())?);
            }
            if seq >= end || pending == 0 {
                return Ok(());
            }
        }
        if is_silent {
            return Err(silent("the journal"));
        }
    }
}

fn message(seq: u64, subject: &str, headers: &HeaderMap, body: Bytes) -> Result<Message, StoreError> {
    let generation = subject.rsplit('.').next().and_then(|text| text.parse().ok());
    let (Some(generation), Some(head)) = (generation, Head::read(headers)) else {
        let why =
            format!("message {seq} on {subject} is of somebody else: the subjects of a space are its own");
        return Err(StoreError::Damaged(why));
    };
    Ok(Message { seq, generation, head, body })
}

/// An error in the words of whoever failed.
pub fn failed<E: Display>(what: &str) -> impl FnOnce(E) -> StoreError {
    let what = what.to_owned();
    move |error| StoreError::Other(format!("{what} on NATS: {error}"))
}

/// Nobody answered in time.
pub fn silent(what: &str) -> StoreError {
    StoreError::Other(format!(
        "{what} on NATS did not answer in time; whether it was written is seen when it is read again"
    ))
}

//! The journal.
//!
//! ```text
//! satchel.<space>.<journal>.<generation>    the entries, in groups: an append is one message, or several where it is long
//! <journal>/snapshot                        (object) the packed tables
//! <journal>/blob/<name>                     (object) bytes by name
//! <journal>/copy/...                        (objects) the second copy: for the day the stream is gone
//! ```
//!
//! Messages are never altered, so an erasure makes a generation: it seals the one there is, writes what is left of all entries as the
//! first group of the next, and then has the server overwrite every message of the old one. A writer that has not seen the seal is
//! refused by it, as by any other writer that was faster.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use async_nats::jetstream::ErrorCode;
use async_trait::async_trait;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use serde::Serialize;
use store::{
    CallKey, Change, Damage, Durability, Journal, Loaded, Manifest, Rev, SecondCopy, Snapshot, StoreError,
    Tail,
};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::index::{Assembly, Index, Seal};
use crate::objects::Objects;
use crate::space::{Space, check_name};
use crate::together::Contents;
use crate::wire::{self, Head, Kind, Sent};

/// How often something is tried again that others were faster with.
const ROUNDS: u32 = 20;

/// How many messages are deleted at once.
const AT_ONCE: usize = 16;

/// The stream, however it is.
type Way = async_nats::jetstream::stream::Stream<()>;

/// A journal in a [`Space`]. Several programs may use one at the same time; what one of them holds ([`Self::held`]), only it writes.
///
/// A call that fails because no answer came may have written all the same: whoever calls again with the same key finds what was written.
pub struct JetStreamJournal {
    space: Space,
    name: String,
    token: u64,
    index: Mutex<Index>,
    fresh: Mutex<Fresh>,
    objects: Objects,
}

/// What the index was made of, for the first reading: whoever holds a journal reads it then, and it need not come twice.
#[derive(Default)]
struct Fresh {
    messages: Vec<wire::Message>,
    /// Nobody need be asked whether there is more before they are used: a hold follows on the last of them, or is about to.
    is_now: bool,
}

/// Lines that cannot be read, by revision.
type Unread = BTreeMap<Rev, Vec<u8>>;

/// What is left of an entry that cannot be read.
#[derive(Serialize)]
struct Blank<'a> {
    rev: Rev,
    key: &'a CallKey,
}

impl JetStreamJournal {
    /// Opens a journal by its name: letters, digits, `-` and `_`. It is there as soon as something is appended.
    ///
    /// # Errors
    /// `Other` for a name that cannot be one.
    pub fn open(space: &Space, name: &str) -> Result<Self, StoreError> {
        Self::held(space, name, 0)
    }

    /// The same for one that holds it, by a token that is larger than that of everyone who held it before (a revision of a lease).
    /// The first append says so in the journal, and from then on nobody with a smaller one can append: `Unavailable`.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn held(space: &Space, name: &str, token: u64) -> Result<Self, StoreError> {
        check_name("a journal", name)?;
        let objects = Objects::new(space, format!("{name}/"));
        Ok(Self {
            space: space.clone(),
            name: name.to_owned(),
            token,
            index: Mutex::default(),
            fresh: Mutex::default(),
            objects,
        })
    }

    /// The same for one whose messages were read together with those of others ([`Space::read_together`]). It is [held](Self::hold)
    /// before anything else: the hold is refused where something has come since, and then they are read anew.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn held_as_read(space: &Space, name: &str, token: u64, read: Contents) -> Result<Self, StoreError> {
        let mut journal = Self::held(space, name, token)?;
        let index = journal.index.get_mut();
        read.0.iter().cloned().for_each(|message| index.feed(message));
        *journal.fresh.get_mut() = Fresh { messages: read.0, is_now: true };
        Ok(journal)
    }

    /// Says in the journal that it is held from here on, which stops whoever held it before.
    ///
    /// # Errors
    /// `Unavailable` where somebody with a larger token holds it.
    pub async fn hold(&self) -> Result<(), StoreError> {
        let mut index = self.index.lock().await;
        let mut is_now = std::mem::take(&mut self.fresh.lock().await.is_now);
        for _ in 0..ROUNDS {
            if !is_now {
                self.catch_up(&mut index).await?;
            }
            self.finish(&mut index).await?;
            // What was read may be old: it is now if this can be written behind it, and not because it says so.
            if !self.is_held(&index)? {
                let group = format!("hold-{}", self.token);
                if self.write(&mut index, Kind::Hold, &group, 0, b"").await?.is_some() {
                    self.fresh.lock().await.is_now = true;
                    return Ok(());
                }
            } else if !is_now {
                return Ok(());
            }
            if std::mem::take(&mut is_now) {
                // Nobody has used what was read, and it is old: as if nothing was.
                *index = Index::default();
            }
        }
        Err(crowded())
    }

    /// Takes away everything of the journal. Whoever has it open finds it emptied, and begins no other under its name.
    ///
    /// # Errors
    /// When the servers do not answer: then some of it may be left, and called again it takes away the rest.
    pub async fn forget(&self) -> Result<(), StoreError> {
        if let Some(stream) = self.space.stream_if_there().await? {
            let purged = stream.purge().filter(self.subjects()).await;
            purged.map_err(wire::failed("the journal"))?;
        }
        for name in self.objects.names("").await? {
            self.objects.remove(&name).await?;
        }
        Ok(())
    }

    /// Whether the journal says that we hold it.
    fn is_held(&self, index: &Index) -> Result<bool, StoreError> {
        if index.token > self.token {
            let why = "somebody else holds this journal since, and goes on with it";
            return Err(StoreError::Unavailable(why.to_owned()));
        }
        Ok(index.token == self.token)
    }

    fn subject(&self, generation: u64) -> String {
        format!("{}.{}.{generation}", self.space.root(), self.name)
    }

    fn subjects(&self) -> String {
        format!("{}.{}.*", self.space.root(), self.name)
    }

    /// The stream. Where it is gone, what was in it is gone as well.
    async fn stream(&self, index: &Index) -> Result<Way, StoreError> {
        match self.space.stream_if_there().await? {
            Some(_) => {}
            None if index.is_new() => drop(self.space.stream().await?),
            None => return Err(StoreError::Emptied),
        }
        self.space.way().await
    }

    /// Takes in what others have written since, and says whether the journal is still the one it was.
    async fn catch_up(&self, index: &mut Index) -> Result<Way, StoreError> {
        let stream = self.space.way().await?;
        let subjects = self.subjects();
        for _ in 0..ROUNDS {
            let (at, group) = index.mark.clone();
            let last = match wire::last(&stream, &subjects).await {
                Err(StoreError::Emptied) if index.is_new() => {
                    self.space.stream().await?;
                    None
                }
                found => found?,
            };
            let Some(last) = last else {
                return if index.is_new() { Ok(stream) } else { Err(StoreError::Emptied) };
            };
            if (last.seq, &last.head.group) == (at, &group) {
                return Ok(stream);
            }
            if !index.is_new() && last.seq > at {
                // With the last one that was seen, if it is still there.
                let new = wire::stretch(&stream, &subjects, at, last.seq).await?;
                let is_same = new.first().is_some_and(|first| (first.seq, &first.head.group) == (at, &group))
                    && new.last().is_some_and(|newest| newest.seq == last.seq);
                if is_same {
                    new.into_iter().skip(1).for_each(|message| index.feed(message));
                    return Ok(stream);
                }
            }
            let all = wire::stretch(&stream, &subjects, 1, last.seq).await?;
            let is_whole = all.last().is_some_and(|newest| newest.seq == last.seq);
            let mut other = Index::default();
            *self.fresh.lock().await = Fresh { messages: all.clone(), is_now: false };
            all.into_iter().for_each(|message| other.feed(message));
            // An erasure that went on meanwhile may have taken away what was to be read, and put the rest behind it.
            let now = wire::last(&stream, &subjects).await?;
            if !is_whole || now.is_none_or(|now| now.generation > other.generation) {
                continue;
            }
            if !index.is_new() {
                if other.entries.is_empty() && !index.entries.is_empty() {
                    return Err(StoreError::Emptied);
                }
                if !index.is_left_in(&other) {
                    let why = "the journal was replaced while it was in use; start again to read what it has";
                    return Err(StoreError::Damaged(why.to_owned()));
                }
            }
            *index = other;
            return Ok(stream);
        }
        Err(crowded())
    }

    /// Writes a group behind everything that the index knows, and takes it in; its last place. `None` where another writer was faster.
    async fn write(
        &self,
        index: &mut Index,
        kind: Kind,
        group: &str,
        first: Rev,
        body: &[u8],
    ) -> Result<Option<u64>, StoreError> {
        // Whatever was caught up with since it was asked last.
        self.is_held(index)?;
        let generation = if kind == Kind::Base { index.generation + 1 } else { index.generation };
        let subject = self.subject(generation);
        let room = self.space.room();
        let parts = body.len().div_ceil(room).max(1);
        let mut after = index.tail(generation);
        let mut messages = Vec::with_capacity(parts);
        for part in 1..=parts {
            let from = (part - 1) * room;
            let piece = Bytes::copy_from_slice(&body[from..body.len().min(from + room)]);
            let head = Head { kind, group: group.to_owned(), part, parts, first, token: self.token };
            let id = format!("{}/{generation}/{group}/{part}/{after}", self.name);
            match self.send(index, &subject, &id, after, &head, &piece).await? {
                Some(seq) => after = seq,
                None => return Ok(None),
            }
            messages.push(wire::Message { seq: after, generation, head, body: piece });
        }
        messages.into_iter().for_each(|message| index.feed(message));
        Ok(Some(after))
    }

    /// Sends a part of a group behind a message; its place, or `None` where another writer was faster. Again where its stream is there
    /// and has no leader yet.
    async fn send(
        &self,
        index: &Index,
        subject: &str,
        id: &str,
        after: u64,
        head: &Head,
        piece: &Bytes,
    ) -> Result<Option<u64>, StoreError> {
        let send =
            async |id: &str| wire::send(&self.space.context, subject, id, after, head, piece.clone()).await;
        let until = Instant::now() + wire::UNTIL_A_LEADER;
        loop {
            let mut sent = send(id).await?;
            if let Sent::Before(_) = sent {
                // Ours, whose answer was lost; or one that was deleted since, which the server remembers for a while.
                let stream = self.stream(index).await?;
                let there = wire::stretch(&stream, subject, after + 1, u64::MAX).await?;
                sent = match there.first() {
                    Some(next) if next.head == *head && next.body == *piece => Sent::At(next.seq),
                    Some(_) => Sent::Crossed,
                    None => send(&format!("{id}/{}", self.space.context.client().new_inbox())).await?,
                };
            }
            match sent {
                Sent::At(seq) => return Ok(Some(seq)),
                Sent::Crossed | Sent::Before(_) => return Ok(None),
                Sent::Nowhere => {
                    // It says whether it is gone.
                    self.stream(index).await?;
                    if Instant::now() >= until {
                        return Err(wire::silent("the journal"));
                    }
                }
            }
        }
    }

    /// The messages of this generation from one place to another.
    async fn messages(
        &self,
        index: &Index,
        stream: &Way,
        start: u64,
        end: u64,
    ) -> Result<Vec<wire::Message>, StoreError> {
        let mut fresh = std::mem::take(&mut self.fresh.lock().await.messages);
        fresh.retain(|message| message.generation == index.generation);
        let has_all = fresh.first().is_some_and(|first| first.seq <= start)
            && fresh.last().is_some_and(|last| last.seq >= end);
        if has_all {
            fresh.retain(|message| (start..=end).contains(&message.seq));
            return Ok(fresh);
        }
        wire::stretch(stream, &self.subject(index.generation), start, end).await
    }

    /// A stretch of the journal, and the lines of it that cannot be read. Only with an index that has caught up.
    async fn tail(
        &self,
        index: &Index,
        stream: &Way,
        from: Rev,
        until: Rev,
    ) -> Result<(Tail, Unread), StoreError> {
        let mut tail = Tail::default();
        let mut unread = Unread::new();
        let places = index.entries.range(from.min(until)..until);
        let start = places.clone().map(|(_, place)| place.from).min();
        let end = places.clone().map(|(_, place)| place.to).max();
        let (Some(start), Some(end)) = (start, end) else { return Ok((tail, unread)) };
        let mut assembly = Assembly::default();
        let mut groups = BTreeMap::new();
        for message in self.messages(index, stream, start, end).await? {
            if let Some(group) = assembly.feed(message) {
                let lines: Vec<Vec<u8>> = group.lines().map(<[u8]>::to_vec).collect();
                groups.insert(group.to, lines);
            }
        }
        for (&rev, place) in places {
            tail.head = rev;
            let text = groups.get(&place.to).and_then(|lines| lines.get(place.line));
            let read = match (&place.damage, text) {
                (Some(why), _) => Err(why.clone()),
                (None, None) => Err("its message is gone".to_owned()),
                (None, Some(text)) => {
                    serde_json::from_slice::<Change>(text).map_err(|error| error.to_string())
                }
            };
            match read {
                Ok(change) if change.rev == rev => tail.changes.push(change),
                Ok(change) => {
                    tail.damaged.push(Damage { rev, why: format!("it says it is change {}", change.rev) });
                    unread.extend(text.map(|text| (rev, text.clone())));
                }
                Err(why) => {
                    tail.damaged.push(Damage { rev, why });
                    unread.extend(text.map(|text| (rev, text.clone())));
                }
            }
        }
        Ok((tail, unread))
    }

    /// A stretch of the journal as it is now.
    async fn caught_up_tail(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        let mut index = self.index.lock().await;
        let mut rounds = 0;
        // Once: nobody but us writes behind our own hold, and who takes it from us is seen with the next request.
        let mut is_now = std::mem::take(&mut self.fresh.lock().await.is_now);
        loop {
            let stream = match std::mem::take(&mut is_now) {
                true => self.space.way().await?,
                false => self.catch_up(&mut index).await?,
            };
            let generation = index.generation;
            let (tail, _) = self.tail(&index, &stream, from, until).await?;
            // What an erasure took away while it was read is elsewhere by now.
            if tail.damaged.is_empty() || rounds >= ROUNDS {
                return Ok(tail);
            }
            self.catch_up(&mut index).await?;
            if index.generation == generation {
                return Ok(tail);
            }
            rounds += 1;
        }
    }

    /// Ends an erasure that has begun, whoever began it, and takes away what is left of generations that are over.
    async fn finish(&self, index: &mut Index) -> Result<(), StoreError> {
        for _ in 0..ROUNDS {
            // As it is now: somebody else may have ended it since it was seen.
            if index.seal.is_none() {
                break;
            }
            let stream = self.catch_up(index).await?;
            let Some(seal) = index.seal.clone() else { break };
            let Some(first) = index.entries.keys().next().copied() else { break };
            let (tail, unread) = self.tail(index, &stream, 1, Rev::MAX).await?;
            if tail.damaged.iter().any(|damage| !unread.contains_key(&damage.rev)) {
                // It could be read when the index was made. It is not for an erasure to blank what only did not come.
                return Err(wire::silent("the journal"));
            }
            let body = left(index, tail, &unread, &seal)?;
            let group = format!("base-{}", self.space.context.client().new_inbox());
            if self.write(index, Kind::Base, &group, first, body.as_bytes()).await?.is_none() {
                self.catch_up(index).await?;
            }
        }
        if index.seal.is_some() {
            return Err(crowded());
        }
        if index.remains.is_empty() {
            return Ok(());
        }
        let stream = self.stream(index).await?;
        for generation in index.remains.clone() {
            let subject = self.subject(generation);
            let mut left = wire::stretch(&stream, &subject, 1, u64::MAX).await?;
            // The last one stays, the seal, which says nothing of anybody: on a subject without messages whoever has slept could begin anew.
            left.pop();
            futures::stream::iter(left.into_iter().map(|message| delete(&stream, message.seq)))
                .buffer_unordered(AT_ONCE)
                .try_collect::<Vec<()>>()
                .await?;
            index.remains.remove(&generation);
        }
        Ok(())
    }

    /// The revision of the last erasure, by all that the journal has now. Only for who may write: what is asked for is whether
    /// a snapshot is too old to be put.
    pub(crate) async fn erased(&self) -> Result<Rev, StoreError> {
        let mut index = self.index.lock().await;
        self.catch_up(&mut index).await?;
        self.is_held(&index)?;
        Ok(index.erased)
    }
}

/// All entries, without what an erasure takes, as lines.
fn left(index: &Index, tail: Tail, unread: &Unread, seal: &Seal) -> Result<String, StoreError> {
    let damaged: BTreeSet<Rev> = tail.damaged.iter().map(|damage| damage.rev).collect();
    let mut changes = tail.changes.into_iter().peekable();
    let mut body = String::new();
    for rev in index.entries.keys() {
        let line = if let Some(raw) = unread.get(rev).filter(|_| *rev >= seal.before) {
            // Of a newer build, perhaps.
            Ok(String::from_utf8_lossy(raw).into_owned())
        } else if damaged.contains(rev) {
            let unreadable = CallKey(format!("unreadable/{rev}"));
            let key = index.keys.iter().find(|(_, other)| *other == rev).map_or(&unreadable, |(key, _)| key);
            serde_json::to_string(&Blank { rev: *rev, key })
        } else {
            let Some(change) = changes.next_if(|change| change.rev == *rev) else { continue };
            let left = if *rev < seal.before { change.without(&seal.tables) } else { None };
            serde_json::to_string(left.as_ref().unwrap_or(&change))
        };
        body.push_str(&line.map_err(|error| StoreError::Other(error.to_string()))?);
        body.push('\n');
    }
    Ok(body)
}

/// Overwrites a message on the servers' disks. One that is gone already is no error.
async fn delete(stream: &Way, seq: u64) -> Result<(), StoreError> {
    use async_nats::jetstream::stream::DeleteMessageErrorKind::JetStream;
    const GONE: [ErrorCode; 3] =
        [ErrorCode::NO_MESSAGE_FOUND, ErrorCode::SEQUENCE_NOT_FOUND, ErrorCode::STREAM_MESSAGE_DELETE_FAILED];
    match stream.delete_message(seq).await {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.kind(), JetStream(why) if GONE.contains(&why.error_code())) => Ok(()),
        Err(error) => Err(wire::failed("what was erased")(error)),
    }
}

fn crowded() -> StoreError {
    StoreError::Other("others write to this journal without a pause; try again".to_owned())
}

#[async_trait(?Send)]
impl Journal for JetStreamJournal {
    async fn load(&self) -> Result<Loaded, StoreError> {
        let snapshot = self.objects.snapshot().await?;
        let from = snapshot.as_ref().map_or(0, |snapshot| snapshot.rev).saturating_add(1);
        Ok(Loaded { snapshot, tail: self.caught_up_tail(from, Rev::MAX).await? })
    }

    async fn read(&self, from: Rev, until: Rev) -> Result<Tail, StoreError> {
        self.caught_up_tail(from, until).await
    }

    async fn by_key(&self, key: &CallKey) -> Result<Option<Change>, StoreError> {
        let found = {
            let mut index = self.index.lock().await;
            self.catch_up(&mut index).await?;
            index.keys.get(key).copied()
        };
        let Some(rev) = found else { return Ok(None) };
        let Tail { mut changes, damaged, .. } = self.caught_up_tail(rev, rev.saturating_add(1)).await?;
        match damaged.first() {
            Some(Damage { rev, why }) => {
                Err(StoreError::Damaged(format!("change {rev} of the journal {}: {why}", self.name)))
            }
            None => Ok(changes.pop()),
        }
    }

    async fn append(&self, changes: &[Rc<Change>], _durability: Durability) -> Result<(), StoreError> {
        let Some(first) = changes.first() else { return Ok(()) };
        let mut body = String::new();
        for change in changes {
            let line =
                serde_json::to_string(&**change).map_err(|error| StoreError::Other(error.to_string()))?;
            body.push_str(&line);
            body.push('\n');
        }
        // The same for a call that is made again, with another for one that another revision is free for.
        let group = format!("{}-{}", first.rev, store::content_hash(body.as_bytes()));
        let mut index = self.index.lock().await;
        for _ in 0..ROUNDS {
            if index.is_new() {
                self.catch_up(&mut index).await?;
            }
            let is_held = self.is_held(&index)?;
            self.finish(&mut index).await?;
            if !is_held {
                let hold = format!("hold-{}", self.token);
                if self.write(&mut index, Kind::Hold, &hold, 0, b"").await?.is_none() {
                    self.catch_up(&mut index).await?;
                    continue;
                }
            }
            let (mut revs, mut keys) = (BTreeSet::new(), BTreeSet::new());
            for change in changes {
                let taken = index.entries.contains_key(&change.rev) || index.keys.contains_key(&change.key);
                if taken || !revs.insert(change.rev) || !keys.insert(&change.key) {
                    return Err(StoreError::Conflict);
                }
            }
            if self.write(&mut index, Kind::Append, &group, first.rev, body.as_bytes()).await?.is_some() {
                return Ok(());
            }
            // Somebody was faster: perhaps with these revisions, perhaps with nothing that is in the way.
            self.catch_up(&mut index).await?;
        }
        Err(crowded())
    }

    async fn erase(&self, tables: &[String], before: Rev) -> Result<(), StoreError> {
        let mut index = self.index.lock().await;
        for _ in 0..ROUNDS {
            let stream = self.catch_up(&mut index).await?;
            self.is_held(&index)?;
            self.finish(&mut index).await?;
            let (tail, _) = self.tail(&index, &stream, 1, before).await?;
            let is_blank = |rev: &Rev| index.entries.get(rev).is_some_and(|place| place.is_blank);
            let is_left = tail.changes.iter().any(|change| change.without(tables).is_some())
                || tail.damaged.iter().any(|damage| !is_blank(&damage.rev));
            if !is_left {
                return Ok(());
            }
            let seal = Seal { tables: tables.to_vec(), before };
            let body = serde_json::to_vec(&seal).map_err(|error| StoreError::Other(error.to_string()))?;
            let group = format!("seal-{}", self.space.context.client().new_inbox());
            if self.write(&mut index, Kind::Seal, &group, 0, &body).await?.is_some() {
                return self.finish(&mut index).await;
            }
        }
        Err(crowded())
    }

    async fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        if snapshot.rev < self.erased().await? {
            return Ok(());
        }
        self.objects.put_snapshot(snapshot).await?;
        if snapshot.rev < self.erased().await? {
            // Somebody erased while it was written: it has what is gone.
            self.objects.forget_snapshot().await?;
        }
        Ok(())
    }

    async fn write_back(&self, snapshot: &Snapshot, changes: &[Rc<Change>]) -> Result<bool, StoreError> {
        {
            let mut index = self.index.lock().await;
            match self.catch_up(&mut index).await {
                Err(StoreError::Emptied) => {}
                Ok(_) if index.is_new() => {}
                Ok(_) | Err(StoreError::Damaged(_)) => return Ok(false),
                Err(error) => return Err(error),
            }
            *index = Index::default();
        }
        self.space.stream().await?;
        self.space.objects().await?;
        self.objects.put_snapshot(snapshot).await?;
        match self.append(changes, Durability::Strict).await {
            Err(StoreError::Conflict) => Ok(false),
            outcome => outcome.map(|()| true),
        }
    }

    async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.objects.blob(hash).await
    }

    async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.objects.put_blob(hash, bytes).await
    }

    async fn blob_names(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        self.objects.blob_names(prefix).await
    }

    async fn delete_blob(&self, name: &str) -> Result<(), StoreError> {
        self.objects.delete_blob(name).await
    }

    async fn manifest(&self) -> Result<Option<Manifest>, StoreError> {
        self.objects.manifest().await
    }

    async fn second_copy(&self) -> Result<Option<SecondCopy>, StoreError> {
        self.objects.second_copy().await
    }

    async fn put_second_copy(
        &self,
        manifest: &Manifest,
        tail: &[Change],
        snapshot: Option<&Snapshot>,
    ) -> Result<bool, StoreError> {
        let erased = match self.erased().await {
            Err(StoreError::Emptied) => 0,
            other => other?,
        };
        if manifest.rev < erased {
            // It has what is erased.
            return Ok(true);
        }
        self.objects.put_second_copy(manifest, tail, snapshot).await.map(|()| true)
    }
}

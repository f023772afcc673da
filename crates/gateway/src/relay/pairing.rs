//! One pairing: what the page is told, and the requests under way.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::RelayLimits;
use super::secret::Hashed;

/// A line for the page, and the place of the request it is about: held until the line is out.
pub(super) struct Line {
    pub(super) json: String,
    _place: Option<Arc<OwnedSemaphorePermit>>,
}

/// Status and headers of an answer; its body follows as a stream.
pub(super) struct Head {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
}

/// A piece of an answer that waits to be taken.
pub(super) type Piece = Result<Arc<Slot>, Cut>;

/// A piece's bytes, and its share of what may wait: both are gone when it is taken, or taken back for others.
pub(super) struct Slot(Mutex<Option<(Bytes, OwnedSemaphorePermit)>>);

impl Slot {
    /// The bytes.
    ///
    /// # Errors
    /// The room was needed: the answer is cut.
    pub(super) fn take(&self) -> Result<Bytes, Cut> {
        self.emptied().map(|(bytes, _)| bytes).ok_or(Cut::NotTaken)
    }

    fn emptied(&self) -> Option<(Bytes, OwnedSemaphorePermit)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn bytes(&self) -> usize {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.as_ref().map_or(0, |(bytes, _)| bytes.len())
    }
}

/// Why an answer ends before its end. Its body is broken off, so that nobody takes it for complete.
#[derive(Debug, Error)]
pub(super) enum Cut {
    #[error("the page broke it off")]
    ByPage,
    #[error("the page is gone")]
    PageGone,
    #[error("the answer is too large")]
    TooLarge,
    #[error("the answer takes too long")]
    TooLong,
    #[error("the answer was not read, and others needed the room")]
    NotTaken,
}

/// What became of a part of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It goes on to the program.
    Passed,
    /// There is no such request, or it is answered: nothing was done.
    Unknown,
    /// Not at this point of the answer: nothing was done.
    OutOfTurn,
    /// The answer was cut here, being too large.
    TooLarge,
}

/// A request that is not answered to its end.
struct Call {
    head: Option<oneshot::Sender<Head>>,
    body: UnboundedSender<Piece>,
    /// What may still wait to be taken.
    slots: Vec<Weak<Slot>>,
    bytes: usize,
    place: Arc<OwnedSemaphorePermit>,
}

/// What waits for an answer.
pub(super) struct Waiting {
    pub(super) head: oneshot::Receiver<Head>,
    pub(super) body: UnboundedReceiver<Piece>,
    /// Dropped before the answer's end, it tells the page to give the request up.
    pub(super) interest: Interest,
}

/// A program's interest in its answer.
pub(super) struct Interest {
    id: u64,
    pairing: Arc<Pairing>,
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.pairing.give_up(self.id);
    }
}

#[derive(Default)]
struct Calls {
    /// None once the pairing is over.
    to_page: Option<UnboundedSender<Line>>,
    under_way: BTreeMap<u64, Call>,
    /// What may wait of answers that are complete and not read yet.
    ended: Vec<Vec<Weak<Slot>>>,
    last_id: u64,
}

/// A page and the programs that may ask it.
pub(super) struct Pairing {
    pub(super) token: Hashed,
    pub(super) secret: Hashed,
    limits: RelayLimits,
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    calls: Mutex<Calls>,
}

/// The right to one request.
pub(super) struct Place(Arc<OwnedSemaphorePermit>);

impl Pairing {
    /// A pairing, and what the page is told.
    pub(super) fn new(
        token: Hashed,
        secret: Hashed,
        limits: RelayLimits,
    ) -> (Arc<Self>, UnboundedReceiver<Line>) {
        let (to_page, lines) = unbounded_channel();
        let pairing = Self {
            token,
            secret,
            limits,
            places: Arc::new(Semaphore::new(limits.requests)),
            waiting: Arc::new(Semaphore::new(limits.waiting_bytes)),
            calls: Mutex::new(Calls { to_page: Some(to_page), ..Calls::default() }),
        };
        (Arc::new(pairing), lines)
    }

    /// A place for one more request, if there is one.
    pub(super) fn place(&self) -> Option<Place> {
        Arc::clone(&self.places).try_acquire_owned().ok().map(|place| Place(Arc::new(place)))
    }

    /// Passes a request on to the page; `request` is all of it but the id. None when the page is gone.
    pub(super) fn pass(self: &Arc<Self>, Place(place): Place, mut request: Value) -> Option<Waiting> {
        let (send_head, head) = oneshot::channel();
        let (send_body, body) = unbounded_channel();
        let mut calls = self.calls();
        calls.last_id += 1;
        let id = calls.last_id;
        request["id"] = id.into();
        let line = Line { json: request.to_string(), _place: Some(Arc::clone(&place)) };
        calls.to_page.as_ref()?.send(line).ok()?;
        calls
            .under_way
            .insert(id, Call { head: Some(send_head), body: send_body, slots: Vec::new(), bytes: 0, place });
        Some(Waiting { head, body, interest: Interest { id, pairing: Arc::clone(self) } })
    }

    /// The beginning of an answer.
    pub(super) fn head(&self, id: u64, head: Head) -> Taken {
        let mut calls = self.calls();
        let Some(call) = calls.under_way.get_mut(&id) else { return Taken::Unknown };
        let Some(waiter) = call.head.take() else { return Taken::OutOfTurn };
        // Who no longer waits has given up, or does so right now.
        drop(waiter.send(head));
        Taken::Passed
    }

    /// A piece of an answer.
    pub(super) fn piece(&self, id: u64, piece: Bytes) -> Taken {
        let mut calls = self.calls();
        let Some(call) = calls.under_way.get_mut(&id) else { return Taken::Unknown };
        if call.head.is_some() {
            return Taken::OutOfTurn;
        }
        call.bytes = call.bytes.saturating_add(piece.len());
        let length = u32::try_from(piece.len()).ok().filter(|_| call.bytes <= self.limits.answer_bytes);
        let share = loop {
            let share =
                length.and_then(|length| Arc::clone(&self.waiting).try_acquire_many_owned(length).ok());
            if share.is_some() || length.is_none() {
                break share;
            }
            // One that is not read must not cost the others theirs: those that are complete make room, then the one that
            // holds most.
            if calls.empty_ended() {
                continue;
            }
            match calls.most_waiting() {
                Some(most) if most != id => calls.empty(most),
                Some(_) | None => break None,
            }
        };
        let Some((share, call)) = share.zip(calls.under_way.get_mut(&id)) else {
            drop(calls);
            self.cut(id, Cut::TooLarge);
            return Taken::TooLarge;
        };
        let slot = Arc::new(Slot(Mutex::new(Some((piece, share)))));
        call.slots.retain(|slot| slot.strong_count() > 0);
        call.slots.push(Arc::downgrade(&slot));
        drop(call.body.send(Ok(slot)));
        Taken::Passed
    }

    /// The end of an answer.
    pub(super) fn end_answer(&self, id: u64) -> Taken {
        let mut calls = self.calls();
        match calls.under_way.get(&id) {
            None => Taken::Unknown,
            Some(call) if call.head.is_some() => Taken::OutOfTurn,
            Some(_) => {
                if let Some(call) = calls.under_way.remove(&id) {
                    calls.ended.retain(|slots| slots.iter().any(|slot| slot.strong_count() > 0));
                    calls.ended.push(call.slots);
                }
                Taken::Passed
            }
        }
    }

    /// The page cannot go on with an answer.
    pub(super) fn break_off(&self, id: u64) -> Taken {
        match self.calls().under_way.remove(&id) {
            None => Taken::Unknown,
            Some(call) => {
                drop(call.body.send(Err(Cut::ByPage)));
                Taken::Passed
            }
        }
    }

    /// Cuts an answer, and tells the page to give it up.
    pub(super) fn cut(&self, id: u64, why: Cut) {
        let mut calls = self.calls();
        if let Some(call) = calls.under_way.remove(&id) {
            drop(call.body.send(Err(why)));
            calls.tell_cancelled(id, call.place);
        }
    }

    /// Nobody waits for this answer any more.
    fn give_up(&self, id: u64) {
        let mut calls = self.calls();
        if let Some(call) = calls.under_way.remove(&id) {
            calls.tell_cancelled(id, call.place);
        }
    }

    /// Says why it is over, to a page that still listens.
    pub(super) fn say_ended(&self, why: &str) {
        if let Some(page) = &self.calls().to_page {
            drop(page.send(Line { json: json!({ "ended": why }).to_string(), _place: None }));
        }
    }

    /// The pairing is over: the page's stream ends, and so does everything under way.
    pub(super) fn end(&self) {
        let mut calls = self.calls();
        calls.to_page = None;
        for (_, call) in std::mem::take(&mut calls.under_way) {
            drop(call.body.send(Err(Cut::PageGone)));
        }
    }

    fn calls(&self) -> std::sync::MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Calls {
    /// The request of whose answer most bytes wait to be taken, if any do.
    fn most_waiting(&self) -> Option<u64> {
        let waiting =
            |call: &Call| call.slots.iter().filter_map(Weak::upgrade).map(|slot| slot.bytes()).sum::<usize>();
        let held = self.under_way.iter().map(|(id, call)| (waiting(call), *id));
        held.filter(|(bytes, _)| *bytes > 0).max().map(|(_, id)| id)
    }

    /// Takes back what was not taken of the complete answer of which most waits. False when there is none.
    fn empty_ended(&mut self) -> bool {
        let waiting = |slots: &Vec<Weak<Slot>>| {
            slots.iter().filter_map(Weak::upgrade).map(|slot| slot.bytes()).sum::<usize>()
        };
        let held = self.ended.iter().map(waiting).enumerate();
        let Some((at, bytes)) = held.max_by_key(|(_, bytes)| *bytes) else { return false };
        self.ended.swap_remove(at).iter().filter_map(Weak::upgrade).for_each(|slot| drop(slot.emptied()));
        bytes > 0
    }

    /// Cuts an answer and takes back what of it was not taken.
    fn empty(&mut self, id: u64) {
        if let Some(call) = self.under_way.remove(&id) {
            call.slots.iter().filter_map(Weak::upgrade).for_each(|slot| drop(slot.emptied()));
            drop(call.body.send(Err(Cut::NotTaken)));
            self.tell_cancelled(id, call.place);
        }
    }

    fn tell_cancelled(&self, id: u64, place: Arc<OwnedSemaphorePermit>) {
        if let Some(page) = &self.to_page {
            let json = json!({ "id": id, "cancel": true }).to_string();
            drop(page.send(Line { json, _place: Some(place) }));
        }
    }
}

//! A session: its journal, its events while it is in memory, and the run that answers its last message.

use std::cell::{Cell, Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use agent::{AgentConfig, Entry, EntryBody, Spent, Status};
use protocol::{CallId, RunId};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::StoreError;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use crate::cursor::Prefix;
use crate::feed::{Feed, in_usd, is_cut};
use crate::kept::{About, Ask, Kept, Piece, are_activity};
use crate::wire::{self, ErrorType, SessionState, SessionStatus};

/// A moment as RFC 3339 has it.
pub(crate) fn rfc3339(at_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(at_ms).unwrap_or(jiff::Timestamp::UNIX_EPOCH).to_string()
}

/// The run that a message with this key starts. It is the message's id, and the head of its calls' keys: said again it is the same,
/// in whatever process.
pub(crate) fn run_id(session: &str, key: &str) -> RunId {
    RunId(format!("run_{}", run_hex(session, key)))
}

fn run_hex(session: &str, key: &str) -> String {
    let hash = Sha256::digest(format!("{session}\n{key}").as_bytes());
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A message that was taken.
#[derive(Clone, Debug)]
struct Asked {
    /// What it said, as a hash; none for another try.
    said: Option<Prefix>,
    /// What is still to be done.
    open: Option<Ask>,
}

impl Asked {
    fn of(ask: &Ask) -> Self {
        Self { said: said(ask), open: Some(ask.clone()) }
    }
}

fn said(ask: &Ask) -> Option<Prefix> {
    match ask {
        Ask::Say { text } => Some(Prefix::of(text)),
        Ask::Retry => None,
    }
}

/// What a person decided.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Answer(Value),
    Approve,
    Allow,
    Deny,
}

/// A run that is under way.
struct Control {
    replies: mpsc::UnboundedSender<(CallId, Reply)>,
    /// The calls that were answered and may not know it yet.
    answered: BTreeSet<CallId>,
    /// None until it is on its way.
    task: Option<AbortHandle>,
}

/// A session of an owner.
pub(crate) struct Session {
    pub id: String,
    pub about: About,
    created_ms: i64,
    last_ms: Cell<i64>,
    used: Cell<Instant>,
    kept: Kept,
    asked: RefCell<BTreeMap<RunId, Asked>>,
    /// What it cost, in millionths of a US dollar, and what the request that is under way may cost beside that.
    spent: Cell<Cost>,
    /// None while it is on disk only (S4-27).
    feed: RefCell<Option<Feed>>,
    control: RefCell<Option<Control>>,
    changed: watch::Sender<()>,
    is_gone: Cell<bool>,
    /// A write failed, of which nobody knows whether it was done: the journal is asked before anything is built on it.
    is_doubtful: Cell<bool>,
    /// It waited for a person when it was left to the disk.
    waits: Cell<bool>,
}

/// What a session cost, as its journal tells it, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cost {
    known: u64,
    /// Of a request whose entry is not there yet: what it may cost, or what it did where it is over.
    open: u64,
}

impl Cost {
    fn reserve(self, micro_usd: u64) -> Self {
        // What was open in this process is over: whoever asks again has seen its end.
        Self { open: micro_usd, ..self }
    }

    fn take(self, entry: &Entry) -> Self {
        let known = self.known.saturating_add(cost(entry));
        match &entry.body {
            // It was under way when the run or the last process was ended, and no entry will say what it cost.
            _ if is_cut(entry) => Self { known: known.saturating_add(self.open), open: 0 },
            EntryBody::Resumed {} => Self { known: known.saturating_add(self.open), open: 0 },
            EntryBody::Response { .. } | EntryBody::Ended { .. } => Self { known, open: 0 },
            _ => Self { known, ..self },
        }
    }

    fn all(self) -> u64 {
        self.known.saturating_add(self.open)
    }
}

/// What a journal says of a session beside its events.
#[derive(Default)]
struct Said {
    about: Option<About>,
    asked: BTreeMap<RunId, Asked>,
    cost: Cost,
}

impl Said {
    fn of(pieces: &[Piece]) -> Self {
        let mut said = Self::default();
        for piece in pieces {
            match piece {
                Piece::About(about) => said.about = Some(about.clone()),
                Piece::Asked(run_id, ask) => drop(said.asked.insert(run_id.clone(), Asked::of(ask))),
                Piece::Reserved(_, micro_usd) => said.cost = said.cost.reserve(*micro_usd),
                Piece::Entry(entry) => {
                    said.cost = said.cost.take(entry);
                    if let (EntryBody::Ended { .. }, Some(asked)) =
                        (&entry.body, said.asked.get_mut(&entry.run_id))
                    {
                        asked.open = None;
                    }
                }
                Piece::Preview(..) | Piece::Warned(..) | Piece::Cut(..) => {}
            }
        }
        said
    }
}

impl Session {
    /// A new one, which is kept.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) async fn make(
        id: String,
        kept: Kept,
        about: About,
        config: &AgentConfig,
        now_ms: i64,
    ) -> Result<Self, StoreError> {
        kept.add(&[Piece::About(about.clone())], now_ms).await?;
        let feed = Feed::new(&id, config.clone());
        let session = Self::over(id, kept, about, now_ms);
        session.feed.replace(Some(feed));
        Ok(session)
    }

    /// One that was kept; none where it was never made whole.
    ///
    /// # Errors
    /// When its journal cannot be read.
    pub(crate) async fn read(id: String, kept: Kept) -> Result<Option<Self>, StoreError> {
        let read = kept.read().await?;
        let said = Said::of(&read.pieces);
        let Some(about) = said.about else { return Ok(None) };
        let session = Self::over(id, kept, about, read.first_ms);
        session.last_ms.set(read.last_ms);
        session.spent.set(said.cost);
        session.asked.replace(said.asked);
        Ok(Some(session))
    }

    fn over(id: String, kept: Kept, about: About, created_ms: i64) -> Self {
        Self {
            id,
            about,
            created_ms,
            last_ms: Cell::new(created_ms),
            used: Cell::new(Instant::now()),
            kept,
            asked: RefCell::default(),
            spent: Cell::default(),
            feed: RefCell::new(None),
            control: RefCell::new(None),
            changed: watch::Sender::new(()),
            is_gone: Cell::new(false),
            is_doubtful: Cell::new(false),
            waits: Cell::new(false),
        }
    }

    /// Brings it into memory.
    ///
    /// # Errors
    /// When its journal cannot be read.
    pub(crate) async fn load(&self, config: &AgentConfig) -> Result<(), StoreError> {
        self.used.set(Instant::now());
        let is_doubtful = self.is_doubtful.get() && !self.is_running();
        if self.feed.borrow().is_some() && !is_doubtful {
            return Ok(());
        }
        let read = self.kept.read().await?;
        let said = Said::of(&read.pieces);
        let mut feed = Feed::new(&self.id, config.clone());
        for piece in read.pieces {
            match piece {
                Piece::About(_) | Piece::Asked(..) | Piece::Reserved(..) => {}
                Piece::Entry(entry) => feed.take(entry),
                Piece::Preview(call_id, preview) => feed.preview(call_id, preview),
                Piece::Warned(run_id, warnings) => feed.warn(run_id, warnings),
                Piece::Cut(run_id, micro_usd) => feed.cut(run_id, micro_usd),
            }
        }
        // Somebody else may have cleared the doubt meanwhile, and what they built on it has gone on since.
        if is_doubtful && self.is_doubtful.get() && !self.is_running() {
            self.is_doubtful.set(false);
            // Also what was said to have failed and stands there: the next process would answer it.
            self.asked.replace(said.asked);
            self.spent.set(said.cost);
            self.last_ms.set(read.last_ms);
            self.feed.replace(Some(feed));
        } else {
            // Somebody else may have been quicker, and has gone on since.
            self.feed.borrow_mut().get_or_insert(feed);
        }
        Ok(())
    }

    /// Leaves it to the disk, where nobody uses it. A run that waits for a person is picked up again when they answer.
    pub(crate) fn unload(&self, unused: std::time::Duration) {
        let is_used = self.changed.receiver_count() > 0 || self.used.get().elapsed() < unused;
        if is_used || (self.is_running() && !self.is_waiting()) {
            return;
        }
        self.waits.set(self.is_waiting());
        self.stop();
        self.feed.replace(None);
    }

    /// Ends what runs, without an end in the log.
    fn stop(&self) {
        if let Some(Control { task: Some(task), .. }) = self.control.take() {
            task.abort();
        }
    }

    /// It is deleted: nothing is written any more, and who reads along is told no more.
    pub(crate) fn end(&self) {
        self.is_gone.set(true);
        self.stop();
        self.feed.replace(None);
        self.changed.send_replace(());
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.is_gone.get()
    }

    /// Its events, where it is in memory.
    pub(crate) fn feed(&self) -> Option<Ref<'_, Feed>> {
        Ref::filter_map(self.feed.borrow(), Option::as_ref).ok()
    }

    /// Changes its events, and tells who reads along.
    pub(crate) fn change<T>(&self, how: impl FnOnce(&mut Feed) -> T) -> Option<T> {
        let changed = self.feed.borrow_mut().as_mut().map(how);
        self.changed.send_replace(());
        changed
    }

    /// A run broke off in a defect of ours, in whatever it was about: nothing is believed of what is in memory.
    pub(crate) fn broke(&self, run_id: RunId, why: &str) {
        self.is_doubtful.set(true);
        // Where the defect was in the events themselves they are left alone.
        if let Ok(mut feed) = self.feed.try_borrow_mut()
            && let Some(feed) = feed.as_mut()
        {
            feed.break_off(run_id, ErrorType::InternalError, why);
        }
        if let Ok(mut control) = self.control.try_borrow_mut() {
            *control = None;
        }
        self.changed.send_replace(());
    }

    /// Tells when something changes.
    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// A run is under way in this process.
    pub(crate) fn is_running(&self) -> bool {
        self.control.borrow().is_some()
    }

    /// A message is not answered yet.
    pub(crate) fn is_busy(&self) -> bool {
        self.is_running() || self.open().is_some()
    }

    /// It waits for a person.
    pub(crate) fn is_waiting(&self) -> bool {
        // On disk only it is as it was when it was left there.
        self.feed().map_or(self.waits.get(), |feed| feed.state().status == Status::AwaitingApproval)
    }

    /// Whether nothing goes on before a person decides. One who was answered waits no more, also while that is not kept yet.
    pub(crate) fn is_left_to_person(&self) -> bool {
        let (control, none) = (self.control.borrow(), BTreeSet::new());
        let answered = control.as_ref().map_or(&none, |control| &control.answered);
        self.feed().is_some_and(|feed| feed.is_left_to_person(answered))
    }

    /// The message that is not answered yet.
    pub(crate) fn open(&self) -> Option<(RunId, Ask)> {
        let asked = self.asked.borrow();
        asked.iter().find_map(|(run_id, asked)| Some((run_id.clone(), asked.open.clone()?)))
    }

    /// Whether a message was taken before, and said the same; none where it is new.
    pub(crate) fn was_asked(&self, run_id: &RunId, ask: &Ask) -> Option<bool> {
        self.asked.borrow().get(run_id).map(|asked| asked.said == said(ask))
    }

    /// Keeps the place of the run that is about to begin. Where the message is to be answered is said by the receiver's owner.
    pub(crate) fn claim(&self) -> mpsc::UnboundedReceiver<(CallId, Reply)> {
        let (replies, waiting) = mpsc::unbounded_channel();
        self.control.replace(Some(Control { replies, answered: BTreeSet::new(), task: None }));
        waiting
    }

    pub(crate) fn set_task(&self, task: AbortHandle) {
        if let Some(control) = self.control.borrow_mut().as_mut() {
            control.task = Some(task);
        }
    }

    /// The run is over, or was given up.
    pub(crate) fn release(&self) {
        self.control.replace(None);
        self.changed.send_replace(());
    }

    /// Hands a decision to the run. False where the call was answered already.
    pub(crate) fn reply(&self, call_id: CallId, reply: Reply) -> bool {
        let mut control = self.control.borrow_mut();
        let Some(control) = control.as_mut() else { return false };
        control.answered.insert(call_id.clone()) && control.replies.send((call_id, reply)).is_ok()
    }

    /// Keeps a message.
    ///
    /// # Errors
    /// When it cannot be written; it is not taken then.
    pub(crate) async fn ask(&self, run_id: &RunId, ask: &Ask, now_ms: i64) -> Result<(), StoreError> {
        self.add(&[Piece::Asked(run_id.clone(), ask.clone())], now_ms).await?;
        self.asked.borrow_mut().insert(run_id.clone(), Asked::of(ask));
        Ok(())
    }

    /// Keeps an entry, and what was near its limit beside it; with the end of a run whose response it cuts off also what that cost, of a
    /// model that `is_priced`.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) async fn log(
        &self,
        entry: &Entry,
        warnings: Vec<String>,
        is_priced: bool,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let cut = is_cut(entry).then(|| is_priced.then_some(self.spent.get().open));
        let entry = Arc::new(entry.clone());
        let mut pieces = vec![Piece::Entry(Arc::clone(&entry))];
        if !warnings.is_empty() {
            pieces.push(Piece::Warned(entry.run_id.clone(), warnings.clone()));
        }
        pieces.extend(cut.map(|cost| Piece::Cut(entry.run_id.clone(), cost)));
        self.add(&pieces, now_ms).await?;
        self.spent.set(self.spent.get().take(&entry));
        if let EntryBody::Ended { .. } = &entry.body {
            self.settle(&entry.run_id);
        }
        self.change(|feed| {
            if !warnings.is_empty() {
                feed.warn(entry.run_id.clone(), warnings);
            }
            if let Some(cost) = cut {
                feed.cut(entry.run_id.clone(), cost);
            }
            feed.take(entry);
        });
        Ok(())
    }

    /// Keeps what a request may cost, before it is made: a process that is ended in the middle of it does not forget it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) async fn reserve(&self, micro_usd: u64, now_ms: i64) -> Result<(), StoreError> {
        self.add(&[Piece::Reserved(local::random(), micro_usd)], now_ms).await?;
        self.spent.set(self.spent.get().reserve(micro_usd));
        Ok(())
    }

    /// A request is over and cost this. Its entry says so too, unless it cannot be written.
    pub(crate) fn cost(&self, micro_usd: u64) {
        let spent = self.spent.get();
        if spent.open > 0 {
            self.spent.set(Cost { open: micro_usd, ..spent });
        }
    }

    /// A message is answered.
    pub(crate) fn settle(&self, run_id: &RunId) {
        if let Some(asked) = self.asked.borrow_mut().get_mut(run_id) {
            asked.open = None;
        }
    }

    /// Keeps what a call would do.
    pub(crate) async fn preview(&self, call_id: CallId, preview: Option<String>, now_ms: i64) {
        // Not kept it is asked for again by the next process; what is shown now is right all the same.
        if let Err(error) = self.add(&[Piece::Preview(call_id.clone(), preview.clone())], now_ms).await {
            eprintln!("satchel: session {}: {error}", self.id);
        }
        self.change(|feed| feed.preview(call_id, preview));
    }

    async fn add(&self, pieces: &[Piece], now_ms: i64) -> Result<(), StoreError> {
        if self.is_gone.get() {
            return Err(StoreError::Emptied);
        }
        if let Err(error) = self.kept.add(pieces, now_ms).await {
            self.is_doubtful.set(true);
            return Err(error);
        }
        if are_activity(pieces) {
            self.last_ms.set(now_ms);
        }
        self.used.set(Instant::now());
        Ok(())
    }

    /// What it cost, in millionths of a US dollar; of a request that is under way what it may cost.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get().all()
    }

    /// The same with what an entry says that is about to be kept.
    pub(crate) fn spent_with(&self, entry: &Entry) -> u64 {
        self.spent.get().take(entry).all()
    }

    pub(crate) fn state(&self, now_ms: i64) -> SessionState {
        SessionState::at(self.last_ms.get(), now_ms)
    }

    pub(crate) fn last_ms(&self) -> i64 {
        self.last_ms.get()
    }

    /// As it is told.
    pub(crate) fn told(&self, now_ms: i64) -> wire::Session {
        let status = match (self.is_busy(), self.is_waiting()) {
            (false, _) => SessionStatus::Ready,
            (true, true) => SessionStatus::Waiting,
            (true, false) => SessionStatus::Running,
        };
        let messages = self.asked.borrow().values().filter(|asked| asked.said.is_some()).count();
        // What is asked just now may cost less than was put by for it.
        let cost = if self.is_running() { self.spent.get().known } else { self.spent() };
        wire::Session {
            id: self.id.clone(),
            title: self.about.title.clone(),
            itinerary: self.about.spends_for().map(str::to_owned),
            itinerary_title: self.about.subject.as_ref().map(|subject| subject.title.clone()),
            state: self.state(now_ms),
            status,
            created_at: rfc3339(self.created_ms),
            last_activity_at: rfc3339(self.last_ms.get()),
            messages: messages as u64,
            cost: in_usd(cost),
        }
    }
}

/// What an entry says that it cost.
fn cost(entry: &Entry) -> u64 {
    Spent::of_entries(std::iter::once(entry)).micro_usd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_by_its_session_and_key() {
        assert_eq!(run_id("s", "k"), run_id("s", "k"));
        assert_ne!(run_id("s", "k"), run_id("t", "k"));
        assert_ne!(run_id("s", "k"), run_id("s", "l"));
        assert!(!run_id("s", "a:b").0.contains(':'), "a run's id has no colon");
    }
}

//! The database: tables folded from a journal, and the one way to change them.
//!
//! Every method takes `&self`: calls run side by side on one thread, no borrow lives across an
//! await, and commits form a line. Whoever is first in it takes everybody else along in one append.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, HashMap},
    rc::Rc,
};

use crate::{
    Call, CallKey, Change, CommitError, Durability, Journal, Json, Manifest, Note, RECENT, Report, Rev,
    Schema, Source, Stage, StoreError, View,
    fair_mutex::FairMutex,
    hash::{content_hash, short_hash},
    journal::Tail,
    record::Row,
    tables::{PendingRows, Tables},
};

/// How often one commit catches up with other writers before it says so.
const ATTEMPTS: u32 = 8;

/// Tables in memory over a journal.
pub struct Db<J> {
    pub(crate) journal: J,
    schema: Schema,
    pub(crate) tables: Rc<RefCell<Tables>>,
    pub(crate) state: RefCell<State>,
    mutex: FairMutex,
    pub(crate) upkeep: FairMutex,
    /// There may be an erasure that is not finished; see `erase.rs`.
    pub(crate) unfinished: Cell<bool>,
    queue: RefCell<Vec<Pending>>,
    pub(crate) upkeep_tools: Vec<&'static str>,
}

/// Where the tables stand in the journal, and the part of it that is in memory.
#[derive(Default)]
pub(crate) struct State {
    pub rev: Rev,
    pub epoch: String,
    /// The chained hash up to `rev`; see [`chain`].
    pub hash: String,
    /// The changes in memory by revision: all readable ones from `known_from` on.
    pub changes: BTreeMap<Rev, Rc<Change>>,
    pub known_from: Rev,
    pub keys: HashMap<CallKey, Rev>,
    pub snapshot_rev: Rev,
    /// What the second copy holds, as far as this instance knows.
    pub copied_rev: Rev,
    pub copied_snapshot_rev: Rev,
    /// The erasures that this instance knows of, each with its revision and its tables.
    pub erasures: Vec<(Rev, Vec<String>)>,
    pub report: Report,
}

/// A commit that was acknowledged by the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Committed {
    /// Its place in the journal.
    pub rev: Rev,
    /// The journal's entry.
    pub change: Rc<Change>,
}

type Outcome = Result<Committed, CommitError>;

/// A stage in the line.
struct Pending {
    stage: Stage,
    reply: Json,
    durability: Durability,
    slot: Rc<Cell<Option<Outcome>>>,
    /// Seen by [`Stage::snapshot`] until the outcome is there.
    _pending_rows: Rc<PendingRows>,
}

/// A stage that has a revision, waiting for the journal.
struct Admitted {
    pending: Pending,
    change: Rc<Change>,
}

/// Among so many of the latest changes a body is looked for: more than are written while a worker starts again.
const LATEST: usize = 1_024;

/// The hash of a journal that ends with `change`, from the hash of the journal before it. An erasure begins anew: what came
/// before it is not what it was, and one who folds what is left comes to the same.
pub(crate) fn chain(before: &str, change: &Change) -> String {
    let before = if change.erases.is_empty() { before } else { "" };
    let ops = serde_json::to_vec(&change.ops).unwrap_or_default();
    short_hash(&[before.as_bytes(), &change.rev.to_le_bytes(), change.key.0.as_bytes(), &ops])
}

impl State {
    /// Takes a change in that comes right after `rev`.
    pub fn push(&mut self, change: Rc<Change>) {
        if self.epoch.is_empty() {
            self.epoch = short_hash(&[change.key.0.as_bytes(), &change.at_ms.to_le_bytes()]);
        }
        self.rev = change.rev;
        self.hash = chain(&self.hash, &change);
        self.learn_erasure(&change);
        self.remember(change);
    }

    /// Keeps a change in memory, whatever its place.
    pub fn remember(&mut self, change: Rc<Change>) {
        let change = self.unerased(change);
        self.keys.insert(change.key.clone(), change.rev);
        self.changes.insert(change.rev, change);
    }
}

impl<J: Journal> Db<J> {
    pub(crate) fn assemble(journal: J, schema: Schema, tables: Tables, state: State) -> Self {
        Self {
            journal,
            schema,
            tables: Rc::new(RefCell::new(tables)),
            state: RefCell::new(state),
            mutex: FairMutex::default(),
            upkeep: FairMutex::default(),
            unfinished: Cell::new(false),
            queue: RefCell::default(),
            upkeep_tools: Vec::new(),
        }
    }

    /// The tools whose changes say what a program found out by itself, and nothing that a person did: an undo or a redo of the last
    /// change passes over them, and a row that only they changed since can be taken back.
    #[must_use]
    pub fn with_upkeep_tools(self, upkeep_tools: Vec<&'static str>) -> Self {
        Self { upkeep_tools, ..self }
    }

    /// What was found wrong since this database was opened.
    #[must_use]
    pub fn report(&self) -> Report {
        self.state.borrow().report.clone()
    }

    /// What there is now, in short, and the revision of the last snapshot.
    #[must_use]
    pub fn manifest(&self) -> Manifest {
        let state = self.state.borrow();
        manifest_of(&state, &self.tables.borrow(), state.snapshot_rev)
    }

    /// The revision up to which there is a second copy, as far as this instance knows.
    #[must_use]
    pub fn copied_rev(&self) -> Rev {
        self.state.borrow().copied_rev
    }

    /// The revision the tables are at.
    #[must_use]
    pub fn rev(&self) -> Rev {
        self.state.borrow().rev
    }

    /// The tables the database was opened with.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The tables to read from, live: it shows later commits too.
    #[must_use]
    pub fn view(&self) -> View {
        View { tables: self.tables.clone() }
    }

    /// A stage for one call. Any number may be open at once; dropping one is a preview's end.
    #[must_use]
    pub fn stage(&self, call: &Call) -> Stage {
        Stage::new(call.clone(), self.rev(), self.tables.clone())
    }

    /// Appends a stage to the journal with the tool's reply, and then folds it into the tables.
    ///
    /// `Conflict`: what the tool read has changed; the database has caught up, run the tool again on a
    /// new stage. `Answered`: the key was committed before. When the future is dropped the stage may
    /// still be committed; asking again with the same key tells.
    pub async fn commit(&self, stage: Stage, reply: impl Into<Json>, durability: Durability) -> Outcome {
        let outcome = self.commit_only(stage, reply.into(), durability).await;
        self.erased(outcome).await
    }

    /// The same, where what it erases is still to be taken out of the past.
    pub(crate) async fn commit_only(&self, stage: Stage, reply: Json, durability: Durability) -> Outcome {
        let slot = self.enqueue(stage, reply, durability);
        self.settle(std::slice::from_ref(&slot)).await;
        self.outcome(&slot).await
    }

    /// Commits several stages, in one append where they do not touch each other's reads. One outcome
    /// for each, in their order.
    pub async fn commit_many(
        &self,
        stages: Vec<(Stage, impl Into<Json>)>,
        durability: Durability,
    ) -> Vec<Outcome> {
        let slots: Vec<_> =
            stages.into_iter().map(|(stage, reply)| self.enqueue(stage, reply.into(), durability)).collect();
        self.settle(&slots).await;
        let mut outcomes = Vec::with_capacity(slots.len());
        for slot in &slots {
            let outcome = self.outcome(slot).await;
            outcomes.push(self.erased(outcome).await);
        }
        outcomes
    }

    /// The change a key made, as far back as is in memory. An older one is found by [`Db::by_key`], and by the journal
    /// itself, which takes no key twice.
    #[must_use]
    pub fn recent_by_key(&self, key: &CallKey) -> Option<Rc<Change>> {
        let state = self.state.borrow();
        state.keys.get(key).and_then(|rev| state.changes.get(rev)).cloned()
    }

    /// The change a key made, from memory or from the journal. `None`: this key was never committed.
    pub async fn by_key(&self, key: &CallKey) -> Result<Option<Rc<Change>>, StoreError> {
        let recent = self.recent_by_key(key);
        if recent.is_some() || self.state.borrow().known_from <= 1 {
            return Ok(recent);
        }
        match self.journal.by_key(key).await {
            Ok(found) => Ok(found.map(|change| self.state.borrow().unerased(Rc::new(change)))),
            // What is in memory goes back with the next commit, which finds its keys then.
            Err(StoreError::Emptied) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The newest change at or after `since_ms` that another instance made for the same request body.
    ///
    /// Chromium dispatches a POST again when the worker dies, and a client without keys cannot say
    /// so: the same body at another instance within ten seconds is that second dispatch. What was taken back since is
    /// none: somebody has seen its answer.
    pub async fn recent_by_body(
        &self,
        body_hash: &str,
        instance: &str,
        since_ms: i64,
    ) -> Result<Option<Rc<Change>>, StoreError> {
        let earlier = {
            let state = self.state.borrow();
            let reaches_back = state.changes.values().next().is_some_and(|oldest| oldest.at_ms < since_ms);
            let is_enough = reaches_back || state.changes.len() as u64 >= RECENT;
            (!is_enough).then(|| state.known_from.saturating_sub(RECENT))
        };
        if let Some(earlier) = earlier {
            self.know_from(earlier).await?;
        }
        let taken_back = self.taken_back(0);
        let state = self.state.borrow();
        // By their number and not by their time: a clock may have jumped in between.
        let mut recent = state.changes.values().rev().take(LATEST);
        let found = recent.find(|change| {
            change.at_ms >= since_ms
                && !taken_back.contains_key(&change.rev)
                && change.body_hash.as_deref() == Some(body_hash)
                && change.instance.as_deref().is_some_and(|other| other != instance)
        });
        Ok(found.cloned())
    }

    /// Reads what other writers appended, and says where the tables are now.
    ///
    /// A journal that was emptied under us gets back what is in memory: it is all there is, so it must be on
    /// the disk again before anybody reads on.
    pub async fn refresh(&self) -> Result<Rev, StoreError> {
        let _turn = self.mutex.enter().await;
        match self.catch_up().await {
            Err(StoreError::Emptied) => {
                self.write_back().await?;
                Ok(self.rev())
            }
            caught_up => caught_up,
        }
    }

    /// Keeps bytes and returns their content hash, to be named by a change that is committed after.
    pub async fn put_blob(&self, bytes: &[u8]) -> Result<String, StoreError> {
        let hash = content_hash(bytes);
        self.journal.put_blob(&hash, bytes).await?;
        Ok(hash)
    }

    /// The bytes with a content hash. `Damaged` when they are there and not those.
    pub async fn blob(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let bytes = self.journal.blob(hash).await?;
        match bytes {
            Some(bytes) if content_hash(&bytes) != hash => {
                Err(StoreError::Damaged(format!("the blob {hash} has other content")))
            }
            bytes => Ok(bytes),
        }
    }

    fn enqueue(&self, stage: Stage, reply: Json, durability: Durability) -> Rc<Cell<Option<Outcome>>> {
        let slot = Rc::new(Cell::new(None));
        let pending_rows = Rc::new(stage.put_rows());
        self.tables.borrow_mut().add_pending(&pending_rows);
        let pending = Pending { stage, reply, durability, slot: slot.clone(), _pending_rows: pending_rows };
        self.queue.borrow_mut().push(pending);
        slot
    }

    /// Waits in line; whoever gets to the front takes the whole queue along.
    async fn settle(&self, slots: &[Rc<Cell<Option<Outcome>>>]) {
        let _turn = self.mutex.enter().await;
        let open = self
            .queue
            .borrow()
            .iter()
            .any(|pending| slots.iter().any(|slot| Rc::ptr_eq(slot, &pending.slot)));
        if open {
            let queue = self.queue.take();
            self.flush(queue).await;
        }
    }

    /// What became of one stage. An empty slot means that whoever had taken it along was cancelled in
    /// the middle of the append: only the journal knows.
    async fn outcome(&self, slot: &Rc<Cell<Option<Outcome>>>) -> Outcome {
        if let Some(outcome) = slot.take() {
            return outcome;
        }
        self.refresh().await?;
        Err(CommitError::Conflict)
    }

    /// Commits a queue: admits what fits together, appends it at once, and again for the rest.
    async fn flush(&self, mut queue: Vec<Pending>) {
        let mut attempts = 0;
        while !queue.is_empty() {
            let (admitted, rest) = self.admit(queue);
            queue = rest;
            if admitted.is_empty() {
                continue;
            }
            let changes: Vec<Rc<Change>> = admitted.iter().map(|admitted| admitted.change.clone()).collect();
            let durability = admitted.iter().map(|admitted| admitted.pending.durability).max();
            let durability = durability.unwrap_or(Durability::Strict);
            let appended = match self.mark_erasures(&changes).await {
                Ok(()) => self.journal.append(&changes, durability).await,
                Err(failed) => Err(failed),
            };
            let failed = match appended {
                Ok(()) => {
                    self.fold(admitted);
                    continue;
                }
                Err(failed) => failed,
            };
            attempts += 1;
            let mut retry: Vec<Pending> = admitted.into_iter().map(|admitted| admitted.pending).collect();
            let recovered = match failed {
                _ if attempts >= ATTEMPTS => Err(CommitError::Conflict),
                StoreError::Conflict => self.resolve_conflict(&mut retry).await.map_err(CommitError::Store),
                StoreError::Emptied => self.write_back().await.map_err(CommitError::Store),
                // One of them may be too large for all; alone the others may still fit.
                StoreError::Quota if retry.len() > 1 => {
                    for pending in retry.drain(..) {
                        Box::pin(self.flush(vec![pending])).await;
                    }
                    Ok(())
                }
                failed => Err(CommitError::Store(failed)),
            };
            match recovered {
                Ok(()) => {
                    retry.append(&mut queue);
                    queue = retry;
                }
                Err(error) => {
                    for pending in retry {
                        pending.slot.set(Some(Err(error.clone())));
                    }
                }
            }
        }
    }

    /// Gives revisions to the stages that can go into the next append. The others are answered at
    /// once, or left for the append after it.
    fn admit(&self, queue: Vec<Pending>) -> (Vec<Admitted>, Vec<Pending>) {
        let state = self.state.borrow();
        let mut admitted: Vec<Admitted> = Vec::new();
        let mut rest = Vec::new();
        for pending in queue {
            let call = pending.stage.call();
            if admitted.iter().any(|other| other.change.key == call.key) {
                // The same call twice at once: the second finds the first one's answer in the next round.
                rest.push(pending);
                continue;
            }
            let answered = state.keys.get(&call.key).and_then(|rev| state.changes.get(rev));
            // What came in since is not all in memory any more: it may have met what was read.
            let is_too_old = pending.stage.base + 1 < state.known_from;
            let since = state.changes.range(pending.stage.base + 1..).map(|(_, change)| &**change);
            let mut others = since.chain(admitted.iter().map(|other| &*other.change));
            let refused = if let Some(answered) = answered {
                Some(CommitError::Answered(answered.clone()))
            } else if let Some(fault) = &pending.stage.fault {
                Some(CommitError::Store(StoreError::Other(format!("a row cannot be written: {fault}"))))
            } else {
                let reads = pending.stage.reads.borrow();
                let is_ours = |change: &Change| change.instance.is_some() && change.instance == call.instance;
                let is_met = is_too_old || others.any(|change| reads.meet(change, is_ours(change)));
                is_met.then_some(CommitError::Conflict)
            };
            drop(others);
            if let Some(refused) = refused {
                pending.slot.set(Some(Err(refused)));
                continue;
            }
            let change = Rc::new(Change {
                rev: state.rev + 1 + admitted.len() as u64,
                key: call.key.clone(),
                at_ms: call.moment.at_ms,
                tool: call.tool.clone(),
                ops: pending.stage.ops(),
                reply: pending.reply.clone(),
                undoes: pending.stage.undone().iter().map(|change| change.rev).collect(),
                redo: pending.stage.redo,
                erases: pending.stage.erases.clone(),
                body_hash: call.body_hash.clone(),
                instance: call.instance.clone(),
            });
            admitted.push(Admitted { pending, change });
        }
        (admitted, rest)
    }

    /// Folds what the journal has acknowledged into the tables, and answers.
    fn fold(&self, admitted: Vec<Admitted>) {
        for Admitted { pending, change } in admitted {
            {
                let mut tables = self.tables.borrow_mut();
                tables.erase(&change.erases);
                tables.expect(change.ops.len());
                for op in &change.ops {
                    let row: Option<Row> =
                        op.after.as_ref().and_then(|_| pending.stage.row(&op.table, &op.id));
                    match row {
                        Some(row) => tables.put_row(&op.table, &op.id, row),
                        None => drop(tables.set(&op.table, &op.id, op.after.as_ref())),
                    }
                }
            }
            self.state.borrow_mut().push(change.clone());
            pending.slot.set(Some(Ok(Committed { rev: change.rev, change })));
        }
    }

    /// Somebody else took the revision or the key: catches up, and answers the stages whose key is taken.
    async fn resolve_conflict(&self, retry: &mut Vec<Pending>) -> Result<(), StoreError> {
        self.catch_up().await?;
        let mut open = Vec::new();
        for pending in retry.drain(..) {
            // Asked of the journal itself: the key may be older than what is in memory.
            match self.journal.by_key(&pending.stage.call().key).await {
                Ok(None) => open.push(pending),
                Ok(Some(change)) => {
                    let change = self.state.borrow().unerased(Rc::new(change));
                    pending.slot.set(Some(Err(CommitError::Answered(change))));
                }
                Err(error) => pending.slot.set(Some(Err(error.into()))),
            }
        }
        *retry = open;
        Ok(())
    }

    /// Reads and folds what is in the journal after `rev`. Only inside the gate.
    async fn catch_up(&self) -> Result<Rev, StoreError> {
        let rev = self.rev();
        let Tail { changes, damaged, head } = self.journal.read(rev + 1, Rev::MAX).await?;
        let mut state = self.state.borrow_mut();
        let mut tables = self.tables.borrow_mut();
        let first =
            changes.iter().map(|change| change.rev).chain(damaged.iter().map(|damage| damage.rev)).min();
        if let Some(first) = first.filter(|first| *first > rev + 1) {
            state.report.notes.push(Note::Missing { from: rev + 1, to: first - 1 });
        }
        for change in changes {
            // Whoever erases may have been killed in the middle of it.
            self.unfinished.set(self.unfinished.get() || !change.erases.is_empty());
            state.report.notes.extend(tables.apply(&change));
            state.push(Rc::new(change));
        }
        for damage in damaged {
            state.report.notes.push(Note::ChangeUnreadable { rev: damage.rev, why: damage.why });
        }
        state.rev = state.rev.max(head);
        Ok(state.rev)
    }

    /// The journal was emptied under a running app: the tables are still here, so they go back as a
    /// snapshot, and the report says so.
    async fn write_back(&self) -> Result<(), StoreError> {
        let snapshot = self.packed()?;
        let (changes, count) = {
            let state = self.state.borrow();
            let changes: Vec<Rc<Change>> = state.changes.values().cloned().collect();
            (changes, self.tables.borrow().count())
        };
        if !self.journal.write_back(&snapshot, &changes).await? {
            // Another instance was quicker. What it put there is the truth from here on.
            self.catch_up().await?;
            return Ok(());
        }
        self.has_snapshot(snapshot.rev);
        let note = Note::Restored { rev: snapshot.rev, count, from: Source::Memory };
        self.state.borrow_mut().report.notes.push(note);
        Ok(())
    }
}

/// What there is now, in short.
pub(crate) fn manifest_of(state: &State, tables: &Tables, snapshot_rev: Rev) -> Manifest {
    let (epoch, hash) = (state.epoch.clone(), state.hash.clone());
    Manifest { epoch, rev: state.rev, count: tables.count(), hash, snapshot_rev }
}

//! Looking back: undo, redo and time travel.
//!
//! Nothing is ever taken out of the journal but by an erasure (see `erase.rs`). An undo appends the inverse of a change, a redo the
//! inverse of an undo; a change is in effect unless a change that is in effect took it back.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    rc::Rc,
};

use crate::blobs::UNDO_MS;
use crate::{Call, CallKey, Change, Clash, Db, Journal, Op, RECENT, Rev, Stage, StoreError, UndoError, View};

/// What to take back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The last so many changes that are in effect, or as many as there are.
    Last(usize),
    /// The change a call made.
    Key(CallKey),
    /// Everything after a revision, so that the tables are as they were then.
    To(Rev),
}

/// Which undos to take back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Redo {
    /// The last so many, or as many as there are. As in an editor, a new change leaves nothing to redo.
    Last(usize),
    /// The undo of the change a call made, or the undo that a call was.
    Key(CallKey),
}

/// A change as the history has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// What happened.
    pub change: Rc<Change>,
    /// The change in effect that took it back; none while it is in effect itself.
    pub taken_back_by: Option<Rev>,
}

/// A row by its table and its id.
type Of<'a> = (&'a str, &'a str);

/// Which row an op is about.
fn of(op: &Op) -> Of<'_> {
    (op.table.as_str(), op.id.as_str())
}

impl<J: Journal> Db<J> {
    /// A stage of the inverse of some changes; [`Stage::undone`] names them. Rows that are not as the
    /// change left them refuse the whole undo with [`UndoError::ChangedSince`].
    pub async fn stage_undo(&self, call: &Call, what: &Undo) -> Result<Stage, UndoError> {
        let changes = match what {
            Undo::Last(count) => {
                let found = self
                    .in_effect(*count, |change| change.undoes.is_empty() && !self.is_upkeep(change))
                    .await?;
                if found.is_empty() {
                    return Err(UndoError::NothingToUndo);
                }
                found
            }
            Undo::Key(key) => {
                let change = self.by_key(key).await?.ok_or_else(|| UndoError::Unknown(key.clone()))?;
                if change.is_past_undo() {
                    return Err(UndoError::Erased(key.clone()));
                }
                let rev = change.rev;
                self.know_from(rev).await?;
                if self.taken_back(rev).contains_key(&rev) {
                    return Err(UndoError::AlreadyUndone(key.clone()));
                }
                vec![change]
            }
            Undo::To(rev) => {
                let stage = self.inverse(call, self.all_after(*rev).await?)?;
                // Also where the last changes only took each other back.
                return if stage.is_idle() { Err(UndoError::NothingToUndo) } else { Ok(stage) };
            }
        };
        self.inverse(call, changes)
    }

    /// A stage that takes undos back; [`Stage::undone`] names them.
    pub async fn stage_redo(&self, call: &Call, what: &Redo) -> Result<Stage, UndoError> {
        let undos = match what {
            Redo::Last(count) => {
                let mut last =
                    self.in_effect(*count, |change| !change.redo && !self.is_upkeep(change)).await?;
                let new = last.iter().position(|change| change.undoes.is_empty());
                last.truncate(new.unwrap_or(last.len()));
                last
            }
            Redo::Key(key) => {
                let change = self.by_key(key).await?.ok_or_else(|| UndoError::Unknown(key.clone()))?;
                self.know_from(change.rev).await?;
                match self.taken_back(change.rev).get(&change.rev) {
                    Some(rev) => self.state.borrow().changes.get(rev).cloned().into_iter().collect(),
                    None if change.undoes.is_empty() => return Err(UndoError::NotUndone(key.clone())),
                    None => vec![change],
                }
            }
        };
        if undos.is_empty() {
            return Err(UndoError::NothingToRedo);
        }
        self.inverse(call, undos)
    }

    /// The last changes before a revision, newest first, and what became of them.
    pub async fn past(&self, before: Rev, count: usize) -> Result<Vec<Past>, StoreError> {
        let before = before.min(self.rev().saturating_add(1));
        let from = before.saturating_sub(count as u64).max(1);
        self.know_from(from).await?;
        let taken_back = self.taken_back(from.saturating_sub(1));
        let state = self.state.borrow();
        let changes = state.changes.range(from..before).rev();
        Ok(changes
            .map(|(rev, change)| Past { change: change.clone(), taken_back_by: taken_back.get(rev).copied() })
            .collect())
    }

    /// Whether the rows of a change are as it left them, or only upkeep has changed them since: then it can be taken back. Not where it
    /// erased, or was erased.
    #[must_use]
    pub fn stands(&self, rev: Rev, now_ms: i64) -> bool {
        let state = self.state.borrow();
        let Some(change) = state.changes.get(&rev) else { return false };
        if change.is_past_undo() {
            return false;
        }
        let tables = self.tables.borrow();
        let is_other = |op: &&Op| !tables.is_now(&op.table, &op.id, op.after.as_ref());
        let others: HashSet<Of<'_>> = change.ops.iter().filter(is_other).map(of).collect();
        others.is_empty()
            || self.by_upkeep_alone(&self.taken_back(rev), rev, now_ms, &others).len() == others.len()
    }

    /// All changes after a revision, newest first. None of them may be missing.
    async fn all_after(&self, rev: Rev) -> Result<Vec<Rc<Change>>, UndoError> {
        let head = self.rev();
        if rev > head {
            return Err(UndoError::NotYet { rev, head });
        }
        self.know_from(rev + 1).await?;
        let state = self.state.borrow();
        let revs = (rev + 1..=state.rev).rev();
        let found = revs.map(|rev| state.changes.get(&rev).cloned().ok_or_else(|| gone(rev)));
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The tables as they were right after a revision.
    pub async fn at(&self, rev: Rev) -> Result<View, StoreError> {
        if rev > self.rev() {
            return Err(StoreError::Other(format!("there is no change {rev} yet")));
        }
        self.know_from(rev + 1).await?;
        let mut tables = self.tables.borrow().clone();
        let state = self.state.borrow();
        for expected in (rev + 1..=state.rev).rev() {
            let change = state.changes.get(&expected).ok_or_else(|| gone(expected))?;
            tables.revert(change);
        }
        Ok(View { tables: Rc::new(RefCell::new(tables)) })
    }

    /// The changes from a revision on, in their order. Unreadable and missing ones are left out.
    pub async fn changes(&self, from: Rev) -> Result<Vec<Rc<Change>>, StoreError> {
        self.know_from(from).await?;
        Ok(self.state.borrow().changes.range(from..).map(|(_, change)| change.clone()).collect())
    }

    /// The newest changes in effect that pass a test and did something, newest first.
    async fn in_effect(
        &self,
        count: usize,
        wanted: impl Fn(&Change) -> bool,
    ) -> Result<Vec<Rc<Change>>, StoreError> {
        let mut taken_back = HashMap::new();
        let mut found = Vec::new();
        let mut rev = self.rev();
        while rev > 0 && found.len() < count {
            self.know_from(rev.saturating_sub(RECENT)).await?;
            let state = self.state.borrow();
            let until = state.known_from.min(rev);
            for (_, change) in state.changes.range(until..=rev).rev() {
                if taken_back.contains_key(&change.rev) {
                    continue;
                }
                for undone in &change.undoes {
                    taken_back.insert(*undone, change.rev);
                }
                // An undo may do nothing and still count: of an addition and its deletion at once.
                let did_something = !change.ops.is_empty() || !change.undoes.is_empty();
                if wanted(change) && did_something && found.len() < count {
                    found.push(change.clone());
                }
            }
            rev = until - 1;
        }
        Ok(found)
    }

    /// The revisions taken back by changes in effect after a revision, each with the one that did it.
    pub(crate) fn taken_back(&self, since: Rev) -> HashMap<Rev, Rev> {
        let mut taken_back = HashMap::new();
        for (rev, change) in self.state.borrow().changes.range(since + 1..).rev() {
            if !taken_back.contains_key(rev) {
                for undone in &change.undoes {
                    taken_back.insert(*undone, *rev);
                }
            }
        }
        taken_back
    }

    /// Stages the inverse of changes, given newest first.
    fn inverse(&self, call: &Call, changes: Vec<Rc<Change>>) -> Result<Stage, UndoError> {
        let mut stage = self.stage(call);
        let mut clashes = Vec::new();
        let mut taken_back = changes.last().map(|oldest| self.taken_back(oldest.rev)).unwrap_or_default();
        // The newer of them are taken back by this very stage.
        for change in &changes {
            taken_back.insert(change.rev, self.rev() + 1);
        }
        for change in &changes {
            let is_other = |op: &&Op| !stage.is_now(&op.table, &op.id, op.after.as_ref());
            let others: HashSet<Of<'_>> = change.ops.iter().filter(is_other).map(of).collect();
            let by_upkeep = self.by_upkeep_alone(&taken_back, change.rev, call.moment.at_ms, &others);
            for op in &change.ops {
                if !others.contains(&of(op)) || by_upkeep.contains(&of(op)) {
                    stage.set_value(&op.table, &op.id, op.before.clone());
                } else {
                    clashes.push(self.clash(change, &op.table, &op.id));
                }
            }
        }
        if !clashes.is_empty() {
            return Err(UndoError::ChangedSince(clashes));
        }
        stage.redo = changes.iter().all(|change| !change.undoes.is_empty() && !change.redo);
        if let Some(oldest) = changes.last() {
            let state = self.state.borrow();
            let later = state.changes.range(oldest.rev.saturating_add(1)..);
            stage.later = later.map(|(_, change)| change.clone()).collect();
        }
        stage.undone = changes;
        Ok(stage)
    }

    /// Whether a change says what a program found and nothing that a person did: an undo of the last one passes over it.
    fn is_upkeep(&self, change: &Change) -> bool {
        self.upkeep_tools.contains(&change.tool.as_str())
    }

    /// Which of these rows were changed after a revision by upkeep alone: that is found again, and keeps nobody from taking back what the
    /// person did. What upkeep deleted is gone for good once the bytes are that it named. One walk over what came later: a history has many
    /// changes of many rows.
    fn by_upkeep_alone<'r>(
        &self,
        taken_back: &HashMap<Rev, Rev>,
        rev: Rev,
        now_ms: i64,
        rows: &HashSet<Of<'r>>,
    ) -> HashSet<Of<'r>> {
        if rows.is_empty() {
            return HashSet::new();
        }
        let rows: Vec<Of<'r>> = rows.iter().copied().collect();
        // By their places: what comes later does not live as long as the rows do.
        let mut place_of: HashMap<Of<'_>, usize> = HashMap::new();
        place_of.extend(rows.iter().enumerate().map(|(place, row)| (*row, place)));
        let (mut by_upkeep, mut by_others) = (vec![false; rows.len()], vec![false; rows.len()]);
        let state = self.state.borrow();
        for later in state.changes.range(rev + 1..).map(|(_, later)| later) {
            let is_upkeep = self.is_upkeep(later);
            if !is_upkeep && is_as_if_not(later, rev, taken_back) {
                continue;
            }
            for op in &later.ops {
                if let Some(place) = place_of.get(&of(op)) {
                    let has_bytes = op.after.is_some() || now_ms.saturating_sub(later.at_ms) < UNDO_MS;
                    let finds = is_upkeep && has_bytes;
                    (if finds { &mut by_upkeep } else { &mut by_others })[*place] = true;
                }
            }
        }
        let is_alone = |place: &usize| by_upkeep[*place] && !by_others[*place];
        (0..rows.len()).filter(is_alone).map(|place| rows[place]).collect()
    }

    /// Who changed a row after a change, in words.
    fn clash(&self, change: &Change, table: &str, id: &str) -> Clash {
        let state = self.state.borrow();
        let touches = |op: &&crate::Op| op.table == table && op.id == id;
        let later = state
            .changes
            .range(change.rev + 1..)
            .rev()
            .find(|(_, later)| later.ops.iter().any(|op| touches(&op)));
        let known = change.ops.iter().find(touches).and_then(|op| op.after.as_ref().or(op.before.as_ref()));
        Clash {
            table: table.to_owned(),
            id: id.to_owned(),
            label: self.tables.borrow().label(table, id, known),
            tool: later.map(|(_, later)| later.tool.clone()),
            rev: later.map(|(rev, _)| *rev),
        }
    }

    /// Brings the journal from a revision on into memory.
    pub(crate) async fn know_from(&self, from: Rev) -> Result<(), StoreError> {
        let from = from.max(1);
        let known_from = self.state.borrow().known_from;
        if from >= known_from {
            return Ok(());
        }
        let tail = self.journal.read(from, known_from).await?;
        if self.state.borrow().known_from > known_from {
            // Some were let go of meanwhile: what is between would be missing, and count as known.
            return Box::pin(self.know_from(from)).await;
        }
        let mut state = self.state.borrow_mut();
        for change in tail.changes {
            state.remember(Rc::new(change));
        }
        state.known_from = state.known_from.min(from);
        Ok(())
    }
}

/// Whether a change is as if it had not been, to whoever takes back one of this revision: it was taken back, or took back nothing but what
/// came later.
fn is_as_if_not(later: &Change, rev: Rev, taken_back: &HashMap<Rev, Rev>) -> bool {
    let is_undo_of_later = !later.undoes.is_empty() && later.undoes.iter().all(|undone| *undone > rev);
    is_undo_of_later || taken_back.contains_key(&later.rev)
}

fn gone(rev: Rev) -> StoreError {
    StoreError::Damaged(format!("change {rev} is not in the journal any more"))
}

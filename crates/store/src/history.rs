//! Looking back: undo, redo and time travel.
//!
//! Nothing is ever taken out of the journal. An undo appends the inverse of a change, a redo the
//! inverse of an undo; a change is in effect unless a change that is in effect took it back.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use crate::{Call, CallKey, Change, Clash, Db, Journal, RECENT, Rev, Stage, StoreError, UndoError, View};

/// What to take back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The last so many changes that are in effect, or as many as there are.
    Last(usize),
    /// The change a call made.
    Key(CallKey),
}

impl<J: Journal> Db<J> {
    /// A stage of the inverse of some changes; [`Stage::undone`] names them. Rows that are not as the
    /// change left them refuse the whole undo with [`UndoError::ChangedSince`].
    pub async fn stage_undo(&self, call: &Call, what: &Undo) -> Result<Stage, UndoError> {
        let changes = match what {
            Undo::Last(count) => {
                let found = self.in_effect(*count, |change| change.undoes.is_empty()).await?;
                if found.is_empty() {
                    return Err(UndoError::NothingToUndo);
                }
                found
            }
            Undo::Key(key) => {
                let change = self.by_key(key).await?.ok_or_else(|| UndoError::Unknown(key.clone()))?;
                let rev = change.rev;
                self.know_from(rev).await?;
                if self.taken_back_since(rev).contains(&rev) {
                    return Err(UndoError::AlreadyUndone(key.clone()));
                }
                vec![change]
            }
        };
        self.inverse(call, changes)
    }

    /// A stage that takes the last undo back that is in effect. As in an editor, a new change since
    /// then leaves nothing to redo.
    pub async fn stage_redo(&self, call: &Call) -> Result<Stage, UndoError> {
        let last = self.in_effect(1, |change| !change.redo).await?;
        if last.iter().all(|change| change.undoes.is_empty()) {
            return Err(UndoError::NothingToRedo);
        }
        self.inverse(call, last)
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
        let mut taken_back = BTreeSet::new();
        let mut found = Vec::new();
        let mut rev = self.rev();
        while rev > 0 && found.len() < count {
            self.know_from(rev.saturating_sub(RECENT)).await?;
            let state = self.state.borrow();
            let until = state.known_from.min(rev);
            for (_, change) in state.changes.range(until..=rev).rev() {
                if taken_back.contains(&change.rev) {
                    continue;
                }
                taken_back.extend(change.undoes.iter().copied());
                if wanted(change) && !change.ops.is_empty() && found.len() < count {
                    found.push(change.clone());
                }
            }
            rev = until - 1;
        }
        Ok(found)
    }

    /// The revisions taken back by changes in effect after a revision.
    fn taken_back_since(&self, rev: Rev) -> BTreeSet<Rev> {
        let mut taken_back = BTreeSet::new();
        for (_, change) in self.state.borrow().changes.range(rev + 1..).rev() {
            if !taken_back.contains(&change.rev) {
                taken_back.extend(change.undoes.iter().copied());
            }
        }
        taken_back
    }

    /// Stages the inverse of changes, given newest first.
    fn inverse(&self, call: &Call, changes: Vec<Rc<Change>>) -> Result<Stage, UndoError> {
        let mut stage = self.stage(call);
        let mut clashes = Vec::new();
        for change in &changes {
            for op in &change.ops {
                if stage.is_now(&op.table, &op.id, op.after.as_ref()) {
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
        stage.undone = changes;
        Ok(stage)
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
        let mut state = self.state.borrow_mut();
        for change in tail.changes {
            state.remember(Rc::new(change));
        }
        state.known_from = state.known_from.min(from);
        Ok(())
    }
}

fn gone(rev: Rev) -> StoreError {
    StoreError::Damaged(format!("change {rev} is not in the journal any more"))
}

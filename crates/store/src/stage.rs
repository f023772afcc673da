//! What a tool reads through and writes into.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use litemap::LiteMap;

use crate::{
    Call, CallKey, Change, Json, Moment, Op, Record, Rev,
    hash::short_hash,
    record::Row,
    tables::{PendingRows, Tables},
};

/// An overlay of puts and deletes over the tables. Nothing is written until [`crate::Db::commit`];
/// dropping it forgets everything, and that is all a preview is.
///
/// It remembers what was read, so that a commit after somebody else's is refused only when it matters.
pub struct Stage {
    call: Call,
    pub(crate) base: Rev,
    tables: Rc<RefCell<Tables>>,
    overlay: LiteMap<String, BTreeMap<String, Staged>>,
    pub(crate) reads: RefCell<Reads>,
    ids: Cell<u32>,
    pub(crate) undone: Vec<Rc<Change>>,
    /// What came after the first of them, oldest first.
    pub(crate) later: Vec<Rc<Change>>,
    pub(crate) redo: bool,
    pub(crate) erases: Vec<String>,
    /// The first row that could not be written as JSON.
    pub(crate) fault: Option<String>,
}

/// A row as the stage leaves it.
struct Staged {
    before: Option<Json>,
    after: Option<Json>,
    /// `before` as its type, when the schema can read it.
    was: Option<Row>,
    /// `after` as its type, when the stage or the schema can read it.
    row: Option<Row>,
}

/// A row that a stage changes. A side is `None` where there is no row, or none that this build can read.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed<T> {
    /// As it was.
    pub before: Option<Rc<T>>,
    /// As the stage leaves it.
    pub after: Option<Rc<T>>,
}

/// What a stage has read: single rows, and tables as a whole.
#[derive(Default)]
pub(crate) struct Reads {
    rows: LiteMap<String, BTreeSet<String>>,
    tables: BTreeSet<String>,
    /// Tables of which only other servers' changes matter; see [`Stage::snapshot`].
    snapshots: Vec<&'static str>,
}

impl Reads {
    fn row(&mut self, table: &str, id: &str) {
        if !self.rows.contains_key(table) {
            self.rows.insert(table.to_owned(), BTreeSet::new());
        }
        if let Some(rows) = self.rows.get_mut(table)
            && !rows.contains(id)
        {
            rows.insert(id.to_owned());
        }
    }

    fn snapshot(&mut self, table: &'static str) {
        if !self.snapshots.contains(&table) {
            self.snapshots.push(table);
        }
    }

    fn table(&mut self, table: &str) {
        if !self.tables.contains(table) {
            self.tables.insert(table.to_owned());
        }
    }

    /// Whether a change touches anything that was read; `is_ours` when it came from the same server.
    pub fn meet(&self, change: &Change, is_ours: bool) -> bool {
        // What was put before an erasure is not to come back by it, wherever it stands in the table: a put reads its row.
        let has_read = |table: &String| {
            self.tables.contains(table)
                || self.rows.contains_key(table)
                || self.snapshots.contains(&table.as_str())
        };
        change.erases.iter().any(has_read)
            || change.ops.iter().any(|op| {
                self.tables.contains(&op.table)
                    || (!is_ours && self.snapshots.contains(&op.table.as_str()))
                    || self.rows.get(&op.table).is_some_and(|rows| rows.contains(&op.id))
            })
    }
}

impl Stage {
    pub(crate) fn new(call: Call, base: Rev, tables: Rc<RefCell<Tables>>) -> Self {
        Self {
            call,
            base,
            tables,
            overlay: LiteMap::new(),
            reads: RefCell::default(),
            ids: Cell::new(0),
            undone: Vec::new(),
            later: Vec::new(),
            redo: false,
            erases: Vec::new(),
            fault: None,
        }
    }

    /// Now, where the person is.
    #[must_use]
    pub fn moment(&self) -> &Moment {
        &self.call.moment
    }

    /// The call this stage belongs to.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// The row with an id, as this stage leaves it.
    #[must_use]
    pub fn get<T: Record>(&self, id: &str) -> Option<Rc<T>> {
        self.reads.borrow_mut().row(T::TABLE, id);
        let row = match self.overlay.get(T::TABLE).and_then(|rows| rows.get(id)) {
            Some(staged) => staged.row.clone()?,
            None => self.tables.borrow().rows(T::TABLE)?.get(id)?.clone(),
        };
        row.downcast::<T>().ok()
    }

    /// All rows of a table as this stage leaves them, in the order of their ids.
    #[must_use]
    pub fn all<T: Record>(&self) -> Vec<Rc<T>> {
        self.filter(|_| true)
    }

    /// The rows of a table that a test lets through, in the order of their ids.
    #[must_use]
    pub fn filter<T: Record>(&self, mut keep: impl FnMut(&T) -> bool) -> Vec<Rc<T>> {
        self.reads.borrow_mut().table(T::TABLE);
        let tables = self.tables.borrow();
        let mut staged = self.overlay.get(T::TABLE).into_iter().flatten().peekable();
        let mut found = Vec::new();
        let mut take = |row: &Row| {
            // A look before the clone: most rows of a filtered list are left where they are.
            if row.downcast_ref::<T>().is_some_and(&mut keep)
                && let Ok(row) = row.clone().downcast::<T>()
            {
                found.push(row);
            }
        };
        // Both sides are in the order of their ids, so one walk merges them.
        for (id, row) in tables.rows(T::TABLE).into_iter().flatten() {
            let mut hidden = false;
            while let Some((_, staged)) = staged.next_if(|(staged_id, _)| *staged_id <= id) {
                hidden = true;
                staged.row.iter().for_each(&mut take);
            }
            // The last staged id walked over hides this row only when it is the same.
            let same = hidden && self.overlay.get(T::TABLE).is_some_and(|rows| rows.contains_key(id));
            if !same {
                take(row);
            }
        }
        staged.filter_map(|(_, staged)| staged.row.as_ref()).for_each(&mut take);
        found
    }

    /// Asks the index of a table; what it is given besides are all rows, for a part that is to be built.
    /// None when this stage has rows of its own there, which the index does not know.
    #[must_use]
    pub fn index<T: Record, R>(
        &self,
        ask: impl FnOnce(&mut T::Index, &dyn Fn() -> Vec<Rc<T>>) -> R,
    ) -> Option<R> {
        if self.overlay.contains_key(T::TABLE) {
            return None;
        }
        self.reads.borrow_mut().table(T::TABLE);
        self.tables.borrow_mut().index::<T, R>(ask)
    }

    /// The same for what must not send many additions at once back to the start: `ask` gets the rows that are on their
    /// way to the journal too, and the commit is refused only when another server has changed the table since.
    #[must_use]
    pub fn snapshot<T: Record, R>(
        &self,
        ask: impl FnOnce(&mut T::Index, &dyn Fn() -> Vec<Rc<T>>, &[Rc<T>]) -> R,
    ) -> Option<R> {
        if self.overlay.contains_key(T::TABLE) {
            return None;
        }
        self.reads.borrow_mut().snapshot(T::TABLE);
        let pending_rows = self.tables.borrow().pending_rows::<T>();
        self.tables.borrow_mut().index::<T, R>(|index, rows| ask(index, rows, &pending_rows))
    }

    /// The rows this stage puts.
    pub(crate) fn put_rows(&self) -> PendingRows {
        let rows = self.overlay.iter().flat_map(|(table, rows)| rows.values().map(move |row| (table, row)));
        rows.filter_map(|(table, staged)| Some((table.clone(), staged.row.clone()?))).collect()
    }

    /// The revision this stage was begun at.
    #[must_use]
    pub fn rev(&self) -> Rev {
        self.base
    }

    /// Puts a row, new or in the place of the one with its id.
    pub fn put<T: Record>(&mut self, record: T) {
        let id = record.id().to_owned();
        let row: Row = Rc::new(record);
        let encoded = self.tables.borrow().encode(T::TABLE, &row);
        match encoded {
            Ok(value) => self.set(T::TABLE, &id, Some(value), Some(row)),
            Err(why) => {
                self.fault.get_or_insert(format!("{} {id}: {why}", T::TABLE));
            }
        }
    }

    /// Deletes the row with an id; does nothing when there is none.
    pub fn delete<T: Record>(&mut self, id: &str) {
        self.set(T::TABLE, id, None, None);
    }

    /// A new id such as `todo_0c3v9…`: always the same for the same call and place, so that a tool
    /// that runs again makes the same ids.
    #[must_use]
    pub fn new_id(&self, prefix: &str) -> String {
        let place = self.ids.get();
        self.ids.set(place + 1);
        let CallKey(key) = &self.call.key;
        format!("{prefix}_{}", short_hash(&[key.as_bytes(), &place.to_le_bytes()]))
    }

    /// What this stage changes, in the order of table and id. Rows that end as they began are left out.
    #[must_use]
    pub fn ops(&self) -> Vec<Op> {
        self.staged()
            .map(|(table, id, staged)| Op {
                table: table.clone(),
                id: id.clone(),
                before: staged.before.clone(),
                after: staged.after.clone(),
            })
            .collect()
    }

    /// Whether nothing is staged: every row ends as it began, and nothing is to be erased.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.erases.is_empty() && self.staged().next().is_none()
    }

    /// How many rows that were there are changed or deleted.
    #[must_use]
    pub fn replaced(&self) -> usize {
        self.staged().filter(|(_, _, staged)| staged.before.is_some()).count()
    }

    /// The rows of a table that this stage changes, in the order of their ids.
    #[must_use]
    pub fn changed<T: Record>(&self) -> Vec<Changed<T>> {
        let typed = |row: &Option<Row>| row.clone().and_then(|row| row.downcast::<T>().ok());
        let ours = self.staged().filter(|(table, _, _)| *table == T::TABLE);
        ours.map(|(_, _, staged)| Changed { before: typed(&staged.was), after: typed(&staged.row) }).collect()
    }

    /// The row with an id as it was when a change deleted it that came after those this stage takes back. `None` where it
    /// was gone at that time already, and for every stage that takes nothing back.
    #[must_use]
    pub fn deleted_since<T: Record>(&self, id: &str) -> Option<Rc<T>> {
        let ops = self.later.iter().rev().flat_map(|change| &change.ops);
        let mut deleted = ops.filter(|op| op.table == T::TABLE && op.id == id && op.after.is_none());
        let row = deleted.find_map(|op| op.before.as_ref())?;
        T::read_json(row.as_str()).ok().map(|(row, _)| Rc::new(row))
    }

    fn staged(&self) -> impl Iterator<Item = (&String, &String, &Staged)> {
        let rows =
            self.overlay.iter().flat_map(|(table, rows)| rows.iter().map(move |(id, row)| (table, id, row)));
        rows.filter(|(table, _, staged)| match (&staged.was, &staged.row) {
            // As values: an older or newer build may have written the same row another way.
            (Some(was), Some(row)) => !self.tables.borrow().same(table, was, row),
            _ => staged.before != staged.after,
        })
    }

    /// The changes this stage takes back, newest first; empty unless it came from
    /// [`crate::Db::stage_undo`] or [`crate::Db::stage_redo`].
    #[must_use]
    pub fn undone(&self) -> &[Rc<Change>] {
        &self.undone
    }

    /// Notes that everything was read.
    pub(crate) fn read_all(&self, tables: impl Iterator<Item = String>) {
        self.reads.borrow_mut().tables.extend(tables);
    }

    /// A staged row as its type.
    pub(crate) fn row(&self, table: &str, id: &str) -> Option<Row> {
        self.overlay.get(table)?.get(id)?.row.clone()
    }

    /// Whether a row, as this stage leaves it, is what a change says.
    pub(crate) fn is_now(&self, table: &str, id: &str, expected: Option<&Json>) -> bool {
        self.reads.borrow_mut().row(table, id);
        match self.overlay.get(table).and_then(|rows| rows.get(id)) {
            Some(staged) => staged.after.as_ref() == expected,
            None => self.tables.borrow().is_now(table, id, expected),
        }
    }

    /// Puts or deletes a row by its JSON.
    pub(crate) fn set_value(&mut self, table: &str, id: &str, after: Option<Json>) {
        let row =
            after.as_ref().and_then(|after| self.tables.borrow().decode(table, id, after.as_str()).ok());
        self.set(table, id, after, row);
    }

    fn set(&mut self, table: &str, id: &str, after: Option<Json>, row: Option<Row>) {
        self.reads.borrow_mut().row(table, id);
        let known = self.overlay.get_mut(table).and_then(|rows| rows.get_mut(id));
        if let Some(staged) = known {
            staged.after = after;
            staged.row = row;
            return;
        }
        let was = self.tables.borrow().row(table, id).cloned();
        let before = match self.tables.borrow().value(table, id) {
            Ok(before) => before,
            Err(why) => {
                self.fault.get_or_insert(format!("{table} {id}: {why}"));
                return;
            }
        };
        let rows = self.overlay.entry(table.to_owned()).or_default();
        rows.insert(id.to_owned(), Staged { before, after, was, row });
    }
}

//! The tables in memory: the fold of the journal.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::{Rc, Weak},
};

use litemap::LiteMap;

use crate::{
    Change, Json, Note, Record, Schema,
    index::AnyIndex,
    record::{ReadRow, Row},
};

/// A change of more rows than this is not followed by the indexes.
const MAX_FOLLOWED: usize = 64;

/// All tables. Rows are shared, so that a stage and a view cost nothing to make.
#[derive(Clone)]
pub(crate) struct Tables {
    schema: Schema,
    typed: LiteMap<&'static str, BTreeMap<String, Row>>,
    /// Rows that cannot be read as their type, and rows of tables this build does not know. They are
    /// kept, so that a later build finds them again.
    raw: LiteMap<String, BTreeMap<String, Json>>,
    indexes: Indexes,
    pending_rows: Vec<Weak<PendingRows>>,
}

/// Rows with their tables.
pub(crate) type PendingRows = Vec<(String, Row)>;

/// The indexes that were asked for. A copy of the tables begins without.
#[derive(Default)]
struct Indexes(LiteMap<&'static str, Box<dyn AnyIndex>>);

impl Clone for Indexes {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Tables {
    /// The tables of a schema, empty.
    pub fn new(schema: Schema) -> Self {
        let mut typed: LiteMap<&'static str, BTreeMap<String, Row>> = LiteMap::new();
        for table in schema.codecs.keys() {
            typed.insert(*table, BTreeMap::new());
        }
        Self { schema, typed, raw: LiteMap::new(), indexes: Indexes::default(), pending_rows: Vec::new() }
    }

    /// How many rows there are, unread ones included.
    pub fn count(&self) -> u64 {
        let typed: usize = self.typed.values().map(BTreeMap::len).sum();
        let raw: usize = self.raw.values().map(BTreeMap::len).sum();
        (typed + raw) as u64
    }

    /// The rows of a table, in the order of their ids.
    pub fn rows(&self, table: &str) -> Option<&BTreeMap<String, Row>> {
        self.typed.get(table)
    }

    /// A row as its type, when this build can read it.
    pub fn row(&self, table: &str, id: &str) -> Option<&Row> {
        self.typed.get(table)?.get(id)
    }

    /// Whether two rows of a table are equal as values.
    pub fn same(&self, table: &str, one: &Row, other: &Row) -> bool {
        self.schema.codecs.get(table).is_some_and(|codec| (codec.same)(&**one, &**other))
    }

    /// A row as JSON, typed or not.
    pub fn value(&self, table: &str, id: &str) -> Result<Option<Json>, String> {
        if let Some(row) = self.row(table, id) {
            return self.encode(table, row).map(Some);
        }
        Ok(self.raw.get(table).and_then(|rows| rows.get(id)).cloned())
    }

    /// A typed row as JSON.
    pub fn encode(&self, table: &str, row: &Row) -> Result<Json, String> {
        let codec = self.schema.codecs.get(table).ok_or_else(|| format!("no table {table}"))?;
        (codec.encode)(&**row)
    }

    /// The row at the beginning of a text, when this build can read it, and what comes after it.
    pub fn read<'a>(&self, table: &str, id: &str, text: &'a str) -> ReadRow<'a> {
        let codec = self.schema.codecs.get(table).ok_or("a table this version does not know")?;
        (codec.decode)(text, id)
    }

    /// A row from JSON, when this build can read it.
    pub fn decode(&self, table: &str, id: &str, text: &str) -> Result<Row, String> {
        match self.read(table, id, text)? {
            (row, "") => Ok(row),
            _ => Err("there is more than a row".to_owned()),
        }
    }

    /// Whether a row now is what a change says it left. Compares as values where the type is known,
    /// because a newer build may write the same row with more fields.
    pub fn is_now(&self, table: &str, id: &str, expected: Option<&Json>) -> bool {
        match (self.row(table, id), expected) {
            (Some(now), Some(expected)) => self
                .decode(table, id, expected.as_str())
                .is_ok_and(|expected| self.same(table, now, &expected)),
            (Some(_), None) => false,
            (None, expected) => self.raw.get(table).and_then(|rows| rows.get(id)) == expected,
        }
    }

    /// A row in a person's words; its id when there is no better.
    pub fn label(&self, table: &str, id: &str, fallback: Option<&Json>) -> String {
        let codec = self.schema.codecs.get(table);
        let now = self.row(table, id).cloned();
        let row = now.or_else(|| self.decode(table, id, fallback?.as_str()).ok());
        codec.zip(row).and_then(|(codec, row)| (codec.label)(&*row)).unwrap_or_else(|| id.to_owned())
    }

    /// Puts a row whose value is at hand.
    pub fn put_row(&mut self, table: &str, id: &str, row: Row) {
        self.remove(table, id);
        if let Some(rows) = self.typed.get_mut(table) {
            if let Some(index) = self.indexes.0.get_mut(table) {
                index.add(&row);
            }
            rows.insert(id.to_owned(), row);
        }
    }

    /// Asks a table's index; what it is given besides are all rows, for a part that is to be built.
    pub fn index<T: Record, R>(
        &mut self,
        ask: impl FnOnce(&mut T::Index, &dyn Fn() -> Vec<Rc<T>>) -> R,
    ) -> Option<R> {
        let codec = self.schema.codecs.get(T::TABLE)?;
        let rows = self.typed.get(T::TABLE)?;
        let index = self.indexes.0.entry(T::TABLE).or_insert_with(|| (codec.index)());
        let all = || rows.values().filter_map(|row| row.clone().downcast::<T>().ok()).collect();
        Some(ask(index.as_any().downcast_mut()?, &all))
    }

    /// Takes note of rows that are on their way to the journal, for as long as somebody holds them.
    pub fn add_pending(&mut self, rows: &Rc<PendingRows>) {
        self.pending_rows.retain(|rows| rows.strong_count() > 0);
        self.pending_rows.push(Rc::downgrade(rows));
    }

    /// The rows of a table that are on their way.
    pub fn pending_rows<T: Record>(&self) -> Vec<Rc<T>> {
        let held = self.pending_rows.iter().filter_map(Weak::upgrade);
        let rows = held.flat_map(|rows| {
            let ours = rows.iter().filter(|(table, _)| table == T::TABLE);
            ours.filter_map(|(_, row)| row.clone().downcast::<T>().ok()).collect::<Vec<_>>()
        });
        rows.collect()
    }

    /// Before so many rows change that the indexes are better built anew.
    pub fn expect(&mut self, rows: usize) {
        if rows > MAX_FOLLOWED {
            self.indexes = Indexes::default();
        }
    }

    /// Puts a row from JSON. What cannot be read is kept unread; the note says so, unless the
    /// whole table is merely unknown to this build.
    pub fn put_json(&mut self, table: &str, id: &str, json: &Json) -> Option<Note> {
        match self.decode(table, id, json.as_str()) {
            Ok(row) => {
                self.put_row(table, id, row);
                None
            }
            Err(why) => self.put_unread(table, id, json.clone(), why),
        }
    }

    /// Keeps a row that cannot be read, for a build that can.
    pub fn put_unread(&mut self, table: &str, id: &str, json: Json, why: String) -> Option<Note> {
        self.remove(table, id);
        self.raw.entry(table.to_owned()).or_default().insert(id.to_owned(), json);
        let (table, id) = (table.to_owned(), id.to_owned());
        self.typed.contains_key(table.as_str()).then_some(Note::RecordUnreadable { table, id, why })
    }

    /// Fills a table that is empty with rows in the order of their ids.
    pub fn fill(&mut self, table: &str, rows: Vec<(String, Row)>) {
        if let Some(typed) = self.typed.get_mut(table) {
            // From a sorted list: it is built as a whole, without looking for each one's place.
            *typed = rows.into_iter().collect();
        }
    }

    /// Puts or removes a row.
    pub fn set(&mut self, table: &str, id: &str, json: Option<&Json>) -> Option<Note> {
        match json {
            Some(json) => self.put_json(table, id, json),
            None => {
                self.remove(table, id);
                None
            }
        }
    }

    /// Folds one change in.
    pub fn apply(&mut self, change: &Change) -> Vec<Note> {
        self.erase(&change.erases);
        self.expect(change.ops.len());
        change.ops.iter().filter_map(|op| self.set(&op.table, &op.id, op.after.as_ref())).collect()
    }

    /// Takes one change back out, whatever the rows are now.
    pub fn revert(&mut self, change: &Change) {
        for op in &change.ops {
            self.set(&op.table, &op.id, op.before.as_ref());
        }
    }

    /// The names of all tables that are known or have rows.
    pub fn names(&self) -> BTreeSet<String> {
        order::gather(self.typed.keys().map(|table| (*table).to_owned()).chain(self.raw.keys().cloned()))
    }

    /// The rows that are not the same in other tables, there or here, by table and id.
    pub fn differences(&self, other: &Self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for table in self.names().union(&other.names()) {
            let ids: BTreeSet<&String> = order::gather(self.ids(table).chain(other.ids(table)));
            found.extend(
                ids.into_iter()
                    .filter(|id| !self.agree(other, table, id))
                    .map(|id| (table.clone(), id.clone())),
            );
        }
        found
    }

    fn ids(&self, table: &str) -> impl Iterator<Item = &String> {
        let typed = self.typed.get(table).into_iter().flat_map(BTreeMap::keys);
        typed.chain(self.raw.get(table).into_iter().flat_map(BTreeMap::keys))
    }

    fn agree(&self, other: &Self, table: &str, id: &str) -> bool {
        match (self.row(table, id), other.row(table, id)) {
            (Some(ours), Some(theirs)) => self.same(table, ours, theirs),
            _ => self.value(table, id) == other.value(table, id),
        }
    }

    /// All tables as one JSON object: table, id, row.
    pub fn write_json(&self, out: &mut String) -> Result<(), String> {
        let mut tables: LiteMap<&str, ()> = LiteMap::new();
        for table in self.typed.keys().copied().chain(self.raw.keys().map(String::as_str)) {
            tables.insert(table, ());
        }
        out.push('{');
        for table in tables.keys().copied() {
            let mut rows: Vec<(&str, Json)> = Vec::new();
            if let Some((codec, typed)) = self.schema.codecs.get(table).zip(self.typed.get(table)) {
                for (id, row) in typed {
                    rows.push((id, (codec.encode)(&**row).map_err(|why| format!("{table} {id}: {why}"))?));
                }
            }
            for (id, value) in self.raw.get(table).into_iter().flatten() {
                rows.push((id, value.clone()));
            }
            // An id is in one of the two only, and each came in order.
            order::sort_by_key(&mut rows, |(id, _)| *id);
            if rows.is_empty() {
                continue;
            }
            if !out.ends_with('{') {
                out.push(',');
            }
            push_key(out, table);
            out.push('{');
            for (place, (id, row)) in rows.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                push_key(out, id);
                out.push_str(row.as_str());
            }
            out.push('}');
        }
        out.push('}');
        Ok(())
    }

    /// How many rows some tables have, unread ones included.
    pub fn count_of(&self, tables: &[String]) -> u64 {
        let typed = self.typed.iter().filter(|(table, _)| tables.iter().any(|name| name == *table));
        let raw = self.raw.iter().filter(|(table, _)| tables.contains(table));
        let rows = typed.map(|(_, rows)| rows.len()).sum::<usize>();
        (rows + raw.map(|(_, rows)| rows.len()).sum::<usize>()) as u64
    }

    /// Removes all rows of some tables, unread ones included.
    pub fn erase(&mut self, tables: &[String]) {
        for table in tables {
            if let Some(rows) = self.typed.get_mut(table.as_str()) {
                rows.clear();
            }
            self.raw.remove(table);
            self.indexes.0.remove(table.as_str());
        }
    }

    fn remove(&mut self, table: &str, id: &str) {
        if let Some(row) = self.typed.get_mut(table).and_then(|rows| rows.remove(id))
            && let Some(index) = self.indexes.0.get_mut(table)
        {
            index.remove(&row);
        }
        if let Some(rows) = self.raw.get_mut(table) {
            rows.remove(id);
            if rows.is_empty() {
                self.raw.remove(table);
            }
        }
    }
}

fn push_key(out: &mut String, key: &str) {
    // A text has no reason not to be written.
    out.push_str(&serde_json::to_string(key).unwrap_or_default());
    out.push(':');
}

/// The tables to read from: now ([`crate::Db::view`]) or at an earlier revision ([`crate::Db::at`]).
#[derive(Clone)]
pub struct View {
    pub(crate) tables: Rc<RefCell<Tables>>,
}

impl View {
    /// All tables as one JSON object: table, id, row.
    ///
    /// # Errors
    /// When a row cannot be written as JSON: which, and why.
    pub fn to_json(&self) -> Result<String, String> {
        let mut json = String::new();
        self.tables.borrow().write_json(&mut json)?;
        Ok(json)
    }

    /// The row with an id.
    #[must_use]
    pub fn get<T: Record>(&self, id: &str) -> Option<Rc<T>> {
        let row = self.tables.borrow().rows(T::TABLE)?.get(id)?.clone();
        row.downcast::<T>().ok()
    }

    /// Asks a table's index; what it is given besides are all rows, for a part that is to be built.
    #[must_use]
    pub fn index<T: Record, R>(
        &self,
        ask: impl FnOnce(&mut T::Index, &dyn Fn() -> Vec<Rc<T>>) -> R,
    ) -> Option<R> {
        self.tables.borrow_mut().index::<T, R>(ask)
    }

    /// How many rows there are in all tables, unread ones included.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.tables.borrow().count()
    }

    /// All rows of a table, in the order of their ids.
    #[must_use]
    pub fn all<T: Record>(&self) -> Vec<Rc<T>> {
        let tables = self.tables.borrow();
        let rows = tables.rows(T::TABLE).into_iter().flat_map(BTreeMap::values);
        rows.filter_map(|row| row.clone().downcast::<T>().ok()).collect()
    }
}

//! Which tables there are, and how their rows are read and written.

use std::{any::Any, rc::Rc};

use litemap::LiteMap;
use serde::{Serialize, de::DeserializeOwned};

use crate::index::{AnyIndex, Index, index_of};

/// A row of a table: a value of a domain, with its id inside.
///
/// What is on disk outlives the type: a field that is added later needs `#[serde(default)]`, and a
/// field that this version does not know is dropped from its snapshots (never from the journal)
/// unless the type keeps it with `#[serde(flatten)]`.
pub trait Record: Clone + PartialEq + Serialize + DeserializeOwned + 'static {
    /// The table's name; never changes, because it is on disk.
    const TABLE: &'static str;

    /// What is kept beside the table, or `()`.
    type Index: Index<Self>;

    /// The row's id, unique in its table.
    fn id(&self) -> &str;

    /// What a person calls this row, for messages such as “Buy milk” has changed since.
    fn label(&self) -> &str {
        self.id()
    }
}

/// A row in memory, its type forgotten.
pub(crate) type Row = Rc<dyn Any>;

/// How one record type is read and written. Text both ways, so that a type's serde code is linked once.
#[derive(Clone, Copy)]
pub(crate) struct Codec {
    /// The row and its id, or why it cannot be read.
    pub decode: fn(&str) -> Result<(Row, String), String>,
    /// The row as JSON.
    pub encode: fn(&dyn Any) -> Result<String, String>,
    /// The row in a person's words.
    pub label: fn(&dyn Any) -> Option<String>,
    /// Whether two rows are equal as values.
    pub same: fn(&dyn Any, &dyn Any) -> bool,
    /// A new index, empty.
    pub index: fn() -> Box<dyn AnyIndex>,
}

/// The tables a database has. Rows of tables that are not listed are kept as they are, unread.
#[derive(Clone, Default)]
pub struct Schema {
    pub(crate) codecs: LiteMap<&'static str, Codec>,
}

impl Schema {
    /// No tables yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the table of a record type.
    #[must_use]
    pub fn table<T: Record>(mut self) -> Self {
        self.codecs.insert(
            T::TABLE,
            Codec {
                decode: decode::<T>,
                encode: encode::<T>,
                label: label::<T>,
                same: same::<T>,
                index: index_of::<T>,
            },
        );
        self
    }
}

fn decode<T: Record>(text: &str) -> Result<(Row, String), String> {
    let record: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let id = record.id().to_owned();
    Ok((Rc::new(record), id))
}

fn encode<T: Record>(row: &dyn Any) -> Result<String, String> {
    let record = row.downcast_ref::<T>().ok_or("a row of another type")?;
    serde_json::to_string(record).map_err(|error| error.to_string())
}

fn label<T: Record>(row: &dyn Any) -> Option<String> {
    row.downcast_ref::<T>().map(|record| record.label().to_owned())
}

fn same<T: Record>(left: &dyn Any, right: &dyn Any) -> bool {
    left.downcast_ref::<T>().is_some_and(|left| Some(left) == right.downcast_ref::<T>())
}

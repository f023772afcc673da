//! Which tables there are, and how their rows are read and written.

use std::{any::Any, rc::Rc};

use litemap::LiteMap;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Json,
    index::{AnyIndex, Index, index_of},
};

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

    /// Reads a row at the beginning of a text, and gives what comes after it. A type whose rows are read by the ten
    /// thousand may know a quicker way than serde's; what it does not know it leaves to [`read_json`].
    ///
    /// # Errors
    /// Why there is no such row.
    fn read_json(text: &str) -> Result<(Self, &str), String> {
        read_json(text)
    }

    /// What a person calls this row, for messages such as “Buy milk” has changed since.
    fn label(&self) -> &str {
        self.id()
    }
}

/// A row in memory, its type forgotten.
pub(crate) type Row = Rc<dyn Any>;

/// A row at the beginning of a text and what comes after it, or why it cannot be read.
pub(crate) type ReadRow<'a> = Result<(Row, &'a str), String>;

/// How one record type is read and written. Text both ways, so that a type's serde code is linked once.
#[derive(Clone, Copy)]
pub(crate) struct Codec {
    /// The row with this id at the beginning of a text, and what comes after it, or why it cannot be read.
    pub decode: for<'a> fn(&'a str, &str) -> ReadRow<'a>,
    /// The row as JSON.
    pub encode: fn(&dyn Any) -> Result<Json, String>,
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

    /// Whether a table is one of these.
    #[must_use]
    pub fn has(&self, table: &str) -> bool {
        self.codecs.contains_key(table)
    }

    /// The names of the tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = &'static str> {
        self.codecs.keys().copied()
    }

    /// Adds the tables of another schema.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for (table, codec) in other.codecs.iter() {
            self.codecs.insert(table, *codec);
        }
        self
    }

    /// A stored row as today's type writes it, and what a person calls it.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(&self, table: &str, id: &str, row: &Json) -> Result<ReadAs, String> {
        let codec = self.codecs.get(table).ok_or("a table this version does not know")?;
        let (row, _) = (codec.decode)(row.as_str(), id)?;
        let label = (codec.label)(&*row).unwrap_or_else(|| id.to_owned());
        Ok(ReadAs { json: (codec.encode)(&*row)?, label })
    }
}

/// A row that was read and written again ([`Schema::read`]).
pub struct ReadAs {
    /// As today's type writes it.
    pub json: Json,
    /// What a person calls it.
    pub label: String,
}

/// Reads a value at the beginning of a JSON text by serde, and gives what comes after it.
///
/// # Errors
/// Why there is no such value.
pub fn read_json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<(T, &'a str), String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    match values.next() {
        Some(Ok(value)) => Ok((value, &text[values.byte_offset()..])),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("nothing is there".to_owned()),
    }
}

fn decode<'a, T: Record>(text: &'a str, id: &str) -> ReadRow<'a> {
    let (record, rest) = T::read_json(text)?;
    if record.id() == id {
        Ok((Rc::new(record), rest))
    } else {
        Err(format!("it says its id is {}", record.id()))
    }
}

fn encode<T: Record>(row: &dyn Any) -> Result<Json, String> {
    Json::of(row.downcast_ref::<T>().ok_or("a row of another type")?)
}

fn label<T: Record>(row: &dyn Any) -> Option<String> {
    row.downcast_ref::<T>().map(|record| record.label().to_owned())
}

fn same<T: Record>(left: &dyn Any, right: &dyn Any) -> bool {
    left.downcast_ref::<T>().is_some_and(|left| Some(left) == right.downcast_ref::<T>())
}

//! What a domain keeps beside a table so that it need not look at every row.
//!
//! An index belongs to the tables in memory: it is never stored, it is built when it is first asked, and
//! from then on follows every committed row. A stage with rows of its own in the table is not asked it.

use std::{any::Any, rc::Rc};

use crate::{Record, record::Row};

/// What is kept beside the rows of a table. Its parts are best built when they are first needed, from the
/// rows that [`crate::Stage::index`] gives, and are then kept up here.
pub trait Index<T>: Default + 'static {
    /// A row was added.
    fn add(&mut self, row: &Rc<T>);
    /// A row was taken away, also when another takes its place.
    fn remove(&mut self, row: &Rc<T>);
}

/// For a table that needs none.
impl<T> Index<T> for () {
    fn add(&mut self, _: &Rc<T>) {}
    fn remove(&mut self, _: &Rc<T>) {}
}

/// An index with its type forgotten.
pub(crate) trait AnyIndex {
    fn add(&mut self, row: &Row);
    fn remove(&mut self, row: &Row);
    fn as_any(&mut self) -> &mut dyn Any;
}

struct Kept<T: Record>(T::Index);

impl<T: Record> AnyIndex for Kept<T> {
    fn add(&mut self, row: &Row) {
        if let Ok(row) = row.clone().downcast::<T>() {
            self.0.add(&row);
        }
    }

    fn remove(&mut self, row: &Row) {
        if let Ok(row) = row.clone().downcast::<T>() {
            self.0.remove(&row);
        }
    }

    fn as_any(&mut self) -> &mut dyn Any {
        &mut self.0
    }
}

/// A new index for a record type.
pub(crate) fn index_of<T: Record>() -> Box<dyn AnyIndex> {
    Box::new(Kept::<T>(T::Index::default()))
}

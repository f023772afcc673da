//! A database in IndexedDB as a place for the contract suite.

use store::{IdbJournal, OpfsBlobs};

use crate::contract::Place;

/// One database; every connection is one of the browser's own.
pub struct IndexedDb(pub &'static str);

impl Place for IndexedDb {
    type Journal = IdbJournal;
    type Blobs = OpfsBlobs;
    const IS_SLOW: bool = true;

    async fn blobs(&self) -> OpfsBlobs {
        OpfsBlobs::beside(self.0)
    }

    async fn connect(&self) -> IdbJournal {
        IdbJournal::open(self.0).await.unwrap()
    }

    async fn empty(&self) {
        IdbJournal::delete_database(self.0).await.unwrap();
    }

    fn another(&self, number: usize) -> Self {
        Self(Box::leak(format!("{}-{number}", self.0).into_boxed_str()))
    }
}

macro_rules! in_indexed_db {
    (#[$test:meta] $name:ident) => {
        #[$test]
        async fn $name() {
            // Both files of tests may meet in one browser profile.
            let name = concat!(module_path!(), "::", stringify!($name));
            contract::$name(indexed_db::IndexedDb(name)).await;
        }
    };
}
pub(crate) use in_indexed_db;

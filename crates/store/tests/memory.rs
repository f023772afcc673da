//! The contract suite on the journal in memory.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

#[macro_use]
mod contract;

use contract::Place;
use store::{MemoryBlobs, MemoryJournal};

struct Memory(MemoryJournal, MemoryBlobs);

impl Place for Memory {
    type Journal = MemoryJournal;
    type Blobs = MemoryBlobs;

    async fn blobs(&self) -> MemoryBlobs {
        self.1.clone()
    }

    async fn connect(&self) -> MemoryJournal {
        self.0.clone()
    }

    async fn empty(&self) {
        self.0.lose(..);
        self.0.set_snapshot(None);
    }

    fn another(&self, _: usize) -> Self {
        Self(MemoryJournal::new(), MemoryBlobs::new())
    }
}

macro_rules! in_memory {
    (#[$test:meta] $name:ident) => {
        #[$test]
        fn $name() {
            futures::executor::block_on(contract::$name(Memory(MemoryJournal::new(), MemoryBlobs::new())));
        }
    };
}

contract!(
    #[test]
    in_memory
);

#[test]
fn a_thousand_operations_at_random_leave_the_same() {
    let place = Memory(MemoryJournal::new(), MemoryBlobs::new());
    futures::executor::block_on(contract::a_thousand_operations_at_random_leave_the_same(place));
}

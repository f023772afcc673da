//! The contract suite on the journal in memory.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test that fails here has failed")]

#[macro_use]
mod contract;

use contract::Place;
use store::MemoryJournal;

struct Memory(MemoryJournal);

impl Place for Memory {
    type Journal = MemoryJournal;

    async fn connect(&self) -> MemoryJournal {
        self.0.clone()
    }

    async fn empty(&self) {
        self.0.lose(..);
        self.0.set_snapshot(None);
    }
}

macro_rules! in_memory {
    (#[$test:meta] $name:ident) => {
        #[$test]
        fn $name() {
            futures::executor::block_on(contract::$name(Memory(MemoryJournal::new())));
        }
    };
}

contract!(
    #[test]
    in_memory
);

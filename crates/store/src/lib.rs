//! Tables in memory over an append-only journal: stage, commit, undo, snapshot.
//!
//! A tool never writes. It reads through a [`Stage`], puts and deletes in it, and the staged set
//! becomes a [`Change`] when [`Db::commit`] appends it to the journal under the next revision. The
//! journal is the truth; the tables are its fold, and a snapshot is a cache of that fold.
//!
//! This crate knows no tool, no protocol and no domain. It has no clock and no random of its own:
//! the [`Moment`] comes in with the [`Call`], and ids are made from the call's key.
#![doc = include_str!("../README.md")]

mod blobs;
mod change;
mod db;
mod erase;
mod error;
mod fair_mutex;
#[cfg(not(target_family = "wasm"))]
mod file;
mod forget;
mod hash;
mod history;
#[cfg(target_family = "wasm")]
mod idb;
mod index;
mod journal;
mod json;
mod kept;
mod memory;
mod open;
mod record;
mod report;
mod saved;
mod shared;
mod snapshot;
mod stage;
mod tables;
mod upkeep;

pub use blobs::{Blob, BlobHash, Blobs, ByteStream, Collected, MemoryBlobs, whole as whole_blob};
pub use change::{Call, CallKey, Change, Moment, Op, Rev};
pub use db::{Committed, Db};
pub use error::{Clash, CommitError, StoreError, UndoError};
#[cfg(not(target_family = "wasm"))]
pub use file::{FileJournal, FolderBlobs};
pub use hash::content_hash;
pub use history::{Past, Redo, Undo};
#[cfg(target_family = "wasm")]
pub use idb::{IdbJournal, OpfsBlobs};
pub use index::Index;
pub use journal::{Damage, Durability, Journal, Loaded, RECENT, Tail};
pub use json::Json;
pub use memory::MemoryJournal;
pub use record::{ReadAs, Record, Schema, read_json};
pub use report::{Note, Report, Source};
pub use saved::{Copied, Saved};
pub use snapshot::{Manifest, SecondCopy, Snapshot};
pub use stage::{Changed, Stage};
pub use tables::View;

//! What Satchel keeps on NATS JetStream: a [`Journal`](store::Journal) that several servers share.
//!
//! All journals of a [`Space`] are in one stream, each under a subject of its own, and their snapshots and bytes in one bucket of the
//! object store. Writers are told apart by the server alone: every message says which one it expects to be the last of its subject
//! (`Nats-Expected-Last-Subject-Sequence`), and is refused where another one came before it.

mod blobs;
mod copy;
mod index;
mod journal;
mod kv;
mod objects;
mod space;
mod together;
mod wire;
pub mod work;

pub use blobs::JetStreamBlobs;
pub use journal::JetStreamJournal;
pub use kv::{Kv, KvOptions, Value};
pub use space::{Options, Space};
pub use together::Contents;

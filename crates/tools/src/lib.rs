//! The assembled tool server: the tools of the domains that a host hands in ([`Domains`]), over one database. It names none
//! of them.
//!
//! What it does: for every call it decides whether the call was answered before, runs the tool on a stage,
//! and appends what was staged to the journal; or only shows it, for a preview. It is hosted by the
//! service worker, by the terminal and by rehearsals alike, each with its own [`store::Journal`] and
//! [`Clock`].
//!
//! What it does not know: any browser, any socket, any model. It has no clock and no random of its own.
#![doc = include_str!("../README.md")]

mod approve;
mod byte_store;
mod call;
mod clock;
mod context;
mod domains;
mod erase;
mod error;
mod history;
mod journal_context;
mod meta;
mod parts;
mod resources;
mod saved;
mod server;
mod storage;
mod transfer;
mod undo;

pub use byte_store::ByteStore;
pub use clock::Clock;
pub use domain::GoesUp;
pub use domains::Domains;
pub use parts::{Parts, Shown, WholeTools};
pub use resources::notifications_of;
pub use server::{ToolServer, info};
pub use storage::{ChangedRow, rows_of};
pub use undo::{Undone, UndoneCall};

#[cfg(test)]
mod tests;

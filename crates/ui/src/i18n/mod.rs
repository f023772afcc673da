//! Everything a person reads of the frame, in one place: words in `strings` and beside it by area.

mod browser_model;
mod commands;
mod context;
mod data;
mod memory;
mod past;
mod rooms;
mod spend;
mod strings;
mod structured;

pub use browser_model::*;
pub use commands::*;
pub use context::*;
pub use data::*;
pub use memory::*;
pub use past::*;
pub use rooms::*;
pub use spend::*;
pub use strings::*;
pub use structured::*;

pub use ui_chat::words::*;
pub use ui_kit::words::*;

include!(concat!(env!("OUT_DIR"), "/app.rs"));
include!(concat!(env!("OUT_DIR"), "/media-input.rs"));
include!(concat!(env!("OUT_DIR"), "/own-model.rs"));
include!(concat!(env!("OUT_DIR"), "/verification.rs"));

/// A count as the texts take it.
pub fn whole(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

//! Everything a person reads of the frame, in one place: words in `strings` and beside it by area.

mod app;
mod browser_model;
mod commands;
mod context;
mod data;
mod losses;
mod media_input;
mod memory;
mod own_model;
mod past;
mod privacy;
mod rooms;
mod spend;
mod strings;
mod structured;
mod verification;

pub use app::*;
pub use browser_model::*;
pub use commands::*;
pub use context::*;
pub use data::*;
pub use losses::*;
pub use media_input::*;
pub use memory::*;
pub use own_model::*;
pub use past::*;
pub use privacy::*;
pub use rooms::*;
pub use spend::*;
pub use strings::*;
pub use structured::*;
pub use verification::*;

pub use ui_chat::words::*;
pub use ui_kit::words::*;

/// A count as the texts take it.
fn whole(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

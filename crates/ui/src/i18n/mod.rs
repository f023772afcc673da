//! Everything a person reads, in one place: words in `strings` and beside it by area.

mod app;
mod browser_model;
mod commands;
mod context;
mod data;
mod external;
mod losses;
mod media_input;
mod memory;
mod outbox;
mod own_model;
mod past;
mod privacy;
mod relay;
mod servers;
mod spend;
mod strings;
mod structured;
mod trace;
mod verification;

pub use app::*;
pub use browser_model::*;
pub use commands::*;
pub use context::*;
pub use data::*;
pub use external::*;
pub use losses::*;
pub use media_input::*;
pub use memory::*;
pub use outbox::*;
pub use own_model::*;
pub use past::*;
pub use privacy::*;
pub use relay::*;
pub use servers::*;
pub use spend::*;
pub use strings::*;
pub use structured::*;
pub use trace::*;
pub use verification::*;

pub use ui_kit::locale::{money, number};
pub use ui_kit::words::*;

//! Everything a person reads of what a run did and cost, by area.

mod spend;
mod trace;

pub use spend::*;
pub use trace::*;

pub use ui_chat::words::{compacted_here, run_file_name, show_all};
pub use ui_kit::locale::{money, number};
pub use ui_kit::words::*;

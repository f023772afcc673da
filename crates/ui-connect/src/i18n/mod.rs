//! Everything a person reads of what is outside the page, by area.

mod external;
mod relay;
mod servers;

pub use external::*;
pub use relay::*;
pub use servers::*;

pub use ui_chat::words::{STORAGE_FULL, TOOLS_NOT_THERE, TOOLS_UNREADABLE};
pub use ui_kit::words::*;

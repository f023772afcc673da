//! Everything a person reads of what is outside the page, by area.

/// The tools did not answer, for programs, who are told it in English.
pub const TOOLS_NOT_THERE: &str = "The tools did not answer. Reload the page.";
/// They answered something else, for programs.
pub const TOOLS_UNREADABLE: &str =
    "The tools answered in a way this page does not understand. Reload the page.";

mod external;
mod relay;
mod servers;

pub use external::*;
pub use relay::*;
pub use servers::*;

pub use ui_chat::words::storage_full;
pub use ui_kit::words::*;

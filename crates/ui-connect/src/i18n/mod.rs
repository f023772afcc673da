//! Everything a person reads of what is outside the page, by area.

/// The tools did not answer, for programs, who are told it in English.
pub const TOOLS_NOT_THERE: &str = "The tools did not answer. Reload the page.";
/// They answered something else, for programs.
pub const TOOLS_UNREADABLE: &str =
    "The tools answered in a way this page does not understand. Reload the page.";

/// What calls tools elsewhere could not be loaded, for a model.
pub const PART_NOT_LOADED: &str =
    "What reaches tools elsewhere could not be loaded. It needs the network once.";

mod external;
mod relay;
mod servers;

pub use external::*;
pub use relay::*;
pub use servers::*;

pub use ui_chat::words::storage_full;
pub use ui_kit::words::*;

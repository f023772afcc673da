//! Everything a person reads of the conversation, in one place: words in `strings` and beside it by area.

mod context;
mod past;
mod privacy;
mod strings;
mod tongue;
mod verification;

pub use context::*;
pub use past::*;
pub use privacy::*;
pub use strings::*;
pub use tongue::tongue_of;
pub use verification::*;

pub use ui_kit::locale::money;
pub use ui_kit::words::*;

include!(concat!(env!("OUT_DIR"), "/media-input.rs"));
include!(concat!(env!("OUT_DIR"), "/outbox.rs"));
include!(concat!(env!("OUT_DIR"), "/own-model.rs"));
include!(concat!(env!("OUT_DIR"), "/servers.rs"));

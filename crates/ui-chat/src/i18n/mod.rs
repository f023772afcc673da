//! Everything a person reads of the conversation, in one place: words in `strings` and beside it by area.

mod context;
mod media_input;
mod outbox;
mod own_model;
mod past;
mod privacy;
mod servers;
mod strings;
mod tongue;
mod verification;

pub use context::*;
pub use media_input::*;
pub use outbox::*;
pub use own_model::*;
pub use past::*;
pub use privacy::*;
pub use servers::*;
pub use strings::*;
pub use tongue::tongue_of;
pub use verification::*;

pub use ui_kit::locale::money;
pub use ui_kit::words::*;

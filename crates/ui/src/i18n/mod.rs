//! Everything a person reads, in one place: words in `strings`, dates in `dates`.

mod app;
mod data;
mod dates;
mod losses;
mod outbox;
mod own_model;
mod past;
mod strings;

pub use app::*;
pub use data::*;
pub use dates::{ago, due_label};
pub use losses::*;
pub use outbox::*;
pub use own_model::*;
pub use past::*;
pub use strings::*;

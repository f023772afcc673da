//! Everything a person reads, in one place: words in `strings`, dates in `dates`.

mod dates;
mod strings;

pub use dates::{ago, due_label};
pub use strings::*;

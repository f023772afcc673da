//! Everything a person reads, in one place: words in `strings`, dates in `dates`, numbers in `locale`.

mod commands;
mod dates;
mod locale;
mod strings;

pub use commands::*;
pub use dates::{ago, due_label, write_dates_with};
pub use locale::{date, number};
pub use strings::*;

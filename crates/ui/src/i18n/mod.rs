//! Everything a person reads, in one place: words in `strings` and beside it by area, dates in `dates`, numbers in
//! `locale`.

mod app;
mod commands;
mod context;
mod data;
mod dates;
mod locale;
mod losses;
mod outbox;
mod outside;
mod own_model;
mod past;
mod relay;
mod servers;
mod strings;

pub use app::*;
pub use commands::*;
pub use context::*;
pub use data::*;
pub use dates::{ago, due_label, summary_in_words, write_dates_with};
pub use locale::{date, number};
pub use losses::*;
pub use outbox::*;
pub use outside::*;
pub use own_model::*;
pub use past::*;
pub use relay::*;
pub use servers::*;
pub use strings::*;

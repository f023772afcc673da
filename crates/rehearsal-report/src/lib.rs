//! What came of a batch of conversations, as numbers and as files.
//!
//! Start at [`Report`].
//!
//! What it does not know: files, clocks, terminals. Texts come in, texts go out.
#![doc = include_str!("../README.md")]

mod comparison;
mod html;
pub mod jsonl;
mod junit;
mod part;
mod report;
mod stats;
mod table;
mod text;

pub use comparison::{Comparison, ExactTest, ExactTestKind, Measures, ScenarioChange, Trend};
pub use html::{FULL, Page};
pub use junit::{Suites, junit};
pub use part::{Amount, CheckCount, Counts, Latency, Part, PassK, Rate, Spent, StatusCount, Tokens};
pub use report::Report;
pub use stats::Interval;
pub use table::Table;

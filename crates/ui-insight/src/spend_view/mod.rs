//! What is spent on models, to be seen: a word when a limit is near, and the settings of it all.

mod notice;
mod section;

pub use notice::SpendNotice;
pub use section::{SETTINGS, SpendSection};

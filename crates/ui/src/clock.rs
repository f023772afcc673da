//! The clock, by the short name the page has for it.

pub use web::clock::*;

/// How long a failure is held back, in milliseconds. A page that is being left hears its requests fail before it is gone: told
/// at once, that would be kept as the end of a run which the next page is to go on with.
pub const HELD_BACK_MS: u64 = 600;

//! The clock, by the short name the page has for it.

pub use web::clock::*;

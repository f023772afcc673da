//! Looks at photos: pure functions over pixels. It knows neither a browser nor a store, no clock and no chance: the same
//! code runs in a worker of the page and in a terminal.
//!
//! Start at [`pixels::Picture`], which everything here looks at.

pub mod pixels;

//! Looks at photos: pure functions over pixels. It knows neither a browser nor a store, no clock and no chance: the same
//! code runs in a worker of the page and in a terminal.
//!
//! Start at [`pixels::Picture`], which everything here looks at.
//!
//! - [`mod@format`] tells what a file is, [`decode`] makes pixels of it where no browser does, [`exif`] reads when, where and how it was taken
//!   ([`moment`] is that time).
//! - [`mod@quality`] says how good a photo is and why, of what [`measure`] measures; [`rules`] gives the tags that need no net.
//! - [`mod@likeness`] is what two photos are compared by, [`duplicates`] groups the same ones, [`events`] those of one occasion.

pub mod decode;
pub mod duplicates;
pub mod events;
pub mod exif;
pub mod format;
pub mod likeness;
pub mod measure;
pub mod moment;
pub mod pixels;
pub mod quality;
pub mod rules;

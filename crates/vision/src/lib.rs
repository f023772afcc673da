//! Looks at photos: pure functions over pixels. It knows neither a browser nor a store, no clock and no chance: the same
//! code runs in a worker of the page and in a terminal.
//!
//! Start at [`pixels::Picture`], which everything here looks at.
//!
//! - [`mod@format`] tells what a file is, [`decode`] makes pixels of it where no browser does, [`exif`] reads when, where and how it was taken
//!   ([`moment`] is that time), [`size`] says how many pixels it promises before anybody decodes it.
//! - [`quality`] says how good a photo is and why; [`rules`] gives the tags that need no net.
//! - [`nets`] runs four small neural nets on it: where faces are, their landmarks, an embedding of each, what the picture shows.
//! - [`tags`] makes everyday tags ("dog", "beach") of the 1000 names that the tagging net knows.
//! - [`look`] is all of it at once, in the form in which a row keeps it.
//! - [`people`] groups faces by person from their embeddings and from what a person said about them.
//! - [`export`] is what photos are when they leave: names, files without places, a zip.
//! - [`likeness`] is what two photos are compared by, [`duplicates`] groups the same ones, [`events`] those of one occasion.
#![doc = include_str!("../README.md")]

pub mod decode;
pub mod duplicates;
pub mod events;
pub mod exif;
pub mod export;
pub mod format;
pub mod likeness;
pub mod look;
pub mod measure;
pub mod moment;
pub mod nets;
pub mod people;
pub mod pixels;
pub mod quality;
pub mod rules;
pub mod size;
pub mod tags;

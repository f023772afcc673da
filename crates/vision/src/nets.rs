//! Neural nets over pictures: four ONNX files of `models/`, each behind a type of its own with one function.
//!
//! A net is loaded from the bytes of its file, wherever the caller has them from, and runs on one thread: what looks
//! at many photos runs several workers, each with nets of its own. Scaling, cropping and turning happen here, so that
//! a caller passes whole pictures. Where each rule comes from is said beside it; `models/README.md` has the shapes
//! and the origins.
//!
//! Every function takes any picture and any numbers, from 1 × 1 pixel on, and gives an error where a net cannot: none
//! panics.

mod embedding;
mod faces;
mod landmarks;
mod net;
mod sample;
mod tagger;

pub use embedding::{Embedding, FaceEmbedding};
pub use faces::{COUNTS, Face, FaceFinder, MAY_BE};
pub use landmarks::{Landmarks, POINTS, Point, eyes};
pub use net::NetError;
pub use tagger::{CLASSES, FEATURES, TagScores, Tagger};

#[cfg(test)]
pub(crate) use landmarks::tests;

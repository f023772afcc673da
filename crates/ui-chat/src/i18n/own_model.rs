//! The words around what is in the way of a person's own model, or of the browser's.

include!(concat!(env!("OUT_DIR"), "/own-model.rs"));

//! The words around the choice of what a model elsewhere is not told.

include!(concat!(env!("OUT_DIR"), "/privacy.rs"));

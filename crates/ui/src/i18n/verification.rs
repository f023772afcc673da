//! The words around the choice of how a model plans and how its answers are checked.

include!(concat!(env!("OUT_DIR"), "/verification.rs"));

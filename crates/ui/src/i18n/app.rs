//! The words around the app itself: installing it, and what other apps share with it.

include!(concat!(env!("OUT_DIR"), "/app.rs"));

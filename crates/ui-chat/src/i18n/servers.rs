//! The words around a call of a tool elsewhere: what goes there, and what came back.

include!(concat!(env!("OUT_DIR"), "/servers.rs"));

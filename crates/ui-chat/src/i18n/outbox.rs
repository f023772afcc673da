//! The words around messages that wait for the network.

include!(concat!(env!("OUT_DIR"), "/outbox.rs"));

//! Words for data that was damaged, lost or brought back.

include!(concat!(env!("OUT_DIR"), "/losses.rs"));

//! What Satchel keeps, and what it says where nothing was said yet.

include!(concat!(env!("OUT_DIR"), "/satchel.rs"));

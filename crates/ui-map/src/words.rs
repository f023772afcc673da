//! The words of the map in the page.

include!(concat!(env!("OUT_DIR"), "/map.rs"));

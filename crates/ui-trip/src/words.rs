//! The words of the trips in the page.

include!(concat!(env!("OUT_DIR"), "/trips.rs"));

//! The words of rehearsals in the page.

include!(concat!(env!("OUT_DIR"), "/rehearse.rs"));

//! The words around pictures, dictation and answers that are read aloud.

include!(concat!(env!("OUT_DIR"), "/media-input.rs"));

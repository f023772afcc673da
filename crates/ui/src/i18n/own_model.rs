//! The words around a person's own model: providers, the key and its passphrase.

include!(concat!(env!("OUT_DIR"), "/own-model.rs"));

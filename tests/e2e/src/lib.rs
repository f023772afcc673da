//! The harness of the end-to-end tests: the real app, served by the real gateway, in a real Chromium.
//!
//! `App` is a running `satchel serve`, `Browser` a Chromium with an empty profile, `Provider` an HTTP
//! server that plays recorded model streams. Nothing is mocked on our side of the wire.
//! A harness reports by panicking: a test has nobody to hand an error to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod app;
mod browser;
mod provider;

pub use app::App;
pub use browser::{Browser, CALL, Theme, eventually};
pub use provider::{Provider, Reply, sse};

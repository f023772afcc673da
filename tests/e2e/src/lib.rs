//! The harness of the end-to-end tests: the real app, served by the real gateway, in a real Chromium.
//!
//! `App` is a running `satchel serve`, `Browser` a Chromium with an empty profile, driven as a person drives it,
//! `Chromium` one that is started bare for tests that kill tabs, workers or the browser itself, `Provider`
//! an HTTP server that plays recorded model streams. Nothing is mocked on our side of the wire.
//! A harness reports by panicking: a test has nobody to hand an error to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod app;
mod browser;
mod build;
mod chromium;
mod counts;
mod devtools;
mod provider;
mod sign_in;
mod static_host;
mod tool_server;

pub use app::{App, dist, satchel};
pub use browser::{ALL_IS_KEPT, Browser, CALL, DUMP, PASTE, Theme, eventually, with_model};
pub use build::Build;
pub use chromium::{Chromium, Tab, indexed_db, the_app, the_app_of};
pub use counts::{Seed, exactly_once};
pub use devtools::{Devtools, Event, Session};
pub use provider::{Provider, Reply, sse};
pub use sign_in::SignInServer;
pub use static_host::StaticHost;
pub use tool_server::{Asked, Manner, ToolServer};

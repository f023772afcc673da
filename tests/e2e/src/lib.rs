//! The harness of the end-to-end tests: the real app, served by the real gateway, in a real Chromium.
//!
//! `App` is a running `satchel serve`, `Browser` a Chromium with an empty profile, driven as a person drives it,
//! `Chromium` one that is started bare for tests that kill tabs, workers or the browser itself, `Provider`
//! an HTTP server that plays recorded model streams, `Wire` a proxy that keeps every request of a browser. Nothing is mocked on our side of the wire.
//! What is on a screen has a name in the file of that screen (`chat`, `settings`, `history` …): `browser.history().entry()` is an
//! [`Element`], found anew each time, and what is done with it waits until it can be done. A new domain gets a file of its own.
//! A harness reports by panicking: a test has nobody to hand an error to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod app;
mod approvals;
mod browser;
mod build;
mod chat;
mod chromium;
mod conversations;
mod counts;
mod data;
mod devtools;
mod element;
mod history;
mod memory;
mod notes;
mod own_model;
mod page;
mod palette;
mod photos;
mod privacy;
mod programs;
mod provider;
mod rehearsals;
mod reminders;
mod screen;
mod servers;
mod settings;
mod sign_in;
mod static_host;
mod tool_server;
mod trace;
mod trip_sections;
mod trips;
mod wire;
mod workspace;

pub use app::{App, dist, notes_dist, satchel};
pub use browser::{
    ALL_IS_KEPT, Browser, CALL, DUMP, EVERY_FILE, PASTE, Theme, eventually, opened, with_model,
};
pub use build::Build;
pub use chromium::{Chromium, Tab, indexed_db, the_app, the_app_of};
pub use counts::{Seed, exactly_once};
pub use devtools::{Devtools, Event, Session};
pub use element::Element;
pub use page::Page;
pub use provider::{Provider, Reply, sse};
pub use screen::{
    Approvals, Chat, Conversations, Data, History, Memory, Notes, OwnModel, Palette, Photos, Privacy,
    Programs, Rehearsals, Servers, Settings, Trace, TripSections, Trips, Workspace,
};
pub use settings::ROOMS;
pub use sign_in::SignInServer;
pub use static_host::StaticHost;
pub use tool_server::{Asked, Manner, ToolServer};
pub use wire::{BY_ITSELF, Sent, Wire};

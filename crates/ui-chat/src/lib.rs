//! The conversation in a page: its controller, its transcript, its composer and approvals, and what lies beneath them.
//!
//! Start at [`controller::Controller`]: it drives the agent, whose ports are here: [`model`] asks a model, [`toolbox`] and
//! [`transport`] call the tools in the worker, [`log`] keeps what was said. [`transcript`] shows what the controller holds,
//! [`composer`] and [`conversations`] tell it what the person wants.
//!
//! What other crates wait for is a `LocalBoxFuture` where it is large: the body of an `async fn` is compiled anew in each crate
//! that calls it, with all that it waits for (docs/adr/0056-the-page-in-crates.md).
//!
//! What it does not know: which assistant it is (it is told: [`assistant::is_to_be`]), the frame it stands in, servers elsewhere,
//! and what is made of a run once it is over. What the frame opens for it is in [`places::Places`].
#![doc = include_str!("../README.md")]

pub mod approvals;
pub mod assistant;
pub mod composer;
mod context;
pub mod controller;
pub mod conversations;
mod drafts;
mod i18n;
pub mod keys;
pub mod log;
mod markdown;
pub mod message_field;
pub mod model;
pub mod outbox;
mod pictures;
pub mod places;
pub mod privacy;
pub mod privacy_view;
pub mod sent;
pub mod settings;
pub mod shell;
pub mod spend;
pub mod toolbox;
pub mod transcript;
pub mod transport;
pub mod voice;
pub mod words;

use ui_kit::{clock, form, icons, moment, parts, sheet, toast, window};

//! What a run did and cost: [`trace`] shows one run on an axis of time, [`metrics`] what all conversations come to, [`spend_view`]
//! what was spent and its limits.
//!
//! Start at [`trace`]. All of it is read off what the conversation keeps, when somebody looks; nothing is kept here.
//!
//! What it does not know: the frame of the page, and how a run is done.
#![doc = include_str!("../README.md")]

mod i18n;
pub mod metrics;
pub mod spend_view;
pub mod trace;

use ui_chat::{controller, places, privacy_view, sent, settings, spend};
use ui_kit::{clock, icons, moment, parts, sheet};

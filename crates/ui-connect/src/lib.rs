//! What is outside the page, and meets its tools or its conversation: tool servers elsewhere, other programs, the browser's own
//! agent.
//!
//! Start at [`servers::Servers`] for the tools that the page uses elsewhere, and at [`external::ExternalCallers`] for whoever calls
//! the page's: [`relay`] brings programs by way of the gateway, [`tool_caller`] brings the person's own hand. Under all of them is
//! the rule that what may be done is decided in the page.
//!
//! What it does not know: the frame of the page, and how a run is done.
#![doc = include_str!("../README.md")]

pub mod external;
mod i18n;
pub mod relay;
pub mod servers;
pub mod tool_caller;

use ui_chat::{approvals, controller, keys, message_field, model, settings, shell, toolbox, transcript};
use ui_kit::{clock, form, icons, moment, parts};

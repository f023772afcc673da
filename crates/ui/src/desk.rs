//! What every part of the page shares, as one handle.

use leptos::prelude::*;

use crate::host::Host;
use crate::settings::Settings;
use crate::status::ToolServer;
use crate::workspace::Live;

/// The shared parts. Copies are the same desk.
#[derive(Clone, Copy)]
pub struct Desk {
    /// The conversation.
    pub host: Host,
    /// The to-dos.
    pub live: Live,
    /// What the person chose.
    pub settings: RwSignal<Settings>,
    /// Whether the browser has a network.
    pub online: RwSignal<bool>,
    /// Where the tools run.
    pub worker: RwSignal<ToolServer>,
    /// Whether a newer version of the app waits to be used.
    pub update_ready: RwSignal<bool>,
    /// Goes over to it.
    pub update: Callback<()>,
}

impl Desk {
    /// The desk of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }
}

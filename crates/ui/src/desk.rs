//! What every part of the page shares, as one handle.

use std::rc::Rc;

use leptos::prelude::*;

use crate::host::Host;
use crate::installed::Installation;
use crate::keys::Keyring;
use crate::outbox::Outbox;
use crate::outside::Outside;
use crate::relay::Relay;
use crate::servers::Servers;
use crate::settings::{Section, Settings};
use crate::spend::Purse;
use crate::status::ToolServer;
use crate::toolbox::Toolbox;
use ui_kit::Tools;

/// The shared parts. Copies are the same desk.
#[derive(Clone, Copy)]
pub struct Desk {
    /// The tools.
    pub toolbox: StoredValue<Rc<Toolbox>, LocalStorage>,
    /// The conversation.
    pub host: Host,
    /// The same by the person's hand, with notes about what came of it.
    pub tools: Tools,
    /// What the person chose.
    pub settings: RwSignal<Settings>,
    /// The part of the settings that is open; none while they are closed.
    pub settings_at: RwSignal<Option<Section>>,
    /// The keys of model providers.
    pub keys: Keyring,
    /// Messages that wait for the network.
    pub outbox: Outbox,
    /// How far the app is installed.
    pub installation: RwSignal<Installation>,
    /// Other programs.
    pub relay: Relay,
    /// Servers elsewhere whose tools are used here.
    pub servers: Servers,
    /// What this month has cost.
    pub purse: Purse,
    /// Who calls from outside the page, and what they ask.
    pub outside: Outside,
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

//! A broadcast channel that is listened to for as long as its owner lives.

use wasm_bindgen::JsValue;
use web_sys::{BroadcastChannel, MessageEvent};

use crate::{listener::Listener, names};

/// The channel. Dropping it closes it.
pub struct Channel {
    channel: BroadcastChannel,
    _listener: Listener,
}

impl Channel {
    /// Listens. None where the browser has no such channels.
    pub fn open(name: &str, on_message: impl FnMut(MessageEvent) + 'static) -> Option<Self> {
        let channel = BroadcastChannel::new(&names::of(name)).ok()?;
        let _listener = Listener::on(&channel, "message", on_message);
        Some(Self { channel, _listener })
    }

    /// Listens for as long as the page lives.
    pub fn for_good(name: &str, on_message: impl FnMut(MessageEvent) + 'static) {
        std::mem::forget(Self::open(name, on_message));
    }

    /// Tells the others. One that cannot be told learns of it when it looks.
    pub fn tell(&self, message: &str) {
        let _ = self.channel.post_message(&message.into());
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.channel.close();
    }
}

/// Tells everybody who listens on this channel, this page too.
pub fn tell(name: &str, message: impl Into<JsValue>) {
    if let Ok(channel) = BroadcastChannel::new(&names::of(name)) {
        let _ = channel.post_message(&message.into());
        channel.close();
    }
}

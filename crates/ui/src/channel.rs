//! A broadcast channel that is listened to for as long as its owner lives.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{BroadcastChannel, MessageEvent};

/// The channel. Dropping it closes it.
pub struct Channel {
    channel: BroadcastChannel,
    _listener: Closure<dyn FnMut(MessageEvent)>,
}

impl Channel {
    /// Listens. None where the browser has no such channels.
    pub fn open(name: &str, on_message: impl FnMut(MessageEvent) + 'static) -> Option<Self> {
        let channel = BroadcastChannel::new(name).ok()?;
        let listener = Closure::<dyn FnMut(MessageEvent)>::new(on_message);
        channel.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        Some(Self { channel, _listener: listener })
    }

    /// Tells the others. One that cannot be told learns of it when it looks.
    pub fn tell(&self, message: &str) {
        let _ = self.channel.post_message(&message.into());
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.channel.set_onmessage(None);
        self.channel.close();
    }
}

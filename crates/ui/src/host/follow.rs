//! Several tabs, one conversation: what a tab that watches does with what the leader tells.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::seat::Seat;
use super::{Host, Role, keep};

impl Host {
    /// Another tab did something with a conversation.
    pub(super) fn heard(self, message: &str) {
        if let Some(id) = message.strip_prefix(keep::GONE) {
            return self.is_gone(id);
        }
        if let Some(id) = message.strip_prefix(keep::HAND_OVER) {
            if let Some(seat) = self.seat_of(id).filter(|seat| seat.role.get() == Role::Leading) {
                self.give_up(&seat);
            }
            return;
        }
        let watched =
            |id: &str| self.seat().filter(|seat| seat.id == id && seat.role.get() == Role::Watching);
        if let Some((id, live)) = message.strip_prefix(keep::LIVE).and_then(|rest| rest.split_once(' ')) {
            if let (Some(seat), Ok(live)) = (watched(id), serde_json::from_str(live)) {
                seat.state.borrow_mut().live = live;
                self.publish(&seat);
            }
            return;
        }
        let watching = watched(message);
        spawn_local(async move {
            if let Some(seat) = watching {
                self.catch_up(&seat).await;
            }
            self.read_conversations().await;
        });
    }

    /// Reads what the leader has added.
    async fn catch_up(self, seat: &Rc<Seat>) {
        let inner = self.inner.get_value();
        let from = seat.state.borrow().entries.len() as u64;
        match inner.shelf.entries(&seat.id, from).await {
            Ok(entries) => {
                let state = seat.state.borrow().clone().with_entries(entries);
                seat.state.replace(state);
                self.publish(seat);
            }
            Err(failure) => self.trouble.set(Some(failure.message)),
        }
    }
}

/// Tells the tabs that watch what streams.
pub fn tell(id: &str, live: &agent::Live) {
    if let Ok(json) = serde_json::to_string(live) {
        keep::tell(&format!("{}{id} {json}", keep::LIVE));
    }
}

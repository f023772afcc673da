//! Several tabs, one conversation: what a tab that watches does with what the leader tells.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::session::Session;
use super::{Controller, Role, log_writer};

impl Controller {
    /// Another tab did something with a conversation.
    pub(super) fn heard(self, message: &str) {
        if let Some(id) = message.strip_prefix(log_writer::GONE) {
            return self.is_gone(id);
        }
        if let Some(id) = message.strip_prefix(log_writer::HAND_OVER) {
            if let Some(session) = self.session_of(id).filter(|session| session.role.get() == Role::Leading) {
                self.give_up(&session);
            }
            return;
        }
        let watched = |id: &str| {
            self.session().filter(|session| session.id == id && session.role.get() == Role::Watching)
        };
        if let Some((id, live)) = message.strip_prefix(log_writer::LIVE).and_then(|rest| rest.split_once(' '))
        {
            if let (Some(session), Ok(live)) = (watched(id), serde_json::from_str(live)) {
                session.state.borrow_mut().live = live;
                self.publish(&session);
            }
            return;
        }
        let watching = watched(message);
        spawn_local(async move {
            if let Some(session) = watching {
                self.catch_up(&session).await;
            }
            self.read_conversations().await;
        });
    }

    /// Reads what the leader has added.
    async fn catch_up(self, session: &Rc<Session>) {
        let inner = self.inner.get_value();
        let from = session.state.borrow().entries.len() as u64;
        match inner.store.entries(&session.id, from).await {
            Ok(entries) => {
                let state = session.state.borrow().clone().with_entries(entries);
                session.state.replace(state);
                self.publish(session);
            }
            Err(failure) => self.trouble.set(Some(failure.message)),
        }
    }
}

/// Tells the tabs that watch what streams.
pub fn tell(id: &str, live: &agent::Live) {
    if let Ok(json) = serde_json::to_string(live) {
        log_writer::tell(&format!("{}{id} {json}", log_writer::LIVE));
    }
}

//! A conversation is removed: from the device, from this tab and from the others.

use std::rc::Rc;

use futures::channel::oneshot;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::Failure;

use super::manage::{Deleted, Whole};
use super::{Controller, Role, Session, frozen, lock_of, log_writer};
use crate::log::Conversation;
use crate::{clock, drafts};
use web::lock::{Ask, Lock};

/// How long another tab may take to let go of a conversation that is removed, in milliseconds.
const LET_GO_MS: u64 = 1_000;

impl Controller {
    /// Removes the conversation on the screen, with all its branches, and begins a new one. To-dos stay as they are.
    pub fn clear(self) {
        let Some(session) = self.session() else { return };
        let ids = self.branches_of(&session.id);
        session.abort();
        self.put_away(&session);
        self.rows.set(Vec::new());
        self.current.set(String::new());
        self.open(clock::new_id("chat"));
        spawn_local(async move {
            if let Err(failure) = self.remove_everywhere(&ids, Some(session)).await {
                self.trouble.set(Some(failure.message));
                self.read_anew(ids);
            }
            self.read_conversations().await;
        });
    }

    /// Removes a conversation with all its branches and everything in them. To-dos stay as they are. `deleted` gets what brings
    /// it back.
    pub fn delete(self, id: String, deleted: impl FnOnce(Deleted) + 'static) {
        spawn_local(async move {
            let Some(Conversation { title, .. }) = self.known(&id) else { return };
            let ids = self.branches_of(&id);
            match self.remove_everywhere(&ids, None).await {
                // Nothing to bring back is nothing to speak of.
                Ok(branches) if branches.is_empty() => {}
                Ok(branches) => deleted(Deleted { title, branches }),
                Err(failure) => {
                    self.trouble.set(Some(failure.message));
                    self.read_anew(ids);
                }
            }
        });
    }

    /// Conversations that could not be removed: their runs were stopped for it; read anew they go on, or are led by another tab.
    fn read_anew(self, ids: Vec<String>) {
        for id in ids {
            let Some(session) = self.session_of(&id) else { continue };
            let is_shown = self.is_shown(&session);
            self.put_away(&session);
            drop(session);
            if is_shown {
                self.current.set(String::new());
                self.open(id);
            }
        }
    }

    /// Removes conversations from the device, all or none, when no tab leads any of them more: a leader that hears of it too late
    /// would leave an entry behind under an id that nobody knows. Gives what was in them. `left` is one that this tab has left for it.
    async fn remove_everywhere(
        self,
        ids: &[String],
        left: Option<Rc<Session>>,
    ) -> Result<Vec<Whole>, Failure> {
        let gone = |id: &String| format!("{}{id}", log_writer::GONE);
        // Nobody leads one of them until it is done.
        let mut held = Vec::new();
        for id in ids {
            let session = left.clone().filter(|left| left.id == *id).or_else(|| self.session_of(id));
            // Nothing may be added while it goes.
            if let Some(session) = &session {
                session.abort();
            }
            let leads = session.as_ref().is_some_and(|session| session.role.get() == Role::Leading);
            let lock = if leads {
                None
            } else {
                // Our own question for the lock stands before the next one.
                if let Some(session) = &session {
                    session.lock.replace(None);
                }
                log_writer::tell(&gone(id));
                Some(alone_with(id).await)
            };
            held.push((lock, session));
        }
        let store = self.inner.with_value(|inner| Rc::clone(&inner.store));
        let removed = async {
            let mut branches = Vec::new();
            for id in ids {
                let entries = store.entries(id, 0).await?;
                // One that was never on the device does not come back to it without what it begins with.
                let known = self.known(id).filter(|_| !entries.is_empty());
                // Now: what was being written in it is forgotten as soon as it is gone.
                branches.extend(known.map(|conversation| Whole::new(conversation, entries)));
            }
            store.remove(ids).await.map(|()| branches)
        };
        let removed = removed.await;
        // Who was told too early reads the list again.
        ids.iter().for_each(|id| log_writer::tell(&if removed.is_ok() { gone(id) } else { id.clone() }));
        drop(held);
        if removed.is_ok() {
            // The others are told of it without this: what waited to be sent in it comes back in one tab, or it would be sent by each.
            self.removed.set(ids.to_vec());
            // The one on the screen last: none of the others is to come in its place.
            let current = self.current.get_untracked();
            let (shown, others): (Vec<_>, Vec<_>) = ids.iter().partition(|id| **id == current);
            others.into_iter().chain(shown).for_each(|id| self.is_gone(id));
        }
        removed
    }

    /// A conversation is not on the device any more: another one takes its place on the screen.
    pub(super) fn is_gone(self, id: &str) {
        let inner = self.inner.get_value();
        let session = inner.sessions.borrow_mut().remove(id);
        if let Some(session) = session {
            session.abort();
        }
        frozen::forget(id);
        drafts::forget(id);
        self.forget_begun(id);
        self.conversations.update(|all| all.retain(|one| one.id != id));
        if self.current.with_untracked(|current| current == id) {
            let next = self.conversations.with_untracked(|all| all.first().map(|one| one.id.clone()));
            self.rows.set(Vec::new());
            self.current.set(String::new());
            self.open(next.unwrap_or_else(|| clock::new_id("chat")));
        }
    }
}

/// The lock of a conversation: in turn, or from a tab that does not hear.
async fn alone_with(id: &str) -> Lock {
    let name = lock_of(id);
    let (send, mut granted) = oneshot::channel();
    let lock = Lock::ask(&name, Ask::InTurn, move || send.send(()).unwrap_or_default(), || {});
    for _ in 0..LET_GO_MS / 20 {
        if matches!(granted.try_recv(), Ok(Some(()))) {
            return lock;
        }
        clock::sleep(20).await;
    }
    drop(lock);
    let (send, granted) = oneshot::channel();
    let lock = Lock::ask(&name, Ask::AtOnce, move || send.send(()).unwrap_or_default(), || {});
    let _ = granted.await;
    lock
}

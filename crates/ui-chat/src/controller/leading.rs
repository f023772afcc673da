//! This tab leads a conversation from here on: it reads the log, and goes on with what is open in it, unless the page broke or
//! froze in that.

use std::rc::Rc;

use agent::{AgentState, Effect, EntryBody, Input, Stamp};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{Failure, FailureKind};

use super::log_writer::LogWriter;
use super::{Controller, Role, Run, Session, frozen, remembered};
use crate::{assistant, clock, drafts, i18n};
use web::storage;

/// Where a tab keeps in which conversation it broke.
const BROKEN: &str = "satchel.broken";

impl Controller {
    /// The lock is ours: the log is read as it is now, and an open run goes on.
    pub(super) fn lead(self, session: Rc<Session>) {
        spawn_local(async move {
            self.reload(&session).await;
            // Left while it was read: the lock goes with the session. Or another tab has taken it meanwhile.
            if !self.is_open(&session) || !session.has_lock() {
                return;
            }
            give_back_unsent(&session.state.borrow());
            session.role.set(Role::Leading);
            let open = session.state.borrow().status.is_busy();
            let froze = open && frozen::comes_back(&session.state.borrow()) >= frozen::MOST;
            if was_broken(&session.id) && open {
                self.break_off(&session, i18n::broke_here()).await;
            } else if froze {
                self.break_off(&session, i18n::froze_here()).await;
            }
            let open = session.state.borrow().status.is_busy();
            self.publish(&session);
            if open && self.is_open(&session) {
                self.run_in(session, Run::Resume);
            }
        });
    }

    /// The page broke in this run, or froze in it. To go on where it was would do so again, so the run is ended instead; the
    /// person can try it again, or leave it.
    async fn break_off(self, session: &Rc<Session>, why: &str) {
        let stamp = Stamp { now_ms: clock::now_ms() };
        let failure = Failure::new(FailureKind::RetryableNetwork, why);
        let (state, effects) = agent::step(session.state.borrow().clone(), Input::LogFailed(failure), stamp);
        let keeper = LogWriter::new(self.inner.with_value(|inner| Rc::clone(&inner.store)), self);
        for effect in effects {
            if let Effect::Save(entry) = effect
                && let Err(failure) = agent::Log::append(&keeper, &session.id, &entry).await
            {
                return self.trouble.set(Some(failure.message));
            }
        }
        frozen::forget(&session.id);
        // As the log has it now.
        let entries = state.log().cloned().collect::<Vec<_>>();
        session.state.replace(AgentState::from_entries(session.id.clone(), assistant::config(), entries));
        self.broken_off.set(Some(session.id.clone()));
    }

    /// Rebuilds a session's state from the log.
    pub(super) async fn reload(self, session: &Rc<Session>) {
        match self.entries_now(&session.id).await {
            Ok(entries) => {
                let config = assistant::config();
                session.state.replace(AgentState::from_entries(session.id.clone(), config, entries));
            }
            Err(failure) => self.trouble.set(Some(failure.message)),
        }
        self.publish(session);
    }
}

/// What was sent when the last page ended, and is not in the log, stands in the message field again.
fn give_back_unsent(state: &AgentState) {
    if let Some(unsent) = drafts::unsent(&state.id) {
        let is_said =
            |entry: &agent::Entry| matches!(&entry.body, EntryBody::User { text, .. } if *text == unsent);
        let last = state.log().rev().find(|entry| matches!(entry.body, EntryBody::User { .. }));
        if !last.is_some_and(is_said) && drafts::load(&state.id).is_empty() {
            drafts::keep(&state.id, &unsent);
        }
        drafts::is_sent(&state.id);
    }
}

/// Remembers, while the page breaks, which conversation it showed.
pub fn mark_broken() {
    if let Some(id) = remembered() {
        storage::session().set(BROKEN, &id);
    }
}

/// Whether the page broke in this conversation; asked once.
fn was_broken(id: &str) -> bool {
    let broken = storage::session().get(BROKEN).is_some_and(|broken| broken == id);
    if broken {
        storage::session().remove(BROKEN);
    }
    broken
}

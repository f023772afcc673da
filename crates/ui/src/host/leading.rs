//! This tab leads a conversation from here on: it reads the log, and goes on with what is open in it, unless the page broke or
//! froze in that.

use std::rc::Rc;

use agent::{AgentState, Effect, EntryBody, Input, Stamp};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{Failure, FailureKind};

use super::keep::Keeper;
use super::{Host, Role, Run, Seat, frozen, remembered};
use crate::{assistant, clock, drafts, i18n};
use web::storage;

/// Where a tab keeps in which conversation it broke.
const BROKEN: &str = "satchel.broken";

impl Host {
    /// The lock is ours: the log is read as it is now, and an open run goes on.
    pub(super) fn lead(self, seat: Rc<Seat>) {
        spawn_local(async move {
            self.reload(&seat).await;
            // Left while it was read: the lock goes with the seat.
            if !self.is_open(&seat) {
                return;
            }
            give_back_unsent(&seat.state.borrow());
            seat.role.set(Role::Leading);
            let open = seat.state.borrow().status.is_busy();
            let froze = open && frozen::comes_back(&seat.state.borrow()) >= frozen::MOST;
            if was_broken(&seat.id) && open {
                self.break_off(&seat, i18n::BROKE_HERE).await;
            } else if froze {
                self.break_off(&seat, i18n::FROZE_HERE).await;
            }
            let open = seat.state.borrow().status.is_busy();
            self.publish(&seat);
            if open && self.is_open(&seat) {
                self.run_in(seat, Run::Resume);
            }
        });
    }

    /// The page broke in this run, or froze in it. To go on where it was would do so again, so the run is ended instead; the
    /// person can try it again, or leave it.
    async fn break_off(self, seat: &Rc<Seat>, why: &str) {
        let stamp = Stamp { now_ms: clock::now_ms() };
        let failure = Failure::new(FailureKind::RetryableNetwork, why);
        let (state, effects) = agent::step(seat.state.borrow().clone(), Input::LogFailed(failure), stamp);
        let keeper = Keeper::new(self.inner.with_value(|inner| Rc::clone(&inner.shelf)), self);
        for effect in effects {
            if let Effect::Save(entry) = effect
                && let Err(failure) = agent::Log::append(&keeper, &seat.id, &entry).await
            {
                return self.trouble.set(Some(failure.message));
            }
        }
        frozen::forget(&seat.id);
        // As the log has it now.
        let entries = state.log().cloned().collect::<Vec<_>>();
        seat.state.replace(AgentState::from_entries(seat.id.clone(), assistant::config(), entries));
        self.broken_off.set(Some(seat.id.clone()));
    }

    /// Rebuilds a seat's state from the log.
    pub(super) async fn reload(self, seat: &Rc<Seat>) {
        let inner = self.inner.get_value();
        match inner.shelf.entries(&seat.id, 0).await {
            Ok(entries) => {
                let config = assistant::config();
                seat.state.replace(AgentState::from_entries(seat.id.clone(), config, entries));
            }
            Err(failure) => self.trouble.set(Some(failure.message)),
        }
        self.publish(seat);
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

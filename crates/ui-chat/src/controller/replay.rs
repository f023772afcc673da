//! Plays a run from a file again, on the screen: nothing is called, nothing is stored.

use agent::{AgentState, Replay, RunFile};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{Controller, Role};
use crate::{clock, i18n};

/// The longest a step is looked at, in milliseconds.
const STEP_MS: u64 = 350;

/// The longest a whole replay takes, in milliseconds.
const WHOLE_MS: u64 = 12_000;

/// How a replay stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// It plays: entries so far, and all.
    Playing(usize, usize),
    /// So many entries came out again, to the last character.
    Same(usize),
    /// It came out differently; where and how, in words.
    Different(String),
}

impl Controller {
    /// Plays the run on the screen from its beginning.
    pub fn replay(self) {
        let (Some(session), Some(conversation)) = (self.session(), self.known(&self.current.get_untracked()))
        else {
            return;
        };
        let (Role::Reading, Some(record)) = (session.role.get(), conversation.record) else { return };
        if matches!(self.replayed.get_untracked(), Some(Replayed::Playing(..))) {
            return;
        }
        let entries = session.state.borrow().log().cloned().collect();
        let file = RunFile {
            title: conversation.title,
            app: record.app,
            saved_at_ms: record.saved_at_ms,
            limits: record.limits,
            tools: record.tools,
            entries,
        };
        self.replayed.set(Some(Replayed::Playing(0, file.entries.len())));
        spawn_local(async move {
            let mut replay = Replay::new(&file);
            let pause_ms = STEP_MS.min(WHOLE_MS / (file.entries.len() as u64).max(1));
            let whole: AgentState = session.state.borrow().clone();
            let outcome = loop {
                match replay.advance() {
                    Ok(true) => {}
                    Ok(false) => break Replayed::Same(file.entries.len()),
                    Err(difference) => break Replayed::Different(i18n::difference(&difference)),
                }
                if self.current.with_untracked(|current| *current != session.id) {
                    return self.replayed.set(None);
                }
                let (played, all) = replay.progress();
                session.state.replace(replay.state().fork(session.id.clone()));
                self.publish(&session);
                self.replayed.set(Some(Replayed::Playing(played, all)));
                clock::sleep(pause_ms).await;
            };
            // What is looked at from here on is the record again.
            session.state.replace(whole);
            self.publish(&session);
            if self.current.with_untracked(|current| *current == session.id) {
                self.announcement.set(crate::controller::words::replayed(&outcome));
                self.replayed.set(Some(outcome));
            }
        });
    }
}

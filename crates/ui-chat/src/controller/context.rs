//! How full the model's window is, and folding away by hand.

use agent::{AgentConfig, AgentState, EntryBody, Spent};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::{Role as ModelRole, Usage};

use super::{Controller, Role};

/// What a person is told about the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    /// The conversation, and its length, that this is about.
    of: (String, usize),
    /// The tokens of the next request, about.
    pub tokens: u64,
    /// How many may be sent before older turns are compacted; none without a limit.
    pub limit: Option<u64>,
    /// What the conversation has cost so far.
    pub used: Usage,
    /// The same in money.
    pub spent: Spent,
    /// How many turns the model sees only in short.
    pub compacted: usize,
    /// What it sees instead.
    pub summary: String,
}

impl Controller {
    /// Measures the window anew, when the log has grown: what streams changes nothing about it.
    pub(super) fn measure(self, state: &AgentState) {
        let of = (state.id.clone(), state.entries.len());
        // In the middle of a run it changes with every entry, and nobody could read that.
        let is_known = |gauge: &Gauge| gauge.of == of || (gauge.of.0 == of.0 && state.status.is_busy());
        if self.gauge.with_untracked(is_known) {
            return;
        }
        let mut config = AgentConfig::new("");
        self.inner.with_value(|inner| inner.model.settings(ModelRole::Main).tune(&mut config));
        let policy = config.context;
        let spent = Spent::of(state);
        if policy.limit_tokens().is_none() {
            return self.gauge.set(Gauge { of, spent, ..Gauge::default() });
        }
        let from = state.compacted.as_ref().map_or(0, |compacted| compacted.from);
        let is_turn = |body: &EntryBody| matches!(body, EntryBody::User { .. });
        self.gauge.set(Gauge {
            of,
            tokens: state.estimated_tokens(),
            limit: policy.limit_tokens().filter(|_| !policy.never),
            used: state.usage,
            spent,
            compacted: state.entries.iter().filter(|entry| entry.seq < from && is_turn(&entry.body)).count(),
            summary: state
                .compacted
                .as_ref()
                .filter(|_| from > 0)
                .map(|compacted| compacted.summary.text())
                .unwrap_or_default(),
        });
    }

    /// Compacts older turns now. Nothing happens while a run is open, or where another tab leads.
    pub fn fold(self) {
        let Some(session) = self.session().filter(|session| session.role.get() == Role::Leading) else {
            return;
        };
        let Some(mut driver) = session.driver.borrow_mut().take() else { return };
        let mut state = session.state.borrow().clone();
        self.inner.with_value(|inner| inner.model.settings(ModelRole::Main).tune(&mut state.config));
        spawn_local(async move {
            let state = driver.compact(state).await;
            session.driver.replace(Some(driver));
            session.state.replace(state);
            self.publish(&session);
            self.settled(&session);
        });
    }
}

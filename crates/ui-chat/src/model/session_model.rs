//! The models as one conversation asks them: which role its run has, and what it has cost so far.

use std::cell::Cell;
use std::rc::Rc;

use agent::{ModelStream, Spent};
use async_trait::async_trait;
use protocol::{Failure, ModelRequest, Role, Routed};

use super::ChosenModel;
use crate::settings::Settings;

/// The agent's port, for one conversation.
pub struct SessionModel {
    chosen: Rc<ChosenModel>,
    role: Cell<Role>,
    /// In millionths of a US dollar.
    spent: Rc<Cell<u64>>,
}

impl SessionModel {
    /// A port for a conversation that nothing was asked in.
    #[must_use]
    pub fn new(chosen: Rc<ChosenModel>) -> Self {
        Self { chosen, role: Cell::default(), spent: Rc::default() }
    }

    /// The settings that decide about the next request.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.chosen.settings(self.role.get())
    }

    /// A run begins. What was stopped in this tab has cost more than the log knows of.
    pub fn begin(&self, routed: Option<Routed>, spent: Spent) {
        self.role.set(routed.map_or(Role::Main, |routed| routed.role));
        self.spent.set(self.spent.get().max(spent.micro_usd));
    }
}

#[async_trait(?Send)]
impl agent::Model for SessionModel {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        self.chosen.stream(request, self.role.get(), Rc::clone(&self.spent)).await
    }
}

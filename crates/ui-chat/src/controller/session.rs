//! A conversation that is open in this tab.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use agent::{AgentState, Driver, Handle, Ports};
use futures::future::AbortHandle;

use crate::assistant;
use crate::model::SessionModel;
use web::lock::Lock;

/// What this tab may do with a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Not known yet.
    Loading,
    /// Another tab leads it; this one follows.
    Watching,
    /// This tab runs it.
    Leading,
    /// It is a run from a file: nobody goes on with it.
    Reading,
}

/// A conversation, what runs it, and the lock that says it runs here.
pub struct Session {
    /// The conversation's id.
    pub id: String,
    /// Its state as last shown.
    pub state: RefCell<AgentState>,
    /// Its driver; away while a run is going on.
    pub driver: RefCell<Option<Driver>>,
    /// What a person can do to the run.
    pub handle: RefCell<Handle>,
    /// What ends the run without a trace, when it is no longer ours.
    pub running: RefCell<Option<AbortHandle>>,
    /// The lock, held or asked for.
    pub lock: RefCell<Option<Lock>>,
    /// What this tab may do.
    pub role: Cell<Role>,
    /// The models, as this conversation asks them.
    pub model: Rc<SessionModel>,
    ports: Ports,
}

impl Session {
    /// An empty session.
    pub fn new(id: &str, ports: Ports, model: Rc<SessionModel>) -> Self {
        let (driver, handle) = Driver::new(ports.clone());
        Self {
            id: id.to_owned(),
            state: RefCell::new(AgentState::new(id, assistant::config(), [])),
            driver: RefCell::new(Some(driver)),
            handle: RefCell::new(handle),
            running: RefCell::new(None),
            lock: RefCell::new(None),
            role: Cell::new(Role::Loading),
            model,
            ports,
        }
    }

    /// Whether this tab has the lock now.
    pub fn has_lock(&self) -> bool {
        self.lock.borrow().as_ref().is_some_and(Lock::is_held)
    }

    /// Ends a run at once, without saving anything, and makes ready for another.
    pub fn abort(&self) {
        if let Some(running) = self.running.borrow_mut().take() {
            running.abort();
        }
        let (driver, handle) = Driver::new(self.ports.clone());
        self.driver.replace(Some(driver));
        self.handle.replace(handle);
    }
}

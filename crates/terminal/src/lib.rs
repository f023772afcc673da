//! The agent's ports on this machine, for assistants without a browser.
//!
//! [`ports`] puts a model and a toolbox together with the system's clock and chance: with them an [`agent::Driver`] runs.
//! The rest is for those who want more of it: [`FileLog`] keeps a conversation, [`Screen`] draws it, [`Todos`] are the
//! app's own tools over files, [`Tools`] are tools of one's own, [`Cast`] holds several
//! models against what may be spent.
//!
//! What it does not know: any page, any configuration file.
#![doc = include_str!("../README.md")]

mod cast;
mod edge;
mod log;
mod model;
mod months;
mod player;
mod preview;
mod screen;
mod todos;
mod tools;

use std::rc::Rc;

use agent::{AgentState, Entry, Log, Model, Ports, Toolbox};
use async_trait::async_trait;
use protocol::Failure;

pub use cast::Cast;
pub use edge::{Here, HereAbout, HereWithTools, RandomIds, SystemClock, monotonic_ms};
pub use log::{FileLog, Kept, LogError};
pub use model::{BuiltIn, Http, LONGEST_TEXT, Remote, RemoteModelError};
pub use months::{Months, this_month};
pub use player::{Player, RemoteModel};
pub use screen::{Ask, Screen, end_of_line, indented, plain, print, question_lines, write};
pub use todos::{OpenError, Subject, Todos};
pub use tools::Tools;

/// The ports of an assistant that keeps nothing and draws nothing: what it said is in the state that
/// [`agent::Driver::run_turn`] gives back.
#[must_use]
pub fn ports(model: impl Model + 'static, toolbox: impl Toolbox + 'static) -> Ports {
    Ports {
        model: Rc::new(model),
        toolbox: Rc::new(toolbox),
        checker: Rc::new(evidence::checked),
        log: Rc::new(Nowhere),
        clock: Rc::new(SystemClock),
        ids: Rc::new(RandomIds),
        context_provider: Rc::new(Here),
        show: Rc::new(|_: &AgentState| {}),
    }
}

/// A log that keeps no entry: the conversation is gone with its state.
struct Nowhere;

#[async_trait(?Send)]
impl Log for Nowhere {
    async fn append(&self, _: &str, _: &Entry) -> Result<(), Failure> {
        Ok(())
    }
}

//! What the parts of one conversation share: what was said and done so far.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use agent::{Clock, Entry, Handle, Log};
use async_trait::async_trait;
use protocol::{CallId, Failure, ToolCall};
use serde_json::Value;

use crate::outcome::Note;
use crate::ports::Watch;
use crate::record::{Call, HANDOFF, Turn};
use crate::time::iso;

/// A call that was made, as checks look at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The call's id.
    pub call_id: CallId,
    /// In which turn.
    pub turn: u32,
    /// The agent.
    pub agent: String,
    /// The tool.
    pub name: String,
    /// What it was called with.
    pub arguments: Value,
    /// What it answered.
    pub content: String,
    /// It failed, or was refused.
    pub is_error: bool,
}

/// What becomes of the conversation after the turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Another agent goes on.
    Agent(String),
    /// It is over.
    End,
}

/// What the parts of one conversation share.
pub(crate) struct Session {
    pub turns: RefCell<Vec<Turn>>,
    pub made: RefCell<Vec<Made>>,
    /// The ids of all calls of the record.
    pub call_ids: RefCell<BTreeSet<String>>,
    pub notes: RefCell<Vec<Note>>,
    pub client_errors: RefCell<Vec<Note>>,
    /// What the client said last.
    pub heard: RefCell<String>,
    /// What was decided in the turn that is going on.
    pub next: RefCell<Option<Next>>,
    /// Hand-overs since the client spoke last.
    pub handoffs: Cell<u32>,
    /// Strangers may have written some of what was said (D-17).
    pub tainted: Cell<bool>,
    /// The time is over: nobody says anything more.
    pub is_over: Cell<bool>,
    /// How often the script's model answered.
    pub scripted: Cell<usize>,
    /// The handle of the run that is going on.
    pub handle: RefCell<Option<Handle>>,
    pub clock: Rc<dyn Clock>,
    /// Who looks on.
    pub watch: Option<Watch>,
}

impl Session {
    pub fn new(clock: Rc<dyn Clock>, watch: Option<Watch>) -> Rc<Self> {
        Rc::new(Self {
            turns: RefCell::default(),
            made: RefCell::default(),
            call_ids: RefCell::default(),
            notes: RefCell::default(),
            client_errors: RefCell::default(),
            heard: RefCell::default(),
            next: RefCell::default(),
            handoffs: Cell::default(),
            tainted: Cell::default(),
            is_over: Cell::default(),
            scripted: Cell::default(),
            handle: RefCell::default(),
            clock,
            watch,
        })
    }

    /// The number of the turn that is going on.
    pub fn turn(&self) -> u32 {
        u32::try_from(self.turns.borrow().len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Keeps a turn.
    pub fn said(&self, speaker: String, content: String, tool_calls: Vec<Call>, tool_results: Vec<Value>) {
        let (turn, timestamp) = (self.turn(), iso(self.clock.now_ms()));
        let said = Turn { turn, speaker, content, timestamp, tool_calls, tool_results };
        if let Some(watch) = &self.watch {
            watch(&said);
        }
        self.turns.borrow_mut().push(said);
    }

    /// A call under an id that no other call of the conversation has: each agent's model counts its own (S2-10).
    pub fn unique(&self, mut call: Call) -> Call {
        let mut ids = self.call_ids.borrow_mut();
        let first = call.id.clone();
        for more in 2.. {
            if ids.insert(call.id.clone()) {
                break;
            }
            call.id = format!("{first}_{more}");
        }
        call
    }

    /// Keeps what went wrong, and the conversation goes on.
    pub fn note(&self, kind: &str, what: impl Into<String>) {
        let note = Note { turn: self.turn(), kind: kind.to_owned(), what: what.into() };
        self.notes.borrow_mut().push(note);
    }

    /// Keeps a call that an agent made.
    pub fn called(&self, agent: &str, call: &ToolCall, content: &str, is_error: bool) {
        let made = Made {
            call_id: call.id.clone(),
            turn: self.turn(),
            agent: agent.to_owned(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            content: content.to_owned(),
            is_error,
        };
        self.made.borrow_mut().push(made);
    }

    /// Notes that a call failed (S2-24).
    pub fn call_failed(&self, agent: &str, tool: &str, content: &str) {
        let kind = if tool.starts_with(HANDOFF) { "handoff_failed" } else { "tool_failed" };
        self.note(kind, format!("{tool} of {agent}: {content}"));
    }

    /// Keeps where the client strayed.
    pub fn strayed(&self, kind: &str, what: impl Into<String>) {
        let note = Note { turn: self.turn(), kind: kind.to_owned(), what: what.into() };
        self.client_errors.borrow_mut().push(note);
    }
}

/// The log of a rehearsal is its state.
pub(crate) struct Unsaved;

#[async_trait(?Send)]
impl Log for Unsaved {
    async fn append(&self, _conversation_id: &str, _entry: &Entry) -> Result<(), Failure> {
        Ok(())
    }
}

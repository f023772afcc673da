//! The driver's own promises: what it drops, what it ignores, how often it draws.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use async_trait::async_trait;
use futures::executor::block_on;
use futures::stream::{self, StreamExt};
use protocol::{CallKey, Checked, Failure, FailureKind, ModelRequest, Source, ToolCall};

use super::*;
use crate::{
    Checker, Clock, ContextProvider, Driver, Entry, EntryBody, EvidencePolicy, Handle, Ids, Log, Model,
    ModelStream, Ports, Status, Toolbox,
};

/// A world with one scripted answer per request, tools that never end, and a clock that stands still.
#[derive(Default)]
struct Small {
    answers: RefCell<Vec<Vec<Result<ModelEvent, Failure>>>>,
    /// Ends the run from inside the toolbox, once there is a handle.
    handle: RefCell<Option<Handle>>,
    dropped: Rc<Cell<u32>>,
    saved: RefCell<Vec<Entry>>,
    drawn: RefCell<Vec<AgentState>>,
    ids: Cell<u32>,
    /// How many tools each request had.
    offered: RefCell<Vec<usize>>,
    /// The tool server cannot be reached.
    down: Cell<bool>,
    /// So many calls end at once, and bring the tools that are listed from the second time on.
    ends: Cell<u32>,
    is_outdated: Cell<bool>,
    /// It takes for ever to say which tools there are; the person stops the run meanwhile.
    slow: Cell<bool>,
    checking: Cell<Checking>,
    /// How many answers were to be checked.
    checks: Cell<u32>,
    /// So many entries the log refuses.
    refuses: Cell<u32>,
}

/// What becomes of a check.
#[derive(Clone, Copy, Default)]
enum Checking {
    #[default]
    Works,
    /// What checks could not be had.
    Fails,
    /// It takes for ever; the person stops the run meanwhile.
    Hangs,
}

struct Guarded(Rc<Cell<u32>>);

impl Drop for Guarded {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

#[async_trait(?Send)]
impl Model for Small {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        let app = |tool: &&std::sync::Arc<ToolSpec>| tools().iter().any(|own| own.name == tool.name);
        self.offered.borrow_mut().push(request.tools.iter().filter(app).count());
        let events = self.answers.borrow_mut().remove(0);
        Ok(stream::iter(events).boxed_local())
    }
}

#[async_trait(?Send)]
impl Toolbox for Small {
    async fn list(&self) -> Result<Vec<ToolSpec>, Failure> {
        if self.down.get() {
            return Err(Failure::new(FailureKind::RetryableNetwork, "No tools."));
        }
        if self.slow.get() {
            let saved: Vec<_> = self.saved.borrow().iter().map(|entry| entry.seq).collect();
            assert_eq!(saved, [0], "what was said is saved before anybody asks for the tools");
            self.handle.borrow().as_ref().unwrap().cancel();
            futures::future::pending().await
        }
        let is_before = self.ends.get() > 0;
        self.is_outdated.set(false);
        Ok(tools().into_iter().take(if is_before { 1 } else { usize::MAX }).collect())
    }

    fn is_outdated(&self) -> bool {
        self.is_outdated.get()
    }

    async fn call(&self, call: &ToolCall, _key: &CallKey) -> ToolResult {
        if let Some(left) = self.ends.get().checked_sub(1) {
            self.ends.set(left);
            self.is_outdated.set(left == 0);
            let content = "Made.".to_owned();
            return ToolResult {
                call_id: call.id.clone(),
                name: call.name.clone(),
                is_error: false,
                content,
                structured: None,
            };
        }
        let _guarded = Guarded(self.dropped.clone());
        if let Some(handle) = &*self.handle.borrow() {
            handle.cancel();
        }
        futures::future::pending().await
    }
}

#[async_trait(?Send)]
impl Checker for Small {
    async fn check(&self, answer: &str, sources: &[Source]) -> Result<Checked, Failure> {
        self.checks.set(self.checks.get() + 1);
        match self.checking.get() {
            Checking::Works => Ok(evidence::checked(answer, sources)),
            Checking::Fails => Err(Failure::new(FailureKind::RetryableNetwork, "It is not there.")),
            Checking::Hangs => {
                if let Some(handle) = &*self.handle.borrow() {
                    handle.cancel();
                }
                futures::future::pending().await
            }
        }
    }
}

#[async_trait(?Send)]
impl Log for Small {
    async fn append(&self, conversation_id: &str, entry: &Entry) -> Result<(), Failure> {
        assert_eq!(conversation_id, "conv_1");
        if let Some(left) = self.refuses.get().checked_sub(1)
            && matches!(entry.body, EntryBody::Response { .. })
        {
            self.refuses.set(left);
            return Err(Failure::new(FailureKind::Validation, "The disk is full."));
        }
        self.saved.borrow_mut().push(entry.clone());
        Ok(())
    }
}

#[async_trait(?Send)]
impl Clock for Small {
    fn now_ms(&self) -> i64 {
        1000
    }

    async fn sleep(&self, _ms: u64) {
        futures::future::pending().await
    }
}

impl Ids for Small {
    fn new_id(&self) -> String {
        self.ids.set(self.ids.get() + 1);
        format!("id{}", self.ids.get())
    }
}

#[async_trait(?Send)]
impl ContextProvider for Small {
    async fn context(&self) -> Context {
        Context::default()
    }
}

impl crate::Show for Small {
    fn show(&self, state: &AgentState) {
        self.drawn.borrow_mut().push(state.clone());
    }
}

fn connect(answers: Vec<Vec<Result<ModelEvent, Failure>>>) -> (Rc<Small>, Driver, Handle) {
    let small = Rc::new(Small { answers: RefCell::new(answers), ..Small::default() });
    let ports = Ports {
        model: small.clone(),
        toolbox: small.clone(),
        checker: small.clone(),
        log: small.clone(),
        clock: small.clone(),
        ids: small.clone(),
        context_provider: small.clone(),
        show: small.clone(),
    };
    let (driver, handle) = Driver::new(ports);
    (small, driver, handle)
}

fn delta(text: &str) -> Result<ModelEvent, Failure> {
    Ok(ModelEvent::TextDelta { text: text.into() })
}

fn stop() -> Result<ModelEvent, Failure> {
    Ok(ModelEvent::Done { reason: StopReason::Stop })
}

#[test]
fn a_cancel_drops_the_tool_under_way() {
    let write = ModelEvent::ToolCallDelta {
        index: 0,
        id: None,
        name: Some("write".into()),
        arguments: String::new(),
    };
    let answer = vec![Ok(write), Ok(ModelEvent::Done { reason: StopReason::ToolCalls })];
    let (small, mut driver, handle) = connect(vec![answer]);
    small.handle.replace(Some(handle));
    let state = block_on(driver.run_turn(fresh(), "go"));
    assert_eq!(state.status, Status::Cancelled);
    assert_eq!(small.dropped.get(), 1);
}

#[test]
fn what_was_clicked_before_a_run_is_not_meant_for_it() {
    let (_, mut driver, handle) = connect(vec![vec![delta("Hi"), stop()]]);
    handle.cancel();
    handle.approve(CallId("c1".into()));
    let state = block_on(driver.run_turn(fresh(), "go"));
    assert_eq!(state.status, Status::Complete);
}

#[test]
fn deltas_that_come_together_are_drawn_once() {
    let mut answer: Vec<_> = (0..100).map(|n| delta(&format!("{n} "))).collect();
    answer.push(stop());
    let (small, mut driver, _handle) = connect(vec![answer]);
    let state = block_on(driver.run_turn(fresh(), "go"));
    let drawn = small.drawn.borrow();
    assert_eq!(drawn.last(), Some(&state));
    assert!(drawn.len() <= 3, "drawn {} times", drawn.len());
}

#[test]
fn the_log_has_what_the_state_has() {
    let (small, mut driver, _handle) = connect(vec![vec![delta("Hi"), stop()], vec![delta("Ho")]]);
    let state = block_on(driver.run_turn(fresh(), "one"));
    let state = block_on(driver.run_turn(state, "two"));
    assert_eq!(*small.saved.borrow(), state.log().cloned().collect::<Vec<_>>());
}

#[test]
fn tools_that_were_known_are_kept_when_the_server_is_gone() {
    let (small, mut driver, _handle) = connect(vec![vec![delta("Hi"), stop()]]);
    small.down.set(true);
    let state = block_on(driver.run_turn(fresh(), "go"));
    assert_eq!(state.status, Status::Complete);
    assert_eq!(state.tools.len(), tools().len());
}

#[test]
fn what_was_said_is_saved_and_stopped_while_the_tools_are_asked_for() {
    let (small, mut driver, handle) = connect(vec![]);
    small.slow.set(true);
    small.handle.replace(Some(handle));
    let state = block_on(driver.run_turn(fresh(), "go"));
    assert_eq!(state.status, Status::Cancelled);
    assert_eq!(state.initial_query(), Some("go"));
    assert_eq!(*small.saved.borrow(), state.log().cloned().collect::<Vec<_>>());
}

#[test]
fn without_any_tools_the_message_is_kept_and_no_model_is_asked() {
    let (small, mut driver, _handle) = connect(vec![]);
    small.down.set(true);
    let state = AgentState::new("conv_1", config(), []);
    let state = block_on(driver.run_turn(state, "go"));
    assert!(matches!(&state.status, Status::Failed { failure } if failure.message == "No tools."));
    assert_eq!(small.saved.borrow().len(), 2);
}

#[test]
fn the_request_has_the_tools_of_the_moment() {
    let (small, mut driver, _handle) = connect(vec![vec![delta("Hi"), stop()]]);
    let state = block_on(driver.run_turn(AgentState::new("conv_1", config(), []), "go"));
    assert_eq!(state.status, Status::Complete);
    assert_eq!(small.offered.take(), [tools().len()]);
}

/// ADR 0064: what there is something for by a call of the run is on offer in the very next request of it.
#[test]
fn tools_that_a_call_brings_are_offered_in_the_same_run() {
    let calls = |number: u32| {
        let (id, arguments) = (Some(CallId(format!("c{number}"))), format!("{{\"page\":{number}}}"));
        let read = ModelEvent::ToolCallDelta { index: 0, id, name: Some("read".into()), arguments };
        vec![Ok(read), Ok(ModelEvent::Done { reason: StopReason::ToolCalls })]
    };
    let (small, mut driver, _handle) = connect(vec![calls(1), calls(2), vec![delta("Done."), stop()]]);
    small.ends.set(2);
    let state = block_on(driver.run_turn(AgentState::new("conv_1", config(), []), "go"));
    assert_eq!(state.status, Status::Complete);
    assert_eq!(small.offered.take(), [1, 1, tools().len()], "they are listed again when they are others");
    assert!(tools().len() > 1);
}

#[test]
fn many_turns_stop_at_the_first_that_does_not_complete() {
    let busy = Failure::new(FailureKind::Overloaded, "Busy.");
    let (_, mut driver, _handle) =
        connect(vec![vec![delta("1"), stop()], vec![Err(busy.clone())], vec![delta("3"), stop()]]);
    let texts = ["a", "b", "c"].map(str::to_owned);
    let state = block_on(driver.run_multi_turn(fresh(), texts));
    assert_eq!(state.status, Status::Failed { failure: busy });
    assert_eq!(state.entries.iter().filter(|entry| entry.seq == 3).count(), 1);
    assert_eq!(state.initial_query(), Some("a"));
    let state = block_on(driver.retry(state));
    assert_eq!((state.status.clone(), state.answer()), (Status::Complete, Some("3")));
}

#[test]
fn an_open_run_is_left_to_resume() {
    let (_, mut driver, _handle) = connect(vec![vec![delta("Hi"), stop()]]);
    let (open, _) = play(fresh(), [user(1)]);
    assert_eq!(block_on(driver.run_turn(open.clone(), "more")), open);
    let state = block_on(driver.resume(open));
    assert_eq!((state.status.clone(), state.answer()), (Status::Complete, Some("Hi")));
    assert_eq!(block_on(driver.resume(state.clone())), state);
}

/// A conversation whose answers are checked, and one that says something unfounded.
fn checked(checking: Checking) -> (Rc<Small>, Driver, Handle, AgentState) {
    let (small, driver, handle) = connect(vec![vec![delta("You have “Bread” [call_7]."), stop()]]);
    small.checking.set(checking);
    let mut state = fresh();
    state.config.evidence = EvidencePolicy::Mark;
    (small, driver, handle, state)
}

fn doubts_of(state: &AgentState) -> usize {
    match state.entries.last().map(|entry| &entry.body) {
        Some(EntryBody::Ended { doubts, .. }) => doubts.len(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_that_cannot_be_checked_stands_and_says_so() {
    for checking in [Checking::Fails, Checking::Hangs] {
        let (small, mut driver, handle, state) = checked(checking);
        small.handle.replace(Some(handle));
        let state = block_on(driver.run_turn(state, "go"));
        assert_eq!((&state.status, state.answer()), (&Status::Complete, Some("You have “Bread” [call_7].")));
        assert_eq!(doubts_of(&state), 0);
        let (_, note) = state.ending().unwrap();
        assert_eq!(note, crate::sentences::NOT_CHECKED);
        let replayed = super::replay::replay(&super::replay::file_of(&state)).unwrap();
        assert_eq!(replayed.entries, state.entries);
    }
    let (small, mut driver, _handle, state) = checked(Checking::Works);
    let state = block_on(driver.run_turn(state, "go"));
    assert_eq!((doubts_of(&state), state.ending().unwrap().1), (1, ""));
    assert_eq!(small.checks.get(), 1);
}

#[test]
fn a_run_that_stopped_before_its_answer_was_checked_is_checked_after_the_reload() {
    let (small, mut driver, _handle, mut state) = checked(Checking::Works);
    state.config.evidence = EvidencePolicy::Mark;
    let (open, _) = play(state, [user(1), text("You have “Bread” [call_7].")]);
    let (open, effects) = step(open, done(StopReason::Stop), Stamp { now_ms: 2000 });
    assert_eq!(kinds(&effects), ["save 1", "check 1"]);
    let config = open.config.clone();
    let rebuilt = AgentState::from_entries("conv_1", config, open.entries.iter().cloned());
    let state = block_on(driver.resume(rebuilt));
    assert_eq!((&state.status, doubts_of(&state), small.checks.get()), (&Status::Complete, 1, 1));
    assert_eq!(super::replay::replay(&super::replay::file_of(&state)).unwrap().entries, state.entries);
}

#[test]
fn an_answer_that_could_not_be_saved_at_once_is_checked_and_kept() {
    let (small, mut driver, _handle, state) = checked(Checking::Works);
    small.refuses.set(1);
    let state = block_on(driver.run_turn(state, "go"));
    assert_eq!((&state.status, doubts_of(&state)), (&Status::Complete, 1));
    assert_eq!(*small.saved.borrow(), state.log().cloned().collect::<Vec<_>>());
    assert_eq!(state.live.unsaved, None);
}

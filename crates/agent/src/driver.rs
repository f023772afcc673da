//! Runs the step machine: carries its effects out through the ports, in order, and feeds back what comes of them.
//!
//! Works on any executor, one task, nothing spawned: everything under way is a future this one holds, so a run that ends
//! (or a driver that is dropped) drops the model's stream and the tools' calls with it.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use futures::FutureExt;
use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::LocalBoxFuture;
use futures::stream::{self, FuturesUnordered, LocalBoxStream, Stream, StreamExt, TryStreamExt};
use protocol::{CallId, CallKey, Failure, ModelEvent, ModelRequest, RunId, Source, ToolCall};
use serde_json::Value;

use crate::{AgentState, Effect, Entry, Input, Ports, Stamp, Status, TurnStart, UserMessage, step};

/// Runs conversations, one run at a time.
pub struct Driver {
    ports: Ports,
    commands: UnboundedReceiver<Input>,
    /// Entries the log refused; they go first next time, so that the log has no holes.
    unsaved: VecDeque<Arc<Entry>>,
}

/// What a person can do to a run while it goes on. Cheap to clone; without an open run it does nothing.
#[derive(Clone, Debug)]
pub struct Handle {
    commands: UnboundedSender<Input>,
}

impl Handle {
    /// Allows a call that waits for approval.
    pub fn approve(&self, call_id: CallId) {
        self.send(Input::Approve(call_id));
    }

    /// Allows a call that waits for approval, and the calls of the same tool for the rest of the run.
    pub fn allow(&self, call_id: CallId) {
        self.send(Input::Allow(call_id));
    }

    /// Declines a call that waits for approval.
    pub fn deny(&self, call_id: CallId) {
        self.send(Input::Deny(call_id));
    }

    /// Answers a call that asks the person something, or approves a plan as they changed it ([`Input::Answer`]).
    pub fn answer(&self, call_id: CallId, reply: Value) {
        self.send(Input::Answer { call_id, reply });
    }

    /// Stops the run; what it did is kept.
    pub fn cancel(&self) {
        self.send(Input::Cancel);
    }

    fn send(&self, input: Input) {
        // Fails only when the driver is gone, and then there is nothing to stop.
        let _ = self.commands.unbounded_send(input);
    }
}

/// What is under way for a run.
#[derive(Default)]
struct Work {
    /// The state has changed since it was drawn.
    stale: bool,
    stream: Option<LocalBoxStream<'static, Result<ModelEvent, Failure>>>,
    calls: FuturesUnordered<LocalBoxFuture<'static, Input>>,
    /// The tools of this moment, while they are asked for.
    tools: Option<LocalBoxFuture<'static, Input>>,
    timer: Option<(i64, LocalBoxFuture<'static, ()>)>,
}

impl Driver {
    /// A driver, and the handle for the person.
    #[must_use]
    pub fn new(ports: Ports) -> (Self, Handle) {
        let (sender, commands) = unbounded();
        (Self { ports, commands, unsaved: VecDeque::new() }, Handle { commands: sender })
    }

    /// One message of the person, up to its ending. A state with an open run comes back as it is: resume it first.
    pub async fn run_turn(&mut self, state: AgentState, said: impl Into<UserMessage>) -> AgentState {
        let UserMessage { text, images } = said.into();
        self.start(state, |start| Input::User { text, images, start }).await
    }

    /// Tries the last run again, when it did not complete.
    pub async fn retry(&mut self, state: AgentState) -> AgentState {
        self.start(state, |start| Input::Retry { start }).await
    }

    /// Goes on with the open run of a rebuilt state; one without comes back as it is.
    pub async fn resume(&mut self, state: AgentState) -> AgentState {
        if !state.status.is_busy() {
            return state;
        }
        self.forget_commands();
        let work = Work { tools: Some(self.tools()), ..Work::default() };
        self.drive(state.awaiting_tools(), VecDeque::from([Input::Resume]), work).await
    }

    /// Compacts older turns now, where no run is open (`summarizeAndPrune`, S3-36).
    pub async fn compact(&mut self, state: AgentState) -> AgentState {
        if state.status.is_busy() {
            return state;
        }
        self.forget_commands();
        self.drive(state, VecDeque::from([Input::Compact]), Work::default()).await
    }

    /// Several messages, one after the other (`runMultiTurn`, S3-08); stops at the first run that does not complete.
    pub async fn run_multi_turn(
        &mut self,
        mut state: AgentState,
        texts: impl IntoIterator<Item = String>,
    ) -> AgentState {
        for text in texts {
            state = self.run_turn(state, text).await;
            if state.status != Status::Complete {
                break;
            }
        }
        state
    }

    async fn start(&mut self, state: AgentState, input: impl FnOnce(TurnStart) -> Input) -> AgentState {
        if state.status.is_busy() {
            return state;
        }
        self.forget_commands();
        let start = TurnStart {
            run_id: RunId(format!("run_{}", self.ports.ids.new_id())),
            boundary: self.ports.ids.new_id(),
            context: self.ports.context_provider.context().await,
        };
        // The message is saved first: which tools there are may take a server elsewhere many seconds to say, and belongs to the
        // request alone.
        let work = Work { tools: Some(self.tools()), ..Work::default() };
        self.drive(state.awaiting_tools(), VecDeque::from([input(start)]), work).await
    }

    /// What was clicked before a run begins is not meant for it.
    fn forget_commands(&mut self) {
        while self.commands.next().now_or_never().flatten().is_some() {}
    }

    /// Asks which tools there are at this moment.
    fn tools(&self) -> LocalBoxFuture<'static, Input> {
        let toolbox = self.ports.toolbox.clone();
        async move { Input::Tools(toolbox.list().await) }.boxed_local()
    }

    async fn drive(
        &mut self,
        mut state: AgentState,
        mut inputs: VecDeque<Input>,
        mut work: Work,
    ) -> AgentState {
        loop {
            while let Some(input) = inputs.pop_front() {
                if matches!(input, Input::ToolDone { .. }) && self.ports.toolbox.is_outdated() {
                    // What was made there is first of its kind: what can be done with it the model is to see in its next request.
                    work.tools = Some(self.tools());
                    state = state.awaiting_tools();
                }
                let stamp = Stamp { now_ms: self.ports.clock.now_ms() };
                let (next, effects) = step(state, input, stamp);
                state = next;
                let mut effects = effects.into_iter();
                while let Some(effect) = effects.next() {
                    let is_save = matches!(effect, Effect::Save(_));
                    let done = self.carry_out(effect, &state.id, &mut work).await;
                    if is_save && done.is_ok() {
                        // What was refused before went first.
                        state.live.unsaved = None;
                    }
                    if let Err(failure) = done {
                        // What was decided is in the state: the log gets it all next time, without a hole.
                        self.unsaved.extend(effects.by_ref().filter_map(|effect| match effect {
                            Effect::Save(entry) => Some(entry),
                            _ => None,
                        }));
                        inputs.clear();
                        inputs.push_back(Input::LogFailed(failure));
                        break;
                    }
                }
            }
            if !state.status.is_busy() {
                state.awaits_tools = false;
                self.ports.show.show(&state);
                return state;
            }
            self.arm(state.deadline_ms(), &mut work);
            // What came in one piece (a chunk with many deltas) is drawn once, before waiting for more.
            let ready = poll_fn(|cx| Poll::Ready(poll_work(&mut self.commands, &mut work, cx))).await;
            let input = match ready {
                Poll::Ready(input) => input,
                Poll::Pending => {
                    if std::mem::take(&mut work.stale) {
                        self.ports.show.show(&state);
                    }
                    poll_fn(|cx| poll_work(&mut self.commands, &mut work, cx)).await
                }
            };
            inputs.push_back(input);
        }
    }

    /// # Errors
    /// When an entry could not be saved.
    async fn carry_out(
        &mut self,
        effect: Effect,
        conversation_id: &str,
        work: &mut Work,
    ) -> Result<(), Failure> {
        match effect {
            Effect::Save(entry) => self.save(conversation_id, entry).await?,
            Effect::CallModel(request) => work.stream = Some(self.open(request)),
            Effect::CallTool { call, key } => work.calls.push(self.call(call, key)),
            Effect::EstimateImpact { call, key } => work.calls.push(self.estimate_impact(call, key)),
            Effect::Check { answer, text, sources } => work.calls.push(self.check(answer, text, sources)),
            // The question is in the state; drawing it is asking it.
            Effect::AskUser(_) => {}
            Effect::Show => work.stale = true,
        }
        Ok(())
    }

    async fn save(&mut self, conversation_id: &str, entry: Arc<Entry>) -> Result<(), Failure> {
        self.unsaved.push_back(entry);
        while let Some(entry) = self.unsaved.front() {
            self.ports.log.append(conversation_id, entry).await?;
            self.unsaved.pop_front();
        }
        Ok(())
    }

    /// Starting the response is the stream's first wait, so that a cancel can stop it there too.
    fn open(&self, request: ModelRequest) -> LocalBoxStream<'static, Result<ModelEvent, Failure>> {
        let model = self.ports.model.clone();
        stream::once(async move { model.stream(request).await }).try_flatten().boxed_local()
    }

    fn call(&self, call: ToolCall, key: CallKey) -> LocalBoxFuture<'static, Input> {
        let toolbox = self.ports.toolbox.clone();
        async move {
            let result = toolbox.call(&call, &key).await;
            Input::ToolDone { key, result }
        }
        .boxed_local()
    }

    fn estimate_impact(&self, call: ToolCall, key: CallKey) -> LocalBoxFuture<'static, Input> {
        let toolbox = self.ports.toolbox.clone();
        async move {
            let count = toolbox.estimate_impact(&call).await;
            Input::ImpactEstimated { key, count }
        }
        .boxed_local()
    }

    fn check(&self, answer: u64, text: String, sources: Vec<Source>) -> LocalBoxFuture<'static, Input> {
        let checker = self.ports.checker.clone();
        async move { Input::Checked { answer, found: checker.check(&text, &sources).await } }.boxed_local()
    }

    /// Sets the timer for the run's deadline, once per deadline.
    fn arm(&self, deadline_ms: Option<i64>, work: &mut Work) {
        let Some(deadline_ms) = deadline_ms else {
            work.timer = None;
            return;
        };
        if work.timer.as_ref().is_some_and(|(armed_ms, _)| *armed_ms == deadline_ms) {
            return;
        }
        // At least a millisecond, so that a timer which fires early is not a busy loop.
        let left_ms = u64::try_from(deadline_ms - self.ports.clock.now_ms()).unwrap_or(0).max(1);
        let clock = self.ports.clock.clone();
        work.timer = Some((deadline_ms, async move { clock.sleep(left_ms).await }.boxed_local()));
    }
}

/// The next thing that happens: the person first, then tools and results, then the model, then time.
fn poll_work(
    commands: &mut UnboundedReceiver<Input>,
    work: &mut Work,
    cx: &mut TaskContext<'_>,
) -> Poll<Input> {
    if let Poll::Ready(Some(input)) = commands.poll_next_unpin(cx) {
        return Poll::Ready(input);
    }
    if let Some(tools) = &mut work.tools
        && let Poll::Ready(input) = tools.poll_unpin(cx)
    {
        work.tools = None;
        return Poll::Ready(input);
    }
    if let Poll::Ready(Some(input)) = work.calls.poll_next_unpin(cx) {
        return Poll::Ready(input);
    }
    if let Some(stream) = &mut work.stream
        && let Poll::Ready(next) = Pin::new(stream).poll_next(cx)
    {
        let input = match next {
            Some(Ok(event)) => Input::Model(event),
            Some(Err(failure)) => Input::ModelFailed(failure),
            None => Input::ModelEnded,
        };
        // A response ends with `Done`; what a provider sends after it is not waited for.
        if !matches!(&input, Input::Model(event) if !matches!(event, ModelEvent::Done { .. })) {
            work.stream = None;
        }
        return Poll::Ready(input);
    }
    if let Some((_, timer)) = &mut work.timer
        && timer.poll_unpin(cx).is_ready()
    {
        work.timer = None;
        return Poll::Ready(Input::Tick);
    }
    Poll::Pending
}

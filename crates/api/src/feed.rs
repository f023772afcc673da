//! A session's events, as a function of its log: the same entries give the same events with the same ids, in this process and in
//! the next one. Only what a model is saying just now is not in the log yet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agent::{
    AgentConfig, AgentState, CallRecord, CallStatus, Disposition, Ending, Entry, EntryBody, Questions, Spent,
    Status,
};
use protocol::{CallId, Failure, FailureKind, RunId, StopReason};

use crate::cursor::{Cursor, Hashed};
use crate::goes_up::GoneUp;
use crate::wire::{
    self, DoneEvent, ErrorEvent, ErrorType, EventData, QuestionsEvent, Stop, TextEvent, Tokens,
    ToolCallEvent, ToolResultEvent,
};

/// How long one waits for a provider that does not say how long, in seconds (S4-25).
const WAIT_S: u64 = 60;

/// The status of a failure that is the log's and no model's: no answer over HTTP has more than three digits.
pub(crate) const NOT_STORED: u16 = 1_507;

/// The status of a failure that is the tools' and no model's: no answer over HTTP has more than three digits.
pub(crate) const NO_TOOLS: u16 = 1_424;

/// An event and its place.
struct Event {
    seq: u64,
    part: u32,
    run_id: RunId,
    data: EventData,
}

/// What a run has done so far.
#[derive(Default)]
struct Run {
    /// Where its events begin.
    first: usize,
    has_ended: bool,
    tools: Vec<String>,
    /// What goes up of what they answered.
    up: GoneUp,
    spent: Spent,
    /// A response of it was cut off, and what that cost nobody can say.
    is_unpriced: bool,
}

/// Calls that wait to be allowed, until it is known what they would do.
struct Held {
    seq: u64,
    run_id: RunId,
    calls: Vec<CallRecord>,
}

/// The events of a session, and the conversation they are of.
pub(crate) struct Feed {
    state: AgentState,
    events: Vec<Event>,
    runs: BTreeMap<RunId, Run>,
    last_run: Option<RunId>,
    previews: BTreeMap<CallId, Option<String>>,
    warnings: BTreeMap<RunId, Vec<String>>,
    /// What responses cost that were cut off, until their entry comes.
    cut: BTreeMap<RunId, Option<u64>>,
    held: Option<Held>,
    /// How many events the last entry has.
    parts: u32,
    /// What the model has said of its open response.
    live: String,
    /// How often that has begun anew: as long as it is the same, what was read of it is still its beginning.
    live_epoch: u64,
    /// A run that broke off without an end in the log, and why.
    broken: Option<(RunId, ErrorEvent)>,
}

impl Feed {
    /// The feed of a session in which nothing was said.
    pub(crate) fn new(id: &str, config: AgentConfig) -> Self {
        Self {
            state: AgentState::new(id, config, []),
            events: Vec::new(),
            runs: BTreeMap::new(),
            last_run: None,
            previews: BTreeMap::new(),
            warnings: BTreeMap::new(),
            cut: BTreeMap::new(),
            held: None,
            parts: 0,
            live: String::new(),
            live_epoch: 0,
            broken: None,
        }
    }

    /// The conversation as its log has it.
    pub(crate) fn state(&self) -> &AgentState {
        &self.state
    }

    /// Whether the log has a run, and whether it has ended.
    pub(crate) fn run(&self, run_id: &RunId) -> Option<bool> {
        self.runs.get(run_id).map(|run| run.has_ended)
    }

    /// The last run there is.
    pub(crate) fn last_run(&self) -> Option<&RunId> {
        self.last_run.as_ref()
    }

    /// Takes the next entry of the log in.
    pub(crate) fn take(&mut self, entry: Arc<Entry>) {
        self.put_held();
        let before: BTreeMap<CallId, CallStatus> = self
            .state
            .run
            .iter()
            .flat_map(|run| run.calls.iter())
            .map(|record| (record.call.id.clone(), record.status))
            .collect();
        let length = self.state.entries.len();
        self.state = self.state.clone().with_entries([Arc::clone(&entry)]);
        if self.state.entries.len() == length {
            // It is there already.
            return;
        }
        let spent = Spent::of_entries(std::iter::once(&*entry));
        self.parts = 0;
        self.say_live("");
        let run_id = entry.run_id.clone();
        let run = self
            .runs
            .entry(run_id.clone())
            .or_insert_with(|| Run { first: self.events.len(), ..Run::default() });
        run.spent = run.spent + spent;
        if is_cut(&entry) {
            let cost = self.cut.remove(&run_id).flatten();
            run.spent.micro_usd = run.spent.micro_usd.saturating_add(cost.unwrap_or_default());
            run.is_unpriced |= cost.is_none();
        }
        match &entry.body {
            EntryBody::User { .. } | EntryBody::Retried { .. } => {
                self.last_run = Some(run_id.clone());
            }
            EntryBody::Response { text, calls, .. } => {
                self.text(&entry, text);
                for requested in calls {
                    let data = EventData::ToolCall(ToolCallEvent {
                        call_id: requested.call.id.0.clone(),
                        name: requested.call.name.clone(),
                        title: requested.title.clone(),
                        arguments: requested.call.arguments.clone(),
                    });
                    self.push(&entry, data);
                    if let Some(run) = self.runs.get_mut(&run_id) {
                        run.tools.push(requested.call.name.clone());
                    }
                }
            }
            EntryBody::Ended { partial: Some(partial), .. } => self.text(&entry, &partial.text),
            _ => {}
        }
        self.calls(&entry, &before);
        if let EntryBody::Ended { ending, note, doubts, .. } = &entry.body {
            let data = self.end(&entry, ending, note, doubts);
            self.push(&entry, data);
            if let Some(run) = self.runs.get_mut(&run_id) {
                run.has_ended = true;
            }
        }
    }

    /// What came of calls, and what waits for the person.
    fn calls(&mut self, entry: &Entry, before: &BTreeMap<CallId, CallStatus>) {
        let records: Vec<CallRecord> =
            self.state.run.iter().flat_map(|run| run.calls.iter()).cloned().collect();
        let mut approvals = Vec::new();
        for record in records {
            let was = before.get(&record.call.id).copied();
            if was == Some(record.status) {
                continue;
            }
            if record.status == CallStatus::Awaiting {
                if record.plan == Disposition::Question {
                    if let Ok(asked) = Questions::saved(&record.call.arguments) {
                        let data = wire::questions(&record.call.id, &record.title, &asked);
                        self.push(entry, EventData::Questions(data));
                    }
                } else {
                    approvals.push(record);
                }
            } else if let (true, Some(result)) = (record.status.is_settled(), &record.result) {
                if let (false, Some(answer), Some(run)) =
                    (result.is_error, &result.structured, self.runs.get_mut(&entry.run_id))
                {
                    run.up.take(answer);
                }
                let data = EventData::ToolResult(ToolResultEvent {
                    call_id: result.call_id.0.clone(),
                    name: result.name.clone(),
                    is_error: result.is_error,
                    content: result.content.clone(),
                    structured: result.structured.clone(),
                });
                self.push(entry, data);
            }
        }
        if !approvals.is_empty() {
            self.held = Some(Held { seq: entry.seq, run_id: entry.run_id.clone(), calls: approvals });
            self.put_previewed();
        }
    }

    /// Whether nothing goes on before a person decides. `decided` is what they did decide, kept or not yet.
    pub(crate) fn is_left_to_person(&self, decided: &BTreeSet<CallId>) -> bool {
        self.state.status == Status::AwaitingApproval
            && !self.state.awaiting().any(|record| decided.contains(&record.call.id))
    }

    /// The calls that wait to be allowed and of which nobody has said what they would do.
    pub(crate) fn without_preview(&self) -> Vec<CallRecord> {
        let held = self.held.iter().flat_map(|held| &held.calls);
        held.filter(|record| !self.previews.contains_key(&record.call.id)).cloned().collect()
    }

    /// Takes in what a call would do; none where that cannot be said.
    pub(crate) fn preview(&mut self, call_id: CallId, preview: Option<String>) {
        self.previews.insert(call_id, preview);
        self.put_previewed();
    }

    /// Puts the approvals, when of each is known what it would do.
    fn put_previewed(&mut self) {
        if self.without_preview().is_empty() {
            self.put_held();
        }
    }

    fn put_held(&mut self) {
        let Some(held) = self.held.take() else { return };
        for record in held.calls {
            let (data, part) = (self.approval(&record), self.next_part());
            self.events.push(Event {
                seq: held.seq,
                part,
                run_id: held.run_id.clone(),
                data: EventData::Questions(data),
            });
        }
    }

    fn approval(&self, record: &CallRecord) -> QuestionsEvent {
        let preview = self.previews.get(&record.call.id).cloned().flatten();
        wire::approval(&record.call.id, &record.title, preview, record.tainted_by.clone())
    }

    /// Takes in that limits were near when a run ended.
    pub(crate) fn warn(&mut self, run_id: RunId, warnings: Vec<String>) {
        self.warnings.insert(run_id, warnings);
    }

    /// Takes in what a response cost that is about to be cut off, in millionths of a US dollar; none where that is not known.
    pub(crate) fn cut(&mut self, run_id: RunId, micro_usd: Option<u64>) {
        self.cut.insert(run_id, micro_usd);
    }

    /// Takes in what a model has said so far of a response that is not there yet.
    pub(crate) fn stream(&mut self, state: &AgentState) {
        let is_next = state.entries.len() == self.state.entries.len();
        let text = if is_next { state.live.text.as_str() } else { "" };
        self.say_live(text);
    }

    /// The open response is this by now. Every new piece of it comes here with all before it, so no more than the piece is copied.
    fn say_live(&mut self, text: &str) {
        match text.strip_prefix(self.live.as_str()) {
            Some(more) => self.live.push_str(more),
            None => {
                text.clone_into(&mut self.live);
                self.live_epoch = self.live_epoch.saturating_add(1);
            }
        }
    }

    /// A run broke off without an end in the log: that could not be written, or something in this server is broken (`kind`).
    pub(crate) fn break_off(&mut self, run_id: RunId, kind: ErrorType, why: &str) {
        self.say_live("");
        let error = ErrorEvent { kind, message: why.to_owned(), retry_after: None, retryable: true };
        self.broken = Some((run_id, error));
    }

    /// It is gone on with.
    pub(crate) fn mend(&mut self) {
        self.broken = None;
    }

    /// What waits for an answer, in the order it was asked.
    pub(crate) fn open_questions(&self) -> Vec<QuestionsEvent> {
        let asked = self.state.awaiting().map(|record| match record.plan {
            Disposition::Question => Questions::saved(&record.call.arguments)
                .ok()
                .map(|asked| wire::questions(&record.call.id, &record.title, &asked)),
            _ => Some(self.approval(record)),
        });
        asked.flatten().collect()
    }

    fn text(&mut self, entry: &Entry, text: &str) {
        // The place of a text is always 0, so that one that streamed and one that is read later have the same.
        self.parts = 1;
        if !text.is_empty() {
            let data = EventData::Text(TextEvent { text: text.to_owned(), restart: false });
            self.events.push(Event { seq: entry.seq, part: 0, run_id: entry.run_id.clone(), data });
        }
    }

    fn push(&mut self, entry: &Entry, data: EventData) {
        let part = self.next_part();
        self.events.push(Event { seq: entry.seq, part, run_id: entry.run_id.clone(), data });
    }

    fn next_part(&mut self) -> u32 {
        let part = self.parts.max(1);
        self.parts = part.saturating_add(1);
        part
    }

    fn end(&self, entry: &Entry, ending: &Ending, note: &str, doubts: &[protocol::Doubt]) -> EventData {
        let stop = match ending {
            Ending::Complete { stop: StopReason::Length | StopReason::ContentFilter } => Stop::Cut,
            Ending::Complete { .. } => Stop::Complete,
            Ending::Cancelled => Stop::Cancelled,
            Ending::Limited { .. } => Stop::Limited,
            Ending::Failed { failure } => return EventData::Error(error(failure)),
        };
        let nothing = Run::default();
        let run = self.runs.get(&entry.run_id).unwrap_or(&nothing);
        let usage = self.state.run.as_ref().map(|run| run.usage).unwrap_or_default();
        let message = self.state.answer().unwrap_or_default().to_owned();
        let unsupported = doubts.iter().filter_map(|doubt| message.get(doubt.start..doubt.end));
        let is_priced = !run.is_unpriced && (run.spent.micro_usd > 0 || run.spent.unpriced == 0);
        EventData::Done(DoneEvent {
            tokens: Tokens { input: usage.input_tokens, output: usage.output_tokens },
            cost: is_priced.then(|| in_usd(run.spent.micro_usd)),
            tool_calls_made: run.tools.clone(),
            stop,
            note: Some(note.to_owned()).filter(|note| !note.is_empty()),
            unsupported: unsupported.map(str::to_owned).collect(),
            warnings: self.warnings.get(&entry.run_id).cloned().unwrap_or_default(),
            up: run.up.told(),
            message,
        })
    }
}

/// Whether an entry ends a run in the middle of a response, of which it cannot say what it cost.
pub(crate) fn is_cut(entry: &Entry) -> bool {
    matches!(
        &entry.body,
        EntryBody::Ended { ending: Ending::Cancelled | Ending::Limited { .. }, partial: Some(partial), .. }
            if partial.usage.cost_micro_usd.is_none()
    )
}

/// Millionths of a US dollar as a number of dollars.
pub(crate) fn in_usd(micro_usd: u64) -> f64 {
    // Exact up to nine thousand million dollars.
    micro_usd as f64 / 1e6
}

/// A failure by the names of S4-25 and S4-33.
fn error(failure: &Failure) -> ErrorEvent {
    let after = failure.retry_after_ms.map(|ms| ms.div_ceil(1_000));
    let (kind, retryable, retry_after) = match failure.kind {
        FailureKind::Validation if failure.status == Some(NOT_STORED) => {
            (ErrorType::StorageFailed, true, None)
        }
        FailureKind::RateLimited => {
            let seconds = after.unwrap_or(WAIT_S);
            return ErrorEvent {
                kind: ErrorType::RateLimitExceeded,
                message: format!("Rate limit reached. Retry in {seconds} seconds."),
                retry_after: Some(seconds),
                retryable: true,
            };
        }
        FailureKind::RetryableNetwork if failure.status == Some(NO_TOOLS) => {
            (ErrorType::ToolExecutionFailed, true, None)
        }
        FailureKind::RetryableNetwork | FailureKind::Overloaded => (ErrorType::LlmApiError, true, after),
        // No run ends for a tool that does not exist: the model reads of it in the call's result.
        FailureKind::Validation
        | FailureKind::PermissionDenied
        | FailureKind::Cancelled
        | FailureKind::ToolNotFound => (ErrorType::LlmApiError, false, None),
        FailureKind::ContextLimit => (ErrorType::ContextLimitExceeded, false, None),
        FailureKind::CostLimit => (ErrorType::CostLimitExceeded, false, None),
    };
    ErrorEvent { kind, message: failure.message.clone(), retry_after, retryable }
}

/// Somebody who reads a feed, from a place on.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    /// Only this run's events; none for all there are.
    run_id: Option<RunId>,
    at: Option<Cursor>,
    is_over: bool,
    /// What was read of the text that `at` stands in.
    read: Option<ReadText>,
}

/// A text that is read while it grows. Hashed anew with each piece it would take the square of its length.
#[derive(Clone, Debug)]
struct ReadText {
    /// The entry it will be.
    seq: u64,
    /// What of the feed's open response it is the beginning of ([`Feed::live_epoch`]).
    epoch: u64,
    hashed: Hashed,
}

impl Reader {
    /// Reads a run, or everything, after a place.
    pub(crate) fn new(run_id: Option<RunId>, at: Option<Cursor>) -> Self {
        Self { run_id, at, is_over: false, read: None }
    }

    /// Nothing more comes.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// What is new, as frames of an event stream. `is_busy` says whether a run is under way; where none is, no more comes.
    pub(crate) fn read(&mut self, feed: &Feed, is_busy: bool) -> Vec<String> {
        let mut frames = Vec::new();
        // Events stand in the order of their places.
        let place = self.at.map_or((0, 0), |at| (at.seq, at.part));
        let after = feed.events.partition_point(|event| (event.seq, event.part) < place);
        let first = self.run_id.as_ref().and_then(|run_id| feed.runs.get(run_id)).map_or(0, |run| run.first);
        let from = after.max(first);
        self.forget_void(feed, after, &mut frames);
        for event in feed.events.get(from..).unwrap_or_default() {
            let is_read =
                self.at.is_some_and(|at| (at.seq, at.part) == (event.seq, event.part) && at.text.is_none());
            if is_read || self.run_id.as_ref().is_some_and(|run_id| *run_id != event.run_id) {
                continue;
            }
            if let EventData::Text(said) = &event.data {
                self.say(event.seq, None, &said.text, &mut frames);
            } else {
                let at = Cursor { seq: event.seq, part: event.part, text: None };
                self.at = Some(at);
                frames.push(frame(Some(at), &event.data));
            }
            if event.data.is_last() && self.run_id.is_some() {
                self.is_over = true;
                return frames;
            }
        }
        let open = feed.state.run.as_ref().map(|run| &run.run_id);
        if !feed.live.is_empty() && self.run_id.as_ref().is_none_or(|ours| open == Some(ours)) {
            let seq = feed.state.entries.len() as u64;
            self.say(seq, Some(feed.live_epoch), &feed.live, &mut frames);
        }
        if let Some((run_id, error)) = &feed.broken
            && self.run_id.as_ref().is_none_or(|ours| ours == run_id)
        {
            // Without an id: it is not in the log, and who comes back goes on before it.
            frames.push(frame(None, &EventData::Error(error.clone())));
            self.is_over = true;
        }
        // A run that is over is read to its end, whatever else is under way: its last event may be what was read before.
        let has_ended = self.run_id.as_ref().is_some_and(|run_id| feed.run(run_id) == Some(true));
        self.is_over |= !is_busy || has_ended;
        frames
    }

    /// A text that was begun, and that the log passed over without it: whoever said it was killed, or was asked again and said
    /// nothing.
    fn forget_void(&mut self, feed: &Feed, after: usize, frames: &mut Vec<String>) {
        let Some(Cursor { seq, part: 0, text: Some(read) }) = self.at else { return };
        let is_past = feed.state.entries.len() as u64 > seq;
        let is_there = feed.events.get(after).is_some_and(|event| (event.seq, event.part) == (seq, 0));
        if is_past && !is_there {
            let at = Cursor { seq, part: 0, text: None };
            self.at = Some(at);
            if read.bytes > 0 {
                let void = TextEvent { text: String::new(), restart: true };
                frames.push(frame(Some(at), &EventData::Text(void)));
            }
        }
    }

    /// What is new of a text. `epoch` says which open response it is; none for one that is complete.
    fn say(&mut self, seq: u64, epoch: Option<u64>, text: &str, frames: &mut Vec<String>) {
        let before = self.at.filter(|at| (at.seq, at.part) == (seq, 0)).and_then(|at| at.text);
        let is_same = |read: &ReadText| {
            (read.seq, Some(read.epoch)) == (seq, epoch) && Some(read.hashed.prefix()) == before
        };
        let grown = self.read.take().filter(is_same);
        let rest = match (&grown, &before) {
            // It only grew since: its beginning need not be looked at again.
            (Some(read), _) => text.get(read.hashed.bytes()..),
            (None, Some(read)) => read.rest_of(text),
            (None, None) => None,
        };
        let (new, restart) = match rest {
            Some(rest) => (rest, false),
            // The model was asked again and begins otherwise.
            None => (text, before.is_some()),
        };
        let mut hashed = match grown {
            Some(read) if rest.is_some() => read.hashed,
            _ => Hashed::of(text.strip_suffix(new).unwrap_or_default()),
        };
        hashed.add(new);
        let at = Cursor { seq, part: 0, text: Some(hashed.prefix()) };
        self.read = epoch.map(|epoch| ReadText { seq, epoch, hashed });
        if new.is_empty() && !restart && before.is_some() {
            return;
        }
        self.at = Some(at);
        let data = EventData::Text(TextEvent { text: new.to_owned(), restart });
        frames.push(frame(Some(at), &data));
    }
}

/// An event as an event stream has it. JSON has no line ends of its own.
fn frame(at: Option<Cursor>, data: &EventData) -> String {
    let id = at.map(|at| format!("id: {at}\n")).unwrap_or_default();
    let json = serde_json::to_string(data).unwrap_or_default();
    format!("{id}event: {}\ndata: {json}\n\n", data.name())
}

#[cfg(test)]
mod tests;

//! Whatever is lost, killed or said again: who reads on from the last id has read the whole, once.

use agent::{Context, Partial, RequestedCall};
use proptest::prelude::*;
use protocol::{ToolCall, ToolResult, Usage};
use serde_json::json;

use super::*;

/// Something that happens to a run.
#[derive(Clone, Debug)]
enum Happening {
    /// The model says more.
    Says(String),
    /// It is asked again: what it said is void.
    IsAskedAgain,
    /// Its response is complete, as it was said or with other words, and has a call: without one it would be the last.
    Responds(Option<String>),
    /// Its response is complete, as it was said, and has calls that the person has to allow. It is said what they would do, each or
    /// only the first of them, and then the person decides about them in order.
    Asks { previewed: usize, approved: bool },
    /// The process is killed, and the next one goes on.
    IsKilled,
}

/// What the reader does after it.
#[derive(Clone, Copy, Debug)]
enum Reads {
    On,
    /// Its connection is lost, and it comes back with the last id.
    Anew,
    /// It is away for a while.
    Nothing,
}

fn happenings() -> impl Strategy<Value = Vec<(Happening, Reads)>> {
    let words = "[a-cä🦀 ]{0,4}";
    let happening = prop_oneof![
        4 => words.prop_map(Happening::Says),
        1 => Just(Happening::IsAskedAgain),
        2 => proptest::option::of(words).prop_map(Happening::Responds),
        2 => (0..3_usize, any::<bool>())
            .prop_map(|(previewed, approved)| Happening::Asks { previewed, approved }),
        1 => Just(Happening::IsKilled),
    ];
    let reads = prop_oneof![3 => Just(Reads::On), 1 => Just(Reads::Anew), 1 => Just(Reads::Nothing)];
    proptest::collection::vec((happening, reads), 0..30)
}

/// The log of one run, and the feed over it.
struct Log {
    entries: Vec<Arc<Entry>>,
    /// What calls would do, with how many entries there were then.
    previews: Vec<(usize, CallId)>,
    feed: Feed,
}

impl Log {
    fn new() -> Self {
        let mut log = Self { entries: Vec::new(), previews: Vec::new(), feed: empty() };
        log.add(EntryBody::User {
            text: "Go".to_owned(),
            images: Vec::new(),
            boundary: "b".to_owned(),
            context: Context::default(),
        });
        log
    }

    fn add(&mut self, body: EntryBody) {
        let seq = self.entries.len() as u64;
        let entry = Arc::new(Entry { seq, at_ms: 1, run_id: RunId("run_1".to_owned()), body });
        self.entries.push(Arc::clone(&entry));
        self.feed.take(entry);
    }

    /// What the next process makes of it.
    fn rebuilt(&self) -> Feed {
        let mut feed = empty();
        for (at, entry) in self.entries.iter().enumerate() {
            for (_, call_id) in self.previews.iter().filter(|(there, _)| *there == at) {
                feed.preview(call_id.clone(), Some("It would be done.".to_owned()));
            }
            feed.take(Arc::clone(entry));
        }
        for (_, call_id) in self.previews.iter().filter(|(there, _)| *there == self.entries.len()) {
            feed.preview(call_id.clone(), Some("It would be done.".to_owned()));
        }
        feed
    }

    /// Calls that wait, with what they would do as far as that comes before the person decides.
    fn ask(&mut self, text: String) -> Vec<CallId> {
        let at = self.entries.len();
        let ids: Vec<CallId> = (0..2).map(|one| CallId(format!("call_{at}_{one}"))).collect();
        self.response(text, &ids, Disposition::Ask);
        ids
    }

    fn preview(&mut self, call_id: &CallId) {
        self.previews.push((self.entries.len(), call_id.clone()));
        self.feed.preview(call_id.clone(), Some("It would be done.".to_owned()));
    }

    fn decide(&mut self, call_id: CallId, approved: bool) {
        self.add(EntryBody::Decision { call_id: call_id.clone(), approved });
        if approved {
            self.result(call_id);
        }
    }

    fn stream(&mut self, text: &str) {
        let mut state = self.feed.state().clone();
        text.clone_into(&mut state.live.text);
        self.feed.stream(&state);
    }

    fn respond(&mut self, text: String, calls: bool) {
        let id = CallId(format!("call_{}", self.entries.len()));
        let ids = if calls { vec![id] } else { Vec::new() };
        self.response(text, &ids, Disposition::Read);
        ids.into_iter().for_each(|id| self.result(id));
    }

    fn response(&mut self, text: String, ids: &[CallId], plan: Disposition) {
        let requested = |id: &CallId| RequestedCall {
            call: ToolCall { id: id.clone(), name: "look".to_owned(), arguments: json!({}) },
            title: "Look".to_owned(),
            plan: plan.clone(),
            tainted_by: None,
        };
        self.add(EntryBody::Response {
            step: 1,
            model: "m".to_owned(),
            routed: None,
            text,
            thought: String::new(),
            calls: ids.iter().map(requested).collect(),
            usage: Usage::default(),
            stop: if ids.is_empty() { StopReason::Stop } else { StopReason::ToolCalls },
            started_ms: 1,
            span_id: "s".to_owned(),
            sent: None,
            confidence: None,
            retries: Vec::new(),
        });
    }

    fn result(&mut self, call_id: CallId) {
        let (name, content) = ("look".to_owned(), "Seen.".to_owned());
        let result = ToolResult { call_id, name, is_error: false, content, structured: None };
        self.add(EntryBody::Result { result, started_ms: 1, kept: None, outside: false });
    }

    /// The run's end: with an answer, or with what there was of one.
    fn end(&mut self, live: String, is_partial: bool) {
        if !is_partial {
            self.respond(live, false);
            return self.ended(Ending::Complete { stop: StopReason::Stop }, None);
        }
        let partial = Partial {
            step: 1,
            model: "m".to_owned(),
            text: live,
            thought: String::new(),
            usage: Usage::default(),
            started_ms: 1,
            span_id: "s".to_owned(),
            retries: Vec::new(),
        };
        self.ended(Ending::Cancelled, Some(partial));
    }

    fn ended(&mut self, ending: Ending, partial: Option<Partial>) {
        let (note, repairs, doubts) = (String::new(), Vec::new(), Vec::new());
        self.add(EntryBody::Ended { ending, note, partial, repairs, doubts });
    }
}

fn empty() -> Feed {
    Feed::new("session", AgentConfig::new("You look."))
}

/// What a client makes of frames: texts as they stand in the end, and the names of the other events.
#[derive(Debug, Default, PartialEq)]
struct Client {
    told: Vec<(String, String)>,
    id: Option<String>,
}

impl Client {
    fn take(&mut self, frames: Vec<String>) {
        for frame in frames {
            let field =
                |name: &str| frame.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
            self.id = field("id: ").or(self.id.take());
            let (name, data) = (field("event: ").unwrap(), field("data: ").unwrap());
            if name != "text" {
                self.told.push((name, data));
                continue;
            }
            let data: TextEvent = serde_json::from_str(&data).unwrap();
            if self.told.last().is_none_or(|(name, _)| name != "text") {
                self.told.push((name, String::new()));
            }
            let (_, text) = self.told.last_mut().unwrap();
            if data.restart {
                text.clear();
            }
            text.push_str(&data.text);
        }
    }

    fn told(mut self) -> Vec<(String, String)> {
        self.told.retain(|(name, text)| name != "text" || !text.is_empty());
        self.told
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn whoever_reads_on_has_read_the_whole(happenings in happenings(), is_partial: bool) {
        let mut log = Log::new();
        let run = || Some(RunId("run_1".to_owned()));
        let (mut reader, mut client, mut live) = (Reader::new(run(), None), Client::default(), String::new());
        for (happening, reads) in happenings {
            match happening {
                Happening::Says(text) => {
                    live.push_str(&text);
                    log.stream(&live);
                }
                Happening::IsAskedAgain => {
                    live.clear();
                    log.stream("");
                }
                Happening::Responds(other) => {
                    let said = std::mem::take(&mut live);
                    log.respond(other.unwrap_or(said), true);
                }
                Happening::Asks { previewed, approved } => {
                    let ids = log.ask(std::mem::take(&mut live));
                    for id in ids.iter().take(previewed) {
                        log.preview(id);
                        client.take(reader.read(&log.feed, true));
                    }
                    // Killed while it waits, the next process says the same.
                    log.feed = log.rebuilt();
                    for id in ids {
                        client.take(reader.read(&log.feed, true));
                        log.decide(id, approved);
                    }
                }
                Happening::IsKilled => {
                    live.clear();
                    log.feed = log.rebuilt();
                    log.add(EntryBody::Resumed {});
                    // Its connection is lost with the process.
                    reader = Reader::new(run(), client.id.as_ref().map(|id| id.parse().unwrap()));
                }
            }
            match reads {
                Reads::Nothing => continue,
                Reads::On => {}
                Reads::Anew => reader = Reader::new(run(), client.id.as_ref().map(|id| id.parse().unwrap())),
            }
            client.take(reader.read(&log.feed, true));
            prop_assert!(!reader.is_over());
        }
        log.end(live, is_partial);
        client.take(reader.read(&log.feed, true));
        prop_assert!(reader.is_over());
        let mut whole = Client::default();
        whole.take(Reader::new(run(), None).read(&log.rebuilt(), false));
        prop_assert_eq!(&client.id, &whole.id);
        prop_assert_eq!(client.told(), whole.told());
    }
}

/// A model may say a lot, a letter at a time: hashed from its beginning with each of them, twice the text would be four times the work.
#[test]
fn a_long_text_is_read_along_in_as_long_as_it_is() {
    let (once, twice) = (hashed_while_read_along(3_000), hashed_while_read_along(6_000));
    assert!(once > 3_000 && twice < 3 * once, "{once} bytes, and of twice the text {twice}");
}

/// How many bytes are hashed while a text of so many pieces is read along.
fn hashed_while_read_along(pieces: usize) -> u64 {
    let before = crate::cursor::hashed_bytes();
    let mut log = Log::new();
    let run = RunId("run_1".to_owned());
    let (mut reader, mut client) = (Reader::new(Some(run.clone()), None), Client::default());
    let mut state = log.feed.state().clone();
    // However long it is, its reader comes back so often.
    let part = pieces / 20;
    for at in 0..pieces {
        state.live.text.push_str(if at % 7 == 0 { "ä🦀 " } else { "letters " });
        log.feed.stream(&state);
        client.take(reader.read(&log.feed, true));
        if at % part == 0 {
            // One that comes back in the middle.
            reader = Reader::new(Some(run.clone()), client.id.as_ref().map(|id| id.parse().unwrap()));
        }
        if at % part == part / 2 {
            // And one that reads nothing twice.
            assert!(reader.read(&log.feed, true).is_empty());
        }
        // All that is told so far is one text: it is taken out, so that this test is not the square itself.
        if let Some((_, text)) = client.told.last_mut() {
            text.clear();
        }
    }
    let hashed = crate::cursor::hashed_bytes() - before;
    let live = log.feed.live.clone();
    log.end(live.clone(), false);
    let rest = reader.read(&log.feed, false);
    assert_eq!(rest.len(), 1, "the text was read: {rest:?}");
    assert!(
        Cursor { seq: 1, part: 0, text: Some(crate::cursor::Prefix::of(&live)) }.to_string()
            == client.id.unwrap()
    );
    hashed
}

/// A repeated request at the end of its own message is over, also while another message is answered.
#[test]
fn a_run_that_has_ended_is_over_for_who_has_read_it() {
    let mut log = Log::new();
    log.end("Well.".to_owned(), false);
    let run = Some(RunId("run_1".to_owned()));
    let (mut reader, mut client) = (Reader::new(run.clone(), None), Client::default());
    client.take(reader.read(&log.feed, true));
    let mut again = Reader::new(run, client.id.as_ref().map(|id| id.parse().unwrap()));
    assert!(again.read(&log.feed, true).is_empty());
    assert!(again.is_over());
}

/// A message that waits for a person leaves its place to others, and one that was decided about works on: it needs its place from
/// the decision on, which is before that is kept.
#[test]
fn a_message_is_left_to_a_person_until_they_decide() {
    let mut log = Log::new();
    let mut decided = BTreeSet::new();
    assert!(!log.feed.is_left_to_person(&decided), "the model is asked");
    let ids = log.ask("Shall I?".to_owned());
    for id in ids {
        assert!(log.feed.is_left_to_person(&decided));
        decided.insert(id.clone());
        assert!(!log.feed.is_left_to_person(&decided), "it is written just now");
        log.decide(id, true);
    }
    assert!(!log.feed.is_left_to_person(&decided), "the model is asked again");
}

/// S4-25, S4-33: whose failure it is, by its class and its mark.
#[test]
fn failures_have_their_names() {
    for (kind, status, expected, retryable) in [
        (FailureKind::Validation, Some(NOT_STORED), ErrorType::StorageFailed, true),
        (FailureKind::RetryableNetwork, Some(NO_TOOLS), ErrorType::ToolExecutionFailed, true),
        // Whatever a model answers with is a model's, however it says that it is to be retried.
        (FailureKind::Validation, Some(507), ErrorType::LlmApiError, false),
        (FailureKind::RetryableNetwork, Some(424), ErrorType::LlmApiError, true),
        (FailureKind::RetryableNetwork, Some(503), ErrorType::LlmApiError, true),
        (FailureKind::RateLimited, None, ErrorType::RateLimitExceeded, true),
        (FailureKind::ContextLimit, None, ErrorType::ContextLimitExceeded, false),
        (FailureKind::CostLimit, None, ErrorType::CostLimitExceeded, false),
    ] {
        let told = error(&Failure { status, ..Failure::new(kind, "It failed.") });
        assert_eq!((told.kind, told.retryable), (expected, retryable), "{kind:?} {status:?}");
    }
}

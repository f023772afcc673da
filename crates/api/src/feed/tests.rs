//! Whatever is lost, killed or said again: who reads on from the last id has read the whole, once.

use agent::{Context, RequestedCall};
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
        1 => Just(Happening::IsKilled),
    ];
    let reads = prop_oneof![3 => Just(Reads::On), 1 => Just(Reads::Anew), 1 => Just(Reads::Nothing)];
    proptest::collection::vec((happening, reads), 0..30)
}

/// The log of one run, and the feed over it.
struct Log {
    entries: Vec<Arc<Entry>>,
    feed: Feed,
}

impl Log {
    fn new() -> Self {
        let mut log = Self { entries: Vec::new(), feed: empty() };
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
        self.entries.iter().for_each(|entry| feed.take(Arc::clone(entry)));
        feed
    }

    fn stream(&mut self, text: &str) {
        let mut state = self.feed.state().clone();
        text.clone_into(&mut state.live.text);
        self.feed.stream(&state);
    }

    fn respond(&mut self, text: String, calls: bool) {
        let id = CallId(format!("call_{}", self.entries.len()));
        let call = ToolCall { id: id.clone(), name: "look".to_owned(), arguments: json!({}) };
        let requested =
            RequestedCall { call, title: "Look".to_owned(), plan: Disposition::Read, tainted_by: None };
        self.add(EntryBody::Response {
            step: 1,
            model: "m".to_owned(),
            routed: None,
            text,
            thought: String::new(),
            calls: if calls { vec![requested] } else { Vec::new() },
            usage: Usage::default(),
            stop: if calls { StopReason::ToolCalls } else { StopReason::Stop },
            started_ms: 1,
            span_id: "s".to_owned(),
            sent: None,
            confidence: None,
            retries: Vec::new(),
        });
        if calls {
            let (name, content) = ("look".to_owned(), "Seen.".to_owned());
            let result = ToolResult { call_id: id, name, is_error: false, content, structured: None };
            self.add(EntryBody::Result { result, started_ms: 1, kept: None, outside: false });
        }
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
    fn whoever_reads_on_has_read_the_whole(happenings in happenings()) {
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
        log.respond(live, false);
        log.add(EntryBody::Ended {
            ending: Ending::Complete { stop: StopReason::Stop },
            note: String::new(),
            partial: None,
            repairs: Vec::new(),
            doubts: Vec::new(),
        });
        client.take(reader.read(&log.feed, true));
        prop_assert!(reader.is_over());
        let mut whole = Client::default();
        whole.take(Reader::new(run(), None).read(&log.rebuilt(), false));
        prop_assert_eq!(&client.id, &whole.id);
        prop_assert_eq!(client.told(), whole.told());
    }
}

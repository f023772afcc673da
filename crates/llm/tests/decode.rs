//! Every fixture in `fixtures/` is one response body, in the shape a real server sent it, in the folder of its wire.
//! Each must decode to its snapshot, and to the same events however its bytes are split and its lines end.

use std::path::Path;
use std::sync::Arc;
use std::sync::LazyLock;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use llm::{Headers, TransportError, Wire};
use proptest::prelude::*;
use protocol::{CallId, Failure, Message, ModelEvent, ModelRequest, RunId, ToolCall};
use serde_json::json;

type Events = Vec<Result<ModelEvent, Failure>>;

/// A wire: the folder of its fixtures, how many are there at least, and what stands before the names of its snapshots.
#[derive(Clone, Copy)]
struct Codec {
    wire: Wire,
    folder: &'static str,
    fixtures: usize,
    prefix: &'static str,
}

const CHAT: Codec = Codec { wire: Wire::OpenAiChat, folder: "openai_chat", fixtures: 53, prefix: "" };

const CODECS: [Codec; 3] = [
    CHAT,
    Codec { wire: Wire::AnthropicMessages, folder: "anthropic", fixtures: 45, prefix: "anthropic." },
    Codec { wire: Wire::OpenAiResponses, folder: "openai_responses", fixtures: 52, prefix: "responses." },
];

fn request() -> ModelRequest {
    let earlier =
        ToolCall { id: CallId("call_earlier".into()), name: "todo_list".into(), arguments: json!({}) };
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 2,
        model: "m".into(),
        messages: vec![Arc::new(Message::Assistant {
            content: String::new(),
            thought: String::new(),
            tool_calls: vec![earlier],
        })],
        tools: vec![],
        temperature: None,
        max_output_tokens: None,
    }
}

impl Codec {
    fn run(self, content_type: &str, chunks: Vec<Result<Vec<u8>, TransportError>>) -> Events {
        let headers: Headers = vec![("content-type".into(), content_type.into())];
        block_on(self.wire.decode(&headers, iter(chunks).boxed_local(), &request(), 0).collect())
    }
}

/// Neighbouring fragments joined: how a text is cut into deltas is no part of its meaning.
fn joined(events: Events) -> Events {
    let mut joined: Events = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (
                Some(Ok(ModelEvent::ToolCallDelta { index: known, arguments, .. })),
                Ok(ModelEvent::ToolCallDelta { index, id: None, name: None, arguments: more }),
            ) if *known == index => arguments.push_str(&more),
            (_, event) => joined.push(event),
        }
    }
    joined
}

fn show(events: &Events) -> String {
    let line = |event: &Result<ModelEvent, Failure>| match event {
        Ok(event) => serde_json::to_string(event).unwrap(),
        Err(failure) => format!("FAILED {}", serde_json::to_string(failure).unwrap()),
    };
    events.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// One response body.
struct Fixture {
    codec: Codec,
    /// Its file and, but for chat completions, its wire.
    name: String,
    content_type: &'static str,
    bytes: Vec<u8>,
}

impl Fixture {
    fn run(&self, chunks: Vec<Result<Vec<u8>, TransportError>>) -> Events {
        self.codec.run(self.content_type, chunks)
    }

    fn whole(&self) -> Events {
        self.run(vec![Ok(self.bytes.clone())])
    }
}

fn fixtures() -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for codec in CODECS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(codec.folder);
        let before = fixtures.len();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let content_type = match path.extension().and_then(|extension| extension.to_str()) {
                Some("sse") => "text/event-stream",
                Some("json") => "application/json",
                Some("html") => "text/html; charset=utf-8",
                _ => "text/plain",
            };
            let name = format!("{}{}", codec.prefix, path.file_name().unwrap().to_str().unwrap());
            fixtures.push(Fixture { codec, name, content_type, bytes: std::fs::read(&path).unwrap() });
        }
        assert!(fixtures.len() - before >= codec.fixtures, "the fixtures of {} are there", codec.folder);
    }
    fixtures.sort_by(|one, other| one.name.cmp(&other.name));
    fixtures
}

#[test]
fn every_fixture_decodes_to_its_snapshot() {
    for fixture in fixtures() {
        insta::assert_snapshot!(fixture.name.as_str(), show(&fixture.whole()));
    }
}

#[test]
fn splitting_a_body_anywhere_changes_nothing() {
    let fixtures = fixtures();
    // It is the square of many bytes, so all of the machine works at it.
    std::thread::scope(|scope| {
        for part in fixtures.chunks(fixtures.len().div_ceil(8)) {
            scope.spawn(|| part.iter().for_each(splitting_changes_nothing));
        }
    });
}

fn splitting_changes_nothing(fixture: &Fixture) {
    let (name, bytes) = (&fixture.name, &fixture.bytes);
    let whole = joined(fixture.whole());
    for split in 0..=bytes.len() {
        let (left, right) = bytes.split_at(split);
        let events = fixture.run(vec![Ok(left.to_vec()), Ok(vec![]), Ok(right.to_vec())]);
        // Only the excerpt of a body of unknown kind depends on how much of it came at once.
        if fixture.content_type != "text/plain" {
            assert_eq!(joined(events), whole, "{name} split at {split}");
        }
    }
    if fixture.content_type != "text/plain" {
        let single = bytes.iter().map(|byte| Ok(vec![*byte])).collect();
        assert_eq!(joined(fixture.run(single)), whole, "{name} byte by byte");
    }
}

#[test]
fn line_ends_and_content_types_change_nothing() {
    for fixture in fixtures() {
        let name = &fixture.name;
        let text = String::from_utf8(fixture.bytes.clone()).unwrap();
        let whole = fixture.whole();
        for line_end in ["\r\n", "\r"] {
            let other = text.replace('\n', line_end).into_bytes();
            if fixture.content_type == "text/event-stream" {
                let single = other.iter().map(|byte| Ok(vec![*byte])).collect();
                assert_eq!(joined(fixture.run(single)), joined(whole.clone()), "{name} with {line_end:?}");
            }
        }
        for wrong_type in ["text/plain", "application/octet-stream", "application/json", ""] {
            let events = fixture.codec.run(wrong_type, vec![Ok(fixture.bytes.clone())]);
            assert_eq!(events, whole, "{name} as {wrong_type:?}");
        }
    }
}

#[test]
fn a_cut_before_the_end_is_a_failure_and_after_it_is_not() {
    for fixture in fixtures() {
        let (name, bytes) = (&fixture.name, &fixture.bytes);
        if fixture.content_type != "text/event-stream" {
            continue;
        }
        let whole = joined(fixture.whole());
        for length in 0..bytes.len() {
            let cut = vec![Ok(bytes[..length].to_vec()), Err(TransportError::Cut("reset".into()))];
            let events = joined(fixture.run(cut));
            match events.last() {
                // What was announced as finished is the whole answer, but for usage that comes later.
                Some(Ok(ModelEvent::Done { .. })) => {
                    let without_usage = |events: &Events| {
                        let usage = |event: &&Result<_, _>| !matches!(event, Ok(ModelEvent::Usage { .. }));
                        events.iter().filter(usage).cloned().collect::<Events>()
                    };
                    assert_eq!(without_usage(&events), without_usage(&whole), "{name} cut at {length}");
                }
                Some(Err(_)) => {}
                other => panic!("{name} cut at {length} ended with {other:?}"),
            }
            let failures = events.iter().filter(|event| event.is_err()).count();
            assert!(failures <= 1, "{name} cut at {length}: {events:?}");
        }
    }
}

#[test]
fn bytes_that_are_not_text_are_a_failure() {
    let mut bytes = b"data: {\"choices\":[{\"delta\":{\"content\":\"".to_vec();
    bytes.extend([0xff, 0xfe, 0xfd]);
    bytes.extend(b"\"}}]}\n\n");
    let events = CHAT.run("text/event-stream", vec![Ok(bytes)]);
    insta::assert_snapshot!("not-text", show(&events));
}

#[test]
fn made_up_ids_differ_from_step_to_step_and_run_to_run() {
    let body = b"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"t\"}}]}}]}\n\n";
    let ids: Vec<_> = [("run_1", 1), ("run_1", 2), ("run_2", 1), ("run_1", 1)]
        .into_iter()
        .map(|(run, step)| {
            let request = ModelRequest { run_id: RunId(run.into()), step, ..request() };
            let chunks = iter([Ok(body.to_vec())]).boxed_local();
            let events: Events = block_on(Wire::OpenAiChat.decode(&vec![], chunks, &request, 0).collect());
            match events.into_iter().next() {
                Some(Ok(ModelEvent::ToolCallDelta { id: Some(id), .. })) => id.0,
                other => panic!("no call: {other:?}"),
            }
        })
        .collect();
    assert_eq!(ids[0], ids[3], "the same response decodes the same twice");
    assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
    // OpenAI refuses ids of more than 40 characters.
    assert!(ids.iter().all(|id| id.len() <= 40 && id.is_ascii()));
}

/// The rules every consumer relies on: one end, each call with its id and name once and before the rest of its
/// arguments, nothing empty; and when all went well, calls numbered from 0.
fn check(events: &Events) -> Result<(), String> {
    let mut calls: Vec<(u32, &CallId)> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        let is_end = matches!(event, Err(_) | Ok(ModelEvent::Done { .. }));
        if is_end != (place + 1 == events.len()) {
            return Err(format!("an end at {place} of {}", events.len()));
        }
        match event {
            Ok(ModelEvent::ToolCallDelta { index, id: Some(id), name: Some(name), .. }) => {
                let is_known = calls.iter().any(|(known, known_id)| known == index || *known_id == id);
                if is_known || name.is_empty() || id.0.is_empty() {
                    return Err(format!("a call begins wrong: {event:?}"));
                }
                calls.push((*index, id));
            }
            Ok(ModelEvent::ToolCallDelta { index, id, name, arguments }) => {
                let is_known = calls.iter().any(|(known, _)| known == index);
                if !is_known || id.is_some() || name.is_some() || arguments.is_empty() {
                    return Err(format!("a call goes on wrong: {event:?}"));
                }
            }
            Ok(ModelEvent::Retrying { .. }) => calls.clear(),
            Ok(ModelEvent::TextDelta { text } | ModelEvent::ThoughtDelta { text }) if text.is_empty() => {
                return Err("an empty text".into());
            }
            Ok(ModelEvent::Done { .. }) => {
                let mut numbers: Vec<u32> = calls.iter().map(|(index, _)| *index).collect();
                numbers.sort_unstable();
                if numbers.iter().zip(0..).any(|(number, place)| *number != place) {
                    return Err(format!("calls are numbered {numbers:?}"));
                }
            }
            _ => {}
        }
    }
    if events.is_empty() { Err("no end".into()) } else { Ok(()) }
}

/// The events of all recordings of each wire, as they stand there.
static RECORDED: LazyLock<[Vec<String>; CODECS.len()]> = LazyLock::new(|| CODECS.map(recorded_events));

fn recorded_events(codec: Codec) -> Vec<String> {
    let of_wire = fixtures().into_iter().filter(|fixture| fixture.codec.folder == codec.folder);
    let streams = of_wire.filter(|fixture| fixture.content_type == "text/event-stream");
    streams
        .flat_map(|fixture| {
            let text = String::from_utf8(fixture.bytes).unwrap();
            text.split("\n\n").map(|event| format!("{event}\n\n")).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn the_recordings_keep_the_rules() {
    for fixture in fixtures() {
        check(&fixture.whole()).unwrap_or_else(|broken| panic!("{}: {broken}", fixture.name));
    }
}

proptest! {
    /// Events of recordings in any order, some left out and some twice, and bytes that are none.
    #[test]
    fn whatever_comes_keeps_the_rules(
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..30),
        noise in prop::collection::vec(any::<u8>(), 0..40),
        frame in "\\PC{0,60}",
    ) {
        for (codec, events) in CODECS.into_iter().zip(&*RECORDED) {
            let mixed: String = places.iter().map(|place| place.get(events).as_str()).collect();
            for body in [mixed.clone().into_bytes(), noise.clone(), format!("data: {frame}\n\n{mixed}").into_bytes()] {
                let decoded = codec.run("text/event-stream", vec![Ok(body)]);
                if let Err(broken) = check(&decoded) {
                    prop_assert!(false, "{}: {broken}\n{mixed}", codec.folder);
                }
            }
        }
    }
}

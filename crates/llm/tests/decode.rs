//! Every fixture in `fixtures/` is one response body, in the shape a real server sent it. Each must
//! decode to its snapshot, and to the same events however its bytes are split and its lines end.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::path::Path;

use futures::StreamExt;
use futures::executor::block_on;
use futures::stream::iter;
use llm::openai_chat::{Decoder, decode};
use llm::{Headers, TransportError};
use protocol::{CallId, Failure, Message, ModelEvent, ModelRequest, RunId, ToolCall};
use serde_json::json;

type Events = Vec<Result<ModelEvent, Failure>>;

fn request() -> ModelRequest {
    let earlier =
        ToolCall { id: CallId("call_earlier".into()), name: "todo_list".into(), arguments: json!({}) };
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 2,
        model: "m".into(),
        messages: vec![Message::Assistant {
            content: String::new(),
            thought: String::new(),
            tool_calls: vec![earlier],
        }],
        tools: vec![],
        temperature: None,
        max_output_tokens: None,
    }
}

fn run(content_type: &str, chunks: Vec<Result<Vec<u8>, TransportError>>) -> Events {
    let headers: Headers = vec![("content-type".into(), content_type.into())];
    block_on(decode(&headers, iter(chunks).boxed_local(), Decoder::new(&request()), 0).collect())
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

fn fixtures() -> Vec<(String, &'static str, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let content_type = match path.extension().and_then(|extension| extension.to_str()) {
                Some("sse") => "text/event-stream",
                Some("json") => "application/json",
                Some("html") => "text/html; charset=utf-8",
                _ => "text/plain",
            };
            (
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                content_type,
                std::fs::read(&path).unwrap(),
            )
        })
        .collect();
    fixtures.sort();
    fixtures
}

#[test]
fn every_fixture_decodes_to_its_snapshot() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 50, "the fixtures are there");
    for (name, content_type, bytes) in fixtures {
        let events = run(content_type, vec![Ok(bytes)]);
        insta::assert_snapshot!(name, show(&events));
    }
}

#[test]
fn splitting_a_body_anywhere_changes_nothing() {
    for (name, content_type, bytes) in fixtures() {
        let whole = joined(run(content_type, vec![Ok(bytes.clone())]));
        for split in 0..=bytes.len() {
            let (left, right) = bytes.split_at(split);
            let events = run(content_type, vec![Ok(left.to_vec()), Ok(vec![]), Ok(right.to_vec())]);
            // Only the excerpt of a body of unknown kind depends on how much of it came at once.
            if content_type != "text/plain" {
                assert_eq!(joined(events), whole, "{name} split at {split}");
            }
        }
        if content_type != "text/plain" {
            let single = bytes.iter().map(|byte| Ok(vec![*byte])).collect();
            assert_eq!(joined(run(content_type, single)), whole, "{name} byte by byte");
        }
    }
}

#[test]
fn line_ends_and_content_types_change_nothing() {
    for (name, content_type, bytes) in fixtures() {
        let text = String::from_utf8(bytes.clone()).unwrap();
        let whole = run(content_type, vec![Ok(bytes.clone())]);
        for line_end in ["\r\n", "\r"] {
            let other = text.replace('\n', line_end).into_bytes();
            if content_type == "text/event-stream" {
                let single = other.iter().map(|byte| Ok(vec![*byte])).collect();
                assert_eq!(
                    joined(run(content_type, single)),
                    joined(whole.clone()),
                    "{name} with {line_end:?}"
                );
            }
        }
        for wrong_type in ["text/plain", "application/octet-stream", "application/json", ""] {
            assert_eq!(run(wrong_type, vec![Ok(bytes.clone())]), whole, "{name} as {wrong_type:?}");
        }
    }
}

#[test]
fn a_cut_before_the_end_is_a_failure_and_after_it_is_not() {
    for (name, content_type, bytes) in fixtures() {
        if content_type != "text/event-stream" {
            continue;
        }
        let whole = joined(run(content_type, vec![Ok(bytes.clone())]));
        for length in 0..bytes.len() {
            let cut = vec![Ok(bytes[..length].to_vec()), Err(TransportError::Cut("reset".into()))];
            let events = joined(run(content_type, cut));
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
    let events = run("text/event-stream", vec![Ok(bytes)]);
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
            let events: Events = block_on(decode(&vec![], chunks, Decoder::new(&request), 0).collect());
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

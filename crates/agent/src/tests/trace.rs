//! The trace of a run and its export (D-16, S1-32), and what conversations come to (S0-61).

use std::collections::BTreeMap;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use protocol::{Failure, FailureKind, StopReason, Usage};
use serde_json::Value;

use super::replay::file_of;
use super::*;
use crate::{
    Decision, Entry, EntryBody, Happening, Rating, Replay, Routing, RunFile, Satisfaction, Span, Spread,
    Tally, Work, otlp_json, spans, spans_of,
};

fn used(input_tokens: u64, output_tokens: u64) -> Input {
    let usage = Usage { input_tokens, output_tokens, cached_input_tokens: 4, ..Usage::default() };
    Input::Model(ModelEvent::Usage { usage })
}

/// Plays inputs, each at its own time.
fn at(state: AgentState, inputs: impl IntoIterator<Item = (i64, Input)>) -> AgentState {
    inputs.into_iter().fold(state, |state, (now_ms, input)| step(state, input, Stamp { now_ms }).0)
}

/// Two reads beside each other, a write, a deletion that is approved, a tool that there is none of; the first request
/// is made three times.
fn a_run() -> AgentState {
    let retrying = |attempt, after_ms| {
        let failure = Failure::new(FailureKind::Overloaded, "The provider is busy.");
        Input::Model(ModelEvent::Retrying { attempt, after_ms, failure })
    };
    at(
        fresh(),
        [
            (1_000, user(1)),
            (1_100, retrying(2, 500)),
            (1_800, retrying(3, 1_000)),
            (3_000, call(0, "r1", "read", "{}")),
            (3_000, call(1, "r2", "read", r#"{"a":1}"#)),
            (3_000, call(2, "w", "write", "{}")),
            (3_000, call(3, "d", "delete", "{}")),
            (3_000, call(4, "n", "nothing", "{}")),
            (3_050, used(100, 20)),
            (3_100, done(StopReason::ToolCalls)),
            (3_200, result("run_1:r2", "two")),
            (3_400, result("run_1:r1", "one")),
            (3_700, result("run_1:w", "written")),
            (9_700, Input::Approve(CallId("d".into()))),
            (9_900, result("run_1:d", "gone")),
            (10_400, text("Done.")),
            (10_400, used(150, 5)),
            (10_500, done(StopReason::Stop)),
        ],
    )
}

/// A span as a line: what, from when to when after the run's start, what went wrong.
fn line(span: &Span, zero_ms: i64) -> String {
    let error = span.error.as_ref().map(|error| format!(" !{}", error.kind)).unwrap_or_default();
    let open = if span.is_over { "" } else { " …" };
    format!(
        "{} {} {}-{}{error}{open}",
        span.step,
        span.name(),
        span.start_ms - zero_ms,
        span.end_ms - zero_ms
    )
}

fn lines(state: &AgentState) -> Vec<String> {
    let zero_ms = state.entries[0].at_ms;
    spans(state).iter().map(|span| line(span, zero_ms)).collect()
}

#[test]
fn a_run_is_its_steps_and_their_calls() {
    assert_eq!(
        lines(&a_run()),
        [
            "0 invoke_agent 0-9500",
            "1 chat pocket 0-2100",
            "1 execute_tool read 2100-2400",
            "1 execute_tool read 2100-2200",
            "1 execute_tool write 2400-2700",
            "1 approve delete 2700-8700",
            "1 execute_tool delete 8700-8900",
            "1 execute_tool nothing 2100-2100 !tool_refused",
            "2 chat pocket 8900-9500",
        ]
    );
    let all = spans(&a_run());
    let retries: Vec<_> = all[1].events.iter().map(|event| (event.at_ms, event.what.clone())).collect();
    assert!(
        matches!(&retries[..], [(1_100, Happening::Retry(first)), (1_800, Happening::Retry(second))]
            if first.after_ms == 500 && second.attempt == 3 && second.kind == FailureKind::Overloaded),
        "{retries:?}"
    );
    assert!(matches!(
        &all[0].work,
        Work::Run { usage: Usage { input_tokens: 250, output_tokens: 25, cached_input_tokens: 8, .. }, .. }
    ));
    assert!(matches!(&all[5].work, Work::Approval { decision: Decision::Approved, .. }));
    assert!(all.iter().skip(1).all(|span| span.parent_id.as_ref() == Some(&all[0].span_id)));
}

#[test]
fn a_run_that_is_open_or_broken_off_shows_how_far_it_came() {
    let asked = |state: &AgentState| {
        at(
            state.clone(),
            [
                (1_000, user(1)),
                (1_100, call(0, "w", "write", "{}")),
                (1_100, call(1, "d", "delete", "{}")),
                (1_200, done(StopReason::ToolCalls)),
            ],
        )
    };
    // A write runs; what comes after it has not begun.
    let writing = asked(&fresh());
    assert_eq!(
        lines(&writing),
        ["0 invoke_agent 0-200 …", "1 chat pocket 0-200", "1 execute_tool write 200-200 …"]
    );
    // The person is asked, and nobody answers.
    let waiting = at(writing.clone(), [(1_500, result("run_1:w", "written"))]);
    assert_eq!(lines(&waiting)[3], "1 approve delete 500-500 …");
    let cancelled = at(waiting.clone(), [(7_000, Input::Cancel)]);
    assert_eq!(lines(&cancelled)[3], "1 approve delete 500-6000");
    let declined = at(waiting, [(5_000, Input::Deny(CallId("d".into()))), (6_000, Input::Cancel)]);
    assert_eq!(
        lines(&declined)[3..],
        ["1 approve delete 500-4000", "2 chat pocket 4000-5000 !cancelled"],
        "what was declined never ran"
    );
    let while_writing = at(writing, [(2_000, Input::Cancel)]);
    assert_eq!(
        lines(&while_writing)[2..],
        ["1 execute_tool write 200-1000 !cancelled", "1 execute_tool delete 1000-1000 !not_run"]
    );
    let failed = at(
        fresh(),
        [(1_000, user(1)), (1_400, Input::ModelFailed(Failure::new(FailureKind::RateLimited, "Later.")))],
    );
    assert_eq!(lines(&failed), ["0 invoke_agent 0-400 !rate_limited", "1 chat pocket 0-400 !rate_limited"]);
}

#[test]
fn a_question_is_a_wait_for_the_person() {
    let mut state = fresh();
    state.config.own_tools.questions = true;
    let ask = r#"{"questions": [{"question": "How many?", "type": "text"}]}"#;
    let reply = serde_json::json!({"q1": "two"});
    let state = at(
        state,
        [
            (1_000, user(1)),
            (1_100, call(0, "q", "ask_person", ask)),
            (1_100, call(1, "w", "write", "{}")),
            (1_200, done(StopReason::ToolCalls)),
            (4_200, Input::Answer { call_id: CallId("q".into()), reply }),
            (4_300, result("run_1:w", "written")),
        ],
    );
    assert_eq!(
        lines(&state),
        [
            "0 invoke_agent 0-3300 …", "1 chat pocket 0-200", "1 ask ask_person 200-3200",
            "1 execute_tool write 3200-3300",
        ]
    );
    assert!(matches!(
        &spans(&state)[2].work,
        Work::Approval { decision: Decision::Answered, result: Some(result), .. } if result.content.contains("two")
    ));
}

/// The spans of a run are the same when the rest of the conversation is not looked at.
#[test]
fn a_run_is_traced_alone() {
    let both = at(a_run(), [(20_000, user(2)), (20_100, text("Hi.")), (20_200, done(StopReason::Stop))]);
    let of =
        |run: &str| -> Vec<Entry> { both.log().filter(|entry| entry.run_id.0 == run).cloned().collect() };
    let (first, second) = (of("run_1"), of("run_2"));
    let mut alone = spans_of("conv_1", &first);
    alone.extend(spans_of("conv_1", &second));
    assert_eq!(alone, spans(&both));
}

/// Every value that `ours` says is in `theirs` too.
fn is_said(ours: &Value, theirs: &Value, path: &str) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (key, value) in ours {
                let path = format!("{path}.{key}");
                is_said(value, theirs.get(key).unwrap_or_else(|| panic!("{path} is no field")), &path);
            }
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            assert_eq!(ours.len(), theirs.len(), "{path}");
            ours.iter()
                .zip(theirs)
                .enumerate()
                .for_each(|(at, (a, b))| is_said(a, b, &format!("{path}[{at}]")));
        }
        (ours, theirs) => assert_eq!(ours, theirs, "{path}"),
    }
}

#[test]
fn the_export_is_what_the_protocol_says() {
    let mut state = a_run();
    state.id = "chat_7".into();
    let spans = spans(&state);
    let text = otlp_json(&spans, "satchel", "1.2.3");
    let ours: Value = serde_json::from_str(&text).unwrap();
    let read: ExportTraceServiceRequest = serde_json::from_str(&text).unwrap();
    // A field they do not know would be passed over, so what they read is compared with what we said.
    is_said(&ours, &serde_json::to_value(&read).unwrap(), "$");
    let theirs = &read.resource_spans[0].scope_spans[0].spans;
    assert_eq!(theirs.len(), spans.len());
    for (ours, theirs) in spans.iter().zip(theirs) {
        assert_eq!((theirs.trace_id.len(), theirs.span_id.len()), (16, 8));
        assert!(theirs.parent_span_id.len() == 8 || ours.step == 0);
        assert_eq!(theirs.start_time_unix_nano, ours.start_ms as u64 * 1_000_000);
        assert_eq!(theirs.end_time_unix_nano, ours.end_ms as u64 * 1_000_000);
        assert_eq!(theirs.status.as_ref().unwrap().code == 2, ours.error.is_some());
    }
    let ids: std::collections::BTreeSet<_> = theirs.iter().map(|span| &span.span_id).collect();
    assert_eq!(ids.len(), theirs.len(), "every span has an id of its own");
    let said = theirs.iter().flat_map(|span| &span.events).map(|event| event.name.as_str());
    assert_eq!(said.collect::<Vec<_>>(), ["satchel.approval", "satchel.retry", "satchel.retry"]);
    for content in ["message 1", "Done.", "written", "gone", "two"] {
        assert!(!text.contains(content), "{content:?} is content");
    }
    insta::assert_snapshot!(text);
}

/// However a run ends, its export says nothing of what it was about: not what it had done by then, not what is under way, not
/// what the provider said of the request.
#[test]
fn no_ending_brings_content_into_the_export() {
    let insulin = || {
        let Input::ToolDone { key, mut result } = result("run_1:w", "Added \"Buy insulin for Anna\".") else {
            unreachable!()
        };
        result.structured = Some(serde_json::json!({"summary": "Added \"Buy insulin for Anna\"."}));
        Input::ToolDone { key, result }
    };
    let mut state = fresh();
    state.tools = tools()
        .into_iter()
        .map(|tool| protocol::ToolSpec { title: "Insulin for Anna".into(), ..tool }.into())
        .collect();
    let arguments = r#"{"title":"Buy insulin for Anna"}"#;
    let said = Input::User { text: "Buy insulin for Anna".into(), images: vec![], start: start(1) };
    let begun = at(
        state,
        [
            (1_000, said),
            (1_100, call(0, "w", "write", arguments)),
            (1_200, done(StopReason::ToolCalls)),
            (1_300, insulin()),
        ],
    );
    let same = |step: i64| {
        [
            (2_000 + step, call(0, "", "read", arguments)),
            (2_001 + step, done(StopReason::ToolCalls)),
            (
                2_002 + step,
                Input::ToolDone {
                    key: format!("run_1:call_{}_0", step / 10 + 2).parse().unwrap(),
                    result: result_of("insulin"),
                },
            ),
        ]
    };
    let limited = at(begun.clone(), (0..4).flat_map(|n| same(n * 10)));
    let late = at(begun.clone(), [(9_000_000, Input::Tick)]);
    let cancelled = at(begun.clone(), [(2_000, text("I added insulin for Anna")), (2_100, Input::Cancel)]);
    let writing = [
        (2_000, call(0, "w2", "write", arguments)),
        (2_100, done(StopReason::ToolCalls)),
        (2_200, Input::Cancel),
    ];
    let under_way = at(begun.clone(), writing);
    let failure = Failure::new(FailureKind::Validation, "400: {\"messages\": [\"Buy insulin for Anna\"]}");
    let failed = at(begun.clone(), [(2_000, text("Insulin")), (2_100, Input::ModelFailed(failure.clone()))]);
    let retrying = ModelEvent::Retrying { attempt: 2, after_ms: 5, failure: failure.clone() };
    let retried = at(begun, [(2_000, Input::Model(retrying)), (2_100, Input::LogFailed(failure))]);
    let ends = [
        (limited, "limited", "identical_calls"),
        (late, "limited", "wall_clock"),
        (cancelled, "cancelled", "cancelled"),
        (under_way, "cancelled", "cancelled"),
        (failed, "failed", "validation"),
        (retried, "failed", "validation"),
    ];
    for (state, ending, class) in ends {
        let (_, note) = state.ending().unwrap();
        assert!(note.to_lowercase().contains("insulin"), "the person is told: {note}");
        let text = otlp_json(&spans(&state), "satchel", "1.2.3");
        for content in ["insulin", "anna"] {
            assert!(!text.to_lowercase().contains(content), "{ending}: {text}");
        }
        assert!(text.contains(&format!("\"stringValue\": \"{ending}\"")), "{text}");
        assert!(text.contains(&format!("\"message\": \"{class}\"")), "{text}");
    }
}

fn result_of(content: &str) -> ToolResult {
    ToolResult {
        call_id: CallId("whatever".into()),
        name: "read".into(),
        is_error: false,
        content: content.into(),
        structured: None,
    }
}

#[test]
fn a_retry_is_in_the_file_and_comes_out_of_a_replay_again() {
    let state = a_run();
    let file = RunFile::from_json(&file_of(&state).to_json().unwrap()).unwrap();
    let retries = file.entries.iter().find_map(|entry| match &entry.body {
        EntryBody::Response { retries, .. } => Some(retries.len()),
        _ => None,
    });
    assert_eq!(retries, Some(2));
    let mut replay = Replay::new(&file);
    while replay.advance().unwrap() {}
    assert_eq!(spans_of("x", replay.state().log()), spans_of("x", &file.entries));
}

fn tally(conversations: &[(AgentState, BTreeMap<RunId, Rating>)], since_ms: i64) -> Tally {
    let mut tally = Tally::default();
    for (state, ratings) in conversations {
        tally.add(state.log().cloned().collect(), ratings, since_ms);
    }
    tally
}

#[test]
fn conversations_come_to_eight_numbers() {
    let quick = |n, from_ms| {
        [(from_ms, user(n)), (from_ms + 100, used(10, 1)), (from_ms + 200, done(StopReason::Stop))]
    };
    // The first turn of the second conversation is answered at the second attempt; the run of the third was stopped.
    let second = at(
        fresh(),
        [
            (30_000, user(3)),
            (30_300, Input::ModelFailed(Failure::new(FailureKind::Overloaded, "Busy."))),
            (40_000, Input::Retry { start: start(4) }),
            (40_500, used(30, 3)),
            (40_700, done(StopReason::Stop)),
        ],
    );
    let third = at(fresh(), [(50_000, user(5)), (51_000, Input::Cancel)]);
    let all = [
        (
            at(a_run(), quick(2, 20_000)),
            BTreeMap::from([(RunId("run_1".into()), Rating::Good), (RunId("run_2".into()), Rating::Bad)]),
        ),
        (second, BTreeMap::from([(RunId("run_4".into()), Rating::Good)])),
        (third, BTreeMap::new()),
    ];
    let metrics = tally(&all, 0).metrics();
    assert_eq!(metrics.turns, Spread::of(&[2, 1, 1]));
    assert_eq!(metrics.tool_calls, Spread::of(&[5, 0, 0]));
    // 9,500 ms less the 6,000 the person thought; the failed attempt counts, the pause before the second does not.
    assert_eq!(metrics.response_ms, Spread::of(&[3_500, 200, 300 + 700]));
    assert_eq!(metrics.tokens, Spread::of(&[100 + 20 + 150 + 5 + 11, 33, 0]));
    assert_eq!(metrics.satisfaction, Satisfaction { good: 2, bad: 1 });
    assert_eq!(metrics.iterations, Spread::of(&[2, 1, 0, 1, 0]));
    assert_eq!(metrics.left_by_folds.count, 0);
    // Only what began since then: half of the first conversation, all of the others.
    let later = tally(&all, 15_000).metrics();
    assert_eq!(later.turns, Spread::of(&[1, 1, 1]));
    assert_eq!(later.tool_calls.most, 0);
    assert_eq!(later.satisfaction, Satisfaction { good: 1, bad: 1 });
    assert_eq!(tally(&all, 60_000).metrics(), Tally::default().metrics());
}

#[test]
fn a_router_is_wrong_where_another_model_had_to_answer() {
    let small = protocol::Routed { role: protocol::Role::Small, why: protocol::Why::Lookup };
    let with = |mut state: AgentState, model: &str, routed| {
        state.config.model = model.into();
        state.config.routed = routed;
        state
    };
    let asked = |n, from_ms| [(from_ms, user(n)), (from_ms + 100, done(StopReason::Stop))];
    // A choice that stood; one that broke in the middle, and the person had a larger model try again.
    let state = at(with(fresh(), "small", Some(small)), asked(1, 1_000));
    let cut = [
        (2_000, user(2)),
        (2_100, call(0, "r", "read", "{}")),
        (2_100, done(StopReason::ToolCalls)),
        (2_200, Input::Cancel),
    ];
    let broken = at(state, cut);
    let again = |state, from_ms| {
        at(state, [(from_ms, Input::Retry { start: start(3) }), (from_ms + 100, done(StopReason::Stop))])
    };
    let routing = |state: AgentState| tally(&[(state, BTreeMap::new())], 0).metrics().routing;
    assert_eq!(
        routing(again(with(broken.clone(), "large", None), 3_000)),
        Routing { routed: 2, corrected: 1 }
    );
    // The same model again is no correction, and neither is another one for the next message.
    assert_eq!(routing(again(broken.clone(), 3_000)), Routing { routed: 3, corrected: 0 });
    let next = at(with(broken, "large", None), asked(4, 4_000));
    assert_eq!(routing(next), Routing { routed: 2, corrected: 0 });
    assert_eq!(routing(a_run()), Routing::default());
}

#[test]
fn what_folds_leave_is_counted() {
    let mut state = a_run();
    let summary = serde_json::from_value(serde_json::json!({})).unwrap();
    let compaction = crate::Compaction {
        from: 1,
        results_from: 1,
        summary,
        tokens_before: 8_000,
        tokens_after: 2_000,
        asked: true,
    };
    state = at(state, [(20_000, Input::Compacted(compaction))]);
    let metrics = tally(&[(state.clone(), BTreeMap::new())], 0).metrics();
    assert_eq!((metrics.left_by_folds.count, metrics.left_by_folds.p50), (1, 25));
    let events = spans(&state)[0].events.clone();
    assert!(matches!(
        events.last().unwrap().what,
        Happening::Compaction { tokens_before: 8_000, tokens_after: 2_000 }
    ));
}

#[test]
fn percentiles_are_the_nearest_rank() {
    let hundred: Vec<u64> = (1..=100).rev().collect();
    let spread = Spread::of(&hundred);
    assert_eq!((spread.count, spread.p50, spread.p95, spread.most), (100, 50, 95, 100));
    assert!((spread.mean - 50.5).abs() < 1e-9);
    assert_eq!(Spread::of(&[7]), Spread { count: 1, mean: 7.0, p50: 7, p95: 7, most: 7 });
    assert_eq!(Spread::of(&[]), Spread::default());
}

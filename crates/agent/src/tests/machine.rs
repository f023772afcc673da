//! Single rules of the machine that a transcript does not show.

use std::sync::Arc;

use protocol::{Failure, FailureKind, Message, ModelEvent, StopReason};

use super::*;
use crate::{
    CallStatus, ContinueError, Ending, EntryBody, Guard, ItemBody, Limits, Status, continue_conversation,
    resume, view, window,
};

#[test]
fn every_decision_is_saved_before_it_is_acted_on() {
    let inputs =
        [user(1), call(0, "c1", "write", "{}"), done(StopReason::ToolCalls), result("run_1:c1", "ok")];
    let (_, effects) = play(fresh(), inputs);
    assert_eq!(kinds(&effects), ["save 0", "model 1", "save 1", "tool run_1:c1", "save 2", "model 2"]);
}

/// Some providers refuse a conversation whose calls come back without the thought behind them.
#[test]
fn the_next_request_has_the_thought_behind_each_call() {
    let thought = Input::Model(ModelEvent::ThoughtDelta { text: "I have to look.".into() });
    let run = [user(1), thought, call(0, "c1", "read", "{}"), done(StopReason::ToolCalls)];
    let inputs =
        run.into_iter().chain([result("run_1:c1", "ok"), text("Hi"), done(StopReason::Stop), user(2)]);
    let (state, effects) = play(fresh(), inputs);
    for effect in effects
        .iter()
        .filter(|effect| matches!(effect, Effect::CallModel(request) if request.messages.len() > 2))
    {
        let Effect::CallModel(request) = effect else { continue };
        assert!(
            matches!(&*request.messages[2], Message::Assistant { thought, .. } if thought == "I have to look.")
        );
    }
    let rebuilt = AgentState::from_entries("conv_1", config(), state.log().cloned()).with_tools(tools());
    let has_thought = |message: &Arc<Message>| matches!(&**message, Message::Assistant { thought, .. } if thought == "I have to look.");
    assert!(window(&rebuilt).iter().any(has_thought));
}

/// After a start nobody knows yet where a call goes: to answer it with "there is no such tool" would be wrong of one that may
/// have been done, and to take what it brings for a stranger's words would taint the conversation for good.
#[test]
fn a_run_that_goes_on_makes_its_calls_once_the_tools_are_known() {
    let inputs = [user(1), call(0, "c1", "write", "{}"), done(StopReason::ToolCalls)];
    let (open, _) = play(fresh(), inputs);
    let rebuilt = || AgentState::from_entries("conv_1", config(), open.log().cloned()).awaiting_tools();
    let (resumed, effects) = play(rebuilt(), [Input::Resume]);
    assert!(!kinds(&effects).iter().any(|kind| kind.starts_with("tool")), "{effects:?}");
    let (known, effects) = play(resumed.clone(), [Input::Tools(Ok(tools()))]);
    assert_eq!(kinds(&effects), ["tool run_1:c1"]);
    let (state, _) = play(known, [result("run_1:c1", "ok")]);
    let is_outside = |entry: &crate::Entry| matches!(entry.body, EntryBody::Result { outside: true, .. });
    assert!(!state.log().any(is_outside), "{state:?}");
    // Without any list there is nothing to go on with, and that is said.
    let failure = Failure::new(FailureKind::RetryableNetwork, "The tools are not there.");
    let (failed, _) = play(resumed, [Input::Tools(Err(failure))]);
    assert!(matches!(failed.status, Status::Failed { .. }), "{:?}", failed.status);
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let quiet = [
        text("too early"),
        Input::ModelEnded,
        Input::Cancel,
        Input::Resume,
        Input::Tick,
        Input::Retry { start: start(9) },
        result("run_1:c1", "nobody asked"),
        Input::Approve(CallId("c1".into())),
    ];
    assert_eq!(play(fresh(), quiet.clone()), (fresh(), vec![]));

    let (complete, _) = play(fresh(), [user(1), text("Hi"), done(StopReason::Stop)]);
    assert_eq!(play(complete.clone(), quiet), (complete, vec![]));
}

#[test]
fn a_message_sent_twice_is_one_message() {
    let (once, _) = play(fresh(), [user(1), text("Hi"), done(StopReason::Stop)]);
    let (twice, effects) = play(once.clone(), [user(1)]);
    assert_eq!((twice, effects), (once, vec![]));
}

#[test]
fn a_message_waits_for_the_open_run() {
    let (open, _) = play(fresh(), [user(1)]);
    assert_eq!(play(open.clone(), [user(2)]), (open.clone(), vec![]));
    let refused = continue_conversation(open.clone(), "more", start(2), Stamp { now_ms: 5000 });
    assert_eq!(refused, Err(ContinueError::Incomplete));

    let (failed, _) = play(open, [Input::ModelFailed(Failure::new(FailureKind::Overloaded, "Busy."))]);
    let (state, effects) = continue_conversation(failed, "more", start(2), Stamp { now_ms: 5000 }).unwrap();
    assert_eq!(state.status, Status::Streaming);
    assert_eq!(kinds(&effects), ["save 2", "model 1"]);
    assert_eq!(state.initial_query(), Some("message 1"));
}

#[test]
fn a_result_counts_once_and_belongs_to_its_call() {
    let (state, _) = play(
        fresh(),
        [
            user(1),
            call(0, "c1", "read", "{}"),
            call(1, "c2", "read", r#"{"a":1}"#),
            done(StopReason::ToolCalls),
            result("run_1:c1", "first"),
            result("run_1:c1", "again"),
            result("run_0:c2", "of another run"),
        ],
    );
    let run = state.run.as_ref().unwrap();
    let first = run.calls[0].result.as_ref().unwrap();
    assert_eq!(
        (first.call_id.0.as_str(), first.name.as_str(), first.content.as_str()),
        ("c1", "read", "first")
    );
    assert_eq!(run.calls[1].status, CallStatus::Running);
}

#[test]
fn resume_asks_again_under_the_same_key() {
    let (open, _) = play(
        fresh(),
        [
            user(1),
            call(0, "c1", "write", "{}"),
            call(1, "c2", "delete", "{}"),
            call(2, "c3", "delete", r#"{"a":1}"#),
            done(StopReason::ToolCalls),
        ],
    );
    let rebuild = |state: &AgentState| {
        AgentState::from_entries("conv_1", config(), state.entries.iter().cloned()).with_tools(tools())
    };
    let (_, effects) = resume(rebuild(&open), Stamp { now_ms: 9_000_000 });
    assert_eq!(kinds(&effects), ["save 2", "tool run_1:c1"]);

    let (asking, effects) = play(open, [result("run_1:c1", "ok")]);
    assert_eq!(kinds(&effects), ["save 2", "ask run_1:c2", "ask run_1:c3"]);
    assert_eq!(asking.status, Status::AwaitingApproval);
    let (back, effects) = resume(rebuild(&asking), Stamp { now_ms: 9_000_000 });
    assert_eq!(kinds(&effects), ["save 3", "ask run_1:c2", "ask run_1:c3"]);
    assert_eq!(back.awaiting().count(), 2);

    let (streaming, _) = play(fresh(), [user(1), text("half")]);
    let (back, effects) = resume(rebuild(&streaming), Stamp { now_ms: 9_000_000 });
    assert_eq!(kinds(&effects), ["save 1", "model 1"]);
    assert_eq!(back.live.text, "");
}

#[test]
fn the_wall_clock_stands_still_for_a_person_and_for_absence() {
    let (state, _) = play(fresh(), [user(1)]);
    assert_eq!(state.deadline_ms(), Some(121_000));
    let (state, _) = resume(state, Stamp { now_ms: 501_000 });
    assert_eq!(state.deadline_ms(), Some(621_000));

    let (state, _) = step(state, call(0, "c1", "delete", "{}"), Stamp { now_ms: 502_000 });
    let (state, _) = step(state, done(StopReason::ToolCalls), Stamp { now_ms: 502_000 });
    assert_eq!(state.deadline_ms(), None);
    let (state, _) = step(state, Input::Tick, Stamp { now_ms: 99_000_000 });
    assert_eq!(state.status, Status::AwaitingApproval);
    let (state, _) = step(state, Input::Approve(CallId("c1".into())), Stamp { now_ms: 1_502_000 });
    assert_eq!(state.deadline_ms(), Some(1_621_000));
    let (state, _) = step(state, Input::Tick, Stamp { now_ms: 1_620_999 });
    assert_eq!(state.status, Status::RunningTools);
    let (state, _) = step(state, Input::Tick, Stamp { now_ms: 1_621_000 });
    assert_eq!(state.status, Status::Limited { guard: Guard::WallClock });
}

#[test]
fn limits_that_are_never_reached_are_off() {
    let limits = Limits {
        max_steps: u32::MAX,
        max_tool_calls: u32::MAX,
        max_run_ms: u64::MAX,
        max_identical_calls: 0,
        max_alternations: 0,
        max_stale_steps: u32::MAX,
        max_stale_plans: u32::MAX,
        max_run_tokens: None,
        min_confidence: None,
    };
    let mut state = AgentState::new("conv_1", AgentConfig { limits, ..config() }, tools());
    (state, _) = play(state, [user(1)]);
    for n in 0..60 {
        let id = format!("c{n}");
        let inputs = [
            call(0, &id, "read", "{}"),
            done(StopReason::ToolCalls),
            result(&format!("run_1:{id}"), "the same"),
        ];
        (state, _) = play(state, inputs);
    }
    assert_eq!(state.status, Status::Streaming);
    assert_eq!(state.run.as_ref().unwrap().steps, 60);
}

#[test]
fn a_log_that_fails_is_said_and_nothing_after_it_is_lost_from_the_state() {
    let (open, _) = play(fresh(), [user(1), call(0, "c1", "write", "{}"), done(StopReason::ToolCalls)]);
    let full = Failure::new(FailureKind::Validation, "The disk is full.");
    let (failed, effects) = play(open, [Input::LogFailed(full.clone())]);
    assert_eq!(failed.live.unsaved, Some(full.clone()));
    assert_eq!(failed.status, Status::Failed { failure: full });
    assert_eq!(kinds(&effects), ["save 2"]);
    let (next, _) = play(failed, [user(2)]);
    assert_eq!(next.live.unsaved, None);
}

/// The request that was to follow what could not be saved was never made: nobody is told that a model failed.
#[test]
fn a_log_that_fails_before_a_request_is_no_failure_of_the_model() {
    let full = || Input::LogFailed(Failure::new(FailureKind::RetryableNetwork, "The disk is full."));
    let called =
        [user(1), call(0, "c1", "write", "{}"), done(StopReason::ToolCalls), result("run_1:c1", "ok")];
    let (state, _) = play(fresh(), called.into_iter().chain([full()]));
    let last = state.log().next_back().unwrap();
    assert!(
        matches!(&last.body, EntryBody::Ended { ending: Ending::Failed { .. }, partial: None, .. }),
        "{last:?}"
    );
    let (state, _) = play(fresh(), [user(1), text("Half an"), full()]);
    let last = state.log().next_back().unwrap();
    assert!(
        matches!(&last.body, EntryBody::Ended { partial: Some(partial), .. } if partial.text == "Half an")
    );
}

#[test]
fn an_ending_answers_every_open_call_in_the_same_entry() {
    let (state, _) = play(
        fresh(),
        [
            user(1),
            call(0, "c1", "write", "{}"),
            call(1, "c2", "write", "{}"),
            done(StopReason::ToolCalls),
            Input::Cancel,
        ],
    );
    let EntryBody::Ended { ending, repairs, .. } = &state.entries.last().unwrap().body else {
        panic!("the last entry is the ending");
    };
    assert_eq!(*ending, Ending::Cancelled);
    let ids: Vec<&str> = repairs.iter().map(|repair| repair.call_id.0.as_str()).collect();
    assert_eq!(ids, ["c1", "c2"]);
    assert!(state.run.unwrap().calls.iter().all(|record| record.status == CallStatus::Failed));
}

#[test]
fn a_log_that_lost_results_still_gives_a_conversation_providers_accept() {
    let (state, _) = play(
        fresh(),
        [
            user(1),
            call(0, "c1", "write", "{}"),
            done(StopReason::ToolCalls),
            result("run_1:c1", "ok"),
            text("Done."),
            done(StopReason::Stop),
            user(2),
        ],
    );
    let damaged =
        state.entries.iter().filter(|entry| !matches!(entry.body, EntryBody::Result { .. })).cloned();
    let rebuilt = AgentState::from_entries("conv_1", config(), damaged);
    let tool =
        window(&rebuilt).into_iter().find(|message| matches!(**message, Message::Tool { .. })).unwrap();
    let Message::Tool { call_id, content, is_error, .. } = &*tool else { unreachable!() };
    assert_eq!((call_id.0.as_str(), *is_error), ("c1", true));
    assert!(content.contains("may or may not have been done"), "{content}");
}

#[test]
fn text_of_an_attempt_that_broke_off_is_kept_when_no_later_one_brings_more() {
    let broke = || Failure::new(FailureKind::RetryableNetwork, "It broke.");
    let again = || Input::Model(ModelEvent::Retrying { attempt: 2, after_ms: 5, failure: broke() });
    let kept = |inputs: Vec<Input>| {
        let (state, _) = play(fresh(), [vec![user(1)], inputs].concat());
        match &state.entries.last().unwrap().body {
            EntryBody::Ended { partial, .. } => partial.as_ref().unwrap().text.clone(),
            other => panic!("{other:?}"),
        }
    };
    let failed = || Input::ModelFailed(broke());
    assert_eq!(kept(vec![text("A long beginning"), again(), failed()]), "A long beginning");
    assert_eq!(
        kept(vec![text("A long beginning"), again(), text("A sh"), again(), Input::Cancel]),
        "A long beginning"
    );
    assert_eq!(kept(vec![text("A"), again(), text("A longer one"), failed()]), "A longer one");
    let (state, _) = play(fresh(), [user(1), text("Void"), again(), text("Hi"), done(StopReason::Stop)]);
    assert_eq!(state.answer(), Some("Hi"));
    // It stays on the screen until the next attempt says something.
    for (inputs, expected) in
        [(vec![text("Void"), again()], "Void"), (vec![text("Void"), again(), text("H")], "H")]
    {
        let (state, _) = play(fresh(), [vec![user(1)], inputs].concat());
        let last = view(&state).pop().unwrap().body;
        assert!(matches!(&last, ItemBody::Assistant { text, .. } if text == expected), "{last:?}");
    }
}

#[test]
fn an_answer_says_which_model_gave_it_whatever_is_chosen_since() {
    let with = |mut state: AgentState, model: &str| {
        state.config.model = model.into();
        state
    };
    let (state, _) = play(with(fresh(), "pocket"), [user(1), text("Hi"), done(StopReason::Stop)]);
    let (state, _) = play(with(state, "large"), [user(2), text("Hel")]);
    let model = |item: crate::Item| match item.body {
        ItemBody::Assistant { model, .. } => Some(model),
        _ => None,
    };
    assert_eq!(view(&state).into_iter().filter_map(model).collect::<Vec<_>>(), ["pocket", "large"]);
}

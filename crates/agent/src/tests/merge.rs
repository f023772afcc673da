//! Branches of a conversation: forked, gone on with, merged again (S3-32, S3-33).

use protocol::StopReason;

use protocol::Message;

use super::{call, done, fresh, play, result, start, text, user};
use crate::{AgentState, Conflict, EvidencePolicy, Input, Rule, Stamp, Status, step, view, window};

/// A conversation with one more run of one answer.
fn with_run(state: &AgentState, n: u32, answer: &str) -> AgentState {
    play(state.clone(), [user(n), text(answer), done(StopReason::Stop)]).0
}

fn answers(state: &AgentState) -> String {
    window(state).iter().map(|message| format!("{message:?}\n")).collect()
}

#[test]
fn what_only_one_branch_did_is_in_both_afterwards() {
    let base = with_run(&fresh(), 1, "one");
    let left = with_run(&base.fork("left"), 2, "two");
    let right = with_run(&with_run(&base.fork("right"), 3, "three"), 4, "four");
    let merged = AgentState::merge(&base, &left, &right).unwrap();
    let all = answers(&merged);
    for answer in ["one", "two", "three", "four"] {
        assert!(all.contains(answer), "{answer}: {all}");
    }
    assert_eq!((merged.id.as_str(), merged.tools.len()), ("conv_1", 3));
    assert_eq!(merged.status, Status::Complete);
    let places: Vec<u64> = merged.entries.iter().map(|entry| entry.seq).collect();
    assert_eq!(places, (0..merged.entries.len() as u64).collect::<Vec<_>>());
    // Which branch is whose does not matter, and it can go on.
    let other_way = AgentState::merge(&base, &right, &left).unwrap();
    assert_eq!(merged.entries, other_way.entries);
    assert_eq!(with_run(&merged, 5, "five").status, Status::Complete);
    // With itself and with its ancestor it is what it was.
    assert_eq!(AgentState::merge(&base, &left, &left).unwrap().entries, left.entries);
    assert_eq!(AgentState::merge(&base, &left, &base).unwrap().entries, left.entries);
}

#[test]
fn what_both_did_differently_is_named() {
    let base = with_run(&fresh(), 1, "one");
    let (left, right) = (with_run(&base, 2, "two"), with_run(&base, 2, "another two"));
    let Err(Conflict::Run(run)) = AgentState::merge(&base, &left, &right) else {
        panic!("a run in two ways")
    };
    assert_eq!(run.0, "run_2");

    let (mut left, mut right) = (base.clone(), base.clone());
    left.config.instructions = "Be brief.".into();
    right.config.instructions = "Be long.".into();
    let named = Conflict::Setting("instructions".into());
    assert_eq!(AgentState::merge(&base, &left, &right), Err(named.clone()));
    assert!(named.to_string().contains("instructions"));
    // The same change, and changes of different things, are no conflict.
    right.config.instructions = "Be brief.".into();
    right.config.approvals.writes = Rule::Always;
    let merged = AgentState::merge(&base, &left, &right).unwrap();
    assert_eq!(
        (merged.config.instructions.as_str(), merged.config.approvals.writes),
        ("Be brief.", Rule::Always)
    );

    let open = play(base.clone(), [user(2), call(0, "c", "read", "{}"), done(StopReason::ToolCalls)]).0;
    assert_eq!(AgentState::merge(&base, &open, &base), Err(Conflict::Open));
    let stranger = with_run(&fresh(), 9, "nine");
    assert_eq!(AgentState::merge(&base, &base, &stranger), Err(Conflict::NoAncestor));
}

/// A run that reads, and says what is not in what it read.
fn with_call(state: &AgentState, n: u32, id: &str) -> AgentState {
    let answer = format!("There are 7 to-dos [read:{id}], and 99 others.");
    let mut state = state.clone();
    state.config.evidence = EvidencePolicy::Mark;
    let asks = [user(n), call(0, id, "read", "{}"), done(StopReason::ToolCalls)];
    let found = result(&format!("run_{n}:{id}"), r#"{"total": 7}"#);
    play(state, asks.into_iter().chain([found, text(&answer), done(StopReason::Stop)])).0
}

/// Two calls of one id are what no provider takes. The later one gets another, everywhere it is named.
#[test]
fn a_call_id_that_both_branches_have_is_there_once_afterwards() {
    let base = with_run(&fresh(), 1, "one");
    let (left, right) = (with_call(&base, 2, "call_1"), with_call(&base, 3, "call_1"));
    let right = with_run(&right, 4, "As I said [read:call_1].");
    let merged = AgentState::merge(&base, &left, &right).unwrap();
    assert_eq!(merged.entries, AgentState::merge(&base, &right, &left).unwrap().entries);
    let mut ids = Vec::new();
    let mut results = Vec::new();
    for message in window(&merged) {
        match &*message {
            Message::Assistant { tool_calls, .. } => {
                ids.extend(tool_calls.iter().map(|call| call.id.0.clone()))
            }
            Message::Tool { call_id, .. } => results.push(call_id.0.clone()),
            _ => {}
        }
    }
    assert_eq!(ids, ["call_1", "call_1_2"]);
    assert_eq!(results, ids);
    let all = answers(&merged);
    assert!(all.contains("As I said [read:call_1_2]."), "{all}");
    // What was doubted of an answer is still the same words.
    let marked: Vec<String> = view(&merged)
        .iter()
        .filter_map(|item| match &item.body {
            crate::ItemBody::Assistant { text, doubts, .. } => {
                Some(doubts.iter().map(|doubt| text[doubt.start..doubt.end].to_owned()).collect::<Vec<_>>())
            }
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(marked, ["99 others", "99 others"]);
}

/// A run that tries another one again stays behind it, whatever the other branch said in the meantime.
#[test]
fn a_run_tried_again_stays_with_its_message() {
    let failed = |state: &AgentState, n: u32| play(state.clone(), [user(n), Input::Cancel]).0;
    let again = |state: &AgentState, now_ms: i64, n: u32, answer: &str| {
        let inputs = [Input::Retry { start: start(n) }, text(answer), done(StopReason::Stop)];
        inputs.into_iter().fold(state.clone(), |state, input| step(state, input, Stamp { now_ms }).0)
    };
    let spoken = |state: &AgentState| -> Vec<String> {
        let of = |message: &Message| match message {
            Message::User { content, .. } | Message::Assistant { content, .. } => Some(content.clone()),
            _ => None,
        };
        window(state).iter().filter_map(|message| of(message)).collect()
    };
    // The retry is later than the other branch's message, once of the ancestor's run and once of a new one.
    let base = failed(&fresh(), 1);
    let right = with_run(&base, 2, "two");
    let left = again(&base, 50_000, 3, "one");
    let merged = AgentState::merge(&base, &left, &right).unwrap();
    assert_eq!(spoken(&merged), ["message 1", "one", "message 2", "two"]);

    let base = with_run(&fresh(), 1, "one");
    let right = with_run(&base, 3, "three");
    let left = again(&failed(&base, 2), 50_000, 4, "two");
    let merged = AgentState::merge(&base, &left, &right).unwrap();
    assert_eq!(spoken(&merged), ["message 1", "one", "message 2", "two", "message 3", "three"]);
}

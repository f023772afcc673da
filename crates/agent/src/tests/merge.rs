//! Branches of a conversation: forked, gone on with, merged again (S3-32, S3-33).

use protocol::StopReason;

use super::{call, done, fresh, play, text, user};
use crate::{AgentState, Conflict, Rule, Status, window};

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

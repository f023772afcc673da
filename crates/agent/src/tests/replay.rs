//! A saved conversation played again gives the same, and the first place where it does not is found.

use protocol::StopReason;
use serde_json::{Value, json};

use super::*;
use crate::{Difference, Ending, EntryBody, LoadError, Replay, RunFile, ToolHead};

/// The conversation as a file.
pub fn file_of(state: &AgentState) -> RunFile {
    RunFile {
        title: "Milk".into(),
        app: "1.2.3".into(),
        saved_at_ms: 5,
        limits: state.config.limits.clone(),
        tools: tools().iter().map(ToolHead::of).collect(),
        entries: state.log().cloned().collect(),
    }
}

/// Plays a file to its end.
pub fn replay(file: &RunFile) -> Result<AgentState, Box<Difference>> {
    let mut replay = Replay::new(file);
    while replay.advance()? {}
    let (played, all) = replay.progress();
    assert_eq!(played, all);
    Ok(replay.state().clone())
}

/// A run with a refused, an estimated, a denied and an approved call, then one that was cut.
fn lively() -> AgentState {
    let mut state = fresh();
    state.config.approvals.writes = crate::Rule::Above(2);
    let (state, _) = play(
        state,
        [
            user(1),
            text("Let me see."),
            call(0, "c1", "read", "{}"),
            call(1, "c2", "write", "{\"a\":1}"),
            call(2, "", "delete", "{}"),
            call(3, "c4", "delete", "{\"a\":2}"),
            call(4, "c5", "nothing", "["),
            done(StopReason::ToolCalls),
            result("run_1:c1", "[]"),
            Input::ImpactEstimated { key: "run_1:c2".parse().unwrap(), count: Some(1) },
            Input::Resume,
            result("run_1:c2", "written"),
            Input::Deny(CallId("call_1_2".into())),
            Input::Allow(CallId("c4".into())),
            result("run_1:c4", "gone"),
            text("Done."),
            done(StopReason::Stop),
            user(2),
            text("Half an ans"),
            Input::ModelEnded,
            Input::Retry { start: start(3) },
            text("Whole."),
            done(StopReason::Length),
        ],
    );
    state
}

#[test]
fn a_replay_gives_the_same() {
    let state = lively();
    let replayed = replay(&file_of(&state)).unwrap();
    assert_eq!(replayed.entries, state.entries);
    assert_eq!(crate::view(&replayed), crate::view(&state));
    assert_eq!(replay(&file_of(&fresh())).unwrap().entries.len(), 0);
}

#[test]
fn the_first_difference_is_found() {
    let file = file_of(&lively());
    let entries = serde_json::to_value(&file.entries).unwrap();
    let place = |word: &str| {
        entries.as_array().unwrap().iter().position(|entry| entry["entry"] == word).expect("there is one")
    };
    let last = file.entries.len() - 1;
    // What is changed in the record, and where the replay notices. What came from outside is taken as it is: another
    // result is noticed where it makes a difference.
    let rows: [(usize, &str, Value, usize); 6] = [
        (place("response"), "/calls/2/plan", json!({"plan": "refuse", "message": "No."}), place("response")),
        (place("response"), "/calls/0/title", json!("Another"), place("response")),
        (place("response"), "/step", json!(7), place("response")),
        (place("decision"), "/call_id", json!("c99"), place("decision")),
        (place("result"), "/result/name", json!("other"), place("result")),
        (last, "/note", json!("All is well."), last),
    ];
    for (at, pointer, value, noticed) in rows {
        let mut changed = entries.clone();
        *changed[at].pointer_mut(pointer).unwrap() = value;
        let changed = RunFile { entries: serde_json::from_value(changed).unwrap(), ..file.clone() };
        assert_eq!(replay(&changed).unwrap_err().at, noticed, "{pointer}");
    }

    // Other limits end the run elsewhere, and the difference says what came instead.
    let mut strict = file;
    strict.limits.max_tool_calls = 2;
    let difference = replay(&strict).unwrap_err();
    assert!(matches!(difference.recorded, Some(EntryBody::Result { .. })), "{difference:?}");
    assert!(
        matches!(&difference.replayed, Some(EntryBody::Ended { ending: Ending::Limited { .. }, .. })),
        "{difference:?}"
    );
}

#[test]
fn a_record_that_lost_its_end_stops_where_it_ends() {
    let mut file = file_of(&lively());
    file.entries.pop();
    // The machine ends the run in the same step; the record has nothing there.
    let difference = replay(&file).unwrap_err();
    assert_eq!((difference.at, difference.recorded), (file.entries.len(), None));
}

#[test]
fn a_run_file_comes_back_equal_and_says_what_it_is() {
    let file = file_of(&lively());
    let text = file.to_json().unwrap();
    assert_eq!(RunFile::from_json(&text).unwrap(), file);
    assert_eq!(RunFile::from_json(&format!("\u{feff}{text}")).unwrap(), file);
    let head: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&head["format"], &head["version"], &head["app"]),
        (&json!("satchel.run"), &json!(1), &json!("1.2.3"))
    );
}

#[test]
fn what_is_no_run_file_is_said() {
    let text = file_of(&lively()).to_json().unwrap();
    let newer = text.replacen("\"version\": 1", "\"version\": 2", 1);
    assert_eq!(RunFile::from_json(&newer), Err(LoadError::Version { found: 2, known: 1 }));
    let holed = text.replacen("\"seq\": 3,", "\"seq\": 4,", 1);
    for bad in
        ["", "{}", "[]", r#"{"format":"satchel.conversation","version":1}"#, &text[..text.len() / 2], &holed]
    {
        assert!(matches!(RunFile::from_json(bad), Err(LoadError::Format(_))), "{bad}");
    }
}

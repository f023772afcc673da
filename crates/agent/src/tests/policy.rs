//! Which calls wait for the person, as rows (D-07, D-17), and what the machine does about one whose impact is estimated.

use protocol::StopReason;
use serde_json::json;

use super::*;
use crate::{Approvals, CallStatus, Disposition, EntryBody, Rule, Status};

fn approvals(destructive: Rule, writes: Rule, tools: &[(&str, Rule)]) -> Approvals {
    let tools = tools.iter().map(|(name, rule)| ((*name).to_owned(), *rule)).collect();
    Approvals { destructive, writes, tools }
}

#[test]
fn a_rule_decides_what_becomes_of_a_call() {
    use Rule::{Above, Always, Never};
    let weigh = |above| Disposition::EstimateImpact { above };
    // The rules, then what becomes of a read, a write and a destructive call.
    let rows = [
        (Approvals::default(), [Disposition::Read, Disposition::Write, Disposition::Ask]),
        (approvals(Always, Above(10), &[]), [Disposition::Read, weigh(10), Disposition::Ask]),
        (approvals(Always, Always, &[]), [Disposition::Read, Disposition::Ask, Disposition::Ask]),
        (approvals(Above(3), Never, &[]), [Disposition::Read, Disposition::Write, weigh(3)]),
        (approvals(Never, Never, &[]), [Disposition::Read, Disposition::Write, Disposition::Write]),
        (
            approvals(Always, Never, &[("delete", Never)]),
            [Disposition::Read, Disposition::Write, Disposition::Write],
        ),
        (
            approvals(Always, Never, &[("delete", Above(0))]),
            [Disposition::Read, Disposition::Write, weigh(0)],
        ),
        (
            approvals(Never, Never, &[("write", Always)]),
            [Disposition::Read, Disposition::Ask, Disposition::Write],
        ),
        // Reading never asks, whatever a rule says about it.
        (
            approvals(Always, Always, &[("read", Always)]),
            [Disposition::Read, Disposition::Ask, Disposition::Ask],
        ),
        (
            approvals(Always, Never, &[("another", Never)]),
            [Disposition::Read, Disposition::Write, Disposition::Ask],
        ),
    ];
    for (approvals, expected) in rows {
        assert_eq!(
            tools().iter().map(|tool| approvals.disposition(tool, false)).collect::<Vec<_>>(),
            expected,
            "{approvals:?}"
        );
    }
}

#[test]
fn a_step_back_is_under_the_rules_for_changes_and_many_ask() {
    use Rule::{Above, Always, Never};
    let weigh = |above| Disposition::EstimateImpact { above };
    let rows = [
        // The terminal's rules, the page's, and what a person may make of them.
        (Approvals::default(), weigh(10)),
        (approvals(Always, Above(4), &[]), weigh(4)),
        (approvals(Above(3), Never, &[]), weigh(3)),
        (approvals(Above(3), Above(7), &[]), weigh(3)),
        (approvals(Above(9), Above(7), &[]), weigh(7)),
        (approvals(Always, Always, &[]), Disposition::Ask),
        (approvals(Never, Always, &[]), Disposition::Ask),
        (approvals(Never, Above(7), &[]), weigh(7)),
        (approvals(Never, Never, &[]), Disposition::Write),
        (approvals(Never, Never, &[("undo", Always), ("redo", Always)]), Disposition::Ask),
        (approvals(Always, Always, &[("undo", Never), ("redo", Never)]), Disposition::Write),
    ];
    for (rules, expected) in rows {
        for name in ["undo", "redo"] {
            let spec = spec(name, false, true);
            assert_eq!(rules.disposition(&spec, false), expected, "{name} {rules:?}");
            // Beside text of strangers it is asked about, however little it is and whatever a rule says.
            assert_eq!(rules.disposition(&spec, true), Disposition::Ask, "{name} {rules:?}");
        }
    }
}

#[test]
fn rules_are_kept_as_plain_words() {
    let kept = json!({"destructive": "always", "writes": {"above": 10}, "tools": {"todo_delete": "never"}});
    let rules = approvals(Rule::Always, Rule::Above(10), &[("todo_delete", Rule::Never)]);
    assert_eq!(serde_json::to_value(&rules).unwrap(), kept);
    assert_eq!(serde_json::from_value::<Approvals>(kept).unwrap(), rules);
    // What an older or a newer version kept is read as far as it is known.
    assert_eq!(serde_json::from_value::<Approvals>(json!({"more": 1})).unwrap(), Approvals::default());
}

/// A run that waits for the size of one write, under a rule of three.
fn weighing() -> (AgentState, Vec<Effect>) {
    let mut state = fresh();
    state.config.approvals.writes = Rule::Above(3);
    play(state, [user(1), call(0, "c1", "write", "{}"), done(StopReason::ToolCalls)])
}

fn weighed(count: Option<u32>) -> Input {
    Input::ImpactEstimated { key: "run_1:c1".parse().unwrap(), count }
}

#[test]
fn the_size_decides_whether_a_call_asks() {
    let (state, effects) = weighing();
    let weighs = matches!(effects.iter().rev().nth(1), Some(Effect::EstimateImpact { key, .. }) if key.to_string() == "run_1:c1");
    assert!(weighs, "{effects:?}");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::CallTool { .. })), "not done to find out");

    let rows = [
        (Some(0), vec!["save 2", "tool run_1:c1"], Status::RunningTools),
        (Some(3), vec!["save 2", "tool run_1:c1"], Status::RunningTools),
        (Some(4), vec!["save 2", "ask run_1:c1"], Status::AwaitingApproval),
        (None, vec!["save 2", "ask run_1:c1"], Status::AwaitingApproval),
    ];
    for (count, expected, status) in rows {
        let (state, effects) = play(state.clone(), [weighed(count)]);
        assert_eq!(
            (kinds(&effects), state.status),
            (expected.iter().map(ToString::to_string).collect(), status)
        );
    }
}

#[test]
fn while_it_is_weighed_nothing_else_counts() {
    let (state, _) = weighing();
    let early = [result("run_1:c1", "too early"), Input::Approve(CallId("c1".into()))];
    assert_eq!(play(state.clone(), early), (state.clone(), vec![]));
    // Estimated once.
    let (running, _) = play(state.clone(), [weighed(Some(1))]);
    assert_eq!(play(running.clone(), [weighed(Some(9))]), (running, vec![]));
    // A run that ends meanwhile says that nothing was done.
    let (ended, _) = play(state, [Input::Cancel]);
    let Some(EntryBody::Ended { note, repairs, .. }) = ended.entries.last().map(|entry| &entry.body) else {
        panic!("the run has ended")
    };
    assert_eq!(note, "Stopped.");
    assert!(repairs[0].content.starts_with("Not run"), "{}", repairs[0].content);
}

#[test]
fn a_rebuilt_run_is_weighed_again() {
    let (state, _) = weighing();
    let mut rebuilt =
        AgentState::from_entries("conv_1", state.config.clone(), state.entries.clone()).with_tools(tools());
    let (resumed, effects) = play(rebuilt.clone(), [Input::Resume]);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::EstimateImpact { .. })));
    assert!(resumed.run.is_some_and(|run| run.calls[0].is_estimating()));
    // One whose impact was estimated before is not.
    let (asks, _) = play(state, [weighed(Some(9))]);
    rebuilt =
        AgentState::from_entries("conv_1", asks.config.clone(), asks.entries.clone()).with_tools(tools());
    let (_, effects) = play(rebuilt, [Input::Resume]);
    assert_eq!(kinds(&effects), ["save 3", "ask run_1:c1"]);
}

#[test]
fn allowing_a_tool_allows_its_calls_from_here_on() {
    let two = [
        user(1),
        call(0, "c1", "delete", "{}"),
        call(1, "c2", "delete", "{\"a\":1}"),
        done(StopReason::ToolCalls),
    ];
    let (state, _) = play(fresh(), two);
    let (state, effects) = play(state, [Input::Allow(CallId("c1".into()))]);
    assert_eq!(kinds(&effects), ["save 2", "save 3", "tool run_1:c1"]);
    let (state, effects) = play(
        state,
        [
            result("run_1:c1", "gone"),
            result("run_1:c2", "gone too"),
            call(0, "c3", "delete", "{\"a\":2}"),
            done(StopReason::ToolCalls),
        ],
    );
    assert_eq!(kinds(&effects).last().unwrap(), "tool run_1:c3", "asked no more");
    assert!(state.run.is_some_and(|run| run.calls[0].status == CallStatus::Running));
    // Nobody asked: nothing is allowed.
    let allow = Input::Allow(CallId("c1".into()));
    assert_eq!(play(fresh(), [allow]), (fresh(), vec![]));
}

#[test]
fn what_reaches_outside_asks_whatever_the_rules_for_ones_own_data_are() {
    let outside = |read_only, destructive, open_world| {
        let spec = spec("x__send", read_only, destructive);
        ToolSpec { hints: Hints { open_world, ..spec.hints }, ..spec }
    };
    let own = |rule: Option<Rule>| {
        let rules: Vec<(&str, Rule)> = rule.map(|rule| ("x__send", rule)).into_iter().collect();
        approvals(Rule::Never, Rule::Never, &rules)
    };
    // Reads, destroys, reaches outside, the tool's own rule, what becomes of it.
    let rows = [
        (true, false, false, None, Disposition::Read),
        (true, false, true, None, Disposition::Read),
        (true, false, true, Some(Rule::Always), Disposition::Ask),
        (true, false, true, Some(Rule::Never), Disposition::Read),
        (false, false, false, None, Disposition::Write),
        (false, true, false, None, Disposition::Write),
        (false, false, true, None, Disposition::Ask),
        (false, true, true, None, Disposition::Ask),
        (false, false, true, Some(Rule::Never), Disposition::Write),
        (false, false, true, Some(Rule::Above(3)), Disposition::EstimateImpact { above: 3 }),
    ];
    for (read_only, destructive, open_world, rule, plan) in rows {
        let found = own(rule).disposition(&outside(read_only, destructive, open_world), false);
        assert_eq!(found, plan, "{read_only} {destructive} {open_world} {rule:?}");
    }
}

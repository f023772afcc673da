//! Whatever happens, in whatever order: some things always hold.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use protocol::{Failure, FailureKind, Message, StopReason, Usage};

use super::*;
use crate::context::measure;
use crate::{CallStatus, EvidencePolicy, Phase, Rule, view, window};

/// One thing that may happen. Keys and ids refer to a few calls, so that many fit and many do not.
fn anything() -> impl Strategy<Value = Input> {
    let id = prop_oneof![Just(""), Just("c1"), Just("c2"), Just("c3"), Just("call_1_0")];
    let name = prop_oneof![Just("read"), Just("write"), Just("delete"), Just("nothing")];
    let arguments =
        prop_oneof![Just("{}"), Just("{\"a\":1}"), Just("{\"a\":2}"), Just("{"), Just("[]"), Just("")];
    let reason = prop_oneof![
        1 => Just(StopReason::Stop),
        4 => Just(StopReason::ToolCalls),
        1 => Just(StopReason::Length),
        1 => Just(StopReason::ContentFilter)
    ];
    let failure = || Failure::new(FailureKind::Overloaded, "Busy.");
    prop_oneof![
        2 => (1..9_u32).prop_map(user),
        1 => (1..9_u32).prop_map(|n| Input::Retry { start: start(n) }),
        2 => Just(text("word ")),
        1 => Just(Input::Model(ModelEvent::Usage { usage: Usage { input_tokens: 3, ..Usage::default() } })),
        1 => Just(Input::Model(ModelEvent::Retrying { attempt: 2, after_ms: 5, failure: failure() })),
        6 => (0..3_u32, id.clone(), name, arguments).prop_map(|(index, id, name, text)| call(index, id, name, text)),
        4 => reason.prop_map(done),
        6 => (1..9_u32, id.clone(), "[ab]").prop_map(|(run, id, text)| result(&format!("run_{run}:{id}"), &text)),
        2 => id.clone().prop_map(|id| Input::Approve(CallId(id.into()))),
        1 => id.clone().prop_map(|id| Input::Deny(CallId(id.into()))),
        1 => id.clone().prop_map(|id| Input::Allow(CallId(id.into()))),
        3 => (1..9_u32, id.clone(), prop::option::of(0..5_u32)).prop_map(|(run, id, count)| Input::ImpactEstimated { key: format!("run_{run}:{id}").parse().unwrap(), count }),
        3 => (0..30_u64, 0..3_u8).prop_map(move |(answer, what)| Input::Checked { answer, found: match what {
            0 => Err(failure()),
            1 => Ok(protocol::Checked::default()),
            _ => Ok(doubted()),
        } }),
        1 => Just(Input::Resume),
        1 => Just(Input::ModelEnded),
        1 => Just(Input::ModelFailed(failure())),
        1 => Just(Input::Cancel),
        1 => Just(Input::Tick),
        1 => Just(Input::LogFailed(failure())),
    ]
}

/// A check that found something.
fn doubted() -> protocol::Checked {
    let doubts = vec![protocol::Doubt { start: 0, end: 4, kind: protocol::ClaimKind::Number }];
    protocol::Checked { doubts, message: format!("{} “word”", protocol::UNSUPPORTED) }
}

fn rule() -> impl Strategy<Value = Rule> {
    prop_oneof![Just(Rule::Always), Just(Rule::Above(2)), Just(Rule::Never)]
}

/// What every provider insists on.
fn assert_well_formed(messages: &[Arc<Message>]) {
    let mut owed: Vec<CallId> = Vec::new();
    let mut seen = BTreeSet::new();
    for message in messages {
        if let Message::Tool { call_id, .. } = &**message {
            assert_eq!(owed.first(), Some(call_id));
            owed.remove(0);
            continue;
        }
        assert!(owed.is_empty(), "calls without results: {owed:?}");
        if let Message::Assistant { content, tool_calls, .. } = &**message {
            assert!(!content.is_empty() || !tool_calls.is_empty());
            for call in tool_calls {
                assert!(seen.insert(call.id.clone()), "{} twice", call.id);
                owed.push(call.id.clone());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn some_things_always_hold(
        inputs in prop::collection::vec((anything(), 0..40_000_i64), 1..60),
        rules in (rule(), rule()),
        evidence in prop_oneof![Just(EvidencePolicy::Off), Just(EvidencePolicy::Mark), Just(EvidencePolicy::Repair)],
    ) {
        let mut state = fresh();
        state.config.approvals.destructive = rules.0;
        state.config.approvals.writes = rules.1;
        state.config.evidence = evidence;
        let mut now_ms = 0;
        let mut called = BTreeSet::new();
        let mut allowed = false;
        for (input, wait_ms) in inputs {
            now_ms += wait_ms;
            let is_resume = input == Input::Resume;
            allowed |= matches!(input, Input::Allow(_));
            let before = state.entries.len();
            let (next, effects) = step(state, input, Stamp { now_ms });
            state = next;

            // Saves come first, without holes, and are exactly what the log gained.
            let saved: Vec<u64> = effects
                .iter()
                .map_while(|effect| match effect {
                    Effect::Save(entry) => Some(entry.seq),
                    _ => None,
                })
                .collect();
            prop_assert_eq!(saved, (before as u64..state.entries.len() as u64).collect::<Vec<_>>());
            prop_assert_eq!(
                effects.iter().filter(|effect| matches!(effect, Effect::Save(_))).count(),
                state.entries.len() - before
            );
            for effect in &effects {
                match effect {
                    // A call is made once, but for a resume.
                    Effect::CallTool { key, .. } => {
                        prop_assert!(called.insert(key.clone()) || is_resume, "{} twice", key);
                    }
                    Effect::CallModel(request) => {
                        assert_well_formed(&request.messages);
                        // What was kept of earlier requests gives what all of it anew gives.
                        prop_assert_eq!(&request.messages, &window(&state));
                        prop_assert_eq!(state.live.sent, Some(measure(&state, &request.messages)));
                        let run = state.run.as_ref().unwrap();
                        prop_assert!(run.calls.iter().all(|record| record.status.is_settled()));
                    }
                    Effect::AskUser(approval) => {
                        prop_assert!(state.awaiting().any(|record| record.call == approval.call));
                    }
                    Effect::EstimateImpact { key, .. } => prop_assert!(!called.contains(key), "{} was done to weigh it", key),
                    Effect::Check { answer, .. } => {
                        prop_assert_eq!(state.last_response(), Some(*answer));
                        prop_assert!(state.status.is_busy());
                    }
                    Effect::Save(_) | Effect::Show => {}
                }
            }

            // Destructive calls never run unasked but by the rules; a write never runs beside an earlier call.
            if let Some(run) = &state.run {
                for (at, record) in run.calls.iter().enumerate() {
                    let running = record.status == CallStatus::Running;
                    if running && record.call.name == "delete" && rules.0 == Rule::Always && !allowed {
                        prop_assert!(record.approved);
                    }
                    if running && record.call.name != "read" {
                        prop_assert!(run.calls.iter().take(at).all(|earlier| earlier.status.is_settled()));
                    }
                    prop_assert_eq!(record.status.is_settled(), record.result.is_some());
                }
                if run.phase == Phase::Ended {
                    prop_assert!(!state.status.is_busy());
                    prop_assert!(run.calls.iter().all(|record| record.status.is_settled()));
                }
            }
        }

        // An answer that is still being checked is checked: a log that stops there has lost its end.
        if state.awaits_check {
            let found = Input::Checked { answer: state.last_response().unwrap(), found: Ok(doubted()) };
            state = step(state, found, Stamp { now_ms }).0;
        }

        // Played again, the log comes out the same.
        let replayed = super::replay::replay(&super::replay::file_of(&state));
        prop_assert!(replayed.is_ok(), "{:?}\n{:?}", replayed, state.entries);

        // The log alone gives everything back that was not streaming or asked for in this process.
        let log = state.entries.iter().cloned();
        let mut rebuilt = AgentState::from_entries("conv_1", state.config.clone(), log).with_tools(tools());
        assert_well_formed(&window(&rebuilt));
        let mut kept = state.clone();
        for one in [&mut rebuilt, &mut kept] {
            one.live = crate::Live::default();
            one.awaits_check = false;
            for record in one.run.iter_mut().flat_map(|run| run.calls.iter_mut()) {
                record.asked = false;
                record.started_ms = 0;
            }
        }
        prop_assert_eq!(view(&rebuilt), view(&kept));
        prop_assert_eq!(rebuilt, kept);
        let mut kept = state;
        kept.awaits_check = false;
        prop_assert_eq!(AgentState::from_json(&kept.to_json().unwrap(), tools()).unwrap(), kept);
    }
}

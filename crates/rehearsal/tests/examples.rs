//! The examples that ship: each is played with the built-in model in simulated time, passes, is the same twice, and would not pass with
//! an assistant that does nothing.

use crate::stage;

use std::collections::BTreeSet;

use rehearsal::scenario::{CalledCheck, Check, OneOrMore, Scripted, ScriptedCall};
use rehearsal::{PromptSpecs, Verdict};
use stage::contract;
use stage::folder::{Filed, examples, scenarios_in};

/// More answers than a conversation takes.
const ENOUGH: usize = 100;

/// What did not hold of an outcome, for the message of a test.
fn told(filed: &Filed, outcome: &rehearsal::Outcome) -> String {
    let failed = outcome.checks.iter().filter(|check| !check.passed);
    let failed: Vec<String> = failed.map(|check| format!("{}: {}", check.check, check.found)).collect();
    format!("{}: {:?} {failed:#?} {:#?}", filed.file.display(), outcome.verdict, outcome.record)
}

/// S2-01, S2-04, S2-06 to S2-13, S2-19, S2-20, S2-29.
#[test]
fn every_example_passes_is_the_same_twice_and_is_as_agreed() {
    let all = scenarios_in(&examples());
    for filed in &all {
        let (first, second) = (filed.play(), filed.play());
        assert_eq!(first.outcome.verdict, Verdict::Passed, "{}", told(filed, &first.outcome));
        let bytes = |played: &rehearsal::Rehearsed| serde_json::to_string(&played.outcome).unwrap();
        assert_eq!(bytes(&first), bytes(&second), "{}", filed.file.display());
        contract::holds(&first.outcome.record);
        assert!(!filed.scenario.about.is_empty(), "{} says what it shows", filed.file.display());
    }
    let names: BTreeSet<&str> = all.iter().map(|filed| filed.scenario.name.as_str()).collect();
    assert_eq!(names.len(), all.len(), "names are unique");
    let of =
        |folder: &str| all.iter().filter(|filed| filed.file.starts_with(examples().join(folder))).count();
    assert!(of("todos") >= 12 && of("photos") >= 6 && of("support") >= 6, "{names:?}");
}

/// The same prompts without their rules: whoever plays them is asked.
fn without_rules(prompts: &PromptSpecs) -> PromptSpecs {
    let mut bare = PromptSpecs::default();
    for name in prompts.names() {
        let mut spec = prompts.get(name).unwrap().clone();
        spec.agents.values_mut().for_each(|agent| agent.rules.clear());
        bare.insert(name, spec);
    }
    bare
}

#[test]
fn no_example_passes_with_an_assistant_that_does_nothing() {
    for filed in scenarios_in(&examples()) {
        let mut scenario = filed.scenario.clone();
        scenario.assistant.script = vec![Scripted { say: "ok".into(), ..Scripted::default() }; ENOUGH];
        let idle = Filed { prompts: without_rules(&filed.prompts), ..filed.with(scenario) };
        let outcome = idle.play().outcome;
        assert_eq!(outcome.verdict, Verdict::Failed, "{}", told(&filed, &outcome));
    }
}

/// Where nothing may be changed, an assistant that changes something is found: with leave of the client or without it.
#[test]
fn what_must_stay_as_it_is_is_looked_at() {
    let mut looked_at = 0;
    for filed in scenarios_in(&examples()) {
        let mut scenario = filed.scenario.clone();
        if !scenario.checks.contains(&Check::Unchanged(true)) {
            continue;
        }
        let title = serde_json::Map::from_iter([("title".to_owned(), "Nobody wanted this".into())]);
        let call = ScriptedCall { tool: "todo_create".into(), arguments: title };
        scenario.assistant.script = vec![Scripted { say: "Deleted.".into(), ..Scripted::default() }; ENOUGH];
        scenario.assistant.script[0] = Scripted { call: vec![call], ..Scripted::default() };
        let busy = Filed { prompts: without_rules(&filed.prompts), ..filed.with(scenario) };
        let outcome = busy.play().outcome;
        let check = outcome.checks.iter().find(|check| check.check == "the database is as it was").unwrap();
        assert!(!check.passed && check.found.contains("todo_create"), "{}: {check:?}", filed.file.display());
        looked_at += 1;
    }
    assert!(looked_at >= 8, "{looked_at}");
}

/// What says the opposite of a check; none where that is no check of its own.
fn opposite(check: &Check) -> Vec<Check> {
    match check {
        Check::Called(wanted) => {
            let tool = |wanted: &CalledCheck| match wanted {
                CalledCheck::Tool(tool) => tool.clone(),
                CalledCheck::With(with) => with.tool.clone(),
            };
            wanted.iter().map(|wanted| Check::NotCalled(vec![tool(wanted)])).collect()
        }
        Check::NotCalled(tools) => {
            tools.iter().map(|tool| Check::Called(vec![CalledCheck::Tool(tool.clone())])).collect()
        }
        Check::Said(texts) => texts.all().iter().cloned().map(OneOrMore::One).map(Check::NotSaid).collect(),
        Check::NotSaid(texts) => texts.all().iter().cloned().map(OneOrMore::One).map(Check::Said).collect(),
        Check::NoDoubles(wanted) => vec![Check::NoDoubles(!wanted)],
        Check::Unchanged(wanted) => vec![Check::Unchanged(!wanted)],
        Check::Evidence(wanted) => vec![Check::Evidence(!wanted)],
        _ => Vec::new(),
    }
}

/// A check that holds whatever happens says nothing: the opposite of each fails on the same conversation.
#[test]
fn the_opposite_of_every_check_fails() {
    let mut looked_at = 0;
    for filed in scenarios_in(&examples()) {
        let mut scenario = filed.scenario.clone();
        scenario.checks = filed.scenario.checks.iter().flat_map(opposite).collect();
        let outcome = filed.with(scenario).play().outcome;
        // The first is how it ended.
        for check in outcome.checks.iter().skip(1) {
            assert!(!check.passed, "{}: {}", filed.file.display(), check.check);
            looked_at += 1;
        }
    }
    assert!(looked_at > 80, "{looked_at}");
}

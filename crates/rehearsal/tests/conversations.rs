//! Whole conversations with real tools.

use crate::stage;

use rehearsal::{Status, Verdict};
use serde_json::json;

use stage::play;

const GROCERIES: &str = r#"
name: groceries
tags: [todos]
client:
  wants:
    - say: ["Add buy {{ what }} tomorrow", "Please add a to-do: buy {{ what }} tomorrow"]
      until: {called: todo_create}
    - say: What's due tomorrow?
      until: {said: "(?i)milk"}
variables: {what: milk, SEED: 7}
checks:
  - called: [{tool: todo_create, with: {title: "~(?i)milk"}, times: 1}]
  - rows: {table: todos, where: {title: "~(?i)buy milk"}, count: 1}
  - no_doubles: true
  - not_said: "(?i)error"
  - evidence: true
  - agents: [agent]
"#;

/// S2-02 to S2-04, S2-06 to S2-10, S2-27.
#[test]
fn a_client_by_rules_gets_what_it_wants_of_the_built_in_model() {
    let played = play(GROCERIES);
    let record = &played.outcome.record;
    assert_eq!(played.outcome.verdict, Verdict::Passed, "{:#?}", played.outcome);
    assert_eq!((record.status, record.tools_used), (Status::Completed, Some(true)));
    let speakers: Vec<&str> = record.conversation_history.iter().map(|turn| turn.speaker.as_str()).collect();
    assert_eq!(speakers, ["client", "agent_agent", "client", "agent_agent", "client"]);
    let made = &record.conversation_history[1];
    assert_eq!(made.tool_calls[0].function.name, "todo_create");
    assert!(made.tool_results[0].is_string(), "regular results stay text: {:?}", made.tool_results);
    let last = record.conversation_history.last().unwrap();
    assert_eq!((last.tool_calls.len(), last.tool_results.len()), (1, 0), "a client's end has only a call");
    assert!(
        record.conversation_history.iter().all(|turn| turn.speaker != "client" || !turn.content.is_empty())
    );
    assert_eq!(json!(record)["start_time"], "2026-01-02T09:00:00.000000");
}

/// S2-04, D-21: byte-equal for equal seeds.
#[test]
fn equal_seeds_give_equal_bytes() {
    let twice =
        [play(GROCERIES), play(GROCERIES)].map(|played| serde_json::to_string(&played.outcome).unwrap());
    assert_eq!(twice[0], twice[1]);
    let other = play(&GROCERIES.replace("SEED: 7", "SEED: 8"));
    assert_ne!(serde_json::to_string(&other.outcome).unwrap(), twice[0]);
    assert_eq!(other.outcome.seed.honoured, Some(true));
}

/// S1-27: the client hears what is said beside a call too, also beside the one that ends it.
#[test]
fn what_is_said_beside_the_end_of_a_call_is_held_to_its_sources() {
    let text = |says: &str| {
        format!(
            "name: x\nclient: {{says: [When does my flight leave?]}}\nassistant: {{script: [{{call: [{{tool: todo_list}}]}}, {{say: \"{says}\", call: [{{tool: end_call}}]}}]}}\n\
             tools: {{before: [{{tool: todo_create, with: {{title: Pack}}}}]}}\nchecks: [{{evidence: true}}]\n"
        )
    };
    let invented = play(&text("Your flight LH 123 leaves at 09:40 on 5 March 2026.")).outcome;
    assert_eq!(invented.verdict, Verdict::Failed, "{:?}", invented.checks);
    assert_eq!(play(&text("I do not know. Goodbye!")).outcome.verdict, Verdict::Passed);
}

/// S2-25, S2-29: what cannot be written down or said is refused before it is played.
#[test]
fn limits_without_an_end_and_empty_words_are_refused() {
    for (text, says) in [
        ("name: x\nclient: {says: [hi]}\nchecks: [{max_seconds: .inf}]\n", "is no limit"),
        ("name: \"a\\u001bb\"\nclient: {says: [hi]}\n", "a name is"),
    ] {
        let error = rehearsal::read::scenarios("f.yaml", text).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
    let empty = play("name: x\nclient: {says: [\"\"]}\n").outcome.record;
    assert_eq!(empty.error_type.as_deref(), Some("invalid_scenario"));
}

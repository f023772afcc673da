//! Conversations that are held to the contract as they are played, and a desk of agents that hand over to one another.

use rehearsal::{Outcome, PromptSpecs, Rehearsed, Turn, read};

use super::{contract, play, play_with, scenario};

/// Prompts of one file's text under a name.
pub fn prompts(name: &str, text: &str) -> PromptSpecs {
    let mut all = PromptSpecs::default();
    all.insert(name, read::prompts("prompts.yaml", text).unwrap());
    all
}

/// Plays a scenario and holds its record to the contract.
#[track_caller]
pub fn held(text: &str) -> Outcome {
    let outcome = play(text).outcome;
    contract::holds(&outcome.record);
    outcome
}

/// What was said and done.
pub fn turns(outcome: &Outcome) -> &[Turn] {
    &outcome.record.conversation_history
}

/// Two agents that hand over to one another when they are told to, and a tool.
pub const DESK: &str = r#"
agents:
  agent:
    prompt: You answer at the desk of {{ shop }}.
    handoffs: [store]
    rules:
      - {when: store, call: [{tool: handoff_store, with: {reason: the store is wanted}}], say: "That failed."}
      - {when: nowhere, call: [{tool: handoff_nowhere}], say: "There is nobody of that name."}
      - {when: bye, call: [{tool: end_call}]}
      - {when: ".*", say: "Yes?"}
  store:
    prompt: You look after the store.
    handoffs: [agent]
    rules:
      - {when: back, call: [{tool: handoff_agent}]}
      - {when: ".*", call: [{tool: shelf, with: {number: 7}}], say: "{{ results[0] }}"}
  support:
    prompt: You are a person.
    rules: [{when: ".*", say: "A person speaks."}]
"#;

/// A scenario on that desk: the client says these, and the tool answers this.
pub fn at_the_desk(says: &str, shelf: &str) -> Rehearsed {
    let text = format!(
        "name: desk\nprompts: desk\nvariables: {{shop: Holm}}\nclient: {{says: {says}}}\ntools: {{mode: emulated, emulated: {{shelf: {{answers: [{shelf}]}}}}}}\n"
    );
    let played = play_with(&scenario(&text), prompts("desk", DESK), 1);
    contract::holds(&played.outcome.record);
    played
}

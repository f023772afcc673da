//! What the tests of rehearsals play on: the built-in model, simulated time, the domains that ship.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests may stop where they stand, and each uses some of it"
)]

use std::rc::Rc;

use agent::{EvidencePolicy, Model, ModelStream};
use async_trait::async_trait;
use futures::StreamExt;
use protocol::{Failure, ModelRequest};
use rehearsal::{
    Cast, ConversationEngine, ModelSource, Ports, PromptSpecs, Rehearsed, Role, Scenario, SimulatedTime,
    starts_at_ms,
};
use tools::Domains;

/// The domains that ship, but for trips.
pub const DOMAINS: Domains = &[&todo::Todos, &memory::Memories, &photo::Photos];

/// The built-in model.
pub struct BuiltIn;

#[async_trait(?Send)]
impl Model for BuiltIn {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        Ok(futures::stream::iter(builtin::respond(&request, &builtin::SKILLS)).map(Ok).boxed_local())
    }
}

/// The built-in model for everybody, and no other.
pub struct OnlyBuiltIn;

impl ModelSource for OnlyBuiltIn {
    fn cast(&self, name: Option<&str>, role: Role) -> Result<Cast, String> {
        match (name, role) {
            (None | Some("built-in"), Role::Assistant) => Ok(Cast {
                model: Rc::new(BuiltIn),
                name: "built-in".to_owned(),
                window_tokens: None,
                whole_tokens: u64::MAX,
                evidence: EvidencePolicy::Off,
                honours_seed: Some(true),
                usd_per_million: Some((0.0, 0.0)),
            }),
            (name, role) => Err(format!("no model {name:?} for {role:?}")),
        }
    }
}

/// The one scenario of a text.
pub fn scenario(text: &str) -> Scenario {
    let mut all = rehearsal::read::scenarios("test.yaml", text).unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Plays a scenario in simulated time.
pub fn play_with(scenario: &Scenario, prompts: PromptSpecs, repeat: u32) -> Rehearsed {
    let time = SimulatedTime::at(starts_at_ms(scenario).unwrap());
    let ports = Ports {
        models: Rc::new(OnlyBuiltIn),
        clock: Rc::new(time.clone()),
        checker: Rc::new(evidence::checked),
        watch: None,
        domains: DOMAINS,
        webhook: None,
    };
    let engine = ConversationEngine::new(ports, Rc::new(prompts), None);
    time.run(engine.play(scenario, repeat)).unwrap()
}

/// The same with the usual prompts.
pub fn play(text: &str) -> Rehearsed {
    play_with(&scenario(text), PromptSpecs::default(), 1)
}

//! What a rehearsal needs from outside.

use std::rc::Rc;

use agent::{Checker, Clock, EvidencePolicy, Model};
use async_trait::async_trait;
use tools::Domains;

use crate::record::Turn;
use crate::webhook::Fetch;

/// Who looks on at a conversation: called with each turn when it is over.
pub type Watch = Rc<dyn Fn(&Turn)>;

/// What a model is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It answers.
    Assistant,
    /// It plays the client.
    Client,
    /// It plays a tool.
    Tool,
    /// It judges.
    Judge,
}

/// A model, and what is known of it.
#[derive(Clone)]
pub struct Cast {
    /// The port to it.
    pub model: Rc<dyn Model>,
    /// Its name.
    pub name: String,
    /// How much it takes at once, in tokens; none without a limit.
    pub window_tokens: Option<u64>,
    /// Results of no more tokens than this go to it whole.
    pub whole_tokens: u64,
    /// What becomes of what it says without a result that supports it.
    pub evidence: EvidencePolicy,
    /// Whether it honours a seed (D-21): ours does, of a remote one it is not known.
    pub honours_seed: Option<bool>,
    /// US dollars for a million tokens it reads, and that it writes; none where they are not known.
    pub usd_per_million: Option<(f64, f64)>,
}

/// Where models come from.
pub trait Models {
    /// The model of a name for a role; the one that is configured for it without a name.
    ///
    /// # Errors
    /// A sentence: which is not there, and what to do.
    fn cast(&self, name: Option<&str>, role: Role) -> Result<Cast, String>;
}

/// Everything a conversation is played with.
#[derive(Clone)]
pub struct Ports {
    /// Where models come from.
    pub models: Rc<dyn Models>,
    /// The time: [`crate::SimulatedTime`] where all models are ours, else the system's.
    pub clock: Rc<dyn Clock>,
    /// Who holds answers to their sources (`evidence::checked`).
    pub checker: Rc<dyn Checker>,
    /// Who looks on: called with each turn when it is over.
    pub watch: Option<Watch>,
    /// The domains of the real tools.
    pub domains: Domains,
    /// Who asks the webhook for variables (S2-05); none where there is none.
    pub webhook: Option<Rc<dyn Webhook>>,
}

/// A webhook that knows clients.
#[async_trait(?Send)]
pub trait Webhook: Fetch {
    /// Its address.
    fn address(&self) -> &str;
}

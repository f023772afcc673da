//! A model and what is known of it: what it takes, what it costs, what becomes of what it says.

use std::rc::Rc;

use agent::{AgentConfig, EvidencePolicy, MemoryPolicy, Model, ModelStream};
use futures::{StreamExt, TryStreamExt};
use llm::{Endpoint, Price, RetryPolicy, Terms, listed_price};
use protocol::ModelRequest;

use crate::{BuiltIn, Remote, RemoteModelError};

/// A model over HTTP, as a person or a configuration names it.
#[derive(Clone, Debug)]
pub struct RemoteModel {
    /// Where it is.
    pub endpoint: Endpoint,
    /// Its name there.
    pub name: String,
    /// How much it takes at once, in tokens; none where there is no limit.
    pub window_tokens: Option<u64>,
    /// It is on this machine: it costs nothing, unless a price was said.
    pub is_here: bool,
    /// A price that was said: before any that is listed.
    pub price: Option<Price>,
}

/// A model that plays a role.
#[derive(Clone)]
pub struct Player {
    /// The port to the model that plays the role.
    pub model: Rc<dyn Model>,
    /// Its name as its endpoint knows it.
    pub name: String,
    /// How much it takes at once, in tokens; none without a limit.
    pub window_tokens: Option<u64>,
    /// Results of no more tokens than this go to it whole.
    pub whole_tokens: u64,
    /// What becomes of what it says without a result that supports it.
    pub evidence: EvidencePolicy,
    /// It is on this machine: it costs nothing and is not slowed down, unless a price was said.
    pub is_here: bool,
    /// The longest answer that is asked for, in tokens; none where none is.
    pub longest_answer: Option<u32>,
    /// A price that the person said: before any that is listed.
    pub price: Option<Price>,
}

impl Player {
    /// The built-in model. It repeats what the tools say and nothing else, and reads results of any length.
    #[must_use]
    pub fn built_in() -> Self {
        Self {
            model: Rc::new(BuiltIn),
            name: "pocket".to_owned(),
            window_tokens: None,
            whole_tokens: u64::MAX,
            evidence: EvidencePolicy::Off,
            is_here: true,
            longest_answer: None,
            price: None,
        }
    }

    /// A model over HTTP, which is asked again as `policy` says.
    ///
    /// # Errors
    /// [`RemoteModelError::NoHttp`].
    pub fn remote(remote: &RemoteModel, policy: RetryPolicy) -> Result<Self, RemoteModelError> {
        Ok(Self {
            model: Rc::new(Remote::with_policy(remote.endpoint.clone(), remote.name.as_str(), policy)?),
            name: remote.name.clone(),
            window_tokens: remote.window_tokens,
            whole_tokens: MemoryPolicy::default().whole_tokens,
            evidence: EvidencePolicy::Mark,
            is_here: remote.is_here,
            longest_answer: remote.endpoint.wire.longest_answer(),
            price: remote.price,
        })
    }

    /// Writes down that a run is for it.
    pub fn configure(&self, config: &mut AgentConfig) {
        config.model.clone_from(&self.name);
        config.context.window_tokens = self.window_tokens;
        config.memory.whole_tokens = self.whole_tokens;
        config.evidence = self.evidence;
    }

    /// What a request of so many tokens is charged at; none where that is not known.
    #[must_use]
    pub fn price_of(&self, tokens: u64) -> Option<Price> {
        let listed = || listed_price(&self.name, tokens).map(|row| row.price);
        self.price.or_else(|| if self.is_here { Some(Price::FREE) } else { listed() })
    }

    /// On what terms a request to it passes: its price, and the limits of `terms`. What is on this machine is not slowed down.
    #[must_use]
    pub fn terms(&self, request: &ModelRequest, terms: Terms) -> Terms {
        let price = self.price_of(llm::estimated_tokens(request));
        let rates = terms.rates.filter(|_| !self.is_here);
        Terms { price, rates, longest_answer: self.longest_answer, ..terms }
    }

    /// Asks it: nothing is sent before the stream is read.
    pub fn open(&self, request: &ModelRequest) -> ModelStream {
        let (model, request) = (Rc::clone(&self.model), request.clone());
        futures::stream::once(async move { model.stream(request).await }).try_flatten().boxed_local()
    }
}

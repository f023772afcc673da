//! The models of an assistant by their roles, held against what may be spent and asked (D-13, D-14, S4-33).

use std::cell::Cell;
use std::rc::Rc;

use agent::{AgentState, EvidencePolicy, Model, ModelStream, Spent};
use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt};
use llm::{Price, RequestLimiter, Terms, listed_price};
use protocol::{Failure, ModelRequest, Role, Routed};

use crate::{Months, SystemClock, monotonic_ms};

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
    /// On what terms a request to it passes: its price, and the limits of `terms`. What is on this machine is not slowed down.
    #[must_use]
    pub fn terms(&self, request: &ModelRequest, terms: Terms) -> Terms {
        let listed = || listed_price(&self.name, llm::estimated_tokens(request)).map(|row| row.price);
        let price = self.price.or_else(|| if self.is_here { Some(Price::FREE) } else { listed() });
        let rates = terms.rates.filter(|_| !self.is_here);
        Terms { price, rates, longest_answer: self.longest_answer, ..terms }
    }

    /// Asks it: nothing is sent before the stream is read.
    pub fn open(&self, request: &ModelRequest) -> ModelStream {
        let (model, request) = (Rc::clone(&self.model), request.clone());
        futures::stream::once(async move { model.stream(request).await }).try_flatten().boxed_local()
    }
}

/// All of them. It is the agent's port; [`Cast::begin`] says for which of them a run is.
pub struct Cast {
    main: Player,
    small: Option<Player>,
    cheap: Option<Player>,
    /// Limits and rates; the price is each model's.
    terms: Terms,
    limiter: RequestLimiter<SystemClock, Months>,
    role: Cell<Role>,
    spent: Rc<Cell<u64>>,
    /// Whether it was said that a limit is near.
    warned: Cell<bool>,
}

impl Cast {
    /// These models on these terms; what they cost is counted in `months`. A role that none plays is `main`'s.
    #[must_use]
    pub fn new(
        main: Player,
        small: Option<Player>,
        cheap: Option<Player>,
        terms: Terms,
        months: Months,
    ) -> Self {
        Self {
            main,
            small,
            cheap,
            terms,
            limiter: RequestLimiter::new(SystemClock, Rc::new(months), monotonic_ms),
            role: Cell::default(),
            spent: Rc::default(),
            warned: Cell::default(),
        }
    }

    /// A run about this message begins: the state learns which model it is for, and why.
    #[must_use]
    pub fn begin(&self, mut state: AgentState, message: &str) -> AgentState {
        let routed: Option<Routed> =
            (self.small.is_some() || self.cheap.is_some()).then(|| llm::route(message));
        self.role.set(routed.map_or(Role::Main, |routed| routed.role));
        self.spent.set(self.spent.get().max(Spent::of(&state).micro_usd));
        let player = self.player();
        state.config.model.clone_from(&player.name);
        state.config.context.window_tokens = player.window_tokens;
        state.config.memory.whole_tokens = player.whole_tokens;
        state.config.evidence = player.evidence;
        state.config.routed = routed;
        state
    }

    /// What is to be said once when the conversation's limit is near; none before that, and after it was said (S4-33).
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let limit = self
            .terms
            .conversation_limit
            .filter(|limit| llm::is_near_limit(Some(*limit), self.spent.get()))?;
        if self.warned.replace(true) {
            return None;
        }
        let (spent, limit) = (llm::dollars(self.spent.get()), llm::dollars(limit));
        Some(format!("{spent} of this conversation’s limit of {limit} is spent."))
    }

    fn player(&self) -> &Player {
        let other = match self.role.get() {
            Role::Main => None,
            Role::Small => self.small.as_ref(),
            Role::Cheap => self.cheap.as_ref(),
        };
        other.unwrap_or(&self.main)
    }
}

#[async_trait(?Send)]
impl Model for Cast {
    async fn stream(&self, mut request: ModelRequest) -> Result<ModelStream, Failure> {
        let player = self.player().clone();
        request.model.clone_from(&player.name);
        let terms = player.terms(&request, self.terms.clone());
        let open = move |request: &ModelRequest| player.open(request);
        Ok(self.limiter.admit(request, terms, Rc::clone(&self.spent), open))
    }
}

//! The models of an assistant by their roles, held against what may be spent and asked (D-13, D-14, S4-33).

use std::cell::Cell;
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Instant;

use agent::{AgentState, EvidencePolicy, Model, ModelStream, Spent};
use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt};
use llm::{Price, RequestLimiter, Terms, listed_price};
use protocol::{Failure, ModelRequest, Role, Routed};

use crate::{Months, SystemClock};

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

/// When this program began: a clock that nothing sets back.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

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
        let now_ms = || u64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(u64::MAX);
        Self {
            main,
            small,
            cheap,
            terms,
            limiter: RequestLimiter::new(SystemClock, Rc::new(months), now_ms),
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
        let Player { model, name, is_here, price, longest_answer, .. } = self.player().clone();
        request.model.clone_from(&name);
        let listed = || listed_price(&name, llm::estimated_tokens(&request)).map(|row| row.price);
        let terms = Terms {
            price: price.or_else(|| if is_here { Some(Price::FREE) } else { listed() }),
            rates: self.terms.rates.filter(|_| !is_here),
            longest_answer,
            ..self.terms.clone()
        };
        let open = move |request: &ModelRequest| {
            let request = request.clone();
            futures::stream::once(async move { model.stream(request).await }).try_flatten().boxed_local()
        };
        Ok(self.limiter.admit(request, terms, Rc::clone(&self.spent), open))
    }
}

//! The models of an assistant by their roles, held against what may be spent and asked (D-13, D-14, S4-33).

use std::cell::Cell;
use std::rc::Rc;

use agent::{AgentState, Model, ModelStream, Spent};
use async_trait::async_trait;
use llm::{Price, RequestLimiter, Terms, dollars};
use protocol::{Failure, ModelRequest, Role, Routed};

use crate::{Months, Player, SystemClock, monotonic_ms};

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
    months: Rc<Months>,
    /// Whether it was said that a limit is near: the conversation's, the month's.
    warned: Cell<bool>,
    warned_month: Cell<bool>,
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
        let months = Rc::new(months);
        Self {
            main,
            small,
            cheap,
            terms,
            limiter: RequestLimiter::new(SystemClock, Rc::clone(&months), monotonic_ms),
            role: Cell::default(),
            spent: Rc::default(),
            months,
            warned: Cell::default(),
            warned_month: Cell::default(),
        }
    }

    /// A run about this message begins: the state learns which model it is for, and why.
    #[must_use]
    pub fn begin(&self, mut state: AgentState, message: &str) -> AgentState {
        let routed: Option<Routed> =
            (self.small.is_some() || self.cheap.is_some()).then(|| llm::route(message));
        self.role.set(routed.map_or(Role::Main, |routed| routed.role));
        self.spent.set(self.spent.get().max(Spent::of(&state).micro_usd));
        self.player().configure(&mut state.config);
        state.config.routed = routed;
        state
    }

    /// What is to be said once of each limit that is near, the conversation's and the month's; nothing before that, and after it was said
    /// (S4-33).
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        // What costs nothing is near no limit, and asks no file.
        let is_free = self.player().price_of(0) == Some(Price::FREE);
        let month = || if is_free { None } else { self.months.spent() };
        let rows = [
            (
                self.terms.conversation_limit,
                Some(self.spent.get()),
                "this conversation’s limit",
                &self.warned,
            ),
            (
                self.terms.month_limit,
                self.terms.month_limit.and_then(|_| month()),
                "this month’s limit",
                &self.warned_month,
            ),
        ];
        let mut warnings = Vec::new();
        for (limit, spent, what, is_said) in rows {
            if let (Some(limit), Some(spent)) = (limit, spent)
                && llm::is_near_limit(Some(limit), spent)
                && !is_said.replace(true)
            {
                warnings.push(format!("{} of {what} of {} is spent.", dollars(spent), dollars(limit)));
            }
        }
        warnings
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

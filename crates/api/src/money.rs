//! The model of the sessions, held against what may be spent: in a session, for an itinerary, in a month (S4-33).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::{Model, ModelStream};
use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt};
use llm::{
    LONGEST_WAIT_MS, Ledger, Price, RequestLimiter, Reserved, RetryPolicy, Terms, dollars, is_near_limit,
};
use protocol::{Failure, FailureKind, ModelRequest};
use terminal::{Player, RemoteModelError, SystemClock, monotonic_ms};

use crate::cluster::Sums;
use crate::feed::NOT_STORED;
use crate::options::{ModelChoice, NowMs, Spending};
use crate::problem::NOT_KEPT;
use crate::session::Session;

/// What a person can do about a limit.
const WAY_OUT: &str = "Change it with the options of this server, or use its built-in model.";

/// The model that a choice means. Whoever asks for an answer is told of a long wait rather than waits.
///
/// # Errors
/// When the system has no HTTP client for a model elsewhere.
pub(crate) fn player(choice: &ModelChoice) -> Result<Player, RemoteModelError> {
    let policy = RetryPolicy { longest_wait_ms: LONGEST_WAIT_MS, ..RetryPolicy::default() };
    match choice {
        ModelChoice::BuiltIn => Ok(Player::built_in()),
        ModelChoice::Remote(remote) => Player::remote(remote, policy),
    }
}

fn is_free(player: &Player) -> bool {
    player.price.map_or(player.is_here, |price| price == Price::FREE)
}

/// What an owner has spent.
pub(crate) struct Money {
    months: Rc<dyn Sums>,
    /// For each itinerary, in millionths of a US dollar; what open requests may cost is in it.
    itineraries: RefCell<BTreeMap<String, Rc<Cell<u64>>>>,
    limits: Spending,
}

impl Money {
    /// The money of an owner with these sums.
    pub(crate) fn new(months: Rc<dyn Sums>, limits: Spending) -> Self {
        Self { months, itineraries: RefCell::default(), limits }
    }

    /// What was spent for an itinerary.
    pub(crate) fn itinerary(&self, id: &str) -> Rc<Cell<u64>> {
        Rc::clone(self.itineraries.borrow_mut().entry(id.to_owned()).or_default())
    }

    /// The limits that are near, a sentence each. `spent` is what the session cost.
    pub(crate) fn warnings(&self, player: &Player, spent: u64, itinerary: Option<&str>) -> Vec<String> {
        if is_free(player) {
            return Vec::new();
        }
        // Where it cannot be looked up the next request says why.
        let month = self.months.spent().unwrap_or_default();
        let itinerary = itinerary.map_or(0, |id| self.itinerary(id).get());
        let rows = [
            (spent, self.limits.session, "this session’s limit"),
            (itinerary, self.limits.itinerary, "this itinerary’s limit"),
            (month, self.limits.month, "this month’s limit"),
        ];
        let near = rows.into_iter().filter(|(spent, limit, _)| is_near_limit(*limit, *spent));
        near.filter_map(|(spent, limit, what)| {
            limit.map(|limit| format!("{} of {what} of {} is spent.", dollars(spent), dollars(limit)))
        })
        .collect()
    }
}

/// Counts for the itinerary and for the month.
struct Purse {
    money: Rc<Money>,
    itinerary: Option<Rc<Cell<u64>>>,
    session: Rc<Session>,
    clock: NowMs,
}

#[async_trait(?Send)]
impl Ledger for Purse {
    async fn reserve(
        &self,
        estimate: u64,
        allows: &dyn Fn(u64) -> Result<(), Failure>,
    ) -> Result<Reserved, Failure> {
        if let Some(spent) = &self.itinerary {
            if let Some(limit) = self.money.limits.itinerary
                && spent.get().saturating_add(estimate) > limit
            {
                let message = format!(
                    "This may cost {}, and {} of this itinerary’s limit of {} is spent. Nothing was sent. {WAY_OUT}",
                    dollars(estimate),
                    dollars(spent.get()),
                    dollars(limit),
                );
                return Err(Failure::new(FailureKind::CostLimit, message));
            }
            // Before anything is waited for: two sessions of an itinerary cannot both take its last dollar.
            spent.set(spent.get().saturating_add(estimate));
        }
        let reserved = self.reserve_month(estimate, allows).await;
        if let (Err(_), Some(spent)) = (&reserved, &self.itinerary) {
            spent.set(spent.get().saturating_sub(estimate));
        }
        let reserved = reserved?;
        if let Err(error) = self.session.reserve(estimate, self.clock.now_ms()).await {
            eprintln!("satchel: session {}: {error}", self.session.id);
            self.settle(reserved, 0);
            let failure = Failure::new(FailureKind::Validation, NOT_KEPT);
            return Err(Failure { status: Some(NOT_STORED), ..failure });
        }
        Ok(reserved)
    }

    fn settle(&self, reserved: Reserved, cost: u64) {
        if let Some(spent) = &self.itinerary {
            spent.set(spent.get().saturating_sub(reserved.micro_usd).saturating_add(cost));
        }
        self.session.cost(cost);
        self.money.months.settle(reserved, cost);
    }
}

impl Purse {
    /// Counts for the month. Where its file cannot be written the cause is said on standard error: it has the file's name in it.
    async fn reserve_month(
        &self,
        estimate: u64,
        allows: &dyn Fn(u64) -> Result<(), Failure>,
    ) -> Result<Reserved, Failure> {
        self.money.months.reserve(estimate, allows).await.map_err(|failure| {
            if failure.is_own_limit {
                return failure;
            }
            eprintln!("satchel: session {}: {failure}", self.session.id);
            const NOT_COUNTED: &str = "What this month has cost could not be counted. Nothing was sent.";
            Failure { status: Some(NOT_STORED), ..Failure::new(FailureKind::Validation, NOT_COUNTED) }
        })
    }
}

/// The model of one session.
pub(crate) struct Metered {
    player: Player,
    limiter: RequestLimiter<SystemClock, Purse>,
    limits: Spending,
    has_itinerary: bool,
    /// What the session cost.
    spent: Rc<Cell<u64>>,
}

impl Metered {
    /// The model as it answers in this session, whose money is in `money`.
    pub(crate) fn new(player: Player, money: &Rc<Money>, session: &Rc<Session>, clock: &NowMs) -> Self {
        let itinerary = session.about.spends_for().map(|id| money.itinerary(id));
        let (limits, has_itinerary) = (money.limits, itinerary.is_some());
        let (money, session) = (Rc::clone(money), Rc::clone(session));
        let spent = Rc::new(Cell::new(session.spent()));
        let purse = Purse { money, itinerary, session, clock: clock.clone() };
        let limiter = RequestLimiter::new(SystemClock, Rc::new(purse), monotonic_ms);
        Self { player, limiter, limits, has_itinerary, spent }
    }
}

#[async_trait(?Send)]
impl Model for Metered {
    async fn stream(&self, mut request: ModelRequest) -> Result<ModelStream, Failure> {
        let player = self.player.clone();
        request.model.clone_from(&player.name);
        let Spending { session, itinerary, month } = self.limits;
        let limits = Terms { conversation_limit: session, month_limit: month, ..Terms::default() };
        let mut terms = player.terms(&request, limits);
        if terms.price.is_none() && self.has_itinerary {
            // The limiter refuses what has no price where it knows a limit, and of this one it does not know.
            terms.conversation_limit = terms.conversation_limit.or(itinerary);
        }
        let open = move |request: &ModelRequest| player.open(request);
        let stream = self.limiter.admit(request, terms, Rc::clone(&self.spent), open);
        // The limiter knows the limit, and this server what can be done about it.
        let with_way_out = |mut failure: Failure| {
            if failure.is_own_limit {
                failure.message = format!("{} {WAY_OUT}", failure.message);
            }
            failure
        };
        Ok(stream.map_err(with_way_out).boxed_local())
    }
}

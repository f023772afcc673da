//! The model of the sessions, held against what may be spent: in a session, for an itinerary, in a month (S4-33).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Instant;

use agent::{Model, ModelStream};
use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt};
use llm::{
    LONGEST_WAIT_MS, Ledger, Price, RequestLimiter, Reserved, RetryPolicy, Terms, dollars, is_near_limit,
    listed_price,
};
use protocol::{Failure, FailureKind, ModelRequest};
use terminal::{BuiltIn, Months, Remote, RemoteModelError, SystemClock};

use crate::options::{ModelChoice, Spending};

/// What a person can do about a limit.
const WAY_OUT: &str = "Change it with the options of this server, or use its built-in model.";

/// When this program began: a clock that nothing sets back.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The model, and what it costs.
#[derive(Clone)]
pub(crate) struct Player {
    model: Rc<dyn Model>,
    pub name: String,
    price: Option<Price>,
    longest_answer: Option<u32>,
}

impl Player {
    /// # Errors
    /// When the system has no HTTP client for a model elsewhere.
    pub(crate) fn of(choice: &ModelChoice) -> Result<Self, RemoteModelError> {
        Ok(match choice {
            ModelChoice::BuiltIn => Self {
                model: Rc::new(BuiltIn),
                name: "pocket".to_owned(),
                price: Some(Price::FREE),
                longest_answer: None,
            },
            ModelChoice::Remote(remote) => Self {
                model: Rc::new(Remote::with_policy(
                    remote.endpoint.clone(),
                    remote.name.clone(),
                    RetryPolicy { longest_wait_ms: LONGEST_WAIT_MS, ..RetryPolicy::default() },
                )?),
                name: remote.name.clone(),
                price: remote.price.or(remote.is_here.then_some(Price::FREE)),
                longest_answer: remote.endpoint.wire.longest_answer(),
            },
        })
    }

    fn is_free(&self) -> bool {
        self.price == Some(Price::FREE)
    }
}

/// What an owner has spent.
pub(crate) struct Money {
    months: Months,
    /// For each itinerary, in millionths of a US dollar; what open requests may cost is in it.
    itineraries: RefCell<BTreeMap<String, Rc<Cell<u64>>>>,
    limits: Spending,
}

impl Money {
    /// The money of an owner whose things are in this folder.
    pub(crate) fn new(folder: &Path, limits: Spending) -> Self {
        Self { months: Months::in_folder(folder), itineraries: RefCell::default(), limits }
    }

    /// What was spent for an itinerary.
    pub(crate) fn itinerary(&self, id: &str) -> Rc<Cell<u64>> {
        Rc::clone(self.itineraries.borrow_mut().entry(id.to_owned()).or_default())
    }

    /// The limits that are near, a sentence each. `spent` is what the session cost.
    pub(crate) async fn warnings(&self, player: &Player, spent: u64, itinerary: Option<&str>) -> Vec<String> {
        if player.is_free() {
            return Vec::new();
        }
        let seen = Cell::new(0);
        let look = |spent| {
            seen.set(spent);
            Ok(())
        };
        // Nothing is reserved; where it cannot be looked up the next request says why.
        drop(self.months.reserve(0, &look).await);
        let itinerary = itinerary.map_or(0, |id| self.itinerary(id).get());
        let rows = [
            (spent, self.limits.session, "this session’s limit"),
            (itinerary, self.limits.itinerary, "this itinerary’s limit"),
            (seen.get(), self.limits.month, "this month’s limit"),
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
        let reserved = self.money.months.reserve(estimate, allows).await;
        if let (Err(_), Some(spent)) = (&reserved, &self.itinerary) {
            spent.set(spent.get().saturating_sub(estimate));
        }
        reserved
    }

    fn settle(&self, reserved: Reserved, cost: u64) {
        if let Some(spent) = &self.itinerary {
            spent.set(spent.get().saturating_sub(reserved.micro_usd).saturating_add(cost));
        }
        self.money.months.settle(reserved, cost);
    }
}

/// The model of one session.
pub(crate) struct Metered {
    player: Player,
    limiter: RequestLimiter<SystemClock, Purse>,
    limits: Spending,
    /// What the session cost.
    spent: Rc<Cell<u64>>,
}

impl Metered {
    /// `spent` is what the session has cost so far, in millionths of a US dollar.
    pub(crate) fn new(player: Player, money: &Rc<Money>, spent: u64, itinerary: Option<&str>) -> Self {
        let purse = Purse { money: Rc::clone(money), itinerary: itinerary.map(|id| money.itinerary(id)) };
        let now_ms = || u64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(u64::MAX);
        let limiter = RequestLimiter::new(SystemClock, Rc::new(purse), now_ms);
        Self { player, limiter, limits: money.limits, spent: Rc::new(Cell::new(spent)) }
    }
}

#[async_trait(?Send)]
impl Model for Metered {
    async fn stream(&self, mut request: ModelRequest) -> Result<ModelStream, Failure> {
        let Player { model, name, price, longest_answer } = self.player.clone();
        request.model.clone_from(&name);
        let listed = || listed_price(&name, llm::estimated_tokens(&request)).map(|row| row.price);
        let terms = Terms {
            price: price.or_else(listed),
            conversation_limit: self.limits.session,
            month_limit: self.limits.month,
            rates: None,
            longest_answer,
        };
        let open = move |request: &ModelRequest| {
            let request = request.clone();
            futures::stream::once(async move { model.stream(request).await }).try_flatten().boxed_local()
        };
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

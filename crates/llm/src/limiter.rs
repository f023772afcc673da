//! What stands in front of every request to a model: the limits on what may be spent and on how much may be asked (S0-59,
//! S1-37, S4-33), and the meter behind it.
//!
//! A request passes in this order: its dearest price is estimated and held against the conversation's limit and the month's;
//! a window that is full makes it wait where that is short, and visibly; only then it is made. What it cost is put into the
//! usage that it streams back, so that the log has it (`Usage::cost_micro_usd`).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use async_stream::stream;
use async_trait::async_trait;
use futures::StreamExt;
use protocol::{Failure, FailureKind, ModelEvent, ModelRequest, Usage};

use crate::spend::{tokens_in, weight};
use crate::throttle::Admitted;
use crate::{EventStream, Price, Rates, Span, Throttle, Timer, Wait, estimated_tokens, within_limit};

/// The longest a request waits for a window to have room, in milliseconds; more than that is told to the person instead.
pub const LONGEST_WAIT_MS: u64 = 5_000;

/// What is spent of a month, wherever that is kept.
#[async_trait(?Send)]
pub trait Ledger {
    /// Counts an amount as spent this month, unless `allows` refuses what is spent by now. Nothing else that spends comes
    /// between its question and the count: two pages cannot both take the last dollar. Amounts in millionths of a US dollar.
    ///
    /// # Errors
    /// What `allows` said.
    async fn reserve(
        &self,
        estimate_micro_usd: u64,
        allows: &dyn Fn(u64) -> Result<(), Failure>,
    ) -> Result<Reserved, Failure>;

    /// Puts what it cost in the place of what was reserved. Comes also when a request is dropped in the middle, so it does
    /// not wait for anything.
    fn settle(&self, reserved: Reserved, cost_micro_usd: u64);
}

/// An amount that counts as spent until it is known what it cost. One that is never settled, since the page was closed in
/// the middle of a request, stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The month it is of: `2026-11`.
    pub month: String,
    /// How much, in millionths of a US dollar.
    pub micro_usd: u64,
}

/// On what terms a request passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The price of the model; none where it is not known.
    pub price: Option<Price>,
    /// The most that may be spent in the conversation, in millionths of a US dollar.
    pub conversation_limit: Option<u64>,
    /// The most that may be spent in a month.
    pub month_limit: Option<u64>,
    /// How much may be asked; none for a model on this device.
    pub rates: Option<Rates>,
    /// The most tokens of an answer that the endpoint's wire asks for where the request does not say; none where it asks for
    /// none.
    pub longest_answer: Option<u32>,
}

/// The request limiter. Cheap to clone; clones share the windows.
pub struct RequestLimiter<C, L> {
    timer: Rc<C>,
    ledger: Rc<L>,
    throttle: Rc<RefCell<Throttle>>,
    /// A clock that only goes forward, in milliseconds (D-14).
    monotonic_ms: fn() -> u64,
}

impl<C, L> Clone for RequestLimiter<C, L> {
    fn clone(&self) -> Self {
        Self {
            timer: Rc::clone(&self.timer),
            ledger: Rc::clone(&self.ledger),
            throttle: Rc::clone(&self.throttle),
            monotonic_ms: self.monotonic_ms,
        }
    }
}

impl<C: Timer + 'static, L: Ledger + 'static> RequestLimiter<C, L> {
    /// A limiter with empty windows.
    #[must_use]
    pub fn new(timer: C, ledger: Rc<L>, monotonic_ms: fn() -> u64) -> Self {
        Self { timer: Rc::new(timer), ledger, throttle: Rc::default(), monotonic_ms }
    }

    /// Makes a request when it may be made. `spent` is what the conversation has cost so far, in millionths of a US dollar;
    /// what this request costs is added to it when its stream ends or is dropped.
    #[must_use]
    pub fn admit(
        &self,
        request: ModelRequest,
        terms: Terms,
        spent: Rc<Cell<u64>>,
        open: impl FnOnce(&ModelRequest) -> EventStream + 'static,
    ) -> EventStream {
        let limiter = self.clone();
        stream! {
            let reserved = match limiter.afford(&request, &terms, &spent).await {
                Ok(reserved) => reserved,
                Err(failure) => {
                    yield Err(failure);
                    return;
                }
            };
            // From here on what was reserved is settled whatever happens.
            let mut meter = Meter::new(&limiter, &request, terms.price, reserved, spent);
            let tokens = estimated_tokens(&request) + request.max_output_tokens.map_or(0, u64::from);
            while let Some(rates) = terms.rates {
                let admitted = limiter.throttle.borrow_mut().admit((limiter.monotonic_ms)(), tokens, rates);
                match admitted {
                    Ok(admitted) => {
                        meter.admitted = Some(admitted);
                        break;
                    }
                    Err(Wait::Ms(after_ms)) if after_ms <= LONGEST_WAIT_MS => {
                        let failure = too_much(rates, Wait::Ms(after_ms));
                        yield Ok(ModelEvent::Retrying { attempt: 1, after_ms, failure });
                        limiter.timer.sleep(after_ms).await;
                    }
                    Err(wait) => {
                        yield Err(too_much(rates, wait));
                        return;
                    }
                }
            }
            meter.is_made.set(true);
            let mut events = open(&request);
            while let Some(event) = events.next().await {
                for event in meter.read(event) {
                    yield event;
                }
            }
        }
        .boxed_local()
    }

    /// Holds a request against both limits, and reserves what it may cost.
    async fn afford(
        &self,
        request: &ModelRequest,
        terms: &Terms,
        spent: &Cell<u64>,
    ) -> Result<Option<Reserved>, Failure> {
        let Some(price) = terms.price else {
            if terms.conversation_limit.is_none() && terms.month_limit.is_none() {
                return Ok(None);
            }
            let message = format!(
                "The price of {} is not known, so the limit on spending cannot be kept. Nothing was sent. Enter its price, or \
                 turn the limit off.",
                request.model
            );
            return Err(Failure { is_own_limit: true, ..Failure::new(FailureKind::CostLimit, message) });
        };
        if price == Price::FREE {
            return Ok(None);
        }
        let estimate = match terms.longest_answer.filter(|_| request.max_output_tokens.is_none()) {
            Some(most) => {
                price.estimate_micro_usd(&ModelRequest { max_output_tokens: Some(most), ..request.clone() })
            }
            None => price.estimate_micro_usd(request),
        };
        within_limit(Span::Conversation, terms.conversation_limit, spent.get(), estimate)?;
        let allows = |spent| within_limit(Span::Month, terms.month_limit, spent, estimate);
        self.ledger.reserve(estimate, &allows).await.map(Some)
    }
}

/// Too much is asked.
fn too_much(rates: Rates, wait: Wait) -> Failure {
    let limits = [
        rates.calls_per_minute.map(|calls| match calls {
            1 => "1 request a minute".to_owned(),
            calls => format!("{calls} requests a minute"),
        }),
        rates.tokens_per_hour.map(|tokens| match tokens {
            1 => "1 token an hour".to_owned(),
            tokens => format!("{tokens} tokens an hour"),
        }),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let limits = limits.join(" and ");
    let mut failure = Failure { is_own_limit: true, ..Failure::new(FailureKind::RateLimited, String::new()) };
    failure.message = match wait {
        Wait::Ms(ms) if ms <= LONGEST_WAIT_MS => format!("Your own limit of {limits} is reached."),
        Wait::Ms(ms) => {
            let minutes = ms.div_ceil(60_000);
            let minutes = if minutes == 1 { "a minute".to_owned() } else { format!("{minutes} minutes") };
            format!("Your own limit of {limits} is reached. It has room again in about {minutes}.")
        }
        Wait::Forever => format!("This request alone is more than your own limit of {limits}."),
    };
    if let Wait::Ms(ms) = wait {
        failure.retry_after_ms = Some(ms);
    }
    failure
}

/// Reads along what a request streams back, and settles when it is over, however it ends.
struct Meter<L: Ledger> {
    ledger: Rc<L>,
    throttle: Rc<RefCell<Throttle>>,
    price: Option<Price>,
    reserved: Option<Reserved>,
    admitted: Option<Admitted>,
    spent: Rc<Cell<u64>>,
    /// The tokens of the request, about.
    sent_tokens: u64,
    /// The request has left.
    is_made: Cell<bool>,
    /// How much came back.
    weight: usize,
    /// What the provider said; none until it does.
    said: Option<Usage>,
    /// It failed, and nothing had come back.
    refused: bool,
    /// What attempts cost that broke off and were made again, and how many tokens they were: a provider counts them too.
    before: (u64, u64),
}

impl<L: Ledger> Meter<L> {
    fn new<C>(
        limiter: &RequestLimiter<C, L>,
        request: &ModelRequest,
        price: Option<Price>,
        reserved: Option<Reserved>,
        spent: Rc<Cell<u64>>,
    ) -> Self {
        Self {
            ledger: Rc::clone(&limiter.ledger),
            throttle: Rc::clone(&limiter.throttle),
            price,
            reserved,
            admitted: None,
            spent,
            sent_tokens: estimated_tokens(request),
            is_made: Cell::new(false),
            weight: 0,
            said: None,
            refused: false,
            before: (0, 0),
        }
    }

    /// The event as it is handed on; in front of one that says that it is over, what it cost, where the provider does not say
    /// how many tokens it was.
    fn read(&mut self, event: Result<ModelEvent, Failure>) -> Vec<Result<ModelEvent, Failure>> {
        let mut before = None;
        let event = event.map(|event| match event {
            ModelEvent::Usage { usage } => {
                self.said = Some(usage);
                let cost_micro_usd = self.price.map(|_| self.cost_micro_usd());
                ModelEvent::Usage { usage: Usage { cost_micro_usd, ..usage } }
            }
            ModelEvent::Done { .. } if self.said.is_none() => {
                before = self.estimated();
                event
            }
            ModelEvent::TextDelta { ref text } | ModelEvent::ThoughtDelta { ref text } => {
                self.weight += weight(text);
                event
            }
            ModelEvent::ToolCallDelta { ref arguments, .. } => {
                self.weight += weight(arguments);
                event
            }
            ModelEvent::Retrying { .. } => {
                if self.weight > 0 || self.said.is_some() {
                    let usage = self.usage();
                    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
                    self.before = (self.cost_micro_usd(), self.before.1.saturating_add(tokens));
                }
                (self.weight, self.said) = (0, None);
                event
            }
            ModelEvent::Done { .. } | ModelEvent::Confidence { .. } => event,
        });
        if event.is_err() {
            self.refused = self.weight == 0 && self.said.is_none();
            if (!self.refused || self.before.0 > 0) && self.said.is_none() {
                before = self.estimated();
            }
        }
        before.into_iter().map(|usage| Ok(ModelEvent::Usage { usage })).chain([event]).collect()
    }

    /// What it cost by what was sent and came back, where a price is known. Tokens nobody counted are not made up.
    fn estimated(&self) -> Option<Usage> {
        self.price.map(|_| Usage { cost_micro_usd: Some(self.cost_micro_usd()), ..Usage::default() })
    }

    fn usage(&self) -> Usage {
        self.said.unwrap_or_else(|| Usage {
            input_tokens: self.sent_tokens,
            output_tokens: tokens_in(self.weight),
            ..Usage::default()
        })
    }

    fn cost_micro_usd(&self) -> u64 {
        if self.refused || !self.is_made.get() {
            return self.before.0;
        }
        self.before.0.saturating_add(self.price.map_or(0, |price| price.cost_micro_usd(&self.usage())))
    }
}

impl<L: Ledger> Drop for Meter<L> {
    fn drop(&mut self) {
        let cost_micro_usd = self.cost_micro_usd();
        self.spent.set(self.spent.get().saturating_add(cost_micro_usd));
        if let Some(reserved) = self.reserved.take() {
            self.ledger.settle(reserved, cost_micro_usd);
        }
        if let Some(admitted) = self.admitted.take() {
            let usage = self.usage();
            let tokens =
                if self.refused { 0 } else { usage.input_tokens.saturating_add(usage.output_tokens) };
            self.throttle.borrow_mut().record(admitted, tokens.saturating_add(self.before.1));
        }
    }
}

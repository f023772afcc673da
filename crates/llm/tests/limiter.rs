//! The request limiter in front of models: what stops before the call, what waits, and what is counted afterwards (S0-59, S4-33), over
//! virtual time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use async_trait::async_trait;
use futures::executor::block_on;
use futures::{FutureExt, StreamExt};
use llm::{EventStream, Ledger, Price, Rates, RequestLimiter, Reserved, Terms, Timer};
use protocol::{Failure, FailureKind, Message, ModelEvent, ModelRequest, RunId, StopReason, Usage};

thread_local! {
    /// The time, in milliseconds; a test's thread has its own.
    static NOW_MS: Cell<u64> = const { Cell::new(0) };
}

/// A clock that jumps to the moment waited for.
struct Jumping;

#[async_trait(?Send)]
impl Timer for Jumping {
    fn now_ms(&self) -> i64 {
        0
    }
    fn jitter(&self) -> f64 {
        0.0
    }
    async fn sleep(&self, ms: u64) {
        NOW_MS.set(NOW_MS.get() + ms);
    }
}

/// A month in memory.
#[derive(Default)]
struct Month(Cell<u64>);

#[async_trait(?Send)]
impl Ledger for Month {
    async fn reserve(
        &self,
        estimate: u64,
        allows: &dyn Fn(u64) -> Result<(), Failure>,
    ) -> Result<Reserved, Failure> {
        allows(self.0.get())?;
        self.0.set(self.0.get() + estimate);
        Ok(Reserved { month: "2026-11".into(), micro_usd: estimate })
    }
    fn settle(&self, reserved: Reserved, cost: u64) {
        self.0.set(self.0.get() - reserved.micro_usd + cost);
    }
}

/// A limiter, what passes it, and what was made of it.
struct World {
    limiter: RequestLimiter<Jumping, Month>,
    month: Rc<Month>,
    spent: Rc<Cell<u64>>,
    /// How many requests reached the model.
    made: Rc<Cell<u32>>,
}

/// A dollar a thousand tokens, whichever.
const PRICE: Price = Price { input: 1_000_000_000, cached: 1_000_000_000, output: 1_000_000_000 };

fn world() -> World {
    NOW_MS.set(0);
    let month = Rc::new(Month::default());
    World {
        limiter: RequestLimiter::new(Jumping, Rc::clone(&month), || NOW_MS.get()),
        month,
        spent: Rc::default(),
        made: Rc::default(),
    }
}

/// A request of a hundred tokens, about, that allows an answer of a hundred.
fn request() -> ModelRequest {
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 1,
        model: "m".into(),
        messages: vec![Message::user("x".repeat(300)).into()],
        tools: vec![],
        temperature: None,
        max_output_tokens: Some(100),
    }
}

fn answer() -> Vec<Result<ModelEvent, Failure>> {
    let usage = Usage { input_tokens: 80, output_tokens: 20, ..Usage::default() };
    vec![
        Ok(ModelEvent::TextDelta { text: "Hello.".into() }),
        Ok(ModelEvent::Usage { usage }),
        Ok(ModelEvent::Done { reason: StopReason::Stop }),
    ]
}

impl World {
    fn stream(&self, terms: Terms, events: Vec<Result<ModelEvent, Failure>>) -> EventStream {
        let made = Rc::clone(&self.made);
        self.limiter.admit(request(), terms, Rc::clone(&self.spent), move |_| {
            made.set(made.get() + 1);
            futures::stream::iter(events).boxed_local()
        })
    }

    fn ask(
        &self,
        terms: Terms,
        events: Vec<Result<ModelEvent, Failure>>,
    ) -> Vec<Result<ModelEvent, Failure>> {
        block_on(self.stream(terms, events).collect())
    }
}

fn priced() -> Terms {
    Terms { price: Some(PRICE), ..Terms::default() }
}

fn cost_of(events: &[Result<ModelEvent, Failure>]) -> Option<u64> {
    events.iter().rev().find_map(|event| match event {
        Ok(ModelEvent::Usage { usage }) => usage.cost_micro_usd,
        _ => None,
    })
}

#[test]
fn what_it_cost_is_in_the_usage_and_in_both_sums() {
    let world = world();
    let events = world.ask(priced(), answer());
    assert_eq!(cost_of(&events), Some(100_000), "a hundred tokens at a dollar a thousand");
    assert_eq!((world.spent.get(), world.month.0.get()), (100_000, 100_000));
    // What costs nothing is known to, and what is not known is none.
    let free = world.ask(Terms { price: Some(Price::FREE), ..Terms::default() }, answer());
    assert_eq!(cost_of(&free), Some(0));
    assert_eq!(cost_of(&world.ask(Terms::default(), answer())), None);
    assert_eq!((world.spent.get(), world.month.0.get(), world.made.get()), (100_000, 100_000, 3));
}

#[test]
fn a_limit_stops_before_the_call() {
    // The request is 200 tokens at most: 20 cents.
    let world = world();
    let conversation = Terms { conversation_limit: Some(299_999), ..priced() };
    assert!(world.ask(conversation.clone(), answer()).iter().all(Result::is_ok));
    let stopped = world.ask(conversation, answer());
    let [Err(failure)] = stopped.as_slice() else { panic!("{stopped:?}") };
    assert_eq!(failure.kind, FailureKind::CostLimit);
    assert!(failure.message.starts_with("This conversation’s limit is $0.2999: $0.10 is spent"), "{failure}");
    let month = Terms { month_limit: Some(250_000), ..priced() };
    let stopped = world.ask(month, answer());
    assert!(matches!(stopped.as_slice(), [Err(failure)] if failure.message.contains("month")), "{stopped:?}");
    assert_eq!(
        (world.made.get(), world.spent.get(), world.month.0.get()),
        (1, 100_000, 100_000),
        "nothing is asked or counted"
    );
    // A model that costs nothing goes on; one whose price nobody knows cannot be held to a limit.
    let free =
        Terms { price: Some(Price::FREE), conversation_limit: Some(0), month_limit: Some(0), ..priced() };
    assert!(world.ask(free, answer()).iter().all(Result::is_ok));
    let unknown = world.ask(Terms { price: None, month_limit: Some(1), ..priced() }, answer());
    assert!(
        matches!(unknown.as_slice(), [Err(failure)] if failure.message.contains("price of m is not known")),
        "{unknown:?}"
    );
    assert_eq!(world.made.get(), 2);
}

#[test]
fn two_requests_at_once_cannot_both_take_the_last_of_it() {
    let world = world();
    let terms = Terms { month_limit: Some(300_000), ..priced() };
    let mut first = world.stream(terms.clone(), answer());
    assert!(matches!(block_on(first.next()), Some(Ok(ModelEvent::TextDelta { .. }))));
    assert_eq!(world.month.0.get(), 200_000, "the dearest it may become is reserved");
    let second = world.ask(terms.clone(), answer());
    assert!(
        matches!(second.as_slice(), [Err(failure)] if failure.kind == FailureKind::CostLimit),
        "{second:?}"
    );
    block_on(first.for_each(|_| async {}));
    assert_eq!(world.month.0.get(), 100_000);
    assert!(world.ask(terms, answer()).iter().all(Result::is_ok));
}

#[test]
fn what_broke_off_or_was_stopped_is_counted_by_what_was_sent_and_came() {
    let network = || Failure::new(FailureKind::RetryableNetwork, "gone");
    let text = || Ok(ModelEvent::TextDelta { text: "x".repeat(30) });
    // Refused before anything came: nothing.
    let one = world();
    one.ask(priced(), vec![Err(network())]);
    assert_eq!((one.spent.get(), one.month.0.get()), (0, 0));
    // Broken off: a hundred tokens there, ten back. The log is told too.
    let events = one.ask(priced(), vec![text(), Err(network())]);
    assert_eq!(cost_of(&events), Some(110_000));
    assert_eq!((one.spent.get(), one.month.0.get()), (110_000, 110_000));
    // Stopped by the person.
    let mut stopped = one.stream(priced(), vec![text(), text()]);
    assert!(block_on(stopped.next()).is_some());
    drop(stopped);
    assert_eq!((one.spent.get(), one.month.0.get()), (220_000, 220_000));
    // A provider that never says how many tokens it was.
    let events = one.ask(priced(), vec![text(), Ok(ModelEvent::Done { reason: StopReason::Stop })]);
    assert_eq!(cost_of(&events), Some(110_000));
    // An attempt that broke off and is made again is void, but it is counted where it was made.
    let retrying = ModelEvent::Retrying { attempt: 2, after_ms: 1, failure: network() };
    let again: Vec<_> = [text(), Ok(retrying)].into_iter().chain(answer()).collect();
    let before = (one.spent.get(), one.month.0.get());
    assert_eq!(cost_of(&one.ask(priced(), again)), Some(210_000));
    assert_eq!((one.spent.get(), one.month.0.get()), (before.0 + 210_000, before.1 + 210_000));
    // One of which nothing came was refused, and costs nothing.
    let retrying = || Ok(ModelEvent::Retrying { attempt: 2, after_ms: 1, failure: network() });
    let again: Vec<_> = [retrying()].into_iter().chain(answer()).collect();
    assert_eq!(cost_of(&one.ask(priced(), again)), Some(100_000));
    // Broken off, and then refused: the first part was made.
    let events = one.ask(priced(), vec![text(), retrying(), Err(network())]);
    assert_eq!(cost_of(&events), Some(110_000));
}

/// A wire that always asks for a longest answer may get one.
#[test]
fn what_is_reserved_is_the_longest_answer_that_is_asked_for() {
    let world = world();
    let terms = Terms { longest_answer: Some(16_000), conversation_limit: Some(10_000_000), ..priced() };
    let mut request = request();
    request.max_output_tokens = None;
    let ask = |terms: Terms| {
        let stream = world.limiter.admit(request.clone(), terms, Rc::clone(&world.spent), |_| {
            futures::stream::iter(answer()).boxed_local()
        });
        block_on(stream.collect::<Vec<_>>())
    };
    let stopped = ask(terms.clone());
    assert!(
        matches!(stopped.as_slice(), [Err(failure)] if failure.message.contains("up to $16.10")),
        "{stopped:?}"
    );
    assert!(ask(Terms { conversation_limit: Some(17_000_000), ..terms }).iter().all(Result::is_ok));
}

#[test]
fn a_full_window_makes_it_wait_and_a_long_wait_is_told() {
    let world = world();
    let terms = |calls| Terms {
        rates: Some(Rates { calls_per_minute: Some(calls), tokens_per_hour: None }),
        ..Terms::default()
    };
    world.ask(terms(1), answer());
    NOW_MS.set(56_000);
    let waited = world.ask(terms(1), answer());
    let Some(Ok(ModelEvent::Retrying { attempt: 1, after_ms: 4_000, failure })) = waited.first() else {
        panic!("{waited:?}")
    };
    assert_eq!(failure.kind, FailureKind::RateLimited);
    assert_eq!((NOW_MS.get(), world.made.get()), (60_000, 2), "it is made as soon as it may");
    let told = world.ask(terms(1), answer());
    let [Err(failure)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((failure.kind, failure.retry_after_ms), (FailureKind::RateLimited, Some(60_000)));
    assert_eq!(
        failure.message,
        "Your own limit of 1 request a minute is reached. It has room again in about a minute."
    );
    assert!(failure.is_own_limit);
    // By tokens: an answer that was shorter than it might have been leaves room.
    let world = self::world();
    let tokens = Rates { calls_per_minute: None, tokens_per_hour: Some(300) };
    let terms = Terms { rates: Some(tokens), ..Terms::default() };
    assert!(world.ask(terms.clone(), answer()).iter().all(Result::is_ok));
    assert!(world.ask(terms.clone(), answer()).iter().all(Result::is_ok), "100 are used, 200 may be");
    assert!(world.ask(terms, answer()).iter().all(Result::is_err));
    let small = Rates { calls_per_minute: None, tokens_per_hour: Some(150) };
    let never = world.ask(Terms { rates: Some(small), ..Terms::default() }, answer());
    assert!(matches!(never.as_slice(), [Err(failure)] if failure.retry_after_ms.is_none()), "{never:?}");
    assert_eq!(world.made.get(), 2);
}

/// One that is stopped while it waits was never made: it costs nothing, and takes no room.
#[test]
fn a_request_that_is_stopped_while_it_waits_costs_nothing() {
    let world = world();
    let terms = Terms { rates: Some(Rates { calls_per_minute: Some(1), tokens_per_hour: None }), ..priced() };
    world.ask(terms.clone(), answer());
    NOW_MS.set(58_000);
    let mut waiting = world.stream(terms, answer());
    assert!(matches!(waiting.next().now_or_never(), Some(Some(Ok(ModelEvent::Retrying { .. })))));
    drop(waiting);
    assert_eq!((world.made.get(), world.spent.get(), world.month.0.get()), (1, 100_000, 100_000));
}

/// What is reserved while a request is on its way is what another page sees of it.
#[test]
fn a_ledger_that_fails_is_no_reason_to_spend() {
    struct Broken(RefCell<Vec<u64>>);
    #[async_trait(?Send)]
    impl Ledger for Broken {
        async fn reserve(&self, _: u64, _: &dyn Fn(u64) -> Result<(), Failure>) -> Result<Reserved, Failure> {
            Err(Failure::new(FailureKind::RetryableNetwork, "no storage"))
        }
        fn settle(&self, _: Reserved, cost: u64) {
            self.0.borrow_mut().push(cost);
        }
    }
    let ledger = Rc::new(Broken(RefCell::default()));
    let limiter = RequestLimiter::new(Jumping, Rc::clone(&ledger), || 0);
    let events = limiter.admit(request(), priced(), Rc::default(), |_| panic!("it is asked"));
    let events: Vec<_> = block_on(events.collect());
    assert!(matches!(events.as_slice(), [Err(failure)] if failure.message == "no storage"), "{events:?}");
    assert!(ledger.0.borrow().is_empty());
}

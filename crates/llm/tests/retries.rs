//! Retries, breaker and stalls, over virtual time: a clock that only moves when everything waits.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::{iter, pending};
use llm::{
    Breaker, Client, Decision, Endpoint, HttpRequest, HttpResponse, Permit, RetryPolicy, Timer, Transport,
    TransportError,
};
use protocol::{Failure, FailureKind, Message, ModelEvent, ModelRequest, RunId, StopReason};

const START_MS: i64 = 1_795_300_200_000;

/// The clock, and who waits for which moment.
#[derive(Clone, Default)]
struct VirtualTime {
    now_ms: Rc<Cell<i64>>,
    waiting: Rc<RefCell<Vec<i64>>>,
    jitter: f64,
}

struct Sleep(VirtualTime, i64);

impl Future for Sleep {
    type Output = ();
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0.now_ms.get() >= self.1 {
            return Poll::Ready(());
        }
        self.0.waiting.borrow_mut().push(self.1);
        Poll::Pending
    }
}

#[async_trait(?Send)]
impl Timer for VirtualTime {
    fn now_ms(&self) -> i64 {
        START_MS + self.now_ms.get()
    }
    fn jitter(&self) -> f64 {
        self.jitter
    }
    async fn sleep(&self, ms: u64) {
        Sleep(self.clone(), self.now_ms.get() + i64::try_from(ms).unwrap()).await;
    }
}

impl VirtualTime {
    /// Runs a future; whenever it can only wait, the clock jumps to the next moment waited for.
    fn run<F: Future>(&self, future: F) -> F::Output {
        let mut future = Box::pin(future);
        loop {
            self.waiting.borrow_mut().clear();
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return output;
            }
            let next = self.waiting.borrow().iter().copied().min();
            self.now_ms.set(next.expect("it waits for something that never comes"));
        }
    }
}

#[derive(Clone)]
enum Answer {
    Http(u16, &'static str, &'static str),
    /// Bytes, then a cut.
    Cut(&'static str),
    /// Bytes, then silence.
    Silent(&'static str),
    Unreachable,
    Never,
}

struct Script(RefCell<VecDeque<Answer>>, Rc<Cell<u32>>);

#[async_trait(?Send)]
impl Transport for Script {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        assert_eq!(request.url, "api/llm/x/chat/completions");
        self.1.set(self.1.get() + 1);
        let answer = self.0.borrow_mut().pop_front().expect("an attempt too many");
        let bytes = |text: &str| Ok(text.as_bytes().to_vec());
        let (status, head, body) = match answer {
            Answer::Http(status, head, body) => (status, head, iter([bytes(body)]).boxed_local()),
            Answer::Cut(body) => {
                (200, "", iter([bytes(body), Err(TransportError::Cut("reset".into()))]).boxed_local())
            }
            Answer::Silent(body) => (200, "", iter([bytes(body)]).chain(pending()).boxed_local()),
            Answer::Unreachable => return Err(TransportError::Unreachable(String::new())),
            Answer::Never => std::future::pending().await,
        };
        let headers = head.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        Ok(HttpResponse { status, headers: headers.into_iter().collect(), body })
    }
}

const GOOD: Answer = Answer::Http(
    200,
    "",
    "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n",
);
const HALF: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}\n\n";
const CALL: &str = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"t\"}}]}}]}\n\n";

struct Bench {
    time: VirtualTime,
    client: Client<Script, VirtualTime>,
    attempts: Rc<Cell<u32>>,
}

fn bench(answers: &[Answer]) -> Bench {
    let (time, attempts) = (VirtualTime::default(), Rc::new(Cell::new(0)));
    let script = Script(RefCell::new(answers.iter().cloned().collect()), Rc::clone(&attempts));
    Bench { client: Client::new(script, time.clone()), time, attempts }
}

impl Bench {
    /// One message: what came, in short, and when it was over.
    fn say(&self) -> (String, i64) {
        let request = ModelRequest {
            run_id: RunId("run_1".into()),
            step: 1,
            model: "m".into(),
            messages: vec![Message::user("Hello").into()],
            tools: vec![],
            temperature: None,
            max_output_tokens: None,
        };
        let events = self.client.stream_with_retries(&Endpoint::open("api/llm/x"), &request);
        let events: Vec<_> = self.time.run(events.collect());
        let short = events.into_iter().map(|event| match event {
            Ok(ModelEvent::TextDelta { text }) => text,
            Ok(ModelEvent::ToolCallDelta { .. }) => "call".to_owned(),
            Ok(ModelEvent::Done { reason: StopReason::Stop }) => "done".to_owned(),
            Ok(ModelEvent::Retrying { attempt, after_ms, failure }) => {
                format!("[{:?}, attempt {attempt} after {after_ms}]", failure.kind)
            }
            Ok(other) => format!("{other:?}"),
            Err(failure) => format!("{:?}", failure.kind),
        });
        (short.collect::<Vec<_>>().join(" "), self.time.now_ms.get())
    }
}

#[test]
fn a_message_is_tried_again_where_that_helps() {
    use Answer::*;
    let rows: Vec<(&str, Vec<Answer>, &str, i64)> = vec![
        ("works at once", vec![GOOD], "Hi done", 0),
        (
            "a server error, twice",
            vec![Http(500, "", ""), Http(502, "", ""), GOOD],
            "[RetryableNetwork, attempt 2 after 500] [RetryableNetwork, attempt 3 after 1000] Hi done",
            1_500,
        ),
        (
            "at most two retries",
            vec![Unreachable, Unreachable, Unreachable],
            "[RetryableNetwork, attempt 2 after 500] [RetryableNetwork, attempt 3 after 1000] RetryableNetwork",
            1_500,
        ),
        (
            "the header's wait comes first",
            vec![Http(429, "retry-after: 7", ""), GOOD],
            "[RateLimited, attempt 2 after 7000] Hi done",
            7_000,
        ),
        ("too long a wait is told, not waited", vec![Http(429, "retry-after: 61", "")], "RateLimited", 0),
        (
            "text that was cut is void",
            vec![Cut(HALF), GOOD],
            "Hal [RetryableNetwork, attempt 2 after 500] Hi done",
            500,
        ),
        (
            "an error in the stream, with its wait",
            vec![
                Http(
                    200,
                    "",
                    "data: {\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"try again in 1.5s\"}}\n\n",
                ),
                GOOD,
            ],
            "[RateLimited, attempt 2 after 1500] Hi done",
            1_500,
        ),
        ("never after a tool call", vec![Cut(CALL)], "call RetryableNetwork", 0),
        ("a wrong request", vec![Http(400, "", "")], "Validation", 0),
        ("a wrong key", vec![Http(401, "", "")], "PermissionDenied", 0),
        ("used-up quota", vec![Http(429, "", r#"{"error":{"code":"insufficient_quota"}}"#)], "CostLimit", 0),
        ("a web page", vec![Http(200, "content-type: text/html", "<html>")], "Validation", 0),
        (
            "nothing comes at all",
            vec![Never, GOOD],
            "[RetryableNetwork, attempt 2 after 500] Hi done",
            600_500,
        ),
        (
            "nothing more comes",
            vec![Silent(HALF), GOOD],
            "Hal [RetryableNetwork, attempt 2 after 500] Hi done",
            600_500,
        ),
    ];
    for (what, answers, expected, at_ms) in rows {
        let bench = bench(&answers);
        assert_eq!(bench.say(), (expected.to_owned(), at_ms), "{what}");
        assert_eq!(bench.attempts.get() as usize, answers.len(), "{what}");
    }
}

#[test]
fn an_endpoint_that_keeps_breaking_is_left_alone_for_a_while() {
    let down = Answer::Http(503, "", "");
    let bench =
        bench(&[down.clone(), down.clone(), down.clone(), down.clone(), down.clone(), down, GOOD, GOOD]);
    let wait = |attempt, ms| format!("[Overloaded, attempt {attempt} after {ms}]");
    assert_eq!(bench.say(), (format!("{} {} Overloaded", wait(2, 500), wait(3, 1000)), 1_500));
    // The fifth failure in a row opens the breaker: no third attempt, and the next message is not sent.
    assert_eq!(bench.say(), (format!("{} Overloaded", wait(2, 500)), 2_000));
    assert_eq!((bench.say().0.as_str(), bench.attempts.get()), ("Overloaded", 5));
    // After the pause one attempt tries; it fails, and the pause starts again.
    bench.time.now_ms.set(17_000);
    assert_eq!((bench.say().0.as_str(), bench.attempts.get()), ("Overloaded", 6));
    assert_eq!((bench.say().0.as_str(), bench.attempts.get()), ("Overloaded", 6));
    // Once it works, it is closed.
    bench.time.now_ms.set(32_000);
    assert_eq!((bench.say().0.as_str(), bench.say().0.as_str()), ("Hi done", "Hi done"));
}

#[test]
fn a_dropped_stream_sends_nothing_more() {
    let bench = bench(&[Answer::Cut(HALF), GOOD]);
    let request = ModelRequest {
        run_id: RunId("run_1".into()),
        step: 1,
        model: "m".into(),
        messages: vec![],
        tools: vec![],
        temperature: None,
        max_output_tokens: None,
    };
    let mut events = bench.client.stream_with_retries(&Endpoint::open("api/llm/x"), &request);
    let first = bench.time.run(events.next());
    assert_eq!(first, Some(Ok(ModelEvent::TextDelta { text: "Hal".into() })));
    drop(events);
    assert_eq!(bench.attempts.get(), 1);
}

#[test]
fn the_policy_by_rows() {
    let policy = RetryPolicy::default();
    let failed = |kind, retry_after_ms| Failure { retry_after_ms, ..Failure::new(kind, "It failed.") };
    let network = failed(FailureKind::RetryableNetwork, None);
    for (attempt, jitter, after_ms) in [
        (1, 0.0, 500),
        (1, 1.0, 375),
        (1, 0.5, 438),
        (2, 0.0, 1_000),
        (2, 1.0, 750),
        (1, -3.0, 500),
        (1, 9.0, 375),
    ] {
        assert_eq!(
            policy.decide(attempt, &network, jitter),
            Decision::Retry { after_ms },
            "{attempt} {jitter}"
        );
    }
    assert_eq!(policy.decide(3, &network, 0.0), Decision::GiveUp(network.clone()));
    // The cap, seen with more retries allowed.
    let patient = RetryPolicy { max_retries: 100, ..policy };
    assert_eq!(patient.decide(5, &network, 0.0), Decision::Retry { after_ms: 8_000 });
    assert_eq!(patient.decide(90, &network, 0.0), Decision::Retry { after_ms: 8_000 });
    // A wait that was asked for is kept exactly, up to a minute; a longer one is said in words.
    let asked = |ms| policy.decide(1, &failed(FailureKind::RateLimited, Some(ms)), 1.0);
    assert_eq!(asked(60_000), Decision::Retry { after_ms: 60_000 });
    for (ms, words) in [(60_001, "61 seconds"), (150_000, "3 minutes"), (7_200_000, "2 hours")] {
        let Decision::GiveUp(failure) = asked(ms) else { panic!("{ms} was waited for") };
        assert_eq!(failure.message, format!("It failed. Try again in about {words}."));
    }
    use FailureKind::*;
    for kind in [Validation, ToolNotFound, PermissionDenied, ContextLimit, CostLimit, Cancelled] {
        let failure = failed(kind, Some(1));
        assert_eq!(policy.decide(1, &failure, 0.0), Decision::GiveUp(failure));
    }
}

#[test]
fn the_breaker_survives_a_clock_set_back() {
    let mut breaker = Breaker::default();
    for _ in 0..Breaker::THRESHOLD {
        assert_eq!(breaker.permit(START_MS), Permit::Go);
        breaker.failed(FailureKind::RetryableNetwork, START_MS);
    }
    assert_eq!(breaker.permit(START_MS + 1), Permit::Wait { ms: Breaker::PAUSE_MS - 1 });
    assert_eq!(breaker.permit(START_MS - 1), Permit::Go);
    // An endpoint that answers, if only to refuse, is not broken.
    breaker.failed(FailureKind::PermissionDenied, START_MS);
    assert_eq!(breaker, Breaker::default());
}

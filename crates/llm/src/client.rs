//! Codec, taxonomy, policy and breaker put together: a request in, a stream of events out.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use async_stream::stream;
use futures::future::{Either, select};
use futures::stream::LocalBoxStream;
use futures::{FutureExt, StreamExt};
use protocol::{Failure, FailureKind, ModelEvent, ModelRequest};

use crate::stream::decode;
use crate::{
    Breaker, ByteStream, Decision, Endpoint, HttpRequest, HttpResponse, Permit, RetryPolicy, Timer,
    Transport, TransportError, Wire, failure_of_response, failure_of_transport,
};

/// What a model streams back. It ends after `Done` or after the one `Err`; dropping it ends the request.
pub type EventStream = LocalBoxStream<'static, Result<ModelEvent, Failure>>;

/// The most of an error answer that is read, in bytes.
const ERROR_BODY_LIMIT: usize = 64 * 1024;

/// Streams model responses, trying again where D-15 allows it. Cheap to clone; clones share the
/// breakers.
pub struct Client<T, C> {
    transport: Rc<T>,
    timer: Rc<C>,
    policy: RetryPolicy,
    breakers: Rc<RefCell<BTreeMap<String, Breaker>>>,
}

impl<T, C> Clone for Client<T, C> {
    fn clone(&self) -> Self {
        Self {
            transport: Rc::clone(&self.transport),
            timer: Rc::clone(&self.timer),
            policy: self.policy,
            breakers: Rc::clone(&self.breakers),
        }
    }
}

impl<T: Transport + 'static, C: Timer + 'static> Client<T, C> {
    /// A client with the default policy.
    #[must_use]
    pub fn new(transport: T, timer: C) -> Self {
        Self::with_policy(transport, timer, RetryPolicy::default())
    }

    /// A client with a policy of one's own.
    #[must_use]
    pub fn with_policy(transport: T, timer: C, policy: RetryPolicy) -> Self {
        Self { transport: Rc::new(transport), timer: Rc::new(timer), policy, breakers: Rc::default() }
    }

    /// Asks a model. A failed attempt is made again at most twice, header first, and never once any
    /// part of a tool call was handed on: from then on the caller may have acted on it, and only the
    /// journal knows how to go on. `ModelEvent::Retrying` says that what came so far is void.
    #[must_use]
    pub fn stream_with_retries(&self, endpoint: &Endpoint, request: &ModelRequest) -> EventStream {
        let client = self.clone();
        let (http, wire) = (endpoint.encode(request), endpoint.wire);
        let name = endpoint.base_url.clone();
        let request = request.clone();
        stream! {
            if let Err(failure) = client.permit(&name) {
                yield Err(failure);
                return;
            }
            let mut attempt = 1;
            loop {
                let mut tool_call_accepted = false;
                let mut failed = None;
                let mut events = client.attempt(http.clone(), wire, &request);
                while let Some(event) = events.next().await {
                    match event {
                        Ok(event) => {
                            tool_call_accepted |= matches!(event, ModelEvent::ToolCallDelta { .. });
                            yield Ok(event);
                        }
                        Err(failure) => {
                            failed = Some(failure);
                            break;
                        }
                    }
                }
                drop(events);
                client.record(&name, failed.as_ref());
                let Some(failure) = failed else { return };
                let decision = if tool_call_accepted || client.permit(&name).is_err() {
                    Decision::GiveUp(failure.clone())
                } else {
                    client.policy.decide(attempt, &failure, client.timer.jitter())
                };
                match decision {
                    Decision::GiveUp(failure) => {
                        yield Err(failure);
                        return;
                    }
                    Decision::Retry { after_ms } => {
                        attempt += 1;
                        yield Ok(ModelEvent::Retrying { attempt, after_ms, failure });
                        client.timer.sleep(after_ms).await;
                    }
                }
            }
        }
        .boxed_local()
    }

    /// One attempt, without any second thought.
    fn attempt(&self, http: HttpRequest, wire: Wire, request: &ModelRequest) -> EventStream {
        let client = self.clone();
        let decoder = wire.decoder(request);
        stream! {
            let sent = client.transport.send(http);
            let response = match select(sent, client.stalled().boxed_local()).await {
                Either::Left((response, _)) => response.map_err(|error| failure_of_transport(&error)),
                Either::Right((failure, _)) => Err(failure),
            };
            let HttpResponse { status, headers, body } = match response {
                Ok(response) => response,
                Err(failure) => {
                    yield Err(failure);
                    return;
                }
            };
            let body = client.watched(body);
            if !(200..300).contains(&status) {
                let body = read_some(body, ERROR_BODY_LIMIT).await;
                yield Err(failure_of_response(status, &headers, &body, client.timer.now_ms()));
                return;
            }
            let mut events = decode(&headers, body, decoder, client.timer.now_ms());
            while let Some(event) = events.next().await {
                yield event;
            }
        }
        .boxed_local()
    }

    /// The body, ended as cut when nothing comes for too long.
    fn watched(&self, body: ByteStream) -> ByteStream {
        let client = self.clone();
        futures::stream::unfold(Some(body), move |body| {
            let client = client.clone();
            async move {
                let mut body = body?;
                let next = match select(body.next(), client.stalled().boxed_local()).await {
                    Either::Left((next, _)) => next,
                    Either::Right((failure, _)) => {
                        return Some((Err(TransportError::Cut(failure.message)), None));
                    }
                };
                Some((next?, Some(body)))
            }
        })
        .boxed_local()
    }

    async fn stalled(&self) -> Failure {
        self.timer.sleep(self.policy.stall_ms).await;
        let seconds = self.policy.stall_ms / 1_000;
        Failure::new(FailureKind::RetryableNetwork, format!("The model sent nothing for {seconds} seconds."))
    }

    fn permit(&self, endpoint: &str) -> Result<(), Failure> {
        let breakers = self.breakers.borrow();
        match breakers.get(endpoint).map_or(Permit::Go, |breaker| breaker.permit(self.timer.now_ms())) {
            Permit::Go => Ok(()),
            Permit::Wait { ms } => {
                let seconds = ms.div_ceil(1_000);
                let mut failure = Failure::new(
                    FailureKind::Overloaded,
                    format!(
                        "The model failed several times in a row and is left alone for {seconds} more seconds."
                    ),
                );
                failure.retry_after_ms = Some(ms);
                Err(failure)
            }
        }
    }

    fn record(&self, endpoint: &str, failed: Option<&Failure>) {
        let mut breakers = self.breakers.borrow_mut();
        let breaker = breakers.entry(endpoint.to_owned()).or_default();
        match failed {
            Some(failure) => breaker.failed(failure.kind, self.timer.now_ms()),
            None => breaker.succeeded(),
        }
    }
}

/// The start of a body; what breaks off or is too long is left out.
async fn read_some(mut body: ByteStream, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < limit {
        let Some(Ok(chunk)) = body.next().await else { break };
        bytes.extend_from_slice(&chunk);
    }
    bytes.truncate(limit);
    bytes
}

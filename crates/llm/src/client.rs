//! Codec, taxonomy, policy and breaker put together: a request in, a stream of events out. A model that takes no tools
//! is asked in words instead ([`crate::structured`]), and that is remembered.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use async_stream::stream;
use futures::future::{Either, select};
use futures::stream::LocalBoxStream;
use futures::{FutureExt, StreamExt};
use protocol::{Failure, FailureKind, ModelEvent, ModelRequest, ToolSpec};

use crate::offered::said_of;
use crate::stream::decode;
use crate::structured::{self, Asked, InMemory, refused_tool, refuses_format, refuses_tools};
use crate::{
    AnswerFormat, Breaker, ByteStream, Decision, Endpoint, HttpRequest, HttpResponse, KnownFormats, Permit,
    RetryPolicy, Timer, ToolUse, Transport, TransportError, Wire, failure_of_response, failure_of_transport,
};

/// What a model streams back. It ends after `Done` or after the one `Err`; dropping it ends the request.
pub type EventStream = LocalBoxStream<'static, Result<ModelEvent, Failure>>;

/// The most of an error answer that is read, in bytes.
const ERROR_BODY_LIMIT: usize = 64 * 1024;

/// The most tools that are left out of one answer, one after the other. More are left out of the next.
const MOST_LEFT_OUT: usize = 24;

/// A tool that an endpoint refuses for a model: its base URL, the model, the tool's name and schema.
type Refused = (String, String, String, String);

/// Streams model responses, trying again where D-15 allows it. Cheap to clone; clones share the
/// breakers.
pub struct Client<T, C> {
    transport: Rc<T>,
    timer: Rc<C>,
    policy: RetryPolicy,
    breakers: Rc<RefCell<BTreeMap<String, Breaker>>>,
    formats: Rc<dyn KnownFormats>,
    refused: Rc<RefCell<BTreeSet<Refused>>>,
}

impl<T, C> Clone for Client<T, C> {
    fn clone(&self) -> Self {
        Self {
            transport: Rc::clone(&self.transport),
            timer: Rc::clone(&self.timer),
            policy: self.policy,
            breakers: Rc::clone(&self.breakers),
            formats: Rc::clone(&self.formats),
            refused: Rc::clone(&self.refused),
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
        Self {
            transport: Rc::new(transport),
            timer: Rc::new(timer),
            policy,
            breakers: Rc::default(),
            formats: Rc::new(InMemory::default()),
            refused: Rc::default(),
        }
    }

    /// The same client, which looks elsewhere for what is known of models that take no tools, and keeps it there.
    #[must_use]
    pub fn with_formats(self, formats: Rc<dyn KnownFormats>) -> Self {
        Self { formats, ..self }
    }

    /// The same client over another transport: the breakers are shared, so that a model that is left alone is left alone by
    /// both. For a transport that watches what one request sends.
    #[must_use]
    pub fn over<U>(&self, transport: U) -> Client<U, C> {
        Client {
            transport: Rc::new(transport),
            timer: Rc::clone(&self.timer),
            policy: self.policy,
            breakers: Rc::clone(&self.breakers),
            formats: Rc::clone(&self.formats),
            refused: Rc::clone(&self.refused),
        }
    }

    /// Asks a model. A failed attempt is made again at most twice, header first, and never once any
    /// part of a tool call was handed on: from then on the caller may have acted on it, and only the
    /// journal knows how to go on. `ModelEvent::Retrying` says that what came so far is void.
    ///
    /// Where [`Endpoint::tools`] leaves it open and the endpoint refuses the tools, it is asked the same in words, within
    /// this stream and from then on. Where it refuses one tool, it is asked without that one, and `Retrying` says so, as it does
    /// (with attempt 1) in a run's first request where there are more tools than it takes.
    #[must_use]
    pub fn stream_with_retries(&self, endpoint: &Endpoint, request: &ModelRequest) -> EventStream {
        let known = self.formats.get(&endpoint.base_url, &request.model);
        let in_words = match endpoint.tools {
            _ if request.tools.is_empty() => false,
            ToolUse::Native => false,
            ToolUse::Automatic => known.is_some(),
            ToolUse::Json => true,
        };
        if in_words {
            return self.stream_in_words(endpoint, request);
        }
        let mut request = request.clone();
        if !self.refused.borrow().is_empty() {
            let all = std::mem::take(&mut request.tools);
            let is_taken =
                |tool: &Arc<ToolSpec>| !self.refused.borrow().contains(&refused(endpoint, &request, tool));
            request.tools = all.into_iter().filter(is_taken).collect();
        }
        let left_out = endpoint.left_out(&request);
        if left_out.is_empty() {
            return self.stream_with_tools(endpoint, request, MOST_LEFT_OUT);
        }
        request.tools.retain(|tool| !left_out.iter().any(|other| Arc::ptr_eq(other, tool)));
        // Said once in a run: it is kept with each request that says it, and they are many names.
        let failure = Failure::new(FailureKind::Validation, said_of(&left_out));
        let said = Ok(ModelEvent::Retrying { attempt: 1, after_ms: 0, failure });
        let said = (request.step <= 1).then_some(said);
        let rest = self.stream_with_tools(endpoint, request, MOST_LEFT_OUT);
        futures::stream::iter(said).chain(rest).boxed_local()
    }

    /// Asks with tools, without those that are refused one by one.
    fn stream_with_tools(&self, endpoint: &Endpoint, request: ModelRequest, more: usize) -> EventStream {
        let http = endpoint.encode(&request);
        if request.tools.is_empty() {
            return self.attempts(endpoint, &request, http, refuses_tools);
        }
        let tools = request.tools.clone();
        let is_refused =
            move |failure: &Failure| refuses_tools(failure) || refused_tool(failure, &tools).is_some();
        let asked = self.attempts(endpoint, &request, http, is_refused);
        let (client, endpoint) = (self.clone(), endpoint.clone());
        or_else(asked, move |failure| {
            if endpoint.tools == ToolUse::Automatic && refuses_tools(failure) {
                return Some(client.stream_in_words(&endpoint, &request));
            }
            let at = refused_tool(failure, &request.tools).filter(|_| more > 0)?;
            let mut request = request;
            let tool = request.tools.remove(at);
            client.refused.borrow_mut().insert(refused(&endpoint, &request, &tool));
            client.formats.left_out(&endpoint.base_url, &request.model, &tool.title);
            let said = format!(
                "“{}” is left out, because this model’s provider refuses it. {}",
                tool.title, failure.message
            );
            let failure = Failure { message: said, ..failure.clone() };
            let left_out = Ok(ModelEvent::Retrying { attempt: 2, after_ms: 0, failure });
            let rest = client.stream_with_tools(&endpoint, request, more - 1);
            Some(futures::stream::iter([left_out]).chain(rest).boxed_local())
        })
    }

    /// Asks a model that takes no tools.
    fn stream_in_words(&self, endpoint: &Endpoint, request: &ModelRequest) -> EventStream {
        let (client, endpoint) = (self.clone(), endpoint.clone());
        structured::answer(request, move |asked| {
            let known = client.formats.get(&endpoint.base_url, &asked.request.model);
            client.ask_as(known.unwrap_or(endpoint.wire.strictest_format()), &endpoint, asked)
        })
    }

    /// Asks for JSON in a format, or in a lower one where that is refused.
    fn ask_as(&self, format: AnswerFormat, endpoint: &Endpoint, asked: &Asked) -> EventStream {
        let http = endpoint.encode_as(&asked.request, format, &asked.schema);
        let events = self.attempts(endpoint, &asked.request, http, refuses_format);
        let formats = Rc::clone(&self.formats);
        let (base_url, model) = (endpoint.base_url.clone(), asked.request.model.clone());
        let events = events
            .inspect(move |event| {
                let is_new = formats.get(&base_url, &model) != Some(format);
                if is_new && matches!(event, Ok(ModelEvent::Done { .. })) {
                    formats.put(&base_url, &model, format);
                }
            })
            .boxed_local();
        let (client, endpoint, asked) = (self.clone(), endpoint.clone(), asked.clone());
        or_else(events, move |failure| {
            let lower = format.lower().filter(|_| refuses_format(failure))?;
            Some(client.ask_as(lower, &endpoint, &asked))
        })
    }

    /// One request, with its retries; one that is refused for good is not made again.
    fn attempts(
        &self,
        endpoint: &Endpoint,
        request: &ModelRequest,
        http: HttpRequest,
        is_refused: impl Fn(&Failure) -> bool + 'static,
    ) -> EventStream {
        let client = self.clone();
        let wire = endpoint.wire;
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
                // llama.cpp refuses what it does not take with a server's error.
                let is_final = tool_call_accepted || is_refused(&failure) || client.permit(&name).is_err();
                let decision = if is_final {
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

/// A tool as it is remembered to be refused. Another schema is another tool.
fn refused(endpoint: &Endpoint, request: &ModelRequest, tool: &ToolSpec) -> Refused {
    (endpoint.base_url.clone(), request.model.clone(), tool.name.clone(), tool.input_schema.to_string())
}

/// The events of a stream, and of another instead of a failure, where there is one and nothing has come of the first.
fn or_else(
    mut events: EventStream,
    other: impl FnOnce(&Failure) -> Option<EventStream> + 'static,
) -> EventStream {
    stream! {
        let mut is_fresh = true;
        let failure = loop {
            match events.next().await {
                Some(Ok(event)) => {
                    is_fresh = matches!(event, ModelEvent::Retrying { .. });
                    yield Ok(event);
                }
                Some(Err(failure)) => break failure,
                None => return,
            }
        };
        drop(events);
        match is_fresh.then(|| other(&failure)).flatten() {
            Some(mut events) => {
                while let Some(event) = events.next().await {
                    yield event;
                }
            }
            None => yield Err(failure),
        }
    }
    .boxed_local()
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

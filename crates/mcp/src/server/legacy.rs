//! The revisions with a handshake. With a runtime, `initialize` begins a session, which later requests name in a header;
//! a request without one is answered as far as it can be.

use futures::FutureExt;
use serde_json::{Map, Value, json};

use super::calls::{self, Fields, Listed};
use super::message::{Message, invalid, is_response};
use super::modern::progress_token;
use super::sessions::{LONGEST_URI_BYTES, MOST_CAPABILITIES_BYTES, MOST_SUBSCRIPTIONS, Session};
use super::streams::{self, Manner};
use super::subscriptions::Whose;
use super::{Refusal, Server, accepted, error_message, event_answer, json_answer, params, result_message};
use crate::ask::Stop;
use crate::caller::{Caller, Inner, LogLevel};
use crate::events::Events;
use crate::host::{Host, ToolCallIn, ToolCallOut};
use crate::http::{Body, Headers, HttpIn, HttpOut};
use crate::rpc::{RpcError, code};
use crate::tool::ToolDef;
use crate::version::{LEGACY_VERSIONS, Legacy};

/// More messages than this in one body are refused.
const MAX_BATCH: usize = 100;

/// What comes in of these revisions.
pub(super) enum In {
    /// A session's stream is asked for (GET), or ended (DELETE).
    NoBody,
    /// A client's answer to what a tool asked.
    Response(Value),
    /// Several messages in one body.
    Batch(Vec<Value>),
    /// A request or a notification.
    Message(Message),
}

/// Answers whatever came in.
pub(super) async fn take<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    came: In,
) -> Result<HttpOut, Refusal> {
    match came {
        In::NoBody => without_body(server, request).await,
        In::Response(body) => response(server, request, body).await,
        In::Batch(items) => batch(server, request, items).await,
        In::Message(message) => answer(server, request, message).await,
    }
}

/// Who asks: a session, or a client that keeps none.
struct Asking {
    version: Legacy,
    session: Option<(String, Session)>,
}

impl Asking {
    /// # Errors
    /// For a version that is not served, and for a session that is not there (404).
    async fn read<H>(server: &Server<H>, headers: &Headers) -> Result<Self, Refusal> {
        let named = version(headers)?;
        let Some(id) = headers.get("mcp-session-id").filter(|_| server.0.runtime.is_some()) else {
            return Ok(Self { version: named.unwrap_or(Legacy::ASSUMED), session: None });
        };
        let session = server.0.session(id).await?.ok_or_else(no_session)?;
        let agreed = Legacy::parse(&session.version).unwrap_or(Legacy::ASSUMED);
        Ok(Self { version: named.unwrap_or(agreed), session: Some((id.to_owned(), session)) })
    }
}

fn no_session() -> Refusal {
    Refusal::http(404, "There is no such session: initialize anew")
}

async fn answer<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    message: Message,
) -> Result<HttpOut, Refusal> {
    if message.method == "initialize" {
        // The handshake comes before any agreement, so its header says nothing.
        return Ok(initialize(server, message).await);
    }
    let asking = Asking::read(server, &request.headers).await;
    let asking = asking.map_err(|refusal| refusal.to(message.id.clone()))?;
    let Some(id) = message.id else {
        notified(server, &asking, &message);
        return Ok(accepted());
    };
    if message.method == "tools/call" {
        let called = call_tool(server, request, &asking, message.params, &id).await;
        // Errors ride on HTTP 200 in these revisions.
        return Ok(called.unwrap_or_else(|error| json_answer(200, error_message(Some(id), &error))));
    }
    let result = result(server, &asking, &message.method, message.params).await;
    Ok(json_answer(200, envelope(id, result)))
}

/// What a client says without asking.
fn notified<H>(server: &Server<H>, asking: &Asking, message: &Message) {
    if message.method == "notifications/cancelled"
        && let Some(((session, _), of)) = asking.session.as_ref().zip(message.params.get("requestId"))
    {
        server.0.running.cancel(session, of);
    }
}

fn envelope(id: Value, result: Result<Fields, RpcError>) -> String {
    match result {
        Ok(result) => result_message(&id, result),
        Err(error) => error_message(Some(id), &error),
    }
}

/// A session's stream (GET), and its end (DELETE).
async fn without_body<H: Host + 'static>(server: &Server<H>, request: &HttpIn) -> Result<HttpOut, Refusal> {
    let asking = Asking::read(server, &request.headers).await?;
    let Some((id, _)) = asking.session else {
        return Err(Refusal::http(405, "The endpoint takes POST only"));
    };
    if request.method == "DELETE" {
        server.0.end_session(&id).await?;
        return Ok(HttpOut { status: 204, headers: Headers::new(), body: Body::Empty });
    }
    if !super::takes_events(&request.headers) {
        return Err(Refusal::http(406, "A session's stream is text/event-stream"));
    }
    let listening = server.0.subscriptions.listen(Whose::Session(id), None, None);
    Ok(event_answer(Events::new(listening.map_err(Refusal::too_many)?)))
}

/// Whether a body that is a response may be meant for us.
pub(super) fn takes_responses<H>(server: &Server<H>, headers: &Headers) -> bool {
    server.0.runtime.is_some() && headers.get("mcp-session-id").is_some() && !super::is_modern(headers)
}

/// A client's answer to what a tool asked.
async fn response<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    body: Value,
) -> Result<HttpOut, Refusal> {
    let asking = Asking::read(server, &request.headers).await?;
    let Some((session, _)) = asking.session else { return Err(no_session()) };
    responded(server, &session, body);
    Ok(accepted())
}

/// Hands an answer to the call that asked. One that nobody waits for any longer is taken all the same.
fn responded<H>(server: &Server<H>, session: &str, mut body: Value) {
    let answer = match body.get_mut("result").map(Value::take) {
        Some(result) => Ok(result),
        None => {
            let said = body["error"]["message"].as_str().unwrap_or("no reason given");
            Err(RpcError::internal(format!("The client could not answer: {}", calls::short(said))))
        }
    };
    server.0.running.answered(session, &body["id"], answer);
}

/// Several messages in one body, answered in order.
async fn batch<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    items: Vec<Value>,
) -> Result<HttpOut, Refusal> {
    let asking = Asking::read(server, &request.headers).await?;
    if !asking.version.has_batches() {
        return Err(invalid("Batches exist in 2025-03-26 only"));
    }
    if items.is_empty() || items.len() > MAX_BATCH {
        return Err(invalid("A batch holds 1 to 100 messages"));
    }
    // Answers to what was asked may come among the others.
    let takes_responses = takes_responses(server, &request.headers);
    let (responses, items): (Vec<Value>, Vec<Value>) =
        items.into_iter().partition(|item| takes_responses && is_response(item));
    // One that is wrong refuses all of them, so the answer is to none of their ids.
    let messages = items.into_iter().map(Message::read).collect::<Result<Vec<_>, _>>();
    let messages = messages.map_err(|refusal| refusal.to(None))?;
    let is_foreign = |message: &Message| {
        message.method == "initialize"
            || matches!(super::protocol_version(message, &Headers::new()), super::ProtocolVersion::Modern)
    };
    if messages.iter().any(is_foreign) {
        return Err(invalid("This message must come alone"));
    }
    if let Some((session, _)) = &asking.session {
        responses.into_iter().for_each(|response| responded(server, session, response));
    }
    let mut answers = Vec::new();
    for (place, message) in messages.into_iter().enumerate() {
        let Some(id) = message.id else {
            notified(server, &asking, &message);
            continue;
        };
        // Two equal calls of one batch are two calls.
        let result = if message.method == "tools/call" {
            let bytes = [request.body.as_slice(), &place.to_le_bytes()].concat();
            match calls::read_call(server, message.params, &bytes) {
                Ok(call) => called(params::run(server, call).await, asking.version),
                Err(error) => Err(error),
            }
        } else {
            result(server, &asking, &message.method, message.params).await
        };
        answers.push(envelope(id, result));
    }
    Ok(if answers.is_empty() { accepted() } else { json_answer(200, format!("[{}]", answers.join(","))) })
}

/// The revision that a request's header names.
fn version(headers: &Headers) -> Result<Option<Legacy>, Refusal> {
    let Some(header) = headers.get("mcp-protocol-version") else { return Ok(None) };
    Legacy::parse(header).map(Some).ok_or_else(|| {
        let data = json!({ "supported": LEGACY_VERSIONS, "requested": header });
        let error = RpcError::new(code::INVALID_REQUEST, "Unsupported protocol version");
        Refusal::new(400, RpcError { data: Some(data), ..error })
    })
}

/// A `tools/call`: as a stream where there may be something to say on the way.
async fn call_tool<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    asking: &Asking,
    params: Map<String, Value>,
    id: &Value,
) -> Result<HttpOut, RpcError> {
    let call = calls::read_call(server, params, &request.body)?;
    let session = asking.session.as_ref();
    let mut who = Inner {
        capabilities: session.map(|(_, session)| session.capabilities.clone()).unwrap_or_default(),
        progress_token: progress_token(&call.meta),
        log_level: session.and_then(|(_, session)| LogLevel::parse(session.log_level.as_deref()?)),
        ..Inner::default()
    };
    let may_ask = || {
        server.0.host.may_talk(&call.name)
            || (Caller::new(who.clone()).can_fill_forms() && params::are_missing(server, &call))
    };
    let may_talk =
        who.progress_token.is_some() || (session.is_some() && (who.log_level.is_some() || may_ask()));
    let streams = may_talk && super::takes_events(&request.headers);
    if !streams {
        // There is no way to ask on.
        who.capabilities.clear();
    }
    let manner = Manner {
        streams,
        gone_is_cancelled: false,
        session: session.map(|(session, _)| (session.clone(), id.clone())),
    };
    let (server_too, id, version) = (server.clone(), id.clone(), asking.version);
    let answer = streams::answer(server, who, manner, move |caller| {
        async move {
            let call = ToolCallIn { caller: caller.clone(), ..call };
            let result = called(params::run(&server_too, call).await, version);
            // A call that was cancelled is not answered.
            (200, (!caller.is_cancelled()).then(|| envelope(id, result)))
        }
        .boxed_local()
    });
    Ok(answer.await)
}

/// A call's end in these revisions.
fn called(outcome: Result<ToolCallOut, Stop>, version: Legacy) -> Result<Fields, RpcError> {
    match outcome {
        Ok(out) => Ok(calls::call_result(out, version.has_structured_content())),
        Err(Stop::Error(error)) => Err(known_error(error)),
        Err(Stop::Ask(_)) => Err(RpcError::new(
            code::INVALID_REQUEST,
            "This has to be asked on a stream: accept text/event-stream",
        )),
    }
}

/// A missing capability has a code in a later revision only.
fn known_error(error: RpcError) -> RpcError {
    match error.code {
        code::MISSING_CAPABILITY => RpcError { code: code::INVALID_REQUEST, ..error },
        _ => error,
    }
}

/// Every other method of this protocol version.
async fn result<H: Host + 'static>(
    server: &Server<H>,
    asking: &Asking,
    method: &str,
    params: Map<String, Value>,
) -> Result<Fields, RpcError> {
    let version = asking.version;
    let fields = match method {
        "ping" => Ok(Map::new()),
        "tools/list" => {
            let page = calls::list_tools(server, &params)?;
            Ok(calls::listing("tools", page, |tool| listed_tool(version, tool)))
        }
        "resources/list" => {
            let mut result = calls::list_resources(server, &params).await?;
            if let Some(Value::Array(resources)) = result.get_mut("resources") {
                resources.iter_mut().for_each(|resource| drop_title(version, resource));
            }
            Ok(result)
        }
        "resources/templates/list" => {
            calls::no_cursor(&params)?;
            let page = Listed { items: server.0.host.resource_templates(), next_cursor: None };
            Ok(calls::listing("resourceTemplates", page, |template| {
                let mut template = json!(template);
                drop_title(version, &mut template);
                template
            }))
        }
        "resources/read" => calls::read_resource(server, &params).await.map_err(resource_error),
        "resources/subscribe" | "resources/unsubscribe" if server.0.runtime.is_some() => {
            subscribe(server, asking, &params, method == "resources/subscribe").await
        }
        "prompts/list" if !server.0.host.prompts().is_empty() => {
            calls::no_cursor(&params)?;
            let page = Listed { items: server.0.host.prompts(), next_cursor: None };
            Ok(calls::listing("prompts", page, |prompt| {
                let mut prompt = json!(prompt);
                drop_title(version, &mut prompt);
                prompt
            }))
        }
        "prompts/get" if !server.0.host.prompts().is_empty() => {
            let mut params = params;
            let request = calls::read_prompt(server, &mut params)?;
            match server.0.host.get_prompt(request).await {
                Ok(out) => Ok(calls::prompt_result(out)),
                Err(Stop::Error(error)) => Err(known_error(error)),
                Err(Stop::Ask(_)) => {
                    Err(RpcError::internal("This prompt has to ask, which this revision cannot"))
                }
            }
        }
        "completion/complete" => calls::complete(server, &params).await,
        "logging/setLevel" if server.0.runtime.is_some() => set_level(server, asking, &params).await,
        _ => Err(calls::unknown_method(method)),
    };
    fields.map(Fields::from)
}

/// The handshake. With a runtime it begins a session.
async fn initialize<H: Host + 'static>(server: &Server<H>, message: Message) -> HttpOut {
    let Some(id) = message.id else { return accepted() };
    let begun = async {
        let asked = message.params.get("protocolVersion").and_then(Value::as_str);
        let asked = asked.ok_or_else(|| RpcError::invalid_params("`protocolVersion` must be a string"))?;
        let version = Legacy::parse(asked).unwrap_or(Legacy::NEWEST);
        let Some(Value::Object(capabilities)) = message.params.get("capabilities").cloned() else {
            return Err(RpcError::invalid_params("`capabilities` must be an object"));
        };
        if !message.params.get("clientInfo").is_some_and(Value::is_object) {
            return Err(RpcError::invalid_params("`clientInfo` must be an object"));
        }
        let session = match server.0.runtime {
            None => None,
            Some(_) => {
                if json!(capabilities).to_string().len() > MOST_CAPABILITIES_BYTES {
                    return Err(RpcError::invalid_params("`capabilities` is longer than 64 KiB"));
                }
                let version = version.as_str().to_owned();
                Some(server.0.begin_session(Session { version, capabilities, ..Session::default() }).await?)
            }
        };
        Ok::<_, RpcError>((version, session))
    };
    let (version, session) = match begun.await {
        Ok(begun) => begun,
        Err(error) => return json_answer(200, error_message(Some(id), &error)),
    };
    let mut info = calls::server_info(server);
    drop_title(version, &mut info);
    let mut capabilities = calls::capabilities(server);
    if server.0.runtime.is_some() {
        capabilities.insert("logging".into(), json!({}));
    }
    let mut result = Map::new();
    result.insert("protocolVersion".into(), version.as_str().into());
    result.insert("capabilities".into(), Value::Object(capabilities));
    result.insert("serverInfo".into(), info);
    result.insert("instructions".into(), server.0.info.instructions.clone().into());
    let mut answer = json_answer(200, result_message(&id, result.into()));
    if let Some(session) = session {
        answer.headers.add("mcp-session-id", &session);
    }
    answer
}

/// Changes what a session is subscribed to. Without a session there is nobody to tell.
async fn subscribe<H>(
    server: &Server<H>,
    asking: &Asking,
    params: &Map<String, Value>,
    is_wanted: bool,
) -> Result<Map<String, Value>, RpcError> {
    let Some(Value::String(uri)) = params.get("uri") else {
        return Err(RpcError::invalid_params("`uri` must be a string"));
    };
    let Some((id, _)) = &asking.session else {
        return Err(RpcError::new(code::INVALID_REQUEST, "A subscription needs a session"));
    };
    if is_wanted && uri.len() > LONGEST_URI_BYTES {
        return Err(RpcError::invalid_params("The address is longer than 2,048 bytes"));
    }
    let change = |session: &mut Session| {
        session.subscriptions.retain(|known| known != uri);
        if is_wanted {
            if session.subscriptions.len() >= MOST_SUBSCRIPTIONS {
                return Err(RpcError::invalid_params("A session has at most 1,000 subscriptions"));
            }
            session.subscriptions.push(uri.clone());
        }
        Ok(())
    };
    server.0.change_session(id, change).await?;
    Ok(Map::new())
}

async fn set_level<H>(
    server: &Server<H>,
    asking: &Asking,
    params: &Map<String, Value>,
) -> Result<Map<String, Value>, RpcError> {
    let level = params.get("level").and_then(Value::as_str).filter(|level| LogLevel::parse(level).is_some());
    let level = level.ok_or_else(|| RpcError::invalid_params("`level` must be one of debug to emergency"))?;
    if let Some((id, _)) = &asking.session {
        let change = |session: &mut Session| {
            session.log_level = Some(level.to_owned());
            Ok(())
        };
        server.0.change_session(id, change).await?;
    }
    Ok(Map::new())
}

/// A tool without what the revision does not know. An output schema of these revisions is an object's.
fn listed_tool(version: Legacy, tool: &ToolDef) -> Value {
    let mut listed = json!(tool);
    drop_title(version, &mut listed);
    if let Value::Object(fields) = &mut listed
        && !(version.has_structured_content() && tool.output_schema["type"] == "object")
    {
        fields.remove("outputSchema");
    }
    if let Value::Object(fields) = &mut listed
        && !version.has_structured_content()
    {
        // A tool got its `_meta` with 2025-06-18.
        fields.remove("_meta");
    }
    listed
}

fn drop_title(version: Legacy, listed: &mut Value) {
    if let Value::Object(fields) = listed
        && !version.has_structured_content()
    {
        fields.remove("title");
    }
}

/// A missing resource has a code of its own in these revisions.
fn resource_error(error: RpcError) -> RpcError {
    let is_missing = error.code == code::INVALID_PARAMS
        && error.data.as_ref().is_some_and(|data| data.get("uri").is_some());
    if is_missing { RpcError { code: code::LEGACY_RESOURCE_NOT_FOUND, ..error } } else { error }
}

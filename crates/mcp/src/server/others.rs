//! The stateless revision beyond listing and plainly calling tools: what is asked and answered in rounds, streams, tasks,
//! resources, prompts.

use futures::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::calls::{self, Fields, Listed};
use super::message::Message;
use super::modern::{CAPABILITIES_KEY, Caching, LOG_LEVEL_KEY, SUBSCRIPTION_KEY, complete, progress_token};
use super::streams::{self, Manner};
use super::subscriptions::{Wants, Whose};
use super::{
    Refusal, Server, error_message, event_answer, json_answer, params, result_message, takes_events, tasks,
};
use crate::ask::Stop;
use crate::caller::{Caller, Inner, LogLevel};
use crate::events::Events;
use crate::host::{Host, TaskUse, ToolCallIn};
use crate::http::{Headers, HttpIn, HttpOut};
use crate::rpc::RpcError;
use crate::seal;
use crate::version::MODERN_VERSION;

/// More resources than this in one subscription are left out of it.
const MOST_SUBSCRIPTIONS: usize = 1_000;

/// Where the key of sealed states is kept.
const SEAL_KEY: &str = "mcp-seal-key";

/// Every other method of this protocol version, and every call of a tool.
pub(super) async fn answer<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    message: Message,
    id: &Value,
) -> Result<HttpOut, Refusal> {
    let Message { method, params, .. } = message;
    let (fields, caching) = match method.as_str() {
        "server/discover" => (discover(server), Caching::Static),
        "tools/call" => return call_tool(server, request, params, id).await,
        "resources/list" => (calls::list_resources(server, &params).await?, Caching::Private),
        "resources/templates/list" => {
            let page = Listed { items: server.0.host.resource_templates(), next_cursor: None };
            calls::no_cursor(&params)?;
            (calls::listing("resourceTemplates", page, |template| json!(template)), Caching::Static)
        }
        "resources/read" => (calls::read_resource(server, &params).await?, Caching::Private),
        "prompts/list" if !server.0.host.prompts().is_empty() => {
            calls::no_cursor(&params)?;
            let page = Listed { items: server.0.host.prompts(), next_cursor: None };
            (calls::listing("prompts", page, |prompt| json!(prompt)), Caching::Static)
        }
        "prompts/get" if !server.0.host.prompts().is_empty() => {
            return get_prompt(server, params, id).await;
        }
        "completion/complete" => (calls::complete(server, &params).await?, Caching::Never),
        "subscriptions/listen" if server.0.runtime.is_some() => {
            return listen(server, &request.headers, &params, id);
        }
        "tasks/get" | "tasks/update" | "tasks/cancel" if tasks::are_spoken(server) => {
            (tasks::answer(server, &method, &params).await?, Caching::Never)
        }
        _ => return Err(calls::unknown_method(&method).into()),
    };
    Ok(json_answer(200, result_message(id, complete(server, fields.into(), "complete", caching))))
}

fn discover<H: Host>(server: &Server<H>) -> Map<String, Value> {
    let mut capabilities = calls::capabilities(server);
    if server.0.host.logs() {
        capabilities.insert("logging".into(), json!({}));
    }
    let mut extensions = server.0.host.extensions();
    if !tasks::are_spoken(server) {
        extensions.remove(tasks::EXTENSION);
    }
    if !extensions.is_empty() {
        capabilities.insert("extensions".into(), Value::Object(extensions));
    }
    let mut result = Map::new();
    result.insert("supportedVersions".into(), json!([MODERN_VERSION]));
    result.insert("capabilities".into(), Value::Object(capabilities));
    result.insert("instructions".into(), server.0.info.instructions.clone().into());
    result
}

async fn call_tool<H: Host + 'static>(
    server: &Server<H>,
    request: &HttpIn,
    mut params: Map<String, Value>,
    id: &Value,
) -> Result<HttpOut, Refusal> {
    let round = Round::take(&mut params)?;
    let mut call = calls::read_call(server, params, &request.body)?;
    params::check_headers(server, &request.headers, &call)?;
    let of = digest("tools/call", &call.name, &call.arguments);
    let who = round.who(server, &call.meta, &of).await?;
    call.caller = Caller::new(who.clone());
    params::put_back(&mut call);
    let task_use = server.0.host.task_use(&call);
    if task_use != TaskUse::Never && tasks::are_spoken(server) {
        if call.caller.has_extension(tasks::EXTENSION) {
            let fields = complete(server, tasks::create(server, call).await?.into(), "task", Caching::Never);
            return Ok(json_answer(200, result_message(id, fields)));
        }
        if task_use == TaskUse::Required {
            return Err(tasks::undeclared().into());
        }
    }
    let wants_news = who.progress_token.is_some() || who.log_level.is_some();
    let manner = Manner {
        streams: wants_news && takes_events(&request.headers),
        gone_is_cancelled: true,
        session: None,
    };
    let (server_too, id) = (server.clone(), id.clone());
    Ok(streams::answer(server, who, manner, move |caller| {
        async move {
            let call = ToolCallIn { caller, ..call };
            let outcome = params::run(&server_too, call).await;
            finish(&server_too, &id, &of, outcome.map(|out| calls::call_result(out, true))).await
        }
        .boxed_local()
    })
    .await)
}

async fn get_prompt<H: Host + 'static>(
    server: &Server<H>,
    mut params: Map<String, Value>,
    id: &Value,
) -> Result<HttpOut, Refusal> {
    let round = Round::take(&mut params)?;
    let meta = calls::object(params.get("_meta").cloned(), "_meta")?;
    let mut request = calls::read_prompt(server, &mut params)?;
    let of = digest("prompts/get", &request.name, &request.arguments);
    request.caller = Caller::new(round.who(server, &meta, &of).await?);
    let outcome = server.0.host.get_prompt(request).await;
    let outcome = outcome.map(|out| Fields::from(calls::prompt_result(out)));
    let (status, answer) = finish(server, id, &of, outcome).await;
    Ok(json_answer(status, answer.unwrap_or_default()))
}

/// What is sealed between two rounds.
#[derive(Default, Serialize, Deserialize)]
struct Carried {
    /// What the tool wants to see again.
    state: Option<Value>,
    /// Arguments that were missing and are filled in by now.
    filled: Option<Map<String, Value>>,
}

/// What a request brings from the round before.
struct Round {
    answers: Map<String, Value>,
    sealed: Option<String>,
}

impl Round {
    fn take(params: &mut Map<String, Value>) -> Result<Self, RpcError> {
        let answers = calls::object(params.remove("inputResponses"), "inputResponses")?;
        let sealed = match params.remove("requestState") {
            None | Some(Value::Null) => None,
            Some(Value::String(sealed)) => Some(sealed),
            Some(_) => return Err(RpcError::invalid_params("`requestState` must be a string")),
        };
        Ok(Self { answers, sealed })
    }

    /// Who calls, and what they answered.
    async fn who<H: Host>(
        self,
        server: &Server<H>,
        meta: &Map<String, Value>,
        of: &str,
    ) -> Result<Inner, RpcError> {
        let Carried { state, filled } = match self.sealed {
            None => Carried::default(),
            Some(sealed) => {
                let (key, now_ms) = (seal_key(server).await?, server.0.runtime()?.now_ms());
                let opened = seal::open(&key, of, now_ms, &sealed).map_err(RpcError::invalid_params)?;
                serde_json::from_value(opened).unwrap_or_default()
            }
        };
        Ok(Inner {
            capabilities: calls::object(meta.get(CAPABILITIES_KEY).cloned(), CAPABILITIES_KEY)?,
            progress_token: progress_token(meta),
            log_level: meta
                .get(LOG_LEVEL_KEY)
                .filter(|_| server.0.host.logs())
                .and_then(|level| LogLevel::parse(level.as_str()?)),
            answers: self.answers,
            state,
            filled,
            ..Inner::default()
        })
    }
}

/// The end of a round: a result, an error, or what has to be answered first.
async fn finish<H: Host>(
    server: &Server<H>,
    id: &Value,
    of: &str,
    outcome: Result<Fields, Stop>,
) -> (u16, Option<String>) {
    let asked = match outcome {
        Ok(fields) => {
            let fields = complete(server, fields, "complete", Caching::Never);
            return (200, Some(result_message(id, fields)));
        }
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Ask(asked)) => Ok(asked),
    };
    let fields = match asked {
        Ok(asked) => ask(server, of, asked).await,
        Err(error) => Err(error),
    };
    match fields {
        Ok(fields) => {
            let fields = complete(server, fields.into(), "input_required", Caching::Never);
            (200, Some(result_message(id, fields)))
        }
        Err(error) => (error.modern_status(), Some(error_message(Some(id.clone()), &error))),
    }
}

async fn ask<H: Host>(
    server: &Server<H>,
    of: &str,
    asked: crate::ask::InputRequired,
) -> Result<Map<String, Value>, RpcError> {
    let mut result = Map::new();
    result.insert("inputRequests".into(), Value::Object(asked.requests));
    if asked.state.is_some() || asked.filled.is_some() {
        let (key, runtime) = (seal_key(server).await?, server.0.runtime()?);
        let carried = json!(Carried { state: asked.state, filled: asked.filled });
        let sealed = seal::seal(&key, of, runtime.now_ms(), runtime.random(), carried);
        result.insert("requestState".into(), sealed.into());
    }
    Ok(result)
}

/// What a sealed state belongs to: the same method, name and arguments.
fn digest(method: &str, name: &str, arguments: &Map<String, Value>) -> String {
    calls::hash(json!([method, name, arguments]).to_string().as_bytes())
}

/// The key that states are sealed with: made once, and the same after a restart.
async fn seal_key<H>(server: &Server<H>) -> Result<Vec<u8>, RpcError> {
    let runtime = server.0.runtime()?;
    // One at a time: of two keys that are made at once one is overwritten, and what it has sealed is lost.
    let _turn = server.0.sealing.lock().await;
    if let Some(key) = runtime.get(SEAL_KEY).await? {
        return Ok(key);
    }
    runtime.put(SEAL_KEY, format!("{}{}", runtime.random(), runtime.random()).as_bytes()).await?;
    // Another server of the same place may have made one at the same time.
    runtime.get(SEAL_KEY).await?.ok_or_else(|| RpcError::internal("The key of sealed states is not kept"))
}

/// `subscriptions/listen`: a stream that begins with what is honoured, and lasts.
fn listen<H: Host + 'static>(
    server: &Server<H>,
    headers: &Headers,
    params: &Map<String, Value>,
    id: &Value,
) -> Result<HttpOut, Refusal> {
    let Some(Value::Object(filter)) = params.get("notifications") else {
        return Err(RpcError::invalid_params("`notifications` must be an object").into());
    };
    if !takes_events(headers) {
        let error = RpcError::invalid_params("A subscription is a stream: accept text/event-stream");
        return Err(Refusal::new(406, error));
    }
    let flag = |name: &str| filter.get(name).is_some_and(|wanted| *wanted == true);
    let mut uris: Vec<String> = Vec::new();
    let no_strings = || RpcError::invalid_params("`resourceSubscriptions` must be a list of strings");
    let subscriptions = match filter.get("resourceSubscriptions") {
        None | Some(Value::Null) => &[],
        Some(Value::Array(uris)) => uris.as_slice(),
        Some(_) => return Err(no_strings().into()),
    };
    for uri in subscriptions {
        let uri = uri.as_str().ok_or_else(no_strings)?;
        if uris.len() < MOST_SUBSCRIPTIONS && !uris.iter().any(|known| known == uri) {
            uris.push(uri.to_owned());
        }
    }
    let wants = Wants {
        tools: flag("toolsListChanged"),
        prompts: flag("promptsListChanged") && !server.0.host.prompts().is_empty(),
        resources: flag("resourcesListChanged"),
        uris,
    };
    let mut honoured = Map::new();
    for (name, is_wanted) in [
        ("toolsListChanged", wants.tools),
        ("promptsListChanged", wants.prompts),
        ("resourcesListChanged", wants.resources),
    ] {
        if is_wanted {
            honoured.insert(name.into(), true.into());
        }
    }
    if !wants.uris.is_empty() {
        honoured.insert("resourceSubscriptions".into(), json!(wants.uris));
    }
    let first = json!({
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": { "_meta": { SUBSCRIPTION_KEY: id }, "notifications": honoured },
    });
    let last: Map<String, Value> = order::gather([("_meta".to_owned(), json!({ SUBSCRIPTION_KEY: id }))]);
    let last = result_message(id, complete(server, last.into(), "complete", Caching::Never));
    let whose = Whose::Request { id: id.clone(), wants };
    let listening = server.0.subscriptions.listen(whose, Some(first.to_string()), Some(last));
    Ok(event_answer(Events::new(listening.map_err(Refusal::too_many)?)))
}

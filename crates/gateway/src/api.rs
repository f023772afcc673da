//! The API beside the files. Errors are in the provider's format, so that one codec reads them all.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::chat::{ChunkWriter, ProviderError, completion, parse_request};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use llm::Wire;
use protocol::RunId;
use serde_json::json;

use crate::counters::Counters;
use crate::limits::{Clients, Place, Refused};
use crate::models::{Asked, offers};
use crate::observe::{self, Notes, model_of, short};
use crate::pass::pass;
use crate::proxy::{self, TrustedProxy};
use crate::stream::{Deadline, body, paced};
use crate::tokens::unknown;
use crate::{Log, Upstream};

/// What the API's handlers share.
pub(crate) struct Api {
    pub(crate) upstreams: BTreeMap<String, Upstream>,
    pub(crate) clients: Clients,
    pub(crate) counters: Arc<dyn Counters>,
    pub(crate) trusted_proxies: Vec<TrustedProxy>,
    /// Whether anybody wants to know which model is asked: a body may be large.
    pub(crate) reads_models: bool,
    pub(crate) body_bytes: usize,
    pub(crate) http: reqwest::Client,
    pub(crate) asked: Asked,
    pub(crate) deadline: Deadline,
    pub(crate) log: Log,
    /// Counts the requests to the built-in model, to name them apart.
    pub(crate) served: AtomicU64,
}

/// `/api/…` as a router; what it does not know is the worker's.
pub(crate) fn router(api: Arc<Api>) -> Router {
    // Each wire has its own address, as it has at the upstream.
    let ask = |wire: Wire| post(move |state, client, name, request| ask(wire, state, client, name, request));
    let routes = Wire::ALL.into_iter().fold(Router::new(), |routes, wire| {
        routes.route(&wire.url("/api/llm/{upstream}"), ask(wire).fallback(wrong_method))
    });
    routes.route("/api/models", get(list_models)).route("/api/{*rest}", any(not_here)).with_state(api)
}

async fn list_models(State(api): State<Arc<Api>>) -> Response {
    let models = offers(&api.upstreams, &api.asked, &api.http, &api.log).await;
    ([(header::CACHE_CONTROL, "no-store")], Json(json!({ "models": models }))).into_response()
}

/// Everything else under `/api/` belongs to the service worker. A call that arrives here found none.
async fn not_here(method: Method) -> Response {
    if method != Method::POST {
        return wrong_method().await;
    }
    refuse(
        &ProviderError {
            status: 503,
            kind: "worker_not_in_control",
            message: "The tools live in the page's service worker, which is not in control. Reload the page."
                .into(),
            param: None,
        },
        None,
    )
}

async fn wrong_method() -> Response {
    let mut response = refuse(
        &ProviderError {
            status: 405,
            kind: "method_not_allowed",
            message: "Only POST is understood here.".into(),
            param: None,
        },
        None,
    );
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

/// One request to a model, in the wire whose address was asked.
async fn ask(
    wire: Wire,
    State(api): State<Arc<Api>>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let notes = request.extensions().get::<Notes>().cloned().unwrap_or_default();
    let refused = |Refused { error, wait, limit }: Refused| {
        notes.limited(limit);
        refuse(&error, Some(wait))
    };
    let address = proxy::client(client.ip(), request.headers(), &api.trusted_proxies);
    let Some(who) = api.clients.known.who(address, request.headers()) else {
        notes.client(&address.to_string());
        // A guess counts as a request of the address, or there would be no end of them.
        let counted = api.clients.count(&api.clients.known.at(address)).await;
        return counted.map_or_else(refused, |()| challenge());
    };
    // A net is for the limits: what is said of a client is its address.
    notes.client(&if who.is_named { who.name.clone() } else { address.to_string() });
    let place = match api.clients.admit(&who).await {
        Ok(place) => place,
        Err(why) => return refused(why),
    };
    let request_body = match read_body(request, api.body_bytes).await {
        Ok(request_body) => request_body,
        Err(error) => return refuse(&error, None),
    };
    let is_built_in = name == "pocket" && wire == Wire::OpenAiChat;
    let model = if api.reads_models { model_of(&request_body) } else { None };
    if is_built_in || api.upstreams.contains_key(&name) {
        notes.asked(observe::Asked {
            who: Arc::clone(&who),
            upstream: name.clone(),
            model: short(model.as_deref().unwrap_or_default()),
            body_bytes: request_body.len() as u64,
            is_built_in,
        });
    }
    let result = match api.upstreams.get(&name) {
        _ if is_built_in => built_in(&api, request_body, place).await,
        Some(upstream) if upstream.wire != wire => Err(ProviderError {
            status: 404,
            kind: "wrong_wire",
            message: format!("The upstream \"{name}\" speaks {}, not {}.", upstream.wire.name(), wire.name()),
            param: None,
        }),
        Some(upstream) => {
            if let Err(error) = who.quotas.check_model(&name, &upstream.models, model.as_deref()) {
                return refuse(&error, None);
            }
            if let Err(wait) = api.counters.permit(&name).await {
                return refused(left_alone(&name, wait));
            }
            let answer = pass(&api.http, &name, upstream, request_body, place, api.deadline.clone()).await;
            let status = answer.as_ref().map_or_else(|error| error.status, |answer| answer.status().as_u16());
            // A refusal says that it works.
            api.counters.record(&name, status < 500).await;
            answer
        }
        None => Err(ProviderError {
            status: 404,
            kind: "upstream_not_found",
            message: format!("There is no upstream \"{name}\". GET /api/models lists what there is."),
            param: None,
        }),
    };
    match result {
        Ok(response) => {
            notes.answered();
            response
        }
        Err(error) => refuse(&error, None),
    }
}

/// The answer to a request whose token is not known.
fn challenge() -> Response {
    let mut response = refuse(&unknown(), None);
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// An upstream that keeps breaking is left alone for a while (D-15), whichever client asks: nobody waits for the same failure again, and
/// what is busy gets time to recover.
fn left_alone(upstream: &str, wait: Duration) -> Refused {
    let seconds = wait.as_millis().div_ceil(1_000);
    let message = format!(
        "The upstream \"{upstream}\" failed several times in a row and is left alone for {seconds} more seconds."
    );
    let error = ProviderError { status: 503, kind: "upstream_left_alone", message, param: None };
    Refused { error, wait, limit: "breaker" }
}

/// So long a request's body may take: pictures over a slow line.
const BODY_WAIT: Duration = Duration::from_secs(60);

async fn read_body(request: Request, limit: usize) -> Result<Bytes, ProviderError> {
    let too_large = || ProviderError {
        status: 413,
        kind: "request_too_large",
        message: format!("The request is larger than {limit} bytes."),
        param: None,
    };
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| {
        kind.to_str()
            .is_ok_and(|kind| kind.split(';').next().is_some_and(|kind| kind.trim() == "application/json"))
    });
    // A form of another site cannot send JSON without asking first.
    if !is_json {
        return Err(ProviderError {
            status: 415,
            kind: "unsupported_media_type",
            message: "The content type must be application/json.".into(),
            param: None,
        });
    }
    let announced =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > limit) {
        return Err(too_large());
    }
    match tokio::time::timeout(BODY_WAIT, to_bytes(request.into_body(), limit)).await {
        Ok(body) => body.map_err(|_longer| too_large()),
        // It holds one of the few places that its address has.
        Err(_) => Err(ProviderError {
            status: 408,
            kind: "request_timeout",
            message: format!("The request did not come within {} seconds.", BODY_WAIT.as_secs()),
            param: None,
        }),
    }
}

/// The built-in model over the same wire.
async fn built_in(api: &Api, request_body: Bytes, place: Place) -> Result<Response, ProviderError> {
    let number = api.served.fetch_add(1, Ordering::Relaxed);
    let created_s = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    // The start's second keeps ids apart across restarts.
    let id = format!("chatcmpl-{created_s}-{number}");
    let served = parse_request(&request_body, RunId(id.clone()))?;
    let model = served.request.model.clone();
    // On a thread of its own, so that a mistake in it is an answer with 500 and not a lost connection.
    let events = tokio::task::spawn_blocking(move || builtin::respond(&served.request, &builtin::SKILLS))
        .await
        .map_err(|_panicked| ProviderError {
            status: 500,
            kind: "server_error",
            message: "The built-in model failed on this request.".into(),
            param: None,
        })?;
    let created_s = i64::try_from(created_s).unwrap_or_default();
    if !served.stream {
        return Ok(Json(completion(&id, &model, created_s, &events)).into_response());
    }
    let mut writer = ChunkWriter::new(id, model, created_s, served.include_usage);
    let chunks = events.iter().map(|event| writer.write(event)).filter(|chunk| !chunk.is_empty()).collect();
    let head = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((head, body(paced(chunks), place, api.deadline.clone())).into_response())
}

/// An error answer in the provider's format.
pub(crate) fn refuse(error: &ProviderError, wait: Option<Duration>) -> Response {
    let mut response = Response::new(Body::from(error.to_json().to_string()));
    *response.status_mut() = StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(wait) = wait {
        // Whole seconds, rounded up: coming back a moment too early would be refused again.
        let seconds = wait.as_millis().div_ceil(1_000).max(1);
        if let Ok(value) = HeaderValue::from_str(&seconds.to_string()) {
            headers.insert(header::RETRY_AFTER, value);
        }
    }
    response
}

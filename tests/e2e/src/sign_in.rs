//! An authorization server over real HTTP: it registers apps, shows a page with one link, and gives tokens to who can
//! prove to have begun (RFC 6749, 7591, 7636, 8414, 9207). A token to renew with is good for once; used again, everything
//! it led to is taken back (RFC 9700, section 4.14.2).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Form, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::bound;

type Words = BTreeMap<String, String>;

#[derive(Default)]
struct Shared {
    origin: Mutex<String>,
    /// What each code was given for.
    codes: Mutex<BTreeMap<String, Words>>,
    /// The forms that came to the token endpoint.
    trades: Mutex<Vec<Words>>,
    registrations: Mutex<Vec<Value>>,
    /// What the next renewal has to come with; none where nothing was given, or all of it was taken back.
    renews_with: Mutex<Option<String>>,
    /// How long a renewal takes.
    pause: Mutex<Duration>,
}

/// The running server.
pub struct SignInServer {
    shared: Arc<Shared>,
}

impl SignInServer {
    /// Starts one.
    pub async fn start() -> Self {
        Self::start_at(0).await
    }

    /// The same on this port.
    pub async fn start_at(port: u16) -> Self {
        let shared = Arc::new(Shared::default());
        let router = Router::new()
            .route("/.well-known/oauth-authorization-server", get(metadata))
            .route("/register", post(register).options(preflight))
            .route("/authorize", get(authorize))
            .route("/token", post(token).options(preflight))
            .with_state(Arc::clone(&shared));
        let listener = tokio::net::TcpListener::from_std(bound(port)).unwrap();
        *shared.origin.lock().unwrap() = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { shared }
    }

    /// Who it is: scheme, host and port.
    pub fn origin(&self) -> String {
        self.shared.origin.lock().unwrap().clone()
    }

    /// It lets in who comes with this: it gave it before it was started here.
    pub fn renews_with(&self, refresh_token: &str) {
        *self.shared.renews_with.lock().unwrap() = Some(refresh_token.to_owned());
    }

    /// The forms that asked it for tokens.
    pub fn trades(&self) -> Vec<BTreeMap<String, String>> {
        self.shared.trades.lock().unwrap().clone()
    }

    /// From now on a renewal takes so long.
    pub fn take_time(&self, pause: Duration) {
        *self.shared.pause.lock().unwrap() = pause;
    }

    /// The apps that made themselves known.
    pub fn registrations(&self) -> Vec<Value> {
        self.shared.registrations.lock().unwrap().clone()
    }

    /// The token it gives at the n-th trade.
    pub fn token(trade: usize) -> String {
        format!("tok-signed-in-{trade}")
    }
}

fn open(mut response: Response) -> Response {
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type, accept, authorization, mcp-protocol-version"),
    ] {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}

async fn metadata(State(shared): State<Arc<Shared>>) -> Response {
    let origin = shared.origin.lock().unwrap().clone();
    open(
        Json(json!({"issuer": origin, "authorization_endpoint": format!("{origin}/authorize"),
            "token_endpoint": format!("{origin}/token"), "registration_endpoint": format!("{origin}/register"),
            "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": true}))
        .into_response(),
    )
}

async fn preflight() -> Response {
    open(StatusCode::NO_CONTENT.into_response())
}

async fn register(State(shared): State<Arc<Shared>>, body: String) -> Response {
    let mut app: Value = serde_json::from_str(&body).unwrap();
    shared.registrations.lock().unwrap().push(app.clone());
    app["client_id"] = json!("app-1");
    open((StatusCode::CREATED, Json(app)).into_response())
}

async fn authorize(State(shared): State<Arc<Shared>>, Query(asked): Query<Words>) -> Response {
    let code = format!("code-{}", shared.codes.lock().unwrap().len());
    let back = format!(
        "{}?code={code}&amp;state={}&amp;iss={}",
        asked["redirect_uri"],
        asked["state"],
        shared.origin.lock().unwrap()
    );
    shared.codes.lock().unwrap().insert(code, asked);
    Html(format!(r#"<!doctype html><title>Sign in</title><a id="allow" href="{back}">Allow</a>"#))
        .into_response()
}

async fn token(State(shared): State<Arc<Shared>>, Form(form): Form<Words>) -> Response {
    let trade = {
        let mut trades = shared.trades.lock().unwrap();
        trades.push(form.clone());
        trades.len()
    };
    let is_good = match form["grant_type"].as_str() {
        "authorization_code" => shared.codes.lock().unwrap().remove(&form["code"]).is_some_and(|asked| {
            let proof = mcp::base64::encode(&Sha256::digest(&form["code_verifier"]));
            let proof = proof.trim_end_matches('=').replace('+', "-").replace('/', "_");
            asked["code_challenge_method"] == "S256"
                && asked["code_challenge"] == proof
                && asked["redirect_uri"] == form["redirect_uri"]
                && asked["client_id"] == form["client_id"]
                && asked["resource"] == form["resource"]
        }),
        // Whoever it is, who comes with one that was used before: nobody is let in by it any more.
        "refresh_token" => {
            shared.renews_with.lock().unwrap().take().is_some_and(|good| good == form["refresh_token"])
        }
        _ => false,
    };
    if is_good {
        *shared.renews_with.lock().unwrap() = Some(format!("refresh-{trade}"));
    }
    if form["grant_type"] == "refresh_token" {
        let pause = *shared.pause.lock().unwrap();
        tokio::time::sleep(pause).await;
    }
    if !is_good {
        return open((StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"}))).into_response());
    }
    open(
        Json(json!({"access_token": SignInServer::token(trade), "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": format!("refresh-{trade}")}))
        .into_response(),
    )
}

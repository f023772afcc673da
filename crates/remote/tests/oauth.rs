//! The sign-in over real HTTP, where the bytes on the wire matter: a whole one, and servers that mean harm.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod native;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{any, get, post};
use axum::{Form, Json, Router};
use native::Http;
use remote::oauth::{self, App, Grant, OauthError, Pending};
use remote::{Address, Challenge};
use serde_json::{Value, json};

type Fields = HashMap<String, String>;

/// What a server was sent: its own address, and requests.
#[derive(Default)]
struct World {
    origin: String,
    heard: Mutex<Vec<Fields>>,
}

type Shared = State<Arc<World>>;

/// A server on a port of its own; routes know its address by their state.
async fn serve(routes: Router<Arc<World>>) -> Arc<World> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let world = Arc::new(World { origin, heard: Mutex::default() });
    let app = routes.with_state(Arc::clone(&world));
    tokio::spawn(async move { axum::serve(listener, app).await });
    world
}

/// A tool server that is its own authorization server, as far as documents go.
fn documents() -> Router<Arc<World>> {
    let resource = async |State(world): Shared| {
        Json(json!({ "resource": format!("{}/mcp", world.origin), "authorization_servers": [world.origin] }))
    };
    let issuer = async |State(world): Shared| {
        let at = &world.origin;
        Json(json!({
            "issuer": at,
            "authorization_endpoint": format!("{at}/authorize"),
            "token_endpoint": format!("{at}/token"),
            "registration_endpoint": format!("{at}/register"),
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        }))
    };
    let register = async |Json(about): Json<Value>| {
        assert_eq!(about["client_name"], "Satchel");
        (StatusCode::CREATED, Json(json!({ "client_id": "c", "client_secret": "s%+" })))
    };
    Router::new()
        .route("/.well-known/oauth-protected-resource/mcp", get(resource))
        .route("/.well-known/oauth-authorization-server", get(issuer))
        .route("/register", post(register))
}

async fn begin(world: &World) -> Result<Pending, OauthError> {
    let server = Address::parse(&format!("{}/mcp", world.origin)).expect("an address");
    let app = App {
        name: "Satchel".to_owned(),
        redirect_uri: "http://localhost:8080/?back=1".to_owned(),
        metadata_url: None,
        registered: None,
    };
    let http = Http::new().expect("a client");
    let challenge = Challenge { status: 401, header: Some("Bearer scope=\"a:b c/d\"".to_owned()) };
    oauth::begin(&http, &server, &challenge, None, &app, &|| [7; 32]).await
}

async fn finish(pending: &Pending, answer: &str) -> Result<Grant, OauthError> {
    oauth::finish(&Http::new().expect("a client"), pending, answer, 0).await
}

/// An answer to a sign-in, by whoever sees its address.
fn answered(world: &World, pending: &Pending) -> String {
    let state = pending.authorize_url.split("state=").nth(1).and_then(|rest| rest.split('&').next());
    let iss = world.origin.replace(':', "%3A").replace('/', "%2F");
    format!("http://localhost:8080/?back=1&code=c%20d&state={}&iss={iss}", state.expect("a state"))
}

#[tokio::test]
async fn a_whole_sign_in() {
    let authorize = async |State(world): Shared, Query(asked): Query<Fields>| {
        let to =
            format!("{}&code=c%2Fd&state={}&iss={}", asked["redirect_uri"], asked["state"], world.origin);
        world.heard.lock().expect("a lock").push(asked);
        Redirect::to(&to)
    };
    let token = async |State(world): Shared, headers: HeaderMap, Form(mut sent): Form<Fields>| {
        let basic = headers.get("authorization").expect("a header").to_str().expect("text");
        sent.insert("authorization".to_owned(), basic.to_owned());
        world.heard.lock().expect("a lock").push(sent);
        Json(
            json!({ "access_token": "at", "token_type": "bearer", "expires_in": 3600, "refresh_token": "rt" }),
        )
    };
    let routes = documents().route("/authorize", get(authorize)).route("/token", post(token));
    let world = serve(routes).await;

    let http = Http::new().expect("a client");
    let pending = begin(&world).await.expect("begun");
    let answer = http.location(&pending.authorize_url).await.expect("a redirect");
    let grant = finish(&pending, &answer).await.expect("finished");
    assert_eq!((grant.token().expose(), grant.expires_ms()), ("at", Some(3_600_000)));
    oauth::refresh(&http, &grant, 0).await.expect("renewed");

    let heard = world.heard.lock().expect("a lock");
    let [asked, traded, renewed] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(asked["redirect_uri"], "http://localhost:8080/?back=1");
    assert_eq!(asked["scope"], "a:b c/d");
    assert_eq!(traded["code"], "c/d");
    assert_eq!(traded["redirect_uri"], asked["redirect_uri"]);
    assert_eq!(traded["authorization"], "Basic YzpzJTI1JTJC", "c:s%25%2B");
    assert_eq!(renewed["refresh_token"], "rt");
    for sent in [asked, traded, renewed] {
        assert_eq!(sent["resource"], format!("{}/mcp", world.origin));
    }
}

#[tokio::test]
async fn a_redirect_carries_nothing_anywhere() {
    let trap = serve(Router::new().fallback(any(async |State(world): Shared, uri: Uri, body: Bytes| {
        let body = String::from_utf8_lossy(&body).into_owned();
        world.heard.lock().expect("a lock").push(Fields::from([(uri.to_string(), body)]));
        "{}"
    })))
    .await;
    for status in [StatusCode::FOUND, StatusCode::TEMPORARY_REDIRECT, StatusCode::PERMANENT_REDIRECT] {
        let away = [(header::LOCATION, format!("{}/take", trap.origin))];
        let world = serve(documents().route("/token", post((status, away.clone())))).await;
        let pending = begin(&world).await.expect("begun");
        let error = finish(&pending, &answered(&world, &pending)).await.expect_err("no token");
        assert_eq!(error, OauthError::Status { origin: world.origin.clone(), status: status.as_u16() });

        let world = serve(Router::new().fallback(any((status, away)))).await;
        assert!(begin(&world).await.is_err());
    }
    assert!(trap.heard.lock().expect("a lock").is_empty());
}

#[tokio::test]
async fn bodies_that_mean_harm_end() {
    let endless =
        || Body::from_stream(futures::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 8192])));
    let cut = || {
        let parts = [Ok(b"{\"access_token\":\"at\",".to_vec()), Err(std::io::Error::other("cut"))];
        Body::from_stream(futures::stream::iter(parts))
    };
    let page = || {
        (StatusCode::OK, [(header::CONTENT_TYPE, "text/html")], "<html><h1>It works!</h1>").into_response()
    };
    type Answer = Box<dyn Fn() -> Response + Send + Sync>;
    let rows: Vec<(Answer, &str)> = vec![
        (Box::new(move || endless().into_response()), "more than a document holds"),
        (Box::new(move || cut().into_response()), "cannot be reached"),
        (Box::new(page), "no JSON document"),
        (Box::new(|| vec![0xff; 64].into_response()), "no JSON document"),
        (Box::new(|| StatusCode::NO_CONTENT.into_response()), "no JSON document"),
        (Box::new(|| (StatusCode::BAD_GATEWAY, "<html>").into_response()), "HTTP 502"),
        (
            Box::new(|| (StatusCode::BAD_REQUEST, r#"{"error":"invalid_grant"}"#).into_response()),
            "refused: invalid_grant",
        ),
    ];
    for (answer, expected) in rows {
        let answer = Arc::new(answer);
        let to = Arc::clone(&answer);
        let world = serve(documents().route("/token", post(async move || to()))).await;
        let pending = begin(&world).await.expect("begun");
        let error = finish(&pending, &answered(&world, &pending)).await.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");

        let to = Arc::clone(&answer);
        let world = serve(Router::new().fallback(any(async move || to()))).await;
        let error = begin(&world).await.expect_err(expected).to_string();
        assert!(error.len() < 200, "{error}");
    }
}

//! Who we are to an authorization server, and how its token endpoint knows that it is us (2026-07-28,
//! basic/authorization/client-registration).

use llm::{Secret, Transport};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::discovery::AuthServer;
use super::web::{post_json, text, texts};
use super::{App, OauthError, scope};
use crate::Address;

/// How a client shows the token endpoint who it is (RFC 7591, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// A header with id and secret.
    #[serde(rename = "client_secret_basic")]
    Basic,
    /// Id and secret in the form.
    #[serde(rename = "client_secret_post")]
    Post,
    /// The id alone: a public client, protected by PKCE.
    #[serde(rename = "none")]
    Public,
}

impl Method {
    fn named(name: &str) -> Option<Self> {
        match name {
            "client_secret_basic" => Some(Self::Basic),
            "client_secret_post" => Some(Self::Post),
            "none" => Some(Self::Public),
            _ => None,
        }
    }
}

/// What a person entered of a client they registered themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The client id that the authorization server gave, or knows us by.
    pub client_id: String,
    /// Its secret, where it has one.
    pub client_secret: Option<Secret>,
    /// How it shows who it is; none to choose among what the authorization server takes.
    pub method: Option<Method>,
    /// The authorization server that gave it out. None until the first sign-in, whose [`Pending::issuer`] belongs here
    /// from then on: the id and its secret go to no other.
    ///
    /// [`Pending::issuer`]: super::Pending::issuer
    pub issuer: Option<String>,
}

/// Where a client's id comes from.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Source {
    Entered,
    Document,
    Registration,
    /// Registered, but for a time only.
    Borrowed,
}

/// A client as one authorization server knows it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Client {
    pub id: String,
    secret: Option<String>,
    method: Method,
    source: Source,
    /// The redirect address it was registered with: the sign-in comes back there.
    pub redirect_uri: String,
    /// The scopes it was registered with; empty where none were named.
    scope: String,
}

impl Client {
    /// Puts the client's credentials where they belong; answers with the value of an `Authorization` header.
    pub fn sign<'a>(&'a self, form: &mut Vec<(&'a str, &'a str)>) -> Option<String> {
        let secret = self.secret.as_deref().unwrap_or_default();
        if self.method == Method::Basic {
            let part = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", part(&self.id), part(secret));
            return Some(format!("Basic {}", mcp::base64::encode(pair.as_bytes())));
        }
        form.push(("client_id", &self.id));
        if self.method == Method::Post {
            form.push(("client_secret", secret));
        }
        None
    }

    /// True when this is the client the person entered under an id.
    pub fn is_entered(&self, id: &str) -> bool {
        self.source == Source::Entered && self.id == id
    }

    /// True when this client, which the same authorization server registered before, does for another sign-in.
    fn serves(&self, redirect_uri: &str, wanted: &str) -> bool {
        self.source == Source::Registration
            && self.redirect_uri == redirect_uri
            && (self.scope.is_empty() || scope::covers(&self.scope, wanted))
    }
}

/// The client to sign in with: what the person entered, else the address of our metadata document, else the one
/// registered before, else a new one. `bound_to` is the issuer that an entered client belongs to, where that is known.
pub(super) async fn choose(
    http: &dyn Transport,
    at: &AuthServer,
    app: &App,
    before: Option<&Client>,
    bound_to: Option<&str>,
    wanted: &str,
) -> Result<Client, OauthError> {
    let known = |id: &str, secret: Option<&str>, method, source| Client {
        id: id.to_owned(),
        secret: secret.map(str::to_owned),
        method,
        source,
        redirect_uri: app.redirect_uri.clone(),
        scope: String::new(),
    };
    if let Some(entered) = &app.registered {
        if bound_to.is_some_and(|issuer| issuer != at.issuer) {
            return Err(OauthError::unusable(format!(
                "The server now signs people in at {}, but the client id was entered for another place",
                at.issuer
            )));
        }
        let secret = entered.client_secret.as_ref().filter(|secret| !secret.is_empty());
        let method = match (secret, entered.method) {
            (None, _) => Method::Public,
            (Some(_), Some(method)) => method,
            (Some(_), None) => pick(&at.document, &[Method::Basic, Method::Post])?,
        };
        return Ok(known(&entered.client_id, secret.map(Secret::expose), method, Source::Entered));
    }
    let takes_documents =
        at.document.get("client_id_metadata_document_supported") == Some(&Value::Bool(true));
    if let Some(url) = app.metadata_url.as_deref().filter(|url| takes_documents && is_document(url)) {
        return Ok(known(url, None, Method::Public, Source::Document));
    }
    match (before.filter(|client| client.serves(&app.redirect_uri, wanted)), &at.register) {
        (Some(client), _) => Ok(client.clone()),
        (None, Some(endpoint)) => register(http, at, endpoint, app, wanted).await,
        (None, None) => Err(OauthError::NeedsClientId { issuer: at.issuer.clone() }),
    }
}

/// True for an address that can be a client id: https, with a path.
fn is_document(url: &str) -> bool {
    Address::parse(url).is_some_and(|at| at.origin().starts_with("https://") && at.path().len() > 1)
}

/// The first of our methods the token endpoint takes. Where its document lists none it is `client_secret_basic` (RFC
/// 8414, section 2); where there is no document, a public client is what 2025-03-26 expects.
fn pick(document: &Value, ours: &[Method]) -> Result<Method, OauthError> {
    if document.is_null() {
        return Ok(ours[0]);
    }
    let listed = texts(document, "token_endpoint_auth_methods_supported");
    let listed = listed.unwrap_or_else(|| vec!["client_secret_basic"]);
    ours.iter().copied().find(|ours| listed.iter().any(|name| Method::named(name) == Some(*ours))).ok_or_else(
        || {
            OauthError::unusable(
                "The authorization server wants programs to show who they are in a way Satchel has not",
            )
        },
    )
}

/// Registers us (RFC 7591, section 3).
async fn register(
    http: &dyn Transport,
    at: &AuthServer,
    endpoint: &Address,
    app: &App,
    wanted: &str,
) -> Result<Client, OauthError> {
    let asked = pick(&at.document, &[Method::Public, Method::Post, Method::Basic])?;
    // A page on this device redirects like an installed program does, and OpenID providers check the two differently.
    let is_here = Address::parse(&app.redirect_uri).is_some_and(|at| at.origin().starts_with("http://"));
    let mut about = json!({
        "client_name": app.name,
        "redirect_uris": [app.redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": asked,
        "application_type": if is_here { "native" } else { "web" },
    });
    if !wanted.is_empty() {
        about["scope"] = json!(wanted);
    }
    let answer = post_json(http, endpoint, &about).await?;
    let id = text(&answer, "client_id").ok_or_else(|| {
        OauthError::unusable(format!("{} registered Satchel without a client id", at.issuer))
    })?;
    let secret = text(&answer, "client_secret").map(str::to_owned);
    let method = match text(&answer, "token_endpoint_auth_method") {
        _ if secret.is_none() => Method::Public,
        None => asked,
        Some(name) => Method::named(name).ok_or_else(|| {
            OauthError::unusable(format!("{} registered Satchel in a way it cannot use", at.issuer))
        })?,
    };
    let lasts = answer.get("client_secret_expires_at").and_then(Value::as_i64).unwrap_or_default() == 0;
    Ok(Client {
        id: id.to_owned(),
        secret: secret.filter(|_| method != Method::Public),
        method,
        source: if lasts { Source::Registration } else { Source::Borrowed },
        redirect_uri: app.redirect_uri.clone(),
        scope: text(&answer, "scope").unwrap_or(wanted).to_owned(),
    })
}

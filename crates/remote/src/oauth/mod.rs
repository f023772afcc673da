//! The sign-in at a server elsewhere (2026-07-28, basic/authorization): OAuth 2.1 as a client, with PKCE.
//!
//! [`begin`] finds out who signs people in for a server, makes us known there and gives the address to send the person
//! to. [`finish`] takes the address they came back to and trades its code for a [`Grant`]; [`refresh`] renews one.
//! Nothing is kept here: what lies between is in [`Pending`], and the caller seals it and the grant.
//!
//! Every document on the way comes from a stranger. The rules that keep a code, a verifier, a token and a secret from
//! the wrong one stand where they are applied: the resource is the server or a parent of it and the endpoints are the
//! issuer's own (`discovery`), the answer is to our question and from whom we asked (`grant`), and a client belongs to
//! the issuer that registered it ([`begin`]).

mod challenge;
mod client;
mod discovery;
mod error;
mod grant;
mod scope;
mod web;

#[cfg(test)]
mod tests;

use llm::Transport;
use sha2::{Digest, Sha256};

pub use challenge::Bearer;
pub use client::{Method, Registered};
pub use error::OauthError;
pub use grant::{Grant, Pending, finish, refresh};

use crate::{Address, Challenge};
use discovery::AuthServer;
use grant::Terms;

/// Who we are to an authorization server.
#[derive(Clone, Debug)]
pub struct App {
    /// The name a person reads when they are asked.
    pub name: String,
    /// Where the person comes back to: https, or on this device.
    pub redirect_uri: String,
    /// The https address of our client id metadata document, where we have one.
    pub metadata_url: Option<String>,
    /// A client the person registered themselves.
    pub registered: Option<Registered>,
}

/// Begins a sign-in at a server that gave a challenge.
///
/// `previous` is the grant this server had, if any. Its client and its scopes are used again where the authorization
/// server is still the same one, and forgotten where it is another. Leave it out to start over, for instance when the
/// person was shown at the authorization server that it does not know us any more. `chance` gives random bytes.
///
/// # Errors
/// [`OauthError::NeedsClientId`] where the person has to enter a client id; otherwise what is wrong with the server or
/// its authorization server, in a sentence.
pub async fn begin(
    http: &dyn Transport,
    server: &Address,
    challenge: &Challenge,
    previous: Option<&Grant>,
    app: &App,
    chance: &dyn Fn() -> [u8; 32],
) -> Result<Pending, OauthError> {
    if server.is_in_the_open() {
        return Err(OauthError::unusable(
            "A token would be read on the way: this server is not reached over https",
        ));
    }
    if Address::parse(&app.redirect_uri).is_none_or(|at| at.is_in_the_open()) {
        return Err(OauthError::unusable(
            "To sign in, Satchel has to be opened over https or on this device",
        ));
    }
    let bearer = challenge.header.as_deref().map(Bearer::parse).unwrap_or_default();
    let resource = discovery::resource(http, server, bearer.resource_metadata.as_deref()).await?;
    let bound_to = app.registered.as_ref().and_then(|entered| {
        let used = previous.filter(|grant| grant.terms.client.is_entered(&entered.client_id));
        entered.issuer.as_deref().or_else(|| used.map(Grant::issuer))
    });
    // Of several, the one that knows us.
    let mut known = bound_to.into_iter().chain(previous.map(Grant::issuer));
    let preferred = known.find(|known| resource.issuers.iter().any(|issuer| issuer == known));
    let issuer = preferred.or(resource.issuers.first().map(String::as_str)).unwrap_or_default();
    let at = discovery::auth_server(http, server, &resource, issuer).await?;

    let previous = previous.filter(|grant| grant.issuer() == at.issuer);
    let listed = web::texts(&at.document, "scopes_supported").unwrap_or_default();
    // What was given without being asked for is not to be lost either.
    let before = previous.map(|grant| format!("{} {}", grant.terms.asked, grant.scope())).unwrap_or_default();
    let asked = scope::choose(bearer.scope.as_deref(), &resource.scopes, &before, &listed)?;
    let client = previous.map(|grant| &grant.terms.client);
    let client = client::choose(http, &at, app, client, bound_to, &asked).await?;

    let (state, verifier) = (base64url(&chance()), base64url(&chance()));
    let token_endpoint = at.token.href();
    let terms = Terms { issuer: at.issuer.clone(), token_endpoint, client, resource: resource.id, asked };
    let authorize_url = authorize_url(&at, &terms, &state, &verifier);
    let names_issuer =
        at.document.get("authorization_response_iss_parameter_supported") == Some(&true.into());
    Ok(Pending { authorize_url, state, verifier, names_issuer, terms })
}

/// The address the person is sent to (RFC 6749, section 4.1.1; RFC 7636; RFC 8707).
fn authorize_url(at: &AuthServer, terms: &Terms, state: &str, verifier: &str) -> String {
    let proof = base64url(&Sha256::digest(verifier));
    let mut query = vec![
        ("response_type", "code"),
        ("client_id", terms.client.id.as_str()),
        ("redirect_uri", terms.client.redirect_uri.as_str()),
        ("code_challenge", proof.as_str()),
        ("code_challenge_method", "S256"),
        ("state", state),
        ("resource", terms.resource.as_str()),
    ];
    if !terms.asked.is_empty() {
        query.push(("scope", &terms.asked));
    }
    if scope::is_offline(&terms.asked) {
        // Without it an OpenID provider ignores the wish (OpenID Connect Core, section 11).
        query.push(("prompt", "consent"));
    }
    let href = at.authorize.href();
    let mark = if href.contains('?') { '&' } else { '?' };
    format!("{href}{mark}{}", web::encode(&query))
}

/// Base64 for addresses, without padding (RFC 4648, section 5).
fn base64url(bytes: &[u8]) -> String {
    let text = mcp::base64::encode(bytes);
    text.trim_end_matches('=').replace('+', "-").replace('/', "_")
}

//! What comes of a sign-in: the answer is checked against what was begun, the code becomes tokens, and tokens are
//! renewed. Everything secret goes to the token endpoint that was recorded when the sign-in began, and nowhere else.

use llm::{Secret, Transport};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client::Client;
use super::web::{post_form, text};
use super::{OauthError, scope};
use crate::Address;

/// How long before its end a token is not used any more, in milliseconds.
const MARGIN_MS: i64 = 60_000;

/// The longest life of a token that is believed, in seconds: ten years.
const MAX_LIFE_SECONDS: f64 = 315_360_000.0;

/// Where tokens come from, and for what; recorded before the person is sent away.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Terms {
    pub issuer: String,
    pub token_endpoint: String,
    pub client: Client,
    pub resource: String,
    /// The scopes asked for; empty where the choice was the authorization server's.
    pub asked: String,
}

/// A sign-in under way. It serializes, because the page may be reloaded before the answer comes; it holds the verifier
/// and maybe a client's secret, so it is kept like a key.
#[derive(Clone, Serialize, Deserialize)]
pub struct Pending {
    /// Where to send the person: an `http` or `https` address.
    pub authorize_url: String,
    pub(super) state: String,
    pub(super) verifier: String,
    /// The answer must say who gives it (RFC 9207).
    #[serde(default)]
    pub(super) names_issuer: bool,
    pub(super) terms: Terms,
}

/// What a person allowed. It serializes with its tokens: the caller seals it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Grant {
    access_token: String,
    #[serde(default)]
    pub(super) refresh_token: Option<String>,
    #[serde(default)]
    expires_ms: Option<i64>,
    #[serde(default)]
    scope: String,
    pub(super) terms: Terms,
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("issuer", &self.terms.issuer).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Grant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grant")
            .field("issuer", &self.terms.issuer)
            .field("scope", &self.scope)
            .field("expires_ms", &self.expires_ms)
            .finish_non_exhaustive()
    }
}

impl Pending {
    /// Who gets what the person allows, and gives the token for it: scheme, host and port.
    #[must_use]
    pub fn answer_goes_to(&self) -> String {
        let place = Address::parse(&self.terms.token_endpoint);
        place.map(|place| place.origin().to_owned()).unwrap_or_default()
    }

    /// The authorization server the person is sent to.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.terms.issuer
    }

    /// The scopes that are asked for, separated by spaces; empty where the choice is the authorization server's.
    #[must_use]
    pub fn scope(&self) -> &str {
        &self.terms.asked
    }

    /// True when a redirect answers this sign-in: its `state` is ours, compared in constant time.
    #[must_use]
    pub fn is_answered_by(&self, redirected_to: &str) -> bool {
        Answered::read(redirected_to).one("state").is_some_and(|state| same(&state, &self.state))
    }
}

impl Grant {
    /// The token to send.
    #[must_use]
    pub fn token(&self) -> Secret {
        Secret::new(self.access_token.as_str())
    }

    /// When its token ends, in milliseconds since 1970; none where nobody said.
    #[must_use]
    pub fn expires_ms(&self) -> Option<i64> {
        self.expires_ms
    }

    /// True from a minute before its end. A token whose end is not known is never stale: the server says when it is.
    #[must_use]
    pub fn is_stale(&self, now_ms: i64) -> bool {
        self.expires_ms.is_some_and(|end| now_ms >= end.saturating_sub(MARGIN_MS))
    }

    /// True when it can be renewed without the person.
    #[must_use]
    pub fn can_refresh(&self) -> bool {
        self.refresh_token.is_some()
    }

    /// True when every scope of a challenge was granted, so that signing in for them again leads nowhere.
    #[must_use]
    pub fn covers(&self, scope: &str) -> bool {
        scope::covers(&self.scope, scope)
    }

    /// The scopes that were granted, separated by spaces; empty where nobody said.
    #[must_use]
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// The authorization server that gave it.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.terms.issuer
    }
}

/// Takes the answer of a sign-in, the whole address the browser was redirected to or its query, and trades the code in
/// it for tokens.
///
/// # Errors
/// [`OauthError::Denied`] where the person or the server said no, [`OauthError::Unusable`] where the answer is not to
/// what was begun or comes from somebody else (RFC 9207, section 2.4); both before anything is sent. And what the token
/// endpoint gives.
pub async fn finish(
    http: &dyn Transport,
    pending: &Pending,
    redirected_to: &str,
    now_ms: i64,
) -> Result<Grant, OauthError> {
    let answer = Answered::read(redirected_to);
    if !pending.is_answered_by(redirected_to) {
        return Err(OauthError::unusable("This is no answer to the sign-in that was begun"));
    }
    let names_issuer = answer.any("iss");
    if names_issuer && answer.one("iss").as_deref() != Some(pending.issuer()) {
        return Err(OauthError::unusable("Somebody else than the authorization server answered the sign-in"));
    }
    if pending.names_issuer && !names_issuer {
        return Err(OauthError::unusable(
            "The answer to the sign-in does not say who gives it, as it should",
        ));
    }
    if let Some(error) = answer.one("error") {
        return Err(OauthError::denied(&error, &answer.one("error_description").unwrap_or_default()));
    }
    let code = answer.one("code").filter(|code| !code.is_empty());
    let code = code.ok_or_else(|| OauthError::unusable("The answer to the sign-in holds no code"))?;
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code.as_str()),
        ("redirect_uri", pending.terms.client.redirect_uri.as_str()),
        ("code_verifier", pending.verifier.as_str()),
    ];
    let answer = ask(http, &pending.terms, form.to_vec()).await?;
    granted(&answer, &pending.terms, None, now_ms)
}

/// Renews a grant (RFC 6749, section 6). A new refresh token replaces the old one; where there is none, the old stays.
///
/// # Errors
/// [`OauthError::SignInAgain`] where only the person can go on; [`OauthError::Unreachable`] and a
/// [`OauthError::Status`] from 500 on leave the grant as good as it was.
pub async fn refresh(http: &dyn Transport, grant: &Grant, now_ms: i64) -> Result<Grant, OauthError> {
    let Some(token) = &grant.refresh_token else { return Err(OauthError::SignInAgain) };
    let form = vec![("grant_type", "refresh_token"), ("refresh_token", token.as_str())];
    let answer = ask(http, &grant.terms, form).await.map_err(|error| match error {
        OauthError::Denied { error, .. }
            if matches!(error.as_str(), "invalid_grant" | "invalid_client" | "unauthorized_client") =>
        {
            OauthError::SignInAgain
        }
        other => other,
    })?;
    granted(&answer, &grant.terms, Some(grant), now_ms)
}

/// Asks the token endpoint.
async fn ask<'a>(
    http: &dyn Transport,
    terms: &'a Terms,
    mut form: Vec<(&'a str, &'a str)>,
) -> Result<Value, OauthError> {
    let endpoint = Address::parse(&terms.token_endpoint).filter(|at| !at.is_in_the_open());
    let endpoint = endpoint.ok_or(OauthError::SignInAgain)?;
    form.push(("resource", &terms.resource));
    let basic = terms.client.sign(&mut form);
    post_form(http, &endpoint, &form, basic).await
}

/// Reads what the token endpoint gave (RFC 6749, section 5.1).
fn granted(answer: &Value, terms: &Terms, before: Option<&Grant>, now_ms: i64) -> Result<Grant, OauthError> {
    let no_token = || OauthError::unusable(format!("{} gave no token that can be used", terms.issuer));
    // It goes into a header, so nothing but visible ASCII.
    let is_plain = |token: &&str| token.bytes().all(|byte| byte.is_ascii_graphic());
    let token = text(answer, "access_token").filter(is_plain).ok_or_else(no_token)?;
    if !text(answer, "token_type").is_some_and(|kind| kind.eq_ignore_ascii_case("bearer")) {
        return Err(no_token());
    }
    let life =
        answer.get("expires_in").and_then(|life| life.as_f64().or_else(|| order::decimal(life.as_str()?)));
    #[allow(clippy::cast_possible_truncation, reason = "at most ten years")]
    let expires_ms = life.map(|seconds| now_ms + (seconds.clamp(0.0, MAX_LIFE_SECONDS) * 1000.0) as i64);
    let scope = text(answer, "scope").unwrap_or_else(|| before.map_or(&terms.asked, |grant| &grant.scope));
    let refresh_token = text(answer, "refresh_token").map(str::to_owned);
    Ok(Grant {
        access_token: token.to_owned(),
        refresh_token: refresh_token.or_else(|| before?.refresh_token.clone()),
        expires_ms,
        scope: scope.to_owned(),
        terms: terms.clone(),
    })
}

/// The parameters of a redirect.
struct Answered(Vec<(String, String)>);

impl Answered {
    fn read(redirected_to: &str) -> Self {
        let query = redirected_to.split_once('?').map_or(redirected_to, |(_, query)| query);
        let query = query.split('#').next().unwrap_or_default();
        Self(form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    fn any(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| key == name)
    }

    /// The value of a parameter that is there once, as every one must be (RFC 6749, section 3.1).
    fn one(&self, name: &str) -> Option<String> {
        let mut values = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value);
        let value = values.next()?;
        values.next().is_none().then(|| value.clone())
    }
}

/// Compares without telling by the time it takes where two texts differ.
fn same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differences == 0
}

//! Tokens for servers elsewhere: kept sealed on this device, each for one address, and sent nowhere else.

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

use async_trait::async_trait;
use futures::FutureExt;
use futures::channel::oneshot;
use futures::future::{Either, Shared, select};
use leptos::task::spawn_local;
use litemap::LiteMap;
use llm::Secret;
use remote::oauth::{self, Grant, OauthError};
use remote::{Challenge, RemoteError, SignIn, TokenProvider};

use super::decisions::{Credential, StoredServer};
use crate::clock;
use crate::keys::{KeyError, Keyring};
use crate::model::GuardedFetch;
use web::lock::Lock;

/// What servers said the last time they refused a request, by address.
pub type Challenges = Rc<RefCell<LiteMap<String, Challenge>>>;

/// What a server's token is sealed for: its whole address. No model provider's key has such a name.
#[must_use]
pub fn sealed_for(url: &str) -> String {
    format!("{SEALED}{url}")
}

/// In front of the address in the name of what is sealed.
const SEALED: &str = "tools ";

/// The addresses among the names of what is sealed that belong to none of these servers: their page ended while it was adding
/// or removing them.
pub fn left_behind<'a>(names: &'a [String], kept: &'a [StoredServer]) -> impl Iterator<Item = &'a str> {
    let urls = names.iter().filter_map(|name| name.strip_prefix(SEALED));
    urls.filter(|url| kept.iter().all(|one| one.url != *url))
}

/// What a sign-in at a server gave, where it is kept and can be opened now.
///
/// # Errors
/// See [`KeyError`].
pub async fn kept_grant(keys: Keyring, url: &str) -> Result<Option<Grant>, KeyError> {
    let kept = keys.get_or_ask(&sealed_for(url)).await?;
    Ok(kept.and_then(|kept| serde_json::from_str(kept.expose()).ok()))
}

/// Keeps what a sign-in gave.
///
/// # Errors
/// See [`KeyError`].
pub async fn keep(keys: Keyring, url: &str, secret: Secret) -> Result<(), KeyError> {
    let name = sealed_for(url);
    let kept = match keys.put(&name, secret.clone()).await {
        Err(KeyError::Locked) => {
            keys.ask().await;
            keys.put(&name, secret).await
        }
        other => other,
    };
    kept.map(|_| ())
}

/// The same for a grant.
///
/// # Errors
/// See [`KeyError`].
pub async fn keep_grant(keys: Keyring, url: &str, grant: &Grant) -> Result<(), KeyError> {
    let text = serde_json::to_string(grant).map_err(|_| KeyError::Unreadable)?;
    keep(keys, url, Secret::new(text)).await
}

/// The renewals under way, by address: who needs the same one waits for it.
pub type Renewals = Rc<RefCell<LiteMap<String, Renewal>>>;

/// What will come of a renewal.
pub type Renewal = Shared<oneshot::Receiver<Result<Option<Grant>, RemoteError>>>;

/// How long an authorization server may take to renew a token, in milliseconds.
const RENEWAL_MS: u64 = 30_000;

/// The token of one server.
pub struct StoredCredential {
    /// Where tokens are kept.
    pub keys: Keyring,
    /// The server's address.
    pub url: String,
    /// How it is let know who asks.
    pub pass: Credential,
    /// What it says where it refuses a request.
    pub challenges: Challenges,
    /// The renewals under way in this page.
    pub renewals: Renewals,
}

impl StoredCredential {
    /// The grant, renewed where it has to be: it is over, or its token is the one that was refused.
    async fn grant(&self, refused: Option<&Secret>) -> Result<Option<Grant>, RemoteError> {
        match grant_of(self.keys, &self.url).await? {
            Some(grant) if !is_good(&grant, refused) => self.renewal(refused.cloned()).await,
            good_or_none => Ok(good_or_none),
        }
    }

    /// Joins the renewal under way, or begins one. A token to renew with is good for once: two requests with it look like a
    /// thief's to the authorization server, which then takes back everything it gave.
    async fn renewal(&self, refused: Option<Secret>) -> Result<Option<Grant>, RemoteError> {
        let under_way = self.renewals.borrow().get(&self.url).cloned();
        let renewal = under_way.unwrap_or_else(|| {
            let (send, receive) = oneshot::channel();
            let renewal = receive.shared();
            self.renewals.borrow_mut().insert(self.url.clone(), renewal.clone());
            let (keys, url, renewals) = (self.keys, self.url.clone(), Rc::clone(&self.renewals));
            // By itself: who gives the call up must not lose what the authorization server has just given.
            spawn_local(async move {
                let renewed = renew(keys, &url, refused.as_ref()).await;
                renewals.borrow_mut().remove(&url);
                let _ = send.send(renewed);
            });
            renewal
        });
        renewal.await.unwrap_or(Err(RemoteError::SignIn(SignIn::TooSlow)))
    }
}

/// Renews what is kept, in one tab at a time; another tab may just have done it.
async fn renew(keys: Keyring, url: &str, refused: Option<&Secret>) -> Result<Option<Grant>, RemoteError> {
    let _lock = Lock::in_turn(&format!("satchel-grant-{url}")).await;
    let Some(grant) = grant_of(keys, url).await? else { return Ok(None) };
    if is_good(&grant, refused) {
        return Ok(Some(grant));
    }
    if !grant.can_refresh() {
        return Err(RemoteError::SignIn(SignIn::Over));
    }
    let renewed = oauth::refresh(&GuardedFetch, &grant, clock::now_ms());
    let renewed = match select(pin!(renewed), pin!(clock::sleep(RENEWAL_MS))).await {
        Either::Left((Ok(renewed), _)) => renewed,
        Either::Left((Err(OauthError::SignInAgain), _)) => {
            return Err(RemoteError::SignIn(SignIn::Over));
        }
        Either::Left((Err(error), _)) => return Err(RemoteError::SignIn(SignIn::Refused(error))),
        Either::Right(_) => return Err(RemoteError::SignIn(SignIn::TooSlow)),
    };
    // The person may have removed the server meanwhile: then nothing of it is kept. Where that cannot be read, it is: what
    // was renewed with is good for nothing any more.
    if matches!(grant_of(keys, url).await, Ok(None)) {
        return Ok(None);
    }
    keep_grant(keys, url, &renewed).await.map_err(not_had)?;
    Ok(Some(renewed))
}

async fn grant_of(keys: Keyring, url: &str) -> Result<Option<Grant>, RemoteError> {
    kept_grant(keys, url).await.map_err(not_had)
}

fn not_had(error: KeyError) -> RemoteError {
    RemoteError::SignIn(match error {
        KeyError::Locked | KeyError::WrongPassphrase => SignIn::Locked,
        KeyError::Unreadable => SignIn::Unreadable,
        KeyError::Storage(_) => SignIn::NotKept,
    })
}

/// Whether a grant can be used as it is.
fn is_good(grant: &Grant, refused: Option<&Secret>) -> bool {
    let is_refused = refused.is_some_and(|refused| refused.expose() == grant.token().expose());
    !is_refused && !grant.is_stale(clock::now_ms())
}

#[async_trait(?Send)]
impl TokenProvider for StoredCredential {
    async fn token(&self) -> Result<Option<Secret>, RemoteError> {
        match self.pass {
            Credential::None => Ok(None),
            Credential::Token => {
                let found = self.keys.get_or_ask(&sealed_for(&self.url)).await;
                found.map_err(not_had)
            }
            Credential::SignIn => Ok(self.grant(None).await?.map(|grant| grant.token())),
        }
    }

    async fn refused(&self, challenge: &Challenge, token: Option<&Secret>) -> Result<bool, RemoteError> {
        self.challenges.borrow_mut().insert(self.url.clone(), challenge.clone());
        match (self.pass, challenge.status) {
            (Credential::SignIn, 401) => Ok(self.grant(token).await?.is_some()),
            // A wider permission is the person's to give.
            (Credential::SignIn, _) => Err(RemoteError::SignIn(SignIn::WantsMore)),
            (Credential::None | Credential::Token, _) => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{StoredServer, left_behind, sealed_for};

    #[test]
    fn a_token_without_its_server_is_left_behind_and_no_other_key_is() {
        let kept: StoredServer = serde_json::from_str(
            r#"{"url": "https://a.example/mcp", "name": "A", "prefix": "a", "on": false, "pass": "token"}"#,
        )
        .unwrap();
        let names = [
            sealed_for("https://a.example/mcp"),
            sealed_for("https://b.example/mcp"),
            "https://api.example".to_owned(),
        ];
        let kept = [kept];
        let found: Vec<&str> = left_behind(&names, &kept).collect();
        assert_eq!(found, ["https://b.example/mcp"]);
    }
}

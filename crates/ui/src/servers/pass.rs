//! Tokens for servers elsewhere: kept sealed on this device, each for one address, and sent nowhere else.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use async_trait::async_trait;
use llm::Secret;
use remote::oauth::{self, Grant, OauthError};
use remote::{Authority, Challenge, RemoteError};

use super::kept::Pass;
use crate::keys::{KeyError, Keyring};
use crate::model::GuardedFetch;
use crate::{clock, i18n};

/// What servers said the last time they refused a request, by address.
pub type Challenges = Rc<RefCell<BTreeMap<String, Challenge>>>;

/// What a server's token is sealed for: its whole address. No model provider's key has such a name.
#[must_use]
pub fn sealed_for(url: &str) -> String {
    format!("tools {url}")
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

/// The token of one server.
pub struct KeptPass {
    /// Where tokens are kept.
    pub keys: Keyring,
    /// The server's address.
    pub url: String,
    /// How it is let know who asks.
    pub pass: Pass,
    /// What it says where it refuses a request.
    pub challenges: Challenges,
}

impl KeptPass {
    /// The grant, renewed where it has to be.
    async fn grant(&self, is_refused: bool) -> Result<Option<Grant>, RemoteError> {
        let kept =
            kept_grant(self.keys, &self.url).await.map_err(|error| RemoteError::SignIn(error.to_string()))?;
        let Some(grant) = kept else { return Ok(None) };
        if !is_refused && !grant.is_stale(clock::now_ms()) {
            return Ok(Some(grant));
        }
        if !grant.can_refresh() {
            return Err(RemoteError::SignIn(i18n::SERVER_SIGN_IN_OVER.to_owned()));
        }
        let renewed = match oauth::refresh(&GuardedFetch, &grant, clock::now_ms()).await {
            Ok(renewed) => renewed,
            Err(OauthError::SignInAgain) => {
                return Err(RemoteError::SignIn(i18n::SERVER_SIGN_IN_OVER.to_owned()));
            }
            Err(error) => return Err(RemoteError::SignIn(error.to_string())),
        };
        keep_grant(self.keys, &self.url, &renewed)
            .await
            .map_err(|error| RemoteError::SignIn(error.to_string()))?;
        Ok(Some(renewed))
    }
}

#[async_trait(?Send)]
impl Authority for KeptPass {
    async fn token(&self) -> Result<Option<Secret>, RemoteError> {
        match self.pass {
            Pass::None => Ok(None),
            Pass::Token => {
                let found = self.keys.get_or_ask(&sealed_for(&self.url)).await;
                found.map_err(|error| RemoteError::SignIn(error.to_string()))
            }
            Pass::SignIn => Ok(self.grant(false).await?.map(|grant| grant.token())),
        }
    }

    async fn refused(&self, challenge: &Challenge) -> Result<bool, RemoteError> {
        self.challenges.borrow_mut().insert(self.url.clone(), challenge.clone());
        match (self.pass, challenge.status) {
            (Pass::SignIn, 401) => Ok(self.grant(true).await?.is_some()),
            // A wider permission is the person's to give.
            (Pass::SignIn, _) => Err(RemoteError::SignIn(i18n::SERVER_WANTS_MORE.to_owned())),
            (Pass::None | Pass::Token, _) => Ok(false),
        }
    }
}

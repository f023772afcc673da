//! Tokens for servers elsewhere: kept sealed on this device, each for one address, and sent nowhere else.

use async_trait::async_trait;
use llm::Secret;
use remote::{Authority, Challenge, RemoteError};

use super::kept::Pass;
use crate::keys::{KeyError, Keyring};

/// What a server's token is sealed for: its whole address. No model provider's key has such a name.
#[must_use]
pub fn sealed_for(url: &str) -> String {
    format!("tools {url}")
}

/// The token of one server.
pub struct KeptPass {
    /// Where tokens are kept.
    pub keys: Keyring,
    /// The server's address.
    pub url: String,
    /// How it is let know who asks.
    pub pass: Pass,
}

#[async_trait(?Send)]
impl Authority for KeptPass {
    async fn token(&self) -> Result<Option<Secret>, RemoteError> {
        if self.pass == Pass::None {
            return Ok(None);
        }
        let found = self.keys.get_or_ask(&sealed_for(&self.url)).await;
        found.map_err(|error: KeyError| RemoteError::SignIn(error.to_string()))
    }

    async fn refused(&self, _challenge: &Challenge) -> Result<bool, RemoteError> {
        Ok(false)
    }
}

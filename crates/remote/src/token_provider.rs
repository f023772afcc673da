//! Who has the token: a port, because where tokens are kept and how a person signs in belongs to the edge.

use async_trait::async_trait;
use llm::Secret;

use crate::RemoteError;

/// What a server says when a request lacks authorization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// 401: no token, or none it takes. 403: one with too narrow a scope.
    pub status: u16,
    /// The `WWW-Authenticate` header as it came. A page on another origin sees it only where the server exposes it.
    pub header: Option<String>,
}

/// Gives the token for one server.
#[async_trait(?Send)]
pub trait TokenProvider {
    /// The token to send now; none where there is none (the server is asked without).
    ///
    /// # Errors
    /// [`RemoteError::SignIn`] where one is needed that cannot be had without the person.
    async fn token(&self) -> Result<Option<Secret>, RemoteError>;

    /// The server refused what was sent, with `token` where there was one. True when [`TokenProvider::token`] gives something
    /// better now: the request is sent again, at most twice. Several requests may be refused with one token.
    ///
    /// # Errors
    /// [`RemoteError::SignIn`] where the person has to sign in first.
    async fn refused(&self, challenge: &Challenge, token: Option<&Secret>) -> Result<bool, RemoteError>;
}

/// No token, or one that never changes.
pub struct Fixed(pub Option<Secret>);

#[async_trait(?Send)]
impl TokenProvider for Fixed {
    async fn token(&self) -> Result<Option<Secret>, RemoteError> {
        Ok(self.0.clone())
    }

    async fn refused(&self, _challenge: &Challenge, _token: Option<&Secret>) -> Result<bool, RemoteError> {
        Ok(false)
    }
}

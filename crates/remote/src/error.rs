//! What can go wrong with a server elsewhere.

use llm::TransportError;
use mcp::RpcError;

use crate::Challenge;
use crate::oauth::OauthError;

/// Why only the person can go on at a server that wants a sign-in or a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignIn {
    /// The authorization server took longer than it may.
    TooSlow,
    /// What it gave is no longer taken.
    Over,
    /// The server wants a wider permission.
    WantsMore,
    /// The authorization server did not do what it was asked.
    Refused(OauthError),
    /// The token is sealed with a passphrase that was not given.
    Locked,
    /// The kept token cannot be opened any more.
    Unreadable,
    /// No token can be kept or read: the browser's storage failed.
    NotKept,
}

impl std::fmt::Display for SignIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooSlow => "The sign-in at the server takes too long",
            Self::Over => "The sign-in at the server has ended: the person has to sign in again",
            Self::WantsMore => {
                "The server wants a wider permission: the person has to sign in again to give it"
            }
            Self::Refused(error) => return error.fmt(f),
            Self::Locked => "The token for the server is locked: the person has to say their passphrase",
            Self::Unreadable => {
                "The token for the server cannot be opened any more: the person has to enter it again"
            }
            Self::NotKept => "The token for the server cannot be kept or read: the browser's storage failed",
        })
    }
}

/// Why a server elsewhere gave no answer that can be used.
#[derive(Clone, Debug, PartialEq)]
pub enum RemoteError {
    /// The address is none.
    Address,
    /// Below HTTP: refused, no name, no network, or forbidden by CORS or the page's own policy, which look the same.
    Unreachable(TransportError),
    /// It wants a token, or another one.
    Unauthorized(Challenge),
    /// The person has to sign in, and why.
    SignIn(SignIn),
    /// An HTTP status that is no answer of the protocol.
    Status(u16),
    /// What came is not the protocol, and what is wrong with it.
    NotMcp(String),
    /// The server answered with an error of the protocol.
    Rpc(RpcError),
    /// It sent more than is taken: bytes of an answer, tools, or pages.
    TooMuch(&'static str),
    /// It took longer than it may.
    TooSlow,
    /// It asks for something this client does not do, and what.
    Unsupported(String),
}

impl RemoteError {
    /// Whether a call that ended in this may have been carried out. It was not where the server said no to it, or wants
    /// somebody to sign in or to wait first. Whatever else comes after a request was sent says nothing about the tool: a
    /// proxy gives up on one that is slow (504), an answer is longer than is taken, a question comes in the middle.
    #[must_use]
    pub fn may_be_done(&self) -> bool {
        match self {
            Self::Address | Self::SignIn(_) | Self::Unauthorized(_) | Self::Rpc(_) => false,
            Self::Status(status) => !matches!(status, 401 | 403 | 404 | 405 | 429),
            Self::Unreachable(_)
            | Self::NotMcp(_)
            | Self::TooMuch(_)
            | Self::TooSlow
            | Self::Unsupported(_) => true,
        }
    }
}

impl From<RpcError> for RemoteError {
    fn from(error: RpcError) -> Self {
        Self::Rpc(error)
    }
}

impl std::fmt::Display for RemoteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address => f.write_str("This is no address of a tool server: it begins with https://"),
            Self::Unreachable(TransportError::Unreachable(_)) => f.write_str("The server cannot be reached"),
            Self::Unreachable(TransportError::Cut(_)) => f.write_str("The server's answer broke off"),
            Self::Unauthorized(challenge) if challenge.status == 403 => {
                f.write_str("The server does not allow this with the token it was given")
            }
            Self::Unauthorized(_) => f.write_str("The server wants a token, or another one"),
            Self::SignIn(why) => why.fmt(f),
            Self::Status(status) => write!(f, "The server answered with HTTP {status}"),
            Self::NotMcp(fault) => write!(f, "What the server answered is not MCP: {fault}"),
            Self::Rpc(error) => f.write_str(&error.message),
            Self::TooMuch(what) => write!(f, "The server sent too much: {what}"),
            Self::TooSlow => f.write_str("The server took too long"),
            Self::Unsupported(what) => write!(f, "The server asks for what Satchel does not do: {what}"),
        }
    }
}

impl std::error::Error for RemoteError {}

//! What can go wrong with a sign-in, as sentences a person can act on.

use llm::TransportError;

use crate::{RemoteError, SignIn};

/// The most characters of a server's own words that are passed on.
const WORDS: usize = 200;

/// Why a sign-in did not come about, or a token was not renewed. No variant holds a token, a code or a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OauthError {
    /// No answer came, or a page may not read it (CORS looks the same). It can be tried again; a grant stays good.
    Unreachable {
        /// Who was asked: scheme, host and port.
        origin: String,
        /// What the transport said.
        error: TransportError,
    },
    /// An HTTP status where a document was expected. From 500 on it can be tried again.
    Status {
        /// Who was asked: scheme, host and port.
        origin: String,
        /// The HTTP status of its answer.
        status: u16,
    },
    /// What came cannot be used, or must not be, and why.
    Unusable(String),
    /// The authorization server said no in the words of RFC 6749, section 5.2. Data to show, nothing to follow.
    Denied {
        /// Its code: `access_denied`, `invalid_scope`.
        error: String,
        /// Its description, shortened; empty when there was none.
        description: String,
    },
    /// The authorization server knows no way for us to register: the person has to enter a client id.
    NeedsClientId {
        /// The authorization server to get one from.
        issuer: String,
    },
    /// What we have is no longer taken: only the person can go on.
    SignInAgain,
}

impl OauthError {
    pub(super) fn unusable(why: impl Into<String>) -> Self {
        Self::Unusable(why.into())
    }

    /// The refusal an answer holds, by its code and description.
    pub(super) fn denied(error: &str, description: &str) -> Self {
        Self::Denied { error: plain(error), description: plain(description) }
    }

    /// True when a document is simply not there: another place may have it.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Self::Status { status: 400..=499, .. })
    }
}

/// Foreign words for a line of text: short, and without what could steer a terminal or turn the line around.
fn plain(words: &str) -> String {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    words.chars().map(|c| if steers(c) { ' ' } else { c }).take(WORDS).collect::<String>().trim().to_owned()
}

impl std::fmt::Display for OauthError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreachable { origin, .. } => {
                write!(f, "{origin} cannot be reached, or does not let this page ask it")
            }
            Self::Status { origin, status } => write!(f, "{origin} answered with HTTP {status}"),
            Self::Unusable(why) => f.write_str(why),
            Self::Denied { error, description } if description.is_empty() => {
                write!(f, "The authorization server refused: {error}")
            }
            Self::Denied { error, description } => {
                write!(f, "The authorization server refused: {description} ({error})")
            }
            Self::NeedsClientId { issuer } => {
                write!(f, "{issuer} does not register programs by itself: enter a client id you have from it")
            }
            Self::SignInAgain => f.write_str("The sign-in is no longer valid: sign in again"),
        }
    }
}

impl std::error::Error for OauthError {}

impl From<OauthError> for RemoteError {
    /// What can be tried again stays what it is; everything else needs the person.
    fn from(error: OauthError) -> Self {
        match error {
            OauthError::Unreachable { error, .. } => Self::Unreachable(error),
            OauthError::Status { status: status @ 500.., .. } => Self::Status(status),
            OauthError::SignInAgain => Self::SignIn(SignIn::Over),
            other => Self::SignIn(SignIn::Refused(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OauthError;

    #[test]
    fn foreign_words_are_short_and_steer_nothing() {
        let error =
            OauthError::denied("access_denied\n", &format!("\u{202e}\u{1b}[2Jno{}", "!".repeat(5000)));
        let text = error.to_string();
        assert!(text.starts_with("The authorization server refused: [2Jno!!!"), "{text}");
        assert!(text.ends_with("!!! (access_denied)") && text.len() < 300, "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\n']));
    }
}

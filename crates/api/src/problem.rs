//! What a request is refused with: problem details (RFC 9457), by a word that a program can act on.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Says in a refusal that this process stops, or has the owner no more: another one may answer.
pub(crate) const STOPPING: HeaderName = HeaderName::from_static("satchel-stopping");

/// Why a request was refused, by who can do something about it. The words of S4-33 are among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The request is no HTTP, or its address or body cannot be read.
    InvalidRequest,
    /// The token is missing or unknown.
    Unauthorized,
    /// The host or the origin may not use this server.
    Forbidden,
    /// The token may not do this.
    InsufficientScope,
    /// There is no such address.
    NotFound,
    /// There is no such session, or it is another token's.
    SessionNotFound,
    /// There is no such itinerary.
    ItineraryNotFound,
    /// No question waits under this call.
    QuestionNotFound,
    /// The address does not know this method.
    MethodNotAllowed,
    /// The body did not come in time.
    RequestTimeout,
    /// The session answers another message.
    SessionBusy,
    /// Several sessions have this title.
    AmbiguousSession,
    /// Several itineraries could be meant.
    AmbiguousItinerary,
    /// There is nothing to try again.
    NothingToRetry,
    /// Nothing was said in the session for 30 days.
    SessionExpired,
    /// The body is larger than what is taken.
    BodyTooLarge,
    /// The body is no JSON by its header.
    UnsupportedMediaType,
    /// The fields of the body cannot be used as they are.
    InvalidFields,
    /// The idempotency key is missing, empty or too long.
    InvalidIdempotencyKey,
    /// The idempotency key was used for another message.
    IdempotencyKeyReused,
    /// The answer does not fit its question.
    InvalidAnswer,
    /// As many sessions as an owner may have.
    TooManySessions,
    /// As many streams as an owner may read at the same time.
    TooManyStreams,
    /// More messages or new sessions a minute than a token may send.
    RateLimitExceeded,
    /// As many runs wait as may wait.
    Overloaded,
    /// The session could not be read or written.
    StorageFailed,
    /// The server is stopping.
    Stopping,
}

impl Code {
    fn status(self) -> StatusCode {
        match self {
            Self::InvalidRequest | Self::InvalidIdempotencyKey => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::InsufficientScope => StatusCode::FORBIDDEN,
            Self::NotFound | Self::SessionNotFound | Self::ItineraryNotFound | Self::QuestionNotFound => {
                StatusCode::NOT_FOUND
            }
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::SessionBusy
            | Self::AmbiguousSession
            | Self::AmbiguousItinerary
            | Self::NothingToRetry
            | Self::TooManySessions => StatusCode::CONFLICT,
            Self::SessionExpired => StatusCode::GONE,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::InvalidFields | Self::IdempotencyKeyReused | Self::InvalidAnswer => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::RateLimitExceeded | Self::TooManyStreams => StatusCode::TOO_MANY_REQUESTS,
            Self::StorageFailed => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Overloaded | Self::Stopping => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::InvalidRequest => "The request cannot be read",
            Self::Unauthorized => "No valid token",
            Self::Forbidden => "Not from here",
            Self::InsufficientScope => "Not with this token",
            Self::NotFound => "No such address",
            Self::SessionNotFound => "No such session",
            Self::ItineraryNotFound => "No such itinerary",
            Self::QuestionNotFound => "No such question",
            Self::MethodNotAllowed => "Not with this method",
            Self::RequestTimeout => "The request took too long",
            Self::SessionBusy => "The session is at work",
            Self::AmbiguousSession => "Several sessions have this title",
            Self::AmbiguousItinerary => "Several itineraries could be meant",
            Self::NothingToRetry => "Nothing to try again",
            Self::SessionExpired => "The session has expired",
            Self::BodyTooLarge => "The body is too large",
            Self::UnsupportedMediaType => "The body is no JSON",
            Self::InvalidFields => "The body's fields are wrong",
            Self::InvalidIdempotencyKey => "No usable idempotency key",
            Self::IdempotencyKeyReused => "The idempotency key was used for another message",
            Self::InvalidAnswer => "That is no answer",
            Self::TooManySessions => "Too many sessions",
            Self::TooManyStreams => "Too many streams",
            Self::RateLimitExceeded => "Too much in a minute",
            Self::Overloaded => "Too much at once",
            Self::StorageFailed => "The session could not be read or written",
            Self::Stopping => "The server is stopping",
        }
    }
}

/// A refusal, on its way to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub code: Code,
    /// A sentence or two: what is wrong, what is allowed, what to do.
    pub detail: String,
    /// Seconds after which the same may work.
    pub retry_after: Option<u64>,
    /// Nothing else is read from this connection.
    pub closes: bool,
}

impl Refusal {
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), retry_after: None, closes: false }
    }

    pub(crate) fn after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    pub(crate) fn closing(self) -> Self {
        Self { closes: true, ..self }
    }
}

/// What a client reads where a session could not be read or written. The cause has names of this machine's files in it: [`not_kept`]
/// tells it to whoever runs the server.
pub(crate) const NOT_KEPT: &str =
    "The session could not be read or written. Try again in a moment; the server's own output says why.";

/// A refusal for a session's journal that could not be read or written, or not be deleted; the cause is said on standard error.
pub(crate) fn not_kept(session: &str, error: &store::StoreError) -> Refusal {
    eprintln!("satchel: session {session}: {error}");
    Refusal::new(Code::StorageFailed, NOT_KEPT)
}

/// A refusal as it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// What kind of problem it is: `urn:satchel:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The same for everybody with this kind of problem.
    pub title: String,
    /// The HTTP status again.
    pub status: u16,
    /// What is wrong here, what is allowed, what to do.
    pub detail: String,
    /// What a program acts on.
    pub code: Code,
    /// Seconds after which the same may work; the header `Retry-After` says so too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.code.status();
        // A unit of an enum is always written.
        let word = serde_json::to_value(self.code).unwrap_or_default();
        let problem = Problem {
            kind: format!("urn:satchel:{}", word.as_str().unwrap_or_default()),
            title: self.code.title().to_owned(),
            status: status.as_u16(),
            detail: self.detail,
            code: self.code,
            retry_after: self.retry_after,
        };
        let mut response = Response::new(Body::from(serde_json::to_vec(&problem).unwrap_or_default()));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.closes {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if self.code == Code::Unauthorized {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.code == Code::InsufficientScope {
            let scheme = HeaderValue::from_static("Bearer error=\"insufficient_scope\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        if self.code == Code::Stopping {
            headers.insert(STOPPING, HeaderValue::from_static("maybe"));
        }
        response
    }
}

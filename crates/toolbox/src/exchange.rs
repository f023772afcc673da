//! The way to a server, and what is said of a call that goes it.

use async_trait::async_trait;
use mcp::client::{CallResult, ClientError, Outgoing};
use mcp::{Host, HttpIn, Server};

/// What a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// To be carried out.
    Do,
    /// Only to see what would come of it.
    Preview,
}

/// Whose call it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The person's, by a screen of the app.
    Person,
    /// A model's: the assistant's, or that of a program outside.
    Model,
}

/// What is to be known of a call beside its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked<'a> {
    /// The name of the tool that is called.
    pub tool: &'a str,
    /// The tool with what it is called with ([`crate::in_short`]).
    pub short: String,
    /// What it is known by where it comes again: its key, or for a preview of an assistant's call, that call's id.
    pub known_as: &'a str,
    /// What it is for.
    pub why: Why,
    /// Who asked for it: a person or a model.
    pub by: By,
}

/// What came back from the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// The HTTP status, or what stands for it where the way is no HTTP.
    pub status: u16,
    /// The body, as text.
    pub body: String,
}

impl Incoming {
    /// What a server of this process answers.
    pub async fn of<H: Host + 'static>(server: &Server<H>, request: &Outgoing) -> Self {
        let answer = server.handle(HttpIn::post(request.headers.clone(), request.body.clone())).await;
        // An answer of ours is text.
        let body = String::from_utf8(answer.body.into_bytes().await).unwrap_or_default();
        Self { status: answer.status, body }
    }
}

/// Why nothing came back: a sentence for who asked, in English where that is a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeError(pub String);

/// The moment and the place a call is made at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Here {
    /// Now, in Unix milliseconds.
    pub now_ms: i64,
    /// The IANA name of the person's zone.
    pub zone: String,
}

/// The way to a server, and who stands at this end of it.
#[async_trait(?Send)]
pub trait Exchange {
    /// Sends a request, and waits for the answer. `asked` is the call in it, where it is one. Every call carries a key, so
    /// sending it again is safe.
    ///
    /// # Errors
    /// When no answer came: the call may have been done, or may be done yet.
    async fn send(&self, request: &Outgoing, asked: Option<&Asked<'_>>) -> Result<Incoming, ExchangeError>;

    /// Now, where the person is.
    fn here(&self) -> Here;

    /// A new key, for a preview: hard to guess.
    fn new_key(&self) -> String;

    /// Whether models are told what the person asked to be remembered, and may keep more of it (S0-63).
    fn remembers(&self) -> bool {
        true
    }

    /// A call has its result.
    fn answered(&self, _asked: &Asked<'_>, _result: &CallResult) {}

    /// What is wrong with an answer, for who asked: a model is told it in English.
    fn words(&self, error: &ClientError, _by: By) -> String {
        match error {
            ClientError::Rpc(error) => error.message.clone(),
            other => format!("The tools gave no answer that can be read: {other}"),
        }
    }
}

/// Why a call has no result: a sentence for who asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// No answer came: it may have been done, or may be done yet.
    NoAnswer(String),
    /// It was answered, and not done.
    Refused(String),
}

impl CallError {
    /// What an answer without a result means. A server that broke off may have done it by then.
    pub(crate) fn of(status: u16, words: String) -> Self {
        if status >= 500 { Self::NoAnswer(words) } else { Self::Refused(words) }
    }

    /// The error as a sentence.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::NoAnswer(words) | Self::Refused(words) => words,
        }
    }

    /// The sentence for a model or a program, with what is to be thought of the call where no answer came.
    #[must_use]
    pub fn told(self) -> String {
        match self {
            Self::NoAnswer(words) => {
                let stop = if words.ends_with(['.', '!', '?']) { "" } else { "." };
                format!("{words}{stop} It may or may not have been done; look before you do it again.")
            }
            Self::Refused(words) => words,
        }
    }
}

impl From<ExchangeError> for CallError {
    fn from(ExchangeError(words): ExchangeError) -> Self {
        Self::NoAnswer(words)
    }
}

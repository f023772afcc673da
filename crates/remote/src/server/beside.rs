//! What a server says beside its answer: how far it is, or something it wants to know.

use std::cell::Cell;

use mcp::{RpcError, code};
use serde_json::{Value, json};

use super::handshake::Spoken;
use super::{Progress, Server};
use crate::{Limits, RemoteError, person, words};

/// How many requests of its own a server may send beside one call.
const REQUESTS: u32 = 64;

/// Who hears what a server says beside the answers to one call, and how often it asked for something there.
#[derive(Default)]
pub(super) struct Beside<'a> {
    pub(super) progress: Option<&'a Progress<'a>>,
    requests: Cell<u32>,
    questions: Cell<u32>,
}

impl<'a> Beside<'a> {
    pub(super) fn with(progress: Option<&'a Progress<'a>>) -> Self {
        Self { progress, ..Self::default() }
    }

    /// Counts questions to the person, before the first of them is shown: many at once are as many.
    pub(super) fn count_questions(&self, more: usize, limits: &Limits) -> Result<(), RemoteError> {
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        self.questions.set(self.questions.get().saturating_add(more));
        let is_over = self.questions.get() > limits.rounds;
        if is_over { Err(RemoteError::TooMuch("questions to one call")) } else { Ok(()) }
    }

    fn count_request(&self) -> Result<(), RemoteError> {
        self.requests.set(self.requests.get().saturating_add(1));
        if self.requests.get() > REQUESTS { Err(RemoteError::TooMuch("requests of its own")) } else { Ok(()) }
    }
}

impl Server {
    /// Takes a message that is not the answer. In the older protocol versions a server sends requests of its own, and waits for
    /// what is answered to them.
    pub(super) async fn heard(
        &self,
        message: &Value,
        id: u64,
        legacy: Option<&Spoken>,
        beside: &Beside<'_>,
    ) -> Result<(), RemoteError> {
        let params = &message["params"];
        match (message["method"].as_str(), message.get("id"), legacy, beside.progress) {
            (Some("notifications/progress"), None, _, Some(progress)) if params["progressToken"] == id => {
                let sentence = words::plain(params["message"].as_str().unwrap_or_default());
                progress(&sentence, params["progress"].as_f64().unwrap_or(0.0), params["total"].as_f64());
                Ok(())
            }
            (Some(method), Some(asked), Some(spoken), _) if !asked.is_null() => {
                beside.count_request()?;
                beside.count_questions(usize::from(method == "elicitation/create"), &self.limits)?;
                let answered = match (method, &self.person) {
                    ("ping", _) => Some(json!({})),
                    (_, Some(person)) => person::answer(&**person, message).await,
                    (_, None) => None,
                };
                let body = match answered {
                    Some(result) => json!({ "jsonrpc": "2.0", "id": asked, "result": result }),
                    None => {
                        let error = RpcError::new(code::METHOD_NOT_FOUND, "This client does not do that");
                        json!({ "jsonrpc": "2.0", "id": asked, "error": error })
                    }
                };
                match self.tell(spoken, body.to_string()).await {
                    // Its status is about this answer. Taken for one about the call, a 404 would make the call again.
                    Err(RemoteError::Status(_)) => {
                        Err(RemoteError::NotMcp("it does not take what it asked for".into()))
                    }
                    other => other,
                }
            }
            _ => Ok(()),
        }
    }
}

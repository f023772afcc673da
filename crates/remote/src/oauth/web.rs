//! The few ways the sign-in speaks HTTP: a document is fetched, a form or a document is posted, and what comes back is
//! JSON of bounded size. How long an answer may take is the transport's or the caller's matter.

use futures::StreamExt;
use llm::{HttpRequest, Transport};
use serde_json::Value;

use super::OauthError;
use crate::Address;

/// The most bytes of a metadata document or a token answer.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// A status and the JSON it came with; [`Value::Null`] where there was none.
pub(super) struct Answer {
    pub origin: String,
    pub status: u16,
    pub json: Value,
}

impl Answer {
    /// The answer's JSON object.
    ///
    /// # Errors
    /// The refusal it holds (whatever its status: some answer errors with 200), its status, or that it is no object.
    pub fn object(self) -> Result<Value, OauthError> {
        if let Some(error) = text(&self.json, "error") {
            return Err(OauthError::denied(error, text(&self.json, "error_description").unwrap_or_default()));
        }
        self.document()
    }

    /// As [`Answer::object`], where a refusal has no form of its own.
    pub fn document(self) -> Result<Value, OauthError> {
        let Self { origin, status, json } = self;
        if !(200..300).contains(&status) {
            return Err(OauthError::Status { origin, status });
        }
        if !json.is_object() {
            return Err(OauthError::unusable(format!("What {origin} answered is no JSON document")));
        }
        Ok(json)
    }
}

/// A JSON document by GET; bounded like everything a stranger sends.
pub(super) async fn get(http: &dyn Transport, url: &Address) -> Result<Value, OauthError> {
    send(http, "GET", url, Vec::new(), Vec::new()).await?.document()
}

/// Posts a JSON document and gives the one that is answered.
pub(super) async fn post_json(
    http: &dyn Transport,
    url: &Address,
    body: &Value,
) -> Result<Value, OauthError> {
    let kind = ("content-type".to_owned(), "application/json".to_owned());
    send(http, "POST", url, vec![kind], body.to_string().into_bytes()).await?.object()
}

/// Posts a form; `basic` is the value of an `Authorization` header.
pub(super) async fn post_form(
    http: &dyn Transport,
    url: &Address,
    form: &[(&str, &str)],
    basic: Option<String>,
) -> Result<Value, OauthError> {
    let mut headers = vec![("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
    headers.extend(basic.map(|value| ("authorization".to_owned(), value)));
    send(http, "POST", url, headers, encode(form).into_bytes()).await?.object()
}

/// `application/x-www-form-urlencoded`.
pub(super) fn encode(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// One text field of an object; none where it is empty.
pub(super) fn text<'a>(object: &'a Value, field: &str) -> Option<&'a str> {
    object.get(field).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The texts of a list; none where there is no list, which is not the same as an empty one.
pub(super) fn texts<'a>(object: &'a Value, field: &str) -> Option<Vec<&'a str>> {
    Some(object.get(field)?.as_array()?.iter().filter_map(Value::as_str).collect())
}

async fn send(
    http: &dyn Transport,
    method: &str,
    url: &Address,
    mut headers: llm::Headers,
    body: Vec<u8>,
) -> Result<Answer, OauthError> {
    headers.push(("accept".to_owned(), "application/json".to_owned()));
    let origin = url.origin().to_owned();
    let lost = |error| OauthError::Unreachable { origin: origin.clone(), error };
    let request = HttpRequest { method: method.to_owned(), url: url.href(), headers, body };
    let response = http.send(request).await.map_err(lost)?;
    let status = response.status;
    let mut bytes = Vec::new();
    let mut body = response.body;
    while let Some(chunk) = body.next().await {
        bytes.extend(chunk.map_err(lost)?);
        if bytes.len() > MAX_BYTES {
            return Err(OauthError::unusable(format!("{origin} answered with more than a document holds")));
        }
    }
    let json = serde_json::from_slice(&bytes).unwrap_or_default();
    Ok(Answer { origin, status, json })
}

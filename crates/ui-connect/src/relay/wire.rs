//! The gateway's end of the relay, by fetch: the stream of requests, and the answers.

use std::rc::Rc;

use futures::StreamExt;
use futures::stream::LocalBoxStream;
use llm::{Frames, Headers, HttpRequest, HttpResponse, Secret, Transport, TransportError};
use serde::Deserialize;
use serde_json::json;

use crate::model::FetchTransport;

/// Where a page pairs.
const PAIR: &str = "api/relay";

/// The header that shows who was paired.
const SECRET: &str = "satchel-relay-secret";

/// The largest piece of an answer that is posted at once, in bytes; the gateway takes twice as much.
const PIECE: usize = 512 * 1024;

/// What the gateway says first.
#[derive(Deserialize)]
struct Paired {
    token: String,
    secret: String,
}

/// What it says later.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Event {
    Request(Request),
    Cancel {
        id: u64,
        #[serde(rename = "cancel")]
        _cancel: bool,
    },
    Ended {
        ended: String,
    },
}

/// A program's request.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Request {
    pub(super) id: u64,
    pub(super) method: String,
    pub(super) headers: Headers,
    pub(super) body: String,
}

/// Why there is no pairing.
pub(super) enum Unpaired {
    /// What answers is no gateway.
    NoGateway,
    /// Nothing answers.
    Unreachable,
}

/// A pairing: its token, its requests, and the way back.
pub(super) struct Pairing {
    pub(super) token: String,
    pub(super) events: LocalBoxStream<'static, Event>,
    pub(super) answers: Answers,
}

/// Whether the page comes from a gateway that has a relay, as far as one can tell: it may only be away.
pub(super) async fn is_there() -> bool {
    let request =
        HttpRequest { method: "GET".into(), url: PAIR.into(), headers: Vec::new(), body: Vec::new() };
    match FetchTransport.send(request).await {
        Ok(answer) => answer.status == 200 && is(&answer.headers, "application/json"),
        Err(_) => true,
    }
}

/// Pairs this page. Dropping the events ends it.
pub(super) async fn pair() -> Result<Pairing, Unpaired> {
    let answer = post(PAIR, Vec::new(), Vec::new()).await.map_err(|_| Unpaired::Unreachable)?;
    if answer.status != 200 || !is(&answer.headers, "text/event-stream") {
        return Err(Unpaired::NoGateway);
    }
    let mut frames = Box::pin(frames(answer));
    let first = frames.next().await.and_then(|frame| serde_json::from_str::<Paired>(&frame).ok());
    let Paired { token, secret } = first.ok_or(Unpaired::NoGateway)?;
    // What a newer gateway says beside it is not for us.
    let events = frames.filter_map(|frame| async move { serde_json::from_str(&frame).ok() });
    Ok(Pairing { token, events: events.boxed_local(), answers: Answers(Rc::new(Secret::new(secret))) })
}

fn is(headers: &Headers, media_type: &str) -> bool {
    headers.iter().any(|(name, value)| name == "content-type" && value.starts_with(media_type))
}

async fn post(url: &str, headers: Headers, body: Vec<u8>) -> Result<HttpResponse, TransportError> {
    FetchTransport.send(HttpRequest { method: "POST".into(), url: url.to_owned(), headers, body }).await
}

/// The data of a stream's events. Comments are left out.
fn frames(answer: HttpResponse) -> impl futures::Stream<Item = String> {
    let parts = answer.body.map(Result::ok).take_while(|part| std::future::ready(part.is_some()));
    let mut frames = Frames::default();
    parts.flat_map(move |part| {
        frames.push(&part.unwrap_or_default());
        let mut complete = Vec::new();
        while let Some(data) = frames.next() {
            complete.push(String::from_utf8_lossy(data).into_owned());
        }
        futures::stream::iter(complete)
    })
}

/// The way back. A handle.
#[derive(Clone)]
pub(super) struct Answers(Rc<Secret>);

/// Nobody waits for the answer any more.
pub(super) struct NobodyWaits;

impl Answers {
    /// The beginning of an answer.
    pub(super) async fn head(&self, id: u64, status: u16, headers: &Headers) -> Result<(), NobodyWaits> {
        self.say(id, "head", json!({ "status": status, "headers": headers }).to_string().into_bytes()).await
    }

    /// More of it.
    pub(super) async fn bytes(&self, id: u64, bytes: &[u8]) -> Result<(), NobodyWaits> {
        for piece in bytes.chunks(PIECE) {
            self.say(id, "piece", piece.to_vec()).await?;
        }
        Ok(())
    }

    /// Its end.
    pub(super) async fn end(&self, id: u64) -> Result<(), NobodyWaits> {
        self.say(id, "end", Vec::new()).await
    }

    /// It broke off.
    pub(super) async fn cut(&self, id: u64) -> Result<(), NobodyWaits> {
        self.say(id, "cut", Vec::new()).await
    }

    async fn say(&self, id: u64, part: &str, body: Vec<u8>) -> Result<(), NobodyWaits> {
        let headers = vec![
            (SECRET.to_owned(), self.0.expose().to_owned()),
            ("content-type".to_owned(), "application/octet-stream".to_owned()),
        ];
        match post(&format!("{PAIR}/answer/{id}/{part}"), headers, body).await {
            Ok(answer) if answer.status == 204 => Ok(()),
            Ok(_) | Err(_) => Err(NobodyWaits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Request};

    #[test]
    fn events_are_told_apart() {
        let read = |text: &str| serde_json::from_str::<Event>(text).ok();
        let request = r#"{"body":"{}","headers":[["accept","*/*"]],"id":7,"method":"POST"}"#;
        let headers = vec![("accept".to_owned(), "*/*".to_owned())];
        assert_eq!(
            read(request),
            Some(Event::Request(Request { id: 7, method: "POST".into(), headers, body: "{}".into() }))
        );
        assert_eq!(read(r#"{"cancel":true,"id":7}"#), Some(Event::Cancel { id: 7, _cancel: true }));
        assert_eq!(read(r#"{"ended":"replaced"}"#), Some(Event::Ended { ended: "replaced".into() }));
        assert_eq!(read(r#"{"new":1}"#), None);
    }
}

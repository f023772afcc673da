//! From the bytes of a response to events: finds out what kind of body it is, and frames it.

use async_stream::stream;
use futures::StreamExt;
use futures::stream::iter;
use protocol::{Failure, FailureKind};

use crate::answer::{Decode, Decoded};
use crate::failure::{excerpt, failure_of_transport};
use crate::frames::Frames;
use crate::{ByteStream, EventStream, Headers, TransportError};

/// The most bytes of one response, so that a runaway server cannot fill the page's memory.
const BODY_LIMIT: usize = 64 * 1024 * 1024;

/// So many bytes tell the kinds of body apart: the length of `event:`, the longest field name.
const PEEK: usize = 6;

/// Decodes the body of a 2xx response. The kind of body is told by its first bytes rather than by its
/// content type, which servers get wrong: an event stream, one JSON answer to a streaming request
/// (tolerated), or a web page (a clear failure). `now_ms` dates what an error in the stream asks for.
pub(crate) fn decode(
    headers: &Headers,
    body: ByteStream,
    mut decoder: Box<dyn Decode>,
    now_ms: i64,
) -> EventStream {
    let says_html = headers.iter().any(|(name, value)| name == "content-type" && value.contains("text/html"));
    // The events of one piece of the body are handed on together: a step of this block for each of them
    // would take longer than to read it.
    stream! {
        let (head, body) = peek(limited(body)).await;
        let body = iter([Ok(head.clone())]).chain(body).boxed_local();
        match kind(&head) {
            Kind::WebPage => yield vec![Err(web_page())],
            _ if says_html => yield vec![Err(web_page())],
            Kind::Json => yield match read_all(body).await {
                Ok(bytes) => decoder.whole(&bytes, now_ms),
                Err(error) => vec![Err(failure_of_transport(&error))],
            },
            Kind::Other => yield vec![Err(not_a_stream(&head))],
            Kind::Events => {
                // A last event without its blank line counts: the spec would drop it, servers forget it.
                let mut body = body.chain(iter([Ok(b"\n\n".to_vec())]));
                let mut frames = Frames::default();
                while let Some(chunk) = body.next().await {
                    yield match chunk {
                        Ok(chunk) => {
                            frames.push(&chunk);
                            complete_events(&mut frames, &mut *decoder, now_ms)
                        }
                        Err(error) => decoder.cut(failure_of_transport(&error)),
                    };
                    if decoder.is_done() {
                        return;
                    }
                }
                yield decoder.end();
            }
        }
    }
    .flat_map(iter)
    .boxed_local()
}

/// What the events that are complete by now hold, up to the one that ends the answer.
fn complete_events(frames: &mut Frames, decoder: &mut dyn Decode, now_ms: i64) -> Decoded {
    let mut decoded = Vec::new();
    while !decoder.is_done()
        && let Some(data) = frames.next()
    {
        decoded.extend(match std::str::from_utf8(data) {
            Ok(data) => decoder.push(data, now_ms),
            Err(_) => decoder.cut(not_text()),
        });
    }
    decoded
}

enum Kind {
    Events,
    Json,
    WebPage,
    Other,
}

/// An empty body is an event stream that was cut before its first event.
fn kind(head: &[u8]) -> Kind {
    let start = head.trim_ascii_start();
    let is_field = |name: &str| start.starts_with(name.as_bytes()) || name.as_bytes().starts_with(start);
    match start.first() {
        Some(b'<') => Kind::WebPage,
        Some(b'{' | b'[') => Kind::Json,
        Some(b':') | None => Kind::Events,
        Some(_) if ["data", "event:", "id:", "retry:"].into_iter().any(is_field) => Kind::Events,
        Some(_) => Kind::Other,
    }
}

/// Reads until the kind of body can be told; what goes wrong meanwhile comes out of the rest.
async fn peek(mut body: ByteStream) -> (Vec<u8>, ByteStream) {
    let mut head = Vec::new();
    while without_mark(&head).trim_ascii_start().len() < PEEK {
        match body.next().await {
            Some(Ok(chunk)) => head.extend_from_slice(&chunk),
            Some(Err(error)) => return (without_mark(&head).to_vec(), iter([Err(error)]).boxed_local()),
            None => break,
        }
    }
    // Taken off here: the framing library cuts the mark as if it were one byte, and panics.
    (without_mark(&head).to_vec(), body)
}

fn without_mark(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        bytes = rest;
    }
    bytes
}

fn limited(body: ByteStream) -> ByteStream {
    let mut total = 0_usize;
    body.map(move |chunk| {
        let chunk = chunk?;
        total = total.saturating_add(chunk.len());
        if total > BODY_LIMIT {
            return Err(TransportError::Cut("the answer is far too long".to_owned()));
        }
        Ok(chunk)
    })
    .boxed_local()
}

async fn read_all(mut body: ByteStream) -> Result<Vec<u8>, TransportError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next().await {
        bytes.extend_from_slice(&chunk?);
    }
    Ok(bytes)
}

fn web_page() -> Failure {
    Failure::new(
        FailureKind::Validation,
        "The address answered with a web page instead of a model's stream. Check the model's base URL.",
    )
}

fn not_a_stream(head: &[u8]) -> Failure {
    Failure::new(
        FailureKind::Validation,
        format!(
            "The address answered with something that is no model's stream: \"{}\". Check the model's base URL.",
            excerpt(&String::from_utf8_lossy(head))
        ),
    )
}

fn not_text() -> Failure {
    Failure::new(FailureKind::RetryableNetwork, "The model's stream broke: it held bytes that are not text.")
}

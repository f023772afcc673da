//! Anthropic's Messages, as the client speaks them: with Anthropic itself, and with what is compatible (Ollama's and
//! DeepSeek's own endpoints, proxies).
//!
//! [`encode`] writes the request, [`decode`] reads the stream of the answer. Reasoning is shown to the person and not
//! sent back: we never ask for it to be signed, and without it every model takes the conversation.

mod decode;
mod encode;

pub use decode::Decoder;
pub use encode::{encode, messages_url};

use crate::{ByteStream, EventStream, Headers};

/// Decodes the body of a 2xx response. `now_ms` (since 1970, UTC) dates what an error in the stream asks for.
#[must_use]
pub fn decode(headers: &Headers, body: ByteStream, decoder: Decoder, now_ms: i64) -> EventStream {
    crate::stream::decode(headers, body, Box::new(decoder), now_ms)
}

//! OpenAI chat completions, both ways: what OpenAI, OpenRouter, Groq, Mistral, DeepSeek, xAI, Ollama,
//! llama.cpp, vLLM and our own gateway speak, each with quirks of its own.
//!
//! The client's half is [`encode`] and [`decode`]; the server's half is [`parse_request`],
//! [`ChunkWriter`] and [`completion`]. What one half writes the other reads back unchanged.

mod decode;
mod encode;
mod plain;
mod serve;

pub use decode::Decoder;
pub use encode::{chat_url, encode};
pub use serve::{ChunkWriter, DONE_LINE, ProviderError, ServedRequest, completion, parse_request};

use crate::{ByteStream, EventStream, Headers};

/// Decodes the body of a 2xx response. `now_ms` (since 1970, UTC) dates what an error in the stream asks for.
#[must_use]
pub fn decode(headers: &Headers, body: ByteStream, decoder: Decoder, now_ms: i64) -> EventStream {
    crate::stream::decode(headers, body, Box::new(decoder), now_ms)
}

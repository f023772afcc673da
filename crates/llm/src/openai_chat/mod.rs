//! OpenAI chat completions, both ways: what OpenAI, OpenRouter, Groq, Mistral, DeepSeek, xAI, Ollama,
//! llama.cpp, vLLM and our own gateway speak, each with quirks of its own.
//!
//! This is the client's half; the server's is the gateway's.

mod decode;
mod encode;
mod plain;

pub use decode::Decoder;
pub use encode::{chat_url, encode};

use crate::{ByteStream, EventStream, Headers};

/// Decodes the body of a 2xx response. `now_ms` (since 1970, UTC) dates what an error in the stream asks for.
#[must_use]
pub fn decode(headers: &Headers, body: ByteStream, decoder: Decoder, now_ms: i64) -> EventStream {
    crate::stream::decode(headers, body, Box::new(decoder), now_ms)
}

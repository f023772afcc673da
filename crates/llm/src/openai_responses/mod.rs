//! OpenAI's Responses, as the client speaks them: with OpenAI itself, and with what is compatible (LM Studio, Ollama,
//! vLLM, proxies).
//!
//! [`encode`] writes the request, [`decode`] reads the typed events of the answer. The conversation stays ours
//! (D-09): nothing is stored at the provider, and every request holds all of it.

mod decode;
mod encode;
mod wrapper;

pub use decode::Decoder;
pub use encode::{encode, responses_url};

use crate::{ByteStream, EventStream, Headers};

/// Decodes the body of a 2xx response. `now_ms` (since 1970, UTC) dates what an error in the stream asks for.
#[must_use]
pub fn decode(headers: &Headers, body: ByteStream, decoder: Decoder, now_ms: i64) -> EventStream {
    crate::stream::decode(headers, body, Box::new(decoder), now_ms)
}

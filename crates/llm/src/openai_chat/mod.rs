//! OpenAI chat completions, both ways: what OpenAI, OpenRouter, Groq, Mistral, DeepSeek, xAI, Ollama,
//! llama.cpp, vLLM and our own gateway speak, each with quirks of its own.
//!
//! The client's half is [`encode`] and [`decode`]; the server's half is [`parse_request`],
//! [`ChunkWriter`] and [`completion`]. What one half writes the other reads back unchanged.

mod decode;
mod encode;
mod plain;
mod serve;
mod stream;

pub use decode::Decoder;
pub use encode::{chat_url, encode};
pub use serve::{ChunkWriter, DONE_LINE, ProviderError, ServedRequest, completion, parse_request};
pub use stream::decode;
